"""Authentication: sessions of browsers and tokens of programs, both stored as hashes and revocable.

Moves, and what pages load after them, are made with what was found up to ten seconds ago: reading it again would cost
more than the move itself. Whatever ends here is forgotten at once.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta

from cachetools import TTLCache
from sqlalchemy import delete, insert, select, update
from starlette.requests import HTTPConnection

from franchise.server.people.accounts import Account, account_from
from franchise.server.storage import schema
from franchise.server.storage.database import Database
from franchise.server.tables.errors import NotWritten, Refused
from franchise.server.tables.new_table import short
from franchise.server.tables.seat_keys import hashed, new_id, new_key

COOKIE = "franchise_session"
PREFIX = "fa_"  # of a token of an account, to tell it from the token of a seat
LONGEST = 64  # characters of a secret
IDLE = timedelta(days=90)  # after which a session has ended
SEEN = timedelta(hours=1)  # how exactly it is known when a session was used
MOST_TOKENS = 10
AGENT_LIMIT = 120
KEPT = 10_000  # sessions and tokens
KEPT_S = 10.0  # for so long


@dataclass(frozen=True)
class Session:
    """A browser somebody has signed in with."""

    id: str
    agent: str
    created_at: datetime
    seen_at: datetime


@dataclass(frozen=True)
class ApiToken:
    """A program that plays for an account."""

    id: str
    name: str
    created_at: datetime


@dataclass(frozen=True)
class SignedIn:
    """An account with its session."""

    account: Account
    session: str


class Sessions:
    """All sessions and tokens."""

    def __init__(self, database: Database, now: Callable[[], datetime]) -> None:
        self.database = database
        self.now = now
        self.forget()

    def forget(self) -> None:
        """Look every session and token up again; what is being looked up now is not kept either."""
        # by the hash of the secret
        self.recent_sessions: TTLCache[str, SignedIn] = TTLCache(KEPT, KEPT_S, self.seconds)
        self.recent_owners: TTLCache[str, Account] = TTLCache(KEPT, KEPT_S, self.seconds)

    def seconds(self) -> float:
        return self.now().timestamp()

    async def open(self, account: Account, agent: str) -> str:
        """Open a new session; returns its secret."""
        secret, at = new_key(), self.now()
        values = {
            "token_hash": hashed(secret),
            "id": new_id(),
            "account_id": account.id,
            "agent": "".join(letter for letter in agent if letter.isprintable())[:AGENT_LIMIT],
            "created_at": at,
            "seen_at": at,
        }
        s = schema.sessions
        async with self.database.writer.begin() as connection:
            await connection.execute(delete(s).where(s.c.account_id == account.id, s.c.seen_at < at - IDLE))
            await connection.execute(insert(s).values(**values))
        return secret

    async def find(self, secret: str, *, fresh: bool = True) -> SignedIn | None:
        """The account of a session, as it is now or as it was found lately; None if it has ended."""
        if not secret or len(secret) > LONGEST:
            return None
        key, recent = hashed(secret), self.recent_sessions
        if not fresh and (signed_in := recent.get(key)) is not None:
            return signed_in
        s, a = schema.sessions, schema.accounts
        query = (
            select(a, s.c.id.label("session"), s.c.seen_at)
            .join(s, s.c.account_id == a.c.id)
            .where(s.c.token_hash == key)
        )
        async with self.database.reader.connect() as connection:
            row = (await connection.execute(query)).one_or_none()
        now = self.now()
        if row is None or row.seen_at < now - IDLE:
            recent.pop(key, None)
            return None
        if row.seen_at < now - SEEN:
            with suppress(NotWritten):  # it does not matter that much
                async with self.database.writer.begin() as connection:
                    await connection.execute(update(s).where(s.c.token_hash == key).values(seen_at=now))
        signed_in = recent[key] = SignedIn(account_from(row), row.session)
        return signed_in

    async def of(self, account: Account) -> tuple[Session, ...]:
        """The sessions of an account, the last used first."""
        s = schema.sessions
        query = select(s).where(s.c.account_id == account.id, s.c.seen_at >= self.now() - IDLE)
        async with self.database.reader.connect() as connection:
            rows = await connection.execute(query.order_by(s.c.seen_at.desc(), s.c.created_at.desc()))
            return tuple(Session(row.id, row.agent, row.created_at, row.seen_at) for row in rows)

    async def end(self, account: Account, session: str) -> None:
        s = schema.sessions
        async with self.database.writer.begin() as connection:
            await connection.execute(delete(s).where(s.c.account_id == account.id, s.c.id == session))
        self.forget()

    async def end_all(self, account: Account, but: str | None = None) -> None:
        """Sign out everywhere except `but`."""
        s = schema.sessions
        async with self.database.writer.begin() as connection:
            await connection.execute(delete(s).where(s.c.account_id == account.id, s.c.id != (but or "")))
        self.forget()

    # --- programs ---

    async def create_token(self, account: Account, name: str) -> str:
        """Create a token for a program that plays for an account; it is shown only once."""
        try:
            name = short(name) or "bot"
        except ValueError as error:
            raise Refused(f"This cannot be used: {error}.") from None
        if len(await self.tokens(account)) >= MOST_TOKENS:
            raise Refused(f"An account has at most {MOST_TOKENS} tokens; revoke one first.", "too_many_tokens")
        secret = PREFIX + new_key()
        values = {"token_hash": hashed(secret), "id": new_id(), "account_id": account.id, "name": name}
        async with self.database.writer.begin() as connection:
            await connection.execute(insert(schema.api_tokens).values(**values, created_at=self.now()))
        return secret

    async def find_token(self, secret: str, *, fresh: bool = True) -> Account | None:
        """The account a token belongs to, as it is now or as it was found lately."""
        if not secret.startswith(PREFIX) or len(secret) > LONGEST:
            return None
        key, recent = hashed(secret), self.recent_owners
        if not fresh and (owner := recent.get(key)) is not None:
            return owner
        t, a = schema.api_tokens, schema.accounts
        query = select(a).join(t, t.c.account_id == a.c.id).where(t.c.token_hash == key)
        async with self.database.reader.connect() as connection:
            row = (await connection.execute(query)).one_or_none()
        if row is None:
            recent.pop(key, None)
            return None
        owner = recent[key] = account_from(row)
        return owner

    async def tokens(self, account: Account) -> tuple[ApiToken, ...]:
        t = schema.api_tokens
        async with self.database.reader.connect() as connection:
            rows = await connection.execute(select(t).where(t.c.account_id == account.id).order_by(t.c.created_at))
            return tuple(ApiToken(row.id, row.name, row.created_at) for row in rows)

    async def revoke(self, account: Account, token: str) -> None:
        t = schema.api_tokens
        async with self.database.writer.begin() as connection:
            await connection.execute(delete(t).where(t.c.account_id == account.id, t.c.id == token))
        self.forget()


def bearer(connection: HTTPConnection) -> str | None:
    """The token of a request: of a seat, or of an account."""
    scheme, _, secret = connection.headers.get("authorization", "").partition(" ")
    return secret if scheme.casefold() == "bearer" and secret else None


def signed_in(connection: HTTPConnection) -> SignedIn | None:
    """Who a request comes from, by its session."""
    session: SignedIn | None = connection.scope.get("signed_in")
    return session


def program(connection: HTTPConnection) -> Account | None:
    """The account a request comes from, by its token."""
    account: Account | None = connection.scope.get("program")
    return account
