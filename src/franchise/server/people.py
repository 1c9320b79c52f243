"""Everything about people with accounts, opened and closed with the server."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from franchise.server.accounts import Accounts, Database
from franchise.server.belongings import Belongings
from franchise.server.notices import Notices
from franchise.server.passwords import Passwords
from franchise.server.ratings import Ratings
from franchise.server.sessions import Sessions
from franchise.server.settings import Settings
from franchise.server.tables import Tables


@dataclass(frozen=True)
class People:
    """The services a page or route about people goes through."""

    accounts: Accounts
    sessions: Sessions
    belongings: Belongings
    ratings: Ratings
    notices: Notices
    settings: Settings


@asynccontextmanager
async def people(database: Database, tables: Tables, settings: Settings) -> AsyncIterator[People]:
    """The people of a server, over the database of its tables."""
    passwords = Passwords(settings.password_memory)
    accounts = Accounts(database, passwords, tables.now)
    ratings = Ratings(database, tables, tables.now)
    notices = Notices(database, tables, accounts, settings, tables.now)
    try:
        await ratings.start()
        await notices.start()
        yield People(accounts, Sessions(database, tables.now), Belongings(database), ratings, notices, settings)
    finally:
        await notices.close()
        await ratings.close()
        passwords.close()
