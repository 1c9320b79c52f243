"""Random play: one seed, one game, compiled and plain."""

import numpy as np
import pytest

from franchise import Game, Options
from franchise.engine import layout
from franchise.engine.jit import COMPILED
from franchise.engine.playout import following, random_games, scramble

EVERYTHING = Options(expert="draft", milestones=True, boom=True, regions="mixed")


def play(game: Game, seed: int, number: int) -> tuple[list[list[int]], list[int]]:
    """The rows of that many games from a position, and the moves of the last one."""
    rows = np.zeros((number, 3 + layout.SEATS), np.int32)
    moves = np.zeros(layout.GAME, np.int32)
    out = np.zeros(layout.MOVES, np.int32)
    random_games(game.rules, game.state, seed, rows, layout.new(layout.STATE), moves, out, layout.new(layout.LOG))
    return rows.tolist(), moves[: rows[-1, 0]].tolist()


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("options", [Options(), EVERYTHING], ids=["base", "everything"])
def test_a_row_tells_moves_turns_winners_and_scores_of_a_legal_game(players: int, options: Options) -> None:
    game = Game(players, 3, options)
    before = game.state.tobytes()
    ((count, turns, winners, *scores),), moves = play(game, 7, 1)
    assert game.state.tobytes() == before
    for move in moves:
        game.play(move)
    assert game.over
    assert (len(moves), game.turn) == (count, turns)
    result = game.result()
    assert tuple(scores[:players]) == result.scores
    assert scores[players:] == [0] * (5 - players)
    assert tuple(seat for seat in range(players) if winners >> seat & 1) == result.winners


def test_games_are_seeded_in_turn() -> None:
    number = 5 if COMPILED else 2
    game = Game(2)
    rows, moves = play(game, 11, number)
    assert len({tuple(row) for row in rows}) == number
    for i, row in enumerate(rows):
        assert play(game, 11 + i, 1)[0] == [row]
    assert play(game, 11 + number - 1, 1)[1] == moves


@pytest.mark.parametrize(
    ("options", "row"),
    [(Options(), [148, 38, 1, 66, 38, 38, 0, 0]), (EVERYTHING, [220, 41, 2, 40, 58, 23, 0, 0])],
    ids=["base", "everything"],
)
def test_a_seed_means_the_same_game_compiled_and_plain(options: Options, row: list[int]) -> None:
    assert play(Game(3, 3, options), 2, 1)[0] == [row]


def test_the_generator_is_the_same_compiled_and_plain_and_never_stands_still() -> None:
    assert [scramble(seed) for seed in (0, 1, -1)] == [654263663, 3820065689, 131647753]
    state = scramble(0)
    assert [state := following(state) for _ in range(4)] == [67799686, 4262880587, 1700568724, 658694067]
    assert all(scramble(seed) for seed in range(100))


def chi_squared(counts: "np.ndarray[tuple[int], np.dtype[np.int64]]") -> float:
    """How far counts are from being equal; about as much as there are counts where chance decides."""
    expected = counts.sum() / len(counts)
    return float(((counts - expected) ** 2).sum() / expected)


@pytest.mark.parametrize(("choices", "limit"), [(2, 10.8), (3, 13.8), (7, 22.5), (20, 43.8), (65, 104.7)])
def test_every_choice_is_about_equally_likely_within_a_game_and_over_the_seeds(choices: int, limit: float) -> None:
    """The limits are those that chance exceeds once in a thousand times; the seeds are fixed."""
    number = 200 * choices if COMPILED else 40 * choices
    within, over = np.zeros(choices, np.int64), np.zeros(choices, np.int64)
    state = scramble(1)
    for seed in range(number):
        state = following(state)
        within[state * choices >> 32] += 1
        over[following(scramble(seed)) * choices >> 32] += 1
    assert chi_squared(within) < limit
    assert chi_squared(over) < limit


def test_a_choice_does_not_depend_on_the_one_before() -> None:
    number = 8_000 if COMPILED else 2_000
    pairs = np.zeros((5, 5), np.int64)
    state = scramble(2)
    last = 0
    for _ in range(number):
        state = following(state)
        choice = state * 5 >> 32
        pairs[last, choice] += 1
        last = choice
    assert chi_squared(pairs.reshape(25)) < 51.2  # once in a thousand times for 24 degrees of freedom
