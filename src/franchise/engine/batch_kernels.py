"""Many games at once, in arrays: begin, step, describe. Threads take the games in portions; nothing allocates memory.

Slot i plays the games seed + i, seed + i + n, seed + i + 2n and so on. A game depends only on its seed: its set-up is
that of setups.resolve, and its generator the one that playout.random_games uses for the same seed.
"""

from typing import Any, NamedTuple

import numpy as np

from franchise.engine import layout
from franchise.engine.atomics import Words, add, read, swap, write
from franchise.engine.bits import bit, wide
from franchise.engine.chance import DRAW, WORDS, Twister, draw, lay, take
from franchise.engine.instructions import fetch, lowest, popcount
from franchise.engine.jit import kernel, long_entry_point
from franchise.engine.layout import MOVES, SEATS, Kind, Log, Moves, Phase, Records, Rules, State, record
from franchise.engine.observe import (
    PURSE_FROM,
    PURSE_TO,
    TABLE_FROM,
    TABLE_TO,
    VIEW,
    Counts,
    observe,
    observe_still,
    observe_turn,
    scale,
    scale_turn,
)
from franchise.engine.playout import following, scramble
from franchise.engine.rewards import final_reward
from franchise.engine.rules import apply, legal, reset

# What run_batch does. RENEW: begin the next game where one is over; CHOOSE: a uniformly random legal action.
BEGIN, STEP, DESCRIBE, CHOOSE, RENEW, HELP = range(6)
DONE, OTHER_ARRAYS, IDLE, ILLEGAL = range(4)  # why it returns; ILLEGAL + slot: the action of that slot is not legal
CHUNK_BITS = 5
CHUNK = 1 << CHUNK_BITS  # actions per word of a set of actions, few enough for the word to stay positive
PART = 64  # slots that a thread takes at a time
NEAR = 2048  # slots that fit into the caches; with more, the next one is prefetched
PATIENCE = 400_000  # checks for work (less than a millisecond) before a helper returns; waking it takes as long
TICKET, FINISHED = 0, 16  # shared words, in separate cache lines
WORK_AT, NUMBER_AT, EPOCH_AT = 20, 23, 43  # bits of a ticket; the next part is below them
PART_MASK, WORK_MASK, NUMBER_MASK = (1 << 20) - 1, (1 << 3) - 1, (1 << 20) - 1
EPOCHS = 1 << 20
TILES_FROM = layout.offset("pool")  # the rest of a state: city tiles and spaces, which only the end of a turn changes
FLOAT = 4  # bytes of a number in a vector
POOL = 32  # the largest set a draw is made from

TERMS = record(
    ("reward", np.int32),  # rewards.Reward
    ("renew", np.int32),  # 1: when a game ends, the next one of its slot begins at once
    ("skip_forced", np.int32),  # 1: a move is made at once if it is the only legal one
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
    viewed: Counts  # 1 where the view of the slot is up to date


class WorkerMemory(NamedTuple):
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
    still: Records  # what no move changes in a view
    still_known: Counts  # (1,) 1 once that is written and the same in all games
    seen: Records  # a view that is not kept


class Answers(NamedTuple):
    """The results for every slot, in arrays of the caller; an array without rows is not filled."""

    views: Records  # (n,) what the player to move sees; kept between steps, since most moves change little of it
    kept: Any  # (1,) 1 when the vectors are as the last step wrote them; views are then not needed
    masks: Counts  # (n, actions): 1 for legal actions
    counts: Records  # (n,) copies of the views; none if the caller reads the views themselves
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


def new_worker_memory(rules: Records, recipe: Records, terms: Records) -> WorkerMemory:
    """Working memory for one more thread."""
    return WorkerMemory(
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
        np.zeros(1, np.uint8),
        np.zeros(1, VIEW),
    )


def new_shared_words() -> Words:
    """The words of memory shared by the threads of a batch, with no work yet."""
    words = np.zeros(2 * FINISHED, np.int64)
    words[TICKET] = PART_MASK
    return words


@long_entry_point
def run_batch(
    games: Games,
    memory: WorkerMemory,
    answers: Answers,
    asked: Words,
    actions: Moves,
    shared: Words,
    epoch: int,
    work: int,
) -> int:
    """Do the work in all slots, shared with the threads that call this with HELP; finished games stay as they are.

    `asked` are the unchecked actions to play; if all are legal, the threads share them in `actions`. The caller writes
    a ticket, all threads take parts of it, and the caller returns DONE when every part is finished. A helper waits for
    tickets. It returns OTHER_ARRAYS if a ticket is for other arrays than its own, which the epoch shows, and IDLE if
    there has been none for a while.
    """
    size = wide(games.states.shape[0])
    parts = (size + PART - 1) // PART
    helps = work == HELP
    idle = 0
    if work == STEP:
        wrong = first_illegal(games.legal, games.choices, asked)
        if wrong >= 0:
            return ILLEGAL + wrong
        for slot in range(size):
            actions[slot] = asked[slot]
    if not helps:
        write(shared, FINISHED, 0)
        write(shared, TICKET, new_ticket(read(shared, TICKET), epoch, work))
    while True:
        ticket = read(shared, TICKET)
        part = ticket & PART_MASK
        if part >= parts:
            if not helps:
                break
            idle += 1
            if idle > PATIENCE:
                return IDLE
            continue
        if ticket >> EPOCH_AT != epoch:
            return OTHER_ARRAYS
        if not swap(shared, TICKET, ticket, ticket + 1):
            continue  # pragma: no cover - another thread was quicker
        idle = 0
        work = ticket >> WORK_AT & WORK_MASK
        for slot in range(part * PART, min(part * PART + PART, size)):
            if work == CHOOSE:
                actions[slot] = random_choice(games, slot)
                continue
            if size > NEAR:
                fetch_slot(games, answers, slot + 1, within_a_turn(memory.rules[0], actions, slot + 1, work))
            if work != RENEW or games.states[slot].phase == Phase.OVER:
                run_slot(games, memory, answers, wide(actions[slot]), slot, work)
        add(shared, FINISHED, 1)
    while read(shared, FINISHED) < parts:
        pass  # pragma: no cover - helpers are still working on their last part
    return DONE


@kernel
def within_a_turn(rules: Rules, actions: Moves, slot: int, work: int) -> bool:
    """Whether a slot's action is one after which little of a view changes."""
    if work != STEP or slot >= actions.shape[0] or actions[slot] < 0:
        return False
    kind = rules.action_kind[actions[slot]]
    return bool(kind >= Kind.EXPAND and kind < Kind.END)


@kernel
def random_choice(games: Games, slot: int) -> int:
    """A legal action, each as likely; -1 in a finished game."""
    if games.choices[slot] == 0:
        return -1
    generator = following(games.generators[slot])
    games.generators[slot] = generator
    return chosen(games.legal[slot], (generator * games.choices[slot]) >> 32)


@kernel
def fetch_slot(games: Games, answers: Answers, slot: int, within_turn: bool) -> None:
    """Load into the caches what the work in this slot will touch."""
    states, masks, views, vectors = games.states, answers.masks, answers.views, answers.vectors
    fetch(masks, slot, 0, masks.strides[0])
    if within_turn:
        fetch(states, slot, 0, TILES_FROM)
        fetch(views, slot, TABLE_FROM, TABLE_TO)
        fetch(views, slot, PURSE_FROM, PURSE_TO)
        fetch(vectors, slot, FLOAT * TABLE_FROM, FLOAT * TABLE_TO)
        fetch(vectors, slot, FLOAT * PURSE_FROM, FLOAT * PURSE_TO)
    else:
        fetch(states, slot, 0, states.strides[0])
        fetch(views, slot, 0, views.strides[0])
    fetch(answers.counts, slot, 0, answers.counts.strides[0])


@kernel
def run_slot(games: Games, memory: WorkerMemory, answers: Answers, action: int, slot: int, work: int) -> None:
    """Begin, play on or describe the game of one slot, and write down everything that is asked for."""
    rules, recipe, terms = memory.rules[0], memory.recipe[0], memory.terms[0]
    state = games.states[slot]
    turn = state.turn
    within = own_part(state)
    playing = work == STEP and state.phase != Phase.OVER
    if recipe.plain == 0 and work != BEGIN:
        lay(games.draws[slot], rules)
    if playing:
        for seat in range(rules.players):
            memory.before[seat] = state.influence[seat]
        apply(rules, state, action, memory.log[0])
        if terms.skip_forced != 0:
            play_forced(rules, state, memory.out, memory.log[0])
    over = work == STEP and state.phase == Phase.OVER
    if work in (STEP, BEGIN):
        write_results(memory, answers, state, slot, playing, over)
    if work in (BEGIN, RENEW) or (over and terms.renew != 0):
        begin_game(games, memory, slot, work != BEGIN)
    write_legal(games, answers, memory.out, slot, legal(rules, state, memory.out))
    if answers.seats.shape[0] > 0:
        answers.seats[slot] = state.active
    if answers.views.shape[0] > 0 or answers.vectors.shape[0] > 0:
        within = playing and within and own_part(state) and state.turn == turn and games.viewed[slot] != 0
        write_view(memory, answers, state, slot, within)
        games.viewed[slot] = 1
    else:
        games.viewed[slot] = 0


@kernel
def own_part(state: State) -> bool:
    """Whether the player to move changes little but their own: the boom marker changes incomes of others too."""
    return bool(state.phase == Phase.EXPAND or state.phase == Phase.GROW)


@kernel
def write_results(memory: WorkerMemory, answers: Answers, state: State, slot: int, playing: bool, over: bool) -> None:
    """Rewards, scores, and whether the game is over."""
    rules, terms = memory.rules[0], memory.terms[0]
    for seat in range(rules.players):
        if answers.rewards.shape[0] > 0:
            reward = 0.0
            if playing:
                reward = terms.shaping * (state.influence[seat] - memory.before[seat])
                if over:
                    reward += final_reward(rules, state, seat, terms.reward)
            answers.rewards[slot, seat] = reward
        if answers.scores.shape[0] > 0:
            answers.scores[slot, seat] = state.influence[seat] if over else 0
    if answers.dones.shape[0] > 0:
        answers.dones[slot] = 1 if over else 0


@kernel
def begin_game(games: Games, memory: WorkerMemory, slot: int, following_one: bool) -> None:
    """Begin the game of the slot's seed, or of the following one."""
    rules, recipe = memory.rules[0], memory.recipe[0]
    if following_one:
        games.seeds[slot] += memory.terms[0].stride
    seed = games.seeds[slot]
    games.generators[slot] = scramble(seed)
    if recipe.plain == 0:
        made = games.draws[slot]
        take(rules, made)
        draw(recipe, seed, memory.twister, memory.pool, memory.drawn, made)
        lay(made, rules)
    reset(rules, games.states[slot], memory.log[0])
    if memory.terms[0].skip_forced != 0:
        play_forced(rules, games.states[slot], memory.out, memory.log[0])


@kernel
def write_legal(games: Games, answers: Answers, out: Moves, slot: int, length: int) -> None:
    """The legal actions, as a set and as a mask."""
    sets, masks = games.legal, answers.masks
    games.choices[slot] = length
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
def write_view(memory: WorkerMemory, answers: Answers, state: State, slot: int, within_turn: bool) -> None:
    """What the player to move sees; within a turn, what the turn has changed since it was last written."""
    rules, still = memory.rules[0], memory.still[0]
    views_kept, vectors_kept = answers.views.shape[0] > 0, answers.kept[0] != 0
    seen = answers.views[slot] if views_kept else memory.seen[0]
    within_turn = within_turn and (views_kept or vectors_kept)
    if within_turn:
        observe_turn(rules, state, seen)
    else:
        if memory.still_known[0] == 0:
            observe_still(rules, state, still)
            memory.still_known[0] = memory.recipe[0].still
        observe(rules, state, wide(state.active), still, seen)
    if answers.counts.shape[0] > 0:
        answers.counts[slot] = seen
    if answers.vectors.shape[0] > 0:
        if within_turn and vectors_kept:
            scale_turn(state, seen, answers.vectors[slot])
        else:
            scale(seen, answers.vectors[slot])


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
