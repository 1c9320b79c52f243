"""Settings of increasing difficulty for comparing results: `mini`, `duel`, `classic`, `full`. docs/envs.md#tiers

A tier has a version and a hash of what it means: the action numbers, the observation fields, the rules and the set-ups.
Any change to one of them needs a new version.
"""

import hashlib
from dataclasses import dataclass
from typing import Any

import numpy as np

from franchise.engine import layout
from franchise.engine.observe import SIZE
from franchise.engine.playout import random_games
from franchise.engine.setups import Options
from franchise.envs import spaces
from franchise.envs.batch import Batch
from franchise.game import Game

HASHED_GAMES = 8


@dataclass(frozen=True)
class Tier:
    """Fixed settings to train and compare with."""

    name: str
    version: int
    players: int
    options: Options
    text: str
    pinned: str  # the hash of its meaning

    @property
    def full_name(self) -> str:
        return f"{self.name}-v{self.version}"

    @property
    def actions(self) -> int:
        """The size of the action space."""
        return spaces.action_count(self.options)

    @property
    def observations(self) -> int:
        """The size of the observation space."""
        return SIZE

    def game(self, seed: int = 0) -> Game:
        return Game(self.players, seed, self.options)

    def batch(self, n: int = 4096, seed: int = 0, **arguments: Any) -> Batch:
        """A batch of such games; `arguments` are those of Batch."""
        return Batch(n, self.players, seed, self.options, **arguments)

    def openspiel(self) -> str:
        """The name for pyspiel.load_game."""
        chosen = {name: value for name, value in vars(self.options).items() if value and isinstance(value, bool | str)}
        words = [f"players={self.players}", *(f"{name}={value}" for name, value in chosen.items())]
        return f"python_franchise({','.join(words)})"

    def meaning(self) -> str:
        """A hash of the spaces and of some random games."""
        digest = hashlib.sha256(f"{self.full_name} {self.players} {self.actions} {spaces.meaning()}".encode())
        row = np.zeros((1, 3 + layout.SEATS), np.int32)
        moves, out = np.zeros(layout.GAME, np.int32), np.zeros(layout.MOVES, np.int32)
        state, log = layout.new(layout.STATE), layout.new(layout.LOG)
        for seed in range(HASHED_GAMES):
            game = self.game(seed)
            random_games(game.rules, game.state, seed, row, state, moves, out, log)
            digest.update(row.tobytes() + moves[: row[0, 0]].tobytes())
            for seat in range(self.players):
                digest.update(spaces.counts(game, seat).tobytes())
        return digest.hexdigest()[:16]


ALL_MODULES = Options(expert="random", milestones=True, boom=True, regions="mixed")
TIERS = {
    tier.name: tier
    for tier in (
        Tier(
            "mini",
            1,
            2,
            Options(mini=True),
            "two players in the west of the map, some 60 moves",
            "60aa4ba88f34b4b7",
        ),
        Tier("duel", 1, 2, Options(), "two players, the base game", "eb60ca47280afcdc"),
        Tier("classic", 1, 4, Options(), "four players, the base game", "25cf231b25b5f1d7"),
        Tier("full", 1, 4, ALL_MODULES, "four players, all modules, tiles shuffled by the seed", "f0ab3883ae9e38c8"),
    )
}
