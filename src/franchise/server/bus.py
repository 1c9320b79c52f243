"""Who is told that something happened at a table. `Bus` is the interface; `LocalBus` reaches this process.

A notice names a table, a kind of happening and perhaps the table's revision, no more: whoever hears it looks at the
table. So notices can be merged, and a slow listener costs nothing.
"""

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Literal, Protocol

ALIVE = "alive"  # a notice that nothing happened: a sign of life for those who listen
LOOK_AGAIN: tuple[Literal["seats", "chat"], ...] = ("seats", "chat")  # kinds that make a page read everything anew
Read = Callable[[Mapping[str, int]], Awaitable[None]]  # has memory hold these tables, at least at these revisions
Hear = Callable[[str, int | None], bool]  # takes the kind and revision of a notice, or says that it does not


@dataclass(frozen=True)
class Notice:
    """What happened since one last asked; no kinds when there will be no more."""

    kinds: tuple[str, ...]  # in the order of their first notice
    revision: int | None  # the table has at least this one; None where one has to look


class Subscription:
    """What happened since one last asked. Before a notice is kept, `hear` may take it at once."""

    def __init__(self, hear: Hear | None = None) -> None:
        self.hear = hear
        self.kinds: dict[str, None] = {}
        self.revision: int | None = 0
        self.woken = asyncio.Event()
        self.closed = False

    def notice(self, kind: str, revision: int | None = None) -> None:
        if self.hear is not None and not self.kinds and self.hear(kind, revision):
            return
        self.kinds[kind] = None
        self.revision = None if revision is None or self.revision is None else max(revision, self.revision)
        self.woken.set()

    def close(self) -> None:
        self.closed = True
        self.woken.set()

    async def wait(self) -> Notice:
        """What happened, as soon as anything did."""
        await self.woken.wait()
        notice = Notice(tuple(self.kinds), self.revision)
        self.kinds, self.revision = {}, 0
        if not self.closed:
            self.woken.clear()
        return notice


class Bus(Protocol):
    """How those who look at a table hear of it."""

    async def open(self, read: Read) -> None: ...

    def publish(self, table: str, kind: str, revision: int | None = None) -> None: ...

    def subscribe(self, table: str, hear: Hear | None = None) -> AbstractContextManager[Subscription]: ...

    def stir(self) -> None:
        """Give everyone who listens a sign of life."""
        ...

    async def close(self) -> None: ...


class LocalBus:
    """Notices within one event loop."""

    def __init__(self) -> None:
        self.listeners: dict[str, set[Subscription]] = defaultdict(set)
        self.closed = False

    async def open(self, read: Read) -> None:
        """Nobody else changes anything."""

    def publish(self, table: str, kind: str, revision: int | None = None) -> None:
        for listener in self.listeners.get(table, ()):
            listener.notice(kind, revision)

    @contextmanager
    def subscribe(self, table: str, hear: Hear | None = None) -> Iterator[Subscription]:
        listener = Subscription(hear)
        if self.closed:
            listener.close()
        self.listeners[table].add(listener)
        try:
            yield listener
        finally:
            self.listeners[table].discard(listener)
            if not self.listeners[table]:
                del self.listeners[table]

    def stir(self) -> None:
        for listeners in self.listeners.values():
            for listener in listeners:
                listener.notice(ALIVE, 0)

    async def close(self) -> None:
        """End every subscription."""
        self.closed = True
        for listeners in self.listeners.values():
            for listener in listeners:
                listener.close()
