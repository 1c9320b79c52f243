"""Messages that people have reported, for whoever runs the server."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import delete, func, select

from franchise.server.storage import schema
from franchise.server.storage.database import Database


@dataclass(frozen=True)
class Report:
    """A message that somebody finds out of place."""

    message: int
    table: str
    name: str  # of who said it, as the table showed it
    account: str | None  # the name of their account; None for a guest
    text: str
    said_at: datetime
    reported_at: datetime  # first
    reporters: int


class Reports:
    """The reports that nobody has closed."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def open(self) -> tuple[Report, ...]:
        """The oldest first."""
        r, m, a = schema.reports, schema.messages, schema.accounts
        first = func.min(r.c.at).label("first")
        query = (
            select(m, a.c.name.label("account"), first, func.count().label("reporters"))
            .join(r, r.c.message_id == m.c.id)
            .outerjoin(a, a.c.holder_hash == m.c.holder_hash)
            .group_by(m.c.id, a.c.name)
            .order_by(first)
        )
        async with self.database.reader.connect() as connection:
            return tuple(
                Report(row.id, row.table_id, row.name, row.account, row.text, row.at, row.first, row.reporters)
                for row in await connection.execute(query)
            )

    async def close(self, message: int, *, remove: bool) -> bool:
        """Close the reports of a message, which stays or is removed from its table; whether there were any."""
        r, m = schema.reports, schema.messages
        async with self.database.writer.begin() as connection:
            closed = await connection.execute(delete(r).where(r.c.message_id == message))
            if closed.rowcount and remove:
                await connection.execute(delete(m).where(m.c.id == message))
        return closed.rowcount > 0
