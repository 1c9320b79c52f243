"""Makes the cuts of the map, one for each size of picture: src/franchise/drawing/cuts.json.

    python scripts/cuts.py [NAME ...]

Positions scale with the picture, type and discs do not: so every cut has its own spots for names, prices and signs.
They are found by cost, a candidate for each place at a time, until nothing changes. A link that still crosses a name
is bent a little around it; the tests of the cuts say whether all is readable. Every cut has its seed: the same command
always writes the same file, in about three and a half minutes of processor time for all six.
"""

import argparse
import json
import math
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from franchise.drawing.cuts import bent, key_of, largest
from franchise.drawing.geometry import GEOMETRY, Box, Curve, Point, on_circle
from franchise.facts import BOARD
from geometry import text_width

TARGET = Path(__file__).parents[1] / "src" / "franchise" / "drawing" / "cuts.json"

FARTHEST = 13.5  # a name from its disc
AWAY = (3.5, 2.0, 5.5, 8.0, 10.5, 13.0)  # the distances that are tried
AROUND = 72  # directions that are tried
KEPT = 120  # spots of a name
CROSSED = 25.0  # what it costs a name to be crossed by a link, and for every point of it a ninth
NEARER = 6.0  # pixels by which a name is nearer to its own disc than to any other, or it might be the other's
BLOCKED = 2000.0  # what it costs to lie on a disc, a plate or a sign, or beyond the edge
MISTAKEN = 200.0  # what it costs where it is not, and a tenth for every pixel
WINDOWED = 900.0  # pixels: smaller cuts are shown in part on phones
COAST = 0.2  # of the width: near a side
OUTWARD = 0.6  # what it costs a name there for every pixel that it reaches out
FURTHEST = 99  # pixels by which a link is bent
WAYS = np.array(  # of bending it near its beginning and its end, the smallest first
    sorted(
        ((a, b) for a in range(-FURTHEST, FURTHEST + 1, 3) for b in range(-FURTHEST, FURTHEST + 1, 3)),
        key=lambda way: math.hypot(*way),
    )
)
CHUNKS = 40  # in which they are tried
CLEAR = 2.0  # pixels from a bent link to a disc; on the smallest cut it may touch one
LINE = 1.02  # line height
SHIELD = (32.0, 28.0)
TICKET = (58.0, 24.0)
BOOM = (78.0, 30.0)
SIGN = (26.0, 26.0)  # of a special tile, on the upper right corner of a plate
LOOKING = Box(0, 0, 190, 50)  # over the map while somebody looks back
GUIDE = {1184: Box(0, 0, 530, 242), 1048: Box(0, 0, 436, 190), 820: Box(0, 0, 0, 0)}  # in a lesson, by the width
BOOM_OFF = 6.0  # from the rim to the tip of the sign
ROUNDS = 30
TURNS = tuple(  # of 24, the best first
    turn + half
    for half in (0, 0.5)
    for turn in (3, 9, 21, 15, 4, 8, 2, 10, 20, 16, 22, 14, 6, 18, 5, 7, 1, 11, 19, 17, 23, 13, 0, 12)
)
IN_TWO = {
    "Salt Lake City": ("Salt Lake", "City"), "Oklahoma City": ("Oklahoma", "City"), "Little Rock": ("Little", "Rock"),
    "Dodge City": ("Dodge", "City"), "Kansas City": ("Kansas", "City"), "Sioux Falls": ("Sioux", "Falls"),
    "San Francisco": ("San", "Francisco"), "Los Angeles": ("Los", "Angeles"), "Las Vegas": ("Las", "Vegas"),
    "New York": ("New", "York"), "St. Louis": ("St.", "Louis"), "El Paso": ("El", "Paso"),
}  # fmt: skip

# Upper left corners of the plates, in units of the map: mostly on the water or abroad.
PLATES = {
    "California": (-57, 408), "Grand Canyon": (160, 462), "Upper West": (-61, 128), "Montana": (338, 10),
    "Great Lakes": (578, 18), "New York": (745, 70), "Washington": (893, 372), "Florida": (846, 456),
    "Central": (566, 540), "Texas": (318, 520),
}  # fmt: skip
MEDIUM_PLATES = PLATES | {"Washington": (886, 372)}
SMALL_PLATES = PLATES | {
    "Upper West": (-61, 150), "Grand Canyon": (138, 470), "Montana": (330, 8), "Washington": (858, 352),
    "Florida": (855, 462), "Texas": (306, 506), "Central": (574, 540), "New York": (752, 78), "Great Lakes": (560, 14),
}  # fmt: skip
FEW_PLATES = {
    "Grand Canyon": (118, 454), "Great Lakes": (598, 44), "New York": (748, 58), "Washington": (896, 372),
    "Florida": (850, 452), "Central": (570, 545), "Texas": (330, 506),
}  # fmt: skip


@dataclass(frozen=True)
class Wish:
    """What a cut is to be like."""

    size: tuple[float, float]
    window: tuple[float, float, float, float]  # left, top, right, bottom of the part of the map it shows
    radii: tuple[float, ...]  # of cities with tiles of 2 to 8
    town: float
    city_type: float
    town_type: float
    hub: float
    hub_type: float
    plate: tuple[float, float]
    plates: Mapping[str, tuple[float, float]]
    track: tuple[float, float, float, float]
    legend: tuple[float, float, float, float]
    closed: tuple[float, float] | None = None  # the sign on the land out of play, in units of the map
    beginnings: int = 8  # from which spots are looked for, the best counts
    seed: int = 1964


LARGE = Wish(
    (1184, 768), (-66, -16, 1018, 650), (23, 23, 24.5, 26, 27.5, 29.5, 31.5), 11.5, 13.5, 12.5, 8.8, 14, (128, 61),
    PLATES, (14, 682, 398, 74), (1062, 634, 110, 124),
)  # fmt: skip
MEDIUM = Wish(
    (1048, 608), (-66, -10, 1018, 634), (20, 20, 21, 22.2, 23.5, 25, 27), 10, 12, 11.2, 7.9, 13, (116, 56),
    MEDIUM_PLATES, (10, 536, 340, 64), (948, 506, 94, 96),
)  # fmt: skip
SMALL = Wish(
    (820, 640), (-66, -10, 1018, 668), (19, 19, 20.5, 21.5, 22.5, 24, 26), 10, 12, 11.2, 7.9, 13, (112, 56),
    SMALL_PLATES, (10, 568, 340, 64), (718, 536, 94, 96), beginnings=24, seed=7,
)  # fmt: skip
FEW = (104.0, 38.0, 1014.0, 643.0)
WISHES = {
    "L": LARGE,
    "M": MEDIUM,
    "S": SMALL,
    "L-few": replace(
        LARGE, window=FEW, radii=(26, 26, 27.5, 29, 31, 33, 35), town=13, city_type=14.5, town_type=13.5, hub=9.8,
        hub_type=15.5, plates=FEW_PLATES, closed=(300, 122),
    ),
    "M-few": replace(
        MEDIUM, window=FEW, radii=(22, 22, 23.5, 25, 26.5, 28, 30), town=11, city_type=13, town_type=12, hub=8.6,
        hub_type=14, plates=FEW_PLATES, closed=(300, 122),
    ),
    "S-few": replace(
        SMALL, window=(104, 38, 1014, 672), plates=FEW_PLATES | {"Washington": (884, 372)}, closed=(300, 122)
    ),
}  # fmt: skip


Key = tuple[str, str]  # what stands beside which place


@dataclass(frozen=True)
class Candidate:
    """A spot for something beside a place, and what it costs by itself."""

    box: Box
    cost: float
    data: Any


class CrossedError(Exception):
    """A link runs through a name and cannot be bent around it."""

    def __init__(self, box: Box) -> None:
        super().__init__(box)
        self.box = box


class CutBuilder:
    """A cut being made."""

    def __init__(self, wish: Wish) -> None:
        self.wish = wish
        self.size = Box(0, 0, *wish.size)
        left, top, right, bottom = wish.window
        self.window = Box(left, top, right - left, bottom - top)
        self.radii = dict(zip(range(2, 9), wish.radii, strict=True))
        out = {BOARD.regions[region].name for region in BOARD.out_of_play[2]} if wish.closed else set()
        self.names = [place.name for place in BOARD.locations if BOARD.regions[place.region].name not in out]
        self.at = {name: self.point(GEOMETRY.places[name]) for name in self.names}
        self.reach = {name: largest(self.radii, wish.town, name) for name in self.names}
        self.plates = {name: self.point(Point(*corner)) for name, corner in wish.plates.items()}
        self.boxes = [Box(*corner, *wish.plate) for corner in self.plates.values()]
        self.boxes += [Box.around(Point(x + wish.plate[0] - 3, y + 1), *SIGN) for x, y in self.plates.values()]
        self.boxes += [Box(*wish.track), Box(*wish.legend), LOOKING]
        if wish.closed:
            self.boxes += [Box.around(self.point(Point(*wish.closed)), 280, 110), GUIDE[int(wish.size[0])]]
        self.curves = [
            Curve(curve.ends, curve.price, *(self.point(corner) for corner in curve.corners))
            for curve in GEOMETRY.links
            if set(curve.ends) <= set(self.names)
        ]
        self.samples = np.array([point for curve in self.curves for point in trace(curve)])

    def point(self, at: Point) -> Point:
        return Point(
            (at.x - self.window.x) * self.size.width / self.window.width,
            (at.y - self.window.y) * self.size.height / self.window.height,
        )

    def blocked(self, box: Box, name: str, gap: float, own: float) -> float:
        """What it costs to lie on discs, plates and signs, or beyond the edge."""
        cost = 0.0
        for other, at in self.at.items():
            need = self.reach[other] + (own if other == name else gap)
            away = box.distance(at)
            if away < need:
                cost += BLOCKED + 10 * (need - away)
        for plate in self.boxes:
            deep = box.overlap(plate.grown(3))
            if deep:
                cost += BLOCKED + 20 * deep
        return cost if self.size.grown(-3).holds(box) else cost + BLOCKED

    def crossed(self, box: Box) -> int:
        """How many points of links lie in a box."""
        return int(inside(self.samples, box).sum())

    def mistaken(self, box: Box, name: str) -> float:
        """What it costs a name to be about as near to another disc as to its own."""
        own = box.distance(self.at[name]) - self.reach[name]
        others = (box.distance(at) - self.reach[other] for other, at in self.at.items() if other != name)
        short = own + NEARER - min(others)
        return MISTAKEN * (1 + short / 10) if short > 0 else 0.0

    def outward(self, box: Box, name: str) -> float:
        """What it costs a name near a side to reach out: a phone's window opens on discs and would cut it off."""
        if self.size.width > WINDOWED:
            return 0.0
        at, reach = self.at[name], self.reach[name]
        if at.x < COAST * self.size.width:
            return OUTWARD * max(0.0, at.x - reach - box.x)
        if at.x > (1 - COAST) * self.size.width:
            return OUTWARD * max(0.0, box.right - at.x - reach)
        return 0.0

    def labels(self, name: str) -> list[Candidate]:
        """The best spots for a name, in one line or in two."""
        is_city = BOARD.locations[BOARD.location_ids[name]].is_city
        size = self.wish.city_type if is_city else self.wish.town_type
        found = []
        for lines in ((name,), IN_TWO.get(name, ())):
            if not lines:
                continue
            width, height = max(text_width(line, size) for line in lines) + 2, len(lines) * size * LINE
            for cost, anchor, x, y in self.around(name, width, height):
                box = Box(x, y, width, height)
                if box.distance(self.at[name]) > self.reach[name] + FARTHEST:
                    continue
                points = self.crossed(box)
                cost += (5 if len(lines) > 1 else 0) + (CROSSED * (1 + points / 9) if points else 0)
                cost += self.mistaken(box, name) + self.outward(box, name)
                found.append(Candidate(box, cost + self.blocked(box, name, 2.5, 0.5), (lines, anchor)))
        return sorted(found, key=lambda spot: spot.cost)

    def around(self, name: str, width: float, height: float) -> Iterator[tuple[float, str, float, float]]:
        """What a spot costs, which end of the name stands at the disc, and the upper left corner."""
        middle, r = self.at[name], self.reach[name]
        for rank, away in enumerate(AWAY):
            for step in range(AROUND):
                turn = 2 * math.pi * step / AROUND
                across, down = math.cos(turn), math.sin(turn)
                x, y = middle.x + (r + away) * across, middle.y + (r + away) * down
                rows = (0.0,) if down > 0.3 else (1.0,) if down < -0.3 else (0.5, 0.25, 0.75)
                columns = (0.0,) if across > 0.3 else (1.0,) if across < -0.3 else (0.5, 0.25, 0.75, 0.0, 1.0)
                for row in rows:
                    for column in columns:
                        slant = 3 * min(abs(across), abs(down)) + 4 * abs(row - 0.5) * (len(rows) > 1)
                        cost = (
                            2.5 * rank + slant + (2 if down < -0.3 else 0) + 4 * abs(column - 0.5) * (len(columns) > 1)
                        )
                        anchor = "middle" if len(columns) > 1 else "start" if column == 0 else "end"
                        yield cost, anchor, x - width * column, y - height * row

    def bends(self, written: list[Box]) -> dict[str, list[float]]:
        """How far the links that cross a name are moved aside, so that none does: near beginning and end."""
        found = {}
        for curve in self.curves:
            points = np.array(list(trace(curve)))
            crossed = next((box for box in written if inside(points, box).any()), None)
            if crossed is None:
                continue
            ways = (self.clear_way(curve, points, written, ways) for ways in np.array_split(WAYS, CHUNKS))
            way = next((way for way in ways if way is not None), None)
            if way is None:
                raise CrossedError(crossed)
            found[key_of(curve)] = way
        return found

    def clear_way(self, curve: Curve, points: Any, written: list[Box], ways: Any) -> list[float] | None:
        """The first of some ways of bending a link on which it crosses no name and keeps away from other discs."""
        share = np.linspace(0, 1, len(points))
        aside = np.array(bent(curve, 1, 0).first) - np.array(curve.first)
        weights = 3 * share * (1 - share) ** 2, 3 * share**2 * (1 - share)
        far = ways[:, :1] * weights[0] + ways[:, 1:] * weights[1]
        lines = points + far[..., None] * aside
        bad = np.zeros(len(ways), bool)
        for box in written:
            bad |= inside(lines, box).any(axis=1)
        for name in set(self.names) - set(curve.ends):
            gap = CLEAR if self.size.width > WINDOWED or self.wish.closed else -1.5
            bad |= (np.hypot(*(lines - self.at[name]).T) < self.reach[name] + gap).any(axis=0)
        return None if bad.all() else ways[int(np.argmin(bad))].tolist()

    def uncrossed(self, chosen: dict[Key, Candidate], labels: Mapping[str, list[Candidate]]) -> dict[str, list[float]]:
        """The bends of links, after the names that none can be bent around have moved to other spots."""
        tried: set[tuple[str, Box]] = set()
        while True:
            try:
                return self.bends([chosen["label", name].box for name in self.names])
            except CrossedError as crossed:
                name = next(name for name in self.names if chosen["label", name].box == crossed.box)
                tried.add((name, crossed.box))
                others = [chosen["label", other].box for other in self.names if other != name]
                free = [
                    spot
                    for spot in labels[name]
                    if (name, spot.box) not in tried and not any(spot.box.overlap(box) for box in others)
                    and not self.blocked(spot.box, name, 1.0, 0.5)
                ]  # fmt: skip
                if not free:
                    raise SystemExit(f"{self.wish.size}: there is no spot for {name} that no link crosses") from None
                chosen["label", name] = free[0]

    def free(self, spots: list[Candidate], bends: Mapping[str, list[float]]) -> list[Candidate]:
        """The spots that no link crosses, bent as it is."""
        curves = (bent(curve, *bends.get(key_of(curve), (0, 0))) for curve in self.curves)
        points = np.array([point for curve in curves for point in trace(curve)])
        return [spot for spot in spots if not inside(points, spot.box).any()]

    def rounds(self, name: str, size: tuple[float, float], gap: float, off: float) -> list[Candidate]:
        """All spots for a sign that touches the rim of a place."""
        found = []
        for rank, (far, turn) in enumerate((far, turn) for far in (0, 3, 6, 10, 16, 22, 28) for turn in TURNS):
            across, down = abs(math.sin(math.pi * turn / 12)), abs(math.cos(math.pi * turn / 12))
            half = min(size[0] / 2 / max(across, 0.01), size[1] / 2 / max(down, 0.01))
            at = on_circle(self.at[name], self.reach[name] + off + far + half, turn / 24)
            box = Box.around(at, *size)
            cost = 0.3 * rank + 0.6 * self.crossed(box)
            found.append(Candidate(box, cost + self.blocked(box, name, gap, -9), [round(v, 1) for v in at]))
        return found

    def signs(self, name: str) -> list[Candidate]:
        """All spots for the boom sign, right and left, level or a little up or down."""
        found = []
        turns = (0, 1, -1, 2, -2, 3, -3, 4, -4, 5, -5, 6, -6, 7, -7, 8, -8)
        tips = ((side, turn, far) for far in (0, 8, 16, 24, 32, 40) for turn in turns for side in (1, -1))
        for rank, (side, turn, far) in enumerate(tips):
            where = 0.25 + turn / 24 if side > 0 else 0.75 - turn / 24
            tip = on_circle(self.at[name], self.reach[name] + BOOM_OFF + far, where)
            box = Box(tip.x if side > 0 else tip.x - BOOM[0], tip.y - BOOM[1] / 2, *BOOM)
            if not self.size.holds(box):
                continue
            covered = sum(box.distance(at) < self.reach[other] for other, at in self.at.items() if other != name)
            cost = rank + self.blocked(box, name, 3, 0) + 2000 * covered
            found.append(Candidate(box, cost, [round(tip.x, 1), round(tip.y, 1), side]))
        return found

    def made(self) -> dict[str, Any]:
        """The cut, as it is committed."""
        cities = [name for name in self.names if BOARD.locations[BOARD.location_ids[name]].is_city]
        labels = {name: self.labels(name) for name in self.names}
        prices = {("shield", name): self.rounds(name, SHIELD, 7, -4) for name in self.names}
        prices |= {("ticket", name): self.rounds(name, TICKET, 1, -4) for name in cities}
        names = settled(self.wish, {("label", name): found[:KEPT] for name, found in labels.items()} | prices)
        bends = self.uncrossed(names, labels)
        free = {
            ("label", name): [names["label", name], *self.free(found[:KEPT], bends)] for name, found in labels.items()
        }
        names = settled(self.wish, free | prices)
        written = [names["label", name].box for name in self.names]
        booms = {name: min(beside(self.signs(name), written, 150), key=lambda spot: spot.cost) for name in cities}
        wish = self.wish
        places = {}
        for name in self.names:
            label = names["label", name]
            lines, anchor = label.data
            places[name] = {"label": [list(lines), anchor, *(round(side, 1) for side in label.box)]}
            places[name]["shield"] = names["shield", name].data
            if name in booms:
                places[name] |= {"ticket": names["ticket", name].data, "boom": booms[name].data}
        return {
            "size": wish.size, "window": list(self.window), "radii": self.radii, "town": wish.town,
            "type": {"city": wish.city_type, "town": wish.town_type}, "hub": wish.hub, "hub_type": wish.hub_type,
            "plate": wish.plate, "plates": {n: [round(v, 1) for v in at] for n, at in self.plates.items()},
            "track": wish.track, "legend": wish.legend,
            "closed": [round(v, 1) for v in self.point(Point(*wish.closed))] if wish.closed else None,
            "bends": bends,
            "places": places,
        }  # fmt: skip


def trace(curve: Curve) -> Iterator[Point]:
    """Points of a link, few pixels apart."""
    steps = max(24, int(math.dist(curve.start, curve.end) / 2))
    return (curve.at(step / steps) for step in range(steps + 1))


def inside(points: Any, box: Box) -> Any:
    """Which points lie in a box."""
    x, y = points[..., 0], points[..., 1]
    return (box.x < x) & (x < box.right) & (box.y < y) & (y < box.bottom)


def beside(candidates: list[Candidate], boxes: list[Box], price: float) -> list[Candidate]:
    """The candidates, dearer where they cover what is there."""
    return [
        replace(found, cost=found.cost + sum(price for box in boxes if box.overlap(found.box.grown(1))))
        for found in candidates
    ]


CLASH = {frozenset({"label"}): 4000.0, frozenset({"label", "ticket"}): 2000.0, frozenset({"label", "shield"}): 2000.0,
         frozenset({"shield"}): 1000.0, frozenset({"ticket"}): 150.0}  # fmt: skip


APART = 5.0  # pixels between two names
STACKED = 20.0  # what it costs where they are nearer, and look like one


def settled(wish: Wish, wanted: dict[Key, list[Candidate]]) -> dict[Key, Candidate]:
    """A spot for each: from several beginnings, again and again the best among the others' present spots."""
    best: tuple[float, dict[Key, int]] | None = None
    boxes = {key: np.array([corners(spot.box) for spot in spots]) for key, spots in wanted.items()}
    own = {key: np.array([spot.cost for spot in spots]) for key, spots in wanted.items()}
    near = {key: [other for other in wanted if other != key and may_meet(boxes[key], boxes[other])] for key in wanted}
    prices = {
        key: np.array([CLASH.get(frozenset({key[0], other[0]}), 0.0) for other in near[key]]) for key in wanted
    }  # a ticket and a shield are never shown together
    names = {key: np.array([key[0] == other[0] == "label" for other in near[key]], bool) for key in wanted}

    def costs(key: Key, chosen: Mapping[Key, int]) -> Any:
        """What every spot of one costs where the others are."""
        if not near[key]:
            return own[key]
        others = np.array([boxes[other][chosen[other]] for other in near[key]])
        deep = overlaps(boxes[key], others, 1.5)
        clashes = np.where((deep > 0) & (prices[key] > 0), prices[key] + 15 * deep, 0.0)
        stacked = STACKED * (names[key] & (overlaps(boxes[key], others, APART) > 0))
        return own[key] + clashes.sum(axis=1) + stacked.sum(axis=1)

    dice = random.Random(wish.seed)
    for _ in range(wish.beginnings):
        order = list(wanted)
        dice.shuffle(order)
        chosen = {key: int(np.argmin(found)) for key, found in own.items()}
        for _ in range(ROUNDS):
            before = dict(chosen)
            for key in order:
                chosen[key] = int(np.argmin(costs(key, chosen)))
            if chosen == before:
                break
        cost = sum(float(costs(key, chosen)[spot]) for key, spot in chosen.items())
        if best is None or cost < best[0]:
            best = cost, chosen
    if best is None:
        raise ValueError("no beginnings")
    return {key: wanted[key][spot] for key, spot in best[1].items()}


def corners(box: Box) -> tuple[float, float, float, float]:
    return box.x, box.y, box.right, box.bottom


def overlaps(these: Any, those: Any, margin: float) -> Any:
    """How deeply each of these boxes, with a margin around it, overlaps each of those; 0 if they do not."""
    across = np.minimum.outer(these[:, 2] + margin, those[:, 2]) - np.maximum.outer(these[:, 0] - margin, those[:, 0])
    down = np.minimum.outer(these[:, 3] + margin, those[:, 3]) - np.maximum.outer(these[:, 1] - margin, those[:, 1])
    return np.maximum(np.minimum(across, down), 0.0)


def may_meet(these: Any, those: Any) -> bool:
    """Whether any spots of two could lie on each other."""

    def hull(spots: Any) -> Any:
        return np.array([[*spots[:, :2].min(axis=0), *spots[:, 2:].max(axis=0)]])

    return bool(overlaps(hull(these), hull(those), APART).any())


def as_text(cuts: Mapping[str, Any]) -> str:
    """JSON, one place a line, so that changes can be seen."""

    def compact(value: Any) -> str:
        return json.dumps(value, separators=(",", ":"))

    rows = []
    for name, cut in cuts.items():
        places = ",\n".join(f"{compact(place)}:{compact(spots)}" for place, spots in cut["places"].items())
        facts = ",\n".join(f'"{key}":{compact(value)}' for key, value in cut.items() if key != "places")
        rows.append(f'"{name}":{{\n{facts},\n"places":{{\n{places}\n}}}}')
    return "{\n" + ",\n".join(rows) + "\n}\n"


def main() -> None:
    parser = argparse.ArgumentParser(description="Make the cuts of the map.")
    parser.add_argument("names", nargs="*", help="the cuts to make anew; all of them if none is named")
    names = parser.parse_args().names
    kept = json.loads(TARGET.read_text(encoding="utf-8")) if names else {}
    made = {
        name: CutBuilder(wish).made() if name in names or not names else kept[name] for name, wish in WISHES.items()
    }
    TARGET.write_text(as_text(made), encoding="utf-8")


if __name__ == "__main__":
    main()
