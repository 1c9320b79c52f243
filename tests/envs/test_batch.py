"""Batch: exact seeds, automatic reset, arrays of the caller, any number of threads."""

import copy
import pickle
import random
import threading
from typing import Any

import numpy as np
import pytest

from envs.option_sets import ALL_PLAYERS, ALL_TABLES, TABLES
from franchise import Game, IllegalAction, Options
from franchise.engine import layout
from franchise.engine.observe import SCALE, SIZE
from franchise.engine.playout import random_games
from franchise.envs import Batch, Buffers, spaces
from waiting import wait_until

EVERYTHING = Options(expert="random", milestones=True, boom=True, regions="mixed")


def arrays(answers: Buffers) -> Any:
    """The arrays, for tests that have asked for all of them."""
    return answers


@ALL_PLAYERS
@ALL_TABLES
def test_every_slot_plays_the_games_of_its_seeds_one_after_the_other(players: int, options: Options) -> None:
    """Random games of a batch are those of `random_games`, and so of `franchise simulate`, with the same seeds."""
    n, seed = 3, 5
    batch = Batch(n, players, seed, options)
    answers = arrays(batch.buffers("dones", "scores"))
    batch.reset(answers)
    finished: dict[int, list[int]] = {}
    while len(finished) < 2 * n:
        seeds = batch.seeds
        batch.step(batch.random_actions(), answers)
        for slot in np.flatnonzero(answers.dones):
            finished[int(seeds[slot])] = answers.scores[slot].tolist()
            assert batch.seeds[slot] == seeds[slot] + n
    for number, scores in finished.items():
        game = Game(players, number, options)
        rows = np.zeros((1, 3 + layout.SEATS), np.int32)
        moves, out = np.zeros(layout.GAME, np.int32), np.zeros(layout.MOVES, np.int32)
        state, log = layout.new(layout.STATE), layout.new(layout.LOG)
        random_games(game.rules, game.state, number, rows, state, moves, out, log)
        assert rows[0, 3 : 3 + players].tolist() == scores
    assert {seed + i for i in range(n)} <= set(finished)


@pytest.mark.compiled_only
def test_threads_change_nothing() -> None:
    ends = []
    for threads in (1, 2, 3):
        batch = Batch(1000, 4, 9, EVERYTHING, threads=threads)
        answers = arrays(batch.buffers())
        batch.reset(answers)
        for _ in range(300):
            batch.step(batch.random_actions(), answers)
        ends.append((batch.states.tobytes(), batch.seeds.tolist(), answers.observations.tobytes()))
        batch.close()
    assert ends[0] == ends[1] == ends[2]
    assert max(ends[0][1]) > 1009  # some games were followed by others


@pytest.mark.compiled_only
def test_helpers_follow_from_one_array_to_the_next_sleep_and_go_home() -> None:
    others = threading.enumerate()  # of batches that nobody has collected yet, too

    def started() -> list[threading.Thread]:
        return [thread for thread in threading.enumerate() if thread not in others and thread.name == "franchise-batch"]

    batch, alone = Batch(1000, 4, 9, threads=3), Batch(1000, 4, 9, threads=1)
    rollout, wanted = np.zeros((40, 1000, SIZE), np.uint8), np.zeros((40, 1000, SIZE), np.uint8)
    for each, seen in ((batch, rollout), (alone, wanted)):
        each.reset()
        for step in range(40):
            if step % 10 == 5:
                wait_until(lambda threads=each._threads: threads._asleep == len(threads._helpers))
            each.step(each.random_actions(), Buffers(counts=seen[step]))
    assert np.array_equal(rollout, wanted)
    helpers = started()
    assert len(helpers) == 2
    batch.close()
    assert not any(helper.is_alive() for helper in helpers)
    batch.step(batch.random_actions())  # now alone
    alone.step(alone.random_actions())
    assert batch.states.tobytes() == alone.states.tobytes()
    forgotten = Batch(200, threads=2)
    forgotten.reset()
    del forgotten
    assert started() == []


def test_observations_are_the_counts_in_their_units_and_those_of_a_single_game() -> None:
    batch = Batch(4, 3, 2, EVERYTHING)
    answers = arrays(batch.buffers("observations", "counts", "seats", "masks"))
    batch.reset(answers)
    histories: list[list[int]] = [[] for _ in range(batch.n)]
    for _ in range(60):
        actions = batch.random_actions().copy()
        for slot, action in enumerate(actions):
            histories[slot].append(int(action))
        batch.step(actions, answers)
        assert np.array_equal(answers.observations, answers.counts * SCALE)
    for slot, history in enumerate(histories):
        game = batch.game(slot, history)
        assert np.array_equal(answers.observations[slot], spaces.vector(game, game.current_player))
        assert np.array_equal(answers.masks[slot], spaces.action_mask(game, batch.actions))
        assert answers.seats[slot] == game.current_player
    with pytest.raises(ValueError, match="do not lead to the position of game 0"):
        batch.game(0, histories[0][:-1])


@pytest.mark.compiled_only
@ALL_TABLES
def test_a_step_that_writes_what_changed_leaves_what_describing_all_anew_would(options: Options) -> None:
    batch = Batch(40, 4, 6, options)
    answers, anew = arrays(batch.buffers("counts", "dones")), arrays(batch.buffers("counts"))
    batch.reset(answers)
    ended = 0
    while ended < 20:
        batch.step(batch.random_actions(), answers)
        batch.describe(anew)
        assert np.array_equal(answers.counts, anew.counts)
        ended += int(answers.dones.sum())


def test_an_illegal_action_is_named_and_nothing_moves() -> None:
    batch = Batch(3, 2, 0)
    batch.reset()
    before = batch.states.tobytes()
    actions = batch.random_actions().copy()
    actions[2] = 320
    with pytest.raises(IllegalAction, match=r"action 320 \(end\) is not legal in game 2"):
        batch.step(actions)
    for number in (-1, 321, 100_000, 2**32 + int(actions[1])):
        actions = actions.astype(np.int64)
        actions[2] = number
        with pytest.raises(IllegalAction, match=f"action {number} .*is not legal in game 2"):
            batch.step(actions)
    assert batch.states.tobytes() == before
    batch.step(batch.random_actions().astype(np.uint8))  # any type of whole numbers will do
    assert batch.states.tobytes() != before


def test_after_an_illegal_action_the_arrays_are_written_in_full() -> None:
    batch = Batch(3, 2, 0)
    batch.reset()
    own = arrays(batch.buffers("counts", "observations"))
    with pytest.raises(IllegalAction):
        batch.step(np.full(3, 320), own)
    batch.step(batch.random_actions(), own)
    anew = arrays(batch.buffers("counts", "observations"))
    batch.describe(anew)
    assert np.array_equal(own.counts, anew.counts)
    assert np.array_equal(own.observations, anew.observations)


def test_rewards_by_rank_add_up_to_nothing_and_by_share_to_one() -> None:
    for reward, total in (("rank", 0.0), ("share", 1.0)):
        batch = Batch(8, 4, 0, reward=reward)
        answers = arrays(batch.buffers("rewards", "dones"))
        batch.reset(answers)
        ended = 0
        while ended < 8:
            batch.step(batch.random_actions(), answers)
            ended += int(answers.dones.sum())
            assert np.allclose(answers.rewards.sum(axis=1), np.where(answers.dones, total, 0.0), atol=1e-6)


def test_shaped_rewards_add_up_to_the_score_and_the_final_reward() -> None:
    plain, shaped = (Batch(4, 3, 1, reward="rank", shaping=shaping) for shaping in (0.0, 0.5))
    wanted, given = arrays(plain.buffers()), arrays(shaped.buffers())
    plain.reset(wanted)
    shaped.reset(given)
    total = np.zeros((4, 3))
    while not wanted.dones[0]:
        actions = plain.random_actions()
        plain.step(actions, wanted)
        shaped.step(actions, given)
        total += given.rewards
    assert total[0] == pytest.approx(wanted.rewards[0] + 0.5 * wanted.scores[0])


def test_without_automatic_reset_a_finished_game_stays_and_takes_any_action() -> None:
    batch = Batch(2, 2, 0, auto_reset=False)
    answers = arrays(batch.buffers())
    batch.reset(answers)
    while not answers.dones.all():
        batch.step(batch.random_actions(), answers)
    before = batch.states.tobytes()
    scores = answers.scores.copy()
    assert not answers.masks.any()
    assert batch.random_actions().tolist() == [-1, -1]
    batch.step(np.array([7, -1]), answers)
    assert batch.states.tobytes() == before
    assert answers.dones.all()
    assert np.array_equal(answers.scores, scores)
    assert not answers.rewards.any()


def test_answers_go_into_parts_of_the_callers_own_arrays() -> None:
    batch = Batch(5, 4, 3)
    rollout = np.zeros((10, 5, SIZE), np.float32)
    masks = np.zeros((10, 5, batch.actions), bool)
    batch.reset(Buffers(observations=rollout[0], masks=masks[0]))
    chance = random.Random(1)
    for step in range(1, 10):
        actions = np.array([chance.choice(np.flatnonzero(row)) for row in masks[step - 1]])
        batch.step(actions, Buffers(observations=rollout[step], masks=masks[step]))
    again = arrays(batch.buffers("observations", "masks"))
    batch.describe(again)
    assert np.array_equal(again.observations, rollout[9])
    assert np.array_equal(again.masks, masks[9])
    assert not np.array_equal(rollout[0], rollout[9])


def test_arrays_that_do_not_fit_are_refused() -> None:
    batch = Batch(4, 2, 0)
    batch.reset()
    actions = batch.random_actions()
    before = batch.states.tobytes()
    with pytest.raises(ValueError, match=r"masks go into a writable C-contiguous bool array of shape \(4, 321\)"):
        batch.step(actions, Buffers(masks=np.zeros((4, 320), bool)))
    with pytest.raises(ValueError, match="rewards go into"):
        batch.step(actions, Buffers(rewards=np.zeros((4, 2), np.float64)))
    with pytest.raises(ValueError, match="observations go into"):
        batch.step(actions, Buffers(observations=np.zeros((4, 2 * SIZE), np.float32)[:, ::2]))
    with pytest.raises(ValueError, match="4 games take an array of 4 whole numbers"):
        batch.step(actions[:3])
    with pytest.raises(ValueError, match="not float64"):
        batch.step(actions.astype(float))
    with pytest.raises(ValueError, match="random actions go into an int32 array"):
        batch.random_actions(np.zeros(4))
    assert batch.states.tobytes() == before


def test_arguments_that_cannot_be_are_refused() -> None:
    with pytest.raises(ValueError, match="at least one game"):
        Batch(0)
    for threads in (0, -1):
        with pytest.raises(ValueError, match=f"at least one thread, not {threads}"):
            Batch(1, threads=threads)
    with pytest.raises(ValueError, match="between 0 and"):
        Batch(1, seed=-1)
    with pytest.raises(ValueError, match="rewards are by rank or share"):
        Batch(1, reward="money")
    with pytest.raises(ValueError, match="call reset first"):
        Batch(1).step(np.zeros(1, int))


def test_a_new_seed_begins_new_games() -> None:
    batch = Batch(2, 4, 0, EVERYTHING)
    batch.reset(seed=40)
    assert batch.seeds.tolist() == [40, 41]
    assert batch.game(1, []).setup == Game(4, 41, EVERYTHING).setup


def test_options_are_given_as_such_or_as_a_mapping() -> None:
    assert Batch(1, 4, 0, {"boom": True}).options == Options(boom=True)


def test_forced_moves_are_skipped_and_the_games_are_the_same() -> None:
    """Every decision that is left is one, and the rewards add up as before."""
    batch = Batch(6, 3, 4, EVERYTHING, skip_forced=True, shaping=0.5, auto_reset=False)
    answers = arrays(batch.buffers())
    batch.reset(answers)
    histories: list[list[int]] = [[] for _ in range(batch.n)]
    total = np.zeros((batch.n, 3))
    while not answers.dones.all():
        assert (answers.masks.sum(axis=1)[~answers.dones] > 1).all()
        actions = batch.random_actions()
        for slot in np.flatnonzero(actions >= 0):
            histories[slot].append(int(actions[slot]))
        batch.step(actions, answers)
        total += answers.rewards
    for slot, history in enumerate(histories):
        game = batch.game(slot, history)
        assert len(game.actions) > len(history)
        assert total[slot] == pytest.approx(np.add(spaces.rewards_at_end(game, "rank"), 0.5 * answers.scores[slot]))


def test_a_snapshot_of_any_slots_goes_back_into_these_or_others_or_another_batch() -> None:
    batch = Batch(5, 3, 1, EVERYTHING)
    answers = arrays(batch.buffers("counts", "masks"))
    batch.reset(answers)
    for _ in range(50):
        batch.step(batch.random_actions(), answers)
    wanted = [batch.states[slot : slot + 1].tobytes() for slot in (3, 1)]
    seen = answers.counts[[3, 1, 3]].copy()
    saved = batch.snapshot([3, 1])
    for _ in range(10):
        batch.step(batch.random_actions(), answers)
    batch.restore(saved)
    assert [batch.states[slot : slot + 1].tobytes() for slot in (3, 1)] == wanted
    other = Batch(4, 3, 8, EVERYTHING)
    batch.describe(answers)
    assert np.array_equal(answers.counts[[3, 1]], seen[:2])
    other.restore(batch.snapshot([3, 1, 3]), [0, 2, 3])
    other.restore(batch.snapshot([0]), [1])
    ours = arrays(other.buffers("counts"))
    other.describe(ours)
    assert np.array_equal(ours.counts[[0, 2, 3]], seen)
    other.step(other.random_actions(), ours)
    assert other.states[:1].tobytes() == other.states[3:4].tobytes()  # with the same random numbers
    for slots, message in (([0], "as many different slots"), ([1, 1, 2], "as many different"), ([0, 1, 9], "0 to 3")):
        with pytest.raises(ValueError, match=message):
            other.restore(batch.snapshot([3, 1, 3]), slots)
    with pytest.raises(ValueError, match="other players, options"):
        Batch(5, 3, 1).restore(saved)


def test_pickled_and_copied_batches_go_on_alike() -> None:
    batch = Batch(4, 2, 1, EVERYTHING, reward="share", skip_forced=True)
    assert pickle.loads(pickle.dumps(batch)).n == 4  # before the first game
    batch.reset()
    for _ in range(30):
        batch.step(batch.random_actions())
    others = [pickle.loads(pickle.dumps(batch)), copy.deepcopy(batch)]
    for each in (batch, *others):
        answers = arrays(each.buffers("rewards", "counts"))
        for _ in range(300):
            each.step(each.random_actions(), answers)
    for other in others:
        assert other.states.tobytes() == batch.states.tobytes()
        assert other.seeds.tolist() == batch.seeds.tolist()


def test_finished_games_are_renewed_when_asked_and_only_their_rows_are_written() -> None:
    batch = Batch(4, 2, 0, auto_reset=False)
    answers = arrays(batch.buffers("dones", "masks", "counts", "scores"))
    batch.reset(answers)
    while not answers.dones.any():
        batch.step(batch.random_actions(), answers)
    ended = answers.dones.copy()
    others = answers.counts[~ended].copy()
    assert (answers.scores[ended] > 0).any()
    batch.renew(answers)
    assert batch.seeds.tolist() == [slot + 4 * bool(ended[slot]) for slot in range(4)]
    assert answers.masks[ended].any(axis=1).all()
    assert np.array_equal(answers.counts[~ended], others)
    assert (answers.scores[ended] > 0).any()  # they tell of the last step


@pytest.mark.compiled_only
@pytest.mark.parametrize("names", [("counts", "observations"), ("counts",), ("observations",)], ids="+".join)
@pytest.mark.parametrize("options", [TABLES["base"], TABLES["everything"]], ids=["base", "everything"])
def test_arrays_of_the_batch_and_of_the_caller_say_the_same(names: tuple[str, ...], options: Options) -> None:
    """Its own arrays are written in part; between them come others, restored positions and new games."""
    batch = Batch(30, 4, 3, options, shaping=0.1)
    own = batch.buffers(*names)
    assert all(getattr(own, name).ctypes.data % 64 == 0 for name in names)  # as JAX asks for, to share them
    given = arrays(Buffers(counts=np.zeros((30, SIZE), np.uint8), observations=np.zeros((30, SIZE), np.float32)))
    batch.reset(own)
    saved = batch.snapshot(range(5))
    for step in range(400):
        if step % 7 == 3:
            batch.restore(saved)
            saved = batch.snapshot(range(5))
        batch.describe(own) if step % 11 == 0 else batch.step(batch.random_actions(), own)
        if step % 3 == 0:
            batch.describe(given)
            for name in names:
                assert np.array_equal(getattr(own, name), getattr(given, name))


@pytest.mark.compiled_only
def test_a_caller_may_ask_for_other_arrays_at_any_step() -> None:
    batch = Batch(30, 4, 3)
    asked = [batch.buffers("counts"), batch.buffers("observations"), batch.buffers("counts", "observations")]
    asked.append(batch.buffers("masks"))
    batch.reset(asked[0])
    chance = np.random.default_rng(1)
    for _ in range(200):
        into = asked[chance.integers(len(asked))]
        for _ in range(chance.integers(1, 4)):
            batch.step(batch.random_actions(), into)
        anew = arrays(batch.buffers("counts", "observations"))
        batch.describe(anew)
        assert into.counts is None or np.array_equal(into.counts, anew.counts)
        assert into.observations is None or np.array_equal(into.observations, anew.observations)
        if chance.random() < 0.5:
            into = asked[chance.integers(len(asked))]
            batch.describe(into)
            assert into.counts is None or np.array_equal(into.counts, anew.counts)
            assert into.observations is None or np.array_equal(into.observations, anew.observations)
