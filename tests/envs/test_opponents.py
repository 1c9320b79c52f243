"""Bots inside a batch: the levels as they are elsewhere, the caller's decisions only, the same on any thread."""

from typing import Any

import numpy as np
import pytest

from franchise import Game
from franchise.bots.network import trained
from franchise.bots.search import Tree
from franchise.engine.layout import LOG, MOVES
from franchise.engine.walk import step
from franchise.envs import Batch

pytestmark = pytest.mark.compiled_only
MODULES = {"milestones": True, "boom": True, "regions": "mixed"}


def answers_of(batch: Batch) -> Any:
    answers = batch.buffers()
    batch.reset(answers)
    return answers


def test_only_decisions_of_the_caller_are_left_and_the_seat_follows_from_the_seed() -> None:
    batch = Batch(16, 4, 3, opponents=["random", "newcomer", "casual"])
    answers = answers_of(batch)
    ended = 0
    while ended < 20:
        assert np.array_equal(answers.seats, batch.seeds % 4)
        batch.step(batch.random_actions(), answers)
        ended += int(answers.dones.sum())
        assert np.allclose(answers.rewards.sum(axis=1), 0.0, atol=1e-6)
        assert answers.masks.any(axis=1).all()
    fixed = Batch(8, 3, 0, opponents={0: "random", 2: "random"})
    seen = answers_of(fixed)
    for _ in range(100):
        assert (seen.seats == 1).all()
        fixed.step(fixed.random_actions(), seen)


def test_rewards_and_scores_are_those_of_the_whole_game() -> None:
    batch = Batch(12, 2, 0, opponents="newcomer", shaping=0.5, auto_reset=False, skip_forced=True)
    answers = answers_of(batch)
    total = np.zeros((12, 2))
    finals: dict[int, Any] = {}
    while not answers.dones.all():
        batch.step(batch.random_actions(), answers)
        total += answers.rewards
        for slot in np.flatnonzero(answers.dones):
            finals.setdefault(int(slot), answers.scores[slot].copy())
    for slot, scores in finals.items():
        ranks = total[slot] - 0.5 * scores
        assert np.allclose(np.abs(ranks), 1.0) or np.allclose(ranks, 0.0)
        assert np.allclose(ranks.sum(), 0.0)
        assert (ranks[0] > 0) == (scores[0] > scores[1]) or scores[0] == scores[1]
    batch.renew(answers)
    assert batch.seeds.tolist() == list(range(12, 24))
    assert answers.masks.any(axis=1).all()


def test_threads_copies_and_snapshots_change_nothing() -> None:
    ends = []
    for threads in (1, 2):
        batch = Batch(130, 3, 5, MODULES, opponents=["casual", "random"], threads=threads)
        answers = answers_of(batch)
        for _ in range(12):
            batch.step(batch.random_actions(), answers)
        saved = batch.snapshot()
        for _ in range(12):
            batch.step(batch.random_actions(), answers)
        end = batch.states.tobytes()
        batch.restore(saved)
        for _ in range(12):
            batch.step(batch.random_actions(), answers)
        assert batch.states.tobytes() == end
        ends.append(end)
        batch.close()
    assert ends[0] == ends[1]


def test_a_batch_without_opponents_takes_their_positions_to_look_ahead_but_not_the_other_way() -> None:
    batch, trial = Batch(4, 3, 5, opponents="casual"), Batch(4, 3)
    answers_of(batch)
    trial.restore(batch.snapshot([2, 2, 0]), [0, 1, 3])
    assert trial.states[1:2].tobytes() == batch.states[2:3].tobytes()
    assert trial.states[3:4].tobytes() == batch.states[0:1].tobytes()
    for other in (Batch(4, 3, opponents="random"), Batch(4, 3, opponents="casual", skip_forced=True)):
        with pytest.raises(ValueError, match="the snapshot is of a batch with other players"):
            other.restore(trial.snapshot([0]))


@pytest.mark.parametrize("name", ["newcomer", "casual", "regular"])
def test_a_turn_is_one_of_those_the_level_compares(name: str) -> None:
    """And so a legal one: each candidate is played by the rules here."""
    game = Game(2, 0)
    log, out = np.zeros(1, LOG), np.zeros(MOVES, np.int32)
    batch = Batch(1, 2, 0, opponents={1: name}, simulations=8, auto_reset=False)
    answers = answers_of(batch)
    compared = 0
    while compared < 3:
        state = batch.states.copy()
        action = int(batch.random_actions()[0])
        batch.step(np.array([action]), answers)
        assert step(game.rules, state, action, out, log)
        if state["turn"][0] == 0 or state["active"][0] == 0:
            continue
        tree = Tree(game.rules, 8, trained(game.players))
        tree.start(game.rules, state, 1)
        ends = []
        for edge in tree.root_edges():
            after = state.copy()
            assert all(step(game.rules, after, move, out, log) for move in tree.turn(edge))
            ends.append(after)
        assert any((batch.states == end).all() for end in ends)
        compared += 1


def test_what_cannot_sit_there_is_refused() -> None:
    for given, message in (
        (["casual"], "leave 3 opponents, not 1"),
        ("program:bot", "opponents in a batch are random, newcomer"),
        ({4: "casual"}, "some of the seats 0 to 3"),
        ({0: "random", 1: "random", 2: "random", 3: "random"}, "not all"),
    ):
        with pytest.raises(ValueError, match=message):
            Batch(1, 4, 0, opponents=given)  # type: ignore[arg-type]
