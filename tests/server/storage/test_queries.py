"""What servers ask and write again and again, over a database with many games: nothing reads all of what grows."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any

import psycopg
from sqlalchemy import event, insert

from franchise.benchmarks.scale_bench import ScalePlan, filled
from franchise.server.notices import turn_notices
from franchise.server.people import ratings
from franchise.server.storage import schema
from franchise.server.storage.postgres_store import APPEND, LOCKED, NEWS, PostgresStore, apart, conninfo
from franchise.server.tables.clocks import LEASE
from franchise.server.tables.seat_keys import hashed
from franchise.server.tables.stored import Entry
from franchise.server.tables.table import Change
from franchise.server.thinking.postgres_jobs import GIVE_BACK, RENEW, TAKE

GROWING = ("tables", "seats", "changes", "archives", "messages", "notices", "results", "sessions")
FINISHED, RUNNING = "f00000000007", "r00000000007"
GOING_ON = 50  # games
OTHERS = 3000  # rows of each other kind


@asynccontextmanager
async def many_games(new_site: Any, database: str) -> AsyncIterator[Any]:
    """A site over a database with many rows of every kind."""
    await filled(database, ScalePlan(8000, GOING_ON, 0, False), lambda _: None)
    async with new_site() as site:
        store, now = site.tables.store, site.tables.now()
        people = [
            {
                "id": f"a{n}",
                "name": f"n{n}",
                "name_key": f"n{n}",
                "password": "",
                "holder_hash": f"h{n}",
                "language": "en",
                "mu": 25.0,
                "sigma": 8.0,
                "rated_games": 0,
                "created_at": now,
                "email": "a@example.org" if n % 50 == 0 else None,
            }
            for n in range(OTHERS)
        ]
        tables = [f"r{n % GOING_ON:011x}" for n in range(OTHERS)]
        rows: dict[Any, list[dict[str, Any]]] = {
            schema.accounts: people,
            schema.changes: [
                {
                    "table_id": table,
                    "number": 1 + n // GOING_ON,
                    "kind": "move",
                    "seat": 0,
                    "text": "done",
                    "move_id": str(n),
                    "by_bot": False,
                    "at": now,
                }
                for n, table in enumerate(tables)
            ],
            schema.messages: [
                {"table_id": table, "seat": 0, "name": "", "text": "hello", "at": now, "holder_hash": f"h{n}"}
                for n, table in enumerate(tables)
            ],
            schema.sessions: [
                {
                    "token_hash": f"t{n}",
                    "id": f"s{n}",
                    "account_id": f"a{n}",
                    "agent": "",
                    "created_at": now,
                    "seen_at": now,
                }
                for n in range(OTHERS)
            ],
            schema.results: [
                {
                    "table_id": table,
                    "account_id": f"a{n}",
                    "seat": 0,
                    "players": 3,
                    "place": 1,
                    "score": 1,
                    "opponents": [],
                    "rated": True,
                    "mu": 1.0,
                    "sigma": 1.0,
                    "at": now,
                }
                for n, table in enumerate(tables)
            ],
            schema.notices: [
                {
                    "id": f"n{n}",
                    "account_id": f"a{n}",
                    "table_id": table,
                    "begun": 0,
                    "kind": "turn",
                    "channel": "email",
                    "state": "sent",
                    "attempts": 1,
                    "due_at": now,
                    "created_at": now,
                }
                for n, table in enumerate(tables)
            ],
        }
        async with store.writer.begin() as connection:
            for table, values in rows.items():
                await connection.execute(insert(table), values)
            await connection.exec_driver_sql("ANALYZE")
        yield site


async def all_of_it(site: Any) -> None:
    """Everything that is done often."""
    tables, people, store = site.tables, site.people, site.tables.store
    now = tables.now()
    await tables.clocks.look()
    await store.overdue(now + timedelta(days=60), LEASE)
    await store.waiting()
    await store.open_tables()
    await store.live_tables()
    await store.tables_of([hashed("somebody")])
    await store.finished(100)
    await store.messages(RUNNING, 200)
    await store.archive(now - timedelta(days=1), 10)
    table = await tables.get(FINISHED)
    assert table.over
    running = await store.load("r00000000020")
    await store.change_seats(running.id, running.revision, running.seats[:1], now, running.due)
    await store.set_deadline(running.id, 0, now + timedelta(days=1))
    await store.say(running.id, 0, "", "hello", now, None)
    await store.end(running.id, 0, now, "time", 0)
    await store.expired(now - timedelta(days=1), now - timedelta(days=1))
    await people.ratings.changes(FINISHED)
    await site.app.state.presence.seen([hashed("somebody")])
    await people.ratings.look(ratings.LATE)
    await people.notices.look(turn_notices.LATE)
    await people.sessions.find("nobody's")
    await people.account_data.guest_seats("nobody's")


async def test_nothing_that_is_done_often_reads_all_of_what_grows(new_site: Any, database: str) -> None:
    async with many_games(new_site, database) as site:
        store = site.tables.store
        postgres = isinstance(store, PostgresStore)
        engines = [store.engine] if postgres else [store.engine, store.readers]
        statements: dict[str, Any] = {}

        def hear(connection: Any, cursor: Any, statement: str, parameters: Any, *_: Any) -> None:
            if statement.split()[0] in ("SELECT", "UPDATE", "DELETE"):
                statements.setdefault(statement, parameters)

        for engine in engines:
            event.listen(engine.sync_engine, "before_cursor_execute", hear)
        await all_of_it(site)
        for engine in engines:
            event.remove(engine.sync_engine, "before_cursor_execute", hear)
        assert len(statements) > 20
        explain = "EXPLAIN (FORMAT JSON) " if postgres else "EXPLAIN QUERY PLAN "
        async with store.writer.begin() as connection:
            plans = {
                statement: (await connection.exec_driver_sql(explain + statement, parameters)).all()
                for statement, parameters in statements.items()
            }
            await connection.rollback()
        if postgres:
            plans |= direct_plans(store, site.tables.now())
        read = {
            statement: whole
            for statement, rows in plans.items()
            if (whole := in_postgres(rows[0][0]) if postgres else in_sqlite(rows))
        }
        assert not read, "\n\n".join(f"{whole} is read whole by:\n{statement}" for statement, whole in read.items())


def direct_plans(store: PostgresStore, now: Any) -> dict[str, Any]:
    """The plans of statements that do not pass through SQLAlchemy."""
    change = Change(2, "move", 0, "done", now, "x")
    [group] = apart([Entry(RUNNING, change, 1, 0, False)])
    taking = {"free": 2, "worker": "w", "lease": 10.0, "damaged": []}
    statements: dict[str, Any] = {
        APPEND: group,
        LOCKED: ([0], [RUNNING], [2], ["x"]),
        NEWS: ([RUNNING], [0]),
        TAKE: taking,
        RENEW: (10.0, [RUNNING], "w"),
        GIVE_BACK: (RUNNING, "w"),
    }
    with psycopg.connect(conninfo(store.url)) as connection:
        found = {
            statement: connection.execute(f"EXPLAIN (FORMAT JSON) {statement}", values).fetchall()
            for statement, values in statements.items()
        }
        connection.rollback()
    return found


def in_postgres(plan: Any) -> list[str]:
    """The tables that a plan reads from beginning to end."""
    nodes, found = [step["Plan"] for step in (json.loads(plan) if isinstance(plan, str) else plan)], []
    while nodes:
        node = nodes.pop()
        if node["Node Type"] == "Seq Scan" and node["Relation Name"] in GROWING:
            found.append(node["Relation Name"])
        nodes += node.get("Plans", [])
    return found


def in_sqlite(rows: Any) -> list[str]:
    steps = [str(row[-1]) for row in rows]
    return [step for step in steps if step.startswith("SCAN ") and step.split()[1] in GROWING and "INDEX" not in step]
