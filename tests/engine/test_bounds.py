"""Compiled kernels do not test their indices, and a negative one would not count from the end: here each is checked."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.compiled_only]

READ = """
import numpy as np
from franchise.engine.jit import kernel, long_entry_point

@kernel
def item(numbers, index):
    return numbers[index]

@long_entry_point
def read(numbers, index):
    return item(numbers, index)

@long_entry_point
def read_last(numbers):
    return numbers[-1]

print(read_last(np.arange(4)), read(np.arange(4), 3))
read(np.arange(4), {index})
"""

PLAY = """
from franchise.envs import Batch
from franchise.envs.tiers import TIERS
from envs.option_sets import TABLES

def play(batch):
    names = ("masks", "counts", "observations", "rewards", "dones", "seats", "scores")
    into = batch.buffers(*names)
    batch.reset(into)
    ended = 0
    while ended < batch.n:
        batch.step(batch.random_actions(), into)
        ended += int(into.dones.sum())
    batch.close()

for players in (2, 3, 4, 5):
    for options in TABLES.values():
        play(Batch(20, players, seed=1, options=options, threads=1))
play(TIERS["mini"].batch(20, threads=1))
print("played")
"""


def run_checked(program: str, cache: Path) -> subprocess.CompletedProcess[str]:
    """Run a program in an interpreter of its own, whose kernels refuse an index outside their arrays."""
    path = os.pathsep.join(filter(None, sys.path))
    given = {"NUMBA_BOUNDSCHECK": "1", "FRANCHISE_CACHE_DIR": str(cache), "PYTHONPATH": path}
    file = cache / "program.py"  # Numba reads the source of what it compiles
    file.write_text(program, encoding="utf-8")
    return subprocess.run([sys.executable, str(file)], env=os.environ | given, capture_output=True, text=True)


@pytest.mark.parametrize("index", [-1, 4])
def test_an_index_outside_an_array_is_reported(tmp_path: Path, index: int) -> None:
    done = run_checked(READ.format(index=index), tmp_path)
    assert done.stdout == "3 3\n"
    assert done.returncode == 1
    assert done.stderr.endswith("IndexError: index is out of bounds\n")


def test_no_index_of_the_rules_and_of_observations_is_negative_or_too_large(tmp_path: Path) -> None:
    done = run_checked(PLAY, tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "played\n"
