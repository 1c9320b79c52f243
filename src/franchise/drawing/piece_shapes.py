"""Franchises: enamel signs, with a colour and, for colour-blind players, a shape per player."""

import math
from functools import lru_cache

from franchise.drawing.geometry import Point
from franchise.drawing.markup import Value, group, number, path, tag
from franchise.drawing.theme import NONE, SHAPES, Theme

# Corners on a circle of radius 1, sized so that all shapes look equally big.
CORNERS: dict[str, tuple[Point, ...]] = {
    "square": tuple(Point(x * 0.86, y * 0.86) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))),
    "triangle": tuple(Point(x, y) for x, y in ((0.0, -1.14), (1.1, 0.8), (-1.1, 0.8))),
    "diamond": tuple(Point(x, y) for x, y in ((0.0, -1.22), (1.04, 0.0), (0.0, 1.22), (-1.04, 0.0))),
    "pentagon": tuple(
        Point(1.1 * math.sin(i * 2 * math.pi / 5), 0.06 - 1.1 * math.cos(i * 2 * math.pi / 5)) for i in range(5)
    ),
}
SHINE = {"blue": 0.5, "red": 0.42, "orange": 0.55, "black": 0.4, "beige": 0.85}  # strength of the highlight


def shape(name: str, at: Point, radius: float, **attributes: Value) -> str:
    """A shape around a point."""
    if name == "circle":
        return tag("circle", cx=at.x, cy=at.y, r=radius, **attributes)
    return tag(
        "path", d=path((at.x + radius * x, at.y + radius * y) for x, y in CORNERS[name]), stroke_linejoin="round",
        **attributes,
    )  # fmt: skip


def light(name: str, at: Point, radius: float) -> str:
    """The `d` of the highlight on a shape."""

    def spot(x: float, y: float) -> str:
        return f"{number(at.x + radius * x)} {number(at.y + radius * y)}"

    if name == "circle":
        r = number(radius * 0.6)
        return f"M{spot(-0.56, -0.2)}A{r} {r} 0 0 1 {spot(0.1, -0.6)}"
    if name == "square":
        return f"M{spot(-0.5, -0.5)}L{spot(0.3, -0.5)}"
    return f"M{spot(-0.42, 0.02)}L{spot(-0.06, -0.54)}"


@lru_cache(maxsize=8192)  # the same piece is drawn whenever its place changes
def piece(
    colour: str,
    at: Point,
    radius: float,
    theme: Theme,
    class_: str = "piece",
    id: str | None = None,  # noqa: A002
    shadow: bool = True,
) -> str:
    """A franchise of that colour: flat enamel, an edge, a highlight, a short shadow."""
    look, name = theme.pieces[colour], SHAPES[colour]
    parts = []
    if shadow and theme.shadow != NONE:
        below = Point(at.x + radius * 0.06, at.y + radius * 0.26)
        parts.append(shape(name, below, radius, fill=theme.shadow, opacity=0.28))
    parts.append(shape(name, at, radius, fill=look.fill, stroke=look.edge, stroke_width=max(1.1, radius * 0.17)))
    if theme.shine != NONE:
        parts.append(
            tag(
                "path", d=light(name, at, radius), fill="none", stroke=theme.shine, stroke_opacity=SHINE[colour],
                stroke_width=radius * 0.2, stroke_linecap="round",
            )
        )  # fmt: skip
    return group(f"{class_} {colour}", *parts, id=id, data_colour=colour)


@lru_cache(maxsize=2048)
def ghost(colour: str, at: Point, radius: float, theme: Theme) -> str:
    """Where a franchise would stand."""
    fill = theme.pieces[colour].fill
    return shape(
        SHAPES[colour], at, radius, class_="ghost", fill=fill, fill_opacity=0.28, stroke=fill, stroke_width=1.8,
        stroke_dasharray="2.6 1.9",
    )  # fmt: skip


def hollow(colour: str, at: Point, radius: float, theme: Theme) -> str:
    """An expansion marker: the piece, hollow, on the space it will open."""
    look, name = theme.pieces[colour], SHAPES[colour]
    return shape(name, at, radius * 1.1, fill=look.edge) + shape(
        name, at, radius * 0.8, fill=theme.space, stroke=look.fill, stroke_width=radius * 0.44
    )
