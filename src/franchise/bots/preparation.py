"""Compiles the bots' search: immediately if it is needed, or in the background while a table is already open.

In the background, a separate process (`python -m franchise.bots --progress`) compiles what is not cached, so that this
process stays responsive; then the code is loaded. Until then moves run as plain Python, and bots wait.
"""

import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from franchise.bots.protocol import Cancelled
from franchise.engine import jit, warmup
from franchise.engine.kernel_cache import cache_folder
from franchise.engine.setups import Options
from franchise.game import Game

BOTS = Path(__file__).parent  # the package, whose kernels are compiled together
SEARCH_READY = "search"  # what that process says when bots can play


class _Work:
    """The state of the preparation in this process."""

    ready = False
    share: float | None = None  # of the kernels that are compiled; None if nobody has to wait
    process: "subprocess.Popen[str] | None" = None
    stopped = False


_work, _starting = _Work(), threading.Lock()
_nothing_to_wait_for = threading.Event()
_nothing_to_wait_for.set()


def ready() -> None:
    """Make sure the search is compiled; raises Cancelled if that was stopped."""
    if _work.ready:
        return
    _nothing_to_wait_for.wait()
    with warmup.under_way[BOTS]:
        if _work.stopped:
            raise Cancelled("the program is ending before the bots are compiled")
        warmup.once(BOTS, load)
        _work.ready = True


def load() -> None:
    """Compile the search, or load it: one simulation from a position past the choice of starting towns, kept."""
    from franchise.bots.network import trained  # a server shows its first page without them
    from franchise.bots.search import Tree

    game = Game(4, options=Options(introductory=True))
    tree = Tree(game.rules, 1, trained(game.players))
    tree.start(game.rules, game.state, 0)
    tree.simulate(1)
    tree.follow(game.rules, game.state, game.current_player)


def load_evaluations() -> None:
    """Compile or load the entry points that the search and `Tree.follow` call, with the types of their arguments."""
    from franchise.bots.network import appraise, trained
    from franchise.bots.search import Tree, keep_below
    from franchise.bots.turns import TRIED
    from franchise.bots.values import evaluate

    game = Game(4, options=Options(introductory=True))
    tree = Tree(game.rules, 1, trained(game.players))
    memory, scratch = tree.memory, tree.memory.scratch[0]
    rules, state, values, work = memory.rules[0], memory.states[TRIED], memory.values[0], memory.work[0]
    with jit.compiling():
        evaluate(rules, state, values, work, scratch.expected)
        appraise(rules, state, values, work, memory.network, scratch.expected, scratch.chances)
    keep_below(tree.arrays, 0)


def progress() -> float | None:
    """How much of the code for bots is compiled, from 0 to 1; None if nobody has to wait for it."""
    return _work.share


def allow() -> None:
    """Let bots be compiled again if an earlier server of this process was stopped before they were."""
    _work.stopped = False


def expect() -> None:
    """From now on, bots wait for `prepare`.

    They do not even load cached code themselves: their threads have a low priority, and the interpreter lock is held
    while code is loaded. On a busy machine the whole server would wait for them.
    """
    allow()
    if not _work.ready and cache_folder(BOTS) is not None:
        _work.share = None if warmup.is_cached(BOTS) else 0.0
        _nothing_to_wait_for.clear()


def prepare(quiet: bool = False) -> None:
    """Compile and load all kernels, in a separate thread. With `quiet`, nothing is written to the terminal."""
    lines = compile_beside(quiet)
    try:
        for line in lines:
            if line == SEARCH_READY:
                break
            _work.share = float(line)
        if not _work.stopped:
            warmup.once(BOTS, load)
            load()
    finally:
        let_go()
    for _ in lines:
        pass  # the rest, which nobody waits for
    if not _work.stopped:
        ready()
        warmup.compile_all()


def let_go() -> None:
    """Release everyone who is waiting."""
    _work.share = None
    _nothing_to_wait_for.set()


@contextmanager
def prepared_behind() -> Iterator[None]:
    """Prepare quietly in a thread while a table is open in this terminal."""
    thread = threading.Thread(target=prepare, args=(True,), name="preparation")
    expect()
    with jit.compile_behind():
        thread.start()
        try:
            yield
        finally:
            stop()
            thread.join()


def stop() -> None:
    """End the compiling process; bots that wait for it are cancelled."""
    with _starting:
        if _work.process is not None or not _nothing_to_wait_for.is_set():
            _work.stopped = True
        if _work.process is not None:
            _work.process.terminate()
    let_go()


def compile_beside(quiet: bool) -> Iterator[str]:
    """Let another process compile what is not cached; yields the lines it prints."""
    if all(map(warmup.is_cached, (BOTS, warmup.ENGINE))) or cache_folder(BOTS) is None:
        return
    with _starting:
        if _work.stopped:
            return
        _work.process = subprocess.Popen(
            [sys.executable, "-m", "franchise.bots", "--progress"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL if quiet else None,
            text=True,
            start_new_session=True,  # Ctrl-C goes to this process, which then stops the other
        )
    with _work.process as process:
        for line in process.stdout or ():
            yield line.strip()
    _work.process = None
