"""Draws the pictures of the documentation, always the same ones: the boards and the icon.

python scripts/pictures.py
"""

import random
from pathlib import Path

from franchise import Game, Options
from franchise.drawing import board_svg

FOLDER = Path(__file__).parents[1] / "docs" / "images"
WEIGHTS = {"expand": 9, "again": 0.1, "grow": 9, "double": 0.1, "done": 1, "end": 1, "cash": 0.03}  # of moves


def lively(game: Game, turns: int, seed: int) -> Game:
    """The game after so many turns of players who rather build than save, in the middle of a turn."""
    dice = random.Random(seed)
    while not game.over and not (game.turn >= turns and game.view()["markers"] and game.view()["centre"]):
        legal = [str(action) for action in game.legal_actions()]
        game.play(dice.choices(legal, [WEIGHTS.get(text.split()[0], 1) / cost(text) for text in legal])[0])
    return game


def cost(text: str) -> float:
    """Dear links are less liked."""
    last = text.split()[-1]
    return 1 + int(last) / 2 if last.isdigit() else 1


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    base = lively(Game(players=4, seed=1964, names=("Westward Diners", "Route 66", "Sunny Side", "Night Owl")), 30, 5)
    modules = Options(milestones=True, boom=True, regions="mixed")
    full = lively(Game(players=5, seed=66, options=modules), 34, 3)
    for name, game, theme in (
        ("board", base, "classic"),
        ("board-dark", full, "dark"),
        ("board-high-contrast", full, "high-contrast"),
        ("board-print", base, "print"),
    ):
        (FOLDER / f"{name}.svg").write_text(board_svg(game, theme=theme) + "\n", encoding="utf-8")
    icon = Path(__file__).parents[1] / "src" / "franchise" / "web" / "static" / "icon.svg"
    (FOLDER / "icon.svg").write_bytes(icon.read_bytes())


if __name__ == "__main__":
    main()
