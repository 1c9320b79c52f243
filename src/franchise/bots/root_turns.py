"""The turns of a position after a search, from one tree or from several searched in parallel."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from franchise.bots.search import Tree
from franchise.bots.turns import SCORE
from franchise.engine.actions import ACTIONS, Action


@dataclass(frozen=True)
class RootTurn:
    """A turn, its visits over all trees, and its expected outcome."""

    moves: list[int]
    visits: int
    prior: float  # its value before the search
    chances: tuple[float, ...]  # to win, by seat
    expected: tuple[float, ...]  # final influence by seat
    line: Callable[[], tuple[Action, ...]]  # how play might continue, in the tree that tried it most

    def worth(self, seat: int) -> float:
        """Its value for a seat according to the search."""
        return self.chances[seat] + SCORE * self.expected[seat]


def merged(trees: Sequence[Tree], players: int) -> list[RootTurn]:
    """The turns of all trees, the most visited first."""
    places_of: dict[tuple[int, ...], list[tuple[Tree, int]]] = {}
    for tree in trees:
        for edge in tree.root_edges():
            places_of.setdefault(tuple(tree.turn(edge)), []).append((tree, edge))
    turns = [turn_of(list(moves), places, players) for moves, places in places_of.items()]
    return sorted(turns, key=lambda turn: (-turn.visits, -turn.prior))


def turn_of(moves: list[int], places: list[tuple[Tree, int]], players: int) -> RootTurn:
    """One turn, given its position in the trees; its expected outcome is the mean over the visits."""
    visits = [tree.visits(edge) for tree, edge in places]
    shares = [count / sum(visits) if sum(visits) else 1 / len(visits) for count in visits]
    promises = [tree.promise(edge, players) for tree, edge in places]

    def mean(part: int) -> tuple[float, ...]:
        by_seat = zip(*(promise[part] for promise in promises), strict=True)
        return tuple(sum(share * value for share, value in zip(shares, values, strict=True)) for values in by_seat)

    tree, edge = max(zip(places, visits, strict=True), key=lambda pair: pair[1])[0]
    return RootTurn(
        moves,
        sum(visits),
        tree.prior(edge),
        mean(0),
        mean(1),
        lambda: tuple(ACTIONS[number] for number in tree.main_line(edge)),
    )
