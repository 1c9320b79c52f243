"""Clocks: how much time each person has left, measured by the times of the changes, and what happens when it is up.

Time runs for the person to move once every seat is taken. It is counted from what is written down, so it goes on while
the server is down.
"""

import asyncio
import logging
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from franchise.server.table import Table

GRACE = 30.0  # seconds somebody has at least who comes back after the time was up
log = logging.getLogger(__name__)


class Desk(Protocol):
    """What clocks need of the tables."""

    def now(self) -> datetime: ...

    async def get(self, table_id: str) -> Table: ...

    async def time_out(self, table_id: str, version: int) -> None: ...


@dataclass(frozen=True)
class Times:
    """What the clocks of a table show."""

    remaining: tuple[float | None, ...]  # seconds by seat; None for bots, and where there is no clock
    running: int | None  # the seat whose time runs


def times(table: Table, now: datetime) -> Times:
    """What the clocks of a table show at a moment."""
    seats = table.seats
    if table.clock.kind == "none":
        return Times((None,) * len(seats), None)
    left: list[float | None] = [60.0 * table.clock.minutes if seat.kind == "human" else None for seat in seats]
    begun = begin(table)
    at, mover = table.created_at, -1
    for change in table.changes:
        if not change.by_bot:
            spend(left, table, change.seat, change.seat != mover, at, change.at)
        at, mover = change.at, change.seat
    current = table.to_move
    if current is None or begun is None or current.player is not None:
        return Times(away_have_none(left, table), None)
    spend(left, table, current.number, current.number != mover, at, now)
    return Times(away_have_none(left, table), current.number)


def begin(table: Table) -> datetime | None:
    """When the last seat was taken; None while one is open."""
    taken = [seat.taken_at for seat in table.seats if seat.taken_at is not None]
    return max(taken) if len(taken) == len(table.seats) else None


def spend(left: list[float | None], table: Table, seat: int, fresh: bool, since: datetime, until: datetime) -> None:
    """Count a stretch of time against a seat; `fresh` where its turn begins with it."""
    time = left[seat]
    begun = begin(table)
    if time is None or begun is None:
        return
    if fresh:
        time += table.clock.increment
    since = max(since, begun)
    back = table.seats[seat].back_at
    if back is not None and since < back <= until:
        since, time = back, max(time, GRACE)
    left[seat] = max(0.0, time - max(0.0, (until - since).total_seconds()))


def away_have_none(left: list[float | None], table: Table) -> tuple[float | None, ...]:
    return tuple(0.0 if seat.away else time for seat, time in zip(table.seats, left, strict=True))


class Clocks:
    """The alarms of this process: one for each table whose clock runs."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.alarms: dict[str, asyncio.TimerHandle] = {}
        self.ringing: set[asyncio.Task[None]] = set()

    def watch(self, table: Table) -> None:
        """Set the alarm of a table for its latest state."""
        alarm = self.alarms.pop(table.id, None)
        if alarm is not None:
            alarm.cancel()
        shown = times(table, self.desk.now())
        if shown.running is None:
            return
        seconds = shown.remaining[shown.running] or 0.0
        loop = asyncio.get_running_loop()
        self.alarms[table.id] = loop.call_later(seconds, self._ring, table.id, table.version)

    def _ring(self, table_id: str, version: int) -> None:
        self.alarms.pop(table_id, None)
        task = asyncio.get_running_loop().create_task(self._check(table_id, version))
        self.ringing.add(task)
        task.add_done_callback(self.ringing.discard)

    async def _check(self, table_id: str, version: int) -> None:
        try:
            table = await self.desk.get(table_id)
            shown = times(table, self.desk.now())
            if shown.running is None or table.version != version:
                return
            if shown.remaining[shown.running]:
                self.watch(table)
            else:
                await self.desk.time_out(table_id, version)
        except Exception:
            log.exception("the clock of table %s failed", table_id)

    def close(self) -> None:
        for alarm in self.alarms.values():
            alarm.cancel()
        self.alarms.clear()
        for task in self.ringing:
            task.cancel()
