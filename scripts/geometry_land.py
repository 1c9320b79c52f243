"""The land: states of a TopoJSON file merged into regions whose neighbours share their borders exactly."""

import json
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]

SMALLEST_TRIANGLE = 3.5  # square units: finer wiggles of a border are smoothed away
SMALLEST_ISLAND = 25.0  # square units


@dataclass(frozen=True)
class Land:
    """Borders as arcs; ~n is arc n walked backwards, as in TopoJSON."""

    arcs: list[Points]
    regions: dict[str, list[list[int]]]  # rings of arcs
    states: list[int]  # arcs between two states of one region

    def ring(self, arcs: list[int]) -> Points:
        """The corners of a ring, the first not repeated."""
        return np.concatenate([(self.arcs[a] if a >= 0 else self.arcs[~a][::-1])[:-1] for a in arcs])

    def outlines(self) -> dict[str, list[Points]]:
        return {name: [self.ring(ring) for ring in rings] for name, rings in self.regions.items()}


def read_land(path: Path, regions: dict[str, tuple[str, ...]]) -> Land:
    """The regions, given as names of states, from a file of projected states."""
    topology = json.loads(path.read_text(encoding="utf-8"))
    arcs = [decoded(arc, topology["transform"]) for arc in topology["arcs"]]
    shapes = {shape["properties"]["name"]: shape for shape in topology["objects"]["states"]["geometries"]}
    users: dict[int, list[tuple[str, int]]] = defaultdict(list)  # arc -> (region, arc as the region walks it)
    for region, states in regions.items():
        for state in states:
            shape = shapes[state]
            polygons = shape["arcs"] if shape["type"] == "MultiPolygon" else [shape["arcs"]]
            for ring in (ring for polygon in polygons for ring in polygon):
                for arc in ring:
                    users[arc if arc >= 0 else ~arc].append((region, arc))
    inner = [arc for arc, uses in users.items() if len(uses) == 2 and uses[0][0] == uses[1][0]]
    simple = {arc: simplified(arcs[arc]) for arc in users}
    rings = {
        region: stitched(
            [walked for arc, uses in users.items() if arc not in inner for owner, walked in uses if owner == region],
            simple,
        )
        for region in regions
    }
    return compact(simple, rings, inner)


def decoded(arc: list[list[int]], transform: dict[str, list[float]]) -> Points:
    """Undo the quantisation: steps of whole numbers become points."""
    return np.asarray(np.cumsum(np.array(arc, dtype=float), axis=0) * transform["scale"] + transform["translate"])


def simplified(arc: Points) -> Points:
    """Visvalingam: drop the point of the smallest triangle until all are large enough; both ends stay."""
    points = [tuple(point) for point in arc]
    closed = points[0] == points[-1]
    while len(points) > (5 if closed else 2):
        p = np.array(points)
        a, b, c = p[:-2], p[1:-1], p[2:]
        areas = np.abs((b - a)[:, 0] * (c - a)[:, 1] - (b - a)[:, 1] * (c - a)[:, 0]) / 2
        smallest = int(np.argmin(areas))
        if areas[smallest] >= SMALLEST_TRIANGLE:
            break
        del points[smallest + 1]
    return np.round(np.array(points), 1)


def stitched(arcs: list[int], shapes: dict[int, Points]) -> list[list[int]]:
    """Closed rings out of directed arcs; specks of islands are left out."""

    def ends(arc: int) -> tuple[tuple[float, ...], tuple[float, ...]]:
        shape = shapes[arc if arc >= 0 else ~arc]
        first, last = tuple(shape[0]), tuple(shape[-1])
        return (first, last) if arc >= 0 else (last, first)

    starts: dict[tuple[float, ...], list[int]] = defaultdict(list)
    for arc in arcs:
        starts[ends(arc)[0]].append(arc)
    rings = []
    for arc in arcs:
        if arc not in starts[ends(arc)[0]]:
            continue
        ring = [arc]
        starts[ends(arc)[0]].remove(arc)
        while ends(ring[-1])[1] != ends(ring[0])[0]:
            ring.append(starts[ends(ring[-1])[1]].pop())
        points = np.concatenate([(shapes[a] if a >= 0 else shapes[~a][::-1])[:-1] for a in ring])
        if area(points) >= SMALLEST_ISLAND:
            rings.append(ring)
    return sorted(rings, key=len, reverse=True)


def area(ring: Points) -> float:
    x, y = ring.T
    return abs(float(np.dot(x, np.roll(y, 1)) - np.dot(y, np.roll(x, 1)))) / 2


def compact(arcs: dict[int, Points], rings: dict[str, list[list[int]]], inner: list[int]) -> Land:
    """Number the arcs in use from 0."""
    used = sorted(
        {arc if arc >= 0 else ~arc for region in rings.values() for ring in region for arc in ring} | {*inner}
    )
    number = {arc: n for n, arc in enumerate(used)}
    return Land(
        [arcs[arc] for arc in used],
        {
            region: [[number[arc] if arc >= 0 else ~number[~arc] for arc in ring] for ring in region_rings]
            for region, region_rings in rings.items()
        },
        [number[arc] for arc in inner],
    )


def distance_to(outline: list[Points], point: Points) -> float:
    """How far outside of the rings a point lies; 0 inside."""
    best = np.inf
    inside = False
    for ring in outline:
        a, b = ring, np.roll(ring, -1, axis=0)
        way = b - a
        share = np.clip(((point - a) * way).sum(1) / np.maximum((way**2).sum(1), 1e-9), 0, 1)
        best = min(best, float(np.hypot(*(a + share[:, None] * way - point).T).min()))
        crosses = (a[:, 1] > point[1]) != (b[:, 1] > point[1])
        with np.errstate(divide="ignore", invalid="ignore"):
            at = a[:, 0] + (point[1] - a[:, 1]) / way[:, 1] * way[:, 0]
        inside ^= bool(np.count_nonzero(crosses & (point[0] < at)) % 2)
    return 0.0 if inside else best
