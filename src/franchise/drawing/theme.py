"""Colours, line styles and the shape of each player's pieces; a theme is a set of them."""

from dataclasses import dataclass

from franchise.facts import COLOURS

SHAPES = dict(zip(COLOURS, ("circle", "square", "triangle", "diamond", "pentagon"), strict=True))

# Common fonts; the widths of the names on the map are the same in all of them.
SANS = "'Gill Sans','Trebuchet MS','Avenir Next','Liberation Sans','DejaVu Sans',Arial,sans-serif"
DISPLAY = f"Righteous,{SANS}"  # of prices, values and signs
NONE = "none"  # instead of a colour: not drawn in this theme


@dataclass(frozen=True)
class Piece:
    """The colours of a player's pieces."""

    fill: str
    edge: str
    ink: str  # text on the fill


@dataclass(frozen=True)
class Road:
    """How the links of one price are drawn: prices differ in colour, pattern and width."""

    colour: str
    width: float
    dashes: str  # "" is unbroken
    stripe: bool = False  # a light line in the middle
    ties: bool = False  # short strokes across, as on a railway


@dataclass(frozen=True)
class Tint:
    """The colours of a region's land, the drawings on it and, stronger, its plate."""

    land: str
    strong: str
    scenery: str
    snow: str  # the light parts of the scenery
    ring: str  # the completed part of a region, on its plate


@dataclass(frozen=True, eq=False, kw_only=True)  # one object per theme: quick to look up
class Theme:
    """All colours. What has none is not drawn."""

    name: str
    water: str
    shore: str  # the sea along the coast
    wave: str
    cliff: str  # the shadow of the land on the sea
    coast: str  # the line between land and sea
    neon: str = NONE  # light around the coast
    stars: str = NONE  # at night
    ship: str = NONE
    sail: str = NONE
    shadow: str = NONE  # of everything on the board
    shine: str = NONE  # on enamel
    paper: str  # plates, tiles, panels
    ink: str
    faint: str  # lesser text on paper
    line: str  # thin lines on paper
    rule: str  # outlines and posts
    border: str  # between regions
    state: str  # between states
    halftone: str = NONE
    halo: str  # behind names on the map
    space: str  # an empty space of a city
    space_line: str  # between two spaces
    first_space: str
    rim: str  # around a location
    hub: str  # the centre of a city
    hub_ink: str
    closed: str  # a scored city
    closed_rim: str
    idle: str  # out of play
    idle_ink: str
    wood: str  # the sign on land out of play
    wood_ink: str
    red_zone: str
    red_space: str  # an empty space of the red zone
    gain: str  # what a move would gain
    grow: str  # around what can grow
    grow_ink: str
    boom: str
    boom_ink: str
    bulb: str
    active: str  # around the player whose turn it is
    glow: str  # around what can be chosen
    glow_ink: str  # on it: a price under the pointer
    glow_soft: str  # along the links that lead there
    shield: str  # the price of what can be chosen
    shield_ink: str
    shield_edge: str
    callout: str  # what a choice would do
    callout_ink: str
    star: str  # the compass on the sea
    plate_ink: str  # on a region's strong colour
    regions: dict[str, Tint]
    pieces: dict[str, Piece]
    roads: dict[int, Road]


def blend(colour: str, other: str, share: float) -> str:
    """A colour with that share of `other` mixed in."""
    pairs = ((int(colour[i : i + 2], 16), int(other[i : i + 2], 16)) for i in (1, 3, 5))
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


REGION_HUES = {  # land and plate of each region by day
    "California": ("#f2bfa6", "#9c4632"),
    "Grand Canyon": ("#f5d58c", "#8a5c0c"),
    "Upper West": ("#aed6b4", "#1f6b4f"),
    "Montana": ("#e6d4a9", "#75572a"),
    "Great Lakes": ("#d2c6e6", "#644d94"),
    "New York": ("#bac8ea", "#3c4f9c"),
    "Washington": ("#ebe5a2", "#666012"),
    "Florida": ("#f5b9c4", "#a63a5c"),
    "Central": ("#f6c499", "#a84d1b"),
    "Texas": ("#c2d996", "#4a6b1e"),
}

NIGHT = "#121735"


def day_tint(land: str, strong: str) -> Tint:
    return Tint(land, strong, blend(land, strong, 0.34), blend(land, "#ffffff", 0.55), strong)


def night_tint(strong: str) -> Tint:
    land = blend(blend(strong, "#4a2fa0", 0.18), NIGHT, 0.5)
    light = "#ffffff"
    return Tint(land, blend(strong, NIGHT, 0.1), blend(land, light, 0.13), blend(land, light, 0.3), light)


def plain_tint(land: str, strong: str) -> Tint:
    """Land without drawings on it."""
    return Tint(land, strong, NONE, NONE, "#000000")


REGIONS = {name: day_tint(*hues) for name, hues in REGION_HUES.items()}

PATTERNS: dict[int, tuple[float, str, bool, bool]] = {  # width, dashes, stripe, ties by price
    0: (3.0, "0.1 5.6", False, False),
    1: (1.9, "", False, False),
    3: (2.5, "8.5 4.2", False, False),
    5: (1.6, "", False, True),
    8: (5.0, "", True, False),
}


def roads(*colours: str) -> dict[int, Road]:
    """The five prices in these colours."""
    return {price: Road(colour, *PATTERNS[price]) for price, colour in zip(PATTERNS, colours, strict=True)}


CLASSIC = Theme(
    name="classic",
    water="#a5d5d1",
    shore="#93c9c5",
    wave="#83bdb9",
    cliff="#5f9f9c",
    coast="#447375",
    ship="#5f9f9c",
    sail="#fffaf0",
    shadow="#000000",
    shine="#ffffff",
    paper="#fffdf6",
    ink="#22262b",
    faint="#5d564a",
    line="#cdbd9e",
    rule="#8d8271",
    border="#fffaf0",
    state="#857f70",
    halftone="#7a4a10",
    halo="#fffaf0",
    space="#fffdf6",
    space_line="#b9ab90",
    first_space="#ffe6a6",
    rim="#2b2f36",
    hub="#24424f",
    hub_ink="#ffffff",
    closed="#c2bcb0",
    closed_rim="#8c8475",
    idle="#e2d8c5",
    idle_ink="#5b5446",
    wood="#7a5a36",
    wood_ink="#fff6e0",
    red_zone="#b3241c",
    red_space="#f4dfd7",
    gain="#17673f",
    grow="#00756f",
    grow_ink="#ffffff",
    boom="#c2410c",
    boom_ink="#ffffff",
    bulb="#fff3c4",
    active="#12575c",
    glow="#d0007f",
    glow_ink="#ffffff",
    glow_soft="#ff6ec4",
    shield="#ffd23e",
    shield_ink="#2a1c00",
    shield_edge="#2a1c00",
    callout="#22262b",
    callout_ink="#ffffff",
    star="#fffaf0",
    plate_ink="#ffffff",
    regions=REGIONS,
    pieces={
        "blue": Piece("#1c5fc0", "#0a2450", "#ffffff"),
        "red": Piece("#cf2e2a", "#560d0b", "#ffffff"),
        "orange": Piece("#f59a18", "#5e3400", "#2a1800"),
        "black": Piece("#26262c", "#000000", "#ffffff"),
        "beige": Piece("#fff1cf", "#5a4521", "#33270d"),
    },
    roads=roads("#2c7a58", "#3b6788", "#86650f", "#a8481c", "#7a2352"),
)

DARK = Theme(
    name="dark",
    water="#0a0e24",
    shore="#0d1330",
    wave="#16204a",
    cliff=NONE,
    coast="#35d6ff",
    neon="#2f7fe0",
    stars="#ffffff",
    ship="#2a3f8f",
    sail="#4e63b8",
    shadow="#000000",
    shine="#ffffff",
    paper="#151a38",
    ink="#f6efdf",
    faint="#b9b6c9",
    line="#2d3564",
    rule="#666d9c",
    border="#0a0e24",
    state="#6f7396",
    halftone="#ffffff",
    halo="#0d1230",
    space="#232a52",
    space_line="#5a639a",
    first_space="#4b4a3a",
    rim="#aab3e6",
    hub="#ffe9a8",
    hub_ink="#1c1600",
    closed="#3b3e55",
    closed_rim="#7f83a3",
    idle="#1b1f3c",
    idle_ink="#a9acc6",
    wood="#5a4126",
    wood_ink="#ffefcd",
    red_zone="#ff5c7a",
    red_space="#362341",
    gain="#5fe39a",
    grow="#2ce0c8",
    grow_ink="#03211d",
    boom="#ffb020",
    boom_ink="#2a1400",
    bulb="#fff3c4",
    active="#2ce0c8",
    glow="#ff4fc3",
    glow_ink="#23030b",
    glow_soft="#ff8fe0",
    shield="#1a0f2e",
    shield_ink="#ffe14d",
    shield_edge="#ffe14d",
    callout="#05070f",
    callout_ink="#ffffff",
    star="#35d6ff",
    plate_ink="#ffffff",
    regions={name: night_tint(strong) for name, (_, strong) in REGION_HUES.items()},
    pieces={
        "blue": Piece("#3d8bf0", "#e2eeff", "#04142b"),
        "red": Piece("#ec3b3b", "#ffe3df", "#1d0202"),
        "orange": Piece("#ffa62b", "#fff0d6", "#2a1800"),
        "black": Piece("#07070a", "#f1eee6", "#ffffff"),
        "beige": Piece("#fff1cf", "#ffffff", "#33270d"),
    },
    roads=roads("#45d39c", "#6bb6f5", "#e2bf4a", "#ff8d54", "#f27bb4"),
)

# High contrast: text at least 7 to 1, links and pieces at least 4.5 to 1 against their background.
HIGH_CONTRAST = Theme(
    name="high-contrast",
    water="#ffffff",
    shore="#f2f2f2",
    wave="#d9d9d9",
    cliff="#a9a9a9",
    coast="#000000",
    paper="#ffffff",
    ink="#000000",
    faint="#262626",
    line="#6d6d6d",
    rule="#4d4d4d",
    border="#000000",
    state="#4d4d4d",
    halo="#ffffff",
    space="#ffffff",
    space_line="#4d4d4d",
    first_space="#fff0a8",
    rim="#000000",
    hub="#000000",
    hub_ink="#ffffff",
    closed="#c9c9c9",
    closed_rim="#4d4d4d",
    idle="#dcdcdc",
    idle_ink="#3d3d3d",
    wood="#3d3d3d",
    wood_ink="#ffffff",
    red_zone="#a30000",
    red_space="#ffffff",
    gain="#00512c",
    grow="#00544f",
    grow_ink="#ffffff",
    boom="#a30000",
    boom_ink="#ffffff",
    bulb="#ffffff",
    active="#000000",
    glow="#a80066",
    glow_ink="#ffffff",
    glow_soft="#ff6ec4",
    shield="#ffff00",
    shield_ink="#000000",
    shield_edge="#000000",
    callout="#000000",
    callout_ink="#ffffff",
    star="#8c8c8c",
    plate_ink="#ffffff",
    regions={
        name: plain_tint(blend(land, "#ffffff", 0.6), blend(strong, "#000000", 0.42))
        for name, (land, strong) in REGION_HUES.items()
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

# For white paper and black ink: small filled areas; greys and shapes distinguish players, patterns the prices.
PRINT = Theme(
    name="print",
    water="#ffffff",
    shore="#ffffff",
    wave="#d4d4d4",
    cliff="#d4d4d4",
    coast="#4a4a4a",
    paper="#ffffff",
    ink="#000000",
    faint="#4a4a4a",
    line="#a0a0a0",
    rule="#777777",
    border="#8c8c8c",
    state="#c4c4c4",
    halo="#ffffff",
    space="#ffffff",
    space_line="#777777",
    first_space="#ededed",
    rim="#000000",
    hub="#4a4a4a",
    hub_ink="#ffffff",
    closed="#d6d6d6",
    closed_rim="#777777",
    idle="#f0f0f0",
    idle_ink="#666666",
    wood="#ffffff",
    wood_ink="#000000",
    red_zone="#1a1a1a",
    red_space="#ffffff",
    gain="#1a1a1a",
    grow="#4a4a4a",
    grow_ink="#ffffff",
    boom="#000000",
    boom_ink="#ffffff",
    bulb="#ffffff",
    active="#000000",
    glow="#000000",
    glow_ink="#ffffff",
    glow_soft="#c4c4c4",
    shield="#ffffff",
    shield_ink="#000000",
    shield_edge="#000000",
    callout="#000000",
    callout_ink="#ffffff",
    star="#c4c4c4",
    plate_ink="#000000",
    regions=dict.fromkeys(REGION_HUES, plain_tint("#ffffff", "#d6d6d6")),
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
