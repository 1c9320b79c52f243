"""What a move would do agrees with what it then does."""

import random

import pytest

from franchise import Game, IllegalAction, Options
from franchise.engine.layout import EventKind
from franchise.insight.preview import preview, previews, turn_end

EVERYTHING = Options(milestones=True, boom=True, regions="mixed")


@pytest.mark.parametrize("options", [Options(), EVERYTHING, Options(expert="draft")], ids=["base", "modules", "draft"])
def test_a_preview_agrees_with_playing_and_ending_the_turn(options: Options) -> None:
    game = Game(3, 4, options)
    chance = random.Random(4)
    ended = 0
    while not game.over:
        before = game.state.tobytes()
        seen = previews(game)
        assert game.state.tobytes() == before
        assert [foreseen.move for foreseen in seen] == [str(action) for action in game.legal_actions()]
        number = chance.randrange(len(seen))
        foreseen, action = seen[number], game.legal_actions()[number]
        assert foreseen == preview(game, action)
        seat, influence = game.current_player, [player["influence"] for player in game.view()["players"]]
        after = game.copy()
        events = after.play(action)
        assert list(foreseen.events) == events[: len(foreseen.events)]
        if after.turn == game.turn and not after.over:
            assert len(foreseen.events) == len(events)
            assert foreseen.cash_after == after.view()["players"][seat]["cash"]
        closing = [event for text in to_the_end(after, game.turn) for event in after.play(text)]
        own = [event for event in closing if event.kind not in (EventKind.TURN, EventKind.INCOME)]
        if after.turn != game.turn or after.over:
            ended += 1
            assert list(foreseen.turn_end) == own[: len(foreseen.turn_end)]
            assert foreseen.income_after == after.view()["players"][seat]["income"]
            gained = [player["influence"] for player in after.view()["players"]]
            assert list(foreseen.scores) == [new - old for new, old in zip(gained, influence, strict=True)]
        game.play(action)
    assert ended > 50


def to_the_end(game: Game, turn: int) -> list[str]:
    """The moves that end the turn from here; none in the set-up."""
    if game.turn != turn or game.over:
        return []
    return {"boom": ["stay", "done", "end"] if turn else [], "expand": ["done", "end"], "grow": ["end"]}.get(
        game.phase, []
    )


def test_the_end_of_a_turn_is_told_without_the_next_players_income() -> None:
    game = Game(2, 1, Options(introductory=True))
    game.play(next(action for action in game.legal_actions() if action.verb == "expand"))
    assert [event.kind for event in turn_end(game)] == [EventKind.OPEN]
    game.play("done")
    assert [event.kind for event in preview(game, "end").events] == [EventKind.OPEN]
    assert preview(game, "end").turn_end == ()


def test_income_is_compared_with_ending_the_turn_without_the_move() -> None:
    game = Game(2, 1, Options(introductory=True))
    expansions = [foreseen for foreseen in previews(game) if foreseen.move.startswith("expand")]
    assert any(foreseen.income_after > foreseen.income_before for foreseen in expansions)
    foreseen = max(expansions, key=lambda foreseen: foreseen.income_after)
    game.play(foreseen.move)
    assert preview(game, "done").income_before == foreseen.income_after


def test_an_illegal_move_has_no_preview() -> None:
    with pytest.raises(IllegalAction, match="end belongs to phase 3"):
        preview(Game(2, 1), "end")
