"""The test of `franchise storm`: scripted players play while servers are killed, then everything is compared.

A kill is SIGKILL at a random moment, and a restart over the same database. The server is also frozen for a while, and
somebody else locks its SQLite file. With --postgres there are two servers, two workers and a PostgreSQL of our own;
workers are killed and frozen too, connections are cut, PostgreSQL itself is restarted and frozen, and a table's row is
locked by somebody else. The clock of one of the servers is ahead by more than people have for a game.
"""

import asyncio
import os
import random
import signal
import sqlite3
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlalchemy import create_engine, select

from franchise.benchmarks.persistent_players import ContestedTable, PersistentClient, RequestCounts
from franchise.benchmarks.scripted_players import Tell, gathered
from franchise.benchmarks.server_process import LoadError, Process
from franchise.benchmarks.temporary_postgres import TemporaryPostgres
from franchise.server.storage import schema

CALM_S = (0.3, 2.0)  # between a restart, after which moves were acknowledged again, and the next kill
DOWN_S = (0.0, 0.5)  # before what was killed is started again
FROZEN_S = (1.0, 6.0)  # before a frozen process continues
AHEAD_MIN = 35  # minutes by which one server's clock is ahead
SKEW = """
import datetime, time
real = time.time
class Skewed(datetime.datetime):
    @classmethod
    def now(cls, tz=None):
        return cls.fromtimestamp(time.time(), tz)
time.time = lambda: real() + {seconds}
datetime.datetime = Skewed
"""
LATE_S = 30.0  # for streams to deliver the last versions
Fault = Callable[[], Awaitable[None]]


@dataclass(frozen=True)
class KillPlan:
    """How long and how hard to test."""

    kills: int
    tables: int  # played concurrently
    pace: float  # seconds between two moves at a table, on average
    seed: int
    postgres: bool


@dataclass
class KillReport:
    """What happened, and what went wrong."""

    kills: Counter[str]
    tables: int
    seconds: float
    tally: RequestCounts
    changes: int  # in the database
    problems: list[str] = field(default_factory=list)

    def lines(self) -> list[str]:
        killed = ", ".join(f"{number} {kind}" for kind, number in sorted(self.kills.items()))
        t, total = self.tally, self.kills.total()
        first = [
            f"{total} {'kill' if total == 1 else 'kills'} in {self.seconds:.0f} s: {killed}",
            f"{self.tables} tables, {self.changes:,} changes, {t.acknowledged:,} acknowledged moves of people",
            f"{t.lost:,} requests without an answer and {t.unavailable:,} that were told to wait were repeated; "
            f"the longest wait was {t.longest_s:.1f} s; {t.broken:,} streams were resumed",
        ]
        good = (
            "every acknowledged move is stored once, every record verifies, every stream is complete, "
            "every table continues"
        )
        return [*first, *(self.problems or [good])]


async def run_kill_test(plan: KillPlan, tell: Tell) -> KillReport:
    """Play, kill, and compare."""
    running = asyncio.current_task()
    assert running is not None
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, running.cancel)  # so that no server is left behind
    chance = random.Random(plan.seed)
    async with started(plan, tell) as targets:
        return await KillTest(plan, targets, chance, tell).run()


# --- what can be killed ---


@dataclass(frozen=True)
class KillTargets:
    """Servers over a database, and everything else that runs."""

    database: str
    servers: Sequence[Process]
    workers: Sequence[Process] = ()
    cluster: TemporaryPostgres | None = None

    def faults(self, chance: random.Random) -> dict[str, Fault]:
        """The faults that can be caused; each returns when everything runs again."""

        def killing(processes: Sequence[Process]) -> Fault:
            async def kill() -> None:
                process = chance.choice(processes)
                await process.kill()
                await asyncio.sleep(chance.uniform(*DOWN_S))
                await process.start()

            return kill

        def freezing(processes: Sequence[Process]) -> Fault:
            async def freeze() -> None:
                process = chance.choice(processes)
                assert process.process is not None
                process.process.send_signal(signal.SIGSTOP)
                await asyncio.sleep(chance.uniform(*FROZEN_S))
                process.process.send_signal(signal.SIGCONT)

            return freeze

        faults = {"server": killing(self.servers), "frozen server": freezing(self.servers)}
        cluster = self.cluster
        if cluster is None:
            return faults | {"locked file": lambda: asyncio.to_thread(lock, self.database, chance.uniform(*FROZEN_S))}

        def restarting(mode: str) -> Fault:
            return lambda: asyncio.to_thread(cluster.restart, mode, chance.uniform(*DOWN_S))

        return faults | {
            "worker": killing(self.workers),
            "connections": lambda: asyncio.to_thread(cut, self.database),
            "PostgreSQL (fast)": restarting("fast"),
            "PostgreSQL (immediate)": restarting("immediate"),
            "frozen worker": freezing(self.workers),
            "frozen PostgreSQL": lambda: asyncio.to_thread(cluster.freeze, chance.uniform(*FROZEN_S)),
            "held row": lambda: asyncio.to_thread(hold, self.database, chance.uniform(*FROZEN_S)),
        }


def cut(database: str) -> None:
    """End every connection to a PostgreSQL database."""
    import psycopg

    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )


def lock(database: str, seconds: float) -> None:
    """Lock an SQLite file, as a program that writes to it does."""
    with closing(sqlite3.connect(database.removeprefix("sqlite:///"), isolation_level=None, timeout=60)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        time.sleep(seconds)
        connection.execute("ROLLBACK")


def hold(database: str, seconds: float) -> None:
    """Lock the row of the table that moved last."""
    import psycopg

    with psycopg.connect(database) as connection:
        connection.execute("SELECT FROM tables ORDER BY changed_at DESC LIMIT 1 FOR UPDATE")
        time.sleep(seconds)
        connection.rollback()


@asynccontextmanager
async def started(plan: KillPlan, tell: Tell) -> AsyncIterator[KillTargets]:
    """Start everything over a temporary database."""
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))

        def process(name: str, *arguments: str, **environment: str) -> Process:
            made = Process(folder, name, *arguments, "--database", database, **environment)
            stack.push_async_callback(made.stop)
            return made

        serve = ("serve", "--no-browser", "--port", "0")
        if not plan.postgres:
            database = f"sqlite:///{folder}/franchise.db"
            targets = KillTargets(database, [process("server", *serve)])
        else:
            tell("starting PostgreSQL")
            cluster = await asyncio.to_thread(TemporaryPostgres)
            stack.push_async_callback(asyncio.to_thread, cluster.remove)
            database = cluster.url
            await upgraded(database)
            (folder / "sitecustomize.py").write_text(SKEW.format(seconds=60 * AHEAD_MIN), encoding="utf-8")
            ahead = {"PYTHONPATH": os.pathsep.join(filter(None, [str(folder), os.environ.get("PYTHONPATH")]))}
            targets = KillTargets(
                database,
                [
                    process("server 1", *serve, FRANCHISE_BOT_THREADS="0"),
                    process("server 2", *serve, FRANCHISE_BOT_THREADS="0", **ahead),
                ],
                [process(f"worker {number}", "worker", FRANCHISE_BOT_THREADS="1") for number in (1, 2)],
                cluster,
            )
        tell("starting servers")
        await gathered(process.start() for process in (*targets.servers, *targets.workers))
        yield targets


async def upgraded(database: str) -> None:
    """Create the schema in an empty database."""
    from franchise.server.storage.postgres_store import PostgresStore

    store = PostgresStore(database)
    try:
        await store.upgrade()
    finally:
        await store.close()


# --- playing and killing ---


class KillTest:
    """Scripted players, and a task that kills."""

    def __init__(self, plan: KillPlan, targets: KillTargets, chance: random.Random, tell: Tell) -> None:
        self.plan = plan
        self.targets = targets
        self.chance = chance
        self.tell = tell
        self.tally = RequestCounts()
        self.callers: list[PersistentClient] = []
        self.tables: list[ContestedTable] = []
        self.followers: list[asyncio.Task[None]] = []
        self.kills: Counter[str] = Counter()
        self.calm = asyncio.Event()  # no more kills

    async def run(self) -> KillReport:
        began = time.perf_counter()
        playing = [asyncio.create_task(self.seat(number)) for number in range(self.plan.tables)]
        killing = asyncio.create_task(self.kill())
        try:
            await asyncio.wait([killing, *playing], return_when=asyncio.FIRST_COMPLETED)
            for task in playing:  # they end only with an error
                if task.done():
                    await task
            await killing
            self.tell("the storm is over: everybody finishes their move")
            self.calm.set()
            await asyncio.gather(*playing)
            return await self.compared(time.perf_counter() - began)
        finally:
            for task in (killing, *playing, *self.followers):
                task.cancel()
            await asyncio.gather(killing, *playing, *self.followers, return_exceptions=True)
            for caller in self.callers:
                await caller.close()

    async def seat(self, number: int) -> None:
        """Play at one table after another; every third has a bot."""
        chance = random.Random(f"{self.plan.seed} {number}")
        while not self.calm.is_set():
            addresses = [server.address for server in self.targets.servers if server.address is not None]
            caller = PersistentClient(addresses, chance, self.tally)
            self.callers.append(caller)
            table = await ContestedTable.open(caller, bot=number % 3 == 2)
            self.tables.append(table)
            self.followers.append(asyncio.create_task(table.follow()))
            await table.play(self.plan.pace, self.calm)

    async def kill(self) -> None:
        """Cause one fault after another, each kind once before any is repeated."""
        faults = self.targets.faults(self.chance)
        deck: list[str] = []
        await self.progress()
        while self.kills.total() < self.plan.kills:
            await asyncio.sleep(self.chance.uniform(*CALM_S))
            deck = deck or self.chance.sample(sorted(faults), len(faults))
            kind = deck.pop()
            self.kills[kind] += 1
            self.tell(
                f"kill {self.kills.total()} of {self.plan.kills}: {kind}; "
                f"{self.tally.acknowledged:,} moves at {len(self.tables)} tables"
            )
            await faults[kind]()
            await self.progress()

    async def progress(self) -> None:
        """Wait until moves are acknowledged."""
        before = self.tally.acknowledged
        while self.tally.acknowledged <= before:
            await asyncio.sleep(0.05)

    # --- comparing ---

    async def compared(self, seconds: float) -> KillReport:
        """Compare the database with what was acknowledged; then check that every game continues."""
        problems: list[str] = []
        calm = RequestCounts()
        for number, table in enumerate(self.tables, 1):
            self.tell(f"table {number} of {len(self.tables)} is compared")
            await table.caller.close()
            table.caller.tally = calm
            try:
                problems += [f"table {table.id}: {problem}" for problem in await self.wrong_with(table)]
            except LoadError as error:
                problems.append(f"table {table.id}: {error}")
        problems += await asyncio.to_thread(timed_out, self.targets.database)
        rows = await asyncio.to_thread(written, self.targets.database)
        changes = 0
        for table in self.tables:
            written_changes = rows.get(table.id, [])
            changes += len(written_changes)
            problems += [f"table {table.id}: {problem}" for problem in misfits(table, written_changes)]
        if calm.lost or calm.unavailable:
            problems.append(f"after the storm {calm.lost + calm.unavailable} requests were not answered at once")
        return KillReport(self.kills, len(self.tables), seconds, self.tally, changes, problems)

    async def wrong_with(self, table: ContestedTable) -> list[str]:
        """Check a table: valid record, repeated moves recognised, complete stream, and the game continues."""
        problems = []
        table.game = await table.record()
        if not await table.repeat():
            problems.append("a move sent again was not answered as before")
        before = len(table.acknowledged)
        over = table.game.over
        await table.step()
        if not over and not table.game.over and len(table.acknowledged) == before:
            problems.append("the table does not go on")
        version = len((await table.record()).actions)
        if not await table.delivered(version, LATE_S):
            problems.append(f"the stream told {table.followed[-5:]} of {version} versions")
        return problems


def written(database: str) -> dict[str, list[Any]]:
    """The changes in the database by table, in order."""
    c = schema.changes
    engine = create_engine(database.replace("postgresql:", "postgresql+psycopg:"))
    changes: dict[str, list[Any]] = {}
    with engine.connect() as connection:
        for row in connection.execute(select(c).order_by(c.c.table_id, c.c.number)):
            changes.setdefault(row.table_id, []).append(row)
    engine.dispose()
    return changes


def timed_out(database: str) -> list[str]:
    """Check that no time has run out after these minutes, whatever a server's clock says."""
    s = schema.seats
    engine = create_engine(database.replace("postgresql:", "postgresql+psycopg:"))
    with engine.connect() as connection:
        seats = connection.execute(select(s.c.table_id, s.c.number).where(s.c.out_at.is_not(None))).all()
    engine.dispose()
    return [f"table {row.table_id}: seat {row.number} ran out of time" for row in seats]


def misfits(table: ContestedTable, rows: Sequence[Any]) -> list[str]:
    """The differences between the changes of a table and what was acknowledged."""
    problems = []
    if [row.number for row in rows] != list(range(1, len(rows) + 1)):
        problems.append(f"its versions are {[row.number for row in rows]}")
    named = Counter(row.move_id for row in rows if not row.by_bot)
    by_name = {row.move_id: row for row in rows}
    for move in table.acknowledged:
        row = by_name.get(move.move_id)
        if named[move.move_id] != 1 or row is None:
            problems.append(f"the acknowledged move {move.version} ({move.move}) is there {named[move.move_id]} times")
        elif (row.number, row.seat, row.text) != (move.version, move.seat, move.move):
            problems.append(f"the acknowledged move {move.version} ({move.move}) is there as {row.number} ({row.text})")
    for name, number in named.items():
        if name not in table.sent or by_name[name].text != table.sent[name] or number != 1:
            problems.append(f"the change {by_name[name].number} ({by_name[name].text}) was made by nobody")
    return problems
