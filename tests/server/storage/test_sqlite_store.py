"""The connections to an SQLite file."""

import asyncio
import threading
from pathlib import Path

from sqlalchemy import text

from franchise.server.storage.sql_store import opened
from franchise.server.storage.sqlite_store import CursorClosingConnection, SqliteStore, connect
from server.in_process_site import SQLITE_ONLY
from waiting import eventually

LONG = text("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300000) SELECT max(i) FROM n")


@SQLITE_ONLY
async def test_a_read_that_is_cancelled_twice_leaves_nothing_that_waits_for_ever(database: str) -> None:
    async def read() -> None:
        async with store.reader.connect() as connection:
            reading.set()
            await connection.execute(LONG)

    async with opened(SqliteStore(database)) as store:
        before = asyncio.all_tasks()
        reading = asyncio.Event()
        asked = asyncio.create_task(read())
        await reading.wait()
        for _ in range(2):  # the second time while the connection is being closed
            await asyncio.sleep(0)
            asked.cancel()
        await asyncio.wait(asyncio.all_tasks() - before)
        assert asked.cancelled()
        async with store.reader.connect() as connection:
            assert await connection.scalar(text("SELECT 1")) == 1


@SQLITE_ONLY
async def test_a_store_closes_when_what_was_cancelled_has_given_back_its_connection(database: str) -> None:
    async def read() -> None:
        async with store.reader.connect():
            reading.set()
            try:
                await asyncio.Event().wait()
            finally:
                await let_go.wait()

    reading, let_go = asyncio.Event(), asyncio.Event()
    async with opened(SqliteStore(database)) as store:
        asked = asyncio.create_task(read())
        await reading.wait()
        asked.cancel()  # and nobody waits for it
        asyncio.get_running_loop().call_later(0.3, let_go.set)
    assert asked.done()


@SQLITE_ONLY
async def test_a_store_closes_when_the_threads_of_connections_that_were_stopped_have_ended(database: str) -> None:
    """They answer through the event loop, which may be closed after the store."""
    busy, let_go = threading.Event(), threading.Event()

    def read() -> None:
        busy.set()
        let_go.wait()

    store = SqliteStore(database)
    await store.open()
    connection = await store._connection()
    reading = asyncio.create_task(connection._execute(read))
    await asyncio.to_thread(busy.wait)
    reading.cancel()
    connection.stop()  # as SQLAlchemy does, and waits no longer
    closing = asyncio.create_task(store.close())
    await asyncio.wait([closing], timeout=0.3)
    ended_before = closing.done()
    let_go.set()
    await closing
    assert not ended_before
    assert not store.connections


@SQLITE_ONLY
async def test_a_connection_that_was_cancelled_while_it_was_made_is_closed_with_the_store(database: str) -> None:
    async def read() -> None:
        async with store.reader.connect():
            pass

    async with opened(SqliteStore(database)) as store:
        for rounds in range(30):  # of the event loop until it is cancelled
            reading = asyncio.create_task(read())
            for _ in range(rounds):
                await asyncio.sleep(0.0002)
            reading.cancel()
            await asyncio.wait([reading])
            await store.readers.dispose()  # the next one connects again
    assert not store.connections
    await eventually(lambda: not [file for file in open_files() if file.startswith(str(store.file))])  # in threads


def test_a_file_is_closed_whatever_was_being_read(tmp_path: Path) -> None:
    """The cursors of requests that were cancelled kept it open, and locked, until Python looked for garbage."""
    file = tmp_path / "some.db"
    connection = connect(file, CursorClosingConnection)
    cursor = connection.cursor().execute("SELECT name FROM sqlite_master UNION SELECT 1")
    assert str(file) in open_files()
    connection.close()
    assert str(file) not in open_files()
    del cursor


def open_files() -> list[str]:
    return [str(file.readlink()) for file in Path("/proc/self/fd").iterdir() if file.is_symlink()]
