"""Region plates: who stands where, what is missing, nothing over the edge."""

import re
from itertools import pairwise
from typing import Any
from xml.etree import ElementTree

import pytest

from drawing.svg_reading import SVG, Shown, described, mid_game, of_class, parsed, texts
from franchise.drawing.board_words import WORDS
from franchise.drawing.cuts import SIZES, cut_named
from franchise.drawing.plates import SHORTER, ranked
from franchise.facts import BOARD, COLOURS

DIGIT = 0.56  # width of a digit, of its size
BULB = 3.2  # its radius


def plate(name: str, cut: str = "L", **row: Any) -> ElementTree.Element:
    view = mid_game()
    blank = {"scored": False, "blocked": False, "marker": None, "missing": [], "franchises": {}}
    view["regions"][name].update({**blank, **row})
    return next(e for e in of_class(parsed(Shown(view), cut=cut), "plate") if e.get("data-region") == name)


def test_leaders_come_first() -> None:
    texas = plate("Texas", franchises={"blue": 1, "red": 4, "orange": 0, "black": 2})
    assert [(e.get("data-colour"), *texts(e)) for e in of_class(texas, "standing")] == [
        ("red", "4"),
        ("black", "2"),
        ("blue", "1"),
    ]
    assert "standings: red 4, black 2, blue 1" in described(texas)


@pytest.mark.clause("2.19")
def test_ties_are_shown_as_they_would_be_broken() -> None:
    tied = {"blue": 2, "red": 2, "orange": 3, "black": 2}
    assert [colour for colour, _ in ranked(tied, None)] == ["orange", "blue", "red", "black"]
    assert [colour for colour, _ in ranked(tied, "red")] == ["orange", "red", "black", "blue"]
    assert [colour for colour, _ in ranked(tied, "black")] == ["orange", "black", "blue", "red"]


def test_what_is_missing_to_score_is_counted_and_named() -> None:
    texas = plate("Texas", missing=["Dallas", "El Paso"])
    assert [(e.get("data-count"), *texts(e)) for e in of_class(texas, "open")] == [("2", "2")]
    assert "still open (2): Dallas, El Paso" in described(texas)


def test_a_scored_region_is_ticked_off_and_looks_closed() -> None:
    texas = plate("Texas", scored=True, franchises={"blue": 3})
    assert "scored" in texas.get("class", "").split()
    assert not of_class(texas, "open")
    assert [e.text for e in of_class(texas, "done")] == ["✓"]
    assert float(of_class(texas, "board")[0].get("height", "")) == cut_named("L").plates["Texas"].height - SHORTER
    assert described(texas).endswith("standings: blue 3; scored")


def test_a_region_nobody_has_reached_says_so() -> None:
    assert WORDS["nobody"] in texts(plate("Texas"))


def test_a_region_waits_for_its_tile() -> None:
    texas = plate("Texas", tile=None, kind=None, values=None, missing=["Dallas"])
    assert not of_class(texas, "value")
    assert described(texas) == "Texas: no tile yet; still open (1): Dallas"


@pytest.mark.parametrize("values", [[10, 8, 5], [-3, 0, -1]])
@pytest.mark.parametrize("size", SIZES)
def test_all_on_a_plate_lies_on_it_and_apart(size: str, values: list[int]) -> None:
    crowd = dict(zip(COLOURS, (12, 10, 4, 2, 1), strict=True))
    kind = "count" if min(values) < 0 else "plain"
    row = {"franchises": crowd, "marker": "black", "missing": ["Dallas"], "values": values, "kind": kind}
    full = plate("Texas", cut=size, **row)
    box = cut_named(size).plates["Texas"]
    rows: dict[bool, list[tuple[float, float]]] = {}
    for element in full.iter():
        if element.tag.endswith("text") and element.get("class") in ("value", "count"):
            width = DIGIT * float(element.get("font-size", "")) * len(element.text or "")
            left = float(element.get("x", "")) - (0 if element.get("text-anchor") == "start" else width / 2)
            rows.setdefault(element.get("class") == "value", []).append((left, left + width))
            assert box.y < float(element.get("y", "")) < box.bottom - 1
    for spans in rows.values():
        assert spans[0][0] > box.x
        assert spans[-1][1] < box.right
        assert all(right < left for (_, right), (left, _) in pairwise(spans))


def test_the_red_zone_is_named_and_spoken() -> None:
    root = parsed(Shown(mid_game()))
    track = of_class(root, "track")[0]
    assert WORDS["red_zone_short"] in texts(track)
    spoken = [WORDS["red_zone"] in described(space) for space in of_class(track, "track-space")]
    assert spoken == [space + 1 >= BOARD.red_zone_from for space in range(len(BOARD.region_track))]


@pytest.mark.parametrize(("tiles", "lit"), [(0, 0), (5, 0), (6, 1), (7, 1)])
def test_the_red_zone_lights_up_when_the_game_may_end_this_round(tiles: int, lit: int) -> None:
    view = mid_game()
    view["track"] = [region.name for region in BOARD.regions][:tiles]
    for size in SIZES:
        root = parsed(Shown(view), cut=size)
        alarms = of_class(root, "alarm")
        assert len(alarms) == lit
        [track] = of_class(root, "track")
        word = next(e for e in track.iter(f"{SVG}text") if e.text == WORDS["red_zone_short"])
        for alarm in alarms:
            rows = [
                float(y) for path in alarm.iter(f"{SVG}path") for y in re.findall(r"M\S+ (\S+?)h", str(path.get("d")))
            ]
            assert float(word.get("y", "0")) + 1 < min(rows) - BULB, "no bulb covers a letter"
