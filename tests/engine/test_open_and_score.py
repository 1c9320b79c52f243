"""Section 2, phase 4: franchises open, cities are scored."""

import pytest

from franchise.engine.layout import EventKind
from franchise.facts import COLOURS
from text_positions import happened, legal, play, player, position

MAJORITIES = [("Portland", 2), ("Charlotte", 3), ("Denver", 4), ("Dallas", 5), ("Houston", 6), ("Chicago", 7)]
MAJORITIES += [("New York", 8)]


@pytest.mark.clause("2.9")
def test_in_a_town_a_franchise_takes_the_only_space() -> None:
    game = position("""
        Detroit: blue
        blue cash 1
    """)
    events = play(game, "expand Indianapolis 1; done; end")
    assert happened(events, EventKind.OPEN) == [("blue", "Indianapolis", 1)]
    view = game.view()
    assert view["locations"]["Indianapolis"]["spaces"] == ["blue"]
    assert view["markers"] == []
    assert player(game, "blue")["supply"] == 38


@pytest.mark.clause("2.9")
def test_in_an_empty_city_a_franchise_takes_the_first_space() -> None:
    game = position("""
        Detroit: blue
        blue cash 3
    """)
    events = play(game, "expand Chicago 3; done; end")
    assert happened(events, EventKind.OPEN) == [("blue", "Chicago", 1)]
    assert game.view()["locations"]["Chicago"]["spaces"] == ["blue"] + [None] * 6


@pytest.mark.clause("2.9")
def test_elsewhere_a_franchise_takes_the_next_empty_space_clockwise() -> None:
    game = position("""
        Detroit: blue
        Chicago: red orange red
        blue cash 3
    """)
    play(game, "expand Chicago 3; done; end")
    assert game.view()["locations"]["Chicago"]["spaces"] == ["red", "orange", "red", "blue", None, None, None]


@pytest.mark.clause("2.9", "2.15")
def test_markers_open_before_the_franchises_in_the_centres_and_those_in_board_order() -> None:
    game = position("""
        Omaha: blue
        Denver: blue
        Detroit: red blue
        blue cash 20
    """)
    play(game, "expand Chicago 5; again Kansas City 5; done; grow Omaha; grow Detroit; grow Denver")
    assert [place for _, place, _ in happened(game.play("end"), EventKind.OPEN)] == [
        "Chicago",
        "Kansas City",
        "Denver",
        "Detroit",
        "Omaha",
    ]


@pytest.mark.clause("2.9")
def test_franchises_move_from_the_centre_to_the_next_empty_space() -> None:
    game = position("""
        Chicago: blue red red
        blue cash 1
        blue to grow
    """)
    events = play(game, "grow Chicago; end")
    assert happened(events, EventKind.OPEN) == [("blue", "Chicago", 4)]
    view = game.view()
    assert view["locations"]["Chicago"]["spaces"] == ["blue", "red", "red", "blue", None, None, None]
    assert view["centre"] == {}


@pytest.mark.clause("2.10", "2.11", "1.3")
@pytest.mark.parametrize(("city", "size"), MAJORITIES)
def test_the_absolute_majority_of_the_active_player_gains_the_size(city: str, size: int) -> None:
    needed = size // 2 + 1
    game = position(f"""
        {city}: {"blue " * (needed - 1)}
        blue cash 1
        blue to grow
    """)
    events = play(game, f"grow {city}; end")
    assert happened(events, EventKind.MAJORITY) == [("blue", city, size)]
    assert happened(events, EventKind.FULL) == []
    assert player(game, "blue")["influence"] == size
    assert game.view()["locations"][city]["scored"]


@pytest.mark.clause("2.10")
@pytest.mark.parametrize(("city", "size"), [case for case in MAJORITIES if case[1] > 3])
def test_one_franchise_less_is_no_absolute_majority(city: str, size: int) -> None:
    needed = size // 2 + 1
    game = position(f"""
        {city}: {"blue " * (needed - 2)}
        blue cash 1
        blue to grow
    """)
    events = play(game, f"grow {city}; end")
    assert happened(events, EventKind.MAJORITY) == happened(events, EventKind.FULL) == []
    assert player(game, "blue")["influence"] == 0
    assert not game.view()["locations"][city]["scored"]


@pytest.mark.clause("2.10")
def test_exactly_half_of_the_spaces_is_no_majority() -> None:
    game = position("""
        Denver: blue red
        blue cash 1
        blue to grow
    """)
    play(game, "grow Denver; end")
    assert not game.view()["locations"]["Denver"]["scored"]


@pytest.mark.clause("2.10", "2.11")
def test_the_franchise_that_fills_a_city_can_still_bring_the_majority() -> None:
    game = position("""
        Charlotte: red blue
        blue cash 1
        blue to grow
    """)
    events = play(game, "grow Charlotte; end")
    assert happened(events, EventKind.MAJORITY) == [("blue", "Charlotte", 3)]
    assert happened(events, EventKind.FULL) == []


@pytest.mark.clause("2.10")
def test_a_city_is_scored_before_the_next_franchise_opens() -> None:
    game = position("""
        Charlotte: red blue
        Chicago: blue
        blue cash 2
        blue to grow
    """)
    events = play(game, "grow Charlotte; grow Chicago; end")
    kinds = [(event.kind, event.where) for event in events if event.kind in (EventKind.OPEN, EventKind.MAJORITY)]
    assert kinds == [
        (EventKind.OPEN, "Chicago"),
        (EventKind.OPEN, "Charlotte"),
        (EventKind.MAJORITY, "Charlotte"),
    ]
    game = position("""
        Chicago: blue blue blue
        Charlotte: red blue
        blue cash 2
        blue to grow
    """)
    events = play(game, "grow Charlotte; grow Chicago; end")
    kinds = [(event.kind, event.where) for event in events if event.kind in (EventKind.OPEN, EventKind.MAJORITY)]
    assert kinds[:3] == [
        (EventKind.OPEN, "Chicago"),
        (EventKind.MAJORITY, "Chicago"),
        (EventKind.OPEN, "Charlotte"),
    ]


@pytest.mark.clause("2.12")
@pytest.mark.parametrize(
    ("city", "before", "winner", "points"),
    [
        ("Portland", "red", "red", 1),
        ("Charlotte", "orange red", "orange", 1),
        ("Denver", "red red orange", "red", 2),
        ("Denver", "orange red red", "red", 2),
        ("Dallas", "black red orange red", "red", 2),
        ("Washington", "black red orange red black", "black", 3),
        ("Chicago", "orange black black orange red red", "orange", 3),
        ("New York", "orange black black orange red red black", "black", 4),
        ("New York", "orange black black black orange red orange", "orange", 4),
    ],
)
def test_full_city_without_majority_pays_half_to_the_first_of_the_tied(
    city: str, before: str, winner: str, points: int
) -> None:
    neighbour = {"Portland": "Salt Lake City", "Charlotte": "Indianapolis", "Denver": "Pueblo"} | {
        "Dallas": "El Paso",
        "Washington": "Raleigh",
        "Chicago": "Ogallala",
        "New York": "Pittsburgh",
    }
    game = position(f"""
        {city}: {before}
        {neighbour[city]}: blue
        blue cash 3
    """)
    events = play(game, f"expand {city}; done; end")
    assert happened(events, EventKind.FULL) == [(winner, city, points)]
    assert happened(events, EventKind.MAJORITY) == []
    assert {colour: player(game, colour)["influence"] for colour in COLOURS[:4]} == {
        colour: points if colour == winner else 0 for colour in COLOURS[:4]
    }


@pytest.mark.clause("2.12")
def test_the_active_player_wins_a_full_city_by_most_franchises() -> None:
    game = position("""
        Dallas: red orange black blue
        blue cash 1
        blue to grow
    """)
    events = play(game, "grow Dallas; end")
    assert happened(events, EventKind.FULL) == [("blue", "Dallas", 2)]


@pytest.mark.clause("2.13")
def test_the_winner_takes_back_all_but_one_and_everyone_else_stays() -> None:
    game = position("""
        New York: red red blue orange blue blue blue
        blue cash 1
        blue supply 10
        red supply 20
        blue to grow
    """)
    events = play(game, "grow New York; end")
    assert happened(events, EventKind.MAJORITY) == [("blue", "New York", 8)]
    assert happened(events, EventKind.TAKE_BACK) == [("blue", "New York", 4)]
    spaces = game.view()["locations"]["New York"]["spaces"]
    assert sorted(filter(None, spaces)) == ["blue", "orange", "red", "red"]
    # one to the centre, four back, one beside the region tile
    assert player(game, "blue")["supply"] == 10 - 1 + 4 - 1
    assert player(game, "red")["supply"] == 20


@pytest.mark.clause("2.13")
def test_the_winner_who_is_not_active_takes_franchises_back_too() -> None:
    game = position("""
        Denver: red red orange
        Pueblo: blue
        red supply 5
        blue supply 5
        blue cash 1
    """)
    events = play(game, "expand Denver 1; done; end")
    assert happened(events, EventKind.TAKE_BACK) == [("red", "Denver", 1)]
    assert player(game, "red")["supply"] == 6
    assert player(game, "blue")["supply"] == 5 - 1 - 1
    assert sorted(filter(None, game.view()["locations"]["Denver"]["spaces"])) == ["blue", "orange", "red"]


@pytest.mark.clause("2.13")
def test_a_winner_with_one_franchise_takes_none_back() -> None:
    game = position("""
        Portland: red
        Salt Lake City: blue
    """)
    events = play(game, "expand Portland 0; done; end")
    assert happened(events, EventKind.FULL) == [("red", "Portland", 1)]
    assert happened(events, EventKind.TAKE_BACK) == []


@pytest.mark.clause("2.13")
def test_a_scored_city_takes_no_franchises_and_yields_no_income_but_can_be_left() -> None:
    game = position("""
        Detroit: blue blue red
        Chicago: orange
        blue cash 1
        orange cash 20
        red cash 20
        blue to grow
    """)
    play(game, "grow Detroit; end")
    assert player(game, "blue")["empty_spaces"] == player(game, "red")["empty_spaces"] == 0
    assert legal(game, "expand") == [  # red, from the scored city
        "expand Indianapolis 1",
        "expand Chicago 3",
        "expand New York 5",
        "expand St. Louis 5",
    ]
    game.play("done")
    assert legal(game, "grow") == []
    game.play("end")
    assert not any("Detroit" in move for move in legal(game, "expand"))  # orange, from Chicago


@pytest.mark.clause("2.14")
def test_the_first_city_scored_in_a_region_puts_a_franchise_of_the_active_player_beside_its_tile() -> None:
    game = position("""
        Detroit: blue blue
        blue cash 1
        blue supply 10
        blue to grow
    """)
    events = play(game, "grow Detroit; end")
    assert happened(events, EventKind.TIE_BREAK) == [("blue", "Great Lakes", 0)]
    assert {name: region["marker"] for name, region in game.view()["regions"].items() if region["marker"]} == {
        "Great Lakes": "blue"
    }
    assert player(game, "blue")["supply"] == 10 - 1 + 2 - 1


@pytest.mark.clause("2.14")
def test_the_active_player_breaks_ties_also_where_someone_else_gained_the_influence() -> None:
    game = position("""
        Denver: red red orange
        Pueblo: blue
        blue cash 1
    """)
    events = play(game, "expand Denver 1; done; end")
    assert happened(events, EventKind.FULL) == [("red", "Denver", 2)]
    assert game.view()["regions"]["Grand Canyon"]["marker"] == "blue"


@pytest.mark.clause("2.14")
def test_later_cities_of_the_region_change_nothing_beside_its_tile() -> None:
    game = position("""
        Detroit: red scored
        Great Lakes marker red
        Minneapolis: blue
        blue cash 1
        blue supply 10
        blue to grow
    """)
    events = play(game, "grow Minneapolis; end")
    assert happened(events, EventKind.MAJORITY) == [("blue", "Minneapolis", 2)]
    assert happened(events, EventKind.TIE_BREAK) == []
    assert game.view()["regions"]["Great Lakes"]["marker"] == "red"
    assert player(game, "blue")["supply"] == 10


@pytest.mark.clause("2.14")
def test_the_franchise_beside_the_tile_does_not_count_in_the_region() -> None:
    game = position("""
        Detroit: blue blue
        blue cash 1
        blue to grow
    """)
    play(game, "grow Detroit; end")
    assert game.view()["regions"]["Great Lakes"]["franchises"]["blue"] == 1


@pytest.mark.clause("2.14")
def test_with_an_empty_supply_the_active_player_still_breaks_ties() -> None:
    game = position("""
        Portland: red
        Salt Lake City: blue
        blue supply 1
    """)
    events = play(game, "expand Portland 0; done; end")
    assert happened(events, EventKind.TIE_BREAK) == [("blue", "Upper West", 0)]
    assert game.view()["regions"]["Upper West"]["marker"] == "blue"
    assert player(game, "blue")["supply"] == 0


@pytest.mark.clause("2.14", "4.5")
def test_the_franchise_beside_the_tile_is_not_the_one_a_second_marker_waits_for() -> None:
    game = position("""
        Portland: red
        Salt Lake City: blue
        blue supply 2
        blue cash 3
    """)
    events = play(game, "expand Portland 0; again Denver 1; done; end")
    assert happened(events, EventKind.OPEN) == [("blue", "Portland", 2), ("blue", "Denver", 1)]
    assert game.view()["regions"]["Upper West"]["marker"] == "blue"
    assert player(game, "blue")["supply"] == 0


@pytest.mark.clause("2.15", "3.3")
def test_the_second_franchise_of_a_doubled_city_scored_by_the_first_goes_back_to_supply() -> None:
    game = position("""
        Denver: blue blue
        blue cash 1
        blue supply 10
        blue to grow
    """)
    events = play(game, "grow Denver; double Denver")
    assert player(game, "blue")["supply"] == 8
    events = game.play("end")
    assert happened(events, EventKind.OPEN) == [("blue", "Denver", 3)]
    assert happened(events, EventKind.TAKE_BACK) == [("blue", "Denver", 2)]
    assert game.view()["locations"]["Denver"]["spaces"].count("blue") == 1
    assert player(game, "blue")["supply"] == 8 + 1 + 2 - 1


@pytest.mark.clause("2.15")
def test_cities_are_resolved_in_board_order_whatever_the_order_of_the_moves() -> None:
    drawn = """
        Denver: blue blue
        Detroit: blue blue
        Omaha: blue
        blue cash 3
        blue to grow
    """
    ends = []
    for moves in ("grow Denver; grow Detroit; grow Omaha", "grow Omaha; grow Detroit; grow Denver"):
        game = position(drawn)
        play(game, moves)
        events = game.play("end")
        assert [place for _, place, _ in happened(events, EventKind.OPEN)] == ["Denver", "Detroit", "Omaha"]
        ends.append(game.view())
    assert ends[0] == ends[1]
