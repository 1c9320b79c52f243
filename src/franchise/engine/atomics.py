"""Words of memory that threads share without a lock, through atomic processor operations.

In plain mode they are ordinary reads and writes, because kernels then have only one thread.
"""

from typing import Any, TypeAlias

import numpy as np

Words: TypeAlias = "np.ndarray[Any, np.dtype[np.int64]]"


def read(words: Words, index: int) -> int:
    """Read the word; everything written before it is visible afterwards (acquire)."""
    return int(words[index])


def write(words: Words, index: int, value: int) -> None:
    """Write the word after everything written so far (release)."""
    words[index] = value


def add(words: Words, index: int, number: int) -> None:
    """Add to the word atomically."""
    words[index] += number


def swap(words: Words, index: int, old: int, new: int) -> bool:
    """Change the word from old to new; return False and change nothing if it is no longer the old one."""
    if words[index] != old:
        return False
    words[index] = new
    return True
