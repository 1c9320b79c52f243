"""Round signs for the special region tiles: what a region pays besides influence."""

from franchise.drawing.geometry import Point
from franchise.drawing.markup import group, number, tag, text
from franchise.drawing.theme import DISPLAY, NONE, Theme

FILLED = {"bonus": "M0 -7L2.1 -2.4 7 -1.9 3.4 1.5 4.4 6.4 0 3.9-4.4 6.4-3.4 1.5-7 -1.9-2.1 -2.4Z"}
LINES = {
    "count": "M-6.4 -4.4V4.4M-2.4 -4.4V4.4M2.4 -1H7.4M4.9 -3.6V1.6M2.4 5H7.4",
    "expansion": "M-6 4.6Q-2 -6.4 5.4 -2.6M5.8 -7V-2.2H1M-6.4 5h.8",
    "road": "M-6.6 7L-2.2 -7M6.6 7L2.2 -7M0 -6.4V-3M0 -.6V2M0 4.4V7",
}
RADIUS = 12.0  # the size the drawings are made for


def tile_sign(kind: str, at: Point, radius: float, theme: Theme) -> str:
    """The sign of a kind of region tile: dollars, bonus, count, expansion or road."""
    ink, (x, y) = theme.shield_ink, at
    parts = []
    if theme.shadow != NONE:
        parts.append(tag("circle", cx=x, cy=y + 1.6, r=radius, fill=theme.shadow, opacity=0.25))
    parts.append(tag("circle", cx=x, cy=y, r=radius, fill=theme.shield, stroke=theme.shield_edge, stroke_width=1.8))
    put = f"translate({number(x)} {number(y)}) scale({number(radius / RADIUS)})"
    if kind == "dollars":
        parts.append(text("$", x, y + 5.6 * radius / RADIUS, 16 * radius / RADIUS, ink, font_family=DISPLAY))
    elif kind in FILLED:
        parts.append(tag("path", d=FILLED[kind], fill=ink, transform=put))
    else:
        parts.append(
            tag(
                "path", d=LINES[kind], fill="none", stroke=ink, stroke_width=2.0, stroke_linecap="round",
                stroke_linejoin="round", transform=put,
            )
        )  # fmt: skip
    return group("sign", *parts)
