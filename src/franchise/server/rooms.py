"""What a process needs to have tables: a store, a bus and bots, as its database wants them."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import datetime
from typing import TYPE_CHECKING

from franchise.server.bus import LocalBus
from franchise.server.errors import DatabaseUnusable
from franchise.server.jobs import LocalJobs
from franchise.server.people import People, people
from franchise.server.settings import Settings
from franchise.server.sqlite import SqliteStore
from franchise.server.tables import Tables

if TYPE_CHECKING:
    from franchise.server.postgres import PostgresStore


def is_postgres(url: str) -> bool:
    return url.startswith(("postgresql:", "postgresql+psycopg:", "postgres:"))


def store_of(url: str) -> "SqliteStore | PostgresStore":
    """The store of a database; DatabaseUnusable where it cannot be used."""
    if not is_postgres(url):
        return SqliteStore(url)
    try:
        from franchise.server.postgres import PostgresStore
    except ImportError:
        raise DatabaseUnusable("PostgreSQL needs psycopg; install it with: pip install 'franchise[postgres]'") from None
    return PostgresStore(url.replace("postgres:", "postgresql:", 1))


def tables_of(
    store: "SqliteStore | PostgresStore", settings: Settings, now: Callable[[], datetime] | None = None
) -> Tables:
    """The tables of a database that is open."""
    if isinstance(store, SqliteStore):
        return Tables(store, LocalBus(), LocalJobs(settings.bot_threads), now)
    from franchise.server.leases import PostgresJobs
    from franchise.server.relay import PostgresBus

    bus = PostgresBus(settings.database.replace("postgres:", "postgresql:", 1), store.sender)
    return Tables(store, bus, PostgresJobs(bus, settings.bot_threads), now)


@asynccontextmanager
async def tables_at(settings: Settings) -> AsyncIterator[People]:
    """Tables that go on where they stopped, and stop in good order; with the people who are told of it."""
    store = store_of(settings.database)
    try:
        await store.open()
        tables = tables_of(store, settings)
        async with people(store, tables, settings) as those:
            try:
                await tables.start()
                yield those
            finally:
                await tables.close()
    finally:
        await store.close()
