"""Tree search over whole turns (max^n: everyone maximises their own chance to win), compiled, in flat arrays.

A node is a position at the start of a turn, an edge a complete turn (turns.py). One simulation walks from the root by
PUCT, opens one new node, values it by the best turn that its player has there, and adds that value to the whole path.
"""

from typing import Any, NamedTuple

import numpy as np

from franchise.bots.network import Weights
from franchise.bots.turns import (
    CANDIDATES,
    EDGE,
    HERE,
    SCORE,
    Edges,
    SearchMemory,
    list_turns,
    new_search_memory,
    revalue,
    value_of,
)
from franchise.bots.values import WORK, learned
from franchise.engine.bits import wide
from franchise.engine.jit import kernel, long_entry_point
from franchise.engine.layout import SEATS, STATE, Phase, Records, record
from franchise.engine.playout import scramble
from franchise.engine.rules import apply
from franchise.engine.walk import duplicate

DEPTH = 64  # turns a simulation looks ahead at most
EXPLORE = 2.0  # in units of how much the values of a node's turns differ
TEMPERATURE = 0.5  # how quickly the prior falls with the distance to the best turn, likewise
APART = 0.004  # the smallest such difference assumed
WIDTH = 3.0  # turns tried at first; more with the square root of the visits, whose factor is 1
OTHERS = (0.5, 1.0, 0.5, 0.5)  # the same factor for turns of other players, who begin with one; by players - 2
LINEAR_OTHERS = 0.2  # the same without a network

NODE = record(
    ("chances", np.float64, (SEATS,)),  # sums over the visits
    ("expected", np.float64, (SEATS,)),
    ("visits", np.int32),
    ("first", np.int32),  # first edge
    ("count", np.int32),  # edges; 0 when the game is over
    ("player", np.int32),
)


class TreeArrays(NamedTuple):
    """The arrays of a tree; node i has states[i]."""

    nodes: Records
    states: Records
    edges: Edges
    used: "np.ndarray[Any, np.dtype[np.int64]]"  # how many nodes and edges
    way: "np.ndarray[Any, np.dtype[np.int64]]"  # the nodes of a simulation
    places: "np.ndarray[Any, np.dtype[np.int64]]"  # where nodes go when only a part of the tree is kept


class Tree:
    """One search: start it at a position, simulate, read the result."""

    def __init__(self, rules: Records, simulations: int, weights: Weights) -> None:
        self.capacity = simulations + 1
        self.memory = new_search_memory(rules, learned(), np.zeros(1, WORK), weights)
        self.arrays = TreeArrays(
            np.zeros(self.capacity, NODE),
            np.zeros(self.capacity, STATE),
            np.zeros(self.capacity * (CANDIDATES + 1), EDGE),
            np.zeros(2, np.int64),
            np.zeros(DEPTH, np.int64),
            np.zeros(self.capacity, np.int64),
        )

    def start(self, rules: Records, state: Records, seed: int, explore: float = 1.0, seat: int | None = None) -> None:
        """Start at a position; `explore` scales how often less promising turns are tried.

        The turns of `seat` are compared more widely than those of the others; by default, the player to move.
        """
        self.use(rules)
        self.memory.scratch["generator"] = scramble(seed)
        self.memory.scratch["explore"] = explore
        self.memory.scratch["seat"] = state["active"] if seat is None else seat
        duplicate(state, self.arrays.states)
        self.arrays.used[:] = 0
        simulate(self.memory, self.arrays, 0)

    def follow(self, rules: Records, state: Records, seat: int) -> bool:
        """Go on from a later position with what the tree knows about it; False if it knows nothing."""
        count = int(self.arrays.used[0])
        if count == 0 or self.memory.scratch["seat"][0] != seat or not (self.memory.rules == rules).all():
            return False
        matching = np.flatnonzero(self.arrays.states[:count] == state)
        if not len(matching):
            return False
        keep_below(self.arrays, int(matching[0]))
        return True

    def use(self, rules: Records) -> None:
        """Search games with these rules from now on."""
        self.memory = self.memory._replace(rules=rules)

    def simulate(self, simulations: int) -> int:
        """Run that many more simulations, while there is room; returns their total number."""
        room = self.capacity - int(self.arrays.used[0])
        simulate(self.memory, self.arrays, min(simulations, room))
        return self.simulations()

    def simulations(self) -> int:
        return int(self.arrays.nodes["visits"][0]) - 1

    def root_edges(self) -> range:
        """The turns of the root."""
        return self.edges_of(0)

    def edges_of(self, node: int) -> range:
        first = int(self.arrays.nodes["first"][node])
        return range(first, first + int(self.arrays.nodes["count"][node]))

    def turn(self, edge: int) -> list[int]:
        """The moves of a turn."""
        edges = self.arrays.edges
        moves: list[int] = edges["moves"][edge, : edges["length"][edge]].tolist()
        return moves

    def prior(self, edge: int) -> float:
        """The value of a turn before the search."""
        return float(self.arrays.edges["prior"][edge])

    def visits(self, edge: int) -> int:
        """How many simulations went through a turn."""
        child = int(self.arrays.edges["child"][edge])
        return int(self.arrays.nodes["visits"][child]) if child >= 0 else 0

    def promise(self, edge: int, players: int) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """Chances to win and expected final influence by seat after a turn."""
        child = int(self.arrays.edges["child"][edge])
        source, at, by = (self.arrays.nodes, child, self.visits(edge)) if child >= 0 else (self.arrays.edges, edge, 1)
        chances = source["chances"][at, :players] / by
        return tuple((chances / chances.sum()).tolist()), tuple((source["expected"][at, :players] / by).tolist())

    def main_line(self, edge: int) -> list[int]:
        """The moves from a turn onwards along the most visited turns."""
        moves = self.turn(edge)
        while self.visits(edge):
            following = self.edges_of(int(self.arrays.edges["child"][edge]))
            if not following:
                break
            edge = max(following, key=self.visits)
            if self.visits(edge):
                moves += self.turn(edge)
        return moves


@kernel
def open_node(memory: SearchMemory, tree: TreeArrays, number: int) -> None:
    """List the turns of a node whose state is in place."""
    node = tree.nodes[number]
    state = tree.states[number]
    node.player = state.active
    node.visits = 0
    node.first = tree.used[1]
    node.count = 0
    for seat in range(SEATS):
        node.chances[seat] = 0.0
        node.expected[seat] = 0.0
    if state.phase != Phase.OVER:
        memory.states[HERE] = state
        node.count = list_turns(memory, tree.edges, tree.used[1])
        revalue(memory, tree.edges, node.first, node.count)
        tree.used[1] += node.count


@long_entry_point
def simulate(memory: SearchMemory, tree: TreeArrays, simulations: int) -> None:
    """Run simulations; open the root first if there is no node yet. The only function here that Python calls."""
    edges, way = tree.edges, tree.way
    others = OTHERS[memory.rules[0].players - 2] if memory.network.weights.first.size > 0 else LINEAR_OTHERS
    if tree.used[0] == 0:
        tree.used[0] = 1
        open_node(memory, tree, wide(0))
        tree.nodes[0].visits = 1
    for _ in range(simulations):
        depth = 0
        number = 0
        while tree.nodes[number].count > 0 and depth < DEPTH - 1:
            way[depth] = number
            depth += 1
            choice = select(tree, number, memory.scratch[0].seat, memory.scratch[0].explore, others)
            if edges[choice].child >= 0:
                number = edges[choice].child
                continue
            parent = number
            number = tree.used[0]
            tree.used[0] += 1
            edges[choice].child = number
            tree.states[number] = tree.states[parent]
            for i in range(edges[choice].length):
                apply(memory.rules[0], tree.states[number], wide(edges[choice].moves[i]), memory.log[0])
            open_node(memory, tree, number)
            break
        way[depth] = number
        settle(memory, tree, depth)


@kernel
def select(tree: TreeArrays, number: int, seat: int, more: float, others: float) -> int:
    """The edge to follow: PUCT among the best-looking turns; more as visits grow, and for the searching seat."""
    node = tree.nodes[number]
    root = np.sqrt(node.visits)
    width = min(node.count, int(WIDTH + root))
    if node.player != seat:
        width = min(node.count, int(1.0 + others * root))
    top = tree.edges[node.first].prior
    apart = max(top - tree.edges[node.first + node.count // 2].prior, APART)
    temperature = TEMPERATURE * apart
    explore = more * EXPLORE * apart
    total = 0.0
    for i in range(node.first, node.first + width):
        total += np.exp((tree.edges[i].prior - top) / temperature)
    best = -1e9
    choice = node.first
    for i in range(node.first, node.first + width):
        edge = tree.edges[i]
        value = edge.prior
        visits = 0
        if edge.child >= 0:
            child = tree.nodes[edge.child]
            visits = child.visits
            value = (child.chances[node.player] + SCORE * child.expected[node.player]) / visits
        looks = value + explore * np.exp((edge.prior - top) / temperature) / total * root / (1 + visits)
        if looks > best:
            best = looks
            choice = i
    return choice  # type: ignore[no-any-return]


@kernel
def settle(memory: SearchMemory, tree: TreeArrays, depth: int) -> None:
    """Value the last node of the path by its best turn (a finished game by its winners), for the whole path."""
    rules = memory.rules[0]
    way = tree.way
    leaf = tree.nodes[way[depth]]
    state = tree.states[way[depth]]
    scratch = memory.scratch[0]
    if state.phase == Phase.OVER:
        value_of(memory, state)
    for seat in range(rules.players):
        chance = scratch.chances[seat]
        expected = scratch.expected[seat]
        if state.phase != Phase.OVER:
            chance = tree.edges[leaf.first].chances[seat]
            expected = tree.edges[leaf.first].expected[seat]
        for i in range(depth + 1):
            tree.nodes[way[i]].chances[seat] += chance
            tree.nodes[way[i]].expected[seat] += expected
    for i in range(depth + 1):
        tree.nodes[way[i]].visits += 1


@long_entry_point
def keep_below(tree: TreeArrays, number: int) -> None:
    """Make a node the root; only what lies below it is kept. A node and its edges come after its parent's."""
    nodes, edges, places = tree.nodes, tree.edges, tree.places
    for i in range(number, tree.used[0]):
        places[i] = -1
    places[number] = 0
    kept = 0
    for i in range(number, tree.used[0]):
        if places[i] >= 0:
            places[i] = kept
            kept += 1
            for j in range(nodes[i].first, nodes[i].first + nodes[i].count):
                if edges[j].child >= 0:
                    places[edges[j].child] = 0
    used = wide(0)
    for i in range(number, tree.used[0]):
        if places[i] >= 0:
            here = places[i]
            first = wide(nodes[i].first)
            nodes[here] = nodes[i]
            tree.states[here] = tree.states[i]
            nodes[here].first = used
            for j in range(first, first + nodes[here].count):
                edges[used] = edges[j]
                if edges[used].child >= 0:
                    edges[used].child = places[edges[used].child]
                used += 1
    tree.used[0] = kept
    tree.used[1] = used
