"""Recorded games, whole or up to a move."""

from pathlib import Path

from franchise import Game

GAMES = Path(__file__).with_name("games")
# Blue was about to win and then did nothing in turn 33: `done; end`.
THROWN = Game.from_text((Path(__file__).with_name("insight") / "thrown.franchise").read_text(encoding="utf-8"))


def game(name: str, moves: int | None = None) -> Game:
    """A game of tests/games after so many moves."""
    whole = Game.from_text((GAMES / f"{name}.franchise").read_text(encoding="utf-8"))
    return whole if moves is None else whole.at(moves)


def record(name: str, moves: int | None = None) -> str:
    """The same as text."""
    return game(name, moves).to_text()
