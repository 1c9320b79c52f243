"""Storage of tables: `SqlStore` has the statements that all databases share.

Everything is committed before a method returns. A change is appended for the version it was made for: the version of
the table and the primary key of the change make a lost or doubled one impossible. `sqlite_store.py` and
`postgres_store.py` implement the two kinds of database.
"""

from collections.abc import AsyncIterator, Collection, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import asdict
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Row, Select, case, delete, exc, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from franchise.engine.setups import Options
from franchise.server.storage import schema
from franchise.server.storage.archive import packed, unpacked
from franchise.server.storage.database import TROUBLES, ReportingConnections
from franchise.server.storage.group_commit import GroupCommit
from franchise.server.tables.errors import NotWritten
from franchise.server.tables.interfaces import Store
from franchise.server.tables.stored import Conflict, Due, Entry, Message, Probe, StoredSeat, StoredTable, TableSummary
from franchise.server.tables.table import Change, Clock, Ending, Seat

LISTED = 50  # tables in a list
OVERDUE = 100  # tables whose time is up, at once
OUR_FAULT = (exc.IntegrityError, exc.ProgrammingError, exc.DataError)  # not the database's
ANALYSES = 2000  # reviews that are kept, some kilobytes each
# A table that is never committed: whether everything that a game is written to takes it, in pages enough to notice.
TRIAL = (
    "INSERT INTO tables (id, record, version, revision, public, options, seed, clock, minutes, increment, turn, "
    f"created_at, changed_at) VALUES ('trial', '{' ' * 65536}', 0, 0, false, '{{}}', 0, 'none', 0, 0, 0, "
    "'2000-01-01 00:00:00+00', '2000-01-01 00:00:00+00')",
    "INSERT INTO seats (table_id, number, kind, name, away) VALUES ('trial', 0, 'bot', '', false)",
    "INSERT INTO changes (table_id, number, kind, seat, text, by_bot, at) "
    "VALUES ('trial', 1, 'move', 0, '', false, '2000-01-01 00:00:00+00')",
)
FORGOTTEN = timedelta(days=1)  # servers without a heartbeat
WAITING = select(  # bots that are to move, of few among many tables
    schema.jobs.c.table_id,
    select(schema.tables.c.version).where(schema.tables.c.id == schema.jobs.c.table_id).scalar_subquery(),
).order_by(schema.jobs.c.due_at)
OPEN = (schema.seats.c.taken_at.is_(None), schema.seats.c.holder_hash.is_(None), schema.seats.c.token_hash.is_(None))


class SqlStore:
    """Tables in an SQL database. Subclasses add what is specific to one."""

    writer: ReportingConnections
    reader: ReportingConnections
    group_commit: "GroupCommit[Entry | Probe, int] | None" = None

    @property
    def commits(self) -> tuple[int, float]:
        return (self.group_commit.count, self.group_commit.seconds) if self.group_commit is not None else (0, 0.0)

    @property
    def clock_off(self) -> float:
        return 0.0

    def snapshot(self) -> AbstractAsyncContextManager[AsyncConnection]:
        """A connection whose statements all see the same state."""
        return self.reader.connect()

    # --- tables ---

    async def check(self) -> None:
        assert self.group_commit is not None
        await self.group_commit.ask(Probe())

    async def insert(self, table: StoredTable) -> None:
        async with self.writer.begin() as connection:
            await _insert(connection, table)

    async def insert_rematch(self, old: str, table: StoredTable) -> str:
        async with self.writer.begin() as connection:
            before = select(schema.tables.c.rematch).where(schema.tables.c.id == old).with_for_update()
            following = await connection.scalar(before)
            if following is not None:
                return str(following)
            await _insert(connection, table)
            await connection.execute(
                update(schema.tables)
                .where(schema.tables.c.id == old)
                .values(rematch=table.id, revision=schema.tables.c.revision + 1)
            )
            return table.id

    async def load(self, table: str) -> StoredTable | None:
        t, s, c, a = schema.tables, schema.seats, schema.changes, schema.archives
        async with self.snapshot() as connection:
            row = (await connection.execute(select(t).where(t.c.id == table))).one_or_none()
            if row is None:
                return None
            seats = await connection.execute(select(s).where(s.c.table_id == table).order_by(s.c.number))
            if row.archived:
                archived = await connection.scalar(select(a.c.changes).where(a.c.table_id == table))
                changes = unpacked(archived or b"", row.created_at)
            else:
                rows = await connection.execute(select(c).where(c.c.table_id == table).order_by(c.c.number))
                changes = tuple(stored_change(change) for change in rows)
            return StoredTable(
                id=row.id,
                record=row.record,
                version=row.version,
                revision=row.revision,
                public=row.public,
                options=row.options,
                seed=row.seed,
                clock=_clock(row),
                turn=row.turn,
                to_move=row.to_move,
                rematch=row.rematch,
                created_at=row.created_at,
                changed_at=row.changed_at,
                seats=tuple(StoredSeat(_seat(seat, row), seat.token_hash, seat.holder_hash) for seat in seats),
                changes=changes,
                rated=row.rated,
                hints=row.hints,
                ended_at=row.ended_at,
                ending=row.ending,
                ended_seat=row.ended_seat,
                settled=row.settled,
                seating=row.seating,
            )

    async def change_seats(
        self,
        table: str,
        revision: int,
        seats: Sequence[StoredSeat],
        at: datetime,
        due: Due,
        drawn: Sequence[int] | None = None,
    ) -> int:
        t, s, m = schema.tables, schema.seats, schema.messages
        new: dict[str, Any] = {"revision": revision + 1, "changed_at": at, "deadline_at": due.deadline}
        if drawn is not None:
            new["seating"] = "drawn"
        async with self.writer.begin() as connection:
            updated = (
                await connection.execute(  # the table before its seats, as a move does: nobody waits for the other
                    update(t).where(t.c.id == table, t.c.revision == revision).values(**new)
                )
            )
            if updated.rowcount != 1:
                raise Conflict
            await set_job(connection, table, due.bot)
            for stored in seats:
                await connection.execute(
                    update(s)
                    .where(s.c.table_id == table, s.c.number == stored.seat.number)
                    .values(**_seat_values(stored))
                )
            free = select(func.count()).where(s.c.table_id == table, *OPEN).scalar_subquery()
            await connection.execute(update(t).where(t.c.id == table, t.c.free_seats != free).values(free_seats=free))
            if drawn is not None:  # chat messages are deleted with their authors
                now = case({old: number for number, old in enumerate(drawn)}, value=m.c.seat)
                await connection.execute(update(m).where(m.c.table_id == table).values(seat=now))
            return revision + 1

    async def end(self, table: str, version: int, at: datetime, ending: Ending, seat: int | None) -> int:
        t = schema.tables
        async with self.writer.begin() as connection:
            revision = await connection.scalar(
                update(t)
                .where(t.c.id == table, t.c.version == version, t.c.over_at.is_(None))
                .values(
                    ended_at=at,
                    ending=ending,
                    ended_seat=seat,
                    over_at=at,
                    to_move=None,
                    deadline_at=None,
                    changed_at=at,
                    revision=t.c.revision + 1,
                )
                .returning(t.c.revision)
            )
            if revision is None:
                raise Conflict
            await set_job(connection, table, None)
            return int(revision)

    # --- what is said ---

    async def say(self, table: str, seat: int, name: str, text: str, at: datetime, holder: str | None) -> Message:
        async with self.writer.begin() as connection:
            number = await connection.scalar(
                insert(schema.messages)
                .values(table_id=table, seat=seat, name=name, text=text, at=at, holder_hash=holder)
                .returning(schema.messages.c.id)
            )
        return Message(int(number or 0), seat, name, text, at)

    async def report(self, table: str, message: int, holder: str, at: datetime) -> bool:
        m, r = schema.messages, schema.reports
        async with self.writer.begin() as connection:
            exists = await connection.scalar(select(m.c.id).where(m.c.id == message, m.c.table_id == table))
            reported = select(r.c.at).where(r.c.message_id == message, r.c.holder_hash == holder)
            if exists is not None and await connection.scalar(reported) is None:
                await connection.execute(insert(r).values(message_id=message, holder_hash=holder, at=at))
        return exists is not None

    async def messages(self, table: str, number: int) -> tuple[Message, ...]:
        m = schema.messages
        async with self.reader.connect() as connection:
            rows = await connection.execute(
                select(m).where(m.c.table_id == table).order_by(m.c.id.desc()).limit(number)
            )
            return tuple(Message(row.id, row.seat, row.name, row.text, row.at) for row in rows)[::-1]

    # --- lists ---

    async def open_tables(self) -> tuple[TableSummary, ...]:
        t = schema.tables
        return await self._list(select(t).where(schema.OPEN_TO_JOIN).order_by(t.c.created_at.desc()))

    async def live_tables(self) -> tuple[TableSummary, ...]:
        t = schema.tables
        return await self._list(select(t).where(schema.OPEN_TO_WATCH).order_by(t.c.created_at.desc()))

    async def tables_of(self, holders: Collection[str]) -> tuple[TableSummary, ...]:
        t, s = schema.tables, schema.seats
        own_seats = s.c.holder_hash.in_(holders)
        own_tables = select(s.c.table_id).where(own_seats)
        playing = [own_seats, ~s.c.away, s.c.resigned_at.is_(None)]
        to_move = select(s.c.number).where(s.c.table_id == t.c.id, s.c.number == t.c.to_move, *playing)
        pressing = case((to_move.exists(), 0), (t.c.to_move.is_not(None), 1), else_=2)
        closed = t.c.ending.in_(("cancelled", "expired"))
        shown = [t.c.id.in_(own_tables), t.c.ending.is_(None) | ~closed]
        return await self._list(select(t).where(*shown).order_by(pressing, t.c.changed_at.desc()), holders)

    async def _list(self, query: Select[Any], holders: Collection[str] = ()) -> tuple[TableSummary, ...]:
        s = schema.seats
        async with self.snapshot() as connection:
            listed = (await connection.execute(query.limit(LISTED))).all()
            ids = [row.id for row in listed]
            rows = await connection.execute(select(s).where(s.c.table_id.in_(ids)).order_by(s.c.number))
            seats: dict[str, list[Row[Any]]] = {table: [] for table in ids}
            for seat in rows:
                seats[seat.table_id].append(seat)
        return tuple(_summary(row, seats[row.id], holders) for row in listed)

    async def finished(self, number: int) -> tuple[str, ...]:
        t = schema.tables
        over = select(t.c.id).where(schema.OVER, t.c.ended_at.is_(None), t.c.version > 0)
        async with self.reader.connect() as connection:
            return tuple(await connection.scalars(over.order_by(t.c.over_at.desc()).limit(number)))

    async def waiting(self) -> tuple[tuple[str, int], ...]:
        async with self.reader.connect() as connection:
            return tuple((row[0], row[1]) for row in await connection.execute(WAITING))

    async def bot_waits(self) -> datetime | None:
        j = schema.jobs
        async with self.reader.connect() as connection:
            oldest = select(j.c.due_at).order_by(j.c.due_at).limit(1)
            since: datetime | None = await connection.scalar(oldest)
            return since

    async def overdue(self, now: datetime, lease: timedelta) -> tuple[str, ...]:
        t = schema.tables
        up = select(t.c.id).where(schema.WITH_DEADLINE, t.c.deadline_at <= now).order_by(t.c.deadline_at).limit(OVERDUE)
        async with self.reader.connect() as connection:
            if await connection.scalar(up.limit(1)) is None:  # as nearly always
                return ()
        due = t.c.id.in_(up.with_for_update(skip_locked=True))
        async with self.writer.begin() as connection:
            lease_out = update(t).where(due).values(deadline_at=now + lease).returning(t.c.id)
            return tuple(await connection.scalars(lease_out))

    async def expired(self, live: datetime, others: datetime) -> tuple[str, ...]:
        t = schema.tables
        old = ((t.c.clock == "live") & (t.c.changed_at < live)) | (t.c.changed_at < others)
        waits = (t.c.free_seats > 0) | (t.c.seating == "undrawn")
        query = select(t.c.id).where(schema.RUNNING, waits, t.c.version == 0, old).limit(OVERDUE)
        async with self.reader.connect() as connection:
            return tuple(await connection.scalars(query))

    async def set_deadline(self, table: str, version: int | None, deadline: datetime | None) -> None:
        t = schema.tables
        meant = [t.c.id == table] if version is None else [t.c.id == table, t.c.version == version]
        async with self.writer.begin() as connection:
            await connection.execute(update(t).where(*meant).values(deadline_at=deadline))

    async def archive(self, before: datetime, most: int) -> int:
        t, c, a = schema.tables, schema.changes, schema.archives
        old = select(t.c.id, t.c.created_at).where(schema.UNARCHIVED, t.c.over_at < before).order_by(t.c.over_at)
        async with self.reader.connect() as connection:
            if (await connection.execute(old.limit(1))).first() is None:  # as nearly always
                return 0
        async with self.writer.begin() as connection:
            archived = (await connection.execute(old.limit(most).with_for_update(skip_locked=True))).all()
            created = {row.id: row.created_at for row in archived}
            changes: dict[str, list[Change]] = {table: [] for table in created}
            query = select(c).where(c.c.table_id.in_(created)).order_by(c.c.table_id, c.c.number)
            for row in await connection.execute(query):
                changes[row.table_id].append(stored_change(row))
            if created:
                rows = [{"table_id": table, "changes": packed(changes[table], created[table])} for table in created]
                await connection.execute(insert(a), rows)
                await connection.execute(delete(c).where(c.c.table_id.in_(created)))
                await connection.execute(update(t).where(t.c.id.in_(created)).values(archived=True))
        return len(created)

    # --- what bots make of games ---

    async def analysis(self, name: str) -> str | None:
        a = schema.analyses
        async with self.reader.connect() as connection:
            review: str | None = await connection.scalar(select(a.c.review).where(a.c.name == name))
            return review

    async def keep_analysis(self, name: str, review: str, at: datetime) -> None:
        a = schema.analyses
        newest = select(a.c.name).order_by(a.c.at.desc()).limit(ANALYSES)
        with suppress(exc.IntegrityError):  # another server was quicker
            async with self.writer.begin() as connection:
                await connection.execute(insert(a).values(name=name, review=review, at=at))
                await connection.execute(delete(a).where(a.c.name.not_in(newest)))


async def _insert(connection: AsyncConnection, table: StoredTable) -> None:
    worked_out = asdict(table.clock) | {
        "archived": False,
        "over_at": table.changed_at if table.to_move is None else None,
        "deadline_at": table.due.deadline,
        "free_seats": sum(stored.seat.open for stored in table.seats),
    }
    worked_out["clock"] = worked_out.pop("kind")
    values = {
        name: worked_out[name] if name in worked_out else getattr(table, name)
        for name in schema.tables.c.keys()  # noqa: SIM118 - a column collection iterates over columns
    }
    await connection.execute(insert(schema.tables).values(**values))
    seats = [{"table_id": table.id, **_seat_values(stored)} for stored in table.seats]
    await connection.execute(insert(schema.seats), seats)
    if table.due.bot is not None:
        await set_job(connection, table.id, table.due.bot)


async def set_job(connection: AsyncConnection, table: str, since: datetime | None) -> None:
    """Write down since when a bot is to move at a table that this transaction holds; None: none is."""
    j = schema.jobs
    own = j.c.table_id == table
    if since is None:
        await connection.execute(delete(j).where(own))
    elif (await connection.execute(update(j).where(own).values(due_at=since))).rowcount == 0:
        await connection.execute(insert(j).values(table_id=table, due_at=since))


def _seat_values(stored: StoredSeat) -> dict[str, Any]:
    seat = stored.seat
    return {
        "number": seat.number,
        "kind": seat.kind,
        "name": seat.name,
        "level": seat.level,
        "token_hash": stored.token_hash,
        "holder_hash": stored.holder_hash,
        "taken_at": seat.taken_at,
        "away": seat.away,
        "out_at": seat.out_at,
        "back_at": seat.back_at,
        "resigned_at": seat.resigned_at,
        "colour": seat.own_colour,
        "vote": seat.vote,
        "vote_at": seat.vote_at,
        "nudged_at": seat.nudged_at,
    }


def stored_change(row: Row[Any]) -> Change:
    return Change(
        version=row.number,
        kind=row.kind,
        seat=row.seat,
        text=row.text,
        at=row.at,
        move_id=row.move_id,
        by_bot=row.by_bot,
    )


def _seat(row: Row[Any], table: Row[Any]) -> Seat:
    return Seat(
        number=row.number,
        kind=row.kind,
        name=row.name,
        level=row.level,
        taken=row.taken_at is not None,
        away=row.away,
        taken_at=row.taken_at,
        out_at=row.out_at,
        back_at=row.back_at,
        resigned_at=row.resigned_at,
        stand_in=table.stand_in,
        own_colour=row.colour,
        vote=row.vote,
        vote_at=row.vote_at,
        nudged_at=row.nudged_at,
        asked=row.taken_at is None and (row.holder_hash is not None or row.token_hash is not None),
    )


def _clock(row: Row[Any]) -> Clock:
    return Clock(row.clock, row.minutes, row.increment, row.hours, row.vacation, row.time_out, row.stand_in)


def _summary(row: Row[Any], rows: Sequence[Row[Any]], holders: Collection[str]) -> TableSummary:
    seats = tuple(_seat(seat, row) for seat in rows)
    yours = {seat.number for seat in seats if seat.player is None and rows[seat.number].holder_hash in holders}
    return TableSummary(
        id=row.id,
        players=len(seats),
        names=tuple(seat.name for seat in seats),
        seats=seats,
        open_seats=tuple(seat.number for seat in seats if seat.open),
        options=Options(**row.options),
        clock=_clock(row),
        public=row.public,
        turn=row.turn,
        over=row.to_move is None,
        to_move=row.to_move,
        your_turn=row.to_move in yours and row.seating != "undrawn",
        changed_at=row.changed_at,
        created_at=row.created_at,
        rated=row.rated,
        holders=tuple(seat.holder_hash for seat in rows),
    )


def unwritten(error: Exception) -> NotWritten:
    """The error for a change that the database did not accept."""
    TROUBLES.note(NotWritten.code, error)
    refusal = NotWritten()
    refusal.__cause__ = error
    return refusal


@asynccontextmanager
async def opened(store: Store) -> AsyncIterator[Store]:
    """The store, opened; closed afterwards whatever happens."""
    try:
        await store.open()
        yield store
    finally:
        await store.close()
