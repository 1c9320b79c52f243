"""The strength of entrants, from all games at once: the order of the games does not matter.

Bradley-Terry model: an entrant of strength p finishes ahead of one of strength q with probability p / (p + q).
Strengths are shown in Elo points around 0 (400 points are odds of ten to one). The intervals are
bootstrapped over games.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from franchise.arena.intervals import LEVEL, Estimate

ELO = 400.0
DRAWS = 0.5  # of a win and of a loss against an average entrant, so that strengths stay finite
ROUNDS = 200  # of the iteration, which converges in far fewer unless somebody always wins
SAMPLES = 200  # of the bootstrap

Array = np.ndarray[Any, np.dtype[np.float64]]


def strengths(names: Sequence[str], games: Sequence[tuple[Sequence[str], Sequence[int]]]) -> dict[str, Estimate]:
    """Elo points with 95% intervals, from games given as seating and places (1 is best, equal places are ties).

    A game counts once for every pair of entrants in it, however many seats they have.
    """
    numbers = {name: number for number, name in enumerate(names)}
    won = np.zeros((len(games), len(names), len(names)))
    for game, (seating, places) in enumerate(games):
        pairs = np.zeros((len(names), len(names)))
        for name, place in zip(seating, places, strict=True):
            for other, behind in zip(seating, places, strict=True):
                if name != other:
                    won[game, numbers[name], numbers[other]] += (place < behind) + (place == behind) / 2
                    pairs[numbers[name], numbers[other]] += 1
        won[game] /= np.maximum(pairs, 1)
    chance = np.random.default_rng(0)
    counts = chance.multinomial(len(games), np.full(len(games), 1 / len(games)), SAMPLES)
    samples = np.concatenate([won.sum(0)[None], np.tensordot(counts, won, 1)])
    points = elo(samples)
    low, high = np.quantile(points[1:], [(1 - LEVEL) / 2, (1 + LEVEL) / 2], axis=0)
    return {
        name: Estimate(*map(float, (points[0, number], low[number], high[number]))) for name, number in numbers.items()
    }


def elo(won: Array) -> Array:
    """Elo points from tables of how often entrants finished ahead of each other (samples x entrants x entrants)."""
    met = won + won.transpose(0, 2, 1)
    strength = np.ones(won.shape[:2])
    for _ in range(ROUNDS):
        weight = met / (strength[:, :, None] + strength[:, None, :])
        strength = (won.sum(2) + DRAWS) / (weight.sum(2) + 2 * DRAWS / (strength + 1))
        strength /= np.exp(np.log(strength).mean(1, keepdims=True))
    points: Array = ELO * np.log10(strength)
    return points
