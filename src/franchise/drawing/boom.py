"""The boom marker: an arrow sign with bulbs that points at its city, whose empty spaces count double."""

import math
from functools import lru_cache

from franchise.drawing.cuts import Place
from franchise.drawing.geometry import Point, on_circle
from franchise.drawing.markup import group, number, path, tag, text, title
from franchise.drawing.style import Style
from franchise.drawing.theme import DISPLAY, NONE, Theme

ARROW = ((0, 0), (13, -15), (13, -11), (76, -11), (76, 13), (13, 13), (13, 15))


def arrow(tip: Point, side: int) -> str:
    """The `d` of the sign."""
    return path((tip.x + side * x, tip.y + y) for x, y in ARROW)


def boom(place: Place, style: Style) -> str:
    """The sign where it stands."""
    name = title(style.words["boom"].format(name=place.name))
    return group("boom", name, sign(place, style.theme), id="boom", data_place=place.name)


@lru_cache(maxsize=512)
def sign(place: Place, theme: Theme) -> str:
    """The sign alone."""
    tip, side = place.boom, place.boom_side
    d = arrow(tip, side)
    bulbs = "".join(
        f"M{number(tip.x + side * (19 + i * 8.6))} {number(tip.y + row)}h0" for i in range(7) for row in (-7.6, 9.6)
    )
    below = (
        tag("path", d=d, fill=theme.shadow, opacity=0.3, transform="translate(1.5 3)") if theme.shadow != NONE else ""
    )
    shapes = (
        below,
        tag("path", d=d, fill=theme.boom, stroke=theme.shield_edge, stroke_width=2.0, stroke_linejoin="round"),
        tag("path", d=bulbs, stroke=theme.bulb, stroke_width=3.2, stroke_linecap="round", class_="bulbs"),
        text("BOOM", tip.x + side * 44, tip.y + 6, 14, theme.boom_ink, font_family=DISPLAY),
    )
    return "".join(shapes)


@lru_cache(maxsize=512)
def planned(place: Place, theme: Theme) -> str:
    """The sign where it would stand."""
    tip, side = place.boom, place.boom_side
    return group(
        "ghost",
        tag(
            "path", d=arrow(tip, side), fill=theme.paper, stroke=theme.boom, stroke_width=2.2,
            stroke_dasharray="4 3", stroke_linejoin="round",
        ),
        text("BOOM", tip.x + side * 44, tip.y + 6, 14, theme.boom, font_family=DISPLAY),
    )  # fmt: skip


@lru_cache(maxsize=512)
def bulb_ring(place: Place, radius: float, theme: Theme) -> str:
    """Where the sign may go: a ring of bulbs."""
    r = radius + 5.5
    count = round(2 * math.pi * r / 11)
    dots = "".join(f"M{number(p.x)} {number(p.y)}h0" for p in (on_circle(place.at, r, i / count) for i in range(count)))
    x, y = place.at
    ring = tag("circle", cx=x, cy=y, r=r, class_="ring", fill="none", stroke=theme.boom, stroke_width=1.8)
    return group(
        "glow bulb-ring",
        ring,
        tag("path", d=dots, stroke=theme.boom, stroke_width=7.2, stroke_linecap="round"),
        tag("path", d=dots, stroke=theme.bulb, stroke_width=4.6, stroke_linecap="round"),
    )
