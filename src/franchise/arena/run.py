"""A run: what is played, and by whom. Game i depends only on the run and i, on any machine and in any order."""

import random
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from franchise.arena.schedule import Seating, seatings
from franchise.bots.protocol import Bot
from franchise.bots.registry import make
from franchise.engine.setups import Options

POLL_SECONDS = 0.2  # between two checks of an executor whether to stop


class ArenaError(Exception):
    """A run that cannot start or continue; the message says what to do."""


@dataclass(frozen=True)
class Run:
    """The parameters of a run. With `fixed`, the entrants keep their seats instead of taking all of them in turn."""

    entrants: tuple[str, ...]
    players: int
    options: Options
    seed: int
    seconds: float | None = None  # budget of all bots; None: each uses its own
    simulations: int | None = None
    fixed: bool = False
    stand_in: str | None = None  # replaces a bot that fails; otherwise its seat passes. Either way the seat is lost
    records: str | None = None  # folder for the record of each game

    def __post_init__(self) -> None:
        if self.fixed and len(self.entrants) != self.players:
            raise ValueError(f"{len(self.entrants)} names for {self.players} seats")
        _ = self.block  # raises an error if the entrants cannot be seated

    @cached_property
    def block(self) -> list[Seating]:
        """The sequence of seatings that is repeated."""
        return [self.entrants] if self.fixed else seatings(self.entrants, self.players)

    @property
    def names(self) -> list[str]:
        """The different entrants, in the order given."""
        return list(dict.fromkeys(self.entrants))

    def seating(self, game: int) -> Seating:
        return self.block[game % len(self.block)]

    def game_seed(self, game: int) -> int:
        return self.seed + game

    def bot(self, name: str, game: int, seat: int) -> Bot:
        """A new bot for a seat of a game, with its own seed."""
        seed = random.Random(f"{self.game_seed(game)} {seat}").getrandbits(31)
        return make(name, seed=seed, seconds=self.seconds, simulations=self.simulations)

    def data(self) -> dict[str, Any]:
        """The settings that determine the games, as JSON-able data."""
        return {
            "entrants": list(self.entrants),
            "fixed": self.fixed,
            "players": self.players,
            "options": options_data(self.options),
            "seed": self.seed,
            "seconds": self.seconds,
            "simulations": self.simulations,
            "stand_in": self.stand_in,
        }


def options_data(options: Options) -> dict[str, Any]:
    """The options that are chosen."""
    chosen: dict[str, Any] = {}
    for name, value in vars(options).items():
        if value:
            chosen[name] = dict(value) if isinstance(value, Mapping) else value
    if "chosen_tiles" in chosen:
        chosen["chosen_tiles"] = list(options.chosen_tiles)
    return chosen
