"""Sets of locations as int64 masks: bit n stands for location n.

Masks are int64, never uint64 (mixing the two gives floats), and stay positive because only 45 bits are used.
Their members are counted and found by processor instructions (instructions.py).
"""

import numpy as np

from franchise.engine.instructions import lowest
from franchise.engine.jit import kernel


@kernel
def wide(number: int) -> int:
    """The number as int64, so that it behaves the same compiled and plain, and a kernel is compiled only once."""
    return np.int64(number)  # type: ignore[return-value]


@kernel
def bit(number: int) -> int:
    """The set with one member; int64 whatever the type of the number."""
    return np.int64(1) << number  # type: ignore[return-value]


def members(mask: int) -> list[int]:
    """The members of a set in order; for readers outside the kernel."""
    numbers = []
    while mask:
        numbers.append(lowest(mask))
        mask &= mask - 1
    return numbers
