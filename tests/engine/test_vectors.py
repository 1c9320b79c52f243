"""Operations on many numbers at once: the same results compiled and as plain Python, for any width."""

import numpy as np
import pytest

from franchise.engine import vectors
from franchise.engine.jit import long_entry_point


@long_entry_point
def list_changes(now: vectors.Floats, before: vectors.Floats, numbers: vectors.Numbers, by: vectors.Floats) -> int:
    return vectors.list_changes(now, before, numbers, by)


@long_entry_point
def add_rows(
    numbers: vectors.Numbers, factors: vectors.Floats, count: int, rows: vectors.Floats, sums: vectors.Floats
) -> None:
    vectors.add_rows(numbers, factors, count, rows, sums)


@pytest.mark.parametrize("changed", [[], [0], [3, 8, 9, 31], list(range(32))])
def test_changes_are_listed_in_order_and_taken_over(changed: list[int]) -> None:
    chance = np.random.default_rng(1)
    before = chance.normal(size=32).astype(np.float32)
    now = before.copy()
    now[changed] += 1
    expected = (now - before)[changed]
    numbers, by = np.zeros(32, np.int64), np.zeros(32, np.float32)
    count = list_changes(now, before, numbers, by)
    assert numbers[:count].tolist() == changed
    assert by[:count].tolist() == expected.tolist()
    assert before.tolist() == now.tolist()


@pytest.mark.parametrize("width", [1, 8, 32, 40, 64, 100, 192])
def test_rows_are_added_one_after_the_other(width: int) -> None:
    chance = np.random.default_rng(width)
    rows, sums = chance.normal(size=(20, width)).astype(np.float32), chance.normal(size=width).astype(np.float32)
    factors, numbers = chance.normal(size=12).astype(np.float32), chance.integers(20, size=12)
    expected = sums.copy()
    for factor, number in zip(factors[:9], numbers[:9], strict=True):
        expected += factor * rows[number]
    add_rows(numbers, factors, 9, rows, sums)
    assert sums.tolist() == expected.tolist()
