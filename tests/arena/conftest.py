"""Bots that misbehave: inside this process, and as a package that other processes find."""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from franchise.bots import registry
from franchise.bots.protocol import Budget
from franchise.bots.simple import RandomBot
from franchise.game import Game

# A package with bots, found by its entry points as any other package would be. Its bots read what to do from variables:
# each game of `alarm` adds a letter to a file, and the sixth presses Ctrl-C for the whole process group.
PLUGIN = """
import os, signal
from franchise.bots.simple import RandomBot

class Alarm(RandomBot):
    def choose(self, game):
        if not game.actions and os.environ.get("ALARM"):
            with open(os.environ["ALARM"], "a+") as file:
                file.write("x")
                file.flush()
                if file.tell() >= 6:
                    os.killpg(0, signal.SIGINT)
                    while True:
                        signal.pause()
        return super().choose(game)

class Crash(RandomBot):
    def choose(self, game):
        os._exit(7)

def alarm(seed, budget):
    return Alarm(seed)

def crash(seed, budget):
    return Crash(seed)
"""


class Prankster(RandomBot):
    """A bot that plays until the 30th move of the game, then does what its name says."""

    def __init__(self, seed: int | None, prank: Callable[[Game], Any]) -> None:
        super().__init__(seed)
        self.prank = prank

    def choose(self, game: Game) -> Any:
        return self.prank(game) if len(game.actions) >= 30 else super().choose(game)


@pytest.fixture
def bot(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, Callable[[Game], Any]], str]:
    """Make a prank a bot of the registry, in this process."""

    def add(name: str, prank: Callable[[Game], Any]) -> str:
        def factory(seed: int | None, budget: Budget) -> Prankster:
            return Prankster(seed, prank)

        monkeypatch.setattr(sys.modules[__name__], f"make_{name}", factory, raising=False)
        monkeypatch.setitem(sys.modules, "prank_bots", sys.modules[__name__])
        monkeypatch.setitem(registry.BUILT_IN, name, (f"prank_bots:make_{name}", "a prank"))
        return name

    return add


@pytest.fixture
def plugin(tmp_path: Path) -> dict[str, str]:
    """The environment in which a package with the bots `alarm` and `crash` is installed."""
    folder = tmp_path / "plugin"
    info = folder / "prank_bots-1.dist-info"
    info.mkdir(parents=True)
    (folder / "prank_plugin.py").write_text(PLUGIN, encoding="utf-8")
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: prank-bots\nVersion: 1\n", encoding="utf-8")
    lines = "[franchise.bots]\nalarm = prank_plugin:alarm\ncrash = prank_plugin:crash\n"
    (info / "entry_points.txt").write_text(lines, encoding="utf-8")
    path = os.pathsep.join(filter(None, [str(folder), os.environ.get("PYTHONPATH")]))
    return {**os.environ, "PYTHONPATH": path}
