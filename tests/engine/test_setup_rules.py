"""Section 1: what lies on the table before the first turn."""

from collections import Counter
from math import factorial

import pytest

from franchise import Game, Options, SetupError
from franchise.engine.layout import EventKind
from franchise.engine.setups import drawn_order
from franchise.facts import BOARD, COLOURS
from text_positions import happened, legal, play, player, position

OUT_OF_PLAY = ["California", "Upper West", "Montana"]
REGION_TILES = {
    "California": [5, 4, 2],
    "Grand Canyon": [10, 8, 5],
    "Upper West": [7, 6, 1],
    "Montana": [8, 5, 4],
    "Great Lakes": [6, 4, 2],
    "New York": [6, 5, 4],
    "Washington": [5, 3, 2],
    "Florida": [10, 6, 3],
    "Central": [4, 3, 1],
    "Texas": [5, 4, 2],
}
STARTS = ("Huntsville", "Ogallala", "Memphis", "Raleigh", "El Paso")  # towns in play with any number of players


def started(players: int) -> Game:
    """A game in its first turn."""
    game = Game(players)
    play(game, ";".join(f"start {town}" for town in STARTS[:players]))
    return game


@pytest.mark.clause("1.1")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_two_to_five_players_sit_in_the_order_of_their_colours(players: int) -> None:
    seats = Game(players).view()["players"]
    assert [seat["colour"] for seat in seats] == ["blue", "red", "orange", "black", "beige"][:players]


@pytest.mark.clause("1.1")
@pytest.mark.parametrize("players", [0, 1, 6, -2, True, 4.0, "4", None])
def test_no_other_number_of_players_is_accepted(players: object) -> None:
    with pytest.raises(SetupError, match="2 to 5 players"):
        Game(players)  # type: ignore[arg-type]


@pytest.mark.clause("1.1")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_turns_go_clockwise_from_the_first_player(players: int) -> None:
    game = started(players)
    seats = []
    for _ in range(players - 1):
        seats.append(game.current_player)
        play(game, "done; end")
    seats.append(game.current_player)
    # an expansion keeps the game from ending after a round without one
    game.play(next(action for action in game.legal_actions() if action.verb == "expand"))
    play(game, "done; end")
    seats.append(game.current_player)
    assert seats == [*range(players), 0]


@pytest.mark.clause("1.2")
def test_the_board_has_25_cities_and_20_towns_in_ten_regions() -> None:
    locations = Game().view()["locations"].values()
    assert Counter(location["kind"] for location in locations) == {"city": 25, "town": 20}
    assert {location["region"] for location in locations} == set(REGION_TILES)


@pytest.mark.clause("1.2")
def test_107_links_cost_0_1_3_5_or_8_dollars() -> None:
    prices = Counter(link.price for link in BOARD.links)
    assert prices.total() == 107
    assert sorted(prices) == [0, 1, 3, 5, 8]


@pytest.mark.clause("1.2")
def test_the_board_is_one_piece() -> None:
    links = Game().rules[0].links
    found, edge = {0}, [0]
    while edge:
        place = edge.pop()
        near = {other for other in range(45) if any(int(mask) >> other & 1 for mask in links[place])}
        edge += near - found
        found |= near
    assert found == set(range(45))


@pytest.mark.clause("1.3")
def test_the_printed_city_tiles_and_their_spaces() -> None:
    cities = [location for location in Game().view()["locations"].values() if location["kind"] == "city"]
    assert Counter(city["size"] for city in cities) == {2: 4, 3: 3, 4: 8, 5: 5, 6: 2, 7: 2, 8: 1}
    assert all(city["spaces"] == [None] * city["size"] for city in cities)


@pytest.mark.clause("1.3")
def test_a_town_has_one_space() -> None:
    towns = [location for location in Game().view()["locations"].values() if location["kind"] == "town"]
    assert {town["size"] for town in towns} == {1}


@pytest.mark.clause("1.4")
def test_each_region_has_its_tile_with_three_values() -> None:
    regions = Game().view()["regions"]
    assert {name: region["values"] for name, region in regions.items()} == REGION_TILES
    assert all(region["tile"] == name for name, region in regions.items())


@pytest.mark.clause("1.5")
@pytest.mark.parametrize("players", [2, 3])
def test_with_two_or_three_players_three_regions_are_out_of_play(players: int) -> None:
    game = Game(players)
    view = game.view()
    assert view["track"] == OUT_OF_PLAY
    assert [name for name, region in view["regions"].items() if region["blocked"]] == OUT_OF_PLAY
    for location in view["locations"].values():
        assert location["blocked"] == (location["region"] in OUT_OF_PLAY)
    assert set(game.setup.city_tiles) == {
        name
        for name, place in view["locations"].items()
        if place["kind"] == "city" and place["region"] not in OUT_OF_PLAY
    }


@pytest.mark.clause("1.5")
@pytest.mark.parametrize("players", [4, 5])
def test_with_four_or_five_players_everything_is_in_play(players: int) -> None:
    view = Game(players).view()
    assert view["track"] == []
    assert not any(location["blocked"] for location in view["locations"].values())
    assert not any(region["blocked"] or region["scored"] for region in view["regions"].values())


@pytest.mark.clause("1.5")
def test_nobody_earns_the_track_bonuses_of_the_regions_out_of_play() -> None:
    view = started(2).view()
    assert [seat["influence"] for seat in view["players"]] == [0, 0]
    assert not any(region["scored"] for region in view["regions"].values())


@pytest.mark.clause("1.5", "2.4")
def test_blocked_locations_cannot_be_expanded_to() -> None:
    drawn = """
        Salt Lake City: blue
        Minneapolis: blue
        blue cash 20
    """
    assert legal(position(drawn, players=3), "expand") == [
        "expand Flagstaff 0",
        "expand Denver 1",
        "expand Chicago 3",
        "expand Pittsburgh 3",
    ]
    assert legal(position(drawn, players=4), "expand") == [
        "expand Flagstaff 0",
        "expand Portland 0",
        "expand Pocatello 0",
        "expand Fargo 0",
        "expand San Francisco 1",
        "expand Denver 1",
        "expand Billings 3",
        "expand Chicago 3",
        "expand Pittsburgh 3",
    ]


@pytest.mark.clause("1.6")
@pytest.mark.parametrize(
    ("players", "money", "tiles"),
    [(2, [2, 4], 4), (3, [2, 3, 5], 4), (4, [3, 4, 6, 8], 3), (5, [3, 4, 5, 7, 9], 3)],
)
def test_each_player_starts_with_40_franchises_money_by_seat_and_bonus_tiles(
    players: int, money: list[int], tiles: int
) -> None:
    seats = Game(players).view()["players"]
    assert [seat["cash"] for seat in seats] == money
    for seat in seats:
        assert (seat["supply"], seat["bonus_tiles"], seat["influence"], seat["towns"]) == (40, tiles, 0, 0)


@pytest.mark.clause("1.7")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_starting_franchises_are_put_in_reverse_seat_order(players: int) -> None:
    game = Game(players)
    events = play(game, ";".join(f"start {town}" for town in STARTS[:players]))
    assert [(colour, town) for colour, town, _ in happened(events, EventKind.START)] == [
        (COLOURS[players - 1 - number], STARTS[number]) for number in range(players)
    ]
    assert game.current_player == 0
    assert game.phase == "expand"
    locations = game.view()["locations"]
    assert [locations[town]["spaces"] for town in STARTS[:players]] == [
        [COLOURS[players - 1 - number]] for number in range(players)
    ]
    assert {seat["supply"] for seat in game.view()["players"]} == {39}


@pytest.mark.clause("1.7")
def test_only_free_towns_can_be_chosen_to_start() -> None:
    game = Game(4)
    towns = [name for name, place in game.view()["locations"].items() if place["kind"] == "town"]
    assert legal(game, "start") == [f"start {town}" for town in towns]
    game.play("start Reno")
    towns.remove("Reno")
    assert [str(action) for action in game.legal_actions()] == [f"start {town}" for town in towns]


@pytest.mark.clause("1.5", "1.7")
def test_blocked_towns_cannot_be_chosen_to_start() -> None:
    game = Game(3)
    regions = {game.view()["locations"][move.removeprefix("start ")]["region"] for move in legal(game, "start")}
    assert regions == set(REGION_TILES) - set(OUT_OF_PLAY) - {"New York"}  # the region New York has no town


@pytest.mark.clause("1.8")
@pytest.mark.parametrize(
    ("players", "towns"),
    [
        (2, ["Pueblo Indianapolis", "Montgomery Ogallala"]),
        (3, ["Flagstaff Little_Rock", "Pueblo Indianapolis", "Montgomery Ogallala"]),
        (4, ["El_Paso Las_Vegas", "Pueblo Indianapolis", "Reno Little_Rock", "Montgomery Ogallala"]),
        (
            5,
            ["Memphis Spokane", "El_Paso Las_Vegas", "Pueblo Indianapolis", "Reno Little_Rock", "Montgomery Ogallala"],
        ),
    ],
)
def test_the_introductory_game_gives_everyone_two_towns_and_leaves_the_money(players: int, towns: list[str]) -> None:
    game = Game(players, options=Options(introductory=True))
    view = game.view()
    for colour, given in zip(COLOURS, towns, strict=False):
        for town in given.split():
            assert view["locations"][town.replace("_", " ")]["spaces"] == [colour]
    assert {seat["towns"] for seat in view["players"]} == {2}
    assert {seat["supply"] for seat in view["players"]} == {38}
    money = [seat["cash"] for seat in Game(players).view()["players"]]
    money[0] += 1  # the first turn has begun
    assert [seat["cash"] for seat in view["players"]] == money
    assert (game.current_player, game.phase, game.turn) == (0, "expand", 1)
    assert len(happened(game.opening(), EventKind.START)) == 2 * players


@pytest.mark.clause("1.9")
def test_money_is_public() -> None:
    game = position("""
        blue cash 7
        red cash 0
        orange cash 31
        black cash 12
    """)
    assert [seat["cash"] for seat in game.view()["players"]] == [7, 0, 31, 12]


@pytest.mark.clause("1.9")
def test_the_bank_never_runs_out() -> None:
    game = position("""
        blue cash 1000000
        red cash 1000000
        orange cash 1000000
        black cash 1000000
        black to grow
    """)
    events = play(game, "cash; end")
    assert happened(events, EventKind.CASH) == [("black", None, 10)]
    assert happened(events, EventKind.INCOME) == [("blue", None, 1)]
    assert [player(game, colour)["cash"] for colour in ("blue", "black")] == [1000001, 1000010]


@pytest.mark.clause("1.1")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_whoever_seats_people_draws_the_order_and_every_order_can_be_drawn(players):
    orders = [tuple(drawn_order(players, seed)) for seed in range(1500)]
    assert {tuple(sorted(order)) for order in orders} == {tuple(range(players))}
    assert len(set(orders)) == factorial(players)
    firsts = Counter(order[0] for order in orders)
    assert max(firsts.values()) < 1.3 * min(firsts.values())
    assert drawn_order(players, 7) == drawn_order(players, 7)
