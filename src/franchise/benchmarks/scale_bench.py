"""The figures of `franchise bench --scale`: a server over a database with very many games.

Finished games are in the archive, as they are after some weeks; every running game has a clock, and
none is due. The database itself makes all rows from one real game.
"""

import asyncio
import random
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import text

from franchise.benchmarks.figures import Figure
from franchise.benchmarks.kill_test import upgraded
from franchise.benchmarks.persistent_players import ContestedTable, PersistentClient, RequestCounts
from franchise.benchmarks.scripted_players import Server, Tell, settled
from franchise.benchmarks.server_process import LoadError, Process
from franchise.benchmarks.temporary_postgres import TemporaryPostgres
from franchise.bots import preparation
from franchise.game import Game
from franchise.server.storage.archive import packed
from franchise.server.storage.sql_store import opened
from franchise.server.storage.sqlite_store import SqliteStore
from franchise.server.tables.clocks import LEASE
from franchise.server.tables.table import Change
from franchise.server.wiring import store_of

PLAYERS = 3
AT_ONCE = 50_000  # games in one statement
TRIES = 25  # of a question
MOVES = 60
START_LIMIT_S, IDLE_LIMIT, PICKUP_LIMIT_MS, BYTES_LIMIT = 3.0, 2.0, 1.0, 3000


@dataclass(frozen=True)
class ScalePlan:
    """The number of games, and how long to watch."""

    games: int  # that are over
    running: int  # with a clock
    seconds: float  # an idle server is watched
    postgres: bool


def measure(plan: ScalePlan, tell: Tell) -> list[Figure]:
    return asyncio.run(measured(plan, tell))


async def measured(plan: ScalePlan, tell: Tell) -> list[Figure]:
    """Fill a temporary database, and measure a server over it."""
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        if plan.postgres:
            tell("starting PostgreSQL")
            cluster = await asyncio.to_thread(TemporaryPostgres)
            stack.push_async_callback(asyncio.to_thread, cluster.remove)
            database = cluster.url
            await upgraded(database)
        else:
            database = f"sqlite:///{folder}/franchise.db"
        began = time.perf_counter()
        size = await filled(database, plan, tell)
        took = time.perf_counter() - began
        tell("asking the database")
        questions = await asked(database)
        server = Process(folder, "server", "serve", "--no-browser", "--port", "0", "--database", database)
        stack.push_async_callback(server.stop)
        tell("starting a server")
        await asyncio.to_thread(preparation.prepare, True)  # a start does not compile
        began = time.perf_counter()
        await server.start()
        start = time.perf_counter() - began
        process = Server(server.address, server.pid)  # type: ignore[arg-type]
        tell("watching an idle server")
        await settled(process)
        before = process.processor_s
        await asyncio.sleep(plan.seconds)
        after = process.processor_s
        idle = None if before is None or after is None else round(100 * (after - before) / plan.seconds, 2)
        tell("playing")
        moves = await played(server)
        return [
            figure("scale_fill", "filling the database", round(took, 1), "s"),
            figure("scale_bytes", "bytes of a game in the archive", round(size), "bytes", BYTES_LIMIT),
            figure("scale_start", "start of a server", round(start, 2), "s", START_LIMIT_S),
            figure("scale_idle", "processor time of an idle server", idle, "% of a core", IDLE_LIMIT),
            *(
                figure(f"scale_{key}", words, round(ms, 3), "ms", PICKUP_LIMIT_MS if key == "pickup" else None)
                for key, (words, ms) in questions.items()
            ),
            figure("scale_move", "a move, from request to answer (median)", round(moves, 2), "ms"),
            figure("scale_memory", "memory of the server", process.memory_mb, "MB"),
        ]


def figure(key: str, words: str, value: float | None, unit: str, limit: float | None = None) -> Figure:
    return Figure(key, words, {"value": value}, unit, limit)


# --- filling ---


async def filled(database: str, plan: ScalePlan, tell: Tell) -> float:
    """Make the rows; returns the bytes of an archived game."""
    whole, blob = example()
    async with opened(store_of(database)) as store:
        now = store.now()
        sqlite = isinstance(store, SqliteStore)
        common = {
            "record": whole.at(0).to_text(),
            "now": now,
            "version": len(whole.actions),
            "blob": blob,
            "deadline": now + timedelta(days=30),
        }
        empty = await size_of(store, sqlite)
        for first in range(0, plan.games, AT_ONCE):
            tell(f"{first:,} of {plan.games:,} games")
            values = common | {"first": first, "last": min(first + AT_ONCE, plan.games) - 1}
            await execute(store, statements(sqlite, "f", over=True), values)
        size = (await size_of(store, sqlite) - empty) / max(1, plan.games)
        for first in range(0, plan.running, AT_ONCE):
            values = common | {"first": first, "last": min(first + AT_ONCE, plan.running) - 1}
            await execute(store, statements(sqlite, "r", over=False), values)
        async with store.writer.begin() as connection:  # type: ignore[attr-defined]
            await connection.execute(text("ANALYZE"))
    return size


def example() -> tuple[Game, bytes]:
    """A real game, and its changes as the archive has them."""
    game, chance = Game(PLAYERS, 1), random.Random(1)
    while not game.over:
        game.play(chance.choice(game.legal_actions()))
    at = began = datetime(2030, 1, 1, tzinfo=UTC)
    changes = []
    for number, action in enumerate(game.actions, 1):
        at += timedelta(milliseconds=number * 104729 % 60_000)
        changes.append(Change(number, "move", number % PLAYERS, str(action), at))
    return game, packed(changes, began)


def statements(sqlite: bool, letter: str, over: bool) -> list[str]:
    """Tables, their seats, and the archive, for numbers from :first to :last."""
    numbers = (
        "WITH RECURSIVE n (i) AS (SELECT :first UNION ALL SELECT i + 1 FROM n WHERE i < :last)"
        if sqlite
        else "WITH n (i) AS (SELECT generate_series(CAST(:first AS int), CAST(:last AS int)))"
    )
    name = f"'{letter}' || " + ("printf('%011x', i)" if sqlite else "lpad(to_hex(i), 11, '0')")
    options = '{"introductory": false, "expert": null, "milestones": false, "boom": false, "regions": null}'
    quoted = f"'{options}'".replace(":", r"\:")
    public = "i % 2 = 0"
    end = ":now" if over else "NULL"
    texts = [
        f"{numbers} INSERT INTO tables (id, record, version, revision, public, options, seed, clock, minutes, "
        "increment, hours, vacation, turn, to_move, over_at, deadline_at, free_seats, settled, archived, created_at, "
        "changed_at) "
        f"SELECT {name}, :record, {':version' if over else '0'}, 0, {public}, {quoted}, i, 'daily', 0, 0, 24, 3, 0, "
        f"{'NULL' if over else '2'}, {end}, {'NULL' if over else ':deadline'}, 0, true, {'true' if over else 'false'}, "
        ":now, :now FROM n",
        f"{numbers} INSERT INTO seats (table_id, number, kind, name, away, holder_hash, taken_at) "
        f"SELECT {name}, s.number, 'human', 'Player', false, 'holder ' || (i % 1000), :now FROM n, "
        "(SELECT 0 AS number UNION ALL SELECT 1 UNION ALL SELECT 2) s",
    ]
    if over:
        texts.append(f"{numbers} INSERT INTO archives (table_id, changes) SELECT {name}, :blob FROM n")
    return texts


async def execute(store: Any, texts: list[str], values: dict[str, Any]) -> None:
    async with store.writer.begin() as connection:
        if not isinstance(store, SqliteStore):
            await connection.execute(text("SET LOCAL statement_timeout = 0"))
        for statement in texts:
            clause = text(statement)
            await connection.execute(clause, {name: values[name] for name in clause._bindparams})


async def size_of(store: Any, sqlite: bool) -> float:
    """Bytes of the database."""
    async with store.writer.begin() as connection:
        if sqlite:
            return float(store.file.stat().st_size + Path(f"{store.file}-wal").stat().st_size)
        return float((await connection.execute(text("SELECT pg_database_size(current_database())"))).scalar_one())


# --- asking ---


async def asked(database: str) -> dict[str, tuple[str, float]]:
    """The frequent queries of servers, with their median time in milliseconds."""
    async with opened(store_of(database)) as store:
        pickup = timed(store.waiting) if isinstance(store, SqliteStore) else leases(database)
        return {
            "pickup": ("bots that are to move", await pickup),
            "clocks": ("clocks whose time is up", await timed(lambda: store.overdue(store.now(), LEASE))),
            "open_tables": ("the list of tables to join", await timed(store.open_tables)),
            "live_tables": ("the list of tables to watch", await timed(store.live_tables)),
            "finished": ("the newest thousand games", await timed(lambda: store.finished(1000))),
        }


async def leases(database: str) -> float:
    """Taking bots' turns, as the servers and workers of a PostgreSQL database do."""
    import psycopg

    from franchise.server.storage.postgres_store import conninfo, postgres_url
    from franchise.server.thinking.postgres_jobs import LEASE_S, TAKE

    values = {"free": 1, "worker": "bench", "lease": LEASE_S, "damaged": []}
    address = conninfo(postgres_url(database))
    async with await psycopg.AsyncConnection.connect(address, autocommit=True) as connection:
        return await timed(lambda: connection.execute(TAKE, values))


async def timed(question: Callable[[], Awaitable[Any]]) -> float:
    took = []
    for _ in range(TRIES):
        began = time.perf_counter()
        await question()
        took.append(1000 * (time.perf_counter() - began))
    return statistics.median(took)


async def played(server: Process) -> float:
    """The median milliseconds of a move at new tables; raises LoadError."""
    if server.address is None:
        raise LoadError("the server does not say where it is")
    caller = PersistentClient([server.address], random.Random(1), RequestCounts())
    try:
        table = await ContestedTable.open(caller, bot=False)
        took: list[float] = []
        while len(took) < MOVES:
            if table.game.over:
                table = await ContestedTable.open(caller, bot=False)
            began = time.perf_counter()
            await table.step()
            took.append(1000 * (time.perf_counter() - began))
        return statistics.median(took)
    finally:
        await caller.close()
