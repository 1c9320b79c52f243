"""python -m franchise.bots: compile everything that bots and games need, the evaluations in a process of their own.

With --progress it reports progress. With --evaluations it is the second process, which prints the name of each kernel.
"""

import gc
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from franchise.bots import preparation
from franchise.bots.preparation import BOTS, SEARCH_READY
from franchise.engine import warmup
from franchise.engine.jit import COMPILED, KERNELS
from franchise.engine.kernel_cache import cache_folder
from franchise.engine.processors import cores


def main(*arguments: str) -> None:
    if not COMPILED:
        return
    from franchise.engine import compiler

    if "--evaluations" in arguments:
        compiler.announce_nothing()
        compiler.on_translated(say)
        gc.disable()  # as warmup.once does
        preparation.load_evaluations()
        return
    speaks = "--progress" in arguments
    translated: set[str] = set()

    def note(kernel: str) -> None:
        translated.add(kernel)
        if speaks:
            say(f"{min(len(translated) / KERNELS.number, 1.0):.3f}")

    compiler.on_translated(note)
    with evaluations_beside(note):
        preparation.ready()
        if speaks:
            say(SEARCH_READY)
    warmup.ready()


def say(line: str) -> None:
    """Print a line; if the program that reads it has ended, end too."""
    try:
        print(line, flush=True)
    except BrokenPipeError:
        os._exit(1)  # without a second error when Python closes the pipe


@contextmanager
def evaluations_beside(note: Callable[[str], None]) -> Iterator[None]:
    """Meanwhile, let another process compile what the search needs last, if there is a core for it.

    What it has put into the cache need not be compiled here; if it fails, it is. It does not compile the rest as well,
    because that made both processes slower: cores share memory, and often more.
    """
    if cores() == 1 or cache_folder(BOTS) is None or all(map(warmup.is_cached, (BOTS, warmup.ENGINE))):
        yield
        return
    command = [sys.executable, "-m", "franchise.bots", "--evaluations"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as evaluations:

        def listen() -> None:
            for line in evaluations.stdout or ():
                note(line.strip())

        thread = threading.Thread(target=listen)
        thread.start()
        yield
        thread.join()


if __name__ == "__main__":
    main(*sys.argv[1:])
