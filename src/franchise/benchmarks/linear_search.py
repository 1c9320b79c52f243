"""The search without the network, as it was before there was one: what the network is measured against.

franchise arena expert python:franchise.benchmarks.linear_search:linear -p 2 --seconds 0.15
"""

from dataclasses import replace

from franchise.bots.levels import EXPERT, LevelBot
from franchise.bots.protocol import Budget

LINEAR = replace(EXPERT, name="linear", simulations=6000, network=False)


def linear(seed: int | None, budget: Budget) -> LevelBot:
    return LevelBot(LINEAR, seed, budget)
