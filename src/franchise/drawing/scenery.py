"""Small drawings on land and sea, in tints that never distract from the game."""

from collections.abc import Iterator

from franchise.drawing.cuts import Cut
from franchise.drawing.geometry import Point, on_circle
from franchise.drawing.markup import group, number, path, tag
from franchise.drawing.theme import NONE, Theme

# Each drawing in units of its own around 0 0: dark shapes, light shapes, lines and how wide they are.
Drawing = tuple[str, str, str, float]
PEAK: Drawing = (
    "M-22 10L-8 -12 0 -2 9 -18 26 10Z",
    "M-8 -12L-3.6 -6.4-6.4 -4-9.4 -7-12.6 -4.4ZM9 -18L15 -8 11 -9.4 8.4 -5.6 5.6 -9.4 3.4 -6.6Z",
    "",
    0,
)
PINE: Drawing = ("M0 -16L6 -6H3L8 2H4L10 10H-10L-4 2H-8L-3 -6H-6ZM-1.4 10h2.8v4h-2.8z", "", "", 0)
CACTUS: Drawing = ("", "", "M0 12V-14M0 3H-8V-5M0 -1H8V-9", 4.6)
PALM: Drawing = (
    "",
    "",
    "M0 14Q3 2 1 -8M1 -8Q-6 -14-12 -7M1 -8Q8 -15 13 -7M1 -8Q-3 -18-9 -16M1 -8Q4 -18 10 -16",
    3.0,
)
DERRICK: Drawing = (
    "",
    "",
    "M-8 14L-2 -14H2L8 14ZM-6.6 7H6.6M-4.8 0H4.8M-3.4 -7H3.4M-6.6 7L4.8 0-3.4 -7M6.6 7L-4.8 0 3.4 -7",
    2.2,
)
WHEAT: Drawing = (
    "",
    "",
    "M-9 12L-12 -8M-11 -3l-4.6 -2.6M-11 -3l3.2 -4M-10.4 2l-4.6 -2.6M-10.4 2l3.2 -4"
    "M0 12V-13M0 -4l-4 -4M0 -4l4 -4M0 1l-4 -4M0 1l4 -4"
    "M9 12L12 -8M11 -3l4.6 -2.6M11 -3l-3.2 -4M10.4 2l4.6 -2.6M10.4 2l-3.2 -4",
    2.2,
)
BARN: Drawing = (
    "M-11 12V0L-7 -8 0 -12 7 -8 11 0V12ZM13 12V-6Q13 -11 17 -11Q21 -11 21 -6V12Z",
    "M-4 12V3H4V12ZM-2 -6H2V-2H-2Z",
    "",
    0,
)
BOAT: Drawing = ("M-14 6H14L9 12H-9Z", "M1 -16V4H13Q10 -9 1 -16ZM-1 -12V4H-10Q-8 -6-1 -12Z", "", 0)
WHALE: Drawing = (
    "M-20 4Q-18 -8-4 -8Q10 -8 14 2Q18 2 19 -6Q22 -2 26 -6Q25 6 16 8Q6 12-8 11Q-18 10-20 4Z",
    "",
    "M-9 -11Q-10 -18-15 -17M-8 -11Q-8 -18-3 -18",
    2.0,
)

# Where they are, in units of the map, and how large.
ON_LAND: dict[str, tuple[tuple[Drawing, float, float, float], ...]] = {
    "California": ((PALM, 60, 322, 0.6), (PINE, 42, 216, 0.6)),
    "Grand Canyon": (
        (PEAK, 262, 288, 0.95), (PEAK, 292, 262, 0.6), (PEAK, 180, 282, 0.55), (CACTUS, 250, 432, 0.75),
        (CACTUS, 168, 378, 0.6), (CACTUS, 265, 408, 0.5),
    ),
    "Upper West": (
        (PEAK, 218, 132, 0.7), (PINE, 137, 128, 0.8), (PINE, 122, 150, 0.65), (PINE, 150, 103, 0.6),
        (PINE, 60, 168, 0.7), (PINE, 78, 178, 0.55),
    ),
    "Montana": ((PEAK, 380, 128, 0.7),),
    "Great Lakes": ((BARN, 556, 232, 0.75), (PINE, 590, 148, 0.7), (PINE, 605, 160, 0.55), (PINE, 520, 102, 0.6)),
    "New York": ((PINE, 900, 130, 0.7), (PINE, 915, 120, 0.55), (PEAK, 842, 165, 0.5)),
    "Washington": ((PEAK, 752, 305, 0.5), (PEAK, 718, 338, 0.45)),
    "Florida": ((PALM, 806, 535, 0.8), (PALM, 794, 512, 0.6)),
    "Central": ((WHEAT, 405, 290, 0.7), (WHEAT, 470, 300, 0.6)),
    "Texas": ((DERRICK, 432, 500, 0.85), (DERRICK, 450, 512, 0.6), (DERRICK, 370, 452, 0.6)),
}  # fmt: skip
AT_SEA = ((BOAT, -28.0, 322.0, 0.9), (WHALE, 962.0, 300.0, 0.95), (BOAT, 700.0, 575.0, 0.7))
COMPASS = Point(985.0, 60.0)


def stood(cut: Cut, drawing: Drawing, at: Point, size: float, dark: str, light: str) -> Iterator[str]:
    """A drawing at its place."""
    shapes, bright, lines, width = drawing
    x, y = cut.point(at)
    put = {"transform": f"translate({number(round(x, 1))} {number(round(y, 1))}) scale({number(size * cut.scale)})"}
    if shapes:
        yield tag("path", d=shapes, fill=dark, **put)
    if bright:
        yield tag("path", d=bright, fill=light, **put)
    if lines:
        yield tag(
            "path", d=lines, fill="none", stroke=dark, stroke_width=width, stroke_linecap="round",
            stroke_linejoin="round", **put,
        )  # fmt: skip


def scenery(cut: Cut, theme: Theme, blocked: frozenset[str]) -> str:
    """Peaks, pines, cacti, derricks, palms, wheat and a barn, where the land is in play."""
    drawn = [
        part
        for region, drawings in ON_LAND.items()
        if region not in blocked and theme.regions[region].scenery != NONE
        for drawing, x, y, size in drawings
        for part in stood(
            cut, drawing, Point(x, y), size, theme.regions[region].scenery, theme.regions[region].snow
        )
    ]  # fmt: skip
    return group("scenery", *drawn) if drawn else ""


def ships(cut: Cut, theme: Theme) -> str:
    """Boats and a whale, where nothing covers them."""
    if theme.ship == NONE:
        return ""
    signs = (*cut.plates.values(), cut.track, cut.legend)
    drawn = [
        part
        for drawing, x, y, size in AT_SEA
        if cut.size.distance(cut.point(Point(x, y))) == 0
        and all(sign.distance(cut.point(Point(x, y))) > 24 * cut.scale for sign in signs)
        for part in stood(cut, drawing, Point(x, y), size, theme.ship, theme.sail)
    ]
    return group("ships", *drawn)


def compass(cut: Cut, theme: Theme) -> str:
    """A space-age starburst on the Atlantic, its longest ray pointing north."""
    at, size = cut.point(COMPASS), 0.95 * cut.scale
    rays = "".join(
        path(
            (
                on_circle(at, size * (36 if i == 0 else 27 if i % 4 == 0 else 19 if i % 2 == 0 else 11), i / 16),
                on_circle(at, 3 * size, i / 16 + 0.06),
                on_circle(at, 3 * size, i / 16 - 0.06),
            )
        )
        for i in range(16)
    )
    return tag("path", d=rays, class_="compass", fill=theme.star, opacity=0.75)
