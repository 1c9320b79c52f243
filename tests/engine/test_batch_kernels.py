"""Many games at once: every slot is the game of its seed. What Batch makes of it: tests/envs/test_batch.py"""

import numpy as np
import pytest

from franchise import Game, Options
from franchise.engine import batch_kernels, layout
from franchise.engine.atomics import swap
from franchise.engine.chance import recipe_of
from franchise.engine.jit import COMPILED
from franchise.engine.observe import SIZE, VIEW, look
from franchise.engine.playout import random_games
from franchise.engine.setups import NEW_TILES

N = 3
EPOCH = 5
ACTIONS = 1000
CHANCE = Options(milestones=True, regions="mixed")
LONG = pytest.mark.compiled_only
TABLES = [
    (2, Options()),
    pytest.param(3, CHANCE, marks=LONG),
    pytest.param(2, Options(expert="draft"), marks=LONG),
]


class SmallBatch:
    """Some games with everything the kernel needs."""

    def __init__(self, players: int, options: Options, renew: int, rows: int = N) -> None:
        recipe, rules = recipe_of(players, options)
        terms = layout.new(batch_kernels.TERMS)
        terms["renew"] = renew
        terms["stride"] = N
        terms["shaping"] = 0.5
        self.games = batch_kernels.new_games(N, ACTIONS)
        self.games.seeds[:] = 7 + np.arange(N)
        self.memory = batch_kernels.new_worker_memory(rules, recipe, terms)
        self.actions = np.zeros(N, np.int32)
        self.shared = batch_kernels.new_shared_words()
        self.answers = batch_kernels.Answers(
            np.zeros(rows, VIEW),
            np.zeros(1, np.int64),
            np.zeros((rows, ACTIONS), np.uint8),
            np.zeros(rows, VIEW),
            np.zeros((rows, SIZE), np.float32),
            np.zeros((rows, players), np.float32),
            np.zeros(rows, np.uint8),
            np.zeros(rows, np.int8),
            np.zeros((rows, players), np.int32),
        )

    def run(self, work: int) -> None:
        assert self.outcome(work, EPOCH) == batch_kernels.DONE

    def help(self, epoch: int) -> int:
        return self.outcome(batch_kernels.HELP, epoch)

    def outcome(self, work: int, epoch: int) -> int:
        asked = self.actions.astype(np.int64)
        return batch_kernels.run_batch(
            self.games, self.memory, self.answers, asked, self.actions, self.shared, epoch, work
        )

    def choose(self) -> None:
        self.run(batch_kernels.CHOOSE)


@pytest.mark.parametrize(("players", "options"), TABLES)
def test_every_slot_plays_the_random_game_of_its_seed_and_then_the_next(players: int, options: Options) -> None:
    batch = SmallBatch(players, options, renew=1)
    batch.run(batch_kernels.BEGIN)
    ended = 0
    while ended < (3 * N if COMPILED else 1):
        batch.choose()
        seeds = batch.games.seeds.copy()
        batch.run(batch_kernels.STEP)
        for slot in np.flatnonzero(batch.answers.dones):
            assert batch.answers.scores[slot].tolist() == scores(players, int(seeds[slot]), options)
            assert batch.games.seeds[slot] == seeds[slot] + N
            ended += 1
    check_answers(batch, players, options)


def test_a_table_with_chance_begins_with_the_set_up_of_its_seed() -> None:
    batch = SmallBatch(3, CHANCE, renew=1)
    batch.run(batch_kernels.BEGIN)
    for slot in range(N):
        assert batch.games.states[slot : slot + 1].tobytes() == Game(3, 7 + slot, CHANCE).state.tobytes()
    batch.choose()
    batch.run(batch_kernels.STEP)
    check_answers(batch, 3, CHANCE)


@pytest.mark.compiled_only
def test_where_the_order_of_regions_is_chosen_the_observation_is_that_of_the_whole_state() -> None:
    """The end of a turn opens franchises while the turn goes on."""
    options = Options(regions="chosen", chosen_tiles=NEW_TILES[10:])
    batch = SmallBatch(2, options, renew=1)
    batch.run(batch_kernels.BEGIN)
    while not (batch.games.states["phase"] == layout.Phase.SCORE).any():
        batch.choose()
        batch.run(batch_kernels.STEP)
    check_answers(batch, 2, options)


def test_forced_moves_are_made_at_once_where_asked_and_finished_games_renewed(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the small game, which is over soon; vectors that nobody touched are written in part, and say the same."""
    monkeypatch.setattr(batch_kernels, "NEAR", 0)  # in plain mode, the next slot is fetched as it is among many
    options = Options(mini=True)
    batch = SmallBatch(2, options, renew=0)
    batch.memory.terms["skip_forced"] = 1
    batch.answers.kept[0] = 1
    batch.run(batch_kernels.BEGIN)
    while not batch.answers.dones.all():
        going = batch.games.choices > 0
        assert (batch.games.choices[going] > 1).all()
        batch.choose()
        batch.run(batch_kernels.STEP)
        check_answers(batch, 2, options)
    batch.run(batch_kernels.RENEW)
    assert batch.games.seeds.tolist() == [10, 11, 12]
    assert (batch.games.choices > 1).all()
    before = batch.games.states.tobytes()
    batch.run(batch_kernels.RENEW)  # nothing is over
    assert batch.games.states.tobytes() == before
    check_answers(batch, 2, options)


def test_vectors_written_in_part_have_the_milestones_of_the_player_to_move() -> None:
    options = Options(milestones=True)
    batch = SmallBatch(2, options, renew=0)
    batch.answers.kept[0] = 1
    batch.run(batch_kernels.BEGIN)
    moves_with_milestones = 0
    while moves_with_milestones < 5:
        batch.choose()
        batch.run(batch_kernels.STEP)
        states = batch.games.states
        within = (states["phase"] == layout.Phase.EXPAND) | (states["phase"] == layout.Phase.GROW)
        if (within & (states["claimed"][np.arange(N), states["active"]] != 0)).any():
            check_answers(batch, 2, options)
            moves_with_milestones += 1


def scores(players: int, seed: int, options: Options) -> list[int]:
    game = Game(players, seed, options)
    rows = np.zeros((1, 3 + layout.SEATS), np.int32)
    moves, out = np.zeros(layout.GAME, np.int32), np.zeros(layout.MOVES, np.int32)
    state, log = layout.new(layout.STATE), layout.new(layout.LOG)
    random_games(game.rules, game.state, seed, rows, state, moves, out, log)
    return rows[0, 3 : 3 + players].tolist()  # type: ignore[no-any-return]


def check_answers(batch: SmallBatch, players: int, options: Options) -> None:
    """Masks, seats and observations are those of the states; describing them again changes nothing."""
    before = [array.tobytes() for array in batch.answers]
    batch.run(batch_kernels.DESCRIBE)
    assert before == [array.tobytes() for array in batch.answers]
    for slot in range(N):
        rules = Game(players, int(batch.games.seeds[slot]), options).rules
        seen, vector = np.zeros(2, VIEW), np.zeros(SIZE, np.float32)
        look(rules, batch.games.states[slot : slot + 1], int(batch.answers.seats[slot]), seen, vector)
        assert np.array_equal(batch.answers.counts["counts"][slot], seen["counts"][1])
        assert np.array_equal(batch.answers.views["counts"][slot], seen["counts"][1])
        assert np.array_equal(batch.answers.vectors[slot], vector)
        assert batch.answers.masks[slot].sum() == batch.games.choices[slot]


@pytest.mark.compiled_only
def test_without_renewal_finished_games_stay_and_nothing_can_be_chosen() -> None:
    batch = SmallBatch(2, Options(), renew=0)
    batch.run(batch_kernels.BEGIN)
    while not batch.answers.dones.all():
        batch.choose()
        batch.run(batch_kernels.STEP)
    batch.choose()
    assert batch.actions.tolist() == [-1] * N
    before = batch.games.states.tobytes()
    batch.run(batch_kernels.STEP)
    assert batch.games.states.tobytes() == before
    assert not batch.answers.rewards.any()
    assert not batch.answers.masks.any()


def test_games_are_the_same_where_nobody_wants_answers() -> None:
    batches = [SmallBatch(2, Options(), renew=1, rows=rows) for rows in (0, N)]
    for batch in batches:
        batch.run(batch_kernels.BEGIN)
        for _ in range(5):
            batch.choose()
            batch.run(batch_kernels.STEP)
    silent, logged = batches
    assert silent.games.states.tobytes() == logged.games.states.tobytes()
    assert not silent.games.viewed.any()
    assert logged.games.viewed.all()


def test_the_first_action_that_is_not_legal_is_found_and_nothing_is_played() -> None:
    batch = SmallBatch(2, Options(), renew=1)
    batch.run(batch_kernels.BEGIN)
    before = batch.games.states.tobytes()
    for wrong in (-1, 320, 944, 5000):
        batch.choose()
        batch.actions[1:] = wrong
        assert batch.outcome(batch_kernels.STEP, EPOCH) == batch_kernels.ILLEGAL + 1
        assert batch.games.states.tobytes() == before


def test_who_helps_takes_what_is_left_of_a_ticket_for_its_own_arrays(monkeypatch: pytest.MonkeyPatch) -> None:
    if not COMPILED:
        monkeypatch.setattr(batch_kernels, "PATIENCE", 10)
        monkeypatch.setattr(batch_kernels, "NEAR", 0)
    batch = SmallBatch(2, Options(), renew=1)
    assert batch.help(EPOCH) == batch_kernels.IDLE  # there is no ticket yet
    batch.shared[batch_kernels.TICKET] = batch_kernels.new_ticket(
        batch.shared[batch_kernels.TICKET], EPOCH, batch_kernels.BEGIN
    )
    assert batch.help(EPOCH + 1) == batch_kernels.OTHER_ARRAYS
    assert batch.shared[batch_kernels.FINISHED] == 0
    assert not batch.games.choices.any()
    assert batch.help(EPOCH) == batch_kernels.IDLE  # after the one part of it
    assert batch.shared[batch_kernels.FINISHED] == 1
    assert batch.games.choices.all()


def test_a_word_changes_only_from_what_it_was() -> None:
    taken = np.array([4, 7], np.int64)
    assert not swap(taken, 1, 6, 9)
    assert swap(taken, 1, 7, 9)
    assert taken.tolist() == [4, 9]
