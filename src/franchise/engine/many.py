"""Many games at once, in arrays: begin, step, describe. Threads share the games part by part; nothing here allocates.

Slot i plays the games seed + i, seed + i + n, seed + i + 2n and so on. A game is that of its seed: its set-up is
setups.resolve's, and its generator is the one playout.random_games gives to the same seed.
"""

from typing import Any, NamedTuple

import numpy as np

from franchise.engine import layout
from franchise.engine.bits import bit, fetch, lowest, popcount, wide
from franchise.engine.chance import DRAW, WORDS, Twister, draw, lay, take
from franchise.engine.jit import kernel, long_door
from franchise.engine.layout import MOVES, SEATS, Moves, Phase, Records, Rules, State, record
from franchise.engine.observe import SCALE, SIZE, VIEW, Counts, View, observe, observe_still, observe_turn
from franchise.engine.playout import following, scramble
from franchise.engine.rewards import final_reward
from franchise.engine.rules import apply, legal, reset
from franchise.engine.words import Words, add, read, swap, write

BEGIN, STEP, DESCRIBE, CHOOSE, HELP = range(5)  # what run_many does; CHOOSE: a random legal action, each as likely
DONE, MISFIT, TIRED = range(3)  # and why it returns
CHUNK_BITS = 5
CHUNK = 1 << CHUNK_BITS  # actions in a word of a set of actions, which so stays positive
PART = 64  # slots that a thread takes at a time
NEAR = 2048  # slots that stay in the caches; of more, the next one is fetched while one is played
PATIENCE = 400_000  # looks for work, less than a millisecond, until a helper is tired: to wake it would take as long
TICKET, FINISHED = 0, 16  # words that threads share, too far apart to disturb each other
WORK_AT, NUMBER_AT, EPOCH_AT = 20, 22, 42  # in a ticket; in front of them the next part
PART_MASK, WORK_MASK, NUMBER_MASK = (1 << 20) - 1, (1 << 2) - 1, (1 << 20) - 1
EPOCHS = 1 << 20
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


def new_crew() -> Words:
    """The words that the threads of a batch share, with nothing to do yet."""
    words = np.zeros(2 * FINISHED, np.int64)
    words[TICKET] = PART_MASK
    return words


@long_door
def run_many(games: Games, desk: Desk, answers: Answers, actions: Moves, crew: Words, epoch: int, work: int) -> int:
    """Have the work done in all slots, shared with the threads that call this with HELP; finished games stay.

    Whoever asks writes a ticket, everybody takes parts of it, and who asked returns when all are done: DONE. A helper
    looks out for tickets. It returns MISFIT when there is work on other arrays than its own, which the epoch tells,
    and TIRED when nothing has come for a while.
    """
    size = wide(games.states.shape[0])
    parts = (size + PART - 1) // PART
    helps = work == HELP
    idle = 0
    if not helps:
        write(crew, FINISHED, 0)
        write(crew, TICKET, new_ticket(read(crew, TICKET), epoch, work))
    while True:
        ticket = read(crew, TICKET)
        part = ticket & PART_MASK
        if part >= parts:
            if not helps:
                break
            idle += 1
            if idle > PATIENCE:
                return TIRED
            continue
        if ticket >> EPOCH_AT != epoch:
            return MISFIT
        if not swap(crew, TICKET, ticket, ticket + 1):
            continue  # pragma: no cover - another thread was quicker
        idle = 0
        do_part(
            games, desk, answers, actions, part * PART, min(part * PART + PART, size), ticket >> WORK_AT & WORK_MASK
        )
        add(crew, FINISHED, 1)
    while read(crew, FINISHED) < parts:
        pass  # pragma: no cover - helpers are in the middle of their last part
    return DONE


@kernel
def do_part(games: Games, desk: Desk, answers: Answers, actions: Moves, first: int, end: int, work: int) -> None:
    """The work in some slots. The kernels of a slot take records and single arrays: tuples are dear to hand on."""
    rules, recipe, terms, log, still = desk.rules[0], desk.recipe[0], desk.terms[0], desk.log[0], desk.still[0]
    out, before = desk.out, desk.before
    watched = answers.counts.shape[0] + answers.vectors.shape[0] > 0
    far = games.states.shape[0] > NEAR
    still_known = False
    for slot in range(first, end):
        if work == CHOOSE:
            actions[slot] = choose(games.legal, games.choices, games.generators, slot)
            continue
        if far:
            fetch(games.states, slot + 1)
            fetch(answers.masks, slot + 1)
            if watched:
                fetch(games.views, slot + 1)
                fetch(answers.counts, slot + 1)
        state = games.states[slot]
        made = games.draws[slot]
        turn = state.turn
        within = within_turn(state)
        playing = work == STEP and state.phase != Phase.OVER
        if recipe.plain == 0 and work != BEGIN:
            lay(made, rules)
        if playing:
            for seat in range(rules.players):
                before[seat] = state.influence[seat]
            apply(rules, state, wide(actions[slot]), log)
        over = work == STEP and state.phase == Phase.OVER
        if work != DESCRIBE:
            tell_outcome(rules, terms, state, before, playing, over, answers.rewards, answers.scores, slot)
            if answers.dones.shape[0] > 0:
                answers.dones[slot] = 1 if over else 0
        if work == BEGIN or (over and terms.renew != 0):
            if over:
                games.seeds[slot] += terms.stride
            seed = games.seeds[slot]
            games.generators[slot] = scramble(seed)
            if recipe.plain == 0:
                take(rules, made)
                draw(recipe, seed, desk.twister, desk.pool, desk.drawn, made)
                lay(made, rules)
            reset(rules, state, log)
        length = legal(rules, state, out)
        games.choices[slot] = length
        tell_legal(out, length, games.legal, answers.masks, slot)
        if answers.seats.shape[0] > 0:
            answers.seats[slot] = state.active
        if watched:
            seen = games.views[slot]
            if playing and within and within_turn(state) and games.viewed[slot] != 0 and state.turn == turn:
                observe_turn(rules, state, seen)
            else:
                if not still_known or recipe.still == 0:
                    observe_still(rules, state, still)
                    still_known = True
                observe(rules, state, wide(state.active), still, seen)
            tell_view(seen, answers.counts, answers.vectors, slot)
        games.viewed[slot] = 1 if watched else 0


@kernel
def choose(sets: Any, choices: Any, generators: Any, slot: int) -> int:
    """A random legal action of a slot, -1 where there is none."""
    action = -1
    if choices[slot] > 0:
        generator = following(generators[slot])
        generators[slot] = generator
        action = chosen(sets[slot], (generator * choices[slot]) >> 32)
    return action


@kernel
def within_turn(state: State) -> bool:
    """Whether a move changes only what observe_turn writes: the boom marker changes incomes of others too."""
    return state.phase == Phase.EXPAND or state.phase == Phase.GROW  # type: ignore[no-any-return]


@kernel
def tell_outcome(
    rules: Rules,
    terms: Any,
    state: State,
    before: Moves,
    playing: bool,
    over: bool,
    rewards: Any,
    scores: Any,
    slot: int,
) -> None:
    """What the move of a slot has earned every seat, and the scores where its game is over."""
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


@kernel
def tell_legal(out: Moves, length: int, sets: Any, masks: Counts, slot: int) -> None:
    """The legal actions of a slot as a set, and as a mask where that is wanted."""
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


@kernel
def tell_view(seen: View, all_counts: Counts, vectors: Any, slot: int) -> None:
    """What the player to move of a slot sees, in the forms that are wanted."""
    counts = seen.counts
    if all_counts.shape[0] > 0:
        for i in range(SIZE):
            all_counts[slot, i] = counts[i]
    if vectors.shape[0] > 0:
        for i in range(SIZE):
            vectors[slot, i] = np.float32(counts[i]) * SCALE[i]


@kernel
def new_ticket(last: int, epoch: int, work: int) -> int:
    """The ticket after the last one, with nothing taken from it."""
    number = (last >> NUMBER_AT) + 1 & NUMBER_MASK
    return epoch << EPOCH_AT | number << NUMBER_AT | work << WORK_AT


@kernel
def chosen(allowed: Any, skipped: int) -> int:
    """The action of a set after so many others."""
    chunk = 0
    here = popcount(allowed[0])
    while skipped >= here:
        skipped -= here
        chunk += 1
        here = popcount(allowed[chunk])
    rest = allowed[chunk]
    for _ in range(skipped):
        rest &= rest - 1
    return CHUNK * chunk + lowest(rest)


@long_door
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
