"""What the move that is looked back at has scored, over the board: rings, frames, and who gained how much where."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from franchise.drawing.board import Viewed
from franchise.drawing.cuts import Cut, cut_of
from franchise.drawing.geometry import Box, Point
from franchise.drawing.markup import group, shadow, tag
from franchise.drawing.notes import EDGE, NotePart, width_of, written
from franchise.drawing.page_colours import PAGE
from franchise.drawing.places import spot_of
from franchise.drawing.plates import plate_box
from franchise.drawing.theme import SANS

HEIGHT = 24.0
OFF = 4.0  # from the edge of the picture


class Gain(NamedTuple):
    """The influence somebody has gained somewhere."""

    where: str  # a city or a region
    colour: str
    amount: int


def scored_svg(game: Viewed, gains: Sequence[Gain], cut: str = "L") -> str:
    """The layer over the board in place of what can be chosen, which nobody can now."""
    view = game.view()
    shown = cut_of(view, cut)
    lines: dict[str, list[NotePart]] = {}
    for gain in gains:
        lines.setdefault(gain.where, []).append(NotePart(f"{gain.amount:+d}".replace("-", "−"), gain.colour))
    drawn = [marked(shown, view, where, line) for where, line in lines.items()]
    return group("targets", *drawn, id="targets", font_family=SANS)


def marked(cut: Cut, view: Mapping[str, object], where: str, line: Sequence[NotePart]) -> str:
    """A city with a ring or a plate with a frame, and its gains beside it."""
    place = cut.places.get(where)
    if place is not None:
        spot = spot_of(where, view)
        radius = cut.radius(place, spot.size, spot.scored)
        ring = tag(
            "circle", cx=place.at.x, cy=place.at.y, r=radius + 3, fill="none", stroke=PAGE.grow, stroke_width=3.4
        )
        return group("gains", ring, gains_sign(cut, place.ticket, line), data_place=where, aria_hidden="true")
    box = plate_box(cut, where, scored=True).grown(3.5)
    frame = tag(
        "rect", x=box.x, y=box.y, width=box.width, height=box.height, rx=10.0, fill="none", stroke=PAGE.grow,
        stroke_width=3.4,
    )  # fmt: skip
    below = Point(box.middle.x, box.bottom + HEIGHT / 2 + 1)
    return group("gains", frame, gains_sign(cut, below, line), data_region=where, aria_hidden="true")


def gains_sign(cut: Cut, at: Point, line: Sequence[NotePart]) -> str:
    """A sign around a point, on the picture."""
    width = width_of(line)
    x = min(max(at.x - width / 2, OFF), cut.size.width - width - OFF)
    y = min(max(at.y - HEIGHT / 2, OFF), cut.size.height - HEIGHT - OFF)
    box = Box(x, y, width, HEIGHT)
    return (
        shadow(box, HEIGHT / 2, PAGE, 2.0)
        + tag(
            "rect", x=x, y=y, width=width, height=HEIGHT, rx=HEIGHT / 2, fill=PAGE.paper, stroke=PAGE.grow,
            stroke_width=2.0,
        )
        + "".join(written(line, Point(x + EDGE, y + HEIGHT / 2), PAGE.gain, PAGE))
    )  # fmt: skip
