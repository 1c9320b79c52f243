"""Section 4: the end of the game and the final scoring."""

import pytest

from franchise import Game
from franchise.engine.layout import EventKind
from text_positions import happened, play, player, position

NEW_YORK = """
    New York: red scored
    New York marker red
    Pittsburgh: blue
    blue cash 1
    blue to grow
"""  # blue completes the region New York with its second franchise in Pittsburgh


def kept_quiet(players: int) -> Game:
    """A game in its first turn."""
    game = Game(players)
    for town in ("Huntsville", "Ogallala", "Memphis", "Raleigh", "El Paso")[:players]:
        game.play(f"start {town}")
    return game


@pytest.mark.clause("4.1")
@pytest.mark.parametrize(("before", "over"), [(6, False), (7, True), (8, True)])
def test_the_game_ends_after_the_turn_that_brings_a_tile_into_the_red_zone(before: int, over: bool) -> None:
    game = position(NEW_YORK + f"\n track {before}")
    events = play(game, "grow Pittsburgh; end")
    assert game.over is over
    assert game.view()["over"] is over
    ends = [event.amount for event in events if event.kind == EventKind.RED_ZONE]
    assert ends == ([before + 1] if over else [])
    if over:
        assert game.phase == "over"
        assert game.legal_actions() == []


@pytest.mark.clause("4.1", "1.5")
@pytest.mark.parametrize("players", [2, 3])
def test_the_tiles_of_regions_out_of_play_count_for_the_red_zone(players: int) -> None:
    game = position(NEW_YORK + "\n track 7", players)
    play(game, "grow Pittsburgh; end")
    assert game.over
    view = game.view()
    assert len(view["track"]) == 8
    assert view["track"][:3] == ["California", "Upper West", "Montana"]


@pytest.mark.clause("4.1")
def test_the_region_scorings_left_in_the_last_turn_are_all_carried_out() -> None:
    game = position(
        NEW_YORK.replace("blue cash 1", "blue cash 2")
        + """
        Houston: red scored
        Dallas: red scored
        El Paso: red
        Oklahoma City: blue blue
        Texas marker red
        track 7
    """
    )
    events = play(game, "grow Pittsburgh; grow Oklahoma City; end")
    assert happened(events, EventKind.TRACK) == [("blue", "New York", 2), ("blue", "Texas", 0)]
    assert [event.amount for event in events if event.kind == EventKind.RED_ZONE] == [9]
    assert len(game.view()["track"]) == 9


@pytest.mark.clause("4.1")
def test_the_last_turn_ends_without_income_for_the_next_player() -> None:
    game = position(NEW_YORK + "\n track 7")
    events = play(game, "grow Pittsburgh; end")
    assert happened(events, EventKind.INCOME) == happened(events, EventKind.TURN) == []
    assert game.current_player == 0


@pytest.mark.clause("4.2")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_game_ends_when_every_player_in_succession_has_not_expanded(players: int) -> None:
    game = kept_quiet(players)
    for _ in range(players - 1):
        play(game, "done; end")
        assert not game.over
    events = play(game, "done; end")
    assert game.over
    assert [event.kind for event in events].count(EventKind.STANDSTILL) == 1


@pytest.mark.clause("4.2")
def test_an_expansion_starts_the_count_anew() -> None:
    game = kept_quiet(3)
    play(game, "done; end; done; end")
    play(game, "expand Washington 1; done; end")  # the third player, from Huntsville
    for _ in range(2):
        play(game, "done; end")
        assert not game.over
    play(game, "done; end")
    assert game.over


@pytest.mark.clause("4.2")
def test_growing_and_cash_do_not_keep_the_game_going() -> None:
    game = position("""
        Chicago: blue red orange black
        blue cash 5
        quiet 3
    """)
    play(game, "cash; done; grow Chicago; end")
    assert game.over


@pytest.mark.clause("4.2", "4.1")
def test_an_expansion_in_the_last_of_the_quiet_turns_keeps_the_game_going() -> None:
    game = position("""
        Detroit: blue
        blue cash 5
        quiet 3
    """)
    play(game, "expand Chicago 3; done; end")
    assert not game.over


@pytest.mark.clause("4.3")
@pytest.mark.parametrize(
    ("cash", "tiles", "money", "bonus"),
    [(0, 0, 0, 0), (2, 1, 0, 4), (3, 2, 1, 8), (5, 3, 1, 12), (6, 0, 2, 0), (100, 0, 33, 0)],
)
def test_the_final_scoring_pays_for_towns_money_and_unused_bonus_tiles(
    cash: int, tiles: int, money: int, bonus: int
) -> None:
    game = position(f"""
        Reno: blue
        Boise: blue
        Fargo: blue
        Raleigh: red
        blue cash {cash}
        blue bonus {tiles}
        blue influence 50
        blue to grow
        quiet 3
    """)
    events = game.play("end")
    assert happened(events, EventKind.TOWNS)[0] == ("blue", None, 3)
    assert happened(events, EventKind.MONEY)[0] == ("blue", None, money)
    assert happened(events, EventKind.BONUS_TILES)[0] == ("blue", None, bonus)
    assert player(game, "blue")["influence"] == 50 + 3 + money + bonus


@pytest.mark.clause("4.3")
def test_everyone_is_paid_at_the_end() -> None:
    game = position("""
        Reno: red
        Boise: black
        Fargo: black
        blue cash 3
        red cash 7
        orange cash 2
        black cash 0
        blue bonus 0
        red bonus 1
        orange bonus 2
        black bonus 3
        blue to grow
        quiet 3
    """)
    game.play("end")
    assert [seat["influence"] for seat in game.view()["players"]] == [1, 1 + 2 + 4, 8, 2 + 12]


@pytest.mark.clause("4.3")
def test_unscored_cities_and_regions_give_nothing_at_the_end() -> None:
    game = position("""
        New York: blue blue blue blue red red red
        Chicago: blue scored
        blue cash 0
        blue bonus 0
        blue to grow
        quiet 3
    """)
    game.play("end")
    assert player(game, "blue")["influence"] == 0


@pytest.mark.clause("4.4")
def test_most_influence_wins() -> None:
    game = kept_quiet(2)
    play(game, "expand Dodge City; done; end; done; end; done; end")
    result = game.result()
    assert result.scores == (19, 18)
    assert result.winners == (0,)


@pytest.mark.clause("4.4")
@pytest.mark.parametrize(
    ("players", "moves", "scores", "towns", "winner"),
    [
        (2, "expand Dodge City 1; done; end; done; end; cash; done; end", (18, 18), [2, 1], 0),
        (
            3,
            "done; end; expand Dodge City 1; done; end; done; end; done; end; done; end",
            (18, 19, 19),
            [1, 2, 1],
            1,
        ),
    ],
)
def test_a_tie_goes_to_the_most_franchises_in_towns(
    players: int, moves: str, scores: tuple[int, ...], towns: list[int], winner: int
) -> None:
    game = kept_quiet(players)
    play(game, moves)
    result = game.result()
    assert result.scores == scores
    assert [seat["towns"] for seat in game.view()["players"]] == towns
    assert result.winners == (winner,)


@pytest.mark.clause("4.4")
def test_still_tied_players_share_the_victory() -> None:
    game = kept_quiet(2)
    play(game, "done; end; done; end")
    result = game.result()
    assert result.scores == (18, 18)
    assert result.winners == (0, 1)


@pytest.mark.clause("4.4")
def test_a_player_with_more_towns_and_less_influence_does_not_win() -> None:
    game = kept_quiet(2)
    play(game, "expand Dodge City 1; done; end; expand Washington 1; done; end; cash; done; end; done; end")
    result = game.result()
    assert [seat["towns"] for seat in game.view()["players"]] == [2, 1]
    assert result.scores == (18, 19)
    assert result.winners == (1,)
