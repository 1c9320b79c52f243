"""One game between bots: what is written down, and what happens to bots that misbehave."""

import copy
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arena.made_up_runs import random_run
from franchise.arena.match import play
from franchise.arena.outcome import Outcome
from franchise.engine.layout import EventKind
from franchise.engine.setups import Options
from franchise.game import Game

Bot = Callable[[str, Callable[[Game], Any]], str]


def test_a_game_follows_from_the_run_and_its_number_alone() -> None:
    assert play(random_run(), 3) == play(random_run(), 3)
    assert play(random_run(), 3) != play(random_run(), 4)
    assert play(random_run(seed=6), 3).moves == play(random_run(seed=7), 2).moves  # the same seed of the game


def test_the_outcome_tells_what_the_record_replays(tmp_path: Path) -> None:
    run = random_run("random", "random", "random", "random", records=str(tmp_path))
    for number in range(6):
        outcome = play(run, number)
        game = Game.from_text((tmp_path / f"game-{5 + number}.franchise").read_text(encoding="utf-8"))
        result = game.result()
        assert (outcome.scores, outcome.winners) == (result.scores, result.winners)
        assert (outcome.turns, outcome.moves) == (game.turn, len(game.actions))
        scored = [
            (event.where, event.seat, event.amount)
            for _, events in game.history()
            for event in events
            if event.kind in (EventKind.MAJORITY, EventKind.FULL)
        ]
        assert [(city.name, city.seat, city.points) for city in outcome.cities] == scored
        assert [region.order for region in outcome.regions] == list(range(1, len(outcome.regions) + 1))


def test_influence_and_cash_are_those_at_the_end_of_each_turn(tmp_path: Path) -> None:
    run = random_run(records=str(tmp_path))
    outcome = play(run, 0)
    assert len(outcome.influence) == len(outcome.cash) == outcome.turns
    game = Game.from_text((tmp_path / "game-5.franchise").read_text(encoding="utf-8"))
    again = game.at(0)
    for action in game.actions:
        turn, before = again.turn, again.current_player
        again.play(action)
        if turn and str(action) == "end" and not again.over:
            view = again.view()["players"]
            for seat in {0, 1, 2} - {again.current_player}:  # that one has taken the income of its next turn
                assert outcome.cash[turn - 1][seat] == view[seat]["cash"]
            assert outcome.influence[turn - 1] == tuple(player["influence"] for player in view)
            assert before != again.current_player
    final = [sum(part[name] for name in ("towns", "money", "bonus_tiles")) for part in game.result().breakdown]
    assert [last + more for last, more in zip(outcome.influence[-1], final, strict=True)] == list(outcome.scores)


@pytest.mark.parametrize("options", [{"boom": True, "milestones": True}, {"expert": "draft", "regions": "mixed"}])
def test_every_option_can_be_played_and_written_down(options: dict[str, Any]) -> None:
    run = random_run()
    run = type(run)(run.entrants, run.players, Options(**options), run.seed)
    outcome = play(run, 0)
    assert len(outcome.cash) == outcome.turns
    assert Outcome.from_data(plain(outcome)) == outcome


def plain(outcome: Outcome) -> Any:
    import json

    return json.loads(json.dumps(outcome.data()))


def fail(game: Game) -> Any:
    raise RuntimeError("out of\nideas")


def resign(game: Game) -> Any:
    game.play("end")
    return game.play("nonsense")


def cheat(game: Game) -> Any:
    while not game.over:  # on its own copy, which helps nobody
        game.play(game.legal_actions()[0])
    return None


PRANKS = {
    "raises": (fail, "RuntimeError: out of ideas"),
    "garbage": (lambda game: "take all the money", "IllegalAction: not a move"),
    "nothing": (lambda game: None, "IllegalAction: not a move: a move is a text, an Action or a number"),
    "illegal": (lambda game: "start Reno", "IllegalAction: start Reno"),
    "cheat": (cheat, "IllegalAction"),
    "liar": (lambda game: game.play("end") and None, "IllegalAction"),
}


@pytest.mark.parametrize("name", PRANKS)
def test_a_bot_that_misbehaves_forfeits_and_the_game_goes_on(name: str, bot: Bot) -> None:
    prank, reason = PRANKS[name]
    outcome = play(random_run("random", bot(name, prank), "random"), 0)
    assert len(outcome.forfeits) == 1
    (lost,) = outcome.forfeits
    assert (lost.seat, lost.bot, lost.by) == (outcome.seating.index(name), name, "")
    assert (outcome.places[lost.seat], outcome.scores[lost.seat]) == (3, 0)
    assert lost.seat not in outcome.winners
    assert lost.move >= 30
    assert lost.turn > 0
    assert reason in lost.reason
    assert "\n" not in lost.reason
    assert outcome.turns > lost.turn
    assert outcome.seating.count(name) == 1  # the game still counts for the entrant


def test_the_results_of_a_stand_in_are_not_those_of_the_bot_that_failed() -> None:
    """Else whoever fails at once wins as often as the stand-in does."""
    run = replace(random_run("random", "nobody"), stand_in="casual")
    for number in range(4):
        outcome = play(run, number)
        seat = outcome.seating.index("nobody")
        assert [(lost.bot, lost.by) for lost in outcome.forfeits] == [("nobody", "casual")]
        assert (outcome.places[seat], outcome.scores[seat]) == (2, 0)
        assert outcome.winners == (1 - seat,)


def test_a_seat_whose_stand_in_fails_too_passes() -> None:
    outcome = play(replace(random_run("random", "nobody"), stand_in="nothing"), 0)
    assert [(lost.bot, lost.by) for lost in outcome.forfeits] == [("nobody", "nothing"), ("nothing", "")]


def test_where_everybody_forfeits_nobody_wins() -> None:
    outcome = play(random_run("nobody", "nothing"), 0)
    assert (outcome.winners, outcome.places, outcome.scores) == ((), (1, 1), (0, 0))
    assert Outcome.from_data(plain(outcome)) == outcome
    with pytest.raises(ValueError, match="contradict"):
        Outcome.from_data(plain(outcome) | {"winners": [0]})


def test_a_bot_that_cannot_be_made_forfeits_at_once() -> None:
    outcome = play(random_run("random", "nobody"), 0)
    assert [(lost.bot, lost.turn) for lost in outcome.forfeits] == [("nobody", 0)]
    assert "there is no bot 'nobody'" in outcome.forfeits[0].reason


def test_bots_are_closed_and_a_warning_names_those_that_object(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    closed = []

    def close(self: Any) -> None:
        closed.append(self)
        raise OSError("no")

    monkeypatch.setattr("franchise.bots.simple.RandomBot.close", close)
    play(random_run(), 4)
    assert len(closed) == 3
    assert [(record.levelname, record.name, record.message) for record in caplog.records] == 3 * [
        ("WARNING", "franchise.arena.match", "random could not be closed in game 4: OSError: no")
    ]


def test_lines_of_another_shape_are_refused() -> None:
    good = plain(play(random_run(), 0))
    assert Outcome.from_data(good).game == 0
    wrong: list[tuple[str, Any]] = [
        ("scores", [1, 2]),
        ("scores", [1, 2, "3"]),
        ("winners", []),
        ("winners", [7]),
        ("turns", 1.5),
        ("seating", [1, 2, 3]),
        ("cash", good["cash"][:-1]),
        ("cities", [{"name": "Reno"}]),
        ("regions", 7),
    ]
    for name, value in wrong:
        with pytest.raises(ValueError, match=r"."):
            Outcome.from_data({**copy.deepcopy(good), name: value})
    with pytest.raises(ValueError, match="a game has the fields"):
        Outcome.from_data({**good, "extra": 1})
