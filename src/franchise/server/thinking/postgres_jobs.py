"""Bots of a PostgreSQL database: any process may think for them, and none has to be alive.

A bot's turn is a job, written together with the move it follows; nothing else is queued that could be lost. Whoever has
a thread free takes a lease on a job that nobody has one on, renews it while the bot thinks, and gives it back. The
lease of a process that died runs out, and another one takes over. No statement here waits for a job while it holds
another one, because moves write several at once.
"""

import asyncio
import logging
import secrets
from contextlib import suppress

import psycopg

from franchise.server.live.postgres_bus import JOB, PostgresBus
from franchise.server.storage.database import TROUBLES, error_line
from franchise.server.storage.postgres_store import LOCK_S, PAUSE_S, session
from franchise.server.tables.interfaces import BotTables
from franchise.server.thinking.local_jobs import LocalJobs

LEASE_S = 10.0
LOOK_S = 2.0  # between looks, when nobody says that a bot has to move
TAKE = """
WITH due AS (
    SELECT table_id FROM jobs WHERE (until IS NULL OR until < now()) AND table_id <> ALL(%(damaged)s)
    ORDER BY due_at LIMIT %(free)s FOR UPDATE SKIP LOCKED
), taken AS (
    UPDATE jobs SET worker = %(worker)s, until = now() + make_interval(secs => %(lease)s)
    FROM due WHERE jobs.table_id = due.table_id RETURNING jobs.table_id
)
SELECT id, version FROM tables WHERE id IN (SELECT table_id FROM taken)
"""
RENEW = """
UPDATE jobs SET until = now() + make_interval(secs => %s) WHERE table_id IN (
    SELECT table_id FROM jobs WHERE table_id = ANY(%s) AND worker = %s FOR UPDATE SKIP LOCKED)
"""
GIVE_BACK = "UPDATE jobs SET worker = NULL, until = NULL WHERE table_id = %s AND worker = %s"
log = logging.getLogger(__name__)


class PostgresJobs:
    """Bots in threads of this process, for the tables it has leases on. Without threads it only tells the others."""

    def __init__(self, bus: PostgresBus, threads: int | None = None, think_ahead: bool = False) -> None:
        self.bus = bus
        self.local = LocalJobs(threads, think_ahead) if threads != 0 else None
        self.worker = secrets.token_urlsafe(12)
        self.done: set[str] = set()  # tables whose leases are to be given back
        self.mine: dict[str, asyncio.Task[None]] = {}
        self.task: asyncio.Task[None] | None = None
        self.closed = False

    @property
    def busy(self) -> int:
        return 0 if self.local is None else self.local.busy

    def start(self, tables: BotTables) -> None:
        if self.local is not None:
            self.local.start(tables)
            self.task = asyncio.ensure_future(self._work())

    def put(self, table_id: str, version: int) -> None:
        self.bus.job_waits.set()
        self.bus.tell(table_id, JOB)

    async def close(self) -> None:
        self.closed = True
        if self.task is not None:
            self.task.cancel()
            await asyncio.gather(self.task, return_exceptions=True)
        if self.local is not None:
            await self.local.close()
        if self.mine or self.done:
            await self._free()

    async def _work(self) -> None:
        while not self.closed:  # a cancellation may be lost with the connection
            try:
                async with await self._connect() as connection:
                    while True:
                        await self._round(connection)
            except psycopg.Error as error:
                TROUBLES.note("bots wait until the database is back", error)
            await asyncio.sleep(PAUSE_S)

    async def _round(self, connection: "psycopg.AsyncConnection[tuple[object, ...]]") -> None:
        """Give back, renew and take leases; then wait until there is something to do."""
        assert self.local is not None
        self.bus.job_waits.clear()
        while self.done:
            finished = next(iter(self.done))
            await connection.execute(GIVE_BACK, (finished, self.worker))
            self.done.discard(finished)
        if self.mine:
            await connection.execute(RENEW, (LEASE_S, list(self.mine), self.worker))
        free = self.local.threads - len(self.mine)
        if free > 0:
            values = {"free": free, "worker": self.worker, "lease": LEASE_S, "damaged": list(self.local.damaged)}
            leased = await connection.execute(TAKE, values)
            for table, version in await leased.fetchall():
                self._think(str(table), int(str(version)))
        with suppress(TimeoutError):
            async with asyncio.timeout(LOOK_S):  # wait_for would lose a cancellation that comes with the event
                await self.bus.job_waits.wait()

    def _think(self, table: str, version: int) -> None:
        assert self.local is not None
        self.local.put(table, version)
        task = self.local.tasks.get(table)
        if task is None:  # it is closing
            self.done.add(table)
            return
        self.mine[table] = task[1]
        task[1].add_done_callback(lambda _: self._thought(table))

    def _thought(self, table: str) -> None:
        self.mine.pop(table, None)
        self.done.add(table)
        self.bus.job_waits.set()

    async def _free(self) -> None:
        """Let others take over at once."""
        try:
            async with await self._connect() as connection:
                for table in (*self.mine, *self.done):
                    await connection.execute(GIVE_BACK, (table, self.worker))
        except psycopg.Error as error:
            log.warning("leases are left to run out: %s", error_line(error))

    async def _connect(self) -> "psycopg.AsyncConnection[tuple[object, ...]]":
        return await psycopg.AsyncConnection.connect(self.bus.conninfo, autocommit=True, **session(LOCK_S))
