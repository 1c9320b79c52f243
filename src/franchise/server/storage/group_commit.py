"""Group commit: a thread that takes all waiting changes and commits them together.

A commit waits for the disk, however much it contains. So the changes of many tables share one, and each is acknowledged
only afterwards. Other writers to the same file take their turn in the same queue. Reads are grouped in the same way if
the database is far away.
"""

import asyncio
import logging
import queue
import threading
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Generic, TypeVar

from franchise.server.tables.stored import settle

TOGETHER = 256  # changes in one commit
COMMIT_S = 0.008  # between commits where many people move: more of them share one, and nobody notices
log = logging.getLogger(__name__)


Asked = TypeVar("Asked")
Found = TypeVar("Found")


@dataclass(slots=True)
class Waiting(Generic[Asked, Found]):
    """A request, with the callback for its result on the event loop."""

    asked: Asked
    done: Callable[[Found | Exception], None]
    at: float = field(default_factory=time.monotonic)


@dataclass
class WriteTurn:
    """The turn of another writer, granted in the order of the queue; the thread waits until it is over."""

    granted: "asyncio.Future[None]"
    over: threading.Event = field(default_factory=threading.Event)


class GroupCommit(Generic[Asked, Found]):
    """Turns entries into revisions, or queries into answers. `commit` runs in its own thread."""

    def __init__(
        self,
        commit: Callable[[Sequence[Asked]], Sequence[Found | Exception]],
        name: str = "commit",
        pause: float = 0.0,
    ) -> None:
        self.commit = commit
        self.pause = pause  # seconds from the beginning of one commit to that of the next
        self.count = 0  # of what was answered
        self.seconds = 0.0  # that all of it took together
        self.queue: queue.SimpleQueue[Waiting[Asked, Found] | WriteTurn | None] = queue.SimpleQueue()
        self.loop = asyncio.get_running_loop()
        self.thread = threading.Thread(target=self._work, name=name, daemon=True)
        self.thread.start()

    def put(self, asked: Asked, done: Callable[[Found | Exception], None]) -> None:
        """Call `done` with the result once it is committed, or with the exception."""
        self.queue.put(Waiting(asked, done))

    def ask(self, asked: Asked) -> "asyncio.Future[Found]":
        """The result, to be awaited."""
        future: asyncio.Future[Found] = self.loop.create_future()
        self.put(asked, partial(settle, future))
        return future

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Write in another way while the thread waits."""
        turn = WriteTurn(self.loop.create_future())
        self.queue.put(turn)
        try:
            await turn.granted
            yield
        finally:
            turn.over.set()

    async def close(self) -> None:
        """Write what is waiting, then end."""
        self.queue.put(None)
        await asyncio.to_thread(self.thread.join)

    def _work(self) -> None:
        following = 0.0  # when it may begin again
        while (first := self.queue.get()) is not None:
            if isinstance(first, WriteTurn):
                self._grant(first)
                continue
            early = following - time.monotonic()
            if early > 0:
                time.sleep(early)
            following = time.monotonic() + self.pause
            batch, then = self._gather(first)
            outcomes: Sequence[Found | Exception]
            try:
                outcomes = self.commit([waiting.asked for waiting in batch])
            except Exception as error:  # noqa: BLE001 - told to those who wait
                outcomes = [error] * len(batch)
            self.count += len(batch)
            self.seconds += sum(time.monotonic() - waiting.at for waiting in batch)
            self.loop.call_soon_threadsafe(answer, batch, outcomes)
            if isinstance(then, WriteTurn):
                self._grant(then)
            elif then is None:
                return

    def _gather(
        self, first: Waiting[Asked, Found]
    ) -> tuple[list[Waiting[Asked, Found]], WriteTurn | Waiting[Asked, Found] | None]:
        """What is waiting now, up to the turn of another writer; and that turn, None for the end."""
        batch = [first]
        while len(batch) < TOGETHER:
            try:
                more = self.queue.get_nowait()
            except queue.Empty:
                break
            if not isinstance(more, Waiting):
                return batch, more
            batch.append(more)
        return batch, first

    def _grant(self, turn: WriteTurn) -> None:
        self.loop.call_soon_threadsafe(grant, turn)
        turn.over.wait()


def answer(batch: Sequence[Waiting[Asked, Found]], outcomes: Sequence[Found | Exception]) -> None:
    """Deliver the results to everyone who waits."""
    for waiting, outcome in zip(batch, outcomes, strict=True):
        try:
            waiting.done(outcome)
        except Exception:
            log.exception("what was written could not be told")


def grant(turn: WriteTurn) -> None:
    """Let another writer write, unless it has gone."""
    if turn.granted.done():
        turn.over.set()
    else:
        turn.granted.set_result(None)
