"""The whole board as one SVG picture."""

from collections.abc import Mapping
from typing import Any, Protocol

from franchise.drawing.board_words import Words
from franchise.drawing.geometry import GEOMETRY
from franchise.drawing.land import land
from franchise.drawing.links import legend, links
from franchise.drawing.markup import number, tag, title
from franchise.drawing.panels import height, panels
from franchise.drawing.places import names, places
from franchise.drawing.plates import plates, track
from franchise.drawing.style import Style, style
from franchise.drawing.theme import SANS, THEMES


class Viewed(Protocol):
    """A game, as far as a picture of it is concerned."""

    def view(self) -> Mapping[str, Any]:
        """The whole public state."""


def board_svg(game: Viewed, *, theme: str = "classic", panels: bool = True, words: Words | None = None) -> str:
    """The board with its pieces, as SVG text. It depends on nothing but the game's view, the theme and the words.

    `panels=False` leaves out the players and the caption; `words` replaces any of `words.WORDS`.
    """
    return drawn(game.view(), named_style(theme, words), panels)


def named_style(theme: str, words: Words | None) -> Style:
    """The style of a theme's name; ValueError says which there are."""
    if theme not in THEMES:
        raise ValueError(f"no theme {theme!r}; choose one of {', '.join(THEMES)}")
    return style(THEMES[theme], words)


def out_of_play(view: Mapping[str, Any]) -> tuple[frozenset[str], frozenset[str]]:
    """The regions and the locations nobody can use."""
    regions, locations = (
        frozenset(name for name, row in view[what].items() if row["blocked"]) for what in ("regions", "locations")
    )
    return regions, locations


def drawn(view: Mapping[str, Any], style: Style, with_panels: bool) -> str:
    """The picture of a view, from the water up."""
    return framed(view, style, with_panels, ground(view, style), movable(view, style, with_panels))


def ground(view: Mapping[str, Any], style: Style) -> str:
    """What stays as it is during a game."""
    blocked, cut_off = out_of_play(view)
    return land(style, blocked) + links(style, cut_off) + names(style, cut_off) + legend(style)


def movable(view: Mapping[str, Any], style: Style, with_panels: bool) -> str:
    """What a move may change; it lies on the ground."""
    above = panels(view, style.theme, style.words) if with_panels else ""
    return plates(view, style) + places(view, style) + track(view, style) + above


def framed(view: Mapping[str, Any], style: Style, with_panels: bool, *parts: str) -> str:
    """The parts as one picture."""
    canvas = GEOMETRY.canvas
    above = height(view) if with_panels else 0.0
    box = (canvas.x, canvas.y - above, canvas.width, canvas.height + above)
    return tag(
        "svg",
        title(style.words["board"]),
        *parts,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=" ".join(number(side) for side in box),
        class_="franchise-board",
        data_theme=style.theme.name,
        font_family=SANS,
        role="group",
    )
