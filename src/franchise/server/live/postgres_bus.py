"""Notices between processes that share a PostgreSQL database, carried by LISTEN and NOTIFY.

A notice contains the name of a table, the kind of change and the table's revision. Notices of this process are passed
on at once; other processes send theirs after writing: the store sends those for moves, the bus all others. If notices
may have been lost (the connection was lost, or the other process died before it could send), all listeners are told to
look again.
"""

import asyncio
import logging
import time
from collections import deque
from contextlib import suppress
from typing import cast

import psycopg
from psycopg import sql

from franchise.server.live.bus import LocalBus
from franchise.server.storage.database import TROUBLES
from franchise.server.storage.postgres_store import (
    CHANNEL,
    LOCK_S,
    NOTIFY,
    PAUSE_S,
    conninfo,
    encoded,
    payload,
    postgres_url,
    session,
)
from franchise.server.tables.interfaces import LOOK_AGAIN, Notice, NoticeKind, Read

JOB = "job"  # a kind: a bot has to move
PING = "ping-"  # begins a notice of a server to itself
TOLD = ("move", "undo", "opened", "reminder")  # kinds the store tells of itself, and those that are nobody else's
GATHER_S = 0.01  # between two readings of what others changed: more of it comes together
SWEEP_S = 5.0  # between looks at what may have been missed
log = logging.getLogger(__name__)


class PostgresBus(LocalBus):
    """Notices between all processes that share a database."""

    def __init__(self, url: str, sender: str) -> None:
        super().__init__()
        self.conninfo = conninfo(postgres_url(url))
        self.sender = sender  # the name of this process
        self.closed = False
        self.waiting: deque[str] = deque()
        self.filled = asyncio.Event()
        self.received: list[Notice] = []  # notices of others that are to be passed on
        self.called = asyncio.Event()
        self.read: Read | None = None
        self.job_waits = asyncio.Event()  # a bot has to move somewhere
        self.tasks: list[asyncio.Task[None]] = []
        self.listening = asyncio.Event()
        self.pinged = ("", 0.0)  # a notice to itself, and when
        self.ponged = ("", 0.0)  # the last that came back, and how long it took

    @property
    def lag(self) -> float:  # type: ignore[override]
        word, seconds = self.ponged
        return seconds if word == self.pinged[0] else time.monotonic() - self.pinged[1]

    async def open(self, read: Read) -> None:
        self.read = read
        if not self.tasks:
            works = (self._listen, self._pass_on, self._send, self._sweep)
            self.tasks = [asyncio.ensure_future(work()) for work in works]
            for task in self.tasks:
                task.add_done_callback(log_failure)
            await self.listening.wait()

    def publish(self, notice: Notice) -> None:
        super().publish(notice)
        if notice.kind not in TOLD:
            self.tell(notice.table_id, notice.kind, notice.revision)

    def tell(self, table: str, kind: str, revision: int | None = None) -> None:
        """Tell the other processes."""
        self.waiting.append(encoded(table, kind, revision))
        self.filled.set()

    async def close(self) -> None:
        self.closed = True
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        self.tasks = []

    # --- the lines, each opened again when it is lost; a cancellation may be lost with it ---

    async def _listen(self) -> None:
        while not self.closed:
            try:
                async with await self._connect() as connection:
                    await connection.execute(sql.SQL("LISTEN {}").format(sql.Identifier(CHANNEL)))
                    if self.listening.is_set():
                        self._look_again()
                    self.listening.set()
                    async for notification in connection.notifies():
                        self._receive(notification.payload)
            except psycopg.Error as error:
                TROUBLES.note("no notices from other servers until the database is back", error)
            await asyncio.sleep(PAUSE_S)

    async def _send(self) -> None:
        while not self.closed:
            try:
                async with await self._connect() as connection:
                    while True:
                        await self.filled.wait()
                        text, count = payload(self.sender, self.waiting)
                        await connection.execute(NOTIFY, (CHANNEL, text))
                        for _ in range(count):
                            self.waiting.popleft()
                        if not self.waiting:
                            self.filled.clear()
            except psycopg.Error as error:
                TROUBLES.note("no notices to other servers until the database is back", error)
            await asyncio.sleep(PAUSE_S)

    async def _connect(self) -> psycopg.AsyncConnection[tuple[object, ...]]:
        return await psycopg.AsyncConnection.connect(self.conninfo, autocommit=True, **session(LOCK_S))

    def _receive(self, text: str) -> None:
        sender, *words = text.split(" ")
        if sender == self.sender:
            if words and words[0] == self.pinged[0]:
                self.ponged = (words[0], time.monotonic() - self.pinged[1])
            return
        for word in words:
            if word.startswith(PING):
                continue
            table, kind, revision = word.split(":")
            if kind == JOB:
                self.job_waits.set()
            elif table in self.by_table:
                self.received.append(Notice(table, cast(NoticeKind, kind), int(revision) if revision else None))
                self.called.set()

    async def _pass_on(self) -> None:
        """Tell the listeners here, after all changes have been read in one query."""
        while not self.closed:
            await self.called.wait()
            self.called.clear()
            notices, self.received = self.received, []
            try:
                if self.read is not None:
                    revisions = {notice.table_id: notice.revision for notice in notices}
                    await self.read({table: revision for table, revision in revisions.items() if revision is not None})
            except Exception:
                log.exception("what others changed could not be read together")
            for notice in notices:
                self.pass_on(notice)
            await asyncio.sleep(GATHER_S)

    # --- what may have been missed ---

    def _look_again(self) -> None:
        for table_id in list(self.by_table):
            for kind in LOOK_AGAIN:
                self.pass_on(Notice(table_id, kind))

    async def _sweep(self) -> None:
        """Compare the revisions of the tables that are followed here with those of a moment ago.

        A table that is new here is told of too: what happened since somebody began to follow it may have been missed.
        """
        seen: dict[str, int] = {}
        while not self.closed:
            with suppress(psycopg.Error):
                async with await self._connect() as connection:
                    while True:
                        await asyncio.sleep(SWEEP_S)
                        self.pinged = (f"{PING}{time.monotonic_ns()}", time.monotonic())
                        await connection.execute(NOTIFY, (CHANNEL, f"{self.sender} {self.pinged[0]}"))
                        rows = await connection.execute(
                            "SELECT id, revision FROM tables WHERE id = ANY(%s)", (list(self.by_table),)
                        )
                        now = {str(row[0]): int(str(row[1])) for row in await rows.fetchall()}
                        for table, revision in now.items():
                            if seen.get(table) != revision:
                                self.pass_on(Notice(table, "move", revision))
                        seen = now
            await asyncio.sleep(PAUSE_S)


def log_failure(task: "asyncio.Task[None]") -> None:
    """Nothing but `close` ends a task of the bus."""
    if not task.cancelled() and (error := task.exception()) is not None:
        log.error("notices between servers have stopped", exc_info=error)
