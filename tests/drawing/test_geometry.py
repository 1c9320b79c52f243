"""The committed geometry keeps what issue and players ask of the map: nothing hides or touches anything else."""

import math
from collections import Counter
from itertools import combinations, pairwise

import pytest

from franchise.drawing.geometry import GEOMETRY, Box, Curve, Place, Point
from franchise.facts import BOARD

CLEARANCE = 7.0  # between a link and the disc of a place it passes by
SMALLEST_ANGLE = 21.0  # degrees between two links that leave a place
BETWEEN_DISCS = 12.0
BESIDE_LABEL = 1.8
FROM_REAL_PLACE = 20.0  # units of the map, of which it is 975 wide
SAMPLES = 400

PLACES = tuple(GEOMETRY.places.values())
POINTS = {curve.ends: tuple(curve.at(i / SAMPLES) for i in range(SAMPLES + 1)) for curve in GEOMETRY.links}
LABELS = {place.name: place.label.box for place in PLACES}
PLATES = {name: region.plate for name, region in GEOMETRY.regions.items()}
SIGNS = {"track": GEOMETRY.track, "legend": GEOMETRY.legend}


def gap(a: Point, b: Point) -> float:
    return math.hypot(a.x - b.x, a.y - b.y)


def apart(a: Box, b: Box) -> bool:
    return a.right <= b.x or b.right <= a.x or a.bottom <= b.y or b.bottom <= a.y


def contains(ring: list[Point], point: Point) -> bool:
    inside = False
    for a, b in pairwise([*ring, ring[0]]):
        if (a.y > point.y) != (b.y > point.y) and point.x < a.x + (point.y - a.y) / (b.y - a.y) * (b.x - a.x):
            inside = not inside
    return inside


def leaves(curve: Curve, place: Place) -> float:
    """The direction, in degrees, in which a link is seen to leave a disc."""
    points = POINTS[curve.ends] if curve.ends[0] == place.name else POINTS[curve.ends][::-1]
    first = next(point for point in points if gap(point, place.at) >= place.radius + 2)
    return math.degrees(math.atan2(first.y - place.at.y, first.x - place.at.x))


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
        (curve.at(0), curve.at(1)) == (GEOMETRY.places[curve.ends[0]].at, GEOMETRY.places[curve.ends[1]].at)
        for curve in GEOMETRY.links
    )


def test_all_45_places_and_ten_regions_are_there() -> None:
    assert list(GEOMETRY.places) == [location.name for location in BOARD.locations]
    assert list(GEOMETRY.regions) == [region.name for region in BOARD.regions]
    assert all(" ".join(place.label.lines) == place.name for place in PLACES)


@pytest.mark.parametrize("curve", GEOMETRY.links, ids=lambda curve: "-".join(curve.ends))
def test_no_link_runs_under_a_third_disc(curve: Curve) -> None:
    for place in PLACES:
        if place.name not in curve.ends:
            assert min(gap(point, place.at) for point in POINTS[curve.ends]) - place.radius >= CLEARANCE, place.name


@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.name)
def test_links_of_a_place_leave_at_angles_that_can_be_told_apart(place: Place) -> None:
    directions = sorted(leaves(curve, place) for curve in GEOMETRY.links if place.name in curve.ends)
    around = [*directions, directions[0] + 360]
    assert min(b - a for a, b in pairwise(around)) >= SMALLEST_ANGLE


def test_no_two_discs_touch() -> None:
    for a, b in combinations(PLACES, 2):
        assert gap(a.at, b.at) - a.radius - b.radius >= BETWEEN_DISCS, (a.name, b.name)


def test_no_label_touches_a_disc() -> None:
    for name, box in LABELS.items():
        for place in PLACES:
            assert box.distance(place.at) - place.radius >= BESIDE_LABEL, (name, place.name)


def test_no_label_plate_track_or_legend_overlaps_another() -> None:
    for (a, one), (b, other) in combinations([*LABELS.items(), *PLATES.items(), *SIGNS.items()], 2):
        assert apart(one, other), (a, b)


def test_no_plate_track_or_legend_touches_a_disc() -> None:
    for name, box in (*PLATES.items(), *SIGNS.items()):
        for place in PLACES:
            assert box.distance(place.at) - place.radius >= BESIDE_LABEL, (name, place.name)


@pytest.mark.slow
def test_no_link_runs_through_a_label_plate_track_or_legend() -> None:
    crossed = [
        (name, curve.ends)
        for name, box in (*LABELS.items(), *PLATES.items(), *SIGNS.items())
        for curve in GEOMETRY.links
        if any(box.distance(point) == 0 for point in POINTS[curve.ends])
    ]
    assert crossed == []


def test_a_label_stands_beside_its_own_disc() -> None:
    for place in PLACES:
        assert place.label.box.distance(place.at) - place.radius <= 6, place.name


def test_everything_lies_on_the_canvas() -> None:
    canvas = GEOMETRY.canvas
    for box in (*LABELS.values(), *PLATES.values(), *SIGNS.values()):
        assert canvas.x <= box.x
        assert canvas.y <= box.y
        assert box.right <= canvas.right
        assert box.bottom <= canvas.bottom
    for point in (point for points in POINTS.values() for point in points):
        assert canvas.distance(point) == 0


@pytest.mark.parametrize("location", BOARD.locations, ids=lambda location: location.name)
def test_a_place_lies_in_its_region_and_near_its_real_place(location) -> None:  # type: ignore[no-untyped-def]
    place = GEOMETRY.places[location.name]
    region = GEOMETRY.regions[BOARD.regions[location.region].name]
    rings = [list(GEOMETRY.ring(ring)) for ring in region.rings]
    shore = min(gap(corner, place.at) for ring in rings for corner in ring)
    assert any(contains(ring, place.at) for ring in rings) or shore <= 10
    assert gap(place.at, real_place(location.lat, location.lon)) <= FROM_REAL_PLACE


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
    for place in PLACES:
        inside = [
            name
            for name, region in GEOMETRY.regions.items()
            if any(contains(list(GEOMETRY.ring(ring)), place.at) for ring in region.rings)
        ]
        assert len(inside) <= 1, place.name
