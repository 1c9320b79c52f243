"""max^n against paranoid search: what should one assume about the other players of a game for more than two?

Both look one round of turns ahead over the same candidate turns and values of the bots' network. max^n assumes that
everybody plays for their own chance to win, paranoid that all others play against oneself. Try it:

PYTHONPATH=examples franchise arena python:paranoid:max_n python:paranoid:max_n python:paranoid:paranoid \
    python:paranoid:paranoid -n 60 --seed 1
"""

import numpy as np

import franchise as fr
from franchise.bots.levels import ready
from franchise.bots.network import trained
from franchise.bots.search import Tree
from franchise.engine.actions import ACTIONS
from franchise.engine.layout import LOG
from franchise.engine.walk import duplicate, replay

WIDTH = 4  # turns that are tried at each position, the most promising first


class RoundSearch:
    """A bot that looks one round ahead; `paranoid` says what it assumes."""

    def __init__(self, seed, paranoid) -> None:
        ready()
        self.name = "paranoid" if paranoid else "max^n"
        self.paranoid = paranoid
        self.opening = fr.bots.make("casual", seed=seed)  # chooses the starting town
        self.plan = []

    def choose(self, game):
        """The next move of the turn that was chosen at its beginning."""
        past = [action.id for action in game.actions]
        if self.plan[: len(past)] != past or len(self.plan) <= len(past):
            if game.turn == 0:
                return self.opening.choose(game)
            self.trees = [Tree(game.rules, 0, trained(game.players)) for _ in range(game.players)]
            self.seat = game.current_player
            self.plan = past + self.look(game.rules, game.state, 0)[1]
        return ACTIONS[self.plan[len(past)]]

    def look(self, rules, state, depth):
        """Chances to win by seat if the search is right, and the turn that leads there."""
        tree = self.trees[depth]
        tree.start(rules, state, 0)
        edges = list(tree.root_edges())
        if not edges:  # the game is over
            won = fr.engine.walk.champions(rules, state)
            shares = np.array([won >> seat & 1 for seat in range(len(self.trees))], float)
            return shares / shares.sum(), []
        mover = int(state["active"][0])
        own = mover == self.seat or not self.paranoid
        best, chosen, found = -np.inf, [], None
        for edge in edges[:WIDTH]:
            moves = tree.turn(edge)
            chances = tree.arrays.edges["chances"][edge, : len(self.trees)].copy()
            if depth + 1 < len(self.trees):
                after = np.zeros_like(state)
                duplicate(state, after)
                replay(rules, after, np.array(moves, np.int32), np.zeros(1, LOG))
                chances = self.look(rules, after, depth + 1)[0]
            looks = chances[mover] if own else -chances[self.seat]
            if looks > best:
                best, chosen, found = looks, moves, chances
        return found, chosen

    def cancel(self) -> None:
        """Never busy long enough."""

    def close(self) -> None:
        """Holds nothing."""


def max_n(seed, budget):
    return RoundSearch(seed, paranoid=False)


def paranoid(seed, budget):
    return RoundSearch(seed, paranoid=True)
