"""python -m franchise.bots: compile everything that bots and games need. With --progress it reports progress."""

import os
import sys

from franchise.bots.preparation import SEARCH_READY, ready
from franchise.engine import warmup
from franchise.engine.jit import COMPILED


def say_progress() -> None:
    """Print the share of kernels translated so far, one line per kernel."""
    from franchise.engine.compiler import on_translated

    on_translated(lambda share: print(f"{share:.3f}", flush=True))


def main() -> None:
    speaks = sys.argv[1:] == ["--progress"] and COMPILED
    if speaks:
        say_progress()
    ready()
    if speaks:
        print(SEARCH_READY, flush=True)
    warmup.ready()


if __name__ == "__main__":
    try:
        main()
    except BrokenPipeError:  # the program that wanted to know has ended
        os._exit(1)  # without a second error when Python closes the pipe
