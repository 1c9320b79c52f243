"""What tables need from outside: a store, a bus and somebody who lets bots think.

Each has two implementations: a file and threads of this process, or a PostgreSQL database that many processes share.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Protocol

from franchise.engine.actions import Action
from franchise.server.tables.stored import Entry, Message, News, Outcome, StoredSeat, StoredTable, TableSummary
from franchise.server.tables.table import Table

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


class Store(Protocol):
    """What tables need of a database."""

    async def open(self) -> None: ...

    async def close(self) -> None: ...

    async def check(self) -> None:
        """Raise what stands in the way of writing."""
        ...

    async def insert(self, table: StoredTable) -> None: ...

    async def insert_rematch(self, old: str, table: StoredTable) -> str:
        """Add the table that follows another one, unless there is one; the id of the one that does."""
        ...

    async def load(self, table: str) -> StoredTable | None: ...

    async def revision(self, table: str) -> int | None:
        """The number that counts everything that ever changed at a table; None where there is no such table."""
        ...

    def news(self, asked: Sequence[tuple[str, int]]) -> Awaitable[Sequence[News | None]]:
        """For tables and versions of them the changes after these; None where there is no such table."""
        ...

    def append(self, entry: Entry, done: Callable[[Outcome], None]) -> None:
        """Add a change to the version before it; `done` hears the new revision, or Conflict where another came first.

        It is called on the event loop, once the change is safe.
        """
        ...

    async def change_seat(self, table: str, before: StoredSeat, after: StoredSeat, version: int | None = None) -> int:
        """Change a seat that is still as it was; the new revision. Conflict where it is not.

        With a version, only while the table is at it.
        """
        ...

    async def end(self, table: str, version: int, at: datetime) -> int:
        """End a game before its end, at that version; the new revision. Conflict where the table is not as it was."""
        ...

    async def say(self, table: str, seat: int, name: str, text: str, at: datetime) -> Message: ...

    async def messages(self, table: str, number: int) -> tuple[Message, ...]:
        """The last ones, oldest first."""
        ...

    async def open_tables(self) -> tuple[TableSummary, ...]: ...

    async def live_tables(self) -> tuple[TableSummary, ...]: ...

    async def tables_of(self, holders: Collection[str]) -> tuple[TableSummary, ...]: ...

    async def finished(self, number: int) -> tuple[str, ...]:
        """The newest tables at which moves led to the end of the game."""
        ...

    async def waiting(self) -> tuple[tuple[str, int], ...]:
        """Tables a bot has to move at, with their versions."""
        ...

    async def clocked(self) -> tuple[str, ...]:
        """Tables whose clock runs."""
        ...

    async def analysis(self, name: str) -> str | None:
        """A review that was kept."""
        ...

    async def keep_analysis(self, name: str, review: str, at: datetime) -> None:
        """Keep a review, unless there is one of that name; the oldest go where there are too many."""
        ...


class Thinking(Protocol):
    """A table with the seed its bots draw from."""

    @property
    def table(self) -> Table: ...

    @property
    def seed(self) -> int: ...


class BotTables(Protocol):
    """What jobs need of the tables."""

    def live(self, table_id: str) -> Awaitable[Thinking]: ...

    async def play(self, table_id: str, version: int, action: Action) -> Table | None: ...


class Jobs(Protocol):
    """Who thinks for the bots."""

    @property
    def busy(self) -> int:
        """Tables that somebody here thinks for, or waits to."""
        ...

    def start(self, tables: BotTables) -> None: ...

    def put(self, table_id: str, version: int) -> None:
        """Have the bot to move at a table think about that version."""
        ...

    async def close(self) -> None: ...
