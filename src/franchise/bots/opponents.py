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
from franchise.bots.search import Forest, Tree, grow
from franchise.bots.turns import SCORE, Mind
from franchise.engine import many
from franchise.engine.atomics import Words, read, swap
from franchise.engine.bits import wide
from franchise.engine.chance import draw, lay, take
from franchise.engine.jit import kernel, long_door
from franchise.engine.layout import SEATS, Phase, Records, record
from franchise.engine.playout import following, scramble
from franchise.engine.rewards import final_reward
from franchise.engine.rules import apply, legal, reset

Array = np.ndarray[Any, np.dtype[Any]]

LEVELS = (NEWCOMER, CASUAL, REGULAR, EXPERT, CHAMPION)
NAMES = ("random", *(level.name for level in LEVELS))
OWN = -1  # a seat the caller plays
RANDOM = 0  # any legal move, with equal probability; the others are LEVELS, counted from 1
PART = 8  # slots that a thread takes at a time
CHANCE = 0x5EED  # keeps the generators of the bots apart from those for random moves

STYLE = record(  # how a bot chooses, by its number in NAMES
    ("simulations", np.int64),
    ("blur", np.float64),
    ("loose_start", np.float64),
)


class Company(NamedTuple):
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

    def __init__(self, seats: Array, desks: list[many.Desk], n: int, simulations: int | None) -> None:
        ready()
        styles = np.zeros(len(NAMES), STYLE)
        for number, level in enumerate(LEVELS, 1):
            styles[number] = (
                simulations if simulations is not None and level.simulations else level.simulations,
                level.blur,
                level.loose_start,
            )
        most = int(styles["simulations"][np.unique(seats[seats != OWN])].max())
        self._desks = desks
        self._trees = [Tree(desk.rules, most, trained(int(desk.rules["players"][0]))) for desk in desks]
        self.company = Company(seats, styles, np.zeros(n, np.int64), np.full(n, -1), np.zeros(1, np.int64))
        self._pool = ThreadPoolExecutor(len(desks), "franchise-opponents") if len(desks) > 1 else None

    @property
    def parts(self) -> tuple[Array, Array]:
        """The data kept for every slot."""
        return self.company.chances, self.company.seeds

    def play(self, games: many.Games, answers: many.Answers, *, anew: bool) -> None:
        """Play in every slot until it is the caller's turn; `anew`: all games have just begun."""
        self.company.ticket[0] = 0
        if anew:
            self.company.seeds[:] = -1

        def work(desk: many.Desk, tree: Tree) -> None:
            play_on(games, desk, tree.mind, tree.forest, self.company, answers)

        if self._pool is None:
            work(self._desks[0], self._trees[0])
        else:
            list(self._pool.map(work, self._desks, self._trees))

    def close(self) -> None:
        """End the threads."""
        if self._pool is not None:
            self._pool.shutdown()


@long_door
def play_on(
    games: many.Games, desk: many.Desk, mind: Mind, forest: Forest, company: Company, answers: many.Answers
) -> None:
    """Take portions of the slots while there are any, and let the bots play in them."""
    rules, recipe, terms, log = desk.rules[0], desk.recipe[0], desk.terms[0], desk.log[0]
    states, draws, seeds = games.states, games.draws, games.seeds
    rewards, dones, scores = answers.rewards, answers.dones, answers.scores
    out, before, styles = desk.out, desk.before, company.styles
    size = wide(states.shape[0])
    while True:
        first = read(company.ticket, 0)
        if first >= size:
            return
        if not swap(company.ticket, 0, first, first + PART):
            continue  # pragma: no cover - another thread was quicker
        for slot in range(first, min(first + PART, size)):
            state = states[slot]
            if recipe.plain == 0:
                lay(draws[slot], rules)
            counts = state.phase != Phase.OVER  # what happens counts towards the caller's step
            if company.seeds[slot] != seeds[slot]:
                start_chance(company, slot, seeds[slot])
                counts = False
            for seat in range(rules.players):
                before[seat] = state.influence[seat]
            while True:
                over = state.phase == Phase.OVER
                mover = wide(company.seats[seeds[slot] % company.seats.shape[0], state.active])
                if not over and mover == OWN:
                    if terms.skip_forced != 0 and legal(rules, state, out) == 1:
                        apply(rules, state, wide(out[0]), log)
                        continue
                    break
                if not over:
                    company.chances[slot] = play_turn(mind, forest, styles[mover], mover, state, company.chances[slot])
                    continue
                if counts:
                    for seat in range(rules.players):
                        if rewards.shape[0] > 0:
                            gained = terms.shaping * (state.influence[seat] - before[seat])
                            rewards[slot, seat] += gained + final_reward(rules, state, seat, terms.reward)
                        if scores.shape[0] > 0:
                            scores[slot, seat] = state.influence[seat]
                    if dones.shape[0] > 0:
                        dones[slot] = 1
                    counts = False
                if terms.renew == 0:
                    break
                begin_next(games, desk, slot)
                start_chance(company, slot, seeds[slot])
            if counts and rewards.shape[0] > 0:
                for seat in range(rules.players):
                    rewards[slot, seat] += terms.shaping * (state.influence[seat] - before[seat])


@kernel
def start_chance(company: Company, slot: int, seed: int) -> None:
    """The random generator of the bots for a new game."""
    company.seeds[slot] = seed
    company.chances[slot] = scramble(seed ^ CHANCE)


@kernel
def begin_next(games: many.Games, desk: many.Desk, slot: int) -> None:
    """The next game of a slot, set up as many.run_many does."""
    rules, recipe, made = desk.rules[0], desk.recipe[0], games.draws[slot]
    games.seeds[slot] += desk.terms[0].stride
    games.generators[slot] = scramble(games.seeds[slot])
    if recipe.plain == 0:
        take(rules, made)
        draw(recipe, games.seeds[slot], desk.twister, desk.pool, desk.drawn, made)
        lay(made, rules)
    reset(rules, games.states[slot], desk.log[0])


@kernel
def play_turn(mind: Mind, forest: Forest, style: Any, mover: int, state: Any, generator: int) -> int:
    """Let the bot to move play its turn (or one move during set-up); returns the generator's next state."""
    rules, log, think = mind.rules[0], mind.log[0], mind.desk[0]
    generator = following(generator)
    if mover == RANDOM or state.turn == 0:
        choices = legal(rules, state, think.out)
        choice = wide(think.out[(generator * choices) >> 32])
        if mover != RANDOM and state.phase == Phase.START:
            choice = starting_town(mind, state, style.loose_start, generator / 4294967296.0)
        apply(rules, state, choice, log)
        return generator
    think.generator = generator
    think.explore = 1.0
    think.seat = state.active
    forest.states[0] = state
    forest.used[0] = 0
    forest.used[1] = 0
    grow(mind, forest, style.simulations)
    if style.simulations > 0:
        generator = following(generator)
        edge = searched(forest, state.turn <= OPENING * rules.players, generator / 4294967296.0)
    else:
        edge = wide(forest.nodes[0].first)
        best = -1e9
        for i in range(forest.nodes[0].first, forest.nodes[0].first + forest.nodes[0].count):
            generator = following(generator)
            looks = forest.edges[i].prior - style.blur * np.log(1e-9 + generator / 4294967296.0)
            if looks > best:
                best = looks
                edge = i
    for i in range(forest.edges[edge].length):
        apply(rules, state, wide(forest.edges[edge].moves[i]), log)
    return generator


@kernel
def starting_town(mind: Mind, state: Any, loose: float, share: float) -> int:
    """A random starting town, with those more likely that earned more (LevelBot.start)."""
    rules, out = mind.rules[0], mind.desk[0].out
    earned = mind.values[0].start[rules.players - 2]
    choices = legal(rules, state, out)
    total = 0.0
    for i in range(choices):
        total += np.exp(earned[rules.action_place[out[i]]] / loose)
    share *= total
    choice = wide(out[0])
    for i in range(choices):
        choice = wide(out[i])
        share -= np.exp(earned[rules.action_place[choice]] / loose)
        if share < 0.0:
            break
    return choice


@kernel
def searched(forest: Forest, opening: bool, share: float) -> int:
    """One of the turns nearly as good as the most visited, weighted by the squares of the visits (LevelBot.pick)."""
    root = forest.nodes[0]
    seat = root.player
    most = 0.0
    best = wide(root.first)
    for i in range(root.first, root.first + root.count):
        if visits_of(forest, i) > most:
            most = visits_of(forest, i)
            best = i
    near = min(NEAR * most, SURE)
    least = worth_of(forest, best, seat) - (OPENING_AS_GOOD if opening else AS_GOOD)
    total = 0.0
    for i in range(root.first, root.first + root.count):
        if visits_of(forest, i) > near and worth_of(forest, i, seat) >= least:
            total += min(visits_of(forest, i), SURE) ** 2
    share *= total
    for i in range(root.first, root.first + root.count):
        if visits_of(forest, i) > near and worth_of(forest, i, seat) >= least:
            share -= min(visits_of(forest, i), SURE) ** 2
            if share < 0.0:
                return wide(i)
    return best


@kernel
def visits_of(forest: Forest, edge: int) -> float:
    """How many simulations went through a turn."""
    child = forest.edges[edge].child
    return float(forest.nodes[child].visits) if child >= 0 else 0.0


@kernel
def worth_of(forest: Forest, edge: int, seat: int) -> float:
    """What the search values a turn at for a seat (Root.worth)."""
    child = forest.edges[edge].child
    if child < 0:
        return forest.edges[edge].chances[seat] + SCORE * forest.edges[edge].expected[seat]  # type: ignore[no-any-return]
    node = forest.nodes[child]
    total = 0.0
    for other in range(SEATS):
        total += node.chances[other]
    return node.chances[seat] / total + SCORE * node.expected[seat] / node.visits  # type: ignore[no-any-return]
