"""Where compiled kernels are kept, and what a user sees of it. One test compiles everything, the others hardly."""

import itertools
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from franchise.engine import jit
from franchise.engine.jit import cache_root, kernel

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
ONE_DOOR = """
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
from franchise.engine.jit import door, kernel

@kernel
def inner(n):
    if n == 8:
        raise ValueError('eight')
    return 10 * n

@kernel
def middle(numbers, n):
    return inner(numbers[0]) + inner(n) + inner(3)

@door
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
    done = run(ONE_DOOR, tmp_path / "file" / "cache")
    assert int(done.stdout) > 1
    assert done.stderr.count("RuntimeWarning: the kernel cache") == 1
    assert "set FRANCHISE_CACHE_DIR to a writable folder" in done.stderr
    assert (tmp_path / "file").read_text() == "in the way"


@pytest.mark.compiled_only
def test_doors_answer_alike_as_plain_python_compiled_and_cached(tmp_path: Path) -> None:
    (tmp_path / "kernels.py").write_text(KERNELS)
    first, second = (run(CALLS, tmp_path / "cache", str(tmp_path), "known") for _ in range(2))
    answers = ["60 False", "ValueError('eight')", "60 True", "ValueError('eight')", "60 True", "ValueError('eight')"]
    assert first.stdout.splitlines() == [*answers, "1"]  # translated once, for every width of whole numbers
    assert second.stdout.splitlines() == [*answers, "0"]


@pytest.mark.compiled_only
def test_another_copy_of_the_same_sources_finds_the_code_in_the_cache(tmp_path: Path) -> None:
    said = []
    for copy in ("here", "there"):
        (tmp_path / copy).mkdir()
        (tmp_path / copy / "kernels.py").write_text(KERNELS)
        said.append(run(CALLS, tmp_path / "cache", str(tmp_path / copy), "known"))
    assert said[0].stderr == said[1].stderr == ""  # these kernels are not announced
    assert [done.stdout.splitlines()[-1] for done in said] == ["1", "0"]  # translations


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
        "from franchise.engine.jit import long_door\nfrom kernels.inner import inner\n\n"
        "@long_door\ndef outer(n):\n    return inner(n) + 1\n"
    )
    inner = "from franchise.engine.jit import kernel\n\n@kernel\ndef inner(n):\n    return n * {}\n"
    printed = []
    for factor in (10, 20):
        (package / "inner.py").write_text(inner.format(factor))
        printed.append(run(USER, tmp_path / "cache", str(tmp_path)).stdout.strip())
    assert printed == ["11", "21"]


@pytest.mark.compiled_only
def test_the_cache_folder_changes_with_every_byte_and_name_of_the_sources(tmp_path: Path) -> None:
    source = tmp_path / "rules.py"
    source.write_bytes(b"x = 1\n")
    seen = [jit.sources_hash(tmp_path)]
    assert jit.sources_hash(tmp_path) == seen[0]
    source.write_bytes(b"x = 2\n")
    seen.append(jit.sources_hash(tmp_path))
    source.rename(tmp_path / "rule.py")
    seen.append(jit.sources_hash(tmp_path))
    (tmp_path / "more.py").touch()
    seen.append(jit.sources_hash(tmp_path))
    assert len(set(seen)) == 4
    (tmp_path / "notes.txt").write_text("no source")
    assert jit.sources_hash(tmp_path) == seen[-1]


@pytest.mark.compiled_only
def test_the_cache_folder_depends_on_the_engine_and_the_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FRANCHISE_CACHE_DIR", str(tmp_path / "cache"))
    (tmp_path / "more.py").touch()
    folder = jit.cache_folder.__wrapped__(tmp_path)
    engine = jit.cache_folder.__wrapped__(Path(jit.__file__).parent)
    assert folder is not None
    assert engine is not None
    assert folder.parent == engine.parent == tmp_path / "cache"
    assert folder != engine
    assert list(folder.iterdir()) == []


@pytest.mark.compiled_only
@pytest.mark.filterwarnings("error")
def test_threads_that_ask_for_the_cache_folder_together_all_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FRANCHISE_CACHE_DIR", str(tmp_path / "cache"))
    with ThreadPoolExecutor(8) as pool:
        found = set(pool.map(jit.cache_folder.__wrapped__, [tmp_path] * 400))
    assert len(found) == 1
    assert None not in found


def test_kernels_stay_python_functions_that_python_can_call() -> None:
    def double(number: int) -> int:
        return 2 * number

    assert kernel(double) is double


def test_doors_are_compiled_when_plain_python_has_taken_long_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jit._trial, "seconds", 2.0)
    monkeypatch.setattr(jit, "perf_counter", itertools.count().__next__)
    door: Any = jit.Door(lambda: "plain", plain=True)
    door.dispatcher = lambda: "compiled"
    with jit.compile_behind():
        assert [door() for _ in range(9)] == 9 * ["plain"]
    assert [door() for _ in range(4)] == ["plain", "plain", "compiled", "compiled"]


def test_behind_a_table_other_threads_go_on_with_plain_python_until_a_door_is_compiled() -> None:
    door: Any = jit.Door(lambda: "plain", plain=True)
    seen = []

    def compiled() -> str:
        with ThreadPoolExecutor(1) as other:
            seen.append(other.submit(door).result())
        return "compiled"

    door.dispatcher = compiled
    with jit.compile_behind(), jit.compiling():
        assert door() == "compiled"
    assert seen == ["plain"]
    door.dispatcher = None
    assert door.run is compiled


@pytest.mark.parametrize("plain", [True, False])
def test_a_thread_that_interprets_compiles_nothing_and_uses_what_others_have_compiled(
    plain: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jit._trial, "seconds", 0.0)
    door: Any = jit.Door(lambda: "plain", plain=plain)
    door.dispatcher = lambda: "compiled"
    with jit.interpreting():
        assert door() == "plain"
    assert door() == "compiled"
    with jit.interpreting():
        assert door() == "compiled"


@pytest.mark.parametrize(
    ("platform", "variables", "expected"),
    [
        ("linux", {"XDG_CACHE_HOME": "caches"}, Path("caches/franchise")),
        ("linux", {}, Path("home/.cache/franchise")),
        ("darwin", {}, Path("home/Library/Caches/franchise")),
        ("win32", {"LOCALAPPDATA": "local"}, Path("local/franchise")),
        ("win32", {}, Path("home/AppData/Local/franchise")),
        ("linux", {"FRANCHISE_CACHE_DIR": "mine", "XDG_CACHE_HOME": "caches"}, Path("mine")),
    ],
)
def test_kernels_are_kept_in_the_chosen_folder_or_the_cache_folder_of_the_user(
    platform: str, variables: dict[str, str], expected: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("FRANCHISE_CACHE_DIR", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(Path, "home", lambda: Path("home"))
    monkeypatch.setattr(sys, "platform", platform)
    assert cache_root() == expected
