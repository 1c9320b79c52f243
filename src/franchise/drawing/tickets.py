"""Tickets: what growing in a city costs and what it would score now. Round ends, unlike the price of a road."""

from functools import lru_cache

from franchise.drawing.geometry import Box, Point
from franchise.drawing.markup import group, number, shadow, tag, text
from franchise.drawing.theme import DISPLAY, Theme

HEIGHT, HALF = 22.0, 28.0
TYPE = 14.0


@lru_cache(maxsize=2048)
def ticket(price: str, gain: str, at: Point, theme: Theme) -> str:
    """Price, or ✓ once chosen, and the gain if there is one."""
    left = max(HALF, 10.0 + 8.5 * len(price))
    right = max(HALF, 10.0 + 8.5 * len(gain)) if gain else 0.0
    box = Box.around(at, left + right, HEIGHT)
    r = HEIGHT / 2
    ends = (
        f"M{number(box.x + r)} {number(box.y)}H{number(box.x + left)}v{number(HEIGHT)}H{number(box.x + r)}"
        f"a{number(r)} {number(r)} 0 0 1 0 -{number(HEIGHT)}Z"
    )
    whole = {"x": box.x, "y": box.y, "width": box.width, "height": box.height, "rx": r}
    line = at.y + TYPE * 0.36
    return group(
        "ticket",
        shadow(box, r, theme, 2.0),
        tag("rect", **whole, fill=theme.paper if gain else theme.grow, stroke=theme.grow, stroke_width=2.0),
        tag("path", d=ends, fill=theme.grow) if gain else "",
        text(price, box.x + left / 2 + (1 if gain else 0), line, TYPE, theme.grow_ink, font_family=DISPLAY),
        text(gain, box.right - right / 2 - 1.5, line, TYPE, theme.gain, font_family=DISPLAY) if gain else "",
    )
