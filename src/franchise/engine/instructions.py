"""Processor instructions as plain Python functions; compiled kernels use the instructions (intrinsics.py)."""

from typing import Any

import numpy as np


def popcount(mask: int) -> int:
    """How many members a set has."""
    return int(mask).bit_count()


def lowest(mask: int) -> int:
    """The first member of a set that is not empty."""
    mask = int(mask)
    return (mask & -mask).bit_length() - 1


def fetch(array: "np.ndarray[Any, Any]", row: int, start: int, end: int) -> None:
    """Prefetch these bytes of a row before they are needed; only in compiled code, where it pays off."""
