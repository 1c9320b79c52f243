"""Compiles every kernel that Python calls at once, so that only the very first start has to compile."""

import gc
import shutil
import threading
import time
from collections import defaultdict
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np

from franchise.engine import layout, playout, walk
from franchise.engine.jit import COMPILED, compiling
from franchise.engine.kernel_cache import cache_folder
from franchise.engine.tables import board_rules

DONE = "complete"  # file that marks a cache folder as complete
KEPT_DAYS = 30  # how long the kernels of other versions are kept
ENGINE = Path(__file__).parent

under_way: defaultdict[Path, threading.RLock] = defaultdict(threading.RLock)  # packages being compiled


@cache
def ready() -> None:
    """Make sure all kernels of the engine are compiled."""
    once(ENGINE, compile_all)


def is_cached(package: Path) -> bool:
    """Whether a package needs no compilation: its kernels are cached, or run as plain Python."""
    folder = cache_folder(package) if COMPILED else None
    return not COMPILED or (folder is not None and (folder / DONE).exists())


def once(package: Path, compile_kernels: Callable[[], None]) -> None:
    """Compile the kernels of a package unless they are cached. If another thread is doing so, wait for it."""
    with under_way[package]:
        folder = cache_folder(package) if COMPILED else None
        if folder is None or is_cached(package):
            return
        collects = gc.isenabled()
        gc.disable()  # Numba keeps nearly all it makes: looking for garbage took an eighth of the time
        try:
            compile_kernels()
        finally:
            if collects:
                gc.enable()
        (folder / DONE).touch()
        forget_old(folder)


def compile_all() -> None:
    """Call each entry point once, in a game without tiles."""
    rules = board_rules(4)
    state, other, log = layout.new(layout.STATE), layout.new(layout.STATE), layout.new(layout.LOG)
    out = np.zeros(layout.MOVES, np.int32)
    with compiling():
        walk.begin(rules, state, log)
        walk.moves(rules, state, out)
        walk.step(rules, state, -1, out, log)
        walk.replay(rules, state, out[:0], log)
        walk.survey(rules, state, out[: layout.SEATS], np.zeros((layout.REGIONS, layout.SEATS), np.int32))
        walk.champions(rules, state)
        walk.count_ways(rules, state, 1)
        playout.random_games(rules, state, 0, np.zeros((0, 3 + layout.SEATS), np.int32), other, out, out, log)


def forget_old(folder: Path) -> None:
    """Remove cached kernels of old versions."""
    for other in folder.parent.glob("kernels-*"):
        done = other / DONE
        if other != folder and done.exists() and time.time() - done.stat().st_mtime > KEPT_DAYS * 86400:
            shutil.rmtree(other, ignore_errors=True)
