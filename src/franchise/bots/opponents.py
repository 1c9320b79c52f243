"""Bots inside a batch: the levels, compiled, for the seats that the caller does not play. No Python per game.

After each step of a batch they play in every slot until it is the caller's turn, across the end of a game and into the
next one if necessary. Their moves depend only on the seed of the game, whatever the number of threads.
"""

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np

from franchise.bots.levels import (
    AS_GOOD,
    CASUAL,
    CHAMPION,
    EXPERT,
    NEAR,
    NEWCOMER,
    OPENING,
    OPENING_AS_GOOD,
    REGULAR,
    SURE,
)
from franchise.bots.network import trained
from franchise.bots.preparation import ready
from franchise.bots.search import Tree, TreeArrays, simulate
from franchise.bots.turns import SCORE, SearchMemory, starting_town
from franchise.engine.atomics import Words, read, swap
from franchise.engine.batch_kernels import Answers, Games, WorkerMemory, begin_game
from franchise.engine.bits import wide
from franchise.engine.chance import lay
from franchise.engine.jit import kernel, long_entry_point
from franchise.engine.layout import SEATS, Phase, Records, State, record
from franchise.engine.playout import following, scramble
from franchise.engine.rewards import final_reward
from franchise.engine.rules import apply, legal

Array = np.ndarray[Any, np.dtype[Any]]

LEVELS = (NEWCOMER, CASUAL, REGULAR, EXPERT, CHAMPION)
NAMES = ("random", *(level.name for level in LEVELS))
OWN = -1  # a seat the caller plays
RANDOM = 0  # any legal move, with equal probability; the others are LEVELS, counted from 1
PART = 8  # slots that a thread takes at a time
CHANCE = 0x5EED  # keeps the generators of the bots apart from those for random moves

STYLE = record(  # how a bot chooses, by its number in NAMES
    ("simulations", np.int64),
    ("noise", np.float64),
    ("start_temperature", np.float64),
)


class BatchBots(NamedTuple):
    """The bots of a batch, for kernels."""

    seats: Any  # (rows, SEATS): a number in NAMES, or OWN; the row of a game is its seed modulo the rows
    styles: Records
    chances: Any  # (n,) int64: the generator of the bots in each slot
    seeds: Any  # (n,) int64: the game it is for, -1 before the first
    ticket: Words  # the next part


def seating(opponents: "str | Sequence[str] | Mapping[int, str]", players: int) -> Array:
    """The bot on each seat: by seat, or clockwise from the caller's seat, which is the seed modulo the players."""
    named = opponents if isinstance(opponents, Mapping) else {}
    if isinstance(opponents, Mapping):
        if not all(isinstance(seat, int) and 0 <= seat < players for seat in named) or not 0 < len(named) < players:
            raise ValueError(
                f"name opponents for some of the seats 0 to {players - 1}, not all: {{0: 'casual'}}, not {named!r}"
            )
        rows = [[named.get(seat) for seat in range(players)]]
    else:
        names = [opponents] * (players - 1) if isinstance(opponents, str) else list(opponents)
        if len(names) != players - 1:
            raise ValueError(f"{players} players leave {players - 1} opponents, not {len(names)}")
        clockwise = [None, *names]
        rows = [[clockwise[(seat - own) % players] for seat in range(players)] for own in range(players)]
    for name in rows[0]:
        if name is not None and name not in NAMES:
            raise ValueError(f"opponents in a batch are {', '.join(NAMES)}, not {name!r}")
    seats = np.full((len(rows), SEATS), OWN, np.int64)
    for row, places in enumerate(rows):
        seats[row, :players] = [OWN if name is None else NAMES.index(name) for name in places]
    return seats


class Opponents:
    """The bots of a batch, with the search memory of each thread."""

    def __init__(self, seats: Array, memories: list[WorkerMemory], n: int, simulations: int | None) -> None:
        ready()
        styles = np.zeros(len(NAMES), STYLE)
        for number, level in enumerate(LEVELS, 1):
            styles[number] = (
                simulations if simulations is not None and level.simulations else level.simulations,
                level.noise,
                level.start_temperature,
            )
        most = int(styles["simulations"][np.unique(seats[seats != OWN])].max())
        self._memories = memories
        self._trees = [Tree(worker.rules, most, trained(int(worker.rules["players"][0]))) for worker in memories]
        self.bots = BatchBots(seats, styles, np.zeros(n, np.int64), np.full(n, -1), np.zeros(1, np.int64))
        self._pool = ThreadPoolExecutor(len(memories), "franchise-opponents") if len(memories) > 1 else None

    @property
    def parts(self) -> tuple[Array, Array]:
        """The data kept for every slot."""
        return self.bots.chances, self.bots.seeds

    def play(self, games: Games, answers: Answers, *, anew: bool) -> None:
        """Play in every slot until it is the caller's turn; `anew`: all games have just begun."""
        self.bots.ticket[0] = 0
        if anew:
            self.bots.seeds[:] = -1

        def work(worker: WorkerMemory, tree: Tree) -> None:
            play_on(games, worker, tree.memory, tree.arrays, self.bots, answers)

        if self._pool is None:
            work(self._memories[0], self._trees[0])
        else:
            list(self._pool.map(work, self._memories, self._trees))

    def close(self) -> None:
        """End the threads."""
        if self._pool is not None:
            self._pool.shutdown()


@long_entry_point
def play_on(
    games: Games, worker: WorkerMemory, memory: SearchMemory, tree: TreeArrays, bots: BatchBots, answers: Answers
) -> None:
    """Take portions of the slots while there are any, and let the bots play in them."""
    size = wide(games.states.shape[0])
    while True:
        first = read(bots.ticket, 0)
        if first >= size:
            return
        if swap(bots.ticket, 0, first, first + PART):  # otherwise another thread was quicker
            for slot in range(first, min(first + PART, size)):
                play_slot(games, worker, memory, tree, bots, answers, slot)


@kernel
def play_slot(
    games: Games,
    worker: WorkerMemory,
    memory: SearchMemory,
    tree: TreeArrays,
    bots: BatchBots,
    answers: Answers,
    slot: int,
) -> None:
    """Let the bots of one slot play until it is the caller's turn, in the next game too if there is to be one."""
    rules, terms = worker.rules[0], worker.terms[0]
    state, seeds = games.states[slot], games.seeds
    if worker.recipe[0].plain == 0:
        lay(games.draws[slot], rules)
    counts = state.phase != Phase.OVER  # what happens counts towards the caller's step
    if bots.seeds[slot] != seeds[slot]:
        start_chance(bots, slot, seeds[slot])
        counts = False
    for seat in range(rules.players):
        worker.before[seat] = state.influence[seat]
    while True:
        if state.phase == Phase.OVER:
            if counts:
                add_results(worker, answers, state, slot)
                counts = False
            if terms.renew == 0:
                break
            begin_game(games, worker, slot, True)
            start_chance(bots, slot, seeds[slot])
            continue
        mover = wide(bots.seats[seeds[slot] % bots.seats.shape[0], state.active])
        if mover != OWN:
            bots.chances[slot] = play_turn(memory, tree, bots.styles[mover], mover, state, bots.chances[slot])
        elif terms.skip_forced != 0 and legal(rules, state, worker.out) == 1:
            apply(rules, state, wide(worker.out[0]), worker.log[0])
        else:
            break
    if counts and answers.rewards.shape[0] > 0:
        for seat in range(rules.players):
            answers.rewards[slot, seat] += terms.shaping * (state.influence[seat] - worker.before[seat])


@kernel
def add_results(worker: WorkerMemory, answers: Answers, state: State, slot: int) -> None:
    """Add what the end of a game brings to what the caller's step has brought."""
    rules, terms = worker.rules[0], worker.terms[0]
    for seat in range(rules.players):
        if answers.rewards.shape[0] > 0:
            gained = terms.shaping * (state.influence[seat] - worker.before[seat])
            answers.rewards[slot, seat] += gained + final_reward(rules, state, seat, terms.reward)
        if answers.scores.shape[0] > 0:
            answers.scores[slot, seat] = state.influence[seat]
    if answers.dones.shape[0] > 0:
        answers.dones[slot] = 1


@kernel
def start_chance(bots: BatchBots, slot: int, seed: int) -> None:
    """The random generator of the bots for a new game."""
    bots.seeds[slot] = seed
    bots.chances[slot] = scramble(seed ^ CHANCE)


@kernel
def play_turn(memory: SearchMemory, tree: TreeArrays, style: Any, mover: int, state: Any, generator: int) -> int:
    """Let the bot to move play its turn (or one move during set-up); returns the generator's next state."""
    rules, log, scratch = memory.rules[0], memory.log[0], memory.scratch[0]
    generator = following(generator)
    if mover == RANDOM or state.turn == 0:
        choices = legal(rules, state, scratch.out)
        choice = wide(scratch.out[(generator * choices) >> 32])
        if mover != RANDOM and state.phase == Phase.START:
            choice = starting_town(memory, state, style.start_temperature, generator / 4294967296.0)
        apply(rules, state, choice, log)
        return generator
    scratch.generator = generator
    scratch.explore = 1.0
    scratch.seat = state.active
    tree.states[0] = state
    tree.used[0] = 0
    tree.used[1] = 0
    simulate(memory, tree, style.simulations)
    if style.simulations > 0:
        generator = following(generator)
        edge = searched(tree, state.turn <= OPENING * rules.players, generator / 4294967296.0)
    else:
        edge = wide(tree.nodes[0].first)
        best = -1e9
        for i in range(tree.nodes[0].first, tree.nodes[0].first + tree.nodes[0].count):
            generator = following(generator)
            looks = tree.edges[i].prior - style.noise * np.log(1e-9 + generator / 4294967296.0)
            if looks > best:
                best = looks
                edge = i
    for i in range(tree.edges[edge].length):
        apply(rules, state, wide(tree.edges[edge].moves[i]), log)
    return generator


@kernel
def searched(tree: TreeArrays, opening: bool, share: float) -> int:
    """One of the turns nearly as good as the most visited, weighted by the squares of the visits (LevelBot.pick)."""
    root = tree.nodes[0]
    seat = root.player
    most = 0.0
    best = wide(root.first)
    for i in range(root.first, root.first + root.count):
        if visits_of(tree, i) > most:
            most = visits_of(tree, i)
            best = i
    near = min(NEAR * most, SURE)
    least = worth_of(tree, best, seat) - (OPENING_AS_GOOD if opening else AS_GOOD)
    total = 0.0
    for i in range(root.first, root.first + root.count):
        if visits_of(tree, i) > near and worth_of(tree, i, seat) >= least:
            total += min(visits_of(tree, i), SURE) ** 2
    share *= total
    for i in range(root.first, root.first + root.count):
        if visits_of(tree, i) > near and worth_of(tree, i, seat) >= least:
            share -= min(visits_of(tree, i), SURE) ** 2
            if share < 0.0:
                return wide(i)
    return best


@kernel
def visits_of(tree: TreeArrays, edge: int) -> float:
    """How many simulations went through a turn."""
    child = tree.edges[edge].child
    return float(tree.nodes[child].visits) if child >= 0 else 0.0


@kernel
def worth_of(tree: TreeArrays, edge: int, seat: int) -> float:
    """What the search values a turn at for a seat (RootTurn.worth)."""
    child = tree.edges[edge].child
    if child < 0:
        return tree.edges[edge].chances[seat] + SCORE * tree.edges[edge].expected[seat]  # type: ignore[no-any-return]
    node = tree.nodes[child]
    total = 0.0
    for other in range(SEATS):
        total += node.chances[other]
    return node.chances[seat] / total + SCORE * node.expected[seat] / node.visits  # type: ignore[no-any-return]
