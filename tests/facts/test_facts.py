"""The facts of the board load, and facts that contradict the rules do not."""

import copy
import tomllib
from collections import Counter
from collections.abc import Callable
from importlib.resources import files
from typing import Any

import pytest

from franchise.facts import BOARD, COLOURS, MILESTONES, PRICES
from franchise.facts.loader import TILE_CLASSES, TILE_COUNTS, FactsError, load, read, tile_class

Data = dict[str, Any]


def parsed(name: str) -> Data:
    return tomllib.loads(files("franchise.facts").joinpath(name).read_text(encoding="utf-8"))


def test_the_facts_load_and_are_the_same_every_time() -> None:
    assert load() == BOARD


def test_locations_regions_and_tiles_are_numbered_by_position() -> None:
    assert [location.id for location in BOARD.locations] == list(range(45))
    assert [region.id for region in BOARD.regions] == list(range(10))
    assert {BOARD.locations[number].name: number for number in range(45)} == BOARD.location_ids
    assert {BOARD.regions[number].name: number for number in range(10)} == BOARD.region_ids
    assert {BOARD.tiles[number].id: number for number in range(30)} == BOARD.tile_ids


def test_printed_region_tiles_carry_the_names_of_their_regions() -> None:
    assert [tile.id for tile in BOARD.tiles[:10]] == [region.name for region in BOARD.regions]
    assert [tile.id for tile in BOARD.tiles[10:]] == [f"N{number}" for number in range(1, 21)]


def test_towns_and_cities_share_out_the_locations() -> None:
    assert sorted(BOARD.towns + BOARD.cities) == list(range(45))
    assert (len(BOARD.towns), len(BOARD.cities)) == (20, 25)
    assert {BOARD.locations[town].size for town in BOARD.towns} == {1}
    assert Counter(BOARD.locations[city].size for city in BOARD.cities) == TILE_COUNTS


def test_towns_are_cheap_to_reach_and_cities_dear() -> None:
    for link in BOARD.links:
        touches_town = any(end in BOARD.towns for end in link.ends)
        assert link.price in ((0, 1) if touches_town else (3, 5, 8))
        assert link.ends[0] != link.ends[1]


def test_the_constants_of_the_rules() -> None:
    assert COLOURS == ("blue", "red", "orange", "black", "beige")
    assert PRICES == (0, 1, 3, 5, 8)
    assert tuple("abcdefg") == MILESTONES


def test_every_city_tile_has_one_back() -> None:
    assert sorted(size for sizes in TILE_CLASSES for size in sizes) == list(range(2, 9))
    assert [tile_class(size) for size in range(2, 9)] == [0, 0, 1, 1, 1, 2, 2]


@pytest.mark.parametrize(("players", "blocked"), [(2, 14), (3, 14), (4, 0), (5, 0)])
def test_the_locations_out_of_play_by_number_of_players(players: int, blocked: int) -> None:
    assert len(BOARD.blocked(players)) == blocked
    assert {BOARD.regions[BOARD.locations[place].region].name for place in BOARD.blocked(players)} == (
        {"California", "Upper West", "Montana"} if blocked else set()
    )


def one_city_less(board: Data, new: Data) -> None:
    board["location"][0] |= {"kind": "town", "size": 1}


def two_locations_of_one_name(board: Data, new: Data) -> None:
    board["location"][2]["name"] = "Reno"


def a_city_of_another_size(board: Data, new: Data) -> None:
    board["location"][0]["size"] = 5


def a_region_more(board: Data, new: Data) -> None:
    board["region"].append({"name": "Alaska", "values": [1, 1, 1], "states": []})


def a_track_space_less(board: Data, new: Data) -> None:
    board["charts"]["region_track"].pop()


def a_link_less(board: Data, new: Data) -> None:
    board["links"].pop()


def a_link_twice(board: Data, new: Data) -> None:
    near, other, price = board["links"][0]
    board["links"][1] = [other, near, price]


def a_link_to_nowhere(board: Data, new: Data) -> None:
    board["links"][0][0] = "Atlantis"


def a_chart_less(board: Data, new: Data) -> None:
    del board["charts"]["income"]


def a_dear_link_to_a_town(board: Data, new: Data) -> None:
    board["links"][0][2] = 3


def a_cheap_link_between_cities(board: Data, new: Data) -> None:
    board["links"][-1][2] = 1


def two_tiles_of_one_name(board: Data, new: Data) -> None:
    new["tile"][0]["id"] = "N2"


def a_tile_of_another_kind(board: Data, new: Data) -> None:
    new["tile"][0]["kind"] = "road"


def money_for_too_few_players(board: Data, new: Data) -> None:
    board["charts"]["starting_money"]["4"].pop()


def an_income_chart_out_of_order(board: Data, new: Data) -> None:
    board["charts"]["income"]["5"].reverse()


def an_introductory_town_twice(board: Data, new: Data) -> None:
    board["introductory"]["4"][0] = ["Reno", "Las Vegas"]


def an_introductory_town_out_of_play(board: Data, new: Data) -> None:
    board["introductory"]["2"][0] = ["Reno", "Indianapolis"]


def an_introductory_city(board: Data, new: Data) -> None:
    board["introductory"]["2"][0] = ["Chicago", "Indianapolis"]


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (one_city_less, "25 cities and 20 towns"),
        (two_locations_of_one_name, "'Las Vegas' is missing or unknown"),
        (a_link_to_nowhere, "'Atlantis' is missing or unknown"),
        (a_chart_less, "'income' is missing or unknown"),
        (a_city_of_another_size, "city tiles"),
        (a_region_more, "ten regions and ten track spaces"),
        (a_track_space_less, "ten regions and ten track spaces"),
        (a_link_less, "107 links"),
        (a_link_twice, "every link once"),
        (a_dear_link_to_a_town, r"a price among \(0, 1\), not a link of \$3"),
        (a_cheap_link_between_cities, r"a price among \(3, 5, 8\), not a link of \$1"),
        (two_tiles_of_one_name, "thirty region tiles with different names"),
        (a_tile_of_another_kind, "the kinds of the twenty new region tiles"),
        (money_for_too_few_players, "starting money for 4"),
        (an_income_chart_out_of_order, "income chart for 5"),
        (an_introductory_town_twice, "introductory towns for 4"),
        (an_introductory_town_out_of_play, "introductory towns for 2"),
        (an_introductory_city, "introductory towns for 2"),
    ],
    ids=lambda value: value.__name__ if callable(value) else "",
)
def test_facts_that_contradict_the_rules_are_refused(spoil: Callable[[Data, Data], None], message: str) -> None:
    board, new = parsed("board.toml"), parsed("new_regions.toml")
    assert read(copy.deepcopy(board), copy.deepcopy(new)) == BOARD
    spoil(board, new)
    with pytest.raises(FactsError, match=f"the board files are wrong: (expected )?{message}"):
        read(board, new)
