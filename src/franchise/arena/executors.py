"""Executors play games: they take the numbers of games and return their outcomes, in any order."""

from collections.abc import Callable, Generator, Iterable
from typing import Protocol

from franchise.arena.outcome import Outcome
from franchise.arena.run import ArenaError, Run
from franchise.engine.processors import cores

EXECUTORS = ("processes", "ray")


class Executor(Protocol):
    """Plays games of a run until there are no more or `stop` returns true; games in progress are then abandoned."""

    def play(self, run: Run, games: Iterable[int], stop: Callable[[], bool]) -> Generator[Outcome, None, None]: ...


def executor(kind: str, workers: int | None = None, address: str | None = None) -> Executor:
    """The executor with that name, imported on use because each needs its own libraries."""
    if kind == "processes":
        if address is not None:
            raise ArenaError("--address needs --executor ray")
        from franchise.arena.processes import Processes

        return Processes(workers or cores())
    if kind == "ray":
        from franchise.arena.cluster import Cluster

        return Cluster(workers, address)
    raise ArenaError(f"there is no executor {kind!r}; there are {', '.join(EXECUTORS)}")
