"""A finished game and its record, for commands."""

import random
from pathlib import Path

import pytest

from franchise import Game, Options


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
