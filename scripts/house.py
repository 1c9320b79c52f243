"""The pictures of the architecture: the house whose rooms import only downwards, and the way of a move through it."""

import tomllib
from pathlib import Path

from franchise.drawing.markup import group, number, path, tag, text
from franchise.drawing.theme import CLASSIC, SANS

ROOT = Path(__file__).parents[1]
THEME = CLASSIC
TINTS = list(THEME.regions.values())

ROOMS = {  # what is in each, in a few words
    "cli": "the franchise command",
    "terminal": "the table in the terminal",
    "web": "pages, templates, languages",
    "server": "tables, seats, moves, clocks, accounts, JSON API",
    "arena": "many games at once, ratings, reports, statistics",
    "envs": "PettingZoo, Gymnasium, OpenSpiel, batches",
    "bots": "one protocol, four levels, programs as bots",
    "drawing": "the board as SVG, pixels and film",
    "record": "the text record of a game",
    "game": "Game: play, undo, copy, view, result",
    "engine": "the compiled rules; everything else is thin over them",
    "facts": "the board and the tiles as data",
}
STEPS = (  # where a move goes: the storey, and what it meets there
    ("browser", "a tap"),
    ("web", "tables.py"),
    ("server", "tables.py"),
    ("game", "Game.play"),
    ("engine", "rules.py"),
    ("server", "ledger.py"),
    ("server", "bus.py"),
    ("web", "parts.html"),
    ("browser", "all who follow"),
)


def rooms() -> list[str]:
    """The rooms from the roof down, as import-linter has them."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    layers = settings["tool"]["importlinter"]["contracts"][0]["layers"]
    return [layer.strip("()") for layer in layers]


def picture(width: float, height: float, label: str, *parts: str) -> str:
    ground = tag("rect", width=width, height=height, rx=14.0, fill=THEME.water)
    drawn = tag(
        "svg", ground, *parts, xmlns="http://www.w3.org/2000/svg", viewBox=f"0 0 {number(width)} {number(height)}",
        font_family=SANS, role="img", aria_label=label,
    )  # fmt: skip
    return drawn + "\n"


def house() -> str:
    """One storey for each room; the roof is the command line, the cellar the facts."""
    names = rooms()
    width, storey, left, top = 760.0, 46.0, 70.0, 96.0
    inner = width - 2 * left
    roof = path([(left - 34, top), (width / 2, 22), (width - left + 34, top)])
    parts = [
        tag("path", d=roof, fill=THEME.red_zone, stroke=THEME.ink, stroke_width=2.0, stroke_linejoin="round"),
        text("FRANCHISE", width / 2, 80, 24, "#ffffff", font_weight="bold", letter_spacing=5.0),
    ]
    for i, name in enumerate(names):
        y, tint = top + i * storey, TINTS[i % len(TINTS)]
        parts.append(
            group(
                "room",
                tag(
                    "rect", x=left, y=y, width=inner, height=storey, fill=tint.land, stroke=THEME.ink, stroke_width=1.4
                ),
                tag(
                    "rect",
                    x=left,
                    y=y,
                    width=120.0,
                    height=storey,
                    fill=tint.strong,
                    stroke=THEME.ink,
                    stroke_width=1.4,
                ),
                text(name, left + 60, y + 29, 17, THEME.plate_ink, font_weight="bold", stroke="none"),
                text(ROOMS[name], left + 136, y + 28.5, 15, THEME.ink, text_anchor="start", stroke="none"),
                stroke=THEME.ink,
                stroke_width=1.4,
                data_room=name,
            )
        )
    bottom = top + len(names) * storey
    ground = tag("path", d=f"M20 {number(bottom)}h{number(width - 40)}", stroke=THEME.ink, stroke_width=5.0)
    x = width - left + 26
    arrow = tag("path", d=f"M{number(x)} {number(top + 14)}V{number(bottom - 22)}", stroke=THEME.ink, stroke_width=2.4)
    head = tag("path", d=path([(x - 8, bottom - 24), (x, bottom - 8), (x + 8, bottom - 24)]), fill=THEME.ink)
    y = (top + bottom) / 2
    said = text(
        "imports only downwards", x + 20, y, 14, THEME.ink, transform=f"rotate(90 {number(x + 20)} {number(y)})"
    )
    return picture(width, bottom + 22, "The rooms of the house", *parts, ground, arrow, head, said)


def way() -> str:
    """The steps of a move, each at the height of its room."""
    heights = {"browser": 62.0, "web": 142.0, "server": 222.0, "game": 302.0, "engine": 382.0}
    width, step, left = 1060.0, 104.0, 110.0
    lanes = [
        tag(
            "path",
            d=f"M20 {number(y)}H{number(width - 20)}",
            stroke=THEME.line,
            stroke_width=1.0,
            stroke_dasharray="3 5",
        )
        + text(name, 24, y - 8, 15, THEME.ink, font_weight="bold", text_anchor="start")
        for name, y in heights.items()
    ]
    points = [(left + 10 + i * step, heights[room]) for i, (room, _) in enumerate(STEPS)]
    line = tag(
        "path", d=path(points, closed=False), fill="none", stroke=THEME.red_zone, stroke_width=4.0,
        stroke_linejoin="round",
    )  # fmt: skip
    stops = [
        tag("circle", cx=x, cy=y, r=17.0, fill=THEME.paper, stroke=THEME.red_zone, stroke_width=3.0)
        + text(str(i), x, y + 6, 17, THEME.ink, font_weight="bold")
        + text(met, x + 24, y - 12, 14, THEME.ink, text_anchor="start")
        for i, ((x, y), (_, met)) in enumerate(zip(points, STEPS, strict=True), start=1)
    ]
    return picture(width, 430.0, "The way of a move through the rooms", *lanes, line, *stops)
