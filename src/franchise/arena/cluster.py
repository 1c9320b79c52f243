"""Games on a Ray cluster, or on a local Ray. The machines of a cluster need this package too."""

import os
from collections.abc import Callable, Generator, Iterable
from typing import Any

from franchise.arena.match import play
from franchise.arena.outcome import Outcome
from franchise.arena.run import POLL_SECONDS, ArenaError, Run
from franchise.extras import load

AHEAD = 2  # games submitted for each processor


class Cluster:
    """The executor for several machines."""

    def __init__(self, workers: int | None, address: str | None) -> None:
        self.workers = workers
        self.address = address
        self.ray = load("ray", "ray")

    def play(self, run: Run, games: Iterable[int], stop: Callable[[], bool]) -> Generator[Outcome, None, None]:
        """See Executor."""
        ray = self.ray
        self.connect()
        task = ray.remote(max_retries=1)(play)
        shared = ray.put(run)
        rest = iter(games)
        open_tasks: list[Any] = []
        width = self.workers or AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1)))
        try:
            while not stop():
                while len(open_tasks) < width and (game := next(rest, None)) is not None:
                    open_tasks.append(task.remote(shared, game))
                if not open_tasks:
                    return
                ready, open_tasks = ray.wait(open_tasks, timeout=POLL_SECONDS)
                for finished in ready:
                    yield self.outcome(finished)
        finally:
            for unfinished in open_tasks:
                ray.cancel(unfinished, force=True)
            ray.shutdown()

    def connect(self) -> None:
        """Join the cluster at the address, or start a local Ray."""
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")  # the future default; avoids a warning
        settings: dict[str, Any] = {"log_to_driver": False, "logging_level": "error"}
        if self.address is None:
            settings |= {"address": "local", "num_cpus": self.workers, "include_dashboard": False}
        else:
            settings |= {"address": self.address}
        try:
            self.ray.init(**settings)
        except Exception as error:  # noqa: BLE001 - Ray has many; all mean there is no cluster
            reason = " ".join(str(error).split())[:300]
            where = f"{self.address}; is it running, with this RAY_AUTH_TOKEN" if self.address else "this machine"
            raise ArenaError(f"there is no Ray at {where} ({reason})") from None

    def outcome(self, task: Any) -> Outcome:
        try:
            return self.ray.get(task)  # type: ignore[no-any-return]
        except self.ray.exceptions.RayError as error:
            reason = str(error).strip().splitlines()[-1][:300]
            raise ArenaError(f"a game could not be played on Ray: {reason}") from None
