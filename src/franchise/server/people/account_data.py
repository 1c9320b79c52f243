"""The data of an account: claiming a guest's seats, export and deletion."""

from typing import Any

from sqlalchemy import ColumnElement, Select, delete, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from franchise.server.people.accounts import Account, plain
from franchise.server.storage import schema
from franchise.server.storage.database import Database
from franchise.server.storage.sql_store import set_job
from franchise.server.tables.seat_keys import hashed

HIDDEN = ("password", "holder_hash", "token_hash", "endpoint_hash", "p256dh", "auth", "name_key")


class AccountData:
    """The seats, results and messages of accounts."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def guest_seats(self, key: str | None) -> int:
        """The number of seats a browser holds as a guest."""
        if not key:
            return 0
        s = schema.seats
        async with self.database.reader.connect() as connection:
            seats = await connection.execute(select(s.c.number).where(s.c.holder_hash == hashed(key)))
            return len(seats.all())

    async def claim(self, account: Account, key: str) -> tuple[str, ...]:
        """Move the seats of a guest to the account; their tables. At a rated table everybody has one seat."""
        s, t, m = schema.seats, schema.tables, schema.messages
        own = select(s.c.table_id).where(s.c.holder_hash == account.holder_hash)
        rated = select(t.c.id).where(t.c.rated)
        async with self.database.writer.begin() as connection:
            free = [s.c.holder_hash == hashed(key), ~(s.c.table_id.in_(own) & s.c.table_id.in_(rated))]
            tables = tuple(set(await connection.scalars(select(s.c.table_id).where(*free))))
            await connection.execute(update(s).where(*free).values(holder_hash=account.holder_hash))
            await connection.execute(
                update(m)
                .where(m.c.holder_hash == hashed(key), m.c.table_id.in_(tables))
                .values(holder_hash=account.holder_hash)
            )
            await _touch(connection, tables)
        return tables

    async def export(self, account: Account) -> dict[str, Any]:
        """Everything stored about an account, as data. Secrets are stored only as hashes and left out."""
        s, m, r, t = schema.seats, schema.messages, schema.results, schema.tables
        seats = (
            select(s.c.table_id, s.c.number, s.c.name, s.c.taken_at, t.c.created_at, t.c.changed_at)
            .join(t, t.c.id == s.c.table_id)
            .where(s.c.holder_hash == account.holder_hash)
        )
        messages = select(m.c.table_id, m.c.seat, m.c.text, m.c.at).where(m.c.holder_hash == account.holder_hash)
        async with self.database.reader.connect() as connection:
            answer: dict[str, Any] = {
                "account": (await _rows(connection, select(schema.accounts), schema.accounts.c.id == account.id))[0],
                "seats": await _rows(connection, seats),
                "messages": await _rows(connection, messages),
                "results": await _rows(connection, select(r), r.c.account_id == account.id),
            }
            for table in (schema.sessions, schema.api_tokens, schema.subscriptions, schema.notices):
                answer[table.name] = await _rows(connection, select(table), table.c.account_id == account.id)
        return answer

    async def delete(self, account: Account) -> tuple[str, ...]:
        """Delete an account and its messages; bots take over its seats. Returns the tables of games in progress."""
        s, m, r, t = schema.seats, schema.messages, schema.results, schema.tables
        async with self.database.writer.begin() as connection:
            seats = (
                await connection.execute(
                    select(s.c.table_id, s.c.number, t.c.stand_in, t.c.to_move)
                    .join(t, t.c.id == s.c.table_id)
                    .where(s.c.holder_hash == account.holder_hash)
                )
            ).all()
            for seat in seats:
                values: dict[str, Any] = {"name": "", "holder_hash": None, "token_hash": None}
                if seat.to_move is not None:
                    values |= {"kind": "bot", "level": seat.stand_in, "away": False}
                    plays = (t.c.id == seat.table_id) & (t.c.to_move == seat.number) & (t.c.seating != "undrawn")
                    begin = update(t).where(plays).values(deadline_at=None).returning(t.c.changed_at)
                    since = await connection.scalar(begin)
                    if since is not None:
                        await set_job(connection, seat.table_id, since)
                await connection.execute(
                    update(s).where(s.c.table_id == seat.table_id, s.c.number == seat.number).values(**values)
                )
            await connection.execute(delete(m).where(m.c.holder_hash == account.holder_hash))
            tables = tuple({seat.table_id for seat in seats})
            await _touch(connection, tables)
            played = select(r.c.table_id).where(r.c.account_id == account.id)
            for row in (await connection.execute(select(r).where(r.c.table_id.in_(played)))).all():
                others = [
                    {"name": "", "account": None} if other["account"] == account.id else other
                    for other in row.opponents
                ]
                same = (r.c.table_id == row.table_id) & (r.c.account_id == row.account_id)
                await connection.execute(update(r).where(same).values(opponents=others))
            await connection.execute(delete(schema.accounts).where(schema.accounts.c.id == account.id))
        return tuple({seat.table_id for seat in seats if seat.to_move is not None})


async def _touch(connection: AsyncConnection, tables: tuple[str, ...]) -> None:
    """Make every process that has these tables in memory read them again."""
    t = schema.tables
    await connection.execute(update(t).where(t.c.id.in_(tables)).values(revision=t.c.revision + 1))


async def _rows(connection: AsyncConnection, query: Select[Any], *where: ColumnElement[bool]) -> list[dict[str, Any]]:
    rows = (await connection.execute(query.where(*where))).mappings()
    return [plain({key: value for key, value in row.items() if key not in HIDDEN}) for row in rows]
