"""The links in the line styles of their prices, and the legend that explains them."""

from functools import lru_cache

from franchise.drawing.geometry import GEOMETRY, Curve
from franchise.drawing.markup import content, group, number, sign, tag, text
from franchise.drawing.style import Style
from franchise.drawing.theme import Road, Theme
from franchise.facts import PRICES


def curve_path(curve: Curve) -> str:
    """The `d` of a link."""
    start, first, second, end = (
        f"{number(p.x)} {number(p.y)}" for p in (curve.start, curve.first, curve.second, curve.end)
    )
    return f"M{start}C{first} {second} {end}"


def stroke(d: str, road: Road, theme: Theme) -> str:
    """A line in the style of its price."""
    line = tag(
        "path", d=d, stroke=road.colour, stroke_width=road.width, stroke_dasharray=road.dashes or None,
        stroke_linecap="round" if road.dashes.startswith("0") else None, fill="none",
    )  # fmt: skip
    if not road.stripe:
        return line
    return line + tag("path", d=d, stroke=theme.halo, stroke_width=road.width * 0.3, fill="none")


@lru_cache(maxsize=64)
def links(style: Style, blocked: frozenset[str]) -> str:
    """All links, the dear ones below, each with a light edge so that crossings can be followed.

    Links to a blocked location fade: nobody can use them.
    """
    theme, drawn = style.theme, []
    for curve in sorted(GEOMETRY.links, key=lambda curve: -curve.price):
        road, d = theme.roads[curve.price], curve_path(curve)
        a, b = curve.ends
        idle = a in blocked or b in blocked
        drawn.append(
            group(
                "link blocked" if idle else "link",
                tag("title", content(style.words["link"].format(a=a, b=b, price=curve.price))),
                tag("path", d=d, stroke=theme.halo, stroke_width=road.width + 2.2, fill="none", opacity=0.72),
                stroke(d, road, theme),
                data_from=a,
                data_to=b,
                data_price=curve.price,
                opacity=0.3 if idle else None,
            )
        )
    return group("links", *drawn, aria_hidden="true")


@lru_cache(maxsize=64)
def legend(style: Style) -> str:
    """A road sign with one line per price."""
    box, theme = GEOMETRY.legend, style.theme
    step = (box.height - 30) / len(PRICES)
    rows = []
    for i, price in enumerate(PRICES):
        y = box.y + 30 + step * (i + 0.42)
        rows.append(
            group(
                "price",
                stroke(f"M{number(box.x + 12)} {number(y)}h{number(box.width - 52)}", theme.roads[price], theme),
                text(f"${price}", box.right - 12, y + 4.2, 12, theme.ink, font_weight="bold", text_anchor="end"),
                data_price=price,
            )
        )
    return group(
        "legend",
        sign(box, theme.paper, theme.line),
        text(style.words["links"], box.middle.x, box.y + 18.5, 11.5, theme.ink, font_weight="bold", letter_spacing=0.8),
        tag("path", d=f"M{number(box.x + 12)} {number(box.y + 25)}h{number(box.width - 24)}", stroke=theme.line),
        *rows,
    )
