"""The committed cuts keep what players ask of a map of any size: nothing hides anything else, and all can be read."""

import math
from itertools import combinations

import pytest

from drawing.svg_reading import SVG, parsed
from franchise import Game, Options
from franchise.drawing.cuts import SIZES, Cut, cut_named, cut_of, cuts
from franchise.drawing.geometry import Box, Point
from franchise.drawing.shields import outline
from franchise.facts import BOARD

BETWEEN_DISCS = 4.0
SHIELD, TICKET = (30.0, 27.0), (56.0, 22.0)
TOUCH = 2.0  # pixels by which a price may touch a name
SMALLEST = {"L": 12.0, "M": 11.0, "S": 11.0}  # text on the map
SMALLEST_NUMBER = 13.0
SAMPLES = 200

every_cut = pytest.mark.parametrize("cut", cuts().values(), ids=lambda cut: cut.name)


def signs(cut: Cut) -> dict[str, Box]:
    return {**cut.plates, "track": cut.track, "legend": cut.legend}


@every_cut
def test_all_places_regions_and_links_in_play_are_there(cut: Cut) -> None:
    out = set(BOARD.out_of_play[2]) if cut.closed else set()
    places = [place for place in BOARD.locations if place.region not in out]
    assert list(cut.places) == [place.name for place in places]
    assert set(cut.plates) == {region.name for region in BOARD.regions if region.id not in out}
    inside = {place.id for place in places}
    assert len(cut.links) == sum(set(link.ends) <= inside for link in BOARD.links)
    assert all(" ".join(place.label.lines) == name for name, place in cut.places.items())


@every_cut
def test_no_two_discs_touch(cut: Cut) -> None:
    for a, b in combinations(cut.places.values(), 2):
        assert math.dist(a.at, b.at) - a.reach - b.reach >= BETWEEN_DISCS, (a.name, b.name)


@every_cut
def test_no_name_lies_on_a_disc_a_sign_or_another_name(cut: Cut) -> None:
    for place in cut.places.values():
        box = place.label.box
        assert cut.size.holds(box), place.name
        assert [other.name for other in cut.places.values() if box.distance(other.at) < other.reach] == [], place.name
        assert [name for name, sign in signs(cut).items() if box.overlap(sign)] == [], place.name
    for a, b in combinations(cut.places.values(), 2):
        assert not a.label.box.overlap(b.label.box), (a.name, b.name)


@every_cut
def test_no_link_runs_through_a_name(cut: Cut) -> None:
    for curve in cut.links:
        points = [curve.at(i / SAMPLES) for i in range(SAMPLES + 1)]
        for place in cut.places.values():
            box = place.label.box.grown(-1)
            assert not any(box.distance(point) == 0 for point in points), (curve.ends, curve.price, place.name)


@every_cut
def test_a_name_stands_beside_its_own_disc(cut: Cut) -> None:
    for place in cut.places.values():
        assert place.label.box.distance(place.at) - place.reach <= 14, place.name


@every_cut
def test_a_name_is_nearer_to_its_own_disc_than_to_any_other(cut: Cut) -> None:
    for place in cut.places.values():
        own = place.label.box.distance(place.at) - place.reach
        others = [
            place.label.box.distance(other.at) - other.reach for other in cut.places.values() if other is not place
        ]
        assert own <= min(others), place.name


@every_cut
def test_the_sign_of_a_special_tile_covers_no_name(cut: Cut) -> None:
    for region, plate in cut.plates.items():
        sign = Box.around(Point(plate.right - 3, plate.y + 1), 24, 24)
        assert [place.name for place in cut.places.values() if place.label.box.overlap(sign)] == [], region


@every_cut
def test_no_plate_track_or_legend_lies_on_a_disc_or_another_or_beyond_the_edge(cut: Cut) -> None:
    for name, sign in signs(cut).items():
        assert cut.size.holds(sign), name
        assert all(sign.distance(place.at) >= place.reach + 2 for place in cut.places.values()), name
    for (a, sign), (b, other) in combinations(signs(cut).items(), 2):
        assert not sign.overlap(other), (a, b)


@every_cut
def test_prices_and_tickets_cover_no_name_no_other_disc_and_no_sign(cut: Cut) -> None:
    for place in cut.places.values():
        prices = [Box.around(place.shield, *SHIELD)]
        if place.is_city:
            prices.append(Box.around(place.ticket, *TICKET))
        for box in prices:
            assert cut.size.holds(box), place.name
            assert [o.name for o in cut.places.values() if box.overlap(o.label.box) > TOUCH] == [], place.name
            hidden = [o.name for o in cut.places.values() if o is not place and box.distance(o.at) < o.reach]
            assert hidden == [], place.name
            assert [name for name, sign in signs(cut).items() if box.overlap(sign)] == [], place.name


@every_cut
def test_no_two_prices_cover_each_other(cut: Cut) -> None:
    for a, b in combinations(cut.places.values(), 2):
        assert Box.around(a.shield, *SHIELD).overlap(Box.around(b.shield, *SHIELD)) <= TOUCH, (a.name, b.name)


@every_cut
def test_a_link_hardly_touches_a_third_disc(cut: Cut) -> None:
    least = -2.0 if cut.name == "S" else 1.5
    for curve in cut.links:
        points = [curve.at(i / SAMPLES) for i in range(SAMPLES + 1)]
        for place in cut.places.values():
            if place.name not in curve.ends:
                away = min(math.dist(point, place.at) for point in points) - place.reach
                assert away >= least, (curve.ends, place.name)


@every_cut
def test_a_boom_sign_lies_on_the_picture_and_on_no_other_city(cut: Cut) -> None:
    for place in cut.places.values():
        if place.is_city:
            left = place.boom.x if place.boom_side > 0 else place.boom.x - 76
            box = Box(left, place.boom.y - 15, 76, 30)
            assert cut.size.holds(box), place.name
            others = [other for other in cut.places.values() if other is not place and other.is_city]
            covered = [other.name for other in others if box.distance(other.at) < other.reach]
            assert covered == [], place.name


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("players", [2, 5])
def test_no_text_on_the_map_is_small_and_no_number_smaller(size: str, players: int) -> None:
    game = Game(players=players, seed=3, options=Options(boom=True, regions="mixed") if players == 5 else Options())
    for text in parsed(game, panels=False, cut=size).iter(f"{SVG}text"):
        height = float(text.get("font-size", "0"))
        assert height >= SMALLEST[size], text.text
        if (text.text or "").strip("+−±$").isdecimal():
            assert height >= SMALLEST_NUMBER, text.text


@every_cut
def test_a_disc_grows_with_its_tile_and_shrinks_when_scored(cut: Cut) -> None:
    radii = [cut.radii[size] for size in range(2, 9)]
    assert radii == sorted(radii)
    chicago = cut.places["Chicago"]
    assert cut.radius(chicago, 7, scored=True) == pytest.approx(0.82 * cut.radii[7])
    assert cut.radius(chicago, 0) == cut.radii[8]  # no tile yet: room for the largest of its class
    assert cut.radius(cut.places["Memphis"], 1) == cut.town


def test_two_and_three_players_get_the_cut_of_the_land_in_play() -> None:
    names = {players: cut_of(Game(players=players, seed=1).view(), "L").name for players in (2, 3, 4, 5)}
    assert names == {2: "L-few", 3: "L-few", 4: "L", 5: "L"}
    assert BOARD.out_of_play[2] == BOARD.out_of_play[3]


def test_a_cut_that_does_not_exist_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="no cut 'XL'; choose one of L, M, S"):
        cut_named("XL")


def test_a_shield_grows_with_its_price() -> None:
    assert outline(1.0) != outline(1.2)
