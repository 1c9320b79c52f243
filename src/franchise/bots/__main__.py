"""python -m franchise.bots: compile everything that bots and games need. With --progress it says how far it is."""

import sys

from franchise.bots.preparation import SEARCH_READY, ready
from franchise.engine import warmup
from franchise.engine.jit import COMPILED


def say_progress() -> None:
    """A line for each kernel that is translated: the share of all."""
    from franchise.engine.compiler import on_translated

    on_translated(lambda share: print(f"{share:.3f}", flush=True))


if __name__ == "__main__":
    speaks = sys.argv[1:] == ["--progress"] and COMPILED
    if speaks:
        say_progress()
    ready()
    if speaks:
        print(SEARCH_READY, flush=True)
    warmup.ready()
