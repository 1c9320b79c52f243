"""The whole board as one SVG picture."""

from collections.abc import Mapping
from typing import Any, Protocol

from franchise.drawing.geometry import GEOMETRY
from franchise.drawing.land import land
from franchise.drawing.links import cached_links, legend
from franchise.drawing.markup import number, tag, title
from franchise.drawing.panels import height, panels
from franchise.drawing.places import names, places
from franchise.drawing.plates import plates, track
from franchise.drawing.theme import SANS, THEMES
from franchise.drawing.words import WORDS, Words


class Viewed(Protocol):
    """A game, as far as a picture of it is concerned."""

    def view(self) -> Mapping[str, Any]:
        """The whole public state."""


def board_svg(game: Viewed, *, theme: str = "classic", panels: bool = True, words: Words | None = None) -> str:
    """The board with its pieces, as SVG text. It depends on nothing but the game's view, the theme and the words.

    `panels=False` leaves out the players and the caption; `words` replaces any of `words.WORDS`.
    """
    if theme not in THEMES:
        raise ValueError(f"no theme {theme!r}; choose one of {', '.join(THEMES)}")
    return drawn(game.view(), theme, panels, {**WORDS, **(words or {})})


def drawn(view: Mapping[str, Any], theme_name: str, with_panels: bool, words: Words) -> str:
    """The picture of a view, from the water up."""
    theme, canvas = THEMES[theme_name], GEOMETRY.canvas
    above = height(view) if with_panels else 0.0
    blocked, cut_off = (
        frozenset(name for name, row in view[what].items() if row["blocked"]) for what in ("regions", "locations")
    )
    box = (canvas.x, canvas.y - above, canvas.width, canvas.height + above)
    return tag(
        "svg",
        title(words["board"]),
        land(theme_name, blocked),
        cached_links(theme_name, tuple(words.items()), cut_off),
        plates(view, theme, words),
        names(theme_name, cut_off),
        places(view, theme, words),
        track(view, theme, words),
        legend(theme, words),
        panels(view, theme, words) if with_panels else "",
        xmlns="http://www.w3.org/2000/svg",
        viewBox=" ".join(number(side) for side in box),
        class_="franchise-board",
        data_theme=theme_name,
        font_family=SANS,
        role="group",
    )
