"""The pictures of the architecture: the packages with their imports, and the path of a move. `make architecture`."""

import tomllib
from pathlib import Path

import grimp

from franchise.drawing.markup import group, number, path, tag, text
from franchise.drawing.theme import CLASSIC, SANS, Tint

ROOT = Path(__file__).parents[1]
THEME = CLASSIC
TINTS = list(THEME.regions.values())
WIDTH, STOREY, LEFT, TOP = 820.0, 48.0, 70.0, 96.0

CONTENTS = {  # what is in each, in a few words
    "cli": "the franchise command",
    "benchmarks": "speed, kill and attack tests",
    "terminal": "the table in the terminal",
    "web": "pages, templates, static files",
    "server": "stored tables and the JSON API",
    "training": "training of the bots' value network by self-play",
    "arena": "many games at once, ratings, reports, statistics",
    "envs": "PettingZoo, Gymnasium, OpenSpiel, batches",
    "wording": "languages, prompts, log, refusals, advice",
    "insight": "previews of moves, reviews of games",
    "bots": "one protocol, five levels, external programs",
    "drawing": "the board as SVG, pixels and film",
    "record": "the text record of a game",
    "game": "Game: play, undo, copy, view, result",
    "engine": "the compiled rules",
    "facts": "the board and the tiles as data",
    "extras": "lazy imports of optional libraries",
}
SERVER_CONTENTS = {
    "app": "the application and its start",
    "http": "routes of the API, schemas, middlewares, limits, metrics",
    "wiring": "the store, bus and jobs for a database",
    "notices": "turn notifications: mail, push, webhooks",
    "people": "accounts, sessions, passwords, ratings",
    "thinking": "turns, hints and analyses by bots",
    "live": "bus, broadcast, server-sent events",
    "storage": "SQLite, PostgreSQL, migrations, group commit",
    "tables": "a table as a value, and the service for all tables",
    "settings": "environment variables",
    "logging_setup": "logging",
}
MOST_LISTED = 12
STEPS = (  # where a move goes: the storey, and what it meets there
    ("browser", "a tap"),
    ("web", "table_pages.move"),
    ("server", "Tables.move"),
    ("game", "Game.play"),
    ("engine", "rules.apply"),
    ("server", "GroupCommit.put"),
    ("server", "LocalBus.publish"),
    ("web", "table_pages.answer"),
    ("browser", "all who follow"),
)


def contract(number_: int) -> list[str]:
    """The packages of a contract of import-linter, from the top down."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    layers = settings["tool"]["importlinter"]["contracts"][number_]["layers"]
    return [layer.strip("()") for layer in layers]


def packages() -> list[str]:
    """The packages from the top down, as import-linter has them."""
    return contract(0)


def imported(container: str, names: list[str]) -> dict[str, list[str]]:
    """For each package of a container the packages it imports from, as the modules say today; lazy imports too."""
    graph = grimp.build_graph("franchise", cache_dir=None)
    return {
        name: [
            other
            for other in names
            if other != name
            and graph.direct_import_exists(
                importer=f"{container}.{name}", imported=f"{container}.{other}", as_packages=True
            )
        ]
        for name in names
    }


def picture(width: float, height: float, label: str, *parts: str) -> str:
    ground = tag("rect", width=width, height=height, rx=14.0, fill=THEME.water)
    drawn = tag(
        "svg", ground, *parts, xmlns="http://www.w3.org/2000/svg", viewBox=f"0 0 {number(width)} {number(height)}",
        font_family=SANS, role="img", aria_label=label,
    )  # fmt: skip
    return drawn + "\n"


def storey(name: str, said: str, used: list[str], y: float, inset: float, tint: Tint) -> str:
    """A room: its name, what is in it, and the rooms it imports from."""
    x, width = LEFT + inset, WIDTH - 2 * LEFT - inset
    walls = {"stroke": THEME.ink, "stroke_width": 1.4}
    listed = ", ".join(used)
    if len(used) > MOST_LISTED:  # more would run out of the box
        listed = ", ".join(["all below", *(f"not {other}" for other in packages()[1:] if other not in used)])
    imports = f"imports {listed}" if used else "imports none of them"
    return group(
        "room",
        tag("rect", x=x, y=y, width=width, height=STOREY, fill=tint.land, **walls),
        tag("rect", x=x, y=y, width=130.0, height=STOREY, fill=tint.strong, **walls),
        text(name, x + 65, y + 29, 17, THEME.plate_ink, font_weight="bold", stroke="none"),
        text(said, x + 144, y + 20, 14, THEME.ink, text_anchor="start", stroke="none"),
        text(imports, x + 144, y + 38, 11, THEME.ink, text_anchor="start", stroke="none"),
        data_room=name,
    )


def packages_picture() -> str:
    """One storey for each room, the rooms inside the server too; the roof is the command line, the cellar the facts."""
    names, inside = contract(0), contract(1)
    used, used_inside = imported("franchise", names), imported("franchise.server", inside)
    roof = path([(LEFT - 34, TOP), (WIDTH / 2, 22), (WIDTH - LEFT + 34, TOP)])
    parts = [
        tag("path", d=roof, fill=THEME.red_zone, stroke=THEME.ink, stroke_width=2.0, stroke_linejoin="round"),
        text("FRANCHISE", WIDTH / 2, 80, 24, "#ffffff", font_weight="bold", letter_spacing=5.0),
    ]
    y = TOP
    for i, name in enumerate(names):
        tint = TINTS[i % len(TINTS)]
        parts.append(storey(name, CONTENTS[name], used[name], y, 0.0, tint))
        y += STOREY
        for room in inside if name == "server" else ():
            parts.append(storey(room, SERVER_CONTENTS[room], used_inside[room], y, 60.0, tint))
            y += STOREY
    ground = tag("path", d=f"M20 {number(y)}h{number(WIDTH - 40)}", stroke=THEME.ink, stroke_width=5.0)
    x, middle = WIDTH - LEFT + 26, (TOP + y) / 2
    arrow = tag("path", d=f"M{number(x)} {number(TOP + 14)}V{number(y - 22)}", stroke=THEME.ink, stroke_width=2.4)
    head = tag("path", d=path([(x - 8, y - 24), (x, y - 8), (x + 8, y - 24)]), fill=THEME.ink)
    turned = f"rotate(90 {number(x + 20)} {number(middle)})"
    said = text("imports only downwards", x + 20, middle, 14, THEME.ink, transform=turned)
    return picture(WIDTH, y + 22, "The packages and what they import", *parts, ground, arrow, head, said)


def move_picture() -> str:
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
    return picture(width, 430.0, "The path of a move through the packages", *lanes, line, *stops)


def main() -> None:
    for name, drawn in (("packages", packages_picture()), ("move", move_picture())):
        (ROOT / "docs" / "images" / f"{name}.svg").write_text(drawn, encoding="utf-8")


if __name__ == "__main__":
    main()
