"""A PostgreSQL that others hold up, that hangs, whose clock is another one, or that a newer version has upgraded."""

import asyncio
import logging
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from types import SimpleNamespace
from typing import Any

import psycopg
import pytest

from franchise.benchmarks.temporary_postgres import TemporaryPostgres
from franchise.server.http import metrics, middleware
from franchise.server.storage import database_clock, postgres_store
from franchise.server.storage.database import Troubles
from franchise.server.storage.database_clock import DatabaseClock
from franchise.server.storage.migrations import NEWEST
from franchise.server.storage.postgres_store import conninfo, session
from franchise.server.tables.errors import DatabaseUnusable, NotWritten
from franchise.server.tables.new_table import NewTable
from franchise.server.tables.service import Tables
from franchise.server.tables.stored import Entry
from franchise.server.tables.table import Table
from server.in_process_site import InProcessSite, open_table
from server.running_servers import PATIENCE, InProcessServer, until
from waiting import eventually

ON_POSTGRES = pytest.mark.parametrize("database", ["postgres"], indirect=True)
TWO = NewTable.model_validate({"seats": [{"kind": "human"}] * 2})


@asynccontextmanager
async def held(tables: Tables, table: str) -> AsyncIterator[None]:
    """Somebody holds the row of a table."""
    store: Any = tables.store
    async with await psycopg.AsyncConnection.connect(conninfo(store.url)) as connection:
        await connection.execute("SELECT FROM tables WHERE id = %s FOR UPDATE", (table,))
        yield
        await connection.rollback()


@ON_POSTGRES
async def test_a_table_that_somebody_holds_keeps_nobody_else_waiting(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres_store, "LOCKED_S", PATIENCE)
    locked, free = [(await tables.create(TWO, "host"))[0] for _ in range(2)]
    async with asyncio.timeout(60):
        async with held(tables, locked.id):
            waiting = asyncio.ensure_future(
                tables.move(locked.id, "host", version=0, move="start Memphis", move_id="a")
            )
            for version, move in enumerate(("start Memphis", "start Raleigh", "done", "end")):
                await tables.move(free.id, "host", version=version, move=move, move_id=f"m{version}")
            assert not waiting.done()
        assert (await waiting).version == 1


@ON_POSTGRES
async def test_a_server_that_hangs_inside_a_transaction_loses_it_and_the_others_go_on(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres_store, "IDLE_S", 2.0)  # longer than from the beginning of a transaction to the lock
    monkeypatch.setattr(postgres_store, "LOCKED_S", PATIENCE)
    store: Any = tables.store
    table = (await tables.create(TWO, "host"))[0]
    settings = session(postgres_store.LOCK_S)
    async with await psycopg.AsyncConnection.connect(conninfo(store.url), **settings) as hanging:
        await hanging.execute("SELECT FROM tables WHERE id = %s FOR UPDATE", (table.id,))
        moved = await tables.move(table.id, "host", version=0, move="start Memphis", move_id="a")
        assert moved.version == 1
        with pytest.raises(psycopg.errors.IdleInTransactionSessionTimeout):
            await hanging.execute("SELECT 1")


@ON_POSTGRES
async def test_a_table_that_is_held_for_long_is_refused_and_nothing_is_written(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres_store, "LOCKED_S", 0.05)
    table, _ = await tables.create(TWO, "host")
    asked: list[Entry] = []
    append = tables.store.append
    monkeypatch.setattr(tables.store, "append", lambda entry, done: (asked.append(entry), append(entry, done)))
    async with held(tables, table.id):
        with pytest.raises(NotWritten):
            await tables.move(table.id, "host", version=0, move="start Memphis", move_id="a")
    assert len(asked) == 1  # waited for once, not again
    table = await tables.move(table.id, "host", version=0, move="start Memphis", move_id="a")
    assert table.version == 1


@ON_POSTGRES
async def test_a_server_of_another_version_is_not_ready(tables: Tables) -> None:
    await tables.store.check()
    store: Any = tables.store
    async with await psycopg.AsyncConnection.connect(conninfo(store.url), autocommit=True) as connection:
        found = await (await connection.execute("SELECT name FROM servers")).fetchall()
        assert found == [(store.sender,)]
        await connection.execute("UPDATE alembic_version SET version_num = '9999'")
        try:
            with pytest.raises(DatabaseUnusable):
                await tables.store.check()
        finally:
            await connection.execute("UPDATE alembic_version SET version_num = %s", (NEWEST,))


def persons_turn(version: int, table: Table) -> bool:
    """Whether a person is to move, or the game is over, at that version or a later one."""
    return table.version >= version and (table.to_move is None or table.to_move.player is None)


@ON_POSTGRES
async def test_nearly_all_moves_leave_every_index_of_tables_alone(tables: Tables) -> None:
    """PostgreSQL then writes the new row beside the old one (HOT), and nothing is left to be cleaned up later."""
    store: Any = tables.store
    # Other tests played here.
    store.write_connection.use(lambda connection: connection.execute("SELECT pg_stat_reset()"))
    clock = {"kind": "live", "minutes": 20, "increment": 10}
    for others in ({"kind": "human"}, {"kind": "bot", "level": "random"}):
        new = NewTable.model_validate({"seats": [{"kind": "human"}, others, others], "seed": 7, "clock": clock})
        table, _ = await tables.create(new, "host")
        for number in range(50):
            table = await until(tables, table.id, partial(persons_turn, table.version))
            if table.over:
                break
            move = str(table.game.legal_actions()[-1])
            table = await tables.move(table.id, "host", version=table.version, move=move, move_id=f"m{number}")
    store.write_connection.use(lambda connection: connection.execute("SELECT pg_stat_force_next_flush()"))
    async with await psycopg.AsyncConnection.connect(conninfo(store.url)) as connection:
        asked = "SELECT n_tup_upd, n_tup_hot_upd FROM pg_stat_user_tables WHERE relname = 'tables'"
        [(updates, hot)] = await (await connection.execute(asked)).fetchall()
    assert updates > 100
    assert hot / updates > 0.9, f"{hot} of {updates}"


@pytest.mark.parametrize(("method", "code"), [("GET", "not_read"), ("POST", "not_written")])
async def test_a_request_for_which_the_database_does_nothing_has_its_answer(
    server: InProcessServer, monkeypatch: pytest.MonkeyPatch, method: str, code: str
) -> None:
    table = await server.create("human", "human")

    async def hang(*_: Any, **__: Any) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(middleware, "ANSWER_S", 0.05)
    for name in ("get", "cached", "say"):
        monkeypatch.setattr(server.tables, name, hang)
    path = table.path if method == "GET" else f"{table.path}/chat"
    answer = await server.client.request(method, path, json={"text": "hello"} if method == "POST" else None)
    assert (answer.status_code, answer.json()["error"]) == (503, code)
    assert int(answer.headers["retry-after"]) > 0


async def test_an_answer_does_not_wait_until_the_driver_has_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """It asks a database that hangs to stop, and waits for that."""
    monkeypatch.setattr(middleware, "ANSWER_S", 0.01)
    sent: list[Any] = []
    answered, released = asyncio.Event(), asyncio.Event()

    async def application(_: Any, __: Any, send: Any) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            await released.wait()
            await send({"type": "http.response.start", "status": 200, "headers": []})  # nobody is told any more

    async def send(message: Any) -> None:
        sent.append(message)
        if message["type"] == "http.response.body":
            answered.set()

    app = SimpleNamespace(state=SimpleNamespace())
    scope = {"type": "http", "method": "GET", "path": "/api/tables", "headers": [], "query_string": b"", "app": app}
    answering = asyncio.create_task(middleware.RequestDeadline(application)(scope, asyncio.Event().wait, send))  # type: ignore[arg-type]
    await answered.wait()
    assert not answering.done()
    released.set()
    await answering
    assert [message.get("status") for message in sent] == [503, None]


@ON_POSTGRES
async def test_while_the_database_stands_still_every_request_has_its_answer(
    server: InProcessServer, cluster: TemporaryPostgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await server.create("human", "human")

    async def database_answers() -> bool:
        return bool((await server.client.get("/readyz")).status_code == 200)

    assert await database_answers()
    monkeypatch.setattr(metrics, "READY_S", 0.2)
    order = {"version": 0, "move": "start Memphis", "move_id": "a"}
    with cluster.frozen():
        assert (await server.client.get("/readyz")).status_code == 503
        assert (await server.client.get("/healthz")).status_code == 200
        monkeypatch.setattr(middleware, "ANSWER_S", 0.5)
        moved = await table.post("moves", 1, **order)
        assert (moved.status_code, moved.json()["error"]) == (503, "not_written")
        read = await server.client.get(table.path)
        assert (read.status_code, read.json()["error"]) == (503, "not_read")
    monkeypatch.undo()
    async with asyncio.timeout(PATIENCE):
        await eventually(database_answers)
    moved = await table.post("moves", 1, **order)  # which was written after all, or is now: once
    assert (moved.status_code, moved.json()["version"]) == (200, 1)


async def test_clocks_of_a_page_show_the_time_by_which_deadlines_are_counted(
    site: InProcessSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser = await site.visitor()
    path = f"/t/{await open_table(browser, 'me', 'me', clock='20+0')}"
    left = int(re.findall(r'data-left="(\d+)" data-running', (await browser.get(path)).text)[0])
    now = site.tables.now
    monkeypatch.setattr(site.tables, "now", lambda: now() + timedelta(minutes=10))
    later = int(re.findall(r'data-left="(\d+)" data-running', (await browser.get(path)).text)[0])
    assert 600 <= left - later < 900


class Ahead(datetime):
    """The clock of a machine that is 35 minutes ahead."""

    @classmethod
    def now(cls, tz: Any = None) -> "Ahead":
        moment = datetime.now(tz) + timedelta(minutes=35)
        return cls.fromtimestamp(moment.timestamp(), tz)


@ON_POSTGRES
async def test_the_clock_of_a_machine_that_is_ahead_takes_nobodys_time(
    new_server: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(database_clock, "datetime", Ahead)
    async with new_server() as server:
        tables: Tables = server.tables
        assert abs(tables.now() - datetime.now(UTC)) < timedelta(seconds=60)
        clock = {"kind": "live", "minutes": 20, "increment": 0}
        table, _ = await tables.create(TWO.model_copy(update={"clock": type(TWO.clock)(**clock)}), "host")
        await tables.clocks.look()
        assert not any(seat.away for seat in (await tables.get(table.id)).seats)
        assert tables.store.clock_off > 2000
    # Half of the time that the database takes for its answer is not known.
    assert [text for text in caplog.messages if re.search(r"\b2[01]\d\d s ahead of the database's", text)]


def test_seconds_go_on_between_two_answers_of_the_database(monkeypatch: pytest.MonkeyPatch) -> None:
    passed = [100.0]
    monkeypatch.setattr(database_clock.time, "monotonic", lambda: passed[0])
    clock, answer = DatabaseClock(), datetime(2030, 1, 1, tzinfo=UTC)
    passed[0] = 102.0
    clock.set(answer, asked=100.0)  # somewhere in between
    assert clock() == answer + timedelta(seconds=1)
    passed[0] = 110.0
    assert clock() == answer + timedelta(seconds=9)


def test_the_log_is_told_once_and_the_rest_is_counted(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    passed = [100.0]
    monkeypatch.setattr("franchise.server.storage.database.time.monotonic", lambda: passed[0])
    troubles = Troubles()
    for _ in range(7866):
        troubles.note("not_read", psycopg.OperationalError("sorry, too many clients already"))
    passed[0] += 11
    troubles.note("not_read", psycopg.OperationalError("sorry, too many clients already"))
    assert [(record.levelno, record.getMessage()) for record in caplog.records] == [
        (logging.WARNING, "not_read: sorry, too many clients already"),
        (logging.WARNING, "not_read: sorry, too many clients already (and 7865 times more)"),
    ]
    assert troubles.counts["not_read"] == 7867
