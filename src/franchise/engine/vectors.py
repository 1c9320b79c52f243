"""Operations on many numbers at once; compiled, they use the vector instructions of the processor."""

from typing import Any, TypeAlias

import numpy as np

Floats: TypeAlias = "np.ndarray[Any, np.dtype[np.float32]]"
Numbers: TypeAlias = "np.ndarray[Any, np.dtype[np.int64]]"

LANES = 8  # numbers processed together


def list_changes(now: Floats, before: Floats, numbers: Numbers, changes: Floats) -> int:
    """Write which numbers have changed and by how much, and make both equal again; returns how many there are.

    The length of both is a multiple of LANES.
    """
    changed = np.flatnonzero(now != before)
    count = len(changed)
    numbers[:count] = changed
    changes[:count] = now[changed] - before[changed]
    before[:] = now
    return count


def add_rows(numbers: Numbers, factors: Floats, count: int, rows: Floats, sums: Floats) -> None:
    """Add the rows with the first `count` numbers to the sums, each times its factor, one after the other."""
    for i in range(count):
        sums += factors[i] * rows[numbers[i]]
