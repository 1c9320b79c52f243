"""The whole board as one SVG picture."""

from collections.abc import Mapping
from typing import Any, Protocol

from franchise.drawing.board_words import Words
from franchise.drawing.cuts import Cut, cut_of
from franchise.drawing.land import land
from franchise.drawing.legend import legend
from franchise.drawing.links import links
from franchise.drawing.markup import number, tag, title
from franchise.drawing.panels import HEIGHT, panels
from franchise.drawing.place_names import names
from franchise.drawing.places import places
from franchise.drawing.plates import plates
from franchise.drawing.style import Style, style
from franchise.drawing.theme import SANS, THEMES
from franchise.drawing.track import track


class Viewed(Protocol):
    """What a picture needs of a game."""

    def view(self) -> Mapping[str, Any]:
        """The whole public state."""


def board_svg(
    game: Viewed, *, theme: str = "classic", panels: bool = True, words: Words | None = None, cut: str = "L"
) -> str:
    """The board with its pieces, as SVG text. It depends only on the game's view and the arguments.

    `panels=False` leaves out the players and the caption; `words` replaces any of `board_words.WORDS`; `cut` is the
    size: "L" for 1184 pixels across and more, "M" for 1048, "S" for 820.
    """
    view = game.view()
    return drawn(view, cut_of(view, cut), named_style(theme, words), panels)


def named_style(theme: str, words: Words | None) -> Style:
    """The style for the name of a theme; ValueError lists the themes."""
    if theme not in THEMES:
        raise ValueError(f"there is no theme {theme!r}; choose one of {', '.join(THEMES)}")
    return style(THEMES[theme], words)


def regions_that_are(view: Mapping[str, Any], state: str) -> frozenset[str]:
    """The regions that are `blocked` or `scored`."""
    return frozenset(name for name, row in view["regions"].items() if row[state])


def drawn(view: Mapping[str, Any], cut: Cut, style: Style, with_panels: bool) -> str:
    """The picture of a view, from the water up."""
    return framed(cut, style, with_panels, ground(view, cut, style), movable(view, cut, style, with_panels))


def ground(view: Mapping[str, Any], cut: Cut, style: Style) -> str:
    """The part that changes only when a region is scored."""
    blocked, scored = (regions_that_are(view, state) for state in ("blocked", "scored"))
    return land(cut, style, blocked, scored) + links(cut, style) + names(cut, style) + legend(cut, style)


def movable(view: Mapping[str, Any], cut: Cut, style: Style, with_panels: bool) -> str:
    """The part that a move may change, drawn on the ground."""
    above = panels(view, cut, style) if with_panels else ""
    return plates(cut, view, style) + places(cut, view, style) + track(cut, view, style) + above


def framed(cut: Cut, style: Style, with_panels: bool, *parts: str) -> str:
    """The parts as one picture."""
    above = HEIGHT if with_panels else 0.0
    box = (0.0, -above, cut.size.width, cut.size.height + above)
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
