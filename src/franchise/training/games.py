"""Stored games of self-play: set-up, seed and moves, from which everything else follows.

A file is an .npz of `players`, `code` (the options), `seed`, `length` and `moves`, with the moves of all games in one
row. Game i of a generation depends on the run's seed, the generation, i and the network that plays.
"""

import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from franchise.bots.network import Weights
from franchise.bots.search import Tree
from franchise.bots.self_play import play
from franchise.engine.setups import PLAYERS, Options
from franchise.game import Game

MODULES = 0.35  # share of the games with modules
ALL_MODULES = 1 | 2 | 4 | 16
NOISE = (0.0, 0.04, 0.12)  # share of the turns that are a random candidate, by game
LOOSENESS = (2.0, 4.0, 100.0)  # influence that makes a starting town e times as likely, by game

Array: TypeAlias = "np.ndarray[Any, Any]"


@dataclass(frozen=True)
class Mixture:
    """What is played: the shares of the numbers of players, and the simulations per turn."""

    shares: tuple[float, ...] = (0.3, 0.2, 0.3, 0.2)  # of 2, 3, 4, 5 players
    simulations: tuple[int, ...] = (4, 6, 12)  # with equal probability


@dataclass(frozen=True)
class PlayedGames:
    """Finished games."""

    players: Array
    code: Array
    seed: Array
    length: Array
    moves: Array

    def __len__(self) -> int:
        return len(self.players)

    def save(self, path: Path) -> None:
        """Write a file atomically."""
        part = path.with_suffix(".part")
        with part.open("wb") as file:
            np.savez_compressed(file, **vars(self))
        part.replace(path)


def load_games(path: Path) -> PlayedGames:
    stored = np.load(path, allow_pickle=False)
    return PlayedGames(*(stored[name] for name in PlayedGames.__dataclass_fields__))


def options_of(code: int) -> Options:
    """The options that a code stands for: a bit for milestones, for boom, two for the regions, one for tiles."""
    return Options(
        milestones=bool(code & 1),
        boom=bool(code & 2),
        regions=(None, "mixed", "new")[code >> 2 & 3],
        expert="random" if code & 16 else None,
    )


def draw_code(chance: random.Random) -> int:
    """Mostly the base game; otherwise all modules, one, or some."""
    if chance.random() >= MODULES:
        return 0
    code = chance.choice((ALL_MODULES, ALL_MODULES, ALL_MODULES, 1, 2, 4, 16, chance.randrange(32)))
    return code & ~8 if code & 12 == 12 else code


def play_games(weights: Weights, mixture: Mixture, seed: int, numbers: range) -> PlayedGames:
    """Play the games with those numbers."""
    tree = Tree(Game(2).rules, max(mixture.simulations) + 1, weights)
    rows: list[tuple[int, int, int, Array]] = []
    for number in numbers:
        chance = random.Random(f"{seed} {number}")
        players = chance.choices(PLAYERS, mixture.shares)[0]
        code, setup_seed = draw_code(chance), chance.getrandbits(31)
        game = Game(players, setup_seed, options_of(code))
        simulations, noise = chance.choice(mixture.simulations), chance.choice(NOISE)
        moves = play(tree, game, setup_seed, simulations, noise, chance.choice(LOOSENESS))
        rows.append((players, code, setup_seed, moves))
    players_of, code_of, seed_of = (np.array([row[column] for row in rows], np.int64) for column in range(3))
    length = np.array([len(row[3]) for row in rows], np.int64)
    return PlayedGames(players_of, code_of, seed_of, length, np.concatenate([row[3] for row in rows]))
