"""Many games at once, in arrays: begin, step, describe. Threads share the games by slices; nothing here allocates.

Slot i plays the games seed + i, seed + i + n, seed + i + 2n and so on. A game is that of its seed: its set-up is
setups.resolve's, and its generator is the one playout.random_games gives to the same seed.
"""

from typing import Any, NamedTuple

import numpy as np

from franchise.engine import layout
from franchise.engine.bits import bit, lowest, popcount, wide
from franchise.engine.chance import DRAW, WORDS, Twister, draw, lay, take
from franchise.engine.jit import door
from franchise.engine.layout import MOVES, SEATS, Moves, Phase, Records, record
from franchise.engine.observe import SCALE, SIZE, VIEW, Counts, observe, observe_still, observe_turn
from franchise.engine.playout import following, scramble
from franchise.engine.rewards import final_reward
from franchise.engine.rules import apply, legal, reset

BEGIN, STEP, DESCRIBE = range(3)  # what run_many does
CHUNK_BITS = 5
CHUNK = 1 << CHUNK_BITS  # actions in a word of a set of actions, which so stays positive
POOL = 32  # the largest set a draw is made from

TERMS = record(
    ("reward", np.int32),  # rewards.Reward
    ("renew", np.int32),  # 1: a finished game is followed by the next of its slot at once
    ("shaping", np.float64),  # reward for each point of influence when it is gained
    ("stride", np.int64),  # between the seeds of a slot
)


class Games(NamedTuple):
    """What is kept of every slot."""

    states: Records
    draws: Records
    seeds: "np.ndarray[Any, np.dtype[np.int64]]"
    generators: "np.ndarray[Any, np.dtype[np.int64]]"  # for random moves
    legal: "np.ndarray[Any, np.dtype[np.int64]]"  # (n, words): the set of legal actions
    choices: "np.ndarray[Any, np.dtype[np.int64]]"  # how many there are
    views: Records  # what the player to move sees, where `viewed`
    viewed: Counts


class Desk(NamedTuple):
    """Memory for one thread."""

    rules: Records
    recipe: Records
    terms: Records
    log: Records
    out: Moves
    pool: Moves
    drawn: Moves
    before: Moves  # influence by seat
    twister: Twister
    still: Records


class Answers(NamedTuple):
    """What is told of every slot, in arrays of the caller; an array without rows is not wanted."""

    masks: Counts  # (n, actions): 1 for legal actions
    counts: Counts  # (n, SIZE)
    vectors: Any  # (n, SIZE) float32
    rewards: Any  # (n, players) float32, by seat
    dones: Counts  # (n,)
    seats: Any  # (n,) int8: who is to move
    scores: Any  # (n, players) int32: final influence where a game is done, else 0


def new_games(size: int, actions: int) -> Games:
    """Slots before their first game."""
    return Games(
        np.zeros(size, layout.STATE),
        np.zeros(size, DRAW),
        np.zeros(size, np.int64),
        np.zeros(size, np.int64),
        np.zeros((size, -(-actions // CHUNK)), np.int64),
        np.zeros(size, np.int64),
        np.zeros(size, VIEW),
        np.zeros(size, np.uint8),
    )


def new_desk(rules: Records, recipe: Records, terms: Records) -> Desk:
    """Memory for one more thread."""
    return Desk(
        rules.copy(),
        recipe,
        terms,
        layout.new(layout.LOG),
        np.zeros(MOVES, np.int32),
        np.zeros(POOL, np.int32),
        np.zeros(POOL, np.int32),
        np.zeros(SEATS, np.int32),
        np.zeros(WORDS + 1, np.int64),
        np.zeros(1, VIEW),
    )


@door
def run_many(games: Games, desk: Desk, answers: Answers, actions: Moves, work: int, first: int, last: int) -> None:
    """Begin, step or describe the slots from first to last - 1; finished games stay as they are.

    One loop, because handing these tuples of arrays to another function costs more than a move.
    """
    rules = desk.rules[0]
    recipe = desk.recipe[0]
    terms = desk.terms[0]
    log = desk.log[0]
    still = desk.still[0]
    out, pool, drawn, before, twister = desk.out, desk.pool, desk.drawn, desk.before, desk.twister
    states, draws, seeds, generators = games.states, games.draws, games.seeds, games.generators
    sets, choices, views, viewed = games.legal, games.choices, games.views, games.viewed
    masks, all_counts, vectors, rewards = answers.masks, answers.counts, answers.vectors, answers.rewards
    dones, seats, scores = answers.dones, answers.seats, answers.scores
    still_known = False
    for slot in range(first, last):
        state = states[slot]
        made = draws[slot]
        turn = state.turn
        own = state.phase == Phase.EXPAND or state.phase == Phase.GROW  # the boom marker changes incomes of others too
        over = state.phase == Phase.OVER
        playing = work == STEP and not over
        if recipe.plain == 0 and work != BEGIN:
            lay(made, rules)
        if playing:
            for seat in range(rules.players):
                before[seat] = state.influence[seat]
            apply(rules, state, actions[slot], log)
            over = state.phase == Phase.OVER
        if work != DESCRIBE:
            over = over and work == STEP
            for seat in range(rules.players):
                if rewards.shape[0] > 0:
                    reward = 0.0
                    if playing:
                        reward = terms.shaping * (state.influence[seat] - before[seat])
                        if over:
                            reward += final_reward(rules, state, seat, terms.reward)
                    rewards[slot, seat] = reward
                if scores.shape[0] > 0:
                    scores[slot, seat] = state.influence[seat] if over else 0
            if dones.shape[0] > 0:
                dones[slot] = 1 if over else 0
        if work == BEGIN or (over and work == STEP and terms.renew != 0):
            if work == STEP:
                seeds[slot] += terms.stride
            seed = seeds[slot]
            generators[slot] = scramble(seed)
            if recipe.plain == 0:
                take(rules, made)
                draw(recipe, seed, twister, pool, drawn, made)
                lay(made, rules)
            reset(rules, state, log)
        length = legal(rules, state, out)
        choices[slot] = length
        for chunk in range(sets.shape[1]):
            sets[slot, chunk] = 0
        for i in range(length):
            action = wide(out[i])
            sets[slot, action >> CHUNK_BITS] |= bit(action & (CHUNK - 1))
        if masks.shape[0] > 0:
            for action in range(masks.shape[1]):
                masks[slot, action] = 0
            for i in range(length):
                masks[slot, out[i]] = 1
        if seats.shape[0] > 0:
            seats[slot] = state.active
        if all_counts.shape[0] + vectors.shape[0] > 0:
            seen = views[slot]
            if playing and own and not over and viewed[slot] != 0 and state.turn == turn:
                observe_turn(rules, state, seen)
            else:
                if not still_known or recipe.still == 0:
                    observe_still(rules, state, still)
                    still_known = True
                observe(rules, state, wide(state.active), still, seen)
            counts = seen.counts
            viewed[slot] = 1
            if all_counts.shape[0] > 0:
                for i in range(SIZE):
                    all_counts[slot, i] = counts[i]
            if vectors.shape[0] > 0:
                for i in range(SIZE):
                    vectors[slot, i] = np.float32(counts[i]) * SCALE[i]
        else:
            viewed[slot] = 0


@door
def first_illegal(games: Games, actions: Moves) -> int:
    """The first slot whose action is not legal, or -1; finished games take any."""
    sets, choices = games.legal, games.choices
    for slot in range(actions.shape[0]):
        action = wide(actions[slot])
        if choices[slot] != 0 and (
            action < 0
            or action >= CHUNK * sets.shape[1]
            or sets[slot, action >> CHUNK_BITS] >> (action & (CHUNK - 1)) & 1 == 0
        ):
            return slot
    return -1


@door
def choose_many(games: Games, actions: Moves, first: int, last: int) -> None:
    """A random legal action for each slot, each as likely: what playout.play_randomly would choose."""
    sets, choices, generators = games.legal, games.choices, games.generators
    for slot in range(first, last):
        actions[slot] = -1
        if choices[slot] > 0:
            generator = following(generators[slot])
            generators[slot] = generator
            left = (generator * choices[slot]) >> 32
            chunk = 0
            here = popcount(sets[slot, 0])
            while left >= here:
                left -= here
                chunk += 1
                here = popcount(sets[slot, chunk])
            allowed = sets[slot, chunk]
            for _ in range(left):
                allowed &= allowed - 1
            actions[slot] = CHUNK * chunk + lowest(allowed)
