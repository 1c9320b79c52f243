"""The levels, from newcomer to champion. All evaluate the board alike; they differ in search depth and noise."""

import math
import random
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from itertools import cycle

import numpy as np

from franchise.bots.drafting import best_tile
from franchise.bots.network import Weights, no_weights, trained
from franchise.bots.preparation import progress, ready
from franchise.bots.protocol import SIMULATIONS, Analysis, Budget, Cancelled, RankedMove
from franchise.bots.root_turns import RootTurn, merged
from franchise.bots.search import Tree
from franchise.bots.styles import PlayingStyle
from franchise.bots.values import learned
from franchise.engine.actions import ACTIONS, Action
from franchise.engine.jit import interpreting
from franchise.engine.processors import cores
from franchise.engine.setups import Setup
from franchise.game import Game

FIRST_SLICE = 8  # simulations before the speed is known
WITHOUT_SEARCH = ("draft", "start")  # phases in which no bot waits for the search to be compiled
OPENING = 2  # turns of each player in which a search bot varies its play widely
NEAR = 0.5  # a turn with at least this share of the most visits may be chosen instead
SURE = 400  # visits after which a turn may be chosen however often another one was tried
AS_GOOD = 0.0015  # how much less such a turn may be worth, as RootTurn.worth counts
OPENING_AS_GOOD = 0.01  # the same in the opening
SLICE_S = 0.01  # the longest a search runs before it checks the clock
SLICES = 10  # the least number of such checks in a decision
POINT = 0.01  # what a point of influence is worth at the start, in chance to win, over the number of players
EXPLORES = (1.0, 1.5, 0.75, 2.0)  # of the parallel trees of one search, so that they differ


@dataclass(frozen=True)
class Level:
    """The properties of a level: its budget, and how randomly it chooses."""

    name: str
    simulations: int  # 0: looks no further than its own turn
    seconds: float
    noise: float = 0.0  # added to the value of a turn; for levels that search, of starting towns only
    start_temperature: float = 2.0  # influence that makes a starting town e times as likely
    network: bool = True  # whether turns are valued by the network, or by the linear evaluation alone
    all_cores: bool = False


NEWCOMER = Level("newcomer", 0, 0.3, noise=0.12, start_temperature=100.0)
CASUAL = Level("casual", 0, 0.3, noise=0.03)
REGULAR = Level("regular", 40, 0.3, noise=0.02)
EXPERT = Level("expert", 320, 2.0)
CHAMPION = Level("champion", 16_000, 5.0, all_cores=True)
LEVELS = {level.name: level for level in (NEWCOMER, CASUAL, REGULAR, EXPERT, CHAMPION)}


class LevelBot:
    """A bot that compares whole turns, in more depth at higher levels."""

    clock = staticmethod(time.perf_counter)  # measures its seconds

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
        self.weights = weights or (None if level.network else no_weights())  # None: those for the number of players
        self.stopped = threading.Event()
        self.table: Setup | None = None  # of the game the plan is for
        self.plan: list[int] = []  # the moves so far and the rest of the turn chosen
        self.asked = -1  # number of moves last time; no more now means another game, or moves undone
        self.trees: list[Tree] = []
        self.ahead = False  # whether the trees were searched while others decided

    def choose(self, game: Game) -> Action:
        numbers = game.legal_numbers()
        if not numbers:
            raise ValueError("the game is over: there is no move to choose")
        self.stopped.clear()
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
            if progress() is not None:  # the search is being compiled: the set-up does not wait for it
                return ACTIONS[self.chance.choice(numbers)]
            return ACTIONS[best_tile(game, numbers, self.simulations, self.turns_without_search, self.chance)]
        if game.phase == "start" and (progress() is not None or not self.weights_for(game.players).first.size):
            return self.learned_start(game, numbers)
        turns = self.search(game)
        if game.phase == "start":
            return ACTIONS[self.start(turns, game).moves[0]]
        self.table = game.setup
        self.plan = past + self.pick(turns, game).moves
        return ACTIONS[self.plan[len(past)]]

    def start(self, turns: list[RootTurn], game: Game) -> RootTurn:
        """A random starting town, with better ones more likely, so that games start differently."""
        seat, temperature = game.current_player, POINT / game.players * self.level.start_temperature + self.level.noise
        best = max(turn.worth(seat) for turn in turns)
        weights = [math.exp((turn.worth(seat) - best) / temperature) for turn in turns]
        return self.chance.choices(turns, weights)[0]

    def learned_start(self, game: Game, numbers: list[int]) -> Action:
        """A random starting town, with those more likely that earned more in other games.

        Used without a network, and before the search is compiled.
        """
        earned = learned()["start"][0, game.players - 2]
        weights = [math.exp(float(earned[ACTIONS[number].place]) / self.level.start_temperature) for number in numbers]
        return ACTIONS[self.chance.choices(numbers, weights)[0]]

    def weights_for(self, players: int) -> Weights:
        return trained(players) if self.weights is None else self.weights

    def needs_search(self, game: Game) -> bool:
        """Whether its next move waits until the search is compiled."""
        return self.simulations > 0 and game.phase not in WITHOUT_SEARCH

    def trees_at(self, game: Game, seat: int | None = None, most: int | None = None) -> list[Tree]:
        """Trees at the position, at most as many as the level uses; searched for a seat, by default the one to move."""
        if self.simulations == 0 and progress() is not None:  # it takes about a second in plain Python
            with interpreting(), np.errstate(over="ignore"):  # hashes overflow, in compiled code silently
                return self._trees_at(game, seat, most)
        ready()
        return self._trees_at(game, seat, most)

    def _trees_at(self, game: Game, seat: int | None, most: int | None) -> list[Tree]:
        weights = self.weights_for(game.players)
        if not self.trees or self.trees[0].memory.network.weights is not weights:
            number = cores() if self.level.all_cores else 1
            self.trees = [Tree(game.rules, self.simulations, weights) for _ in range(number)]
        seat = game.current_player if seat is None else seat
        for tree, explore in zip(self.trees[:most], cycle(EXPLORES), strict=False):
            seed = self.chance.getrandbits(32)
            if not self.ahead or not tree.follow(game.rules, game.state, seat):
                tree.start(game.rules, game.state, seed, explore, seat)
        self.ahead = False
        return self.trees[:most]

    def turns_without_search(self, game: Game) -> list[RootTurn]:
        """The turns of the position, without search."""
        if self.stopped.is_set():
            raise Cancelled(f"{self.name} was told to stop")
        return merged(self.trees_at(game, most=1), game.players)

    def search(self, game: Game) -> list[RootTurn]:
        """The turns of the position, after a search within the budget."""
        self.stopped.clear()
        trees = self.trees_at(game)
        self.simulate_all(trees, self.seconds)
        return merged(trees, game.players)

    def think_ahead(self, game: Game, seat: int) -> None:
        """Search for a seat while the others decide, until told to stop or out of memory.

        Its next turn goes on with what was found, if the others play one of the turns that were considered.
        """
        trees = self.trees_at(game, seat)
        self.ahead = True
        with suppress(Cancelled):
            self.simulate_all(trees, None)

    def simulate_all(self, trees: list[Tree], seconds: float | None) -> None:
        """Search every tree on a core of its own."""
        if len(trees) == 1:
            self.simulate(trees[0], seconds)
        else:
            with ThreadPoolExecutor(len(trees)) as pool:
                list(pool.map(self.simulate, trees, [seconds] * len(trees)))

    def simulate(self, tree: Tree, seconds: float | None) -> None:
        """Search a tree until the budget is used up."""
        started = self.clock()
        slice_s = SLICE_S if seconds is None else min(SLICE_S, seconds / SLICES)
        done = tree.simulations()
        piece = FIRST_SLICE
        while done < self.simulations:
            before = self.clock()
            total = tree.simulate(min(piece, self.simulations - done))
            if total == done:
                break
            now = self.clock()
            piece = max(1, int((total - done) * slice_s / max(now - before, 1e-6)))
            done = total
            if self.stopped.is_set():
                raise Cancelled(f"{self.name} was told to stop")
            if seconds is not None and now - started > seconds - slice_s:
                break

    def pick(self, turns: list[RootTurn], game: Game) -> RootTurn:
        """The turn to play: one of those nearly as good as the best, so that games vary."""
        seat, style = game.current_player, self.style
        preferences = [0.0 if style is None else style.preference(game, turn, seat) for turn in turns]
        if self.simulations == 0:
            noises = [-self.level.noise * math.log(1e-9 + self.chance.random()) for _ in turns]
            return max(zip(turns, preferences, noises, strict=True), key=lambda row: row[0].prior + row[1] + row[2])[0]
        worth = [turn.worth(seat) + more for turn, more in zip(turns, preferences, strict=True)]
        if style is None:
            opening = game.turn <= OPENING * game.players
            near = min(NEAR * turns[0].visits, SURE)
            least = worth[0] - (OPENING_AS_GOOD if opening else AS_GOOD)
        else:
            near = 0.0
            least = max(value for turn, value in zip(turns, worth, strict=True) if turn.visits > near) - AS_GOOD
        choices = [turn for turn, value in zip(turns, worth, strict=True) if turn.visits > near and value >= least]
        return self.chance.choices(choices, [min(turn.visits, SURE) ** 2 for turn in choices])[0]

    def analyse(self, game: Game, *, moves: int = 5) -> Analysis:
        if game.over:
            raise ValueError("the game is over: there is nothing to analyse")
        best: dict[int, RootTurn] = {}
        for turn in self.search(game):
            best.setdefault(turn.moves[0], turn)
        ranked = [
            RankedMove(ACTIONS[turn.moves[0]], turn.expected, turn.chances, turn.line(), turn.visits)
            for turn in list(best.values())[:moves]
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
