"""Games to draw, and their pictures read back."""

import random
from typing import Any
from xml.etree import ElementTree

from franchise import Game, Options
from franchise.drawing import board_svg

SVG = "{http://www.w3.org/2000/svg}"
TABLES = [
    (2, Options()),
    (3, Options(introductory=True)),
    (4, Options()),
    (4, Options(expert="draft", regions="new")),
    (5, Options(milestones=True, boom=True, regions="mixed")),
    (5, Options(expert="random", milestones=True)),
]


class Shown:
    """A game of which only the view is known."""

    def __init__(self, view: dict[str, Any]) -> None:
        self._view = view

    def view(self) -> dict[str, Any]:
        return self._view


def played(players: int, options: Options, moves: int, seed: int = 7) -> Game:
    game, dice = Game(players=players, seed=seed, options=options), random.Random(seed)
    for _ in range(moves):
        if game.over:
            break
        game.play(dice.choice(game.legal_actions()))
    return game


def described(element: ElementTree.Element) -> str:
    return element.get("aria-label", "")


def parsed(game: Game | Shown, **choices: Any) -> ElementTree.Element:
    return ElementTree.fromstring(board_svg(game, **choices))


def of_class(root: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    return [element for element in root.iter() if name in element.get("class", "").split()]


def place(root: ElementTree.Element, name: str) -> ElementTree.Element:
    return next(element for element in of_class(root, "place") if element.get("data-place") == name)


def texts(element: ElementTree.Element) -> list[str]:
    return [text.text or "" for text in element.iter(f"{SVG}text")]


def mid_game() -> dict[str, Any]:
    return played(4, Options(), 160).view()
