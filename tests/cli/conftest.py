"""Running the `franchise` command inside the test's process."""

import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from franchise import Game, Options
from franchise.cli import main


class Done(NamedTuple):
    code: int | str | None
    out: str
    err: str


Run = Callable[..., Done]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run the command with these arguments; what it answers."""

    def run(*arguments: object) -> Done:
        monkeypatch.setattr(sys, "argv", ["franchise", *map(str, arguments)])
        capsys.readouterr()
        with pytest.raises(SystemExit) as end:
            main()
        return Done(end.value.code, *capsys.readouterr())

    return run


@pytest.fixture
def finished() -> Game:
    """A random game of three with names."""
    game = Game(3, 11, Options(milestones=True, boom=True), names=["Ann", "", "Cy"])
    chance = random.Random(11)
    while not game.over:
        game.play(chance.choice(game.legal_actions()))
    return game


@pytest.fixture
def record(finished: Game, tmp_path: Path) -> Path:
    """The file of its record."""
    path = tmp_path / "game.franchise"
    path.write_text(finished.to_text(), encoding="utf-8")
    return path
