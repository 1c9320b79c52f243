"""Tree search over whole turns (max^n: everyone wants to win), compiled, over flat arrays.

A node is a position at the start of a turn, an edge a complete turn (turns.py). One simulation walks from the root by
PUCT, opens one new node, values it by the best turn that its player has there, and adds that value to the whole path.
"""

from typing import Any

import numpy as np

from franchise.bots.turns import CANDIDATES, DESK, EDGE, SCORE, TURN, Edges, list_turns
from franchise.bots.values import WORK, Values
from franchise.engine.jit import kernel
from franchise.engine.layout import LOG, SEATS, STATE, Log, Moves, Phase, Records, Rules, record
from franchise.engine.playout import scramble
from franchise.engine.rules import apply, winners

DEPTH = 64
EXPLORE = 0.35
TEMPER = 0.08  # how quickly the prior of a turn falls behind the best one's
WIDE_AT_ONCE = 3.0
WIDEN = 1.0  # further turns by the square root of the visits

NODE = record(
    ("chances", np.float64, (SEATS,)),  # sums over the visits
    ("expected", np.float64, (SEATS,)),
    ("visits", np.int32),
    ("first", np.int32),  # first edge
    ("count", np.int32),  # edges; -1 before they are listed
    ("player", np.int32),
)


class Tree:
    """The memory of one search."""

    def __init__(self, simulations: int) -> None:
        self.capacity = simulations + 1
        self.nodes = np.zeros(self.capacity, NODE)
        self.states = np.zeros(self.capacity, STATE)
        self.edges = np.zeros((self.capacity) * (CANDIDATES + 1), EDGE)
        self.used = np.zeros(2, np.int64)  # nodes, edges
        self.scratch = np.zeros(5, STATE)
        self.work = np.zeros(1, WORK)
        self.desk = np.zeros(1, DESK)
        self.path = np.zeros(TURN, np.int32)
        self.log = np.zeros(1, LOG)

    def plant(self, rules: Records, state: Records, values: Records, seed: int) -> None:
        """Begin at a position."""
        self.used[:] = 0
        self.desk["generator"] = scramble(seed)
        plant(
            rules,
            state,
            values,
            self.nodes,
            self.states,
            self.edges,
            self.used,
            self.scratch,
            self.work,
            self.desk,
            self.path,
            self.log,
        )

    def grow(self, rules: Records, values: Records, simulations: int) -> int:
        """That many simulations more; returns how many there are in all."""
        room = self.capacity - int(self.used[0])
        grow(
            rules,
            values,
            min(simulations, room),
            self.nodes,
            self.states,
            self.edges,
            self.used,
            self.scratch,
            self.work,
            self.desk,
            self.path,
            self.log,
        )
        return self.simulations()

    def simulations(self) -> int:
        return int(self.nodes["visits"][0]) - 1

    def root_edges(self) -> range:
        """The turns of the root."""
        first = int(self.nodes["first"][0])
        return range(first, first + int(self.nodes["count"][0]))

    def turn(self, edge: int) -> list[int]:
        """The moves of a turn."""
        moves: list[int] = self.edges["moves"][edge, : self.edges["length"][edge]].tolist()
        return moves

    def prior(self, edge: int) -> float:
        """What a turn promised before the search."""
        return float(self.edges["prior"][edge])

    def visits(self, edge: int) -> int:
        """How many simulations went through a turn."""
        child = int(self.edges["child"][edge])
        return int(self.nodes["visits"][child]) if child >= 0 else 0

    def promise(self, edge: int, players: int) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """Chances to win and expected final influence by seat after a turn."""
        child = int(self.edges["child"][edge])
        source, at, by = (self.nodes, child, self.visits(edge)) if child >= 0 else (self.edges, edge, 1)
        chances = source["chances"][at, :players] / by
        return tuple((chances / chances.sum()).tolist()), tuple((source["expected"][at, :players] / by).tolist())

    def main_line(self, edge: int) -> list[int]:
        """The moves from a turn on along the most visited turns."""
        moves = self.turn(edge)
        node = int(self.edges["child"][edge])
        while node >= 0 and self.nodes["count"][node] > 0:
            first = int(self.nodes["first"][node])
            edge = max(range(first, first + int(self.nodes["count"][node])), key=self.visits)
            if not self.visits(edge):
                break
            moves += self.turn(edge)
            node = int(self.edges["child"][edge])
        return moves


@kernel
def open_node(
    rules: Rules,
    values: Values,
    node: int,
    nodes: Any,
    states: Records,
    edges: Edges,
    used: Any,
    scratch: Records,
    work: Any,
    desk: Any,
    path: Moves,
    log: Log,
) -> None:
    """List the turns of a node whose state is in place."""
    nodes[node].player = states[node].active
    nodes[node].visits = 0
    nodes[node].first = used[1]
    nodes[node].count = 0
    for seat in range(SEATS):
        nodes[node].chances[seat] = 0.0
        nodes[node].expected[seat] = 0.0
    if states[node].phase != Phase.OVER:
        scratch[0] = states[node]
        nodes[node].count = list_turns(rules, scratch, values, work, desk, edges, used[1], path, log)
        used[1] += nodes[node].count


@kernel
def plant(
    rules: Records,
    state: Records,
    values: Records,
    nodes: Any,
    states: Records,
    edges: Edges,
    used: Any,
    scratch: Records,
    work: Records,
    desk: Records,
    path: Moves,
    log: Records,
) -> None:
    """Make the state the root."""
    states[0] = state[0]
    used[0] = 1
    open_node(rules[0], values[0], 0, nodes, states, edges, used, scratch, work[0], desk[0], path, log[0])
    nodes[0].visits = 1


@kernel
def select(rules: Rules, nodes: Any, edges: Edges, node: int) -> int:
    """The edge to follow: PUCT among the first, best-looking turns; more of them as visits grow."""
    here = nodes[node]
    width = min(here.count, int(WIDE_AT_ONCE + WIDEN * np.sqrt(here.visits)))
    top = edges[here.first].prior
    total = 0.0
    for i in range(width):
        total += np.exp((edges[here.first + i].prior - top) / TEMPER)
    root = np.sqrt(here.visits)
    best = -1e9
    choice = here.first
    for i in range(width):
        edge = edges[here.first + i]
        value = edge.prior
        visits = 0
        if edge.child >= 0:
            child = nodes[edge.child]
            visits = child.visits
            value = (child.chances[here.player] + SCORE * child.expected[here.player]) / visits
        prior = np.exp((edge.prior - top) / TEMPER) / total
        score = value + EXPLORE * prior * root / (1 + visits)
        if score > best:
            best = score
            choice = here.first + i
    return choice  # type: ignore[no-any-return]


@kernel
def grow(
    rules: Records,
    values: Records,
    simulations: int,
    nodes: Any,
    states: Records,
    edges: Edges,
    used: Any,
    scratch: Records,
    work: Records,
    desk: Records,
    path: Moves,
    log: Records,
) -> None:
    """Run simulations."""
    way = np.zeros(DEPTH, np.int64)
    for _ in range(simulations):
        depth = 0
        node = 0
        while nodes[node].count > 0 and depth < DEPTH - 1:
            way[depth] = node
            depth += 1
            choice = select(rules[0], nodes, edges, node)
            child = edges[choice].child
            if child >= 0:
                node = child
                continue
            child = used[0]
            used[0] += 1
            edges[choice].child = child
            states[child] = states[node]
            for i in range(edges[choice].length):
                apply(rules[0], states[child], edges[choice].moves[i], log[0])
            open_node(rules[0], values[0], child, nodes, states, edges, used, scratch, work[0], desk[0], path, log[0])
            node = child
            break
        way[depth] = node
        settle(rules[0], nodes, states, edges, way, depth)


@kernel
def settle(rules: Rules, nodes: Any, states: Records, edges: Edges, way: Any, depth: int) -> None:
    """Value the last node of the way and add it to the whole way."""
    leaf = way[depth]
    over = states[leaf].phase == Phase.OVER
    won = 0
    shares = 1
    if over:
        won = winners(rules, states[leaf])
        shares = 0
        for seat in range(rules.players):
            shares += won >> seat & 1
    for seat in range(rules.players):
        if over:
            chance = (won >> seat & 1) / shares
            points = 1.0 * states[leaf].influence[seat]
        else:
            chance = edges[nodes[leaf].first].chances[seat]
            points = edges[nodes[leaf].first].expected[seat]
        for i in range(depth + 1):
            nodes[way[i]].chances[seat] += chance
            nodes[way[i]].expected[seat] += points
    for i in range(depth + 1):
        nodes[way[i]].visits += 1
