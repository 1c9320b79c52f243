"""What can be chosen: big enough for a finger, none in the way of another."""

import math
import re
from itertools import combinations
from xml.etree import ElementTree

import pytest

from drawing.svg_reading import of_class
from franchise import Game, Options
from franchise.drawing.callout import WIDEST, callout_box
from franchise.drawing.cuts import cut_named
from franchise.drawing.notes import NotePart
from franchise.drawing.targets import REACH, Target, targets_svg

CUT = cut_named("L")
EVERYWHERE = [Target(name, None, "$3", f"Expand to {name} for $3") for name in CUT.places]
NEW = Game(players=4, seed=1)


def drawn(*targets: Target, game: Game = NEW) -> list[ElementTree.Element]:
    return of_class(ElementTree.fromstring(targets_svg(game, targets)), "target")


def circle(target: ElementTree.Element) -> tuple[tuple[float, float], float]:
    hit = of_class(target, "hit")[0]
    return (float(hit.get("cx", "")), float(hit.get("cy", ""))), float(hit.get("r", ""))


def test_hit_circles_never_overlap_and_hold_the_whole_disc() -> None:
    circles = {target.get("data-place"): circle(target) for target in drawn(*EVERYWHERE)}
    for (a, (at, reach)), (b, (there, far)) in combinations(circles.items(), 2):
        assert math.dist(at, there) >= reach + far - 0.02, (a, b)
    for name, place in CUT.places.items():
        assert circles[name][1] >= place.reach + 4, name


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
    assert not of_class(target, "shield")


def test_regions_are_targets_where_their_plates_lie() -> None:
    targets = drawn(*(Target(None, name, "10·8·5", name) for name in CUT.plates))
    for target, (name, plate) in zip(targets, CUT.plates.items(), strict=True):
        hit = of_class(target, "hit")[0]
        assert target.get("data-region") == name
        assert float(hit.get("x", "")) <= plate.x
        assert float(hit.get("width", "")) >= plate.width


def test_a_target_without_place_and_region_is_refused() -> None:
    with pytest.raises(ValueError, match="a target is a place or a region"):
        targets_svg(NEW, [Target(None, None, "$1", "nowhere")])


def test_a_kind_of_target_that_does_not_exist_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="no kind of target 'sell'; choose one of expand, grow, boom"):
        drawn(Target("Reno", None, "$1", "Reno", kind="sell"))


def test_the_name_of_a_target_is_written_over_its_rings() -> None:
    root = ElementTree.fromstring(targets_svg(NEW, [Target("Denver", None, "$1", "Denver", kind="grow")]))
    assert [name.text for name in of_class(root, "name")] == ["Denver"]
    assert root[-1].get("class") == "names"


def started() -> Game:
    game = Game(players=4, seed=3)
    for move in ("start Reno", "start Fargo", "start Pueblo", "start Raleigh"):
        game.play(move)
    return game  # seat 0 stands in Raleigh


def test_the_link_to_a_target_is_lit_from_rim_to_rim() -> None:
    game = started()
    [target] = drawn(Target("Atlanta", None, "$0", "Atlanta", link=0), game=game)
    [route] = of_class(target, "route")
    numbers = [float(number) for number in re.findall(r"-?[\d.]+", of_class(route, "bed")[0].get("d", ""))]
    ends = [(numbers[0], numbers[1]), (numbers[-2], numbers[-1])]
    raleigh, atlanta = CUT.places["Raleigh"], CUT.places["Atlanta"]
    away = sorted((math.dist(end, raleigh.at), math.dist(end, atlanta.at)) for end in ends)
    assert CUT.town <= away[0][0] <= CUT.town + 6
    assert CUT.radii[5] <= away[1][1] <= CUT.radii[5] + 8


def test_lit_links_lie_below_every_price_and_below_the_sign_of_the_boom() -> None:
    game = Game(players=4, seed=3, options=Options(boom=True))
    for move in ("start Reno", "start Fargo", "start Pueblo", "start Raleigh", "boom Denver", "stay"):
        game.play(move)
    choices = [Target(name, None, f"${price}", name, link=price) for name, price in (("Atlanta", 0), ("Washington", 1))]
    root = ElementTree.fromstring(targets_svg(game, choices))
    assert [part.get("id") for part in root][:3] == ["routes", "target-atlanta", "target-washington"]
    assert [part.get("class") for part in root[0]] == ["route", "route", "boom"]


def test_no_link_is_lit_that_the_player_does_not_hold_an_end_of() -> None:
    [target] = drawn(Target("Denver", None, "$8", "Denver", link=8), game=started())
    assert not of_class(target, "route")


def test_the_piece_that_would_stand_there_is_drawn_in_the_players_shape() -> None:
    [target] = drawn(Target("Atlanta", None, "$0", "Atlanta"), game=started())
    assert len(of_class(target, "ghost")) == 1


def test_growing_has_rings_and_a_ticket_and_never_a_shield() -> None:
    [target] = drawn(Target("Denver", None, "$1", "Denver", kind="grow", gain="+7"))
    assert not of_class(target, "shield")
    assert [text.text for text in of_class(target, "ticket")[0].iter("text")] == ["$1", "+7"]
    [chosen] = drawn(Target("Denver", None, "✓", "Denver", kind="grow", chosen=True))
    assert chosen.get("aria-pressed") == "true"
    assert of_class(chosen, "glow")[0].get("class") == "glow chosen"  # one broad ring
    assert [text.text for text in of_class(chosen, "ticket")[0].iter("text")] == ["✓"]


def test_where_the_boom_may_go_there_are_bulbs_and_its_sign_to_come() -> None:
    [target] = drawn(Target("Denver", None, "", "Denver", kind="boom"), game=Game(4, 1, options=Options(boom=True)))
    assert len(of_class(target, "bulb-ring")) == len(of_class(target, "ghost")) == 1


def test_regions_that_the_end_of_the_turn_scores_are_framed() -> None:
    root = ElementTree.fromstring(targets_svg(NEW, [], scores=["Florida"]))
    [frame] = of_class(root, "scoring")
    assert frame.get("data-region") == "Florida"
    assert [text.text for text in frame.iter("text")] == ["scores"]
    [landing] = of_class(root, "landing")  # the tile that comes to the track
    assert [text.text for text in landing.iter("text")] == ["FLA", "+3"]  # where it goes, and what that space brings
    assert all(shape.get("opacity") is None for shape in landing), "what is written below does not shine through"


def test_a_note_is_one_line_on_the_picture_and_covers_no_other_target_and_no_name() -> None:
    others = tuple(CUT.places[name] for name in ("Denver", "Phoenix", "Dallas", "San Francisco", "New York"))
    for place in others:
        long, short = (callout_box(CUT, place, place.reach, width, others) for width in (WIDEST, 80.0))
        for box, _ in (long, short):
            assert CUT.size.holds(box), place.name
            assert all(box.distance(other.at) > other.reach for other in others), place.name
    boxes = {place: callout_box(CUT, place, place.reach, 110.0, (place,))[0] for place in CUT.places.values()}
    named = {place: [other for other in boxes if box.overlap(other.label.box) > 2] for place, box in boxes.items()}
    assert [place.name for place, covered in named.items() if set(covered) - {place}] == []
    words = NotePart("Denver is full, and with it a region")
    for note, texts in (
        ((NotePart("Denver"), NotePart("+2", "black"), NotePart("+4", "blue")), ["Denver", "+2", "+4"]),
        ((NotePart("Denver"), *[NotePart("+2", "black")] * 9), ["Denver", "+2", "+2", "+2", "…"]),
        ((words,), ["Denver is full, and with it a r…"]),
    ):
        [target] = drawn(Target("Denver", None, "$8", "Denver", note=note))
        [drawn_note] = of_class(target, "callout")
        assert [text.text for text in drawn_note.iter("text")] == texts
        box = drawn_note.find("rect")
        assert box is not None
        assert float(box.get("width", "0")) <= WIDEST
        pieces = [part.get("data-colour") for part in of_class(drawn_note, "piece")]
        assert pieces == ["black", "blue"][: len(pieces)] or pieces == ["black"] * len(pieces)
        assert len(pieces) == sum(text.startswith("+") for text in texts)


def test_targets_without_a_note_have_no_callout() -> None:
    assert not of_class(drawn(EVERYWHERE[0])[0], "callout")
