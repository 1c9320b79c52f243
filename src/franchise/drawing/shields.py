"""Road shields: the price of a place that can be reached."""

from functools import lru_cache

from franchise.drawing.geometry import Point
from franchise.drawing.markup import group, number, tag, text
from franchise.drawing.theme import DISPLAY, Theme

TYPE = 14.0


def outline(width: float) -> str:
    """The `d` of a shield around 0 0, drawn for two characters at width 1."""
    a, b, c, d = (number(side * width) for side in (13.5, 7.0, 17.4, 11.6))
    return (
        f"M-{a} -11.5Q-{b} -8.4 0 -12.4Q{b} -8.4 {a} -11.5Q{c} -1 {d} 7.2Q{b} 12.4 0 14.4"
        f"Q-{b} 12.4-{d} 7.2Q-{c} -1-{a} -11.5Z"
    )


@lru_cache(maxsize=2048)
def shield(price: str, at: Point, theme: Theme) -> str:
    """A price; the style sheet makes it larger under the pointer."""
    d = outline(1.0 if len(price) < 3 else 1.16 + 0.22 * (len(price) - 3))
    return tag(
        "g",
        group(
            "shield",
            tag("path", d=d, fill=theme.shadow, opacity=0.3, transform="translate(.8 2.2)"),
            tag(
                "path", d=d, class_="face", fill=theme.shield, stroke=theme.shield_edge, stroke_width=1.9,
                stroke_linejoin="round",
            ),
            text(price, 0, 5.4, TYPE, theme.shield_ink, font_family=DISPLAY),
        ),
        transform=f"translate({number(at.x)} {number(at.y)})",
    )  # fmt: skip
