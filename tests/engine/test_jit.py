"""How kernels are compiled, and what a user sees of it. One test compiles everything, the others hardly."""

import itertools
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from franchise.engine import jit
from franchise.engine.jit import kernel

pytestmark = pytest.mark.slow

PLAYS_A_GAME = """
import random
import franchise as fr
from franchise.engine import jit
jit._trial.seconds = 0.05
rng = random.Random(5)
game = fr.Game(3, 5, fr.Options(milestones=True, boom=True, regions="mixed"))
try:
    game.play("expand Chicago 3")
except fr.IllegalAction:
    pass
while not game.over:
    game.play(rng.choice(game.legal_actions()))
    game.view()
scores = game.result().scores
assert fr.Game.from_text(game.to_text()) == game
game.undo()
print(scores)
"""
ENTRY_POINT = """
import franchise as fr
from franchise.engine.walk import count_ways
game = fr.Game(2)
print(count_ways(game.rules, game.state, 1))
"""
USER = """
import sys
sys.path.insert(0, sys.argv[1])
from kernels.outer import outer
print(outer(1))
"""

KERNELS = """
from franchise.engine.jit import entry_point, kernel

@kernel
def inner(n):
    if n == 8:
        raise ValueError('eight')
    return 10 * n

@kernel
def middle(numbers, n):
    return inner(numbers[0]) + inner(n) + inner(3)

@entry_point
def outer(numbers, n):
    return middle(numbers, n)
"""
CALLS = """
import sys
import numba
sys.path.insert(0, sys.argv[1])
if sys.argv[2] == "later":
    numba.version_info = (99, 0, 0)
from contextlib import nullcontext
import numpy as np
from franchise.engine.jit import compiling
from kernels import inner, outer
numbers = np.ones(1, np.int8)
for call in (nullcontext(), compiling(), compiling()):
    with call:
        print(outer(numbers, 2), outer.run is outer.dispatcher)
    try:
        outer(numbers, 8)
    except ValueError as error:
        print(repr(error))
print(len(inner.dispatcher.overloads))
"""


def run(program: str, cache: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a program in a fresh process with its kernels in that folder."""
    paths = os.pathsep.join(path for path in sys.path if path)
    environment = os.environ | {"FRANCHISE_CACHE_DIR": str(cache), "NUMBA_DISABLE_JIT": "0", "PYTHONPATH": paths}
    return subprocess.run(
        [sys.executable, "-c", program, *arguments],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )


@pytest.mark.compiled_only
def test_the_first_use_says_in_one_line_that_it_compiles_and_later_ones_are_silent(tmp_path: Path) -> None:
    first = run(PLAYS_A_GAME, tmp_path / "cache")
    assert len(first.stderr.splitlines()) == 1
    assert first.stderr.startswith("Compiling")
    second = run(PLAYS_A_GAME, tmp_path / "cache")
    assert second.stderr == ""
    assert second.stdout == first.stdout
    assert first.stdout.startswith("(")


@pytest.mark.compiled_only
def test_a_cache_folder_that_cannot_be_written_warns_and_kernels_still_work(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    done = run(ENTRY_POINT, tmp_path / "file" / "cache")
    assert int(done.stdout) > 1
    assert done.stderr.count("RuntimeWarning: the kernel cache") == 1
    assert "set FRANCHISE_CACHE_DIR to a writable folder" in done.stderr
    assert (tmp_path / "file").read_text() == "in the way"


@pytest.mark.compiled_only
def test_entry_points_answer_alike_as_plain_python_compiled_and_cached(tmp_path: Path) -> None:
    (tmp_path / "kernels.py").write_text(KERNELS)
    first, second = (run(CALLS, tmp_path / "cache", str(tmp_path), "known") for _ in range(2))
    answers = ["60 False", "ValueError('eight')", "60 True", "ValueError('eight')", "60 True", "ValueError('eight')"]
    assert first.stdout.splitlines() == [*answers, "1"]  # translated once, for every width of whole numbers
    assert second.stdout.splitlines() == [*answers, "0"]


@pytest.mark.compiled_only
def test_another_copy_of_the_same_sources_finds_the_code_in_the_cache(tmp_path: Path) -> None:
    runs = []
    for copy in ("here", "there"):
        (tmp_path / copy).mkdir()
        (tmp_path / copy / "kernels.py").write_text(KERNELS)
        runs.append(run(CALLS, tmp_path / "cache", str(tmp_path / copy), "known"))
    assert runs[0].stderr == runs[1].stderr == ""  # these kernels are not announced
    assert [done.stdout.splitlines()[-1] for done in runs] == ["1", "0"]  # translations


@pytest.mark.compiled_only
def test_kernels_work_with_a_later_numba_than_was_tried(tmp_path: Path) -> None:
    (tmp_path / "kernels.py").write_text(KERNELS)
    done = run(CALLS, tmp_path / "cache", str(tmp_path), "later")
    assert done.stdout.splitlines()[2:4] == ["60 True", "ValueError('eight')"]


@pytest.mark.compiled_only
def test_an_edit_in_another_module_never_meets_old_code(tmp_path: Path) -> None:
    package = tmp_path / "kernels"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "outer.py").write_text(
        "from franchise.engine.jit import long_entry_point\nfrom kernels.inner import inner\n\n"
        "@long_entry_point\ndef outer(n):\n    return inner(n) + 1\n"
    )
    inner = "from franchise.engine.jit import kernel\n\n@kernel\ndef inner(n):\n    return n * {}\n"
    printed = []
    for factor in (10, 200):  # of another length: within a second, Python would take its own bytecode for current
        (package / "inner.py").write_text(inner.format(factor))
        printed.append(run(USER, tmp_path / "cache", str(tmp_path)).stdout.strip())
    assert printed == ["11", "201"]


def test_kernels_stay_python_functions_that_python_can_call() -> None:
    def double(number: int) -> int:
        return 2 * number

    assert kernel(double) is double


def test_entry_points_are_compiled_when_plain_python_has_taken_long_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jit._trial, "seconds", 2.0)
    monkeypatch.setattr(jit, "perf_counter", itertools.count().__next__)
    entry_point: Any = jit.EntryPoint(lambda: "plain", plain=True)
    entry_point.dispatcher = lambda: "compiled"
    with jit.compile_behind():
        assert [entry_point() for _ in range(9)] == 9 * ["plain"]
    assert [entry_point() for _ in range(4)] == ["plain", "plain", "compiled", "compiled"]


def test_behind_a_table_other_threads_go_on_with_plain_python_until_an_entry_point_is_compiled() -> None:
    entry_point: Any = jit.EntryPoint(lambda: "plain", plain=True)
    seen = []

    def compiled() -> str:
        with ThreadPoolExecutor(1) as other:
            seen.append(other.submit(entry_point).result())
        return "compiled"

    entry_point.dispatcher = compiled
    with jit.compile_behind(), jit.compiling():
        assert entry_point() == "compiled"
    assert seen == ["plain"]
    entry_point.dispatcher = None
    assert entry_point.run is compiled


@pytest.mark.parametrize("plain", [True, False])
def test_a_thread_that_interprets_compiles_nothing_and_uses_what_others_have_compiled(
    plain: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jit._trial, "seconds", 0.0)
    entry_point: Any = jit.EntryPoint(lambda: "plain", plain=plain)
    entry_point.dispatcher = lambda: "compiled"
    with jit.interpreting():
        assert entry_point() == "plain"
    assert entry_point() == "compiled"
    with jit.interpreting():
        assert entry_point() == "compiled"
