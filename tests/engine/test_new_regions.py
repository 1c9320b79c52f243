"""RULES 8, the New Regions module."""

import random
from itertools import product

import pytest

from franchise import Event, Game, IllegalAction, Options, SetupError
from franchise.engine.layout import FAR, EventKind
from franchise.engine.reasons import why_not
from franchise.engine.setups import NEW_TILES, PRINTED_TILES, printed_sizes
from franchise.facts import BOARD, COLOURS, MILESTONES
from text_positions import TWO_REGIONS, position

ALL_PLAYERS = pytest.mark.parametrize("players", [2, 3, 4, 5])
CHOSEN = ("N1", "N11", "N14", "N16", "N19", "N20", "Texas", "Florida", "Central", "Montana")


def with_tiles(text: str, players: int = 4, milestones: bool = False, **tiles: str) -> Game:
    """A drawn position with those tiles on the regions; `New_York="N11"` names the region New York."""
    options = Options(
        expert="arranged",
        regions="mixed",
        milestones=milestones,
        region_tiles={region.replace("_", " "): tile for region, tile in tiles.items()},
    )
    return position(text, players, options)


def new_york(tile: str, more: str = "", players: int = 4) -> tuple[Game, list[Event]]:
    """Blue scores the region New York: there red has 3 franchises, blue 2, orange and black 1 each."""
    seats = "red red orange black" if players > 3 else "red red"
    game = with_tiles(
        f"""
        New York: {seats} blue scored
        Pittsburgh: red
        New York marker red
        blue cash 10
        red cash 10
        Chicago: blue
        {more}
        blue to expand
        """,
        players,
        New_York=tile,
    )
    game.play("expand Pittsburgh 5")
    game.play("done")
    return game, game.play("end")


def gains(events: list[Event], *kinds: EventKind) -> dict[str, int]:
    """Amounts by colour of the events of those kinds."""
    return {COLOURS[event.seat]: event.amount for event in events if event.kind in kinds}


# --- 8.1 Which tiles --------------------------------------------------------------------------------------------------


@pytest.mark.clause("8.1")
@ALL_PLAYERS
@pytest.mark.parametrize(
    ("regions", "pool"),
    [("mixed", {*PRINTED_TILES, *NEW_TILES}), ("new", set(NEW_TILES)), ("chosen", set(CHOSEN))],
)
def test_ten_different_tiles_of_the_chosen_pool_lie_on_the_regions(regions, pool, players):
    chosen = CHOSEN if regions == "chosen" else ()
    seen = set()
    for seed in range(60):
        tiles = Game(players, seed, Options(regions=regions, chosen_tiles=chosen)).setup.region_tiles
        assert list(tiles) == [region.name for region in BOARD.regions]
        assert len(set(tiles.values())) == 10
        seen |= set(tiles.values())
    assert seen == pool


@pytest.mark.clause("8.1")
@pytest.mark.parametrize("regions", ["mixed", "new", "chosen"])
def test_the_seed_decides_where_the_tiles_lie(regions):
    options = Options(regions=regions, chosen_tiles=CHOSEN if regions == "chosen" else ())
    first, second, third = (Game(4, seed, options).setup.region_tiles for seed in (1, 1, 2))
    assert first == second
    assert first != third


@pytest.mark.clause("8.1")
def test_without_the_module_every_region_has_its_printed_tile():
    assert all(region == tile for region, tile in Game(4, 1).setup.region_tiles.items())
    assert "special_tiles" not in Game(4, 1).view()


@pytest.mark.clause("8.1")
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"regions": "chosen"}, "chosen_tiles: choose ten region tiles, not 0"),
        ({"regions": "chosen", "chosen_tiles": CHOSEN[:9]}, "chosen_tiles: choose ten region tiles, not 9"),
        ({"regions": "chosen", "chosen_tiles": (*CHOSEN, "N2")}, "chosen_tiles: choose ten region tiles, not 11"),
        ({"regions": "chosen", "chosen_tiles": (*CHOSEN[:9], "N1")}, "region tile N1 is there 2 times"),
        ({"regions": "chosen", "chosen_tiles": (*CHOSEN[:9], "N21")}, "'N21' is not a region tile of this game"),
        ({"regions": "new", "chosen_tiles": CHOSEN}, 'chosen_tiles need regions="chosen"'),
        ({"regions": "old"}, "option regions is one of mixed, new, chosen, not 'old'"),
        (
            {"regions": "new", "expert": "arranged", "region_tiles": {"Texas": "Florida"}},
            "region_tiles: 'Florida' is not a tile this game can use",
        ),
        (
            {"regions": "new", "expert": "arranged", "region_tiles": {"Texas": "N1", "Florida": "N1"}},
            "region tile N1 is there 2 times",
        ),
    ],
)
def test_a_choice_of_tiles_that_is_not_possible_is_refused_and_told_why(options, message):
    with pytest.raises(SetupError) as refusal:
        Game(4, 1, Options(**options))
    assert str(refusal.value) == message


@pytest.mark.clause("8.1")
@pytest.mark.clause("1.5")
def test_with_two_players_three_of_the_ten_lie_on_the_track_unused():
    game = Game(2, 1, Options(regions="new"))
    view = game.view()
    assert view["track"] == ["California", "Upper West", "Montana"]
    assert all(view["regions"][region]["tile"] in NEW_TILES for region in view["track"])


# --- 8.2 Dollar tiles -------------------------------------------------------------------------------------------------


@pytest.mark.clause("8.2")
@pytest.mark.parametrize(("tile", "values"), [("N11", (12, 8, 4)), ("N12", (10, 6, 3)), ("N13", (8, 6, 4))])
def test_a_dollar_tile_pays_the_ranks_in_dollars_and_not_in_influence(tile, values):
    game, events = new_york(tile)
    assert gains(events, EventKind.DOLLARS) == {
        "red": values[0],
        "blue": values[1],
        "orange": values[2],
        "black": values[2],
    }
    assert gains(events, EventKind.RANK) == {}
    assert gains(events, EventKind.TRACK) == {"blue": 3}
    # Pittsburgh filled without a majority: half of 2 for red, who stood there first
    assert game.state[0].influence.tolist() == [3, 1, 0, 0, 0]
    assert game.state[0].cash[0] == 10 - 5 + values[1]
    assert game.state[0].cash[2] == BOARD.starting_money[4][2] + values[2]


@pytest.mark.clause("8.2")
@pytest.mark.clause("2.18")
def test_with_two_players_the_second_takes_the_third_amount_of_dollars():
    _, events = new_york("N11", players=2)
    assert gains(events, EventKind.DOLLARS) == {"red": 12, "blue": 4}


# --- 8.3 Bonus tiles --------------------------------------------------------------------------------------------------


@pytest.mark.clause("8.3")
@pytest.mark.parametrize(("tile", "others"), [("N14", (4, 2)), ("N15", (3, 1))])
def test_the_first_on_a_bonus_tile_gains_three_and_takes_back_a_used_bonus_tile(tile, others):
    game, events = new_york(tile, "red bonus 1")
    assert gains(events, EventKind.RANK) == {"red": 3, "blue": others[0], "orange": others[1], "black": others[1]}
    assert gains(events, EventKind.BONUS_BACK) == {"red": 0}
    assert game.view()["players"][1]["bonus_tiles"] == 2
    assert game.view()["players"][0]["bonus_tiles"] == 3


@pytest.mark.clause("8.3")
def test_without_a_used_bonus_tile_there_is_none_to_take_back():
    game, events = new_york("N14", "red bonus 3")
    assert gains(events, EventKind.RANK)["red"] == 3
    assert gains(events, EventKind.BONUS_BACK) == {}
    assert game.view()["players"][1]["bonus_tiles"] == 3


@pytest.mark.clause("8.3")
@pytest.mark.clause("6.1")
@pytest.mark.parametrize(("bonus", "reserve", "back"), [(0, 2, 1), (1, 1, 1), (1, 2, 0), (0, 3, 0), (0, 0, 1)])
def test_bonus_tiles_in_reserve_are_not_used_ones(bonus, reserve, back):
    game = with_tiles(
        f"""
        New York: red red blue scored
        Pittsburgh: blue
        New York marker red
        red bonus {bonus}
        red reserve {reserve}
        blue cash 1
        blue to grow
        """,
        milestones=True,
        New_York="N14",
    )
    game.rules[0].milestones = 1 << MILESTONES.index("g")
    game.play("grow Pittsburgh")
    events = game.play("end")
    assert gains(events, EventKind.RANK) == {"red": 3, "blue": 4}
    assert len(gains(events, EventKind.BONUS_BACK)) == back
    assert game.view()["players"][1]["bonus_tiles"] == bonus + back
    assert game.view()["players"][1]["reserve"] == reserve


@pytest.mark.clause("8.3")
def test_a_bonus_tile_taken_back_can_be_used_from_the_next_turn_on():
    game, _ = new_york("N14", "red bonus 0")
    assert game.current_player == 1
    game.play("cash")  # red's next turn
    assert game.view()["players"][1]["bonus_tiles"] == 0


# --- 8.4 Count tiles --------------------------------------------------------------------------------------------------


@pytest.mark.clause("8.4")
@pytest.mark.parametrize(
    ("tile", "track", "ranks"),
    [
        ("N16", 0, (2, 0, 0)),  # 0 + 2, 0 + 0, 0 - 2
        ("N16", 1, (3, 1, 0)),
        ("N16", 5, (7, 5, 3)),
        ("N17", 0, (3, 1, 0)),
        ("N17", 4, (7, 5, 3)),
        ("N18", 0, (1, 0, 0)),
        ("N18", 2, (3, 2, 1)),
    ],
)
def test_a_count_tile_pays_the_tiles_on_the_track_plus_or_minus_its_number_never_below_nothing(tile, track, ranks):
    _, events = new_york(tile, f"track {track}")
    assert gains(events, EventKind.RANK) == {"red": ranks[0], "blue": ranks[1], "orange": ranks[2], "black": ranks[2]}


@pytest.mark.clause("8.4")
def test_a_count_tile_is_not_yet_on_the_track_when_it_counts():
    game, events = new_york("N18")
    kinds = [event.kind for event in events]
    assert kinds.index(EventKind.RANK) < kinds.index(EventKind.TRACK)
    assert gains(events, EventKind.RANK)["red"] == 1  # no tile lies there: 0 + 1
    assert game.view()["track"] == ["New York"]


@pytest.mark.clause("8.4")
@pytest.mark.clause("1.5")
def test_the_tiles_of_regions_out_of_play_lie_on_the_track_and_count():
    _, events = new_york("N17", players=3)
    assert gains(events, EventKind.RANK) == {"red": 6, "blue": 4}


# --- 8.5 The expansion tile -------------------------------------------------------------------------------------------


def owning(tile: str, text: str, players: int = 4, milestones: bool = False) -> Game:
    """A position in which blue owns the road or the expansion tile."""
    game = with_tiles(text, players, milestones, Florida="N19", Texas="N20")
    game.state[0][tile] = 0
    return game


def moves_of(game: Game, *verbs: str) -> set[str]:
    return {str(action) for action in game.legal_actions() if action.verb in verbs}


@pytest.mark.clause("8.5")
def test_the_first_on_the_expansion_tile_gains_five_and_the_expansion_tile():
    game, events = new_york("N19")
    assert gains(events, EventKind.RANK) == {"red": 5, "blue": 4, "orange": 2, "black": 2}
    assert gains(events, EventKind.EXPANSION_TILE) == {"red": 0}
    assert game.view()["special_tiles"]["expansion"] == {"owner": "red", "used": False}
    assert "far Denver" in moves_of(game, "far")  # red's next turn


@pytest.mark.clause("8.5")
def test_who_gains_the_expansion_tile_in_their_own_turn_uses_it_from_the_next_turn_on():
    game = with_tiles(
        """
        New York: blue blue scored
        New York marker blue
        Pittsburgh: blue
        Memphis: red
        blue cash 20
        blue to expand
        """,
        players=2,
        New_York="N19",
    )
    assert moves_of(game, "far") == set()
    for move in ("done", "grow Pittsburgh", "end"):
        game.play(move)
    assert game.view()["special_tiles"]["expansion"]["owner"] == "blue"
    assert moves_of(game, "far") == set()  # red's turn
    for move in ("expand St. Louis 0", "done", "end"):
        game.play(move)
    assert "far Denver" in moves_of(game, "far")


@pytest.mark.clause("8.5")
def test_a_far_expansion_goes_to_a_location_that_is_not_directly_linked_and_pays_all_links():
    game = owning("expansion", "Boise: blue\nblue cash 9\nblue to expand")
    near = {"Spokane", "Pocatello", "Seattle", "Casper"}
    far = {move.removeprefix("far ") for move in moves_of(game, "far")}
    assert not far & near
    assert "Boise" not in far
    events = game.play("far Denver")  # Boise – Pocatello $0 – Denver $1
    assert gains(events, EventKind.FAR) == {"blue": 1}
    assert game.view()["players"][0]["cash"] == 8
    assert game.view()["markers"] == ["Denver"]
    game.play("done")
    game.play("end")
    assert game.view()["locations"]["Denver"]["spaces"] == ["blue", None, None, None]


@pytest.mark.clause("8.5")
@pytest.mark.clause("2.5")
def test_a_far_expansion_cannot_cost_more_than_the_money_there_is():
    def cheapest(target: str) -> int:
        """Dollars of the cheapest way from Raleigh, link by link."""
        best = {BOARD.location_ids["Raleigh"]: 0}
        for _ in BOARD.locations:
            for link in BOARD.links:
                for source, other in (link.ends, link.ends[::-1]):
                    if source in best:
                        best[other] = min(best.get(other, 999), best[source] + link.price)
        return best[BOARD.location_ids[target]]

    for cash in (0, 3, 7):
        game = owning("expansion", f"Raleigh: blue\nblue cash {cash}\nblue to expand")
        near = {"Atlanta", "Charleston", "Washington", "Raleigh"}
        expected = {place.name for place in BOARD.locations if place.name not in near and cheapest(place.name) <= cash}
        assert moves_of(game, "far") == {f"far {name}" for name in expected}
    with pytest.raises(IllegalAction, match=r"the cheapest route to Boise costs \$\d+, but you have \$7"):
        game.play("far Boise")


@pytest.mark.clause("8.5")
@pytest.mark.clause("2.4")
def test_a_far_expansion_needs_a_target_that_takes_a_franchise():
    game = owning(
        "expansion",
        """
        Raleigh: blue
        Boise: red
        Omaha: red scored
        Chicago: blue
        blue cash 99
        blue to expand
        """,
    )
    for place, reason in {
        "Boise": "the town Boise is taken",
        "Omaha": "Omaha has been scored",
        "Chicago": "you already have a franchise in Chicago",
        "Detroit": "Detroit is directly linked to one of your locations",
    }.items():
        assert f"far {place}" not in moves_of(game, "far")
        with pytest.raises(IllegalAction, match=reason):
            game.play(f"far {place}")
    assert "far Denver" in moves_of(game, "far")


@pytest.mark.clause("8.5")
def test_the_way_may_lead_over_taken_towns_and_scored_cities():
    open_way = owning("expansion", "Boise: blue\nblue cash 1\nblue to expand")
    taken = owning("expansion", "Boise: blue\nPocatello: red\nblue cash 1\nblue to expand")
    assert "far Denver" in moves_of(open_way, "far")
    assert "far Denver" in moves_of(taken, "far")


@pytest.mark.clause("8.5")
@pytest.mark.clause("1.5")
def test_the_way_leads_over_locations_in_play_only():
    four = owning("expansion", "Salt Lake City: blue\nblue cash 99\nblue to expand", players=4)
    two = owning("expansion", "Salt Lake City: blue\nblue cash 99\nblue to expand", players=2)
    assert {"far Seattle", "far Los Angeles"} <= moves_of(four, "far")
    blocked = {BOARD.locations[place].name for place in BOARD.blocked(2)}
    assert not {move.removeprefix("far ") for move in moves_of(two, "far")} & blocked
    with pytest.raises(IllegalAction, match="Seattle is out of play with this number of players"):
        two.play("far Seattle")
    # four: over Pocatello, Boise, Casper, Sioux Falls; two: over Flagstaff, Phoenix, Pueblo, Oklahoma City, Ogallala
    dollars = [gains(game.play("far Chicago"), EventKind.FAR)["blue"] for game in (four, two)]
    assert dollars == [2, 4]


@pytest.mark.clause("8.5")
def test_the_expansion_tile_stands_for_the_first_expansion_and_leaves_the_game():
    game = owning("expansion", "Boise: blue\nblue cash 30\nblue to expand")
    game.play("far Denver")
    assert moves_of(game, "far", "expand") == set()
    assert game.view()["special_tiles"]["expansion"] == {"owner": None, "used": True}
    game.play("again Casper 1")  # the second expansion starts from Boise
    assert game.view()["markers"] == ["Denver", "Casper"]


@pytest.mark.clause("8.5")
def test_the_expansion_tile_is_not_for_a_second_expansion():
    game = owning("expansion", "Boise: blue\nblue cash 30\nblue to expand")
    game.play("expand Casper 1")
    assert moves_of(game, "far") == set()
    with pytest.raises(IllegalAction, match="the expansion tile replaces the first expansion of a turn"):
        game.play("far Denver")


@pytest.mark.clause("8.5")
def test_without_the_expansion_tile_nobody_expands_far():
    game = owning("road", "Boise: blue\nblue cash 30\nblue to expand")
    assert moves_of(game, "far") == set()
    with pytest.raises(IllegalAction, match="you do not have the expansion tile"):
        game.play("far Denver")


@pytest.mark.clause("8.5")
@pytest.mark.clause("4.5")
def test_a_far_expansion_needs_a_franchise_in_supply():
    game = owning("expansion", "Boise: blue\nblue supply 0\nblue cash 30\nblue to expand")
    assert moves_of(game, "far", "expand") == set()
    with pytest.raises(IllegalAction, match="you have no franchise left in supply"):
        game.play("far Denver")


def ways(start: str) -> dict[str, tuple[int, int]]:
    """Dollars and $8 links of the best way to every location, found by trying all simple extensions of known ways."""
    neighbours: dict[int, list[tuple[int, int]]] = {place.id: [] for place in BOARD.locations}
    for link in BOARD.links:
        for source, other in (link.ends, link.ends[::-1]):
            neighbours[source].append((other, link.price))
    best = {BOARD.location_ids[start]: (0, 0)}
    waiting = [BOARD.location_ids[start]]
    while waiting:
        place = waiting.pop()
        for other, price in neighbours[place]:
            way = (best[place][0] + price, best[place][1] + (price == 8))
            if other not in best or way < best[other]:
                best[other] = way
                waiting.append(other)
    return {BOARD.locations[place].name: way for place, way in best.items()}


@pytest.mark.clause("8.5")
@pytest.mark.parametrize("start", ["Jacksonville", "Chicago", "Oklahoma City", "Los Angeles", "Atlanta", "Houston"])
def test_a_far_expansion_takes_the_cheapest_way_which_on_this_board_never_has_an_eight_dollar_link(start):
    for target, (dollars, eights) in ways(start).items():
        game = owning("expansion", f"{start}: blue\nblue cash 99\nblue to expand", milestones=True)
        if f"far {target}" in moves_of(game, "far"):
            assert gains(game.play(f"far {target}"), EventKind.FAR) == {"blue": dollars}
            assert game.view()["players"][0]["eights"] == eights == 0


@pytest.mark.clause("8.5")
@pytest.mark.clause("6.3")
def test_the_eight_dollar_links_of_a_far_expansion_count_for_milestone_g():
    """On the printed board no cheapest way has one, so the table of ways is changed: two of them to Denver."""
    game = owning("expansion", "Raleigh: blue\nblue cash 20\nblue to expand", milestones=True)
    game.rules[0].milestones = 1 << MILESTONES.index("g")
    game.rules[0].far[0, BOARD.location_ids["Raleigh"], BOARD.location_ids["Denver"]] = 17 * FAR + 2
    events = game.play("far Denver")
    assert gains(events, EventKind.FAR) == {"blue": 17}
    assert gains(events, EventKind.EIGHT) == {"blue": 2}
    assert [event.where for event in events if event.kind == EventKind.MILESTONE] == ["g"]
    assert game.view()["players"][0]["cash"] == 3


# --- 8.6 The road tile ------------------------------------------------------------------------------------------------


@pytest.mark.clause("8.6")
def test_the_first_on_the_road_tile_gains_six_and_the_road_tile():
    game, events = new_york("N20", "Memphis: red")
    assert gains(events, EventKind.RANK) == {"red": 6, "blue": 4, "orange": 2, "black": 2}
    assert gains(events, EventKind.ROAD_TILE) == {"red": 0}
    assert game.view()["special_tiles"]["road"] == {"owner": "red", "used": False}
    assert "expand Washington 1 free" in moves_of(game, "expand")  # red's next turn


@pytest.mark.clause("8.6")
def test_with_the_road_tile_one_link_is_not_paid():
    game = owning("road", "Chicago: blue\nblue cash 0\nblue to expand")
    prices = {3: "Detroit Minneapolis", 5: "Omaha Pittsburgh", 1: "Ogallala"}
    offered = moves_of(game, "expand")
    assert offered >= {f"expand {name} {price} free" for price, names in prices.items() for name in names.split()}
    assert offered >= {f"expand {name} 8 free" for name in ("New York", "Phoenix", "Kansas City")}
    assert all(move.endswith(" free") for move in offered)
    events = game.play("expand New York 8 free")
    assert gains(events, EventKind.EXPAND) == {"blue": 0}
    assert gains(events, EventKind.ROAD) == {"blue": 8}
    assert game.view()["players"][0]["cash"] == 0
    assert game.view()["special_tiles"]["road"] == {"owner": None, "used": True}


@pytest.mark.clause("8.6")
def test_the_road_tile_pays_for_the_second_expansion_too_but_only_for_one_link():
    game = owning("road", "Chicago: blue\nblue cash 8\nblue to expand")
    game.play("expand New York 8")
    game.play("again Phoenix 8 free")
    assert game.view()["players"][0]["cash"] == 0
    assert game.view()["players"][0]["bonus_tiles"] == 2
    game = owning("road", "Chicago: blue\nblue cash 8\nblue to expand")
    game.play("expand New York 8 free")
    assert moves_of(game, "again") >= {"again Phoenix 8", "again Detroit 3"}
    assert not any(move.endswith(" free") for move in moves_of(game, "again"))
    with pytest.raises(IllegalAction, match="you do not have the road tile"):
        game.play("again Phoenix 8 free")


@pytest.mark.clause("8.6")
@pytest.mark.clause("6.3")
def test_an_eight_dollar_link_that_is_not_paid_was_used_all_the_same():
    game = owning("road", "Chicago: blue\nblue cash 8\nblue to expand", milestones=True)
    game.play("expand New York 8 free")
    assert game.view()["players"][0]["eights"] == 1


@pytest.mark.clause("8.6")
def test_the_road_tile_is_not_spent_on_a_link_that_costs_nothing():
    game = owning("road", "Boise: blue\nblue cash 0\nblue to expand")
    assert moves_of(game, "expand") == {
        "expand Spokane 0",
        "expand Pocatello 0",
        "expand Seattle 1 free",
        "expand Casper 1 free",
    }


@pytest.mark.clause("8.6")
@pytest.mark.clause("8.5")
def test_the_road_tile_pays_for_one_link_of_a_far_expansion_and_both_tiles_are_used():
    game = owning("expansion", "Boise: blue\nblue cash 0\nblue to expand")
    game.state[0].road = 0
    assert "far Denver" not in moves_of(game, "far")  # $1 more than there is
    events = game.play("far Denver free")
    assert gains(events, EventKind.FAR) == {"blue": 0}
    assert gains(events, EventKind.ROAD) == {"blue": 1}
    view = game.view()
    assert view["markers"] == ["Denver"]
    assert view["special_tiles"]["expansion"] == {"owner": None, "used": True}
    assert game.state[0].road == -2


@pytest.mark.clause("8.6")
def test_a_way_that_costs_nothing_takes_no_road_tile():
    game = owning("expansion", "Boise: blue\nblue cash 9\nblue to expand")
    game.state[0].road = 0
    far = moves_of(game, "far")
    paid = {move for move in far if not move.endswith("free")}
    assert "far Salt Lake City" in paid  # over $0 links all the way
    assert "far Salt Lake City free" not in far
    assert {f"{move} free" for move in paid if int(dollars_of(game, move)) > 0} == far - paid
    with pytest.raises(IllegalAction, match="the cheapest route to Salt Lake City costs nothing"):
        game.play("far Salt Lake City free")


@pytest.mark.clause("8.6")
def test_a_far_expansion_with_a_free_link_needs_both_tiles():
    game = owning("expansion", "Boise: blue\nblue cash 9\nblue to expand")
    with pytest.raises(IllegalAction, match="you do not have the road tile"):
        game.play("far Denver free")
    game = owning("road", "Boise: blue\nblue cash 9\nblue to expand")
    with pytest.raises(IllegalAction, match="you do not have the expansion tile"):
        game.play("far Denver free")


@pytest.mark.clause("8.6")
@pytest.mark.parametrize("start", ["Boise", "Atlanta", "New York", "Chicago"])
def test_the_free_link_is_the_one_that_leaves_least_to_pay(start):
    """Every way is tried that has one link free, by walking the board in two layers."""
    game = owning("expansion", f"{start}: blue\nblue cash 60\nblue to expand")
    game.state[0].road = 0
    best = {(start, False): (0, 0)}  # (place, whether a link was free): dollars, $8 links
    for _, link, free in product(BOARD.locations, BOARD.links, (False, True)):
        for here, there in (link.ends, link.ends[::-1]):
            if (BOARD.locations[here].name, free) in best:
                dollars, eights = best[BOARD.locations[here].name, free]
                ways = [(free, dollars + link.price)] if free else [(False, dollars + link.price), (True, dollars)]
                for used, cost in ways:
                    place = (BOARD.locations[there].name, used)
                    best[place] = min(best.get(place, (999, 0)), (cost, eights + (link.price == 8)))
    for move in moves_of(game, "far"):
        name = move.removeprefix("far ").removesuffix(" free")
        after = game.copy()
        events = after.play(move)
        dollars, eights = best[name, move.endswith("free")]
        assert gains(events, EventKind.FAR) == {"blue": dollars}
        assert after.state[0].eights[0] == eights


def dollars_of(game: Game, move: str) -> int:
    """What a far expansion costs."""
    return gains(game.copy().play(move), EventKind.FAR)["blue"]


@pytest.mark.clause("8.6")
def test_an_eight_dollar_link_of_the_way_counts_though_it_is_not_paid():
    game = owning("expansion", "Raleigh: blue\nblue cash 20\nblue to expand", milestones=True)
    game.state[0].road = 0
    game.rules[0].milestones = 1 << MILESTONES.index("g")
    game.rules[0].far[1, BOARD.location_ids["Raleigh"], BOARD.location_ids["Denver"]] = 1 * FAR + 1
    events = game.play("far Denver free")
    assert gains(events, EventKind.FAR) == {"blue": 1}
    assert gains(events, EventKind.EIGHT) == {"blue": 1}


@pytest.mark.clause("8.6")
def test_only_the_owner_uses_the_road_tile():
    game = owning("road", "Boise: blue\nChicago: red\nred cash 9\nred to expand")
    assert not any(move.endswith("free") for move in moves_of(game, "expand"))
    with pytest.raises(IllegalAction, match="you do not have the road tile"):
        game.play("expand Detroit 3 free")


# --- 8.7, 8.8 ---------------------------------------------------------------------------------------------------------


@pytest.mark.clause("8.7")
def test_there_are_twenty_new_tiles_of_six_kinds():
    kinds = [tile.kind for tile in BOARD.tiles[10:]]
    assert len(NEW_TILES) == 20
    assert {kind: kinds.count(kind) for kind in kinds} == {
        "plain": 10,
        "dollars": 3,
        "bonus": 2,
        "count": 3,
        "expansion": 1,
        "road": 1,
    }


@pytest.mark.clause("8.7")
@pytest.mark.parametrize("tile", [tile for tile in BOARD.tiles if tile.kind == "plain"], ids=lambda tile: tile.id)
def test_a_plain_tile_pays_the_influence_printed_on_it(tile):
    _, events = new_york(tile.id)
    first, second, third = tile.values
    assert gains(events, EventKind.RANK) == {"red": first, "blue": second, "orange": third, "black": third}


def two_regions(**tiles: str) -> Game:
    """Red, who holds both alone, ends a turn that completes New York and Florida; New York comes first on the board."""
    game = with_tiles(
        TWO_REGIONS,
        **tiles,
    )
    game.play("grow Jacksonville")
    game.play("grow Pittsburgh")
    return game


@pytest.mark.clause("8.8")
@pytest.mark.parametrize("first", ["New York", "Florida"])
def test_with_a_count_tile_the_active_player_chooses_the_region_scored_next(first):
    game = two_regions(New_York="N16", Florida="N17")  # plus 2 and plus 3
    second = "Florida" if first == "New York" else "New York"
    events = game.play("end")
    assert EventKind.REGION not in {event.kind for event in events}
    assert (game.phase, game.current_player, game.over) == ("score", 1, False)
    assert [str(action) for action in game.legal_actions()] == ["score New York", "score Florida"]
    events = game.play(f"score {first}")
    values = {"New York": 2, "Florida": 3}
    scored = [(event.where, event.amount) for event in events if event.kind == EventKind.RANK]
    assert scored == [(first, 2 + values[first]), (second, 3 + values[second])]  # the last one needs no choice
    assert game.view()["track"][2:] == [first, second]
    assert (game.phase, game.current_player) == ("expand", 2)


@pytest.mark.clause("8.8")
def test_one_count_tile_is_enough_for_a_choice_and_a_region_that_does_not_wait_is_none():
    game = two_regions(Florida="N16")
    game.play("end")
    assert [why_not(game.rules[0], game.state[0], action) for action in game.legal_actions()] == [None, None]
    with pytest.raises(IllegalAction, match="Texas is not waiting to be scored"):
        game.play("score Texas")
    with pytest.raises(IllegalAction, match="it is now phase 5, where the active player chooses the region scored"):
        game.play("end")
    assert moves_of(game, "score") == {"score New York", "score Florida"}


@pytest.mark.clause("8.8")
@pytest.mark.clause("2.20")
def test_without_a_count_tile_regions_are_scored_in_board_order_without_asking():
    game = two_regions(New_York="N1", Florida="N2", Texas="N16")
    game.play("end")
    assert game.view()["track"][2:] == ["New York", "Florida"]
    assert (game.phase, game.current_player) == ("expand", 2)


@pytest.mark.clause("8.8")
def test_a_count_tile_alone_leaves_nothing_to_choose():
    game, events = new_york("N16")
    assert EventKind.REGION in {event.kind for event in events}
    assert game.phase == "expand"
    with pytest.raises(IllegalAction, match="regions are scored automatically, unless a count tile makes their order"):
        game.play("score New York")


@pytest.mark.clause("8.8")
@ALL_PLAYERS
@pytest.mark.parametrize("introductory", [False, True])
@pytest.mark.parametrize("expert", [None, "draft", "random", "arranged"])
def test_the_modules_combine_freely_with_each_other_and_with_every_set_up(players, introductory, expert):
    options = Options(introductory=introductory, expert=expert, milestones=True, boom=True, regions="new")
    game = Game(players, 1, options)
    rng = random.Random(players)
    events = game.opening()
    while game.turn < 3 * players and not game.over:
        events += game.play(rng.choice(game.legal_actions()))
    starts = [(event.seat, event.place) for event in events if event.kind == EventKind.START]
    given = [(seat, town) for seat, towns in enumerate(BOARD.introductory[players]) for town in towns]
    assert (starts == given) == introductory
    assert len(starts) == players * (1 + introductory)
    kinds = [event.kind for event in events]
    assert kinds.count(EventKind.CITY_TILE) == (len(printed_sizes(players)) if expert == "draft" else 0)
    assert kinds.count(EventKind.REGION_TILE) == len(game.setup.draft_tiles)
    assert EventKind.BOOM in kinds
    assert len(game.setup.milestones) == BOARD.milestone_tiles[players]
    assert all(data["tile"] in NEW_TILES for data in game.view()["regions"].values())
