"""Recorded games, whole or up to a move."""

from pathlib import Path

from franchise import Game

GAMES = Path(__file__).parents[1] / "games"


def game(name: str, moves: int | None = None) -> Game:
    """A game of tests/games after so many moves."""
    whole = Game.from_text((GAMES / f"{name}.franchise").read_text(encoding="utf-8"))
    return whole if moves is None else whole.at(moves)


def record(name: str, moves: int | None = None) -> str:
    """The same as text."""
    return game(name, moves).to_text()
