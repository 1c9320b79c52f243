"""Bots that do not look ahead."""

import random

from franchise.bots.protocol import Analysis, Budget, RankedMove
from franchise.engine.actions import Action
from franchise.game import Game


class RandomBot:
    """Plays any legal move with equal probability."""

    name = "random"

    def __init__(self, seed: int | None) -> None:
        self.chance = random.Random(seed)

    def choose(self, game: Game) -> Action:
        return self.chance.choice(game.legal_actions())

    def analyse(self, game: Game, *, moves: int = 5) -> Analysis:
        even = (1 / game.players,) * game.players
        scores = tuple(float(player["influence"]) for player in game.view()["players"])
        ranked = [RankedMove(action, scores, even, (action,), 0) for action in game.legal_actions()[:moves]]
        return Analysis(game.current_player, tuple(ranked), 0)

    def cancel(self) -> None:
        """Nothing to cancel: a decision takes no time."""

    def close(self) -> None:
        """Nothing to release."""


def random_bot(seed: int | None, budget: Budget) -> RandomBot:
    return RandomBot(seed)
