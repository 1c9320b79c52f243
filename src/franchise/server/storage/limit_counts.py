"""The rate limit counts of all servers that share a PostgreSQL database."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from hashlib import blake2b

from sqlalchemy import delete
from sqlalchemy.dialects.postgresql import insert

from franchise.server.storage import schema
from franchise.server.storage.database import Database

FORGET = timedelta(minutes=1)  # between looks for counts whose time is over


class LimitCounts:
    """Counts by digest, so that they reveal no addresses."""

    def __init__(self, database: Database, now: Callable[[], datetime]) -> None:
        self.database = database
        self.now = now
        self.forgot = datetime.min.replace(tzinfo=UTC)

    async def add(self, seconds: int, number: int, counts: Mapping[str, int]) -> dict[str, int]:
        """Add to the counts of a window; what they are then."""
        c = schema.limit_counts
        names = {blake2b(key.encode(), digest_size=32).hexdigest(): key for key in counts}
        until = datetime.fromtimestamp((number + 2) * seconds, UTC)
        common = {"seconds": seconds, "number": number, "until": until}
        rows = [common | {"name": name, "count": counts[names[name]]} for name in sorted(names)]  # in one order for all
        new = insert(c)
        adding = new.on_conflict_do_update(
            index_elements=[c.c.name, c.c.seconds, c.c.number], set_={"count": c.c.count + new.excluded.count}
        ).returning(c.c.name, c.c.count)
        now = self.now()
        async with self.database.writer.begin() as connection:
            sums = (await connection.execute(adding, rows)).all()
            if now - self.forgot > FORGET:
                self.forgot = now
                await connection.execute(delete(c).where(c.c.until < now))
        return {names[name]: count for name, count in sums}
