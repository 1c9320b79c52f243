"""RULES 7, the Boom module."""

import pytest

from franchise import Game, IllegalAction, Options
from franchise.engine.layout import EventKind, Kind
from franchise.facts import BOARD
from text_positions import position

BOOM = Options(boom=True)
ALL_PLAYERS = pytest.mark.parametrize("players", [2, 3, 4, 5])


def moves_of(game: Game) -> set[str]:
    return {str(action) for action in game.legal_actions()}


def reached(game: Game) -> set[str]:
    """Cities the boom marker can move to now."""
    return {BOARD.locations[action.place].name for action in game.legal_actions() if action.kind == Kind.BOOM}


# --- 7.1 Placing ------------------------------------------------------------------------------------------------------


@pytest.mark.clause("7.1")
@ALL_PLAYERS
@pytest.mark.parametrize("introductory", [False, True])
def test_after_the_starting_franchises_the_first_player_puts_the_boom_marker_beside_any_city_in_play(
    players, introductory
):
    game = Game(players, 1, Options(boom=True, introductory=introductory))
    for town in ("Memphis", "Raleigh", "Pueblo", "Montgomery", "El Paso")[: 0 if introductory else players]:
        assert game.phase == "start"
        game.play(f"start {town}")
    assert (game.phase, game.current_player, game.turn) == ("boom", 0, 0)
    assert game.view()["boom"] is None
    cities = {BOARD.locations[city].name for city in BOARD.cities if city not in BOARD.blocked(players)}
    assert moves_of(game) == {f"boom {city}" for city in cities}
    events = game.play("boom Denver")
    assert [event.kind for event in events] == [EventKind.BOOM, EventKind.TURN]
    assert game.view()["boom"] == "Denver"
    assert (game.phase, game.current_player, game.turn) == ("boom", 0, 1)


@pytest.mark.clause("7.1")
def test_without_the_module_there_is_no_boom_marker():
    game = Game(4, 1)
    assert "boom" not in game.view()
    while game.turn == 0:
        game.play(game.legal_actions()[0])
    assert game.phase == "expand"


# --- 7.2 Moving -------------------------------------------------------------------------------------------------------


@pytest.mark.clause("7.2")
def test_the_boom_marker_may_stay_and_income_follows():
    game = position("Denver: blue\nblue cash 0\nboom Denver\nblue to boom", options=BOOM)
    assert "stay" in moves_of(game)
    events = game.play("stay")
    assert [event.kind for event in events] == [EventKind.INCOME]
    assert game.phase == "expand"
    assert game.view()["boom"] == "Denver"


@pytest.mark.clause("7.2")
def test_the_boom_marker_moves_before_income():
    game = position("Pittsburgh: blue\nNew York: blue\nblue cash 0\nboom Pittsburgh\nblue to boom", options=BOOM)
    before = game.view()["players"][0]["income"]
    assert before == 3  # 7 + 1 empty spaces, and 1 again: 9
    events = game.play("boom New York")
    assert [event.kind for event in events] == [EventKind.BOOM, EventKind.INCOME]
    assert game.view()["players"][0]["cash"] == 5  # 7 + 1, and 7 again: 15


@pytest.mark.clause("7.2")
def test_the_boom_marker_moves_over_one_link_or_through_towns():
    game = position("Reno: red\nboom Pittsburgh\nblue to boom", options=BOOM)
    # links lead to New York, Minneapolis, Charlotte and Chicago; Indianapolis to Charlotte, Detroit and St. Louis
    assert reached(game) == {"New York", "Minneapolis", "Charlotte", "Chicago", "Detroit", "St. Louis"}


@pytest.mark.clause("7.2")
def test_the_boom_marker_passes_through_several_towns_in_a_row():
    game = position("boom Casper\nblue to boom", options=BOOM)
    # Casper – Boise – Pocatello – Salt Lake City – Flagstaff is a chain of towns
    assert {"Las Vegas", "Boise", "Flagstaff"} & reached(game) == set()
    assert {"Phoenix", "San Francisco", "Portland", "Seattle", "Denver", "Los Angeles", "Albuquerque"} <= reached(game)


@pytest.mark.clause("7.2")
def test_the_boom_marker_does_not_pass_through_an_unscored_city_but_through_a_scored_one():
    blocked = position("New York: red\nboom Pittsburgh\nblue to boom", options=BOOM)
    assert "Charleston" not in reached(blocked)
    through = position("New York: red scored\nboom Pittsburgh\nblue to boom", options=BOOM)
    assert reached(through) - reached(blocked) == {"Charleston"}
    assert "New York" in reached(blocked) & reached(through)


@pytest.mark.clause("7.2")
def test_occupied_towns_can_be_passed_too():
    empty = position("boom Pittsburgh\nblue to boom", options=BOOM)
    taken = position("Indianapolis: red\nboom Pittsburgh\nblue to boom", options=BOOM)
    assert reached(taken) == reached(empty)


@pytest.mark.clause("7.2")
def test_the_boom_marker_of_a_scored_city_stays_or_leaves():
    game = position("New York: red scored\nboom New York\nblue to boom", options=BOOM)
    assert "stay" in moves_of(game)
    assert {"Pittsburgh", "Detroit", "Chicago"} <= reached(game)
    game.play("stay")
    assert game.view()["boom"] == "New York"


@pytest.mark.clause("7.2")
def test_every_turn_begins_with_the_boom_marker():
    game = Game(2, 1, BOOM)
    for move in ("start Raleigh", "start Memphis", "boom Denver", "stay", "done"):
        game.play(move)
    events = game.play("end")
    assert [event.kind for event in events] == [EventKind.TURN]
    assert (game.phase, game.current_player, game.turn) == ("boom", 1, 2)
    cash = game.view()["players"][1]["cash"]
    game.play("boom Phoenix")
    assert game.view()["players"][1]["cash"] == cash + 1


# --- 7.3 Income -------------------------------------------------------------------------------------------------------


@pytest.mark.clause("7.3")
@pytest.mark.parametrize(
    ("boom", "income"),
    [
        ("Denver", 1),  # not there: 1 empty space (Pittsburgh)
        ("Pittsburgh", 2),  # 1 + 1
    ],
)
def test_the_empty_spaces_of_the_boom_city_count_double_for_those_who_are_there(boom, income):
    game = position(f"Pittsburgh: blue\nReno: blue\nblue cash 0\nboom {boom}\nblue to boom", options=BOOM)
    assert game.view()["players"][0]["income"] == income
    game.play("stay")
    assert game.view()["players"][0]["cash"] == income


@pytest.mark.clause("7.3")
def test_the_spaces_are_counted_double_not_the_income():
    game = position("Washington: blue red\nOmaha: blue\nblue cash 0\nboom Washington\nblue to boom", options=BOOM)
    game.play("stay")  # 4 + 3, and 4 again: 11 empty spaces pay $4
    assert game.view()["players"][0]["cash"] == 4
    assert game.view()["players"][0]["empty_spaces"] == 7


@pytest.mark.clause("7.3")
def test_a_scored_boom_city_has_no_empty_spaces_to_double():
    game = position("Washington: blue red scored\nblue cash 0\nboom Washington\nblue to boom", options=BOOM)
    game.play("stay")
    assert game.view()["players"][0]["cash"] == 1


# --- 7.4 Ruling -------------------------------------------------------------------------------------------------------


@pytest.mark.clause("7.4")
def test_a_scored_city_is_a_target_too_where_the_marker_helps_nobody():
    text = "Pittsburgh: red\nNew York: red blue scored\nblue cash 0\nred cash 0\nboom Pittsburgh\nblue to boom"
    game = position(text, options=BOOM)
    income = game.view()["players"][1]["income"]
    game.play("boom New York")
    assert game.view()["boom"] == "New York"
    players = game.view()["players"]
    assert players[0]["cash"] == 1  # blue: no empty space counts
    assert players[1]["income"] < income  # denied to red
    assert (
        players[1]["income"] == position(text.replace("boom Pittsburgh", "boom Denver")).view()["players"][1]["income"]
    )


@pytest.mark.clause("7.4")
def test_the_marker_cannot_move_to_where_it_is():
    game = position("boom Pittsburgh\nblue to boom", options=BOOM)
    assert "Pittsburgh" not in reached(game)
    with pytest.raises(IllegalAction, match="the boom marker is already in Pittsburgh; write stay"):
        game.play("boom Pittsburgh")


@pytest.mark.clause("7.4")
@pytest.mark.parametrize("players", [2, 3])
def test_blocked_locations_are_neither_target_nor_passage(players):
    game = position("boom Phoenix\nblue to boom", players, BOOM)
    # Los Angeles is linked and San Francisco is behind Flagstaff, both out of play. Pueblo leads to Oklahoma City
    assert reached(game) == {"Chicago", "Dallas", "Denver", "Albuquerque", "Oklahoma City"}
    with pytest.raises(IllegalAction, match="Los Angeles is out of play with this number of players"):
        game.play("boom Los Angeles")
    with pytest.raises(IllegalAction, match="New York has no direct connection to Phoenix"):
        game.play("boom New York")
    wide = reached(position("boom Phoenix\nblue to boom", 4, BOOM))
    assert wide > reached(game)
    assert {"Los Angeles", "San Francisco", "Portland"} <= wide


@pytest.mark.clause("7.4")
def test_a_city_out_of_play_gets_no_boom_marker_at_set_up():
    game = Game(2, 1, Options(boom=True, introductory=True))
    with pytest.raises(IllegalAction, match="Seattle is out of play with this number of players"):
        game.play("boom Seattle")


def direct_connections(boom: int, scored: set[int], blocked: set[int]) -> set[str]:
    """RULES 7.2 read word for word: every walk over links whose inner locations are towns or scored cities."""
    neighbours = {place.id: set() for place in BOARD.locations}
    for link in BOARD.links:
        neighbours[link.ends[0]].add(link.ends[1])
        neighbours[link.ends[1]].add(link.ends[0])
    found, waiting, seen = set(), [boom], {boom}
    while waiting:
        for place in neighbours[waiting.pop()] - seen - blocked:
            seen.add(place)
            if BOARD.locations[place].is_city:
                found.add(BOARD.locations[place].name)
            if not BOARD.locations[place].is_city or place in scored:
                waiting.append(place)
    return found


@pytest.mark.clause("7.2")
@pytest.mark.clause("7.4")
@pytest.mark.parametrize("players", [3, 5])
@pytest.mark.parametrize("every", [0, 2, 3])
def test_from_every_city_the_marker_reaches_what_has_a_direct_connection(players, every):
    """With no city, every second and every third city scored."""
    blocked = set(BOARD.blocked(players))
    cities = [city for city in BOARD.cities if city not in blocked]
    scored = set(cities[::every]) if every else set()
    lines = "".join(f"{BOARD.locations[city].name}: red scored\n" for city in scored)
    for city in cities:
        game = position(f"{lines}boom {BOARD.locations[city].name}\nblue to boom", players, BOOM)
        assert reached(game) == direct_connections(city, scored, blocked)
