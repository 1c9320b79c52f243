"""Matches between networks: the new one plays one seat, the old one all others, every seat in turn."""

import random
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from franchise.bots.levels import EXPERT, LevelBot
from franchise.bots.network import Weights, load, no_weights
from franchise.bots.protocol import Budget
from franchise.engine.bits import members
from franchise.engine.walk import champions
from franchise.game import Game
from franchise.training.games import options_of


@dataclass(frozen=True)
class Pairing:
    """A game to play; None stands for the linear evaluation."""

    new: Path | None
    old: Path | None
    players: int
    code: int
    simulations: int
    seed: int
    number: int

    @property
    def seat(self) -> int:
        """Where the new network sits."""
        return self.number % self.players


@lru_cache(maxsize=4)
def weights_of(path: Path | None) -> Weights:
    return no_weights() if path is None else load(path)


def play_pairing(pairing: Pairing) -> float:
    """The new network's share of the victory."""
    chance = random.Random(f"{pairing.seed} {pairing.number // pairing.players}")  # the same set-up for every seat
    game = Game(pairing.players, chance.getrandbits(31), options_of(pairing.code))
    bots = {}
    for seat in range(game.players):
        path = pairing.new if seat == pairing.seat else pairing.old
        bots[seat] = LevelBot(EXPERT, chance.getrandbits(31), Budget(None, pairing.simulations), weights_of(path))
    while not game.over:
        game.play(bots[game.current_player].choose(game))
    won = members(champions(game.rules, game.state))
    return (pairing.seat in won) / len(won)
