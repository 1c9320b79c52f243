"""Clocks: the time each person has left, computed from the times of changes, and what happens when it is up.

The clock of the person to move runs once every seat is taken. It is computed from stored times, so it also runs while
the server is down.
"""

import asyncio
import logging
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from franchise.server.tables.errors import Damaged, Unavailable
from franchise.server.tables.interfaces import Store
from franchise.server.tables.stored import NOT_DUE, Due
from franchise.server.tables.table import Clock, Seat, Table

GRACE = 30.0  # minimum seconds for a person who comes back after their time ran out
LOOK_S = 1.0
RETRY_S = 1.0
LEASE = timedelta(seconds=10)  # within which a process deals with a table whose time is up, else another one does
HOUR = 3600.0
DAY = 24 * HOUR
log = logging.getLogger(__name__)


class ClockTables(Protocol):
    """What clocks need of the tables."""

    def now(self) -> datetime: ...

    async def get(self, table_id: str) -> Table: ...

    async def time_out(self, table_id: str, version: int) -> None: ...

    @property
    def store(self) -> Store: ...


@dataclass(frozen=True)
class Times:
    """What the clocks of a table show."""

    remaining: tuple[float | None, ...]  # seconds by seat; None for bots, and where there is no clock
    running: int | None  # the seat whose time runs
    vacation: tuple[float | None, ...] = ()  # seconds by seat that `remaining` has in store; None without a daily clock


def times(table: Table, now: datetime) -> Times:
    """What the clocks of a table show at a moment."""
    if table.clock.kind == "none":
        return Times((None,) * len(table.seats), None, (None,) * len(table.seats))
    kind: type[Count] = DailyCount if table.clock.kind == "daily" else Count
    counts = [kind(seat, table.clock) if seat.kind == "human" else None for seat in table.seats]
    begun = begin(table)
    at, mover = table.created_at, -1
    for change in table.changes:
        count = counts[change.seat]
        if count is not None and begun is not None and not change.by_bot:
            count.spend(change.seat != mover, max(at, begun), change.at)
        at, mover = change.at, change.seat
    current, running = table.to_move, None
    late = counts[table.game.current_player] if table.ended_at is not None and not table.game.over else None
    if late is not None and begun is not None and table.ended_at is not None:  # what was left when the game was ended
        late.spend(table.game.current_player != mover, max(at, begun), table.ended_at)
    if current is not None and begun is not None and current.player is None:
        running = current.number
        count = counts[running]
        if count is not None:
            count.spend(running != mover, max(at, begun), now)
    for count in counts:
        if count is not None:
            count.settle(now)
    return Times(
        tuple(None if count is None else count.left for count in counts),
        running,
        tuple(None if count is None else count.vacation for count in counts),
    )


def begin(table: Table) -> datetime | None:
    """When the last seat was taken; None while one is open."""
    taken = [seat.taken_at for seat in table.seats if seat.taken_at is not None]
    return max(taken) if len(taken) == len(table.seats) else None


class Count:
    """The time of one person, with a live clock."""

    vacation: float | None = None  # seconds left of it

    def __init__(self, seat: Seat, clock: Clock) -> None:
        self.clock = clock
        self.out = seat.out_at  # there was nothing left then, whatever had been
        self.back = None if seat.away else seat.back_at
        self.left = self.first() if seat.out_at is None else 0.0

    def first(self) -> float:
        """The time before the first turn."""
        return 60.0 * self.clock.minutes

    def begin(self) -> None:
        """A turn begins."""
        self.left += self.clock.increment

    def returned(self) -> None:
        """The person is back after the time was up."""
        self.left = max(self.left, GRACE)

    def run(self, seconds: float) -> None:
        self.left = max(0.0, self.left - seconds)

    def spend(self, fresh: bool, since: datetime, until: datetime) -> None:
        """Count a stretch of time; `fresh` where the turn begins with it."""
        if self.out is not None:
            if until <= self.out:
                return
            fresh = fresh and since >= self.out
            since = max(since, self.out)
        if fresh:
            self.begin()
        if self.back is not None and self.back <= until:
            self.returned()
            since = max(since, self.back)
            self.back = None
        self.run(max(0.0, (until - since).total_seconds()))

    def settle(self, now: datetime) -> None:
        """A person who is back gets their time before the next turn already."""
        if self.back is not None and self.back <= now:
            self.returned()
            self.back = None


class DailyCount(Count):
    """The time of one person with a daily clock: hours for the turn, then what is left of the vacation."""

    vacation: float  # seconds

    def first(self) -> float:
        self.vacation = DAY * self.clock.vacation
        return HOUR * self.clock.hours + self.vacation

    def __init__(self, seat: Seat, clock: Clock) -> None:
        self.vacation = 0.0  # used up when the time was
        super().__init__(seat, clock)

    def begin(self) -> None:
        self.left = HOUR * self.clock.hours + self.vacation

    returned = begin

    def run(self, seconds: float) -> None:
        super().run(seconds)
        self.vacation = min(self.vacation, self.left)


def due(table: Table, now: datetime) -> Due:
    """When a table needs attention: its bot's turn, its deadline."""
    seat = table.to_move
    if seat is None:
        return NOT_DUE
    if seat.player is not None:
        return Due(bot=table.turn_began)
    shown = times(table, now)
    if shown.running is None:
        return NOT_DUE
    # In whole seconds: the same for every move of a turn, so that the index of deadlines has nothing to do.
    deadline = now + timedelta(seconds=shown.remaining[shown.running] or 0.0)
    return Due(deadline=deadline.replace(microsecond=0) + timedelta(seconds=1))


class Clocks:
    """Looks, every second, whose time is up. Which tables these are is written down with each change; of several
    processes one takes a lease on such a table, and another one where that does nothing about it.
    """

    def __init__(self, tables: ClockTables) -> None:
        self.tables = tables
        self.task: asyncio.Task[None] | None = None
        self.bot_waits = 0.0  # seconds that the bot has waited which waits longest

    def start(self) -> None:
        self.task = asyncio.get_running_loop().create_task(self._keep_looking())

    async def _keep_looking(self) -> None:
        while True:
            try:
                await self.look()
            except Unavailable:  # which is logged
                await asyncio.sleep(RETRY_S)
            except Exception:
                log.exception("the clocks could not be read; trying again")
            await asyncio.sleep(LOOK_S)

    async def look(self) -> None:
        """Apply the time-out at tables where the time is up."""
        since = await self.tables.store.bot_waits()
        self.bot_waits = 0.0 if since is None else max(0.0, (self.tables.now() - since).total_seconds())
        for table_id in await self.tables.store.overdue(self.tables.now(), LEASE):
            try:
                await self._check(await self.tables.get(table_id))
            except Damaged:  # which is logged
                await self.tables.store.set_deadline(table_id, None, None)

    async def _check(self, table: Table) -> None:
        now = self.tables.now()
        shown = times(table, now)
        if shown.running is None or shown.remaining[shown.running]:
            await self.tables.store.set_deadline(table.id, table.version, due(table, now).deadline)
        else:
            await self.tables.time_out(table.id, table.version)

    def close(self) -> None:
        if self.task is not None:
            self.task.cancel()
