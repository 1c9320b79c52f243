"""Games on the cores of this machine: one process per worker, spawned so that no state is shared."""

import multiprocessing
import signal
import sys
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from typing import Any

from franchise.arena.match import play
from franchise.arena.outcome import Outcome
from franchise.arena.run import POLL_SECONDS, ArenaError, Run

AHEAD_SECONDS = 0.2  # work a worker has in advance, so that short games do not wait for the parent
AHEAD_GAMES = 64
LEAVE_SECONDS = 5.0  # for a worker to finish a decision and close its bots


class Worker:
    """A process that plays one game after the other."""

    def __init__(self, run: Run) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, worker_end = context.Pipe()
        self.process = context.Process(target=work, args=(run, worker_end), daemon=True)
        self.process.start()
        worker_end.close()
        self.queue: deque[int] = deque()  # games assigned to it
        self.seconds = AHEAD_SECONDS  # of a game, smoothed

    def give(self, games: Iterator[int]) -> None:
        """Give it enough games to stay busy for a moment, at least one."""
        number = max(1, min(AHEAD_GAMES, int(AHEAD_SECONDS / self.seconds)))
        while len(self.queue) < number and (game := next(games, None)) is not None:
            self.queue.append(game)
            self.pipe.send(game)

    def receive(self) -> Outcome:
        """A finished game; ArenaError if the process died or could not play it."""
        try:
            outcome, seconds = self.pipe.recv()
        except (EOFError, OSError):
            self.process.join(LEAVE_SECONDS)
            raise ArenaError(
                f"a worker process died (exit code {self.process.exitcode}) in game {self.queue[0]}; "
                "run the same command with --results to continue after the finished games"
            ) from None
        if isinstance(outcome, str):
            raise ArenaError(f"game {self.queue[0]} could not be played: {outcome}")
        self.queue.popleft()
        self.seconds += (max(seconds, 1e-4) - self.seconds) / 2
        return outcome  # type: ignore[no-any-return]

    def end(self) -> None:
        """Stop the process."""
        self.pipe.close()
        self.process.terminate()

    def join(self, deadline: float) -> None:
        self.process.join(max(0.0, deadline - time.monotonic()))
        if self.process.is_alive():
            self.process.kill()
            self.process.join()


class Processes:
    """The executor for one machine."""

    def __init__(self, workers: int) -> None:
        self.workers = workers

    def play(self, run: Run, games: Iterable[int], stop: Callable[[], bool]) -> Generator[Outcome, None, None]:
        """See Executor."""
        waiting = list(games)
        rest = iter(waiting)
        workers: list[Worker] = []
        try:
            with held_back():
                for _ in range(min(self.workers, len(waiting))):
                    workers.append(Worker(run))
            for worker in workers:
                worker.give(rest)
            while busy := {worker.pipe: worker for worker in workers if worker.queue}:
                for pipe in wait(list(busy), POLL_SECONDS):
                    worker = busy[pipe]  # type: ignore[index]
                    outcome = worker.receive()
                    worker.give(rest)
                    yield outcome
                if stop():
                    return
        finally:
            for worker in workers:
                worker.end()
            deadline = time.monotonic() + LEAVE_SECONDS
            for worker in workers:
                worker.join(deadline)


@contextmanager
def held_back() -> Iterator[None]:
    """Delay interrupts until the processes have started."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # the first process would start it, which lets interrupts through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def work(run: Run, pipe: "Connection[Any, Any]") -> None:
    """What a worker process does. Ctrl-C goes to the parent, which ends its workers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
    try:
        while True:
            game = pipe.recv()
            started = time.perf_counter()
            try:
                answer: Outcome | str = play(run, game)
            except Exception as error:  # noqa: BLE001 - the parent tells it
                answer = f"{type(error).__name__}: {error}"
            pipe.send((answer, time.perf_counter() - started))
    except (EOFError, OSError):
        return  # the parent has gone
