"""Makes the geometry of the drawn board, once: src/franchise/drawing/geometry.json.

    python scripts/geometry.py PATH/states-albers-10m.json [--steps N] [--seed N]

The file of projected state borders comes from the npm package `us-atlas` (3.0.1; data of the U.S. Census Bureau).
Needs what the project needs, nothing else. The same file, seed and number of steps give the same geometry on one
machine; a run takes some minutes on one core. The cuts of the board are then made by scripts/cuts.py.
"""

import argparse
import json
import math
from pathlib import Path
from typing import Any

import numpy as np

from franchise.facts import BOARD, Location
from geometry_land import Land, distance_to, read_land
from geometry_layout import GRID, SEGMENTS, Floats, Layout, anneal, energy, put_label, put_plate, trace

TARGET = Path(__file__).parent.parent / "src" / "franchise" / "drawing" / "geometry.json"

CANVAS = (-64.0, -14.0, 1040.0, 640.0)  # left, top, right, bottom around the 975 x 610 of the map
TRACK = (-52.0, 560.0, 330.0, 628.0)
LEGEND = (906.0, 500.0, 1028.0, 628.0)
PLATE = (96.0, 54.0)
PLATE_WISHES = {  # where a plate would like its centre: mostly on the water or abroad, off its region's border
    "California": (5, 430), "Grand Canyon": (240, 490), "Upper West": (-8, 165), "Montana": (390, 70),
    "Great Lakes": (690, 70), "New York": (820, 100), "Washington": (950, 400), "Florida": (725, 550),
    "Central": (620, 560), "Texas": (400, 545),
}  # fmt: skip
TOWN_RADIUS = 10.0
CITY_RADIUS = {2: 16.5, 3: 16.5, 4: 20.0, 5: 20.0, 6: 20.0, 7: 23.5, 8: 23.5}  # by class: another tile of it fits too
TYPE = {"city": 10.4, "town": 9.4}  # size of the names
LINE = 1.04  # line height
CAP = 0.86  # height of a line from the top of its capitals to the bottom of its descenders

# Widths of a bold grotesque in thousandths, as common sans-serif fonts share them.
WIDTHS = {
    278: " .Iijl", 333: "ft", 389: "r", 500: "z", 556: "aceksvxyJ", 611: "bdghnopquFLTZ", 667: "EPSVXY",
    722: "ABCDHKNRU", 778: "GOQw", 833: "M", 889: "m", 944: "W",
}  # fmt: skip


def projected(lat: float, lon: float) -> tuple[float, float]:
    """Albers' equal-area conic as d3.geoAlbersUsa draws the lower 48 at scale 1300, translated to 487.5, 305."""
    south, north = math.radians(29.5), math.radians(45.5)
    n = (math.sin(south) + math.sin(north)) / 2
    c = 1 + math.sin(south) * (2 * n - math.sin(south))

    def raw(longitude: float, latitude: float) -> tuple[float, float]:
        r = math.sqrt(c - 2 * n * math.sin(math.radians(latitude))) / n
        turn = n * math.radians(longitude)
        return r * math.sin(turn), math.sqrt(c) / n - r * math.cos(turn)

    x, y = raw(lon + 96, lat)
    middle_x, middle_y = raw(-0.6, 38.7)
    return 487.5 + 1300 * (x - middle_x), 305 - 1300 * (y - middle_y)


def lines_of(name: str) -> list[list[str]]:
    """A name in one line, and in two where it has several words."""
    head, _, tail = name.rpartition(" ")
    return [[name], [head, tail] if len(head) > 3 else [name]]


def text_width(line: str, size: float) -> float:
    return sum(next(width for width, letters in WIDTHS.items() if letter in letters) for letter in line) * size / 1000


def label_size(location: Location, variant: int) -> tuple[float, float]:
    size, lines = TYPE[location.kind], lines_of(location.name)[variant]
    return max(text_width(line, size) for line in lines), size * (CAP + LINE * (len(lines) - 1))


def distances(land: Land) -> Floats:
    """How far every point of a coarse grid lies from every region."""
    xs = np.arange(CANVAS[0], CANVAS[2] + GRID, GRID)
    ys = np.arange(CANVAS[1], CANVAS[3] + GRID, GRID)
    return np.array(
        [[[distance_to(outline, np.array((x, y))) for x in xs] for y in ys] for outline in land.outlines().values()]
    )


def first_layout(land: Land) -> Layout:
    """Real places, straight links, labels to the right, plates where they would like to be."""
    places, links = BOARD.locations, BOARD.links
    home = np.array([projected(place.lat, place.lon) for place in places])
    touching = np.full((len(places), 10), -1)
    for place in places:
        own = [k for k, link in enumerate(links) if place.id in link.ends]
        touching[place.id, : len(own)] = own
    wishes = np.array([PLATE_WISHES[region.name] for region in BOARD.regions], dtype=float)
    return Layout(
        canvas=np.array(CANVAS),
        home=home,
        radius=np.array([CITY_RADIUS[place.size] if place.is_city else TOWN_RADIUS for place in places]),
        region=np.array([place.region for place in places]),
        ends=np.array([link.ends for link in links]),
        touching=touching,
        label_size=np.array([[label_size(place, variant) for variant in range(2)] for place in places]),
        plate_size=np.array(PLATE),
        fixed=np.array([TRACK, LEGEND]),
        land=distances(land),
        plate_wish=wishes,
        place=home.copy(),
        bend=np.tile([0.33, 0.0, 0.67, 0.0], (len(links), 1)),
        curve=np.zeros((len(links), SEGMENTS + 1, 2)),
        box=np.zeros((len(links), 4)),
        leaving=np.zeros((len(links), 2)),
        label=np.zeros((len(places), 2), np.int64),
        label_box=np.zeros((len(places), 4)),
        plate=wishes.copy(),
        plate_box=np.zeros((len(BOARD.regions), 4)),
    )


def refresh(layout: Layout) -> None:
    """Bring all that follows from the moved parts up to date."""
    for k in range(len(layout.ends)):
        trace(layout, k)
    for i in range(len(layout.place)):
        put_label(layout, i)
    for r in range(len(layout.plate)):
        put_plate(layout, r)


def settled(layout: Layout, seed: int, steps: int) -> None:
    """Lower the energy: hot, then lukewarm to get out of corners, then cold."""
    refresh(layout)
    for number, (hot, cold, share) in enumerate(((4.0, 0.05, 0.5), (0.5, 0.03, 0.3), (0.03, 0.0005, 0.2))):
        anneal(layout, seed + number, int(steps * share), hot, cold)
        print(f"energy {energy(layout):.1f}", flush=True)


def rounded(values: Any) -> list[float]:
    return [int(v) if v == int(v) else v for v in (round(float(value), 1) for value in np.ravel(values))]


def control_points(layout: Layout, k: int) -> Floats:
    a, b = layout.place[layout.ends[k, 0]], layout.place[layout.ends[k, 1]]
    way = b - a
    across = np.array((-way[1], way[0]))
    along_1, across_1, along_2, across_2 = layout.bend[k]
    return np.array((a + along_1 * way + across_1 * across, a + along_2 * way + across_2 * across))


def as_data(land: Land, layout: Layout) -> dict[str, Any]:
    """What is committed: names, signs and discs have had their room and get their spots in each cut."""
    return {
        "arcs": [rounded(arc) for arc in land.arcs],
        "states": land.states,
        "regions": {
            region.name: {"rings": land.regions[region.name], "plate": rounded(layout.plate[region.id])}
            for region in BOARD.regions
        },
        "places": {place.name: rounded(layout.place[place.id]) for place in BOARD.locations},
        "links": [rounded(control_points(layout, k)) for k in range(len(BOARD.links))],
    }


def as_text(data: dict[str, Any]) -> str:
    """Compact JSON, one entry a line, so that changes can be seen."""
    rows = []
    for key, value in data.items():
        if isinstance(value, dict):
            inner = ",\n".join(
                f"{json.dumps(name)}:{json.dumps(entry, separators=(',', ':'))}" for name, entry in value.items()
            )
            rows.append(f'"{key}":{{\n{inner}\n}}')
        elif isinstance(value[0], list):
            inner = ",\n".join(json.dumps(entry, separators=(",", ":")) for entry in value)
            rows.append(f'"{key}":[\n{inner}\n]')
        else:
            rows.append(f'"{key}":{json.dumps(value, separators=(",", ":"))}')
    return "{\n" + ",\n".join(rows) + "\n}\n"


def main() -> None:
    parser = argparse.ArgumentParser(description="Make the geometry of the drawn board.")
    parser.add_argument("states", type=Path, help="states-albers-10m.json of us-atlas")
    parser.add_argument("--seed", type=int, default=1964)
    parser.add_argument("--steps", type=int, default=900_000)
    parser.add_argument("--target", type=Path, default=TARGET)
    chosen = parser.parse_args()
    land = read_land(chosen.states, {region.name: region.states for region in BOARD.regions})
    layout = first_layout(land)
    settled(layout, chosen.seed, chosen.steps)
    chosen.target.write_text(as_text(as_data(land, layout)), encoding="utf-8")


if __name__ == "__main__":
    main()
