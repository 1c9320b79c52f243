"""Notes on the map: a line of words and of numbers beside pieces."""

from collections.abc import Iterable
from typing import NamedTuple

from franchise.drawing.geometry import Point
from franchise.drawing.markup import text
from franchise.drawing.piece_shapes import piece
from franchise.drawing.theme import Theme

NARROW, BROAD = frozenset("fijlrtI.,:;!|()'’ "), frozenset("mwMWGOQ…★→")
WIDTHS = {"narrow": 4.4, "broad": 10.6, "upper": 8.9, "other": 7.3}  # of letters, about
TYPE = 13.0
EDGE = 10.0  # from the edge to the words
PIECE = 6.5  # radius
BESIDE = 4.0  # between a piece and its number
BETWEEN = 8.0  # between two parts


class NotePart(NamedTuple):
    """Some words of a note, or a number beside the piece of whoever it is about."""

    text: str
    colour: str = ""


def text_width(words: str) -> float:
    """How wide words are, about."""
    kinds = ("narrow" if c in NARROW else "broad" if c in BROAD else "upper" if c.isupper() else "other" for c in words)
    return sum(WIDTHS[kind] for kind in kinds)


def part_width(part: NotePart) -> float:
    return text_width(part.text) + (2 * PIECE + BESIDE if part.colour else 0)


def width_of(parts: Iterable[NotePart]) -> float:
    """How wide a line is, with its edges."""
    widths = [part_width(part) for part in parts]
    return sum(widths) + BETWEEN * (len(widths) - 1) + 2 * EDGE


def written(line: Iterable[NotePart], at: Point, ink: str, theme: Theme) -> Iterable[str]:
    """The parts of a line from left to right."""
    x = at.x
    for part in line:
        beside = x
        if part.colour:
            yield piece(part.colour, Point(x + PIECE, at.y), PIECE, theme, shadow=False)
            beside += 2 * PIECE + BESIDE
        yield text(part.text, beside, at.y + TYPE * 0.36, TYPE, ink, font_weight="bold", text_anchor="start")
        x += part_width(part) + BETWEEN
