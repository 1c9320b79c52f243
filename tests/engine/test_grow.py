"""Section 2, phase 3: increase market share."""

import pytest

from franchise import IllegalAction
from franchise.engine.layout import EventKind
from text_positions import happened, legal, play, player, position


@pytest.mark.clause("2.7")
def test_each_unscored_city_you_are_in_may_grow_for_1_dollar() -> None:
    game = position("""
        Chicago: blue red
        Omaha: red blue
        Denver: red
        Detroit: blue scored
        Reno: blue
        blue cash 5
        blue to grow
    """)
    assert legal(game, "grow") == ["grow Chicago", "grow Omaha"]
    events = play(game, "grow Omaha; grow Chicago")
    assert happened(events, EventKind.GROW) == [("blue", "Omaha", 1), ("blue", "Chicago", 1)]
    assert player(game, "blue")["cash"] == 3
    assert game.view()["centre"] == {"Chicago": 1, "Omaha": 1}


@pytest.mark.clause("2.7")
def test_a_franchise_in_the_centre_has_left_the_supply_but_takes_no_space_yet() -> None:
    game = position("""
        Chicago: blue red
        blue cash 5
        blue to grow
    """)
    before = player(game, "blue")
    game.play("grow Chicago")
    assert game.view()["locations"]["Chicago"]["spaces"] == ["blue", "red"] + [None] * 5
    assert player(game, "blue") == before | {"cash": 4, "supply": before["supply"] - 1}


@pytest.mark.clause("2.7")
def test_a_city_grows_once_in_a_turn() -> None:
    game = position("""
        Chicago: blue red
        blue cash 5
        blue to grow
    """)
    game.play("grow Chicago")
    assert legal(game, "grow") == []
    with pytest.raises(IllegalAction, match="you have already increased your market share in Chicago this turn"):
        game.play("grow Chicago")


@pytest.mark.clause("2.7")
def test_a_city_grows_again_in_the_next_turn() -> None:
    game = position("""
        Chicago: blue red
        blue cash 5
    """)
    play(game, "expand Sioux Falls 1; done; grow Chicago; end")
    for _ in range(3):
        play(game, "done; end")
    game.play("done")
    assert legal(game, "grow") == ["grow Chicago"]


@pytest.mark.clause("2.7")
def test_a_city_with_a_single_empty_space_may_grow() -> None:
    game = position("""
        Chicago: blue red red orange orange black
        blue cash 1
        blue to grow
    """)
    assert legal(game, "grow") == ["grow Chicago"]


@pytest.mark.clause("2.7")
def test_growth_takes_a_dollar_and_none_is_lent() -> None:
    game = position("""
        Chicago: blue red
        Omaha: red blue
        blue cash 1
        blue to grow
    """)
    game.play("grow Chicago")
    assert legal(game, "grow") == []
    assert player(game, "blue")["cash"] == 0
    with pytest.raises(IllegalAction, match=r"increasing market share costs \$1, but you have no money"):
        game.play("grow Omaha")


@pytest.mark.clause("2.7")
def test_growing_is_voluntary() -> None:
    game = position("""
        Chicago: blue red
        blue cash 5
        blue to grow
    """)
    events = game.play("end")
    assert happened(events, EventKind.OPEN) == []
    assert game.current_player == 1


@pytest.mark.clause("2.8")
def test_a_city_with_only_your_marker_of_this_turn_does_not_grow() -> None:
    game = position("""
        Detroit: blue
        Chicago: red
        blue cash 9
    """)
    play(game, "expand Chicago 3; done")
    assert legal(game, "grow") == ["grow Detroit"]
    with pytest.raises(IllegalAction, match="Chicago holds only your expansion marker of this turn"):
        game.play("grow Chicago")


@pytest.mark.clause("2.8")
def test_the_marker_of_a_turn_is_a_franchise_that_grows_in_the_next() -> None:
    game = position("""
        Detroit: blue
        blue cash 9
    """)
    play(game, "expand Chicago 3; done; end")
    for _ in range(3):
        play(game, "done; end")
    game.play("done")
    assert legal(game, "grow") == ["grow Chicago", "grow Detroit"]
