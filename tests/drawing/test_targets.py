"""What can be chosen: big enough for a finger, none in the way of another."""

import math
from itertools import combinations
from xml.etree import ElementTree

import pytest

from drawing.svg_reading import of_class
from franchise.drawing.geometry import GEOMETRY
from franchise.drawing.targets import BADGE, REACH, Target, around, badge_spots, covered, inside, targets_svg
from franchise.facts import BOARD

EVERYWHERE = [Target(name, None, "$3", f"Expand to {name} for $3") for name in GEOMETRY.places]


def drawn(*targets: Target) -> list[ElementTree.Element]:
    return of_class(ElementTree.fromstring(targets_svg(targets)), "target")


def circle(target: ElementTree.Element) -> tuple[tuple[float, float], float]:
    hit = of_class(target, "hit")[0]
    return (float(hit.get("cx", "")), float(hit.get("cy", ""))), float(hit.get("r", ""))


def test_hit_circles_never_overlap_and_hold_the_whole_disc() -> None:
    circles = {target.get("data-place"): circle(target) for target in drawn(*EVERYWHERE)}
    for (a, (at, reach)), (b, (there, far)) in combinations(circles.items(), 2):
        assert math.dist(at, there) >= reach + far - 0.02, (a, b)
    for name, place in GEOMETRY.places.items():
        assert circles[name][1] >= place.radius + 4, name


def test_a_target_alone_is_at_least_as_wide_as_a_finger() -> None:
    for target in EVERYWHERE:
        assert circle(drawn(target)[0])[1] >= REACH


def test_a_target_is_a_button_with_its_price_and_data() -> None:
    [target] = drawn(Target("St. Louis", None, "free", 'Expand to "St. Louis" <free>', {"move": "expand St. Louis 3"}))
    assert target.get("id") == "target-st-louis"
    assert (target.get("role"), target.get("tabindex")) == ("button", "0")
    assert target.get("aria-label") == 'Expand to "St. Louis" <free>'
    assert target.get("data-move") == "expand St. Louis 3"
    assert [text.text for text in target.iter("text")] == ["free"]
    assert len(of_class(target, "glow")) == 1


def test_a_price_can_be_left_out() -> None:
    [target] = drawn(Target("Reno", None, "", "Start in Reno"))
    assert not of_class(target, "badge")


def test_regions_are_targets_where_their_plates_lie() -> None:
    targets = drawn(*(Target(None, name, "10·8·5", name) for name in GEOMETRY.regions))
    for target, (name, region) in zip(targets, GEOMETRY.regions.items(), strict=True):
        hit = of_class(target, "hit")[0]
        assert target.get("data-region") == name
        assert float(hit.get("x", "")) <= region.plate.x
        assert float(hit.get("width", "")) >= region.plate.width


def test_a_target_without_place_and_region_is_refused() -> None:
    with pytest.raises(ValueError, match="a target is a place or a region"):
        targets_svg([Target(None, None, "$1", "nowhere")])


def test_prices_lie_on_the_canvas_and_cover_no_disc_name_plate_or_other_price() -> None:
    badges = {name: around(at, BADGE) for name, at in badge_spots().items()}
    assert set(badges) == set(BOARD.location_ids)
    for name, box in badges.items():
        assert inside(box, GEOMETRY.canvas)
        for other in GEOMETRY.places.values():
            if other.name != name:
                assert box.distance(other.at) >= other.radius, (name, other.name)
            assert covered(box, other.label.box) <= 2.5, (name, other.name)
        for region, outline in GEOMETRY.regions.items():
            assert covered(box, outline.plate) == 0, (name, region)
    for (a, one), (b, two) in combinations(badges.items(), 2):
        assert covered(one, two) == 0, (a, b)
