"""The search without the network, as `expert` was before, and the current search: for matches between them.

Both count seconds of processor time, so a match is fair on a busy machine:

franchise arena python:franchise.benchmarks.linear_search:network python:franchise.benchmarks.linear_search:linear \\
    -p 2 -n 400 --seconds 0.05 --seed 1
"""

import time
from dataclasses import replace

from franchise.bots.levels import EXPERT, LevelBot
from franchise.bots.protocol import Budget

NETWORK = replace(EXPERT, name="network")
LINEAR = replace(EXPERT, name="linear", simulations=6000, network=False)


class MeasuredBot(LevelBot):
    """A level that counts the time its own thread has been running."""

    clock = staticmethod(time.thread_time)


def network(seed: int | None, budget: Budget) -> MeasuredBot:
    return MeasuredBot(NETWORK, seed, budget)


def linear(seed: int | None, budget: Budget) -> MeasuredBot:
    return MeasuredBot(LINEAR, seed, budget)
