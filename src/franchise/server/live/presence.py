"""Who is online, and when people were last seen, on any server that shares the database."""

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import delete, select

from franchise.server.storage import schema
from franchise.server.storage.database import Database
from franchise.server.tables.errors import Unavailable
from franchise.server.tables.stored import TableSummary

BEAT_S = 30.0  # between notes of who is here
HERE = timedelta(seconds=75)  # without a note for so long, they are not
LOOK_S = 1.0  # between looks at those who have left
FRESH = timedelta(seconds=10)  # how old what is known of other servers may be
KEPT = timedelta(days=90)

log = logging.getLogger(__name__)


class Left(NamedTuple):
    """Somebody who has closed their last page of a table."""

    at: datetime
    holders: Sequence[str]
    changed: Callable[[], None]


class Presence:
    """The people who have a page of a table open."""

    def __init__(self, database: Database, now: Callable[[], datetime]) -> None:
        self.database = database
        self.now = now
        self.here: Counter[str] = Counter()  # streams of this process
        self.known: dict[str, tuple[datetime, datetime | None]] = {}  # when it was looked up, and what was found
        self.left: list[Left] = []  # those who are still counted as online
        self.tasks: tuple[asyncio.Task[None], ...] = ()
        self.leaving: set[asyncio.Task[None]] = set()

    def start(self) -> None:
        loop = asyncio.get_running_loop()
        self.tasks = loop.create_task(self._beat()), loop.create_task(self._look())

    async def close(self) -> None:
        for task in self.tasks:
            task.cancel()
        if self.leaving:
            await asyncio.wait(self.leaving)

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(BEAT_S)
            with suppress(Unavailable):  # the next one will do
                await self._note(tuple(self.here))

    @asynccontextmanager
    async def attended(self, holders: Sequence[str], changed: Callable[[], None]) -> AsyncIterator[None]:
        """Keep somebody noted as online while this context is open; `changed` is called where others see it change.

        Somebody who comes back at once, or reloads a page, was never gone.
        """
        new = [holder for holder in holders if not self.here[holder]]
        self.here.update(holders)
        with suppress(Unavailable):
            before = await self._last_seen(new)
            await self._note(new)
            if any(holder not in before or not self.online(before[holder]) for holder in new):
                changed()
        try:
            yield
        finally:
            self.here.subtract(holders)
            self.here += Counter()  # without those who have none left
            self.left.append(Left(self.now(), holders, changed))
            task = asyncio.get_running_loop().create_task(self._leave(holders))
            self.leaving.add(task)
            task.add_done_callback(self.leaving.discard)

    async def _leave(self, holders: Sequence[str]) -> None:
        with suppress(Unavailable):
            await self._note([holder for holder in holders if not self.here[holder]])

    async def _look(self) -> None:
        """Say of those who have left, and have not come back, that they are no longer online."""
        while True:
            await asyncio.sleep(LOOK_S)
            absent = [left for left in self.left if not self.online(left.at)]
            self.left = [left for left in self.left if left not in absent]
            for left in absent:
                if not all(self.here[holder] for holder in left.holders):
                    left.changed()

    async def _note(self, holders: Sequence[str]) -> None:
        """Store that they are online."""
        if not holders:
            return
        p, at = schema.presence, self.now()
        async with self.database.writer.begin() as connection:
            await connection.execute(delete(p).where(p.c.seen_at < at - KEPT))
            new = upsert(connection.dialect.name)(p)  # two pages of a person may say so at the same time
            noting = new.on_conflict_do_update(index_elements=[p.c.holder_hash], set_={"seen_at": new.excluded.seen_at})
            rows = [{"holder_hash": holder, "seen_at": at} for holder in sorted(set(holders))]  # in one order for all
            await connection.execute(noting, rows)
        self.known |= dict.fromkeys(holders, (at, at))

    async def seen(self, holders: Collection[str]) -> dict[str, datetime]:
        """When each of them was last seen; now for those online. Those never seen are left out."""
        now = self.now()
        earlier = await self._last_seen([holder for holder in holders if not self.here[holder]])
        return {holder: now for holder in holders if self.here[holder]} | earlier

    async def _last_seen(self, holders: Collection[str]) -> dict[str, datetime]:
        """When each of them was last noted, as far as is known."""
        now = self.now()
        stale = [holder for holder in holders if holder not in self.known or self.known[holder][0] < now - FRESH]
        if stale:
            p = schema.presence
            async with self.database.reader.connect() as connection:
                rows = await connection.execute(select(p).where(p.c.holder_hash.in_(stale)))
                noted = {row.holder_hash: row.seen_at for row in rows}
            if len(self.known) > 10_000:
                self.known.clear()
            self.known |= {holder: (now, noted.get(holder)) for holder in stale}
        times = {holder: self.known[holder][1] for holder in holders}
        return {holder: at for holder, at in times.items() if at is not None}

    async def online_seats(self, tables: Iterable[TableSummary]) -> dict[str, frozenset[int]]:
        """The seats of those who are here, by table; without those who are asked to play and have not said yes."""
        listed = tuple(tables)
        seen = await self.seen({holder for table in listed for holder in table.holders if holder})
        here = {holder for holder, at in seen.items() if self.online(at)}
        return {
            table.id: frozenset(
                seat.number
                for seat, holder in zip(table.seats, table.holders, strict=True)
                if holder in here and not seat.asked
            )
            for table in listed
        }

    def online(self, seen_at: datetime) -> bool:
        """Whether somebody who was here then is here."""
        return self.now() - seen_at < HERE


def upsert(dialect: str) -> Any:
    """The `insert` of a database that can also update; each loads its own dialect, and only one is in use."""
    if dialect == "postgresql":
        from sqlalchemy.dialects import postgresql

        return postgresql.insert
    from sqlalchemy.dialects import sqlite

    return sqlite.insert
