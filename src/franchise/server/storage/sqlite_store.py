"""Tables in one SQLite file: the embedded default, without any other service.

The file is written by one thread (group_commit.py); every commit is on disk when it returns. Other processes may open
the same file: nothing is lost or doubled then, but their pages see each other's moves only at their next look.
"""

import asyncio
import secrets
import sqlite3
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any
from weakref import WeakSet

import aiosqlite
import orjson
from sqlalchemy import event, select
from sqlalchemy.dialects.sqlite import dialect
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from franchise.server.storage import schema
from franchise.server.storage.database import TROUBLES, ReportingConnections, returned
from franchise.server.storage.group_commit import COMMIT_S, GroupCommit
from franchise.server.storage.migrations import NEWEST
from franchise.server.storage.sql_store import FORGOTTEN, TRIAL, WAITING, SqlStore, stored_change, unwritten
from franchise.server.tables.errors import BadDatabaseUrl, DatabaseUnusable, NotRead
from franchise.server.tables.stored import Conflict, Entry, News, Outcome, Probe

BUSY_MS = 5000  # how long a connection waits for another that writes
READERS = 4  # connections
ROWS = 64  # that a connection fetches at a time
PRAGMAS = (
    f"busy_timeout = {BUSY_MS}",
    "journal_mode = WAL",
    "synchronous = FULL",  # a commit is on disk when it returns
    "foreign_keys = ON",
    "temp_store = MEMORY",
)
# Changes go in by the dozen, as one statement: between two of them this thread may have to wait for the one that
# answers people. The entries are passed as a JSON array of arrays, in the order of FIELDS; each goes through the
# trigger, which enters only what fits: the table is at the version before, and nothing was done under the same name.
FIELDS = (
    "place",
    "table_id",
    "number",
    "kind",
    "seat",
    "text",
    "move_id",
    "by_bot",
    "at",
    "turn",
    "to_move",
    "back",
    "bot_due",
    "deadline_at",
)
DESK = f"""
CREATE TEMP TABLE outcomes (place INTEGER PRIMARY KEY, revision INTEGER);
CREATE TEMP VIEW entries AS SELECT {", ".join(f"NULL AS {name}" for name in FIELDS)};
CREATE TEMP TRIGGER enter INSTEAD OF INSERT ON entries BEGIN
    UPDATE tables SET version = NEW.number, revision = revision + 1, turn = NEW.turn, to_move = NEW.to_move,
        changed_at = NEW.at, deadline_at = CASE WHEN NEW.to_move IS NOT NULL THEN
            coalesce(min(deadline_at, NEW.deadline_at), deadline_at, NEW.deadline_at) END,
        over_at = CASE WHEN NEW.to_move IS NULL THEN NEW.at END
    WHERE id = NEW.table_id AND version = NEW.number - 1 AND to_move IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM changes WHERE table_id = NEW.table_id AND move_id = NEW.move_id);
    INSERT OR REPLACE INTO outcomes
    SELECT NEW.place, CASE changes() WHEN 1 THEN (SELECT revision FROM tables WHERE id = NEW.table_id) END;
    INSERT INTO changes (table_id, number, kind, seat, text, move_id, by_bot, at)
    SELECT NEW.table_id, NEW.number, NEW.kind, NEW.seat, NEW.text, NEW.move_id, NEW.by_bot, NEW.at
    FROM outcomes WHERE place = NEW.place AND revision IS NOT NULL;
    UPDATE seats SET away = 0, back_at = NEW.at
    WHERE NEW.back AND table_id = NEW.table_id AND number = NEW.seat AND EXISTS (
        SELECT 1 FROM outcomes WHERE place = NEW.place AND revision IS NOT NULL);
    DELETE FROM jobs WHERE table_id = NEW.table_id AND NEW.bot_due IS NULL AND EXISTS (
        SELECT 1 FROM outcomes WHERE place = NEW.place AND revision IS NOT NULL);
    INSERT INTO jobs (table_id, due_at) SELECT NEW.table_id, NEW.bot_due
    FROM outcomes WHERE place = NEW.place AND revision IS NOT NULL AND NEW.bot_due IS NOT NULL
    ON CONFLICT (table_id) DO UPDATE SET due_at = excluded.due_at WHERE due_at <> excluded.due_at;
END;
"""
ENTER = "INSERT INTO entries SELECT {} FROM json_each(?)".format(
    ", ".join(f"value ->> {place}" for place in range(len(FIELDS)))
)
BOTS_WAITING = str(WAITING.compile(dialect=dialect()))
OLDEST_JOB = "SELECT min(due_at) FROM jobs"
ANY_OVERDUE = f"SELECT 1 FROM tables WHERE {schema.WITH_DEADLINE.text} AND deadline_at <= ? LIMIT 1"
OUTCOMES = "SELECT json_group_array(revision) FROM (SELECT revision FROM outcomes WHERE place < ? ORDER BY place)"


def sqlite_url(text: str) -> URL:
    """The address of an SQLite file; BadDatabaseUrl for anything else."""
    try:
        url = make_url(text)
    except ArgumentError:
        raise BadDatabaseUrl(f"{text!r} is not a database URL; write sqlite:///FILE or postgresql://…") from None
    if url.drivername not in ("sqlite", "sqlite+aiosqlite"):
        raise BadDatabaseUrl(
            f"databases of the kind {url.drivername!r} are not supported; write sqlite:///FILE or postgresql://…"
        )
    if not url.database or ":memory:" in url.database:
        raise BadDatabaseUrl("tables have to outlive the process: name a file, as in sqlite:///FILE")
    return url.set(drivername="sqlite+aiosqlite")


class SqliteStore(SqlStore):
    """Tables in one file: one thread writes moves, one connection everything else, and several read."""

    def __init__(self, url: str) -> None:
        self.url = sqlite_url(url)
        self.file = Path(self.url.database or "")
        self.sender = secrets.token_urlsafe(6)
        self.connections: set[StoppableConnection] = set()  # whose threads run
        self.engine = self._engine(1)
        self.readers = self._engine(READERS)
        self.writer = ReportingConnections(TurnTakingWriter(self))
        self.reader = ReportingConnections(self.readers)  # reads one statement at a time, unless it says BEGIN
        self.written: sqlite3.Connection | None = None  # of the thread of the group commit
        self.glance: sqlite3.Connection | None = None  # of the event loop: for what takes microseconds

        @event.listens_for(self.engine.sync_engine, "begin")
        def begun(connection: Any) -> None:
            connection.exec_driver_sql("BEGIN IMMEDIATE")

    def _engine(self, connections: int) -> AsyncEngine:
        return create_async_engine(
            self.url, async_creator=self._connection, pool_size=connections, max_overflow=0, pool_timeout=60
        )

    async def _connection(self) -> aiosqlite.Connection:
        return await StoppableConnection(partial(connect, self.file, CursorClosingConnection), self.connections)

    def now(self) -> datetime:
        return datetime.now(UTC)

    async def open(self) -> None:
        """Make the file and its schema current; DatabaseUnusable says in one line what is wrong."""
        from franchise.server.storage.migrations import make_current

        try:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            probe(self.file)
            async with self.engine.begin() as connection:
                await connection.run_sync(make_current)
            self.written, self.glance = connect(self.file), connect(self.file)
            self.written.executescript(DESK)
            self.group_commit = GroupCommit(self._commit, pause=COMMIT_S)
        except OSError as error:
            raise DatabaseUnusable(f"cannot use the database {self.file}: {error.strerror}") from None
        except (sqlite3.Error, DBAPIError) as error:
            reason = error.orig if isinstance(error, DBAPIError) else error
            raise DatabaseUnusable(f"cannot use the database {self.file}: {reason}") from None

    async def close(self) -> None:
        await returned(self.writer, self.reader)
        if self.group_commit is not None:
            await self.group_commit.close()
            self.group_commit = None
        for connection in (self.written, self.glance):
            if connection is not None:
                connection.close()
        await self.readers.dispose()
        await self.engine.dispose()
        if open_still := [connection.stop() for connection in tuple(self.connections)]:
            await asyncio.wait(open_still)

    @asynccontextmanager
    async def snapshot(self) -> AsyncIterator[AsyncConnection]:
        async with self.reader.connect() as connection:
            await connection.exec_driver_sql("BEGIN")
            yield connection

    async def revision(self, table: str) -> int | None:
        rows = self._glance("SELECT revision FROM tables WHERE id = ?", table)
        return int(rows[0][0]) if rows else None

    async def waiting(self) -> tuple[tuple[str, int], ...]:
        return tuple(self._glance(BOTS_WAITING))

    async def bot_waits(self) -> datetime | None:
        [(since,)] = self._glance(OLDEST_JOB)
        return None if since is None else datetime.fromisoformat(since).replace(tzinfo=UTC)

    async def overdue(self, now: datetime, lease: timedelta) -> tuple[str, ...]:
        return await super().overdue(now, lease) if self._glance(ANY_OVERDUE, moment(now)) else ()

    def _glance(self, statement: str, *values: str | None) -> list[Any]:
        """What takes microseconds to read, without changing threads."""
        assert self.glance is not None
        try:
            return self.glance.execute(statement, values).fetchall()
        except sqlite3.DatabaseError as error:
            TROUBLES.note(NotRead.code, error)
            raise NotRead from error

    async def news(self, asked: Sequence[tuple[str, int]]) -> list[News | None]:
        t, c = schema.tables, schema.changes
        answers: list[News | None] = []
        async with self.snapshot() as connection:
            for table, version in asked:
                revision = await connection.scalar(select(t.c.revision).where(t.c.id == table))
                later = select(c).where(c.c.table_id == table, c.c.number > version).order_by(c.c.number)
                changes = tuple(stored_change(change) for change in await connection.execute(later))
                answers.append(None if revision is None else News(revision, changes))
        return answers

    # --- changes, written by the thread of the group commit ---

    def append(self, entry: Entry, done: Callable[[Outcome], None]) -> None:
        assert self.group_commit is not None
        self.group_commit.put(entry, done)

    def _commit(self, asked: Sequence[Entry | Probe]) -> list[Outcome]:
        entries = [entry for entry in asked if isinstance(entry, Entry)]
        outcomes = iter(self._enter(entries))
        return [next(outcomes) if isinstance(entry, Entry) else self._probe() for entry in asked]

    def _probe(self) -> Outcome:
        """Write a heartbeat after a trial write; DatabaseUnusable if the schema is a different one."""
        assert self.written is not None
        now = datetime.now(UTC)
        try:
            try_to_write(self.file)
            [(step,)] = self.written.execute("SELECT version_num FROM alembic_version").fetchall()
            self.written.execute("INSERT OR REPLACE INTO servers VALUES (?, ?)", (self.sender, moment(now)))
            self.written.execute("DELETE FROM servers WHERE seen_at < ?", (moment(now - FORGOTTEN),))
        except sqlite3.Error as error:
            return unwritten(error)
        return 0 if step == NEWEST else DatabaseUnusable(f"the schema is {step}, and not {NEWEST}")

    def _enter(self, entries: Sequence[Entry]) -> list[Outcome]:
        """Write changes in one transaction; one that does not fit does not touch the others."""
        if not entries:
            return []
        assert self.written is not None
        asked = orjson.dumps([row(place, entry) for place, entry in enumerate(entries)]).decode()
        try:
            self.written.execute(ENTER, (asked,))
            [(encoded,)] = self.written.execute(OUTCOMES, (len(entries),)).fetchall()
        except sqlite3.Error as error:
            return [unwritten(error)] * len(entries)
        return [Conflict() if revision is None else revision for revision in orjson.loads(encoded)]


class StoppableConnection(aiosqlite.Connection):
    """A connection in a thread that may be stopped more than once, and is known until the thread has ended.

    If a request is cancelled while it reads, SQLAlchemy closes its connection, and if it is cancelled again meanwhile,
    SQLAlchemy stops the connection too. Whoever closes it would then wait for a thread that has already ended, for
    ever: such a server could not stop. If it is cancelled while it connects, both forget the connection, and its file
    would stay open.
    """

    def __init__(self, connector: Callable[[], sqlite3.Connection], connections: "set[StoppableConnection]") -> None:
        super().__init__(self._connect_to_file, ROWS)
        self._thread.daemon = True
        self.connector = connector
        self.connected: sqlite3.Connection | None = None
        self.stopping: asyncio.Future[Any] | None = None
        self.connections = connections
        connections.add(self)

    def _connect_to_file(self) -> sqlite3.Connection:
        self.connected = self.connector()
        return self.connected

    def _disconnect(self) -> None:
        if self.connected is not None:
            self.connected.close()

    def stop(self) -> "asyncio.Future[Any]":
        if self.stopping is None:
            self._tx.put_nowait((None, self._disconnect))
            stopping = super().stop()
            assert stopping is not None  # there is an event loop
            stopping.add_done_callback(lambda _: self.connections.discard(self))
            self.stopping = stopping
        return self.stopping


class CursorClosingConnection(sqlite3.Connection):
    """A connection whose cursors, as SQLAlchemy makes them, end with it.

    SQLite keeps a file open, and what was being read locked, as long as a statement is unfinished. The cursor of a
    request that was cancelled while it read is in a cycle of frames, until Python looks for garbage.
    """

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self.cursors: WeakSet[sqlite3.Cursor] = WeakSet()

    def cursor(self, *arguments: Any, **more: Any) -> Any:
        cursor = super().cursor(*arguments, **more)
        self.cursors.add(cursor)
        return cursor

    def close(self) -> None:
        while self.cursors:
            self.cursors.pop().close()
        super().close()


class TurnTakingWriter:
    """The connection that writes everything except moves, when group commit grants it a turn."""

    def __init__(self, store: SqliteStore) -> None:
        self.store = store

    @asynccontextmanager
    async def begin(self) -> AsyncIterator[AsyncConnection]:
        assert self.store.group_commit is not None
        async with self.store.group_commit.turn(), self.store.engine.begin() as connection:
            yield connection

    def connect(self) -> AbstractAsyncContextManager[AsyncConnection]:
        return self.store.engine.connect()


def connect(file: Path, kind: type[sqlite3.Connection] = sqlite3.Connection) -> sqlite3.Connection:
    """A connection without SQLAlchemy, for what is done often."""
    connection = sqlite3.connect(
        file, timeout=BUSY_MS / 1000, isolation_level=None, check_same_thread=False, factory=kind
    )
    for pragma in PRAGMAS:
        connection.execute(f"PRAGMA {pragma}")
    return connection


def row(place: int, entry: Entry) -> tuple[Any, ...]:
    """An entry in the order of FIELDS."""
    change = entry.change
    made = (change.version, change.kind, change.seat, change.text, change.move_id, change.by_bot, moment(change.at))
    due = moment(entry.due.bot), moment(entry.due.deadline)
    return (place, entry.table, *made, entry.turn, entry.to_move, entry.back, *due)


def moment(at: datetime | None) -> str | None:
    """A time as SQLAlchemy writes it into an SQLite file."""
    return None if at is None else at.astimezone(UTC).replace(tzinfo=None).isoformat(" ", "microseconds")


def try_to_write(file: Path) -> None:
    """Write to the disk and roll back: sqlite3.Error if it is full or pages are damaged.

    Without a cache to hold them, pages go to the write-ahead log before the end of the transaction.
    """
    with closing(connect(file)) as connection:
        connection.execute("PRAGMA cache_size = 1")
        connection.execute("PRAGMA cache_spill = 1")
        connection.execute("BEGIN IMMEDIATE")
        try:
            for statement in TRIAL:
                connection.execute(statement)
        finally:
            if connection.in_transaction:  # SQLite has rolled back by itself where its file failed it
                connection.execute("ROLLBACK")


def probe(file: Path) -> None:
    """Try to write, before threads and connections are set up for it; sqlite3.Error says what is wrong."""
    with closing(sqlite3.connect(file, timeout=BUSY_MS / 1000, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("ROLLBACK")
