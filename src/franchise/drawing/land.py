"""The land: water, ten regions, the lines between them and between their states."""

from collections import Counter
from functools import cache, lru_cache

from franchise.drawing.geometry import GEOMETRY, Point, on_circle
from franchise.drawing.markup import group, path, slug, tag, text
from franchise.drawing.style import Style
from franchise.drawing.theme import Theme

COMPASS = Point(996.0, 196.0)


@cache
def outline(region: str) -> str:
    """The `d` of a region."""
    return "".join(path(GEOMETRY.ring(ring)) for ring in GEOMETRY.regions[region].rings)


@cache
def uses() -> dict[int, int]:
    """How many regions each arc borders: one along the coast and the frontier, two inland."""
    return Counter(max(arc, ~arc) for region in GEOMETRY.regions.values() for ring in region.rings for arc in ring)


def compass(theme: Theme) -> str:
    """A starburst of the space age on the Atlantic, its longest ray to the north."""
    rays = "".join(
        path(
            (
                on_circle(COMPASS, (34.0 if i == 0 else 26.0 if i % 4 == 0 else 18.0 if i % 2 == 0 else 11.0), i / 16),
                on_circle(COMPASS, 2.6, i / 16 + 0.06),
                on_circle(COMPASS, 2.6, i / 16 - 0.06),
            )
        )
        for i in range(16)
    )
    north = text("N", COMPASS.x, COMPASS.y - 38, 10, theme.star, font_weight="bold")
    return group("compass", tag("path", d=rays, fill=theme.star), north)


def neatline(theme: Theme) -> str:
    """The double frame of a road map, with a spark in each corner."""
    canvas = GEOMETRY.canvas
    frames = (
        tag(
            "rect", x=canvas.x + inset, y=canvas.y + inset, width=canvas.width - 2 * inset,
            height=canvas.height - 2 * inset, rx=7.0, fill="none", stroke=theme.star, stroke_width=width,
        )
        for inset, width in ((3.0, 1.6), (5.8, 0.6))
    )  # fmt: skip
    return group("neatline", *frames)


@lru_cache(maxsize=64)
def land(style: Style, blocked: frozenset[str]) -> str:
    """Water and land; regions out of play lose their colour."""
    theme, canvas = style.theme, GEOMETRY.canvas
    coast = "".join(path(GEOMETRY.arcs[arc], closed=False) for arc, count in uses().items() if count == 1)
    shores = (
        tag(
            "path",
            d=coast,
            fill="none",
            stroke=colour,
            stroke_width=width,
            stroke_linejoin="round",
            stroke_linecap="round",
        )
        for colour, width in ((theme.shore, 15.0), (theme.water, 13.2), (theme.shore, 6.0))
    )
    regions = (
        tag(
            "path",
            d=outline(region),
            fill=theme.idle if region in blocked else theme.regions[region].land,
            class_="region blocked" if region in blocked else "region",
            id=f"land-{slug(region)}",
            data_region=region,
        )
        for region in GEOMETRY.regions
    )
    states = "".join(path(GEOMETRY.arcs[arc], closed=False) for arc in GEOMETRY.state_lines)
    borders = "".join(path(GEOMETRY.arcs[arc], closed=False) for arc, count in uses().items() if count == 2)
    return group(
        "land",
        tag("rect", x=canvas.x, y=canvas.y, width=canvas.width, height=canvas.height, fill=theme.water, class_="water"),
        *shores,
        neatline(theme),
        compass(theme),
        *regions,
        tag("path", d=states, fill="none", stroke=theme.line, stroke_width=0.5, stroke_dasharray="2 2", opacity=0.55),
        tag("path", d=borders, fill="none", stroke=theme.border, stroke_width=2.2, stroke_linejoin="round"),
        aria_hidden="true",
    )
