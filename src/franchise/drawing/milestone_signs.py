"""Pictograms of the seven milestones, 40 by 30."""

from collections.abc import Callable
from functools import lru_cache

from franchise.drawing.geometry import Point
from franchise.drawing.links import stroke
from franchise.drawing.markup import number, tag, text
from franchise.drawing.shields import shield
from franchise.drawing.theme import DISPLAY, Theme

WIDTH, HEIGHT = 40.0, 30.0


def spot(x: float, y: float, fill: str, rim: str, dot: str) -> str:
    """A place with a dot in the middle."""
    return tag("circle", cx=x, cy=y, r=5, fill=fill, stroke=rim, stroke_width=1.8) + tag(
        "circle", cx=x, cy=y, r=2, fill=dot
    )


def hub(x: float, value: str, theme: Theme, radius: float = 7.0) -> str:
    return tag("circle", cx=x, cy=15, r=radius, fill=theme.hub) + text(
        value, x, 19.6, 13, theme.hub_ink, font_family=DISPLAY
    )


def towns(theme: Theme) -> str:
    corners = ((13, 8), (27, 8), (13, 22), (27, 22))
    return "".join(spot(x, y, theme.space, theme.rim, theme.rim) for x, y in corners)


def regions(theme: Theme) -> str:
    tiles = ((6.5, 2, "California"), (21.5, 2, "Upper West"), (6.5, 16.5, "Grand Canyon"), (21.5, 16.5, "New York"))
    return "".join(
        tag("rect", x=x, y=y, width=12, height=12, rx=2.5, fill=theme.regions[name].strong) for x, y, name in tiles
    )


def in_scored_cities(theme: Theme) -> str:
    five = ((9, 8), (20, 8), (31, 8), (14.5, 21), (25.5, 21))
    return "".join(spot(x, y, theme.closed, theme.closed_rim, theme.rim) for x, y in five)


def small_cities(theme: Theme) -> str:
    return "".join(hub(x, value, theme) for x, value in ((8, "2"), (20, "3"), (32, "4")))


def large_city(theme: Theme) -> str:
    disc = tag("circle", cx=20, cy=15, r=13.2, fill=theme.space, stroke=theme.rim, stroke_width=2)
    cuts = tag("path", d="M20 2V28M8.700 8.500L31.300 21.500M8.700 21.500L31.300 8.500", stroke=theme.space_line)
    return disc + cuts + hub(20, "6+", theme, 9.6)


def region(theme: Theme) -> str:
    strong = theme.regions["Central"].strong
    return (
        tag("rect", x=5, y=3, width=30, height=23, rx=4, fill=theme.space, stroke=strong, stroke_width=2)
        + tag("path", d="M5 11V7a4 4 0 0 1 4-4H31a4 4 0 0 1 4 4V11Z", fill=strong)
        + text("✓", 20, 23, 13, theme.ink, font_weight="bold")
    )


def dear_links(theme: Theme) -> str:
    return stroke(f"M3 6H{number(WIDTH - 3)}", theme.roads[8], theme) + shield("8", Point(20, 17), theme)


SIGNS: dict[str, Callable[[Theme], str]] = {
    "a": towns, "b": regions, "c": in_scored_cities, "d": small_cities, "e": large_city, "f": region, "g": dear_links,
}  # fmt: skip


@lru_cache(maxsize=32)
def milestone_sign(key: str, theme: Theme) -> str:
    """The pictogram of a milestone, for use beside its text."""
    return tag(
        "svg", SIGNS[key](theme), viewBox=f"0 0 {number(WIDTH)} {number(HEIGHT)}", aria_hidden="true",
        class_="milestone-sign",
    )  # fmt: skip
