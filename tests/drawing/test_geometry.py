"""The committed geometry of the map: complete, true to the country, its links told apart."""

import math
from collections import Counter
from itertools import pairwise

import pytest

from franchise.drawing.geometry import GEOMETRY, Curve, Point
from franchise.facts import BOARD
from franchise.facts.loader import tile_class

TOWN, CITIES = 10.0, (16.5, 20.0, 23.5)  # radii in units of the map; of cities by the class of their tile
CLEARANCE = 7.0  # between a link and the disc of a place it passes by
SMALLEST_ANGLE = 21.0  # degrees between two links that leave a place
FROM_REAL_PLACE = 20.0  # units of the map, of which it is 975 wide
SAMPLES = 400

POINTS = {curve.ends: tuple(curve.at(i / SAMPLES) for i in range(SAMPLES + 1)) for curve in GEOMETRY.links}


def radius(name: str) -> float:
    location = BOARD.locations[BOARD.location_ids[name]]
    return CITIES[tile_class(location.size)] if location.is_city else TOWN


def gap(a: Point, b: Point) -> float:
    return math.hypot(a.x - b.x, a.y - b.y)


def contains(ring: list[Point], point: Point) -> bool:
    inside = False
    for a, b in pairwise([*ring, ring[0]]):
        if (a.y > point.y) != (b.y > point.y) and point.x < a.x + (point.y - a.y) / (b.y - a.y) * (b.x - a.x):
            inside = not inside
    return inside


def leaves(curve: Curve, place: str) -> float:
    """The direction, in degrees, in which a link is seen to leave a disc."""
    points, at = POINTS[curve.ends] if curve.ends[0] == place else POINTS[curve.ends][::-1], GEOMETRY.places[place]
    first = next(point for point in points if gap(point, at) >= radius(place) + 2)
    return math.degrees(math.atan2(first.y - at.y, first.x - at.x))


def real_place(lat: float, lon: float) -> Point:
    """Albers' conic for the lower 48, as the map has it."""
    n = (math.sin(math.radians(29.5)) + math.sin(math.radians(45.5))) / 2
    c = math.cos(math.radians(29.5)) ** 2 + 2 * n * math.sin(math.radians(29.5))

    def spread(latitude: float) -> float:
        return 1300 * math.sqrt(c - 2 * n * math.sin(math.radians(latitude))) / n

    turn, middle = n * math.radians(lon + 96), n * math.radians(-0.6)
    return Point(
        487.5 + spread(lat) * math.sin(turn) - spread(38.7) * math.sin(middle),
        305 + spread(lat) * math.cos(turn) - spread(38.7) * math.cos(middle),
    )


def test_all_107_links_join_the_places_the_facts_name() -> None:
    names = [location.name for location in BOARD.locations]
    assert [(curve.ends, curve.price) for curve in GEOMETRY.links] == [
        ((names[link.ends[0]], names[link.ends[1]]), link.price) for link in BOARD.links
    ]
    assert len(GEOMETRY.links) == 107
    assert all(
        (curve.at(0), curve.at(1)) == (GEOMETRY.places[curve.ends[0]], GEOMETRY.places[curve.ends[1]])
        for curve in GEOMETRY.links
    )


def test_all_45_places_and_ten_regions_are_there() -> None:
    assert list(GEOMETRY.places) == [location.name for location in BOARD.locations]
    assert list(GEOMETRY.regions) == [region.name for region in BOARD.regions]


@pytest.mark.parametrize("curve", GEOMETRY.links, ids=lambda curve: "-".join(curve.ends))
def test_no_link_runs_under_a_third_disc(curve: Curve) -> None:
    for place, at in GEOMETRY.places.items():
        if place not in curve.ends:
            assert min(gap(point, at) for point in POINTS[curve.ends]) - radius(place) >= CLEARANCE, place


@pytest.mark.parametrize("place", GEOMETRY.places)
def test_links_of_a_place_leave_at_angles_that_can_be_told_apart(place: str) -> None:
    directions = sorted(leaves(curve, place) for curve in GEOMETRY.links if place in curve.ends)
    around = [*directions, directions[0] + 360]
    assert min(b - a for a, b in pairwise(around)) >= SMALLEST_ANGLE


@pytest.mark.parametrize("location", BOARD.locations, ids=lambda location: location.name)
def test_a_place_lies_in_its_region_and_near_its_real_place(location) -> None:  # type: ignore[no-untyped-def]
    place = GEOMETRY.places[location.name]
    region = GEOMETRY.regions[BOARD.regions[location.region].name]
    rings = [list(GEOMETRY.ring(ring)) for ring in region.rings]
    shore = min(gap(corner, place) for ring in rings for corner in ring)
    assert any(contains(ring, place) for ring in rings) or shore <= 10
    assert gap(place, real_place(location.lat, location.lon)) <= FROM_REAL_PLACE


def test_outlines_are_closed_rings() -> None:
    for region in GEOMETRY.regions.values():
        for ring in region.rings:
            walked = [GEOMETRY.arcs[arc] if arc >= 0 else GEOMETRY.arcs[~arc][::-1] for arc in ring]
            assert all(a[-1] == b[0] for a, b in pairwise([*walked, walked[0]])), region.name


def test_neighbours_share_their_border_exactly() -> None:
    walks = Counter(arc for region in GEOMETRY.regions.values() for ring in region.rings for arc in ring)
    assert set(walks.values()) == {1}  # nobody walks an arc twice in one direction
    owner = {arc: name for name, region in GEOMETRY.regions.items() for ring in region.rings for arc in ring}
    neighbours = {frozenset((owner[arc], owner[~arc])) for arc in owner if ~arc in owner}
    assert all(len(pair) == 2 for pair in neighbours)
    expected = {
        ("California", "Upper West"),
        ("Texas", "Central"),
        ("Florida", "Washington"),
        ("Montana", "Great Lakes"),
    }
    assert {frozenset(pair) for pair in expected} <= neighbours


def test_no_two_regions_overlap() -> None:
    for place, at in GEOMETRY.places.items():
        inside = [
            name
            for name, region in GEOMETRY.regions.items()
            if any(contains(list(GEOMETRY.ring(ring)), at) for ring in region.rings)
        ]
        assert len(inside) <= 1, place
