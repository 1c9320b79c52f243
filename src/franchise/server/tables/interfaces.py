"""Interfaces that tables need: a store, a bus and jobs for bots.

Each has two implementations: a file and threads of this process, or a PostgreSQL database that many processes share.
"""

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal, Protocol

from franchise.engine.actions import Action
from franchise.server.tables.stored import Due, Entry, Message, News, Outcome, StoredSeat, StoredTable, TableSummary
from franchise.server.tables.table import Ending, Table

NoticeKind = Literal["opened", "move", "undo", "seats", "chat", "clock", "reminder", "rematch", "nudge"]
LOOK_AGAIN: tuple[Literal["seats", "chat"], ...] = ("seats", "chat")  # kinds after which a page reloads everything
Read = Callable[[Mapping[str, int]], Awaitable[None]]  # has the cache hold these tables, at least at these revisions


@dataclass(frozen=True, slots=True)
class Notice:
    """Something happened at a table, here or in another process."""

    table_id: str
    kind: NoticeKind
    revision: int | None = None  # the table has at least this one; None where one has to look
    table: Table | None = None  # the table after it, where it happened in this process


Subscriber = Callable[[Notice], None]  # returns at once: whatever takes time it does later


class Bus(Protocol):
    """Delivers notices about tables to subscribers."""

    @property
    def lag(self) -> float:
        """Seconds that a notice takes from one process to another."""
        ...

    async def open(self, read: Read) -> None: ...

    def publish(self, notice: Notice) -> None: ...

    def subscribe(self, subscriber: Subscriber, table_id: str | None = None) -> Callable[[], None]:
        """Subscribe to one table, or to all changes in this process; the returned function unsubscribes."""
        ...

    async def close(self) -> None: ...


class Store(Protocol):
    """The database interface of tables."""

    async def open(self) -> None: ...

    async def close(self) -> None: ...

    def now(self) -> datetime:
        """The time, the same for all who share the database."""
        ...

    @property
    def clock_off(self) -> float:
        """Seconds by which this machine's clock is ahead of that."""
        ...

    @property
    def commits(self) -> tuple[int, float]:
        """How many changes were written down here, and the seconds that they waited for it."""
        ...

    async def check(self) -> None:
        """Test writing, in the same way as for a change; raises what goes wrong."""
        ...

    async def insert(self, table: StoredTable) -> None: ...

    async def insert_rematch(self, old: str, table: StoredTable) -> str:
        """Add the table that follows another one, unless there is one; the id of the one that does."""
        ...

    async def load(self, table: str) -> StoredTable | None: ...

    async def revision(self, table: str) -> int | None:
        """The revision of a table, which counts every change; None if there is no such table."""
        ...

    def news(self, asked: Sequence[tuple[str, int]]) -> Awaitable[Sequence[News | None]]:
        """For each table and version, the later changes; None if there is no such table."""
        ...

    def append(self, entry: Entry, done: Callable[[Outcome], None]) -> None:
        """Add a change to the version before it; `done` hears the new revision, or Conflict where another came first.

        It is called on the event loop, once the change is safe.
        """
        ...

    async def change_seats(
        self,
        table: str,
        revision: int,
        seats: Sequence[StoredSeat],
        at: datetime,
        due: Due,
        drawn: Sequence[int] | None = None,
    ) -> int:
        """Write seats of a table that is at that revision; returns the new one, or raises Conflict.

        `drawn` is who sits where from now on: for each seat the one they had before.
        """
        ...

    async def expired(self, live: datetime, others: datetime) -> tuple[str, ...]:
        """Tables that have waited for people since before then, with a live clock and with others."""
        ...

    async def end(self, table: str, version: int, at: datetime, ending: Ending, seat: int | None) -> int:
        """End a game early, at that version; returns the new revision. Conflict if the table has changed."""
        ...

    async def say(self, table: str, seat: int, name: str, text: str, at: datetime, holder: str | None) -> Message:
        """Store a message; `holder` is the hash of its author, who need not keep the seat."""
        ...

    async def report(self, table: str, message: int, holder: str, at: datetime) -> bool:
        """Note that somebody finds a message of a table out of place; whether there is such a message."""
        ...

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

    async def bot_waits(self) -> datetime | None:
        """Since when the bot waits that has waited longest; None where none does."""
        ...

    async def overdue(self, now: datetime, lease: timedelta) -> tuple[str, ...]:
        """Some tables whose time is up, for whoever asks: nobody else is told of them before the lease is over."""
        ...

    async def set_deadline(self, table: str, version: int | None, deadline: datetime | None) -> None:
        """Write down when the time at a table is up, if it is at that version; None for any."""
        ...

    async def archive(self, before: datetime, most: int) -> int:
        """Make one small record of the changes of some games that were over before that; how many these were."""
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

    def cached(self, table_id: str) -> Awaitable[Thinking]: ...

    async def play(self, table_id: str, version: int, action: Action) -> Table | None: ...


class Jobs(Protocol):
    """Who thinks for the bots."""

    @property
    def busy(self) -> int:
        """Tables whose bots are thinking in this process, or waiting to."""
        ...

    def start(self, tables: BotTables) -> None: ...

    def put(self, table_id: str, version: int) -> None:
        """Have the bot to move at a table think about that version."""
        ...

    async def close(self) -> None: ...
