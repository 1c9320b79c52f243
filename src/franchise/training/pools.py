"""Where the games of a training run are played: local processes, or Ray."""

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from typing import Any

from franchise.arena.cluster import Cluster
from franchise.arena.run import POLL_SECONDS

NICENESS = 10  # so that other work comes first


class LocalPool:
    """Processes of this machine, at low priority."""

    def __init__(self, workers: int, stop: Callable[[], bool]) -> None:
        self.workers = workers
        self.stop = stop

    def answers(self, function: Callable[[Any], Any], tasks: Sequence[Any]) -> Iterator[tuple[Any, Any]]:
        """See generations.Pool."""
        context = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(min(self.workers, max(len(tasks), 1)), context, give_way) as pool:
            waiting: dict[Future[Any], Any] = {pool.submit(function, task): task for task in tasks}
            try:
                while waiting and not self.stop():
                    done, _ = wait(waiting, POLL_SECONDS, FIRST_COMPLETED)
                    for future in done:
                        yield waiting.pop(future), future.result()
            finally:
                pool.shutdown(cancel_futures=True)


def give_way() -> None:
    """Lower a worker's priority. Ctrl-C goes to the parent, which lets its workers finish."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(NICENESS)


class RayPool:
    """A Ray cluster, or a local Ray. The machines of a cluster must share the folder of the run."""

    def __init__(self, workers: int | None, address: str | None, stop: Callable[[], bool]) -> None:
        self.cluster = Cluster(workers, address)
        self.stop = stop

    def answers(self, function: Callable[[Any], Any], tasks: Sequence[Any]) -> Iterator[tuple[Any, Any]]:
        """See generations.Pool."""
        ray = self.cluster.ray
        self.cluster.connect()
        remote = ray.remote(max_retries=1)(lambda task: function(task))
        waiting = {remote.remote(task): task for task in tasks}
        try:
            while waiting and not self.stop():
                for ready in ray.wait(list(waiting), timeout=POLL_SECONDS)[0]:
                    yield waiting.pop(ready), ray.get(ready)
        finally:
            for task in waiting:
                ray.cancel(task, force=True)
            ray.shutdown()
