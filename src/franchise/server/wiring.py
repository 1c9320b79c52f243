"""Puts a server together: the store, bus and bots that its database asks for, and the services for people."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from franchise.server.live.bus import LocalBus
from franchise.server.notices.outbox import Outbox
from franchise.server.notices.password_reset import PasswordReset
from franchise.server.notices.signed_links import SignedLinks
from franchise.server.notices.subscriptions import Subscriptions
from franchise.server.notices.turn_notices import TurnNotices
from franchise.server.people.account_data import AccountData
from franchise.server.people.accounts import Accounts
from franchise.server.people.passwords import Passwords
from franchise.server.people.ratings import Ratings
from franchise.server.people.sessions import Sessions
from franchise.server.settings import CONNECTIONS, Settings
from franchise.server.storage.database import Database
from franchise.server.storage.sqlite_store import SqliteStore
from franchise.server.tables.errors import DatabaseUnusable
from franchise.server.tables.service import Tables
from franchise.server.thinking.local_jobs import LocalJobs

if TYPE_CHECKING:
    from franchise.server.storage.limit_counts import LimitCounts
    from franchise.server.storage.postgres_store import PostgresStore


def is_postgres(url: str) -> bool:
    return url.startswith(("postgresql:", "postgresql+psycopg:", "postgres:"))


def store_of(url: str, connections: int = CONNECTIONS) -> "SqliteStore | PostgresStore":
    """The store of a database with a pool of connections; DatabaseUnusable if it cannot be used."""
    if not is_postgres(url):
        return SqliteStore(url)
    try:
        from franchise.server.storage.postgres_store import PostgresStore
    except ImportError:
        raise DatabaseUnusable("PostgreSQL needs psycopg; install it with: pip install 'franchise[postgres]'") from None
    return PostgresStore(url.replace("postgres:", "postgresql:", 1), connections)


def tables_of(
    store: "SqliteStore | PostgresStore", settings: Settings, now: Callable[[], datetime] | None = None
) -> Tables:
    """The tables of a database that is open."""
    if isinstance(store, SqliteStore):
        return Tables(
            store, LocalBus(), LocalJobs(settings.bot_threads, settings.think_ahead), settings.tables_in_memory, now
        )
    from franchise.server.live.postgres_bus import PostgresBus
    from franchise.server.thinking.postgres_jobs import PostgresJobs

    bus = PostgresBus(settings.database.replace("postgres:", "postgresql:", 1), store.sender)
    return Tables(
        store, bus, PostgresJobs(bus, settings.bot_threads, settings.think_ahead), settings.tables_in_memory, now
    )


def limit_counts(store: "SqliteStore | PostgresStore") -> "LimitCounts | None":
    """The counts that servers over one database share; None if there is only one server."""
    if isinstance(store, SqliteStore):
        return None
    from franchise.server.storage.limit_counts import LimitCounts

    return LimitCounts(store, store.now)


@dataclass(frozen=True)
class People:
    """The services for accounts, ratings and notices that pages and routes use."""

    accounts: Accounts
    sessions: Sessions
    account_data: AccountData
    ratings: Ratings
    subscriptions: Subscriptions
    notices: TurnNotices
    password_reset: PasswordReset
    settings: Settings


@asynccontextmanager
async def people(database: Database, tables: Tables, settings: Settings) -> AsyncIterator[People]:
    """The services for people, over the database of the tables."""
    passwords = Passwords(settings.password_memory)
    accounts = Accounts(database, passwords, tables.now)
    ratings = Ratings(database, tables, tables.now)
    links, outbox = SignedLinks(database, settings.url), Outbox(settings)
    subscriptions = Subscriptions(database, accounts, settings, links, outbox, tables.now)
    notices = TurnNotices(database, tables, accounts, subscriptions, settings, tables.now)
    tables.is_account_name = accounts.is_taken
    try:
        await ratings.start()
        await links.start()
        await notices.start()
        sessions, account_data = Sessions(database, tables.now), AccountData(database)
        reset = PasswordReset(subscriptions, accounts)
        yield People(accounts, sessions, account_data, ratings, subscriptions, notices, reset, settings)
    finally:
        await notices.close()
        await outbox.close()
        await ratings.close()
        passwords.close()


@asynccontextmanager
async def tables_at(settings: Settings) -> AsyncIterator[People]:
    """Running tables that continue where they stopped and are closed cleanly, with the services for people."""
    store = store_of(settings.database, settings.database_connections)
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
