"""Many games at once, in arrays: begin, step, describe. Threads take the games in portions; nothing allocates memory.

Slot i plays the games seed + i, seed + i + n, seed + i + 2n and so on. A game depends only on its seed: its set-up is
that of setups.resolve, and its generator the one that playout.random_games uses for the same seed.
"""

from typing import Any, NamedTuple

import numpy as np

from franchise.engine import layout
from franchise.engine.bits import bit, fetch, lowest, popcount, wide
from franchise.engine.chance import DRAW, WORDS, Twister, draw, lay, take
from franchise.engine.jit import kernel, long_door
from franchise.engine.layout import MOVES, SEATS, Log, Moves, Phase, Records, Rules, State, record
from franchise.engine.observe import VIEW, Counts, observe, observe_still, observe_turn, scale, scale_turn
from franchise.engine.playout import following, scramble
from franchise.engine.rewards import final_reward
from franchise.engine.rules import apply, legal, reset
from franchise.engine.words import Words, add, read, swap, write

# What run_many does. RENEW: begin the next game where one is over; CHOOSE: a random legal action, each as likely.
BEGIN, STEP, DESCRIBE, CHOOSE, RENEW, HELP = range(6)
DONE, MISFIT, TIRED, ILLEGAL = range(4)  # and why it returns; ILLEGAL + slot: that action is not legal
CHUNK_BITS = 5
CHUNK = 1 << CHUNK_BITS  # actions in a word of a set of actions, which so stays positive
PART = 64  # slots that a thread takes at a time
NEAR = 2048  # slots that stay in the caches; of more, the next one is fetched while one is played
PATIENCE = 400_000  # looks for work, less than a millisecond, until a helper is tired: to wake it would take as long
TICKET, FINISHED = 0, 16  # words that threads share, too far apart to disturb each other
WORK_AT, NUMBER_AT, EPOCH_AT = 20, 23, 43  # in a ticket; in front of them the next part
PART_MASK, WORK_MASK, NUMBER_MASK = (1 << 20) - 1, (1 << 3) - 1, (1 << 20) - 1
EPOCHS = 1 << 20
POOL = 32  # the largest set a draw is made from

TERMS = record(
    ("reward", np.int32),  # rewards.Reward
    ("renew", np.int32),  # 1: a finished game is followed by the next of its slot at once
    ("skip_forced", np.int32),  # 1: a move that is the only legal one is made at once
    ("shaping", np.float64),  # reward for each point of influence when it is gained
    ("stride", np.int64),  # between the seeds of a slot
)


class Games(NamedTuple):
    """The data of every slot."""

    states: Records
    draws: Records
    seeds: "np.ndarray[Any, np.dtype[np.int64]]"
    generators: "np.ndarray[Any, np.dtype[np.int64]]"  # for random moves
    legal: "np.ndarray[Any, np.dtype[np.int64]]"  # (n, words): the set of legal actions
    choices: "np.ndarray[Any, np.dtype[np.int64]]"  # how many there are
    viewed: Counts  # 1 where the view of the slot is that of its position


class Desk(NamedTuple):
    """Working memory for one thread."""

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
    """The results for every slot, in arrays of the caller; an array without rows is not filled."""

    views: Records  # (n,) what the player to move sees; kept between steps, since most moves change little of it
    kept: Any  # (1,) 1 when the vectors have not been touched since the last step wrote them
    masks: Counts  # (n, actions): 1 for legal actions
    counts: Records  # (n,) copies of the views; none where the caller reads the views themselves
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
        np.zeros(size, np.uint8),
    )


def new_desk(rules: Records, recipe: Records, terms: Records) -> Desk:
    """Working memory for one more thread."""
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
    """The words of memory shared by the threads of a batch, with no work yet."""
    words = np.zeros(2 * FINISHED, np.int64)
    words[TICKET] = PART_MASK
    return words


@long_door
def run_many(
    games: Games, desk: Desk, answers: Answers, asked: Words, actions: Moves, crew: Words, epoch: int, work: int
) -> int:
    """Do the work in all slots, shared with the threads that call this with HELP; finished games stay as they are.

    `asked` are the actions to play, of which nothing is known; the threads share them in `actions` when all are legal.
    Whoever asks writes a ticket, everybody takes parts of it, and who asked returns when all are done: DONE. A helper
    looks out for tickets. It returns MISFIT when there is work on other arrays than its own, which the epoch tells,
    and TIRED when nothing has come for a while. One loop, because handing these tuples of arrays to another function
    costs more than a move.
    """
    rules = desk.rules[0]
    recipe = desk.recipe[0]
    terms = desk.terms[0]
    log = desk.log[0]
    still = desk.still[0]
    out, pool, drawn, before, twister = desk.out, desk.pool, desk.drawn, desk.before, desk.twister
    states, draws, seeds, generators = games.states, games.draws, games.seeds, games.generators
    sets, choices, viewed = games.legal, games.choices, games.viewed
    views, copies, vectors = answers.views, answers.counts, answers.vectors
    masks, rewards, dones, seats, scores = answers.masks, answers.rewards, answers.dones, answers.seats, answers.scores
    watched = views.shape[0] > 0
    still_known = False
    size = wide(states.shape[0])
    far = size > NEAR
    parts = (size + PART - 1) // PART
    helps = work == HELP
    idle = 0
    if work == STEP:
        wrong = first_illegal(sets, choices, asked)
        if wrong >= 0:
            return ILLEGAL + wrong
        for slot in range(size):
            actions[slot] = asked[slot]
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
        work = ticket >> WORK_AT & WORK_MASK
        for slot in range(part * PART, min(part * PART + PART, size)):
            if work == CHOOSE:
                actions[slot] = -1
                if choices[slot] > 0:
                    generator = following(generators[slot])
                    generators[slot] = generator
                    actions[slot] = chosen(sets[slot], (generator * choices[slot]) >> 32)
                continue
            if far:
                fetch(states, slot + 1)
                fetch(masks, slot + 1)
                if watched:
                    fetch(views, slot + 1)
                    fetch(copies, slot + 1)
            state = states[slot]
            if work == RENEW and state.phase != Phase.OVER:
                continue
            made = draws[slot]
            turn = state.turn
            own = (
                state.phase == Phase.EXPAND or state.phase == Phase.GROW
            )  # the boom marker changes incomes of others too
            over = state.phase == Phase.OVER
            playing = work == STEP and not over
            if recipe.plain == 0 and work != BEGIN:
                lay(made, rules)
            if playing:
                for seat in range(rules.players):
                    before[seat] = state.influence[seat]
                apply(rules, state, actions[slot], log)
                if terms.skip_forced != 0:
                    play_forced(rules, state, out, log)
                over = state.phase == Phase.OVER
            if work in (STEP, BEGIN):
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
            if work in (BEGIN, RENEW) or (over and work == STEP and terms.renew != 0):
                if work != BEGIN:
                    seeds[slot] += terms.stride
                seed = seeds[slot]
                generators[slot] = scramble(seed)
                if recipe.plain == 0:
                    take(rules, made)
                    draw(recipe, seed, twister, pool, drawn, made)
                    lay(made, rules)
                reset(rules, state, log)
                if terms.skip_forced != 0:
                    play_forced(rules, state, out, log)
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
            if watched:
                seen = views[slot]
                own = own and (state.phase == Phase.EXPAND or state.phase == Phase.GROW)
                within_turn = playing and own and viewed[slot] != 0 and state.turn == turn
                if within_turn:
                    observe_turn(rules, state, seen)
                else:
                    if not still_known or recipe.still == 0:
                        observe_still(rules, state, still)
                        still_known = True
                    observe(rules, state, wide(state.active), still, seen)
                viewed[slot] = 1
                if copies.shape[0] > 0:
                    copies[slot] = seen
                if vectors.shape[0] > 0:
                    if within_turn and answers.kept[0] != 0:
                        scale_turn(state, seen, vectors[slot])
                    else:
                        scale(seen, vectors[slot])
            else:
                viewed[slot] = 0
        add(crew, FINISHED, 1)
    while read(crew, FINISHED) < parts:
        pass  # pragma: no cover - helpers are in the middle of their last part
    return DONE


@kernel
def new_ticket(last: int, epoch: int, work: int) -> int:
    """The next ticket, with nothing taken from it."""
    number = (last >> NUMBER_AT) + 1 & NUMBER_MASK
    return epoch << EPOCH_AT | number << NUMBER_AT | work << WORK_AT


@kernel
def play_forced(rules: Rules, state: State, out: Moves, log: Log) -> None:
    """Make forced moves as long as there is only one legal action."""
    while legal(rules, state, out) == 1:
        apply(rules, state, wide(out[0]), log)


@kernel
def chosen(allowed: Any, skipped: int) -> int:
    """The action at this position of a set."""
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


@kernel
def first_illegal(sets: Any, choices: Any, asked: Words) -> int:
    """The first slot whose action is not legal, or -1; in finished games any action is accepted."""
    for slot in range(asked.shape[0]):
        action = asked[slot]
        if choices[slot] != 0 and (
            action < 0
            or action >= CHUNK * sets.shape[1]
            or sets[slot, action >> CHUNK_BITS] >> (action & (CHUNK - 1)) & 1 == 0
        ):
            return slot
    return -1
