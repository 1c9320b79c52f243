"""Random play on the kernel: the same generator compiled and plain, so a seed means one game everywhere."""

from typing import Any, TypeAlias

import numpy as np

from franchise.engine.jit import kernel
from franchise.engine.layout import Log, Moves, Phase, Rules, State
from franchise.engine.rules import apply, legal

States: TypeAlias = "np.ndarray[Any, np.dtype[np.record]]"
Numbers: TypeAlias = "np.ndarray[Any, np.dtype[np.int64]]"


@kernel
def scramble(seed: int) -> int:
    """The first state of a generator for a seed: 32 well-mixed bits, never 0."""
    mixed = np.int64(seed) & 0xFFFFFFFF
    for _ in range(3):
        mixed = ((mixed ^ (mixed >> 15)) * 0x2C1B3C6D + 0x297A2D39) & 0xFFFFFFFF
    return mixed | 1


@kernel
def following(generator: int) -> int:
    """The next state of a 32-bit xorshift generator kept in an int64."""
    generator ^= (generator << 13) & 0xFFFFFFFF
    generator ^= generator >> 17
    generator ^= (generator << 5) & 0xFFFFFFFF
    return generator


@kernel
def play_randomly(rules: Rules, state: State, generator: int, out: Moves, log: Log) -> int:
    """Play uniformly random legal moves to the end; returns the generator's state."""
    while state.phase != Phase.OVER:
        count = legal(rules, state, out)
        generator = following(generator)
        apply(rules, state, out[(generator * count) >> 32], log)
    return generator
