"""The links in the line styles of their prices."""

from functools import lru_cache

from franchise.drawing.cuts import Cut
from franchise.drawing.geometry import Curve, Point
from franchise.drawing.markup import content, group, number, tag
from franchise.drawing.style import Style
from franchise.drawing.theme import Road, Theme

TIES = (6.4, "1.7 6.2")  # width and dashes of the strokes across
STRIPE = 0.38  # width of the light line in the middle, relative to the road


def curve_path(start: Point, first: Point, second: Point, end: Point) -> str:
    """The `d` of a curve."""
    begin, *rest = (f"{number(round(p.x, 1))} {number(round(p.y, 1))}" for p in (start, first, second, end))
    return f"M{begin}C{' '.join(rest)}"


def link_path(curve: Curve) -> str:
    """The `d` of a link."""
    return curve_path(*curve.corners)


def stroke(d: str, road: Road, theme: Theme) -> str:
    """A line in the style of its price: dots, a thin line, dashes, a line with ties, a double line."""
    line = tag(
        "path", d=d, stroke=road.colour, stroke_width=road.width, stroke_dasharray=road.dashes or None,
        stroke_linecap="round" if road.dashes.startswith("0") else None, fill="none",
    )  # fmt: skip
    if road.ties:
        width, dashes = TIES
        line += tag("path", d=d, stroke=road.colour, stroke_width=width, stroke_dasharray=dashes, fill="none")
    if road.stripe:
        line += tag("path", d=d, stroke=theme.halo, stroke_width=road.width * STRIPE, fill="none")
    return line


def cased(d: str, road: Road, theme: Theme) -> str:
    """The line with a light edge, so that crossings can be followed."""
    width = road.width + (4.4 if road.ties else 2.4)
    return tag("path", d=d, stroke=theme.halo, stroke_width=width, fill="none", opacity=0.6) + stroke(d, road, theme)


@lru_cache(maxsize=64)
def links(cut: Cut, style: Style) -> str:
    """All links between places in play, the expensive ones below."""
    drawn = []
    for curve in sorted(cut.links, key=lambda curve: -curve.price):
        a, b = curve.ends
        drawn.append(
            group(
                "link",
                tag("title", content(style.words["link"].format(a=a, b=b, price=curve.price))),
                cased(link_path(curve), style.theme.roads[curve.price], style.theme),
                data_from=a,
                data_to=b,
                data_price=curve.price,
            )
        )
    return group("links", *drawn, aria_hidden="true")
