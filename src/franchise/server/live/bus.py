"""Notices within one process: `LocalBus`, for servers whose database is a file."""

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager

from franchise.server.tables.interfaces import ALIVE, Hear, Read, Subscription


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
