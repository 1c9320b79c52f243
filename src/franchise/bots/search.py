"""Tree search over whole turns (max^n: everyone maximises their own chance to win), compiled, in flat arrays.

A node is a position at the start of a turn, an edge a complete turn (turns.py). One simulation walks from the root by
PUCT, opens one new node, values it by the best turn that its player has there, and adds that value to the whole path.
"""

from typing import Any, NamedTuple

import numpy as np

from franchise.bots.network import Weights
from franchise.bots.turns import CANDIDATES, EDGE, HERE, SCORE, Edges, Mind, list_turns, new_mind, revalue, value_of
from franchise.bots.values import WORK, learned
from franchise.engine.bits import wide
from franchise.engine.jit import kernel, long_door
from franchise.engine.layout import SEATS, STATE, Phase, Records, record
from franchise.engine.playout import scramble
from franchise.engine.rules import apply
from franchise.engine.walk import duplicate

DEPTH = 64  # turns a simulation looks ahead at most
EXPLORE = 2.0  # in units of how much the values of a node's turns differ
TEMPER = 0.5  # how quickly the prior falls with the distance to the best turn, likewise
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


class Forest(NamedTuple):
    """The arrays of a tree; node i has states[i]."""

    nodes: Records
    states: Records
    edges: Edges
    used: "np.ndarray[Any, np.dtype[np.int64]]"  # how many nodes and edges
    way: "np.ndarray[Any, np.dtype[np.int64]]"  # the nodes of a simulation
    places: "np.ndarray[Any, np.dtype[np.int64]]"  # where nodes go when only a part of the tree is kept


class Tree:
    """One search: start it at a position, grow it, read the result."""

    def __init__(self, rules: Records, simulations: int, weights: Weights) -> None:
        self.capacity = simulations + 1
        self.mind = new_mind(rules, learned(), np.zeros(1, WORK), weights)
        self.forest = Forest(
            np.zeros(self.capacity, NODE),
            np.zeros(self.capacity, STATE),
            np.zeros(self.capacity * (CANDIDATES + 1), EDGE),
            np.zeros(2, np.int64),
            np.zeros(DEPTH, np.int64),
            np.zeros(self.capacity, np.int64),
        )

    def plant(self, rules: Records, state: Records, seed: int, explore: float = 1.0, seat: int | None = None) -> None:
        """Start at a position; `explore` scales how often less promising turns are tried.

        The turns of `seat` are compared more widely than those of the others; by default, the player to move.
        """
        self.use(rules)
        self.mind.desk["generator"] = scramble(seed)
        self.mind.desk["explore"] = explore
        self.mind.desk["seat"] = state["active"] if seat is None else seat
        duplicate(state, self.forest.states)
        self.forest.used[:] = 0
        grow(self.mind, self.forest, 0)

    def follow(self, rules: Records, state: Records, seat: int) -> bool:
        """Go on from a later position with what the tree knows about it; False if it knows nothing."""
        known = int(self.forest.used[0])
        if known == 0 or self.mind.desk["seat"][0] != seat or not (self.mind.rules == rules).all():
            return False
        found = np.flatnonzero(self.forest.states[:known] == state)
        if not len(found):
            return False
        keep_below(self.forest, int(found[0]))
        return True

    def use(self, rules: Records) -> None:
        """Search games with these rules from now on."""
        self.mind = self.mind._replace(rules=rules)

    def grow(self, simulations: int) -> int:
        """Run that many more simulations, while there is room; returns their total number."""
        room = self.capacity - int(self.forest.used[0])
        grow(self.mind, self.forest, min(simulations, room))
        return self.simulations()

    def simulations(self) -> int:
        return int(self.forest.nodes["visits"][0]) - 1

    def root_edges(self) -> range:
        """The turns of the root."""
        return self.edges_of(0)

    def edges_of(self, node: int) -> range:
        first = int(self.forest.nodes["first"][node])
        return range(first, first + int(self.forest.nodes["count"][node]))

    def turn(self, edge: int) -> list[int]:
        """The moves of a turn."""
        edges = self.forest.edges
        moves: list[int] = edges["moves"][edge, : edges["length"][edge]].tolist()
        return moves

    def prior(self, edge: int) -> float:
        """The value of a turn before the search."""
        return float(self.forest.edges["prior"][edge])

    def visits(self, edge: int) -> int:
        """How many simulations went through a turn."""
        child = int(self.forest.edges["child"][edge])
        return int(self.forest.nodes["visits"][child]) if child >= 0 else 0

    def promise(self, edge: int, players: int) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """Chances to win and expected final influence by seat after a turn."""
        child = int(self.forest.edges["child"][edge])
        source, at, by = (self.forest.nodes, child, self.visits(edge)) if child >= 0 else (self.forest.edges, edge, 1)
        chances = source["chances"][at, :players] / by
        return tuple((chances / chances.sum()).tolist()), tuple((source["expected"][at, :players] / by).tolist())

    def main_line(self, edge: int) -> list[int]:
        """The moves from a turn onwards along the most visited turns."""
        moves = self.turn(edge)
        while self.visits(edge):
            following = self.edges_of(int(self.forest.edges["child"][edge]))
            if not following:
                break
            edge = max(following, key=self.visits)
            if self.visits(edge):
                moves += self.turn(edge)
        return moves


@kernel
def open_node(mind: Mind, forest: Forest, number: int) -> None:
    """List the turns of a node whose state is in place."""
    node = forest.nodes[number]
    state = forest.states[number]
    node.player = state.active
    node.visits = 0
    node.first = forest.used[1]
    node.count = 0
    for seat in range(SEATS):
        node.chances[seat] = 0.0
        node.expected[seat] = 0.0
    if state.phase != Phase.OVER:
        mind.states[HERE] = state
        node.count = list_turns(mind, forest.edges, forest.used[1])
        revalue(mind, forest.edges, node.first, node.count)
        forest.used[1] += node.count


@long_door
def grow(mind: Mind, forest: Forest, simulations: int) -> None:
    """Run simulations; open the root first if there is no node yet. The only function here that Python calls."""
    edges, way = forest.edges, forest.way
    others = OTHERS[mind.rules[0].players - 2] if mind.network.weights.first.size > 0 else LINEAR_OTHERS
    if forest.used[0] == 0:
        forest.used[0] = 1
        open_node(mind, forest, wide(0))
        forest.nodes[0].visits = 1
    for _ in range(simulations):
        depth = 0
        number = 0
        while forest.nodes[number].count > 0 and depth < DEPTH - 1:
            way[depth] = number
            depth += 1
            choice = select(forest, number, mind.desk[0].seat, mind.desk[0].explore, others)
            if edges[choice].child >= 0:
                number = edges[choice].child
                continue
            parent = number
            number = forest.used[0]
            forest.used[0] += 1
            edges[choice].child = number
            forest.states[number] = forest.states[parent]
            for i in range(edges[choice].length):
                apply(mind.rules[0], forest.states[number], wide(edges[choice].moves[i]), mind.log[0])
            open_node(mind, forest, number)
            break
        way[depth] = number
        settle(mind, forest, depth)


@kernel
def select(forest: Forest, number: int, seat: int, more: float, others: float) -> int:
    """The edge to follow: PUCT among the best-looking turns; more as visits grow, and for the searching seat."""
    node = forest.nodes[number]
    root = np.sqrt(node.visits)
    width = min(node.count, int(WIDTH + root))
    if node.player != seat:
        width = min(node.count, int(1.0 + others * root))
    top = forest.edges[node.first].prior
    apart = max(top - forest.edges[node.first + node.count // 2].prior, APART)
    temper = TEMPER * apart
    explore = more * EXPLORE * apart
    total = 0.0
    for i in range(node.first, node.first + width):
        total += np.exp((forest.edges[i].prior - top) / temper)
    best = -1e9
    choice = node.first
    for i in range(node.first, node.first + width):
        edge = forest.edges[i]
        value = edge.prior
        visits = 0
        if edge.child >= 0:
            child = forest.nodes[edge.child]
            visits = child.visits
            value = (child.chances[node.player] + SCORE * child.expected[node.player]) / visits
        looks = value + explore * np.exp((edge.prior - top) / temper) / total * root / (1 + visits)
        if looks > best:
            best = looks
            choice = i
    return choice  # type: ignore[no-any-return]


@kernel
def settle(mind: Mind, forest: Forest, depth: int) -> None:
    """Value the last node of the path by its best turn (a finished game by its winners), for the whole path."""
    rules = mind.rules[0]
    way = forest.way
    leaf = forest.nodes[way[depth]]
    state = forest.states[way[depth]]
    desk = mind.desk[0]
    if state.phase == Phase.OVER:
        value_of(mind, state)
    for seat in range(rules.players):
        chance = desk.chances[seat]
        expected = desk.expected[seat]
        if state.phase != Phase.OVER:
            chance = forest.edges[leaf.first].chances[seat]
            expected = forest.edges[leaf.first].expected[seat]
        for i in range(depth + 1):
            forest.nodes[way[i]].chances[seat] += chance
            forest.nodes[way[i]].expected[seat] += expected
    for i in range(depth + 1):
        forest.nodes[way[i]].visits += 1


@long_door
def keep_below(forest: Forest, number: int) -> None:
    """Make a node the root; only what lies below it is kept. A node and its edges come after its parent's."""
    nodes, edges, places = forest.nodes, forest.edges, forest.places
    for i in range(number, forest.used[0]):
        places[i] = -1
    places[number] = 0
    kept = 0
    for i in range(number, forest.used[0]):
        if places[i] >= 0:
            places[i] = kept
            kept += 1
            for j in range(nodes[i].first, nodes[i].first + nodes[i].count):
                if edges[j].child >= 0:
                    places[edges[j].child] = 0
    used = wide(0)
    for i in range(number, forest.used[0]):
        if places[i] >= 0:
            here = places[i]
            first = wide(nodes[i].first)
            nodes[here] = nodes[i]
            forest.states[here] = forest.states[i]
            nodes[here].first = used
            for j in range(first, first + nodes[here].count):
                edges[used] = edges[j]
                if edges[used].child >= 0:
                    edges[used].child = places[edges[used].child]
                used += 1
    forest.used[0] = kept
    forest.used[1] = used
