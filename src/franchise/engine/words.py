"""Words of memory that threads share without a lock, by the processor's own operations.

In plain mode they are ordinary reads and writes: there, kernels have one thread.
"""

from typing import Any, TypeAlias

import numpy as np

Words: TypeAlias = "np.ndarray[Any, np.dtype[np.int64]]"


def read(words: Words, index: int) -> int:
    """The word, and after it whatever was written before the word was."""
    return int(words[index])


def write(words: Words, index: int, value: int) -> None:
    """Change the word, after everything that was written so far."""
    words[index] = value


def add(words: Words, index: int, number: int) -> None:
    """Count on, whoever else does so at the same time."""
    words[index] += number


def swap(words: Words, index: int, old: int, new: int) -> bool:
    """Change the word from old to new; False, and nothing is changed, if it is not the old one any more."""
    if words[index] != old:
        return False
    words[index] = new
    return True
