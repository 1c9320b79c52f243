"""The levels: newcomer, casual, regular, expert. All see the board alike; they differ in how far they look."""

import math
import random
import threading
import time
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from franchise.bots.network import no_weights, trained
from franchise.bots.protocol import SIMULATIONS, Analysis, Budget, Cancelled, RankedMove
from franchise.bots.search import Tree
from franchise.bots.values import learned
from franchise.engine.actions import ACTIONS, Action
from franchise.engine.setups import Options, Setup
from franchise.engine.warmup import once
from franchise.game import Game

FIRST_SLICE = 8  # simulations before the speed is known
OPENING = 2  # turns of each player in which a search bot varies its play
SLICE_S = 0.01  # how long a search goes on without looking at the clock


@dataclass(frozen=True)
class Level:
    """What makes a level: its own budget, and how loosely it chooses."""

    name: str
    simulations: int  # 0: no look beyond the own turn
    seconds: float
    blur: float = 0.0  # of what a turn promises, before the best is taken
    loose_start: float = 2.0  # influence that makes a starting town e times as likely
    network: bool = True  # whether turns are valued by the network, or by the linear evaluation alone


NEWCOMER = Level("newcomer", 0, 0.3, blur=0.12, loose_start=100.0)
CASUAL = Level("casual", 0, 0.3, blur=0.002)
REGULAR = Level("regular", 40, 0.3)
EXPERT = Level("expert", 6000, 2.0)


class LevelBot:
    """A bot that compares whole turns, at more depth the higher its level."""

    def __init__(self, level: Level, seed: int | None, budget: Budget) -> None:
        ready()
        self.name = level.name
        self.level = level
        self.chance = random.Random(seed)
        own = budget.seconds is None and budget.simulations is None
        self.seconds = level.seconds if own else budget.seconds
        self.simulations = 0 if level.simulations == 0 else budget.simulations or level.simulations
        if level.simulations and budget.simulations is None and budget.seconds is not None:
            self.simulations = min(max(level.simulations, int(20_000 * budget.seconds)), SIMULATIONS)
        self.weights = trained() if level.network else no_weights()
        self.stopped = threading.Event()
        self.table: Setup | None = None  # of the game the plan is for
        self.plan: list[int] = []  # the moves so far and the rest of the turn chosen
        self.tree: Tree | None = None

    def choose(self, game: Game) -> Action:
        numbers = game.legal_numbers()
        if not numbers:
            raise ValueError("the game is over: there is no move to choose")
        if len(numbers) == 1:
            return ACTIONS[numbers[0]]
        past = [action.id for action in game.actions]
        planned = self.table == game.setup and len(self.plan) > len(past) and self.plan[: len(past)] == past
        if planned and self.plan[len(past)] in numbers:
            return ACTIONS[self.plan[len(past)]]
        if game.phase == "draft":
            return ACTIONS[self.chance.choice(numbers)]
        if game.phase == "start":
            return self.start(game, numbers)
        tree = self.search(game)
        self.table = game.setup
        self.plan = past + tree.turn(self.pick(tree, game.turn <= OPENING * game.players))
        return ACTIONS[self.plan[len(past)]]

    def start(self, game: Game, numbers: list[int]) -> Action:
        """A starting town, the likelier the more such a start has earned; no two games need begin alike."""
        earned = learned()["start"][0, game.players - 2]
        weights = [math.exp(float(earned[ACTIONS[number].place]) / self.level.loose_start) for number in numbers]
        return ACTIONS[self.chance.choices(numbers, weights)[0]]

    def search(self, game: Game) -> Tree:
        """A tree grown as far as the budget allows."""
        started = time.perf_counter()
        self.stopped.clear()
        if self.tree is None:
            self.tree = Tree(game.rules, self.simulations, self.weights)
        tree = self.tree
        tree.plant(game.rules, game.state, self.chance.getrandbits(32))
        done = 0
        piece = FIRST_SLICE
        while done < self.simulations:
            before = time.perf_counter()
            grown = tree.grow(min(piece, self.simulations - done))
            if grown == done:
                break
            now = time.perf_counter()
            piece = max(1, int((grown - done) * SLICE_S / max(now - before, 1e-6)))
            done = grown
            if self.stopped.is_set():
                raise Cancelled(f"{self.name} was told to stop")
            if self.seconds is not None and now - started > self.seconds - SLICE_S:
                break
        return tree

    def pick(self, tree: Tree, opening: bool) -> int:
        """The root's edge to follow; in the opening one of those nearly as good as the best, so that games differ."""
        if self.simulations:
            best = max(tree.root_edges(), key=lambda edge: (tree.visits(edge), tree.prior(edge)))
            if opening:
                near = [edge for edge in tree.root_edges() if 2 * tree.visits(edge) > tree.visits(best)]
                return self.chance.choices(near, [tree.visits(edge) ** 2 for edge in near])[0]
            return best
        blurred = {
            edge: tree.prior(edge) - self.level.blur * math.log(1e-9 + self.chance.random())
            for edge in tree.root_edges()
        }
        return max(blurred, key=blurred.__getitem__)

    def analyse(self, game: Game, *, moves: int = 5) -> Analysis:
        if game.over:
            raise ValueError("the game is over: there is nothing to analyse")
        tree = self.search(game)
        best: dict[int, int] = {}
        for edge in sorted(tree.root_edges(), key=lambda edge: (-tree.visits(edge), -tree.prior(edge))):
            best.setdefault(tree.turn(edge)[0], edge)
        ranked = [self.ranked(game, tree, edge) for edge in list(best.values())[:moves]]
        return Analysis(game.current_player, tuple(ranked), tree.simulations())

    def ranked(self, game: Game, tree: Tree, edge: int) -> RankedMove:
        chances, expected = tree.promise(edge, game.players)
        line = tuple(ACTIONS[number] for number in tree.main_line(edge))
        return RankedMove(line[0], expected, chances, line, tree.visits(edge))

    def cancel(self) -> None:
        self.stopped.set()

    def close(self) -> None:
        self.tree = None


@cache
def ready() -> None:
    """Make sure the search is compiled."""
    once(Path(__file__).parent, compile_search)


def compile_search() -> None:
    """One simulation from a position past the choice of starting towns."""
    game = Game(4, options=Options(introductory=True))
    tree = Tree(game.rules, 1, trained())
    tree.plant(game.rules, game.state, 0)
    tree.grow(1)


def newcomer(seed: int | None, budget: Budget) -> LevelBot:
    return LevelBot(NEWCOMER, seed, budget)


def casual(seed: int | None, budget: Budget) -> LevelBot:
    return LevelBot(CASUAL, seed, budget)


def regular(seed: int | None, budget: Budget) -> LevelBot:
    return LevelBot(REGULAR, seed, budget)


def expert(seed: int | None, budget: Budget) -> LevelBot:
    return LevelBot(EXPERT, seed, budget)
