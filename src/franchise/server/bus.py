"""Who is told that something happened at a table. `Bus` is the interface; `LocalBus` reaches this process.

A notice names a table and a kind of happening, no more: whoever hears it looks at the table. So notices can be merged,
and a slow listener costs nothing.
"""

import asyncio
from collections import defaultdict
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol


class Subscription:
    """What happened since one last asked."""

    def __init__(self) -> None:
        self.kinds: dict[str, None] = {}  # in the order of their first notice
        self.woken = asyncio.Event()
        self.closed = False

    def notice(self, kind: str) -> None:
        self.kinds[kind] = None
        self.woken.set()

    def close(self) -> None:
        self.closed = True
        self.woken.set()

    async def wait(self) -> tuple[str, ...]:
        """The kinds of what happened, as soon as anything did; none when there will be no more."""
        await self.woken.wait()
        kinds = tuple(self.kinds)
        self.kinds = {}
        if not self.closed:
            self.woken.clear()
        return kinds


class Bus(Protocol):
    """How those who look at a table hear of it."""

    def publish(self, table: str, kind: str) -> None: ...

    def subscribe(self, table: str) -> AbstractContextManager[Subscription]: ...

    async def close(self) -> None: ...


class LocalBus:
    """Notices within one event loop."""

    def __init__(self) -> None:
        self.listeners: dict[str, set[Subscription]] = defaultdict(set)
        self.closed = False

    def publish(self, table: str, kind: str) -> None:
        for listener in self.listeners.get(table, ()):
            listener.notice(kind)

    @contextmanager
    def subscribe(self, table: str) -> Iterator[Subscription]:
        listener = Subscription()
        if self.closed:
            listener.close()
        self.listeners[table].add(listener)
        try:
            yield listener
        finally:
            self.listeners[table].discard(listener)
            if not self.listeners[table]:
                del self.listeners[table]

    async def close(self) -> None:
        """End every subscription."""
        self.closed = True
        for listeners in self.listeners.values():
            for listener in listeners:
                listener.close()
