"""Franchises: a colour and, for those who see colours alike, a shape per player."""

import math
from functools import lru_cache

from franchise.drawing.geometry import Point
from franchise.drawing.markup import Value, path, tag
from franchise.drawing.theme import SHAPES, Theme

# Corners on a circle of radius 1, sized so that all shapes look equally big.
CORNERS: dict[str, tuple[Point, ...]] = {
    "square": tuple(Point(x * 0.84, y * 0.84) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))),
    "triangle": tuple(Point(x, y) for x, y in ((0.0, -1.12), (1.1, 0.78), (-1.1, 0.78))),
    "diamond": tuple(Point(x, y) for x, y in ((0.0, -1.2), (1.02, 0.0), (0.0, 1.2), (-1.02, 0.0))),
    "star": tuple(
        Point(r * math.sin(i * math.pi / 5), 0.06 - r * math.cos(i * math.pi / 5))
        for i, r in enumerate((1.25, 0.6) * 5)
    ),
    "cross": tuple(
        Point(x * 0.95, y * 0.95)
        for x, y in (
            (-1, -0.6), (-0.6, -1), (0, -0.4), (0.6, -1), (1, -0.6), (0.4, 0),
            (1, 0.6), (0.6, 1), (0, 0.4), (-0.6, 1), (-1, 0.6), (-0.4, 0),
        )
    ),
}  # fmt: skip


def shape(name: str, at: Point, radius: float, **attributes: Value) -> str:
    """A shape around a point."""
    if name == "circle":
        return tag("circle", cx=at.x, cy=at.y, r=radius, **attributes)
    return tag("path", d=path((at.x + radius * x, at.y + radius * y) for x, y in CORNERS[name]), **attributes)


@lru_cache(maxsize=8192)  # a piece comes again wherever its place is drawn anew
def piece(colour: str, at: Point, radius: float, theme: Theme, class_: str = "piece", id: str | None = None) -> str:  # noqa: A002
    """A franchise of that colour."""
    look = theme.pieces[colour]
    return shape(
        SHAPES[colour], at, radius, id=id, class_=f"{class_} {colour}", data_colour=colour,
        fill=look.fill, stroke=look.edge, stroke_width=0.16 * radius, stroke_linejoin="round",
    )  # fmt: skip
