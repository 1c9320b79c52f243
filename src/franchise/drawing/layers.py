"""The board of a page in layers: what stays, what moves and what can be chosen; its colours are in `page_css`."""

from functools import lru_cache

from franchise.drawing.board import Viewed, out_of_play
from franchise.drawing.board_words import Words
from franchise.drawing.geometry import GEOMETRY
from franchise.drawing.land import land
from franchise.drawing.links import legend, links
from franchise.drawing.markup import group, number
from franchise.drawing.places import names, places
from franchise.drawing.plates import plates, track
from franchise.drawing.sheet import PAGE, page_css
from franchise.drawing.style import Style, style
from franchise.drawing.targets import Target, targets_svg
from franchise.drawing.theme import SANS

__all__ = ["Target", "frame", "ground_svg", "page_css", "pieces_svg", "targets_svg"]


def frame() -> str:
    """The viewBox of the board."""
    return " ".join(number(side) for side in GEOMETRY.canvas)


def ground_svg(game: Viewed, words: Words | None = None) -> str:
    """All that stays as it is during a game: land, links, names, legend."""
    return ground(*out_of_play(game.view()), style(PAGE, words))


@lru_cache(maxsize=64)
def ground(blocked: frozenset[str], cut_off: frozenset[str], style: Style) -> str:
    parts = (land(style, blocked), links(style, cut_off), names(style, cut_off), legend(style))
    return group("ground", *parts, id="ground", font_family=SANS)


def pieces_svg(game: Viewed, words: Words | None = None) -> str:
    """All that a move may change: region plates, places, markers, region track."""
    view, drawn_with = game.view(), style(PAGE, words)
    parts = (plates(view, drawn_with), places(view, drawn_with), track(view, drawn_with))
    return group("pieces", *parts, id="pieces", font_family=SANS)
