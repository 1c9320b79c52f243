"""What a bot makes of a game afterwards: chances over the turns and turning points."""

from collections.abc import Iterator

import pytest

from franchise.insight import review as module
from franchise.insight.review import Review, Reviewer, name_of
from recorded_games import THROWN

THROWN_AT, THROWN_TURN = 142, 33


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Less thought than for people."""
    for name, number in (("SWEEP", 100), ("DEEP", 400), ("SUSPECTS", 3), ("ALTERNATIVES", 2)):
        monkeypatch.setattr(module, name, number)


@pytest.fixture(scope="module")
def thrown() -> Iterator[tuple[Review, list[tuple[int, int]]]]:
    """The review of that game, and what was told of its progress."""
    progress: list[tuple[int, int]] = []
    with pytest.MonkeyPatch.context() as patch:
        for name, number in (("SWEEP", 100), ("DEEP", 400), ("SUSPECTS", 3), ("ALTERNATIVES", 2)):
            patch.setattr(module, name, number)
        yield Reviewer(THROWN, lambda done, all_: progress.append((done, all_))).review(), progress


def test_a_game_thrown_away_by_one_turn_has_it_as_a_turning_point(thrown: tuple[Review, object]) -> None:
    point = max(thrown[0].turning, key=lambda point: point.swing)
    assert (point.move, point.turn, point.seat, point.played) == (THROWN_AT, THROWN_TURN, 0, ("done", "end"))
    assert point.before[0] > 0.9
    assert point.after[0] < 0.1


def test_the_chances_lead_to_the_result(thrown: tuple[Review, object]) -> None:
    moments = thrown[0].moments
    assert [moment.move for moment in moments] == sorted(moment.move for moment in moments)
    assert all(abs(sum(moment.chances) - 1) < 0.01 for moment in moments)
    assert moments[-1].move == len(THROWN.actions)
    assert [chance == 1 for chance in moments[-1].chances] == [seat in THROWN.result().winners for seat in range(2)]
    chances = {moment.turn: moment.chances[0] for moment in moments[:-1]}
    assert chances[THROWN_TURN] > 0.9 > 0.1 > chances[THROWN_TURN + 1]


def test_alternatives_are_legal_and_their_lines_replay(thrown: tuple[Review, object]) -> None:
    assert thrown[0].turning
    for point in thrown[0].turning:
        for way in (point.played, (*point.better, *point.line)):
            game = THROWN.at(point.move)
            assert (game.turn, game.current_player) == (point.turn, point.seat)
            for move in way:
                game.play(move)  # IllegalAction where it is not
        better = THROWN.at(point.move)
        for move in point.better:
            better.play(move)
        assert better.over or better.turn == point.turn + 1, "a better turn is a whole one"
        assert point.better != point.played


def test_progress_moves_to_its_end(thrown: tuple[Review, list[tuple[int, int]]]) -> None:
    progress = thrown[1]
    assert [done for done, _ in progress] == sorted(done for done, _ in progress)
    assert len({done for done, _ in progress}) > 30
    assert progress[-1][0] == progress[-1][1]
    assert {all_ for _, all_ in progress} == {progress[-1][1]}


def test_a_review_is_the_same_when_it_was_kept(thrown: tuple[Review, object]) -> None:
    again = Review.from_text(thrown[0].to_text())
    assert again.turning == thrown[0].turning
    assert [moment.chances for moment in again.moments] == [moment.chances for moment in thrown[0].moments]


def test_a_game_that_stopped_early_is_reviewed_up_to_there() -> None:
    game = THROWN.at(12)
    moments = Reviewer(game).review().moments
    assert moments[-1].move == 12
    assert len(moments) >= 3


def test_names_do_not_matter_but_moves_do() -> None:
    named = THROWN.copy()
    named.names = ("Ada", "Eve")
    assert name_of(named) == name_of(THROWN)
    assert name_of(THROWN.at(100)) != name_of(THROWN)
