"""Colours, line styles and the shape of each player's pieces; a theme is a set of them."""

from dataclasses import dataclass

from franchise.facts import COLOURS

SHAPES = dict(zip(COLOURS, ("circle", "square", "triangle", "diamond", "star"), strict=True))

# Fonts that machines have; the widths of the names on the map hold for any of them.
SANS = "'Gill Sans','Trebuchet MS','Avenir Next','Liberation Sans','DejaVu Sans',Arial,sans-serif"


@dataclass(frozen=True)
class Piece:
    """The colours of a player's pieces."""

    fill: str
    edge: str
    ink: str  # text on the fill


@dataclass(frozen=True)
class Road:
    """How the links of one price are drawn: told apart by colour, by pattern and by width."""

    colour: str
    width: float
    dashes: str  # "" is unbroken
    stripe: bool = False  # a light line in the middle


@dataclass(frozen=True)
class Tint:
    """A region's land and, stronger, its plate."""

    land: str
    strong: str


@dataclass(frozen=True, eq=False)  # one object per theme: quick to look up
class Theme:
    """Everything coloured."""

    name: str
    water: str
    shore: str  # lines on the water along the coast
    paper: str  # plates, tiles, panels
    ink: str
    faint: str  # lesser text on paper
    line: str  # thin lines and outlines
    border: str  # between regions
    halo: str  # behind names on the map
    space: str  # an empty space of a city
    first_space: str
    hub: str  # the centre of a city
    hub_ink: str
    closed: str  # a scored city
    idle: str  # out of play
    idle_ink: str
    red_zone: str
    boom: str
    boom_ink: str
    active: str  # around the player whose turn it is
    glow: str  # around what can be chosen
    badge: str  # the price of what can be chosen
    badge_ink: str
    star: str  # the compass on the sea
    plate_ink: str  # on a region's strong colour
    regions: dict[str, Tint]
    pieces: dict[str, Piece]
    roads: dict[int, Road]


def blend(colour: str, other: str, share: float) -> str:
    """So much of `other` mixed into a colour."""
    pairs = ((int(colour[i : i + 2], 16), int(other[i : i + 2], 16)) for i in (1, 3, 5))
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


REGIONS = {
    "California": Tint("#ecc3b2", "#9c4a38"),
    "Grand Canyon": Tint("#f6dfa4", "#8f6212"),
    "Upper West": Tint("#bddfc9", "#23705a"),
    "Montana": Tint("#eadabb", "#77592b"),
    "Great Lakes": Tint("#d8cee8", "#644d94"),
    "New York": Tint("#c5cdec", "#3f4e9a"),
    "Washington": Tint("#edeab0", "#676212"),
    "Florida": Tint("#f4c3c8", "#a63d5b"),
    "Central": Tint("#f6caa4", "#ad501c"),
    "Texas": Tint("#cbdda6", "#4b6d20"),
}

PIECES = {
    "blue": Piece("#1f63b5", "#0d2c57", "#ffffff"),
    "red": Piece("#d0312d", "#5c0f0d", "#ffffff"),
    "orange": Piece("#f39a1f", "#6b3c00", "#2a1800"),
    "black": Piece("#2b2a30", "#000000", "#ffffff"),
    "beige": Piece("#ecd9ae", "#6d5426", "#33270d"),
}

PATTERNS = {  # width, dashes, stripe by price
    0: (2.7, "0.1 4.4", False),
    1: (1.8, "", False),
    3: (2.3, "8 3", False),
    5: (2.7, "14 3 2.2 3", False),
    8: (4.2, "", True),
}


def roads(*colours: str) -> dict[int, Road]:
    """The five prices in these colours."""
    return {price: Road(colour, *PATTERNS[price]) for price, colour in zip(PATTERNS, colours, strict=True)}


CLASSIC = Theme(
    name="classic",
    water="#c6e3e0",
    shore="#a5d0cd",
    paper="#fffaf0",
    ink="#2d2a26",
    faint="#6b6255",
    line="#8d8271",
    border="#fffaf0",
    halo="#fffaf0",
    space="#fffdf7",
    first_space="#fbe7b4",
    hub="#33586b",
    hub_ink="#ffffff",
    closed="#b9b0a0",
    idle="#d6d2c8",
    idle_ink="#6f6a60",
    red_zone="#c23a30",
    boom="#c9271f",
    boom_ink="#ffffff",
    active="#33586b",
    glow="#d6008f",
    badge="#ffe066",
    badge_ink="#4a0031",
    star="#8fbfbc",
    plate_ink="#ffffff",
    regions=REGIONS,
    pieces=PIECES,
    roads=roads("#178a62", "#2d7fc1", "#97740c", "#d1581d", "#8c2150"),
)

NIGHT = "#1d2429"
DARK = Theme(
    name="dark",
    water="#10191f",
    shore="#1f3540",
    paper="#252d33",
    ink="#f1e9da",
    faint="#c2b9a8",
    line="#77716a",
    border="#10191f",
    halo="#161d22",
    space="#39434b",
    first_space="#4d5142",
    hub="#d9c48a",
    hub_ink="#1b1a17",
    closed="#59595a",
    idle="#23282c",
    idle_ink="#9a958c",
    red_zone="#ff9c92",
    boom="#ff6a5c",
    boom_ink="#2a0603",
    active="#f0d894",
    glow="#ffe14d",
    badge="#ffe14d",
    badge_ink="#2b2200",
    star="#2c4a57",
    plate_ink="#ffffff",
    regions={
        name: Tint(blend(tint.strong, NIGHT, 0.66), blend(tint.strong, NIGHT, 0.12)) for name, tint in REGIONS.items()
    },
    pieces={
        "blue": Piece("#3f8ce8", "#dbe9fb", "#07182c"),
        "red": Piece("#d93a31", "#ffe0dc", "#ffffff"),
        "orange": Piece("#f6a22c", "#fff0d6", "#2a1800"),
        "black": Piece("#0c0c0e", "#e9e6df", "#ffffff"),
        "beige": Piece("#ecd9ae", "#fffaf0", "#33270d"),
    },
    roads=roads("#3fc795", "#64b2f2", "#dcb53a", "#ff8a4c", "#ee6fa6"),
)

# For eyes that need it: every text at least 7 to 1, links and pieces at least 4.5 to 1 from what they lie on.
HIGH_CONTRAST = Theme(
    name="high-contrast",
    water="#ffffff",
    shore="#a9a9a9",
    paper="#ffffff",
    ink="#000000",
    faint="#262626",
    line="#4d4d4d",
    border="#000000",
    halo="#ffffff",
    space="#ffffff",
    first_space="#fff0a8",
    hub="#000000",
    hub_ink="#ffffff",
    closed="#c9c9c9",
    idle="#dcdcdc",
    idle_ink="#3d3d3d",
    red_zone="#a30000",
    boom="#a30000",
    boom_ink="#ffffff",
    active="#000000",
    glow="#b0006d",
    badge="#ffff00",
    badge_ink="#000000",
    star="#8c8c8c",
    plate_ink="#ffffff",
    regions={
        name: Tint(blend(tint.land, "#ffffff", 0.6), blend(tint.strong, "#000000", 0.42))
        for name, tint in REGIONS.items()
    },
    pieces={
        "blue": Piece("#004fc6", "#000000", "#ffffff"),
        "red": Piece("#b40000", "#000000", "#ffffff"),
        "orange": Piece("#ffa000", "#000000", "#000000"),
        "black": Piece("#000000", "#000000", "#ffffff"),
        "beige": Piece("#fff2c2", "#000000", "#000000"),
    },
    roads=roads("#00643f", "#0050a8", "#654a00", "#a13000", "#85004f"),
)

# On white paper in one ink: what is filled is small, greys and shapes tell players apart, patterns the prices.
PRINT = Theme(
    name="print",
    water="#ffffff",
    shore="#d4d4d4",
    paper="#ffffff",
    ink="#000000",
    faint="#4a4a4a",
    line="#777777",
    border="#8c8c8c",
    halo="#ffffff",
    space="#ffffff",
    first_space="#ededed",
    hub="#4a4a4a",
    hub_ink="#ffffff",
    closed="#d6d6d6",
    idle="#f0f0f0",
    idle_ink="#666666",
    red_zone="#1a1a1a",
    boom="#000000",
    boom_ink="#ffffff",
    active="#000000",
    glow="#000000",
    badge="#ffffff",
    badge_ink="#000000",
    star="#c4c4c4",
    plate_ink="#000000",
    regions=dict.fromkeys(REGIONS, Tint("#ffffff", "#d6d6d6")),
    pieces={
        "blue": Piece("#3c3c3c", "#000000", "#ffffff"),
        "red": Piece("#787878", "#000000", "#000000"),
        "orange": Piece("#b9b9b9", "#000000", "#000000"),
        "black": Piece("#000000", "#000000", "#ffffff"),
        "beige": Piece("#ffffff", "#000000", "#000000"),
    },
    roads=roads("#000000", "#3a3a3a", "#2b2b2b", "#1d1d1d", "#0e0e0e"),
)

THEMES = {theme.name: theme for theme in (CLASSIC, DARK, HIGH_CONTRAST, PRINT)}
