"""The levels, from newcomer to champion. All evaluate the board alike; they differ in search depth and noise."""

import math
import random
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import cycle

from franchise.bots.drafting import best_tile
from franchise.bots.network import Weights, no_weights, trained
from franchise.bots.preparation import progress, ready
from franchise.bots.protocol import SIMULATIONS, Analysis, Budget, Cancelled, RankedMove
from franchise.bots.roots import Root, merged
from franchise.bots.search import Tree
from franchise.bots.styles import PlayingStyle
from franchise.bots.values import learned
from franchise.engine.actions import ACTIONS, Action
from franchise.engine.processors import cores
from franchise.engine.setups import Setup
from franchise.game import Game

FIRST_SLICE = 8  # simulations before the speed is known
OPENING = 2  # turns of each player in which a search bot varies its play widely
NEAR = 0.5  # of the most visits: a turn that may be chosen instead
AS_GOOD = 0.0015  # that such a turn may be worth less, after the opening: chance to win, and influence as SCORE has it
SLICE_S = 0.01  # how long a search goes on without looking at the clock, at most
SLICES = 10  # looks at the clock in a decision, at least
POINT = 0.005  # chance to win that a point of influence counts for at the start
EXPLORES = (1.0, 1.5, 0.75, 2.0)  # of the trees of one search beside one another, so that they differ


@dataclass(frozen=True)
class Level:
    """The properties of a level: its budget, and how randomly it chooses."""

    name: str
    simulations: int  # 0: no look beyond the own turn
    seconds: float
    blur: float = 0.0  # of what a turn promises, before the best is taken; where it searches, of starting towns alone
    loose_start: float = 2.0  # influence that makes a starting town e times as likely
    network: bool = True  # whether turns are valued by the network, or by the linear evaluation alone
    all_cores: bool = False


NEWCOMER = Level("newcomer", 0, 0.3, blur=0.12, loose_start=100.0)
CASUAL = Level("casual", 0, 0.3, blur=0.03)
REGULAR = Level("regular", 40, 0.3, blur=0.02)
EXPERT = Level("expert", 3000, 2.0)
CHAMPION = Level("champion", 16_000, 5.0, all_cores=True)
LEVELS = {level.name: level for level in (NEWCOMER, CASUAL, REGULAR, EXPERT, CHAMPION)}


class LevelBot:
    """A bot that compares whole turns, in more depth at higher levels."""

    clock = staticmethod(time.perf_counter)  # that its seconds are measured by

    def __init__(
        self,
        level: Level,
        seed: int | None,
        budget: Budget,
        weights: Weights | None = None,
        style: PlayingStyle | None = None,
    ) -> None:
        self.name = level.name
        self.level = level
        self.style = style
        self.chance = random.Random(seed)
        own = budget.seconds is None and budget.simulations is None
        self.seconds = level.seconds if own else budget.seconds
        self.simulations = 0 if level.simulations == 0 else budget.simulations or level.simulations
        if level.simulations and budget.simulations is None and budget.seconds is not None:
            self.simulations = min(max(level.simulations, int(20_000 * budget.seconds)), SIMULATIONS)
        self.weights = weights or (None if level.network else no_weights())  # None: those of the number of players
        self.stopped = threading.Event()
        self.table: Setup | None = None  # of the game the plan is for
        self.plan: list[int] = []  # the moves so far and the rest of the turn chosen
        self.asked = -1  # moves there were at the last question; fewer or as many now: another game, or taken back
        self.trees: list[Tree] = []

    def choose(self, game: Game) -> Action:
        numbers = game.legal_numbers()
        if not numbers:
            raise ValueError("the game is over: there is no move to choose")
        past = [action.id for action in game.actions]
        if len(past) <= self.asked:
            self.plan = []
        self.asked = len(past)
        if len(numbers) == 1:
            return ACTIONS[numbers[0]]
        planned = self.table == game.setup and len(self.plan) > len(past) and self.plan[: len(past)] == past
        if planned and self.plan[len(past)] in numbers:
            return ACTIONS[self.plan[len(past)]]
        if game.phase == "draft":
            self.stopped.clear()
            if progress() is not None:  # the search is being compiled: the set-up does not wait for it
                return ACTIONS[self.chance.choice(numbers)]
            return ACTIONS[best_tile(game, numbers, self.simulations, self.glance, self.chance)]
        if game.phase == "start" and (progress() is not None or game.players > 2 or not self.weights_for(2).first.size):
            return self.earned_start(game, numbers)
        roots = self.search(game)
        if game.phase == "start":
            return ACTIONS[self.start(roots, game.current_player).moves[0]]
        self.table = game.setup
        self.plan = past + self.pick(roots, game).moves
        return ACTIONS[self.plan[len(past)]]

    def start(self, roots: list[Root], seat: int) -> Root:
        """A random starting town, with better ones more likely, so that games start differently."""
        best, loose = max(root.worth(seat) for root in roots), POINT * self.level.loose_start + self.level.blur
        weights = [math.exp((root.worth(seat) - best) / loose) for root in roots]
        return self.chance.choices(roots, weights)[0]

    def earned_start(self, game: Game, numbers: list[int]) -> Action:
        """A random starting town, with those more likely that earned more in other games.

        Used without a network, before the search is compiled, and with more than two players: the network was trained
        on few of their set-ups and chooses no better.
        """
        earned = learned()["start"][0, game.players - 2]
        weights = [math.exp(float(earned[ACTIONS[number].place]) / self.level.loose_start) for number in numbers]
        return ACTIONS[self.chance.choices(numbers, weights)[0]]

    def weights_for(self, players: int) -> Weights:
        return trained(players) if self.weights is None else self.weights

    def planted(self, game: Game, most: int | None = None) -> list[Tree]:
        """New trees at the position, at most as many as the level uses."""
        ready()
        weights = self.weights_for(game.players)
        if not self.trees or self.trees[0].mind.network.weights is not weights:
            number = cores() if self.level.all_cores else 1
            self.trees = [Tree(game.rules, self.simulations, weights) for _ in range(number)]
        for tree, explore in zip(self.trees[:most], cycle(EXPLORES), strict=False):
            tree.plant(game.rules, game.state, self.chance.getrandbits(32), explore)
        return self.trees[:most]

    def glance(self, game: Game) -> list[Root]:
        """The turns of the position, without search."""
        if self.stopped.is_set():
            raise Cancelled(f"{self.name} was told to stop")
        return merged(self.planted(game, 1), game.players)

    def search(self, game: Game) -> list[Root]:
        """The turns of the position, after a search within the budget."""
        self.stopped.clear()
        trees = self.planted(game)
        if len(trees) == 1:
            self.grow(trees[0])
        else:
            with ThreadPoolExecutor(len(trees)) as pool:
                list(pool.map(self.grow, trees))
        return merged(trees, game.players)

    def grow(self, tree: Tree) -> None:
        """Grow a tree until the budget is used up."""
        started = self.clock()
        slice_s = SLICE_S if self.seconds is None else min(SLICE_S, self.seconds / SLICES)
        done = 0
        piece = FIRST_SLICE
        while done < self.simulations:
            before = self.clock()
            grown = tree.grow(min(piece, self.simulations - done))
            if grown == done:
                break
            now = self.clock()
            piece = max(1, int((grown - done) * slice_s / max(now - before, 1e-6)))
            done = grown
            if self.stopped.is_set():
                raise Cancelled(f"{self.name} was told to stop")
            if self.seconds is not None and now - started > self.seconds - slice_s:
                break

    def pick(self, roots: list[Root], game: Game) -> Root:
        """The turn to play: one of those nearly as good as the best, so that games vary."""
        seat, style = game.current_player, self.style
        liking = [0.0 if style is None else style.liking(game, root, seat) for root in roots]
        if self.simulations == 0:
            blurred = [-self.level.blur * math.log(1e-9 + self.chance.random()) for _ in roots]
            return max(zip(roots, liking, blurred, strict=True), key=lambda row: row[0].prior + row[1] + row[2])[0]
        worth = [root.worth(seat) + more for root, more in zip(roots, liking, strict=True)]
        if style is None:
            opening = game.turn <= OPENING * game.players
            least, near = -math.inf if opening else worth[0] - AS_GOOD, NEAR * roots[0].visits
        else:
            near = 0.0
            least = max(value for root, value in zip(roots, worth, strict=True) if root.visits > near) - AS_GOOD
        choices = [root for root, value in zip(roots, worth, strict=True) if root.visits > near and value >= least]
        return self.chance.choices(choices, [root.visits**2 for root in choices])[0]

    def analyse(self, game: Game, *, moves: int = 5) -> Analysis:
        if game.over:
            raise ValueError("the game is over: there is nothing to analyse")
        best: dict[int, Root] = {}
        for root in self.search(game):
            best.setdefault(root.moves[0], root)
        ranked = [
            RankedMove(ACTIONS[root.moves[0]], root.expected, root.chances, root.line(), root.visits)
            for root in list(best.values())[:moves]
        ]
        return Analysis(game.current_player, tuple(ranked), sum(tree.simulations() for tree in self.trees))

    def cancel(self) -> None:
        self.stopped.set()

    def close(self) -> None:
        self.trees = []


def newcomer(seed: int | None, budget: Budget) -> LevelBot:
    return LevelBot(NEWCOMER, seed, budget)


def casual(seed: int | None, budget: Budget) -> LevelBot:
    return LevelBot(CASUAL, seed, budget)


def regular(seed: int | None, budget: Budget) -> LevelBot:
    return LevelBot(REGULAR, seed, budget)


def expert(seed: int | None, budget: Budget) -> LevelBot:
    return LevelBot(EXPERT, seed, budget)


def champion(seed: int | None, budget: Budget) -> LevelBot:
    return LevelBot(CHAMPION, seed, budget)
