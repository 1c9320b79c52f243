"""Many games at once: every slot is the game of its seed. What Batch makes of it: tests/envs/test_batch.py"""

import numpy as np
import pytest

from franchise import Game, Options
from franchise.engine import layout, many
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


class Fleet:
    """Some games with everything the kernel needs."""

    def __init__(self, players: int, options: Options, renew: int, rows: int = N) -> None:
        recipe, rules = recipe_of(players, options)
        terms = layout.new(many.TERMS)
        terms["renew"] = renew
        terms["stride"] = N
        terms["shaping"] = 0.5
        self.games = many.new_games(N, ACTIONS)
        self.games.seeds[:] = 7 + np.arange(N)
        self.desk = many.new_desk(rules, recipe, terms)
        self.actions = np.zeros(N, np.int32)
        self.shared = many.new_shared_words()
        self.answers = many.Answers(
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
        assert self.outcome(work, EPOCH) == many.DONE

    def help(self, epoch: int) -> int:
        return self.outcome(many.HELP, epoch)

    def outcome(self, work: int, epoch: int) -> int:
        asked = self.actions.astype(np.int64)
        return many.run_many(self.games, self.desk, self.answers, asked, self.actions, self.shared, epoch, work)

    def choose(self) -> None:
        self.run(many.CHOOSE)


@pytest.mark.parametrize(("players", "options"), TABLES)
def test_every_slot_plays_the_random_game_of_its_seed_and_then_the_next(players: int, options: Options) -> None:
    fleet = Fleet(players, options, renew=1)
    fleet.run(many.BEGIN)
    ended = 0
    while ended < (3 * N if COMPILED else 1):
        fleet.choose()
        seeds = fleet.games.seeds.copy()
        fleet.run(many.STEP)
        for slot in np.flatnonzero(fleet.answers.dones):
            assert fleet.answers.scores[slot].tolist() == scores(players, int(seeds[slot]), options)
            assert fleet.games.seeds[slot] == seeds[slot] + N
            ended += 1
    check_answers(fleet, players, options)


def test_a_table_with_chance_begins_with_the_set_up_of_its_seed() -> None:
    fleet = Fleet(3, CHANCE, renew=1)
    fleet.run(many.BEGIN)
    for slot in range(N):
        assert fleet.games.states[slot : slot + 1].tobytes() == Game(3, 7 + slot, CHANCE).state.tobytes()
    fleet.choose()
    fleet.run(many.STEP)
    check_answers(fleet, 3, CHANCE)


@pytest.mark.compiled_only
def test_where_the_order_of_regions_is_chosen_the_observation_is_that_of_the_whole_state() -> None:
    """The end of a turn opens franchises while the turn goes on."""
    options = Options(regions="chosen", chosen_tiles=NEW_TILES[10:])
    fleet = Fleet(2, options, renew=1)
    fleet.run(many.BEGIN)
    while not (fleet.games.states["phase"] == layout.Phase.SCORE).any():
        fleet.choose()
        fleet.run(many.STEP)
    check_answers(fleet, 2, options)


def test_forced_moves_are_made_at_once_where_asked_and_finished_games_renewed(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the small game, which is over soon; vectors that nobody touched are written in part, and say the same."""
    monkeypatch.setattr(many, "NEAR", 0)  # in plain mode, the next slot is fetched as it is among many
    options = Options(mini=True)
    fleet = Fleet(2, options, renew=0)
    fleet.desk.terms["skip_forced"] = 1
    fleet.answers.kept[0] = 1
    fleet.run(many.BEGIN)
    while not fleet.answers.dones.all():
        going = fleet.games.choices > 0
        assert (fleet.games.choices[going] > 1).all()
        fleet.choose()
        fleet.run(many.STEP)
        check_answers(fleet, 2, options)
    fleet.run(many.RENEW)
    assert fleet.games.seeds.tolist() == [10, 11, 12]
    assert (fleet.games.choices > 1).all()
    before = fleet.games.states.tobytes()
    fleet.run(many.RENEW)  # nothing is over
    assert fleet.games.states.tobytes() == before
    check_answers(fleet, 2, options)


def test_vectors_written_in_part_have_the_milestones_of_the_player_to_move() -> None:
    options = Options(milestones=True)
    fleet = Fleet(2, options, renew=0)
    fleet.answers.kept[0] = 1
    fleet.run(many.BEGIN)
    moves_with_milestones = 0
    while moves_with_milestones < 5:
        fleet.choose()
        fleet.run(many.STEP)
        states = fleet.games.states
        within = (states["phase"] == layout.Phase.EXPAND) | (states["phase"] == layout.Phase.GROW)
        if (within & (states["claimed"][np.arange(N), states["active"]] != 0)).any():
            check_answers(fleet, 2, options)
            moves_with_milestones += 1


def scores(players: int, seed: int, options: Options) -> list[int]:
    game = Game(players, seed, options)
    rows = np.zeros((1, 3 + layout.SEATS), np.int32)
    moves, out = np.zeros(layout.GAME, np.int32), np.zeros(layout.MOVES, np.int32)
    state, log = layout.new(layout.STATE), layout.new(layout.LOG)
    random_games(game.rules, game.state, seed, rows, state, moves, out, log)
    return rows[0, 3 : 3 + players].tolist()  # type: ignore[no-any-return]


def check_answers(fleet: Fleet, players: int, options: Options) -> None:
    """Masks, seats and observations are those of the states; describing them again changes nothing."""
    before = [array.tobytes() for array in fleet.answers]
    fleet.run(many.DESCRIBE)
    assert before == [array.tobytes() for array in fleet.answers]
    for slot in range(N):
        rules = Game(players, int(fleet.games.seeds[slot]), options).rules
        seen, vector = np.zeros(2, VIEW), np.zeros(SIZE, np.float32)
        look(rules, fleet.games.states[slot : slot + 1], int(fleet.answers.seats[slot]), seen, vector)
        assert np.array_equal(fleet.answers.counts["counts"][slot], seen["counts"][1])
        assert np.array_equal(fleet.answers.views["counts"][slot], seen["counts"][1])
        assert np.array_equal(fleet.answers.vectors[slot], vector)
        assert fleet.answers.masks[slot].sum() == fleet.games.choices[slot]


@pytest.mark.compiled_only
def test_without_renewal_finished_games_stay_and_nothing_can_be_chosen() -> None:
    fleet = Fleet(2, Options(), renew=0)
    fleet.run(many.BEGIN)
    while not fleet.answers.dones.all():
        fleet.choose()
        fleet.run(many.STEP)
    fleet.choose()
    assert fleet.actions.tolist() == [-1] * N
    before = fleet.games.states.tobytes()
    fleet.run(many.STEP)
    assert fleet.games.states.tobytes() == before
    assert not fleet.answers.rewards.any()
    assert not fleet.answers.masks.any()


def test_answers_nobody_wants_are_not_written() -> None:
    fleet = Fleet(2, Options(), renew=1, rows=0)
    fleet.run(many.BEGIN)
    for _ in range(5):
        fleet.choose()
        fleet.run(many.STEP)
    assert fleet.games.states["turn"].sum() >= 0


def test_the_first_action_that_is_not_legal_is_found_and_nothing_is_played() -> None:
    fleet = Fleet(2, Options(), renew=1)
    fleet.run(many.BEGIN)
    before = fleet.games.states.tobytes()
    for wrong in (-1, 320, 944, 5000):
        fleet.choose()
        fleet.actions[1:] = wrong
        assert fleet.outcome(many.STEP, EPOCH) == many.ILLEGAL + 1
        assert fleet.games.states.tobytes() == before


def test_who_helps_takes_what_is_left_of_a_ticket_for_its_own_arrays(monkeypatch: pytest.MonkeyPatch) -> None:
    if not COMPILED:
        monkeypatch.setattr(many, "PATIENCE", 10)
        monkeypatch.setattr(many, "NEAR", 0)
    fleet = Fleet(2, Options(), renew=1)
    assert fleet.help(EPOCH) == many.TIRED  # there is no ticket yet
    fleet.shared[many.TICKET] = many.new_ticket(fleet.shared[many.TICKET], EPOCH, many.BEGIN)
    assert fleet.help(EPOCH + 1) == many.MISFIT
    assert fleet.shared[many.FINISHED] == 0
    assert not fleet.games.choices.any()
    assert fleet.help(EPOCH) == many.TIRED  # after the one part of it
    assert fleet.shared[many.FINISHED] == 1
    assert fleet.games.choices.all()


def test_a_word_changes_only_from_what_it_was() -> None:
    taken = np.array([4, 7], np.int64)
    assert not swap(taken, 1, 6, 9)
    assert swap(taken, 1, 7, 9)
    assert taken.tolist() == [4, 9]
