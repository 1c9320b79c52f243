"""Tables in a PostgreSQL database, for any number of servers and workers on any number of machines.

The schema is created by `franchise db upgrade`. A lost connection is reopened and the write retried; a change that had
been written after all is found by its version and its move_id, so it is stored only once.
"""

import asyncio
import logging
import secrets
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from datetime import datetime, timedelta
from functools import partial
from itertools import islice
from typing import Any, TypeVar

import psycopg
from sqlalchemy import func, select
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from franchise.server.settings import CONNECTIONS
from franchise.server.storage.database import TROUBLES, ReportingConnections, error_line, returned
from franchise.server.storage.database_clock import DatabaseClock
from franchise.server.storage.group_commit import COMMIT_S, GroupCommit
from franchise.server.storage.migrations import NEWEST
from franchise.server.storage.sql_store import FORGOTTEN, TRIAL, SqlStore, unwritten
from franchise.server.tables.errors import BadDatabaseUrl, DatabaseUnusable, NotRead, NotWritten
from franchise.server.tables.stored import Conflict, Entry, News, Outcome, Probe
from franchise.server.tables.table import Change

LATEST = 2**31 - 1  # greater than any version
PATIENCE_S = 15.0  # for a database that does not answer: a restart takes less
PAUSE_S = 0.2  # between two attempts
CONNECT_S = 5  # seconds for a connection
POOL_S = 5.0  # seconds for one of those that are lent
LOCK_S = 3.0  # for a row that is locked
STATEMENT_S = 10.0
IDLE_S = 10.0  # within a transaction: an idle one blocks others
APPEND_LOCK_S = 0.5  # the same for changes, of which many wait together
LOCKED_S = 5.0  # a change is retried while its table is locked
LOCKED_PAUSE_S = 0.02
RETRIED = ("40001", "40P01")  # SQLSTATE of transactions that stood in each other's way
# A machine that is gone is noticed by its silence.
KEEPALIVE: dict[str, Any] = {
    "connect_timeout": CONNECT_S, "keepalives_idle": 5, "keepalives_interval": 3, "keepalives_count": 3,
    "tcp_user_timeout": 15_000,
}  # fmt: skip
CHANNEL = "franchise"  # of notices
NOTIFY = "SELECT pg_notify(%s, %s)"
SIGN_OF_LIFE = """
INSERT INTO servers VALUES (%s, now()) ON CONFLICT (name) DO UPDATE SET seen_at = excluded.seen_at
"""
PAYLOAD = 7000  # bytes of a notice; PostgreSQL takes less than 8000
# Changes of different tables go in together. Left out are tables at another version, those where the move was made
# before, and those that somebody else holds: nobody waits for them but their own change, which is tried again.
# Most moves change no column that an index has: a deadline stays where it is not later than the new one, and a bot's
# turn is a row of its own.
COLUMNS = {
    "place": "int",
    "table_id": "text",
    "number": "int",
    "kind": "text",
    "seat": "int",
    "text": "text",
    "move_id": "text",
    "by_bot": "boolean",
    "at": "timestamptz",
    "turn": "int",
    "to_move": "int",
    "back": "boolean",
    "bot_due": "timestamptz",
    "deadline_at": "timestamptz",
}
APPEND = f"""
WITH asked AS (
    SELECT * FROM unnest({", ".join(f"%s::{kind}[]" for kind in COLUMNS.values())}) AS asked ({", ".join(COLUMNS)})
), locked AS MATERIALIZED (
    SELECT id FROM tables JOIN asked ON id = asked.table_id
    WHERE version = asked.number - 1 AND tables.to_move IS NOT NULL AND NOT EXISTS (
        SELECT FROM changes WHERE changes.table_id = asked.table_id AND changes.move_id = asked.move_id)
    ORDER BY id FOR UPDATE OF tables SKIP LOCKED
), advanced AS (
    UPDATE tables SET version = asked.number, revision = revision + 1, turn = asked.turn, to_move = asked.to_move,
        changed_at = asked.at,
        deadline_at = CASE WHEN asked.to_move IS NOT NULL THEN least(tables.deadline_at, asked.deadline_at) END,
        over_at = CASE WHEN asked.to_move IS NULL THEN asked.at END
    FROM asked JOIN locked ON locked.id = asked.table_id WHERE tables.id = locked.id
    RETURNING asked.*, revision
), returned AS (
    UPDATE seats SET away = false, back_at = advanced.at FROM advanced
    WHERE advanced.back AND seats.table_id = advanced.table_id AND seats.number = advanced.seat
), begun AS (
    INSERT INTO jobs (table_id, due_at) SELECT table_id, bot_due FROM advanced
    WHERE bot_due IS NOT NULL AND NOT EXISTS (
        SELECT FROM jobs WHERE jobs.table_id = advanced.table_id AND jobs.due_at = advanced.bot_due)
    ON CONFLICT (table_id) DO UPDATE SET due_at = excluded.due_at
), finished AS (
    DELETE FROM jobs USING advanced WHERE jobs.table_id = advanced.table_id AND advanced.bot_due IS NULL
), inserted AS (
    INSERT INTO changes (table_id, number, kind, seat, text, move_id, by_bot, at)
    SELECT table_id, number, kind, seat, text, move_id, by_bot, at FROM advanced
)
SELECT place, revision FROM advanced
"""
LOCKED = """
SELECT asked.place FROM unnest(%s::int[], %s::text[], %s::int[], %s::text[]) AS asked (place, table_id, number, move_id)
JOIN tables ON id = asked.table_id
WHERE version = asked.number - 1 AND to_move IS NOT NULL AND NOT EXISTS (
    SELECT FROM changes WHERE changes.table_id = asked.table_id AND changes.move_id = asked.move_id)
"""
NEWS = """
SELECT asked.place, tables.revision, changes.number, changes.kind, changes.seat, changes.text, changes.at,
    changes.move_id, changes.by_bot
FROM unnest(%s::text[], %s::int[]) WITH ORDINALITY AS asked (id, version, place)
JOIN tables ON tables.id = asked.id
LEFT JOIN changes ON changes.table_id = asked.id AND changes.number > asked.version
ORDER BY asked.place, changes.number
"""
# Some rows of tables that may be long, all by their keys; without knowing how many there will be, PostgreSQL would read
# whole tables to join them.
BY_KEY = "SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off"
Done = TypeVar("Done")
log = logging.getLogger(__name__)


def postgres_url(text: str) -> URL:
    """The address of a PostgreSQL database; BadDatabaseUrl for anything else."""
    try:
        url = make_url(text)
    except ArgumentError:
        raise BadDatabaseUrl(f"{text!r} is not a database URL; write postgresql://USER@HOST/DATABASE") from None
    return url.set(drivername="postgresql+psycopg")


def conninfo(url: URL) -> str:
    """The same in psycopg's form."""
    return url.set(drivername="postgresql").render_as_string(hide_password=False)


def shown(url: URL) -> str:
    """The same without the password."""
    return url.set(drivername="postgresql").render_as_string()


def encoded(table: str, kind: str, revision: int | None = None) -> str:
    """The notice for other processes."""
    return f"{table}:{kind}:{'' if revision is None else revision}"


def payload(sender: str, notices: Iterable[str]) -> tuple[str, int]:
    """As many notices as fit into one payload, after the name of the sender; and their number."""
    words, length = [sender], len(sender)
    for word in notices:
        length += 1 + len(word)
        if length > PAYLOAD:
            break
        words.append(word)
    return " ".join(words), len(words) - 1


class PostgresStore(SqlStore):
    """Tables in a PostgreSQL database."""

    def __init__(self, url: str, connections: int = CONNECTIONS) -> None:
        self.url = postgres_url(url)
        self.sender = secrets.token_urlsafe(6)
        self.clock = DatabaseClock()
        self.now = self.clock.__call__
        self.engine: AsyncEngine = create_async_engine(
            self.url, pool_size=connections, max_overflow=0, pool_timeout=POOL_S, pool_pre_ping=True,
            connect_args=session(LOCK_S),
        )  # fmt: skip
        self.writer = ReportingConnections(self.engine)
        self.reader = ReportingConnections(self.engine.execution_options(isolation_level="AUTOCOMMIT"))
        self.snapshots = ReportingConnections(self.engine.execution_options(isolation_level="REPEATABLE READ"))
        self.group_read: GroupCommit[Sequence[tuple[str, int]], list[News | None]] | None = None
        self.write_connection = ThreadConnection(self.url, APPEND_LOCK_S)
        self.read_connection = ThreadConnection(self.url, LOCK_S)

    async def open(self) -> None:
        """DatabaseUnusable says in one line what is wrong, or that the schema is to be upgraded first."""
        from franchise.server.storage.migrations import check

        try:
            async with self.engine.connect() as connection:
                await connection.run_sync(check)
                await self._set_clock(connection)
        except (DBAPIError, OSError) as error:
            raise DatabaseUnusable(f"cannot use the database {shown(self.url)}: {error_line(error)}") from None
        self.group_commit = GroupCommit(self._commit, pause=COMMIT_S)
        self.group_read = GroupCommit(self._news, "news")

    async def upgrade(self) -> None:
        """Carry out the migrations the database lacks."""
        from franchise.server.storage.migrations import upgrade

        try:
            async with self.engine.begin() as connection:
                await connection.exec_driver_sql("SET LOCAL statement_timeout = 0")
                await connection.exec_driver_sql("SET LOCAL lock_timeout = 0")
                await connection.exec_driver_sql("SELECT pg_advisory_xact_lock(5417)")  # one at a time
                await connection.run_sync(upgrade)
        except (DBAPIError, OSError) as error:
            raise DatabaseUnusable(f"cannot use the database {shown(self.url)}: {error_line(error)}") from None

    async def close(self) -> None:
        await returned(self.writer, self.reader, self.snapshots)
        for group in (self.group_commit, self.group_read):
            if group is not None:
                await group.close()
        self.group_commit = self.group_read = None
        self.write_connection.close()
        self.read_connection.close()
        await self.engine.dispose()

    def snapshot(self) -> AbstractAsyncContextManager[AsyncConnection]:
        return self.snapshots.connect()

    async def overdue(self, now: datetime, lease: timedelta) -> tuple[str, ...]:
        async with self.reader.connect() as connection:
            await self._set_clock(connection)
        return await super().overdue(now, lease)

    @property
    def clock_off(self) -> float:
        return self.clock.off

    async def _set_clock(self, connection: AsyncConnection) -> None:
        asked = time.monotonic()
        self.clock.set((await connection.execute(select(func.clock_timestamp()))).scalar_one(), asked)

    async def revision(self, table: str) -> int | None:
        [news] = await self.news([(table, LATEST)])
        return None if news is None else news.revision

    # --- changes, written by the thread of the group commit ---

    def append(self, entry: Entry, done: Callable[[Outcome], None]) -> None:
        loop = asyncio.get_running_loop()
        until = loop.time() + LOCKED_S

        def put() -> None:
            if self.group_commit is None:
                done(NotWritten())
            else:
                self.group_commit.put(entry, acknowledge)

        def acknowledge(outcome: Outcome) -> None:
            if not isinstance(outcome, TableLocked):
                done(outcome)
            elif loop.time() < until:
                loop.call_later(LOCKED_PAUSE_S, put)
            else:
                done(unwritten(outcome))

        put()

    def _commit(self, asked: Sequence[Entry | Probe]) -> list[Outcome]:
        entries = [entry for entry in asked if isinstance(entry, Entry)]
        outcomes = iter(self._enter(entries) if entries else ())
        return [next(outcomes) if isinstance(entry, Entry) else self._probe() for entry in asked]

    def _probe(self) -> Outcome:
        """Write a heartbeat after a trial write; DatabaseUnusable if the schema is a different one."""

        def write(connection: psycopg.Connection[Any]) -> str:
            with connection.transaction(force_rollback=True):
                for statement in TRIAL:
                    connection.execute(statement)
            connection.execute(SIGN_OF_LIFE, (self.sender,))
            connection.execute("DELETE FROM servers WHERE seen_at < now() - %s", (FORGOTTEN,))
            [(step,)] = connection.execute("SELECT version_num FROM alembic_version").fetchall()
            return str(step)

        try:
            step = self.write_connection.use(write)
        except psycopg.Error as error:
            return unwritten(error)
        return 0 if step == NEWEST else DatabaseUnusable(f"the schema is {step}, and not {NEWEST}")

    def _enter(self, entries: Sequence[Entry]) -> list[Outcome]:
        """Write changes in one transaction; one that does not fit does not touch the others."""
        try:
            outcomes = self.write_connection.use(partial(write, entries))
        except (psycopg.errors.LockNotAvailable, psycopg.errors.QueryCanceled) as error:
            if len(entries) > 1:  # one of them is in the way of all
                return [outcome for entry in entries for outcome in self._enter([entry])]
            TROUBLES.note(TableLocked.code, error)
            return [TableLocked()]
        except psycopg.Error as error:
            return [unwritten(error)] * len(entries)
        self._tell(
            [
                encoded(entry.table, entry.change.kind, revision)
                for entry, revision in zip(entries, outcomes, strict=True)
                if isinstance(revision, int)
            ]
        )
        return outcomes

    def _tell(self, notices: list[str]) -> None:
        """Notify the other processes of changes immediately: the next move may go to one of them."""
        connection = self.write_connection.connection
        try:
            while notices and connection is not None:
                text, count = payload(self.sender, notices)
                connection.execute(NOTIFY, (CHANNEL, text))
                notices = notices[count:]
        except psycopg.Error as error:
            TROUBLES.note("other servers were not told of changes, and will look for them", error)

    # --- what others wrote, read by another thread ---

    def news(self, asked: Sequence[tuple[str, int]]) -> "asyncio.Future[list[News | None]]":
        assert self.group_read is not None
        return self.group_read.ask(asked)

    def _news(self, questions: Sequence[Sequence[tuple[str, int]]]) -> list[list[News | None] | Exception]:
        """Answer several queries at once."""
        tables = [table for asked in questions for table, _ in asked]
        versions = [version for asked in questions for _, version in asked]
        try:
            rows = self.read_connection.use(lambda connection: connection.execute(NEWS, (tables, versions)).fetchall())
        except psycopg.Error as error:
            TROUBLES.note(NotRead.code, error)
            return [NotRead()] * len(questions)
        revisions: dict[int, int] = {}
        changes: dict[int, list[Change]] = {}
        for place, revision, number, *rest in rows:
            revisions[place] = revision
            if number is not None:
                changes.setdefault(place, []).append(Change(number, *rest))
        answers = [
            News(revisions[place], tuple(changes.get(place, ()))) if place in revisions else None
            for place in range(1, len(tables) + 1)
        ]
        following = iter(answers)
        return [list(islice(following, len(asked))) for asked in questions]


class TableLocked(Exception):  # noqa: N818 - not an error of ours
    """The table is locked; the change is retried."""

    code = "table_locked"

    def __init__(self) -> None:
        super().__init__("somebody else holds the table")


def session(lock_s: float) -> dict[str, Any]:
    """The settings of a connection: nothing on it waits for ever."""
    limits = {"lock_timeout": lock_s, "statement_timeout": STATEMENT_S, "idle_in_transaction_session_timeout": IDLE_S}
    options = " ".join(f"-c {name}={1000 * seconds:.0f}" for name, seconds in limits.items())
    return {**KEEPALIVE, "options": options}


def write(entries: Sequence[Entry], connection: psycopg.Connection[Any]) -> list[Outcome]:
    """The new revisions; Conflict for changes that do not fit, TableLocked for locked tables."""
    groups = apart(entries)
    revisions: dict[int, int] = {}
    with connection.transaction() if len(groups) > 1 else nullcontext():  # one statement is one by itself
        for group in groups:
            revisions.update(connection.execute(APPEND, group).fetchall())
    left = [place for place in range(len(entries)) if place not in revisions]
    locked: set[int] = set()
    if left:
        changes = [entries[place].change for place in left]
        asked = (
            left,
            [entries[place].table for place in left],
            [change.version for change in changes],
            [change.move_id for change in changes],
        )
        locked = {place for (place,) in connection.execute(LOCKED, asked).fetchall()}
    return [
        revisions[place] if place in revisions else TableLocked() if place in locked else Conflict()
        for place in range(len(entries))
    ]


class ThreadConnection:
    """A connection of one thread, opened on use and reopened after it was lost."""

    def __init__(self, url: URL, lock_s: float) -> None:
        self.conninfo = conninfo(url)
        self.session = session(lock_s)
        self.connection: psycopg.Connection[Any] | None = None

    def use(self, work: Callable[[psycopg.Connection[Any]], Done]) -> Done:
        """Do some work; retry for a limited time if the connection is lost."""
        until = time.monotonic() + PATIENCE_S
        while True:
            try:
                if self.connection is None or self.connection.closed:
                    self.connection = psycopg.connect(self.conninfo, autocommit=True, **self.session)
                    self.connection.execute(BY_KEY)
                return work(self.connection)
            except psycopg.OperationalError as error:
                alive = self.connection is not None and not self.connection.closed
                if time.monotonic() > until or (alive and error.sqlstate not in RETRIED):
                    raise
                if alive:
                    continue
                TROUBLES.note("the connection to the database was lost and is opened again", error)
                self.close()
                time.sleep(PAUSE_S)

    def close(self) -> None:
        if self.connection is not None:
            self.connection.close()
            self.connection = None


def apart(entries: Sequence[Entry]) -> list[list[list[Any]]]:
    """Entries as values of COLUMNS, in groups without two of one table: the later sees the earlier."""
    groups: list[dict[str, tuple[Any, ...]]] = [{}]
    for place, entry in enumerate(entries):
        if entry.table in groups[-1]:
            groups.append({})
        change = entry.change
        made = (change.version, change.kind, change.seat, change.text, change.move_id, change.by_bot, change.at)
        due = entry.due.bot, entry.due.deadline
        groups[-1][entry.table] = (place, entry.table, *made, entry.turn, entry.to_move, entry.back, *due)
    return [[list(column) for column in zip(*group.values(), strict=True)] for group in groups]
