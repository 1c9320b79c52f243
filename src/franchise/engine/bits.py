"""Sets of locations as int64 masks: bit n stands for location n.

Masks are int64, never uint64 (mixing the two gives floats), and stay positive because only 45 bits are used.
"""

from typing import Any

import numpy as np

from franchise.engine.jit import kernel


@kernel
def wide(number: int) -> int:
    """The number as int64, so that it behaves the same compiled and plain, and a kernel is compiled only once."""
    return np.int64(number)  # type: ignore[return-value]


@kernel
def bit(number: int) -> int:
    """The set with one member; int64 whatever the type of the number."""
    return np.int64(1) << number  # type: ignore[return-value]


def popcount(mask: int) -> int:
    """How many members a set has."""
    return int(mask).bit_count()


def lowest(mask: int) -> int:
    """The first member of a set that is not empty."""
    mask = int(mask)
    return (mask & -mask).bit_length() - 1


def members(mask: int) -> list[int]:
    """The members of a set in order; for readers outside the kernel."""
    found = []
    while mask:
        found.append(lowest(mask))
        mask &= mask - 1
    return found


def fetch(array: "np.ndarray[Any, Any]", row: int, start: int, end: int) -> None:
    """Prefetch these bytes of a row before they are needed; only in compiled code, where it pays off."""
