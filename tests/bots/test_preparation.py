"""Compiling behind a table that is open: what others see of it, and that it can be stopped."""

import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from franchise.bots import Cancelled, make, preparation
from franchise.engine import warmup
from franchise.engine.kernel_cache import cache_folder
from franchise.game import Game

SPEAKS = "import sys\nfor line in sys.argv[1:]:\n    print(line, flush=True)\nsys.stdin.read()"


class Beside:
    """A process in place of the compiling one: it says the lines, and ends when it is let go or stopped."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
        self.process: subprocess.Popen[str] | None = None
        self.started = threading.Event()
        popen = subprocess.Popen

        def begin(command: list[str], **settings: Any) -> "subprocess.Popen[str]":
            assert command == [sys.executable, "-m", "franchise.bots", "--progress"]
            self.process = popen([sys.executable, "-c", SPEAKS, *lines], stdin=subprocess.PIPE, **settings)
            self.started.set()
            return self.process

        monkeypatch.setattr(preparation.subprocess, "Popen", begin)
        monkeypatch.setattr(preparation._work, "ready", False)
        monkeypatch.setattr(preparation._work, "stopped", False)
        monkeypatch.setattr(warmup, "is_cached", lambda package: False)
        monkeypatch.setattr(preparation, "cache_folder", lambda package: Path())
        monkeypatch.setattr(preparation, "load", lambda: None)
        monkeypatch.setattr(warmup, "compile_all", lambda: None)
        monkeypatch.setattr(warmup, "once", lambda package, compile_kernels: None)

    def let_go(self) -> None:
        assert self.process is not None
        assert self.process.stdin is not None
        self.process.stdin.close()


def test_bots_wait_until_the_search_is_compiled_but_place_their_first_franchise_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    beside = Beside(monkeypatch, "0.25", "0.5")
    preparation.expect()
    assert preparation.progress() == 0.0
    thread = threading.Thread(target=preparation.prepare)
    thread.start()
    try:
        assert beside.started.wait(60)
        assert make("regular", seed=1).choose(Game(2)).kind.name == "START"
        while preparation.progress() != 0.5:
            assert thread.is_alive()
    finally:
        beside.let_go()
        thread.join()
    assert preparation.progress() is None
    preparation.ready()


FIRST_TURN = """
import sys
from franchise.bots import make, preparation
from franchise.engine.jit import compile_behind
from franchise.engine.setups import Options
from franchise.game import Game

if sys.argv[1] == "expected":
    preparation.expect()
with compile_behind():
    game = Game(3, seed=5, options=Options(introductory=True))
    bot = make("casual", seed=1)
    while game.turn == 1:
        game.play(bot.choose(game))
print(*game.actions, sep="; ")
print("numba" in sys.modules)
"""


@pytest.mark.compiled_only
def test_bots_that_do_not_look_ahead_take_the_same_turn_before_anything_is_compiled(tmp_path: Path) -> None:
    def first_turn(*arguments: str, **environment: str) -> list[str]:
        command = [sys.executable, "-W", "error", "-c", FIRST_TURN, *arguments]
        done = subprocess.run(command, capture_output=True, text=True, env=os.environ | environment, check=True)
        return done.stdout.splitlines()

    plain, numba = first_turn("expected", FRANCHISE_CACHE_DIR=str(tmp_path))
    assert "end" in plain
    assert numba == "False"
    assert first_turn("compiled") == [plain, "True"]


def test_what_is_stopped_cancels_the_bots_that_wait_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    beside = Beside(monkeypatch, "0.25")
    with preparation.prepared_behind():
        assert beside.started.wait(60)
        while preparation.progress() != 0.25:
            assert beside.process is not None
    assert beside.process.poll() is not None
    with pytest.raises(Cancelled):
        preparation.ready()
    preparation.stop()  # nothing to stop any more


def test_nobody_waits_for_what_the_rest_of_a_compile_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    beside = Beside(monkeypatch, "0.9", preparation.SEARCH_READY, "1.0")
    preparation.expect()
    thread = threading.Thread(target=preparation.prepare)
    thread.start()
    assert beside.started.wait(60)
    preparation.ready()  # although the other process is still there
    assert thread.is_alive()
    assert preparation.progress() is None
    beside.let_go()
    thread.join()


def test_a_program_that_ends_before_it_prepared_anything_leaves_nobody_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    Beside(monkeypatch)
    preparation.expect()
    preparation.stop()
    assert preparation.progress() is None
    with pytest.raises(Cancelled):
        preparation.ready()


def test_cached_code_is_loaded_by_the_thread_that_prepares_and_not_by_a_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    Beside(monkeypatch)
    monkeypatch.setattr(warmup, "is_cached", lambda package: True)
    loading: list[threading.Thread] = []
    monkeypatch.setattr(preparation, "load", lambda: loading.append(threading.current_thread()))
    preparation.expect()
    assert preparation.progress() is None, "nothing is compiled"
    bot = threading.Thread(target=preparation.ready)
    bot.start()
    assert not loading
    preparation.prepare()
    bot.join()
    assert loading == [threading.main_thread()]


@pytest.mark.compiled_only
def test_the_evaluations_are_compiled_beside_the_search_with_the_types_that_it_calls_them_with() -> None:
    preparation.load()
    preparation.load_evaluations()
    folder = cache_folder(preparation.BOTS)
    assert folder is not None
    for name in ("values.evaluate", "network.appraise"):
        assert len(list(folder.glob(f"{name}-*.nbc"))) == 1, f"{name} was compiled once more for the search"
