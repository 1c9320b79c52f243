"""Notices within one process: `LocalBus`, for servers with an SQLite file."""

from collections.abc import Callable
from functools import partial

from franchise.server.tables.interfaces import Notice, Read, Subscriber


class LocalBus:
    """Notices within one event loop."""

    lag = 0.0

    def __init__(self) -> None:
        self.everywhere: list[Subscriber] = []
        self.by_table: dict[str, list[Subscriber]] = {}

    async def open(self, read: Read) -> None:
        """Nothing to open: no other process makes changes."""

    def publish(self, notice: Notice) -> None:
        self.pass_on(notice)
        for subscriber in self.everywhere:
            subscriber(notice)

    def pass_on(self, notice: Notice) -> None:
        """Tell those who asked for this table."""
        for subscriber in tuple(self.by_table.get(notice.table_id, ())):
            subscriber(notice)

    def subscribe(self, subscriber: Subscriber, table_id: str | None = None) -> Callable[[], None]:
        if table_id is None:
            self.everywhere.append(subscriber)
            return partial(self.everywhere.remove, subscriber)
        self.by_table.setdefault(table_id, []).append(subscriber)
        return partial(self._leave, subscriber, table_id)

    def _leave(self, subscriber: Subscriber, table_id: str) -> None:
        self.by_table[table_id].remove(subscriber)
        if not self.by_table[table_id]:
            del self.by_table[table_id]

    async def close(self) -> None:
        """Nothing is kept open."""
