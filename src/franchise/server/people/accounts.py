"""Accounts: a name and a password, to be the same person on every device."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from cachetools import TTLCache
from sqlalchemy import ColumnElement, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from franchise.arena.rating_model import FIRST, Rating
from franchise.server.people import passwords
from franchise.server.people.passwords import Passwords
from franchise.server.storage import schema
from franchise.server.storage.database import Database
from franchise.server.tables.account_names import LONGEST as LONGEST_NAME
from franchise.server.tables.account_names import name_key, proper
from franchise.server.tables.cache import CachedTable
from franchise.server.tables.errors import NameTaken, WrongOldPassword, WrongPassword
from franchise.server.tables.seat_keys import Holder, hashed, new_id, new_key

AT_TABLES = 2_000  # tables whose accounts are kept
AT_TABLES_S = 10.0  # for so long: ratings also change at other tables


@dataclass(frozen=True)
class Account:
    """A registered person."""

    id: str
    name: str
    holder_hash: str
    language: str
    email: str | None
    email_wanted: str | None
    webhook: str | None
    mu: float
    sigma: float
    rated_games: int
    created_at: datetime

    @property
    def holder(self) -> Holder:
        """By which it holds seats."""
        return Holder((self.holder_hash,), self.id, self.name)

    @property
    def rating(self) -> int:
        return Rating(self.mu, self.sigma).shown


def account_from(row: Any) -> Account:
    """An account from its row."""
    return Account(**{name: getattr(row, name) for name in Account.__dataclass_fields__})


class Accounts:
    """All accounts of a server."""

    def __init__(self, database: Database, hasher: Passwords, now: Callable[[], datetime]) -> None:
        self.database = database
        self.passwords = hasher
        self.now = now
        self.at_tables: TTLCache[tuple[str, int], dict[int, Account]] = TTLCache(AT_TABLES, AT_TABLES_S)

    async def register(self, name: str, password: str, language: str = "en") -> Account:
        """A new account; NameTaken, Refused."""
        name = proper(name)
        passwords.check(password, name)
        values = {
            "id": new_id(),
            "name": name,
            "name_key": name_key(name),
            "password": await self.passwords.hash(password),
            "holder_hash": hashed(new_key()),
            "language": language,
            "mu": FIRST.mu,
            "sigma": FIRST.sigma,
            "rated_games": 0,
            "created_at": self.now(),
        }
        try:
            async with self.database.writer.begin() as connection:
                await connection.execute(insert(schema.accounts).values(**values))
        except IntegrityError:
            raise NameTaken from None
        return Account(**{key: values.get(key) for key in Account.__dataclass_fields__})  # type: ignore[arg-type]

    async def sign_in(self, name: str, password: str) -> Account:
        """The account; WrongPassword, which does not reveal whether the name exists, not even by its timing."""
        row = await self._row(schema.accounts.c.name_key == name_key(name[: 2 * LONGEST_NAME]))
        if not await self.passwords.fits(password, None if row is None else row.password) or row is None:
            raise WrongPassword
        return account_from(row)

    async def change_password(self, account: Account, old: str, new: str) -> None:
        """WrongOldPassword, Refused."""
        await self.check_password(account, old)
        passwords.check(new, account.name)
        await self.change(account, password=await self.passwords.hash(new))

    async def check_password(self, account: Account, password: str) -> None:
        """WrongOldPassword if it is not the account's password."""
        row = await self._row(schema.accounts.c.id == account.id)
        if row is None or not await self.passwords.fits(password, row.password):
            raise WrongOldPassword

    async def password_hash(self, account_id: str) -> str | None:
        """The stored hash of a password."""
        row = await self._row(schema.accounts.c.id == account_id)
        return None if row is None else str(row.password)

    async def change(self, account: Account, **values: Any) -> None:
        """Set some columns."""
        a = schema.accounts
        async with self.database.writer.begin() as connection:
            await connection.execute(update(a).where(a.c.id == account.id).values(**values))

    async def get(self, account_id: str) -> Account | None:
        row = await self._row(schema.accounts.c.id == account_id)
        return None if row is None else account_from(row)

    async def named(self, name: str) -> Account | None:
        row = await self._row(schema.accounts.c.name_key == name_key(name[: 2 * LONGEST_NAME]))
        return None if row is None else account_from(row)

    async def at_address(self, email: str) -> tuple[Account, ...]:
        """The accounts that have confirmed an e-mail address."""
        a = schema.accounts
        async with self.database.reader.connect() as connection:
            rows = await connection.execute(select(a).where(func.lower(a.c.email) == email.lower()))
            return tuple(account_from(row) for row in rows)

    async def is_taken(self, name: str) -> bool:
        """Whether an account has a name, or one that looks the same."""
        return await self.named(name) is not None

    async def holding(self, holder_hash: str | None) -> Account | None:
        """The account that holds its seats by a hash."""
        if holder_hash is None:
            return None
        row = await self._row(schema.accounts.c.holder_hash == holder_hash)
        return None if row is None else account_from(row)

    async def at_table(self, cached: CachedTable) -> dict[int, Account]:
        """The accounts that hold seats at a table, by seat; every page asks after every move."""
        key = cached.table.id, cached.reseated
        by_seat = None if cached.table.over else self.at_tables.get(key)
        if by_seat is None:
            accounts = await self._holding({stored.holder_hash for stored in cached.seats if stored.holder_hash})
            by_seat = self.at_tables[key] = {
                stored.seat.number: accounts[stored.holder_hash]
                for stored in cached.seats
                if stored.holder_hash in accounts
            }
        return by_seat

    async def _holding(self, holders: Collection[str]) -> dict[str, Account]:
        """The accounts that hold their seats by some hashes."""
        if not holders:
            return {}
        a = schema.accounts
        async with self.database.reader.connect() as connection:
            rows = await connection.execute(select(a).where(a.c.holder_hash.in_(holders)))
            return {row.holder_hash: account_from(row) for row in rows}

    async def _row(self, condition: ColumnElement[bool]) -> Any:
        async with self.database.reader.connect() as connection:
            return (await connection.execute(select(schema.accounts).where(condition))).one_or_none()


def plain(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row that JSON can hold."""
    return {key: value.isoformat() if isinstance(value, datetime) else value for key, value in row.items()}
