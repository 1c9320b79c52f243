"""Section 3: bonus tiles."""

import pytest

from franchise import Game, IllegalAction
from franchise.engine.layout import EventKind
from text_positions import happened, legal, play, player, position

BONUS_VERBS = ("again", "double", "cash")


def bonus_moves(game: Game) -> list[str]:
    return [move for verb in BONUS_VERBS for move in legal(game, verb)]


@pytest.mark.clause("3.1")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_no_bonus_tile_on_the_first_turn_of_anyone(players: int) -> None:
    game = Game(players)
    for _ in range(players):
        game.play(game.legal_actions()[0])
    for seat in range(players):
        assert (game.turn, game.current_player) == (seat + 1, seat)
        assert bonus_moves(game) == []
        game.play(next(action for action in game.legal_actions() if action.verb == "expand"))
        assert bonus_moves(game) == []
        game.play("done")
        assert bonus_moves(game) == []
        with pytest.raises(IllegalAction, match="cannot be used on a player's first turn"):
            game.play("cash")
        game.play("end")
    assert bonus_moves(game) == ["cash"]


@pytest.mark.clause("3.1")
@pytest.mark.parametrize("first", ["cash", "expand Chicago 3; again St. Louis 5"])
def test_at_most_one_bonus_tile_in_a_turn(first: str) -> None:
    game = position("""
        Detroit: blue red
        blue cash 20
    """)
    play(game, first)
    assert bonus_moves(game) == []
    assert player(game, "blue")["bonus_tiles"] == 2
    play(game, "done; grow Detroit")
    assert bonus_moves(game) == []
    with pytest.raises(IllegalAction, match="only one bonus tile can be used in a turn"):
        game.play("cash")


@pytest.mark.clause("3.1")
def test_doubling_uses_the_bonus_tile_of_the_turn() -> None:
    game = position("""
        Chicago: blue red
        New York: blue red
        blue cash 5
        blue to grow
    """)
    play(game, "grow Chicago; grow New York; double Chicago")
    assert bonus_moves(game) == []
    assert player(game, "blue")["bonus_tiles"] == 2


@pytest.mark.clause("3.1")
def test_another_bonus_tile_can_be_used_in_the_next_turn() -> None:
    game = position("""
        Detroit: blue
    """)
    play(game, "cash; expand Chicago 3; done; end")
    for _ in range(3):
        play(game, "done; end")
    assert bonus_moves(game) == ["cash"]


@pytest.mark.clause("3.1")
def test_a_used_tile_leaves_the_game() -> None:
    game = position("""
        Detroit: blue
        blue bonus 1
    """)
    play(game, "cash; expand Chicago 3; done; end")
    assert player(game, "blue")["bonus_tiles"] == 0
    for _ in range(3):
        play(game, "done; end")
    assert bonus_moves(game) == []
    with pytest.raises(IllegalAction, match="you have no bonus tile"):
        game.play("cash")


@pytest.mark.clause("3.2")
def test_expanding_again_pays_its_link_and_puts_a_second_marker() -> None:
    game = position("""
        Detroit: blue
        blue cash 9
    """)
    game.play("expand Chicago 3")
    events = game.play("again New York 5")
    assert happened(events, EventKind.AGAIN) == [("blue", "New York", 5)]
    assert game.view()["markers"] == ["Chicago", "New York"]
    assert player(game, "blue")["cash"] == 1
    assert player(game, "blue")["bonus_tiles"] == 2
    events = play(game, "done; end")
    assert happened(events, EventKind.OPEN) == [("blue", "Chicago", 1), ("blue", "New York", 1)]


@pytest.mark.clause("3.2")
def test_the_second_expansion_starts_from_a_franchise_not_from_the_first_marker() -> None:
    game = position("""
        Detroit: blue
        blue cash 50
    """)
    game.play("expand Chicago 3")
    assert legal(game, "again") == ["again Indianapolis 1", "again New York 5", "again St. Louis 5"]
    with pytest.raises(IllegalAction, match="Omaha is not linked to any of your locations"):
        game.play("again Omaha 5")


@pytest.mark.clause("3.2")
def test_the_second_expansion_does_not_go_to_the_first_marker() -> None:
    game = position("""
        Detroit: blue
        Omaha: blue
        blue cash 50
    """)
    game.play("expand Chicago 3")
    assert not any("Chicago" in move for move in legal(game, "again"))
    with pytest.raises(IllegalAction, match="your expansion marker is already in Chicago"):
        game.play("again Chicago 5")


@pytest.mark.clause("3.2")
def test_the_second_expansion_follows_the_rules_of_the_first() -> None:
    game = position("""
        Detroit: blue
        Indianapolis: red
        St. Louis: red scored
        Minneapolis: blue
        blue cash 6
    """)
    game.play("expand Pittsburgh 3")
    # Indianapolis is taken, St. Louis scored, New York ($5) too dear, Minneapolis held
    assert legal(game, "again") == ["again Fargo 0", "again Billings 3", "again Chicago 3"]


@pytest.mark.clause("3.2")
def test_there_is_no_third_expansion() -> None:
    game = position("""
        Detroit: blue
        blue cash 50
    """)
    play(game, "expand Chicago 3; again New York 5")
    assert [str(action) for action in game.legal_actions()] == ["done"]


@pytest.mark.clause("3.3")
def test_doubling_puts_a_second_franchise_into_the_centre_for_free() -> None:
    game = position("""
        New York: blue red
        blue cash 1
        blue supply 10
        blue to grow
    """)
    game.play("grow New York")
    events = game.play("double New York")
    assert happened(events, EventKind.DOUBLE) == [("blue", "New York", 0)]
    assert game.view()["centre"] == {"New York": 2}
    assert player(game, "blue")["cash"] == 0
    assert player(game, "blue")["supply"] == 8
    events = game.play("end")
    assert happened(events, EventKind.OPEN) == [("blue", "New York", 3), ("blue", "New York", 4)]
    assert game.view()["locations"]["New York"]["spaces"] == ["blue", "red", "blue", "blue"] + [None] * 4
    assert player(game, "blue")["supply"] == 8


@pytest.mark.clause("3.3")
def test_only_a_city_grown_this_turn_can_be_doubled() -> None:
    game = position("""
        New York: blue red
        Chicago: blue red
        blue cash 5
        blue to grow
    """)
    assert legal(game, "double") == []
    game.play("grow New York")
    assert legal(game, "double") == ["double New York"]
    with pytest.raises(IllegalAction, match="Chicago can be doubled only after you increase your market share there"):
        game.play("double Chicago")


@pytest.mark.clause("3.3")
@pytest.mark.parametrize(("before", "moves"), [("blue red", ["double Denver"]), ("blue red red", [])])
def test_only_a_city_with_two_empty_spaces_can_be_doubled(before: str, moves: list[str]) -> None:
    game = position(f"""
        Denver: {before}
        blue cash 5
        blue to grow
    """)
    game.play("grow Denver")
    assert legal(game, "double") == moves
    if not moves:
        with pytest.raises(IllegalAction, match="Denver has only one empty space"):
            game.play("double Denver")


@pytest.mark.clause("3.3", "2.10")
def test_the_second_of_a_doubled_city_can_score_it() -> None:
    game = position("""
        Denver: red blue
        blue cash 5
        blue to grow
    """)
    events = play(game, "grow Denver; double Denver; end")
    assert happened(events, EventKind.OPEN) == [("blue", "Denver", 3), ("blue", "Denver", 4)]
    assert happened(events, EventKind.MAJORITY) == [("blue", "Denver", 4)]


@pytest.mark.clause("3.3", "4.5")
def test_doubling_takes_a_franchise_of_the_supply() -> None:
    game = position("""
        New York: blue red
        blue cash 5
        blue supply 1
        blue to grow
    """)
    game.play("grow New York")
    assert legal(game, "double") == []
    with pytest.raises(IllegalAction, match="you have no franchise left in supply"):
        game.play("double New York")


@pytest.mark.clause("3.4")
@pytest.mark.parametrize(
    "before", ["", "expand Indianapolis 1", "done", "done; grow Detroit", "expand Indianapolis 1; done; grow Detroit"]
)
def test_cash_gives_10_dollars_at_any_moment_of_the_turn(before: str) -> None:
    game = position("""
        Detroit: blue red
        blue cash 2
    """)
    if before:
        play(game, before)
    cash = player(game, "blue")["cash"]
    events = game.play("cash")
    assert happened(events, EventKind.CASH) == [("blue", None, 10)]
    assert player(game, "blue")["cash"] == cash + 10
    assert player(game, "blue")["bonus_tiles"] == 2


@pytest.mark.clause("3.4")
def test_cash_can_pay_for_the_expansion_of_the_same_turn() -> None:
    game = position("""
        Detroit: blue
        blue cash 0
    """)
    assert legal(game, "expand") == []
    play(game, "cash; expand New York 5")
    assert player(game, "blue")["cash"] == 5


@pytest.mark.clause("3.4")
def test_cash_is_for_your_own_turn() -> None:
    game = position("""
        Detroit: blue
        blue bonus 3
        red bonus 0
        red to grow
    """)
    assert [str(action) for action in game.legal_actions()] == ["end"]


@pytest.mark.clause("3.5")
def test_expanding_again_comes_after_a_first_expansion() -> None:
    game = position("""
        Detroit: blue
        blue cash 20
    """)
    assert legal(game, "again") == []
    with pytest.raises(IllegalAction, match="a second expansion must follow a first one in the same turn"):
        game.play("again Chicago 3")
    game.play("expand Indianapolis 1")
    assert legal(game, "again") == ["again Chicago 3", "again New York 5", "again St. Louis 5"]
