"""Section 2, phase 2: expand once; and 4.5, the supply it takes."""

import pytest

from franchise import IllegalAction
from franchise.engine.layout import EventKind
from text_positions import happened, legal, play, player, position


@pytest.mark.clause("2.3", "2.5")
def test_an_expansion_follows_exactly_one_link_from_a_location_of_yours() -> None:
    game = position("""
        Detroit: blue red
        blue cash 20
    """)
    assert legal(game, "expand") == [
        "expand Indianapolis 1",
        "expand Chicago 3",
        "expand New York 5",
        "expand St. Louis 5",
    ]


@pytest.mark.clause("2.3")
def test_the_price_is_paid_and_the_marker_put_there() -> None:
    game = position("""
        Detroit: blue
        blue cash 7
    """)
    events = game.play("expand New York 5")
    assert happened(events, EventKind.EXPAND) == [("blue", "New York", 5)]
    assert player(game, "blue")["cash"] == 2
    assert game.view()["markers"] == ["New York"]


@pytest.mark.clause("2.3", "2.9")
def test_a_marker_is_no_franchise_before_phase_4() -> None:
    game = position("""
        Detroit: blue
        blue cash 7
    """)
    before = player(game, "blue")
    game.play("expand Chicago 3")
    assert game.view()["locations"]["Chicago"]["spaces"] == [None] * 7
    assert player(game, "blue") == before | {"cash": 4}


@pytest.mark.clause("2.3")
def test_franchises_of_others_are_no_start_for_an_expansion() -> None:
    game = position("""
        Detroit: red
        Reno: blue
        blue cash 20
    """)
    assert legal(game, "expand") == ["expand San Francisco 1", "expand Los Angeles 1"]


@pytest.mark.clause("2.3", "2.13")
def test_a_scored_city_can_be_expanded_from() -> None:
    game = position("""
        Detroit: red blue scored
        blue cash 3
    """)
    assert legal(game, "expand") == ["expand Indianapolis 1", "expand Chicago 3"]


@pytest.mark.clause("2.3")
@pytest.mark.parametrize("price", [1, 3, 5, 8])
def test_any_of_your_links_to_the_target_may_be_chosen(price: int) -> None:
    game = position("""
        Sioux Falls: blue
        Detroit: blue
        Omaha: blue
        New York: blue
        blue cash 9
    """)
    assert [move for move in legal(game, "expand") if "Chicago" in move] == [
        "expand Chicago 1",
        "expand Chicago 3",
        "expand Chicago 5",
        "expand Chicago 8",
    ]
    game.play(f"expand Chicago {price}")
    assert player(game, "blue")["cash"] == 9 - price


@pytest.mark.clause("2.3")
def test_two_links_of_one_price_to_one_target_are_one_move() -> None:
    game = position("""
        Detroit: blue
        Minneapolis: blue
        blue cash 3
    """)
    assert legal(game, "expand").count("expand Chicago 3") == 1


@pytest.mark.clause("2.4")
def test_a_target_town_must_be_empty() -> None:
    game = position("""
        Los Angeles: blue
        Reno: red
        blue cash 1
    """)
    assert legal(game, "expand") == ["expand Las Vegas 1"]
    with pytest.raises(IllegalAction, match="the town Reno is taken"):
        game.play("expand Reno 1")


@pytest.mark.clause("2.4", "2.13")
def test_a_scored_city_cannot_be_expanded_to() -> None:
    game = position("""
        Detroit: blue
        Chicago: red scored
        New York: scored
        blue cash 20
    """)
    assert legal(game, "expand") == ["expand Indianapolis 1", "expand St. Louis 5"]


@pytest.mark.clause("2.4")
def test_a_city_you_are_in_cannot_be_expanded_to_but_one_with_others_can() -> None:
    game = position("""
        Detroit: blue
        Chicago: red blue
        New York: red red orange black red orange black
        blue cash 5
    """)
    moves = legal(game, "expand")
    assert not any("Chicago" in move for move in moves)
    assert "expand New York 5" in moves


@pytest.mark.clause("2.5")
def test_no_jumping_over_locations() -> None:
    game = position("""
        Indianapolis: blue
        blue cash 50
    """)
    with pytest.raises(IllegalAction, match="Chicago is not linked to any of your locations"):
        game.play("expand Chicago 3")


@pytest.mark.clause("2.5")
@pytest.mark.parametrize(
    ("cash", "moves"),
    [
        (0, ["expand Flagstaff 0", "expand Pocatello 0"]),
        (1, ["expand Flagstaff 0", "expand Pocatello 0", "expand San Francisco 1", "expand Denver 1"]),
        (2, ["expand Flagstaff 0", "expand Pocatello 0", "expand San Francisco 1", "expand Denver 1"]),
        (
            3,
            [
                "expand Flagstaff 0",
                "expand Pocatello 0",
                "expand San Francisco 1",
                "expand Denver 1",
                "expand Seattle 3",
                "expand San Francisco 3",
            ],
        ),
    ],
)
def test_money_you_do_not_have_cannot_be_spent(cash: int, moves: list[str]) -> None:
    game = position(f"""
        Salt Lake City: blue
        Portland: blue
        blue cash {cash}
    """)
    assert sorted(legal(game, "expand")) == sorted(moves)


@pytest.mark.clause("2.5")
def test_a_link_of_0_dollars_takes_nothing() -> None:
    game = position("""
        Salt Lake City: blue
        blue cash 0
    """)
    game.play("expand Portland 0")
    assert player(game, "blue")["cash"] == 0


@pytest.mark.clause("2.3", "3.2")
def test_a_turn_has_one_expansion_without_a_bonus_tile() -> None:
    game = position("""
        Detroit: blue
        blue cash 20
        blue bonus 0
    """)
    game.play("expand Chicago 3")
    assert [str(action) for action in game.legal_actions()] == ["done"]


@pytest.mark.clause("2.6")
def test_expanding_is_voluntary() -> None:
    game = position("""
        Detroit: blue
        blue cash 20
    """)
    game.play("done")
    assert game.phase == "grow"
    assert game.view()["markers"] == []
    assert player(game, "blue")["cash"] == 20


@pytest.mark.clause("2.6")
def test_phase_3_does_not_lead_back_to_expanding() -> None:
    game = position("""
        Detroit: blue
        blue cash 20
        blue to grow
    """)
    assert legal(game, "expand") == []
    with pytest.raises(IllegalAction, match="belongs to phase 2, expanding; it is now phase 3"):
        game.play("expand Chicago 3")


@pytest.mark.clause("4.5")
def test_without_a_franchise_in_supply_nobody_expands_or_grows() -> None:
    drawn = """
        Detroit: blue
        blue cash 20
        blue supply 0
    """
    game = position(drawn)
    assert [str(action) for action in game.legal_actions()] == ["cash", "done"]
    game.play("done")
    assert [str(action) for action in game.legal_actions()] == ["cash", "end"]


@pytest.mark.clause("4.5")
def test_a_marker_waits_for_a_franchise_of_the_supply() -> None:
    game = position("""
        Detroit: blue
        Omaha: blue
        blue cash 20
        blue supply 1
    """)
    game.play("expand Chicago 3")
    assert legal(game, "again") == []
    game.play("done")
    assert legal(game, "grow") == []
    game.play("end")
    assert game.view()["locations"]["Chicago"]["spaces"][0] == "blue"
    assert player(game, "blue")["supply"] == 0


@pytest.mark.clause("4.5")
def test_the_last_franchise_can_grow_once() -> None:
    game = position("""
        Detroit: blue
        Omaha: blue
        blue cash 20
        blue supply 1
        blue to grow
    """)
    assert legal(game, "grow") == ["grow Detroit", "grow Omaha"]
    game.play("grow Omaha")
    assert (legal(game, "grow"), legal(game, "double")) == ([], [])
    events = play(game, "end")
    assert happened(events, EventKind.OPEN) == [("blue", "Omaha", 2)]
