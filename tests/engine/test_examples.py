"""Section 9: the worked examples of the rulebook as golden cases."""

import pytest

from franchise.engine.layout import EventKind
from text_positions import happened, play, player, position


@pytest.mark.clause("9.1")
def test_seven_empty_spaces_pay_3_dollars_with_five_players() -> None:
    game = position(
        """
        St. Louis: red                      # 2 empty
        Kansas City: red blue orange        # 2 empty
        Washington: red blue orange         # 3 empty
        blue to grow
    """,
        players=5,
    )
    assert player(game, "red")["empty_spaces"] == 7
    assert happened(game.play("end"), EventKind.INCOME) == [("red", None, 3)]


@pytest.mark.clause("9.2")
def test_blue_expands_from_detroit_to_chicago_for_3_dollars() -> None:
    game = position(
        """
        Detroit: blue
        blue cash 3
    """,
        players=5,
    )
    assert happened(game.play("expand Chicago"), EventKind.EXPAND) == [("blue", "Chicago", 3)]
    assert player(game, "blue")["cash"] == 0


@pytest.mark.clause("9.3")
def test_the_franchise_of_blue_takes_the_fourth_space_of_chicago() -> None:
    game = position(
        """
        Detroit: blue
        Chicago: orange orange black
        blue cash 3
    """,
        players=5,
    )
    events = play(game, "expand Chicago 3; done; end")
    assert happened(events, EventKind.OPEN) == [("blue", "Chicago", 4)]
    assert game.view()["locations"]["Chicago"]["spaces"] == ["orange", "orange", "black", "blue", None, None, None]


@pytest.mark.clause("9.4")
def test_four_of_six_in_washington_are_a_majority_for_6_influence() -> None:
    game = position(
        """
        Washington: red blue red red
        red cash 1
        red to grow
    """,
        players=5,
    )
    events = play(game, "grow Washington; end")
    assert happened(events, EventKind.MAJORITY) == [("red", "Washington", 6)]
    assert player(game, "red")["influence"] == 6


@pytest.mark.clause("9.5")
def test_red_stands_first_in_a_full_chicago_and_gains_3_influence() -> None:
    game = position(
        """
        Chicago: red blue orange beige red black
        blue cash 1
        blue to grow
    """,
        players=5,
    )
    events = play(game, "grow Chicago; end")
    assert happened(events, EventKind.FULL) == [("red", "Chicago", 3)]
    assert [seat["influence"] for seat in game.view()["players"]] == [0, 3, 0, 0, 0]


@pytest.mark.clause("9.6")
def test_grand_canyon_is_scored_for_10_8_5_5_and_5() -> None:
    # Beige completes the region by growing in Denver, where it already stands; the others are as in the example.
    game = position(
        """
        Pueblo: beige
        Albuquerque: beige black black scored
        Phoenix: black beige black scored
        Salt Lake City: orange
        Flagstaff: orange
        Denver: blue red beige
        Grand Canyon marker beige
        beige cash 1
        beige to grow
    """,
        players=5,
    )
    events = play(game, "grow Denver; end")
    assert happened(events, EventKind.FULL) == [("beige", "Denver", 2)]
    assert game.view()["regions"]["Grand Canyon"]["franchises"] == {
        "blue": 1,
        "red": 1,
        "orange": 2,
        "black": 4,
        "beige": 4,
    }
    assert happened(events, EventKind.RANK) == [
        ("beige", "Grand Canyon", 10),
        ("black", "Grand Canyon", 8),
        ("orange", "Grand Canyon", 5),
        ("blue", "Grand Canyon", 5),
        ("red", "Grand Canyon", 5),
    ]


@pytest.mark.clause("9.7")
def test_three_regions_in_one_turn_fill_spaces_7_8_and_9_and_end_the_game() -> None:
    game = position(
        """
        New York: red scored
        New York marker red
        Pittsburgh: blue
        Houston: red scored
        Dallas: red scored
        El Paso: red
        Oklahoma City: blue blue
        Texas marker red
        Los Angeles: orange blue scored
        San Francisco: orange scored
        Las Vegas: orange
        California marker orange
        track 6
        blue cash 9
    """,
        players=5,
    )
    events = play(game, "expand Reno 1; done; grow Oklahoma City; grow Pittsburgh; end")
    view = game.view()
    assert view["track"][6:] == ["California", "New York", "Texas"]
    assert happened(events, EventKind.TRACK) == [
        ("blue", "California", 3),
        ("blue", "New York", 2),
        ("blue", "Texas", 0),
    ]
    assert game.over


@pytest.mark.clause("9.8")
def test_blue_expands_from_pittsburgh_to_chicago_and_new_york_for_8_dollars() -> None:
    game = position(
        """
        Pittsburgh: blue
        blue cash 8
    """,
        players=5,
    )
    events = play(game, "expand Chicago 5; again New York 3")
    assert happened(events, EventKind.EXPAND) == [("blue", "Chicago", 5)]
    assert happened(events, EventKind.AGAIN) == [("blue", "New York", 3)]
    assert player(game, "blue")["cash"] == 0
    assert player(game, "blue")["bonus_tiles"] == 2


@pytest.mark.clause("9.9")
def test_five_towns_11_dollars_and_a_bonus_tile_gain_5_and_3_and_4_influence() -> None:
    game = position(
        """
        Reno: blue
        Boise: blue
        Fargo: blue
        Conrad: blue
        Raleigh: blue
        blue cash 11
        blue bonus 1
        blue to grow
        quiet 4
    """,
        players=5,
    )
    events = game.play("end")
    assert happened(events, EventKind.TOWNS)[0] == ("blue", None, 5)
    assert happened(events, EventKind.MONEY)[0] == ("blue", None, 3)
    assert happened(events, EventKind.BONUS_TILES)[0] == ("blue", None, 4)
    assert player(game, "blue")["influence"] == 12
