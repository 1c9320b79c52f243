"""People at a table: the host who frees seats, begins or cancels; leaving; rematches that are offered and accepted;
resigning, calling a game off together, and a bot for somebody who does not come back.
"""

import asyncio
import logging
import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Literal, NamedTuple

from franchise.bots.characters import free_characters
from franchise.engine.setups import drawn_order
from franchise.game import Game
from franchise.server.tables.cache import CachedTable
from franchise.server.tables.clocks import begin
from franchise.server.tables.errors import Ended, NoSuchSeat, NotOver, NotYourSeat, Refused, Resigned, Unavailable
from franchise.server.tables.interfaces import Notice
from franchise.server.tables.new_table import DEFAULT_LEVEL, first_stored, known, options_again
from franchise.server.tables.seat_keys import Key
from franchise.server.tables.service import Tables, checked, moved_to
from franchise.server.tables.stored import Conflict, StoredSeat
from franchise.server.tables.table import Ending, Seat, Table, Vote

PATIENCE = timedelta(minutes=2)  # without a clock: how long a turn lasts before somebody absent can be nudged
GIVEN_UP = timedelta(minutes=5)  # after which, nudged, a bot can be voted in
EXPIRY = timedelta(days=7)  # of a table that waits for people
LIVE_EXPIRY = timedelta(hours=2)  # of one with a live clock: its people want to play now
LOOK_S = 60.0  # between searches for tables that nobody waits at any more

log = logging.getLogger(__name__)


def host_of(table: Table) -> Seat | None:
    """The host: the person who has been at the table longest."""
    people = [seat for seat in table.seats if seat.kind == "human" and seat.taken_at is not None]
    return min(people, key=lambda seat: (seat.taken_at, seat.number), default=None)


def has_begun(table: Table) -> bool:
    """Whether moves have been made, or seats been drawn."""
    return bool(table.changes) or (table.seating == "drawn" and not any(seat.open for seat in table.seats))


class NextStep(NamedTuple):
    """What the others can do about somebody who does not move, and when."""

    what: Literal["nudge", "bot"]
    at: datetime


def next_step(table: Table) -> NextStep | None:
    """What can be done next about whoever is to move; None where a clock or nobody else waits."""
    seat, begun = table.to_move, begin(table)
    if seat is None or begun is None or seat.player is not None or table.clock.kind != "none" or len(people(table)) < 2:
        return None
    since = max(table.changed_at, begun)
    if seat.nudged_at is not None and seat.nudged_at >= since:
        return NextStep("bot", seat.nudged_at + GIVEN_UP)
    return NextStep("nudge", since + PATIENCE)


class Hosting:
    """What people do at a table beside playing."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.looking: asyncio.Task[None] | None = None

    def start(self) -> None:
        self.looking = asyncio.get_running_loop().create_task(self._keep_looking())

    def close(self) -> None:
        if self.looking is not None:
            self.looking.cancel()

    # --- the host ---

    async def cancel(self, table_id: str, key: Key | None) -> Table:
        """Close a table that has not begun; the host may."""
        cached = await self._waiting(table_id, key)
        return await self._end(cached.table, "cancelled")

    async def free(self, table_id: str, seat: int, key: Key | None) -> Table:
        """Open a seat again that somebody else or a bot has, before the game begins; the host may."""
        await self._waiting(table_id, key)

        def freed(cached: CachedTable, stored: StoredSeat) -> StoredSeat:
            if seat in cached.held(key):
                raise Refused("You cannot free your own seat; leave it instead.")
            return emptied(stored)

        return await self._change(table_id, seat, freed)

    async def begin(self, table_id: str, key: Key | None, level: str = DEFAULT_LEVEL) -> Table:
        """Begin early: bots take the seats that are still open; the host may."""
        cached = await self._waiting(table_id, key)
        table = cached.table
        if table.rated:
            raise Refused("A rated table has no bots; wait for somebody to sit down.", "rated_seats")
        for seat in [seat.number for seat in table.seats if seat.open]:
            table = await self._change(table_id, seat, self._bot(checked(known, level)))
            if has_begun(table):
                break
        return table

    def _bot(self, level: str) -> Callable[[CachedTable, StoredSeat], StoredSeat]:
        def filled(cached: CachedTable, stored: StoredSeat) -> StoredSeat:
            if not stored.seat.open:
                return stored
            name = free_characters(other.name for other in cached.table.seats)[0]
            at = self.tables.now()
            return StoredSeat(
                replace(stored.seat, kind="bot", level=level, name=name, taken=True, taken_at=at, asked=False)
            )

        return filled

    async def _waiting(self, table_id: str, key: Key | None) -> CachedTable:
        """The table if it has not begun and the key is the host's; raises otherwise."""
        cached = await self.tables.cached(table_id)
        held, host = self.tables.held_at(cached, key), host_of(cached.table)
        if host is None or host.number not in held:
            raise NotYourSeat("Only the host of the table can do that.")
        if cached.table.over:
            raise Ended(cached.table)
        if has_begun(cached.table):
            raise Refused("The game has begun.", "begun")
        return cached

    async def leave(self, table_id: str, seat: int, key: Key | None) -> Table:
        """Give a seat back before its first move; a table without people is closed at once."""

        def left(cached: CachedTable, stored: StoredSeat) -> StoredSeat:
            if seat not in self.tables.held_at(cached, key):
                raise NotYourSeat(f"Seat {seat} is not yours to leave.")
            if any(change.seat == seat for change in cached.table.changes):
                raise Refused("A seat can be left before its first move; this game has begun.", "begun")
            return emptied(stored)

        table = await self._change(table_id, seat, left)
        return table if host_of(table) is not None else await self._end(table, "cancelled")

    # --- another game ---

    async def rematch(self, table_id: str, key: Key | None) -> Table:
        """Offer another game, or accept one that is offered: the table begins when all are there. Once for each table.

        The same people in their colours, the same options; bots are there at once.
        """
        cached = await self.tables.cached(table_id)
        held = self.tables.held_at(cached, key)
        if cached.table.rematch is not None:
            return await self.accept(cached.table.rematch, key)
        if not cached.table.over:
            raise NotOver(cached.table)
        at, seed = self.tables.now(), secrets.randbelow(2**31)
        seats = tuple(seat_again(stored, stored.seat.number in held) for stored in cached.seats)
        seats = tuple(replace(s, seat=replace(s.seat, taken_at=at)) if s.seat.taken else s for s in seats)
        alone = all(stored.seat.taken for stored in seats)
        if alone:
            seats = tuple(moved_to(seats[old], number) for number, old in enumerate(drawn_order(len(seats), seed)))
        table = cached.table
        new = first_stored(
            Game(table.game.players, seed, options_again(table.game.setup)),
            seats,
            seed,
            at,
            public=table.public,
            clock=table.clock,
            rated=table.rated,
            hints=table.hints,
            seating="drawn" if alone else "undrawn",
        )
        following = await self.tables.insert_rematch(table_id, new)
        self.tables.bus.publish(Notice(table_id, "rematch"))
        return following if following.id == new.id else await self.accept(following.id, key)  # somebody else was faster

    async def accept(self, table_id: str, key: Key | None) -> Table:
        """Accept the offered seats."""
        cached = await self.tables.cached(table_id)
        table = cached.table
        for seat in sorted(self.tables.held_at(cached, key)):
            if table.seats[seat].asked:
                table = await self._change(table_id, seat, self._taken)
        return table

    def _taken(self, cached: CachedTable, stored: StoredSeat) -> StoredSeat:
        if not stored.seat.asked:
            return stored
        return replace(stored, seat=replace(stored.seat, taken=True, taken_at=self.tables.now(), asked=False))

    async def decline(self, table_id: str, key: Key | None) -> Table:
        """Decline a rematch: the offered seats become open to others."""
        cached = await self.tables.cached(table_id)
        table = cached.table
        for seat in sorted(self.tables.held_at(cached, key)):
            if table.seats[seat].asked:
                table = await self._change(table_id, seat, lambda _, stored: emptied(stored))
        return table

    # --- games that end otherwise ---

    async def resign(self, table_id: str, key: Key | None) -> Table:
        """Give a game up for good. A bot plays on for the others; where only one is left, or only bots, it is over."""
        cached = await self.tables.cached(table_id)
        table, held = cached.table, self._playing(cached, key)
        if not has_begun(table):
            raise Refused("The game has not begun; leave the table instead.")
        others = [seat for seat in table.seats if seat.number not in held and not seat.resigned]
        ends = len(others) < 2 or all(seat.kind == "bot" for seat in others)

        def gone(_: CachedTable, stored: StoredSeat) -> StoredSeat:
            return replace(stored, seat=replace(stored.seat, away=False, resigned_at=self.tables.now()))

        for seat in held[1:] if ends else held:
            table = await self._change(table_id, seat, gone)
        return await self._end(table, "resigned", held[0]) if ends else table

    def _playing(self, cached: CachedTable, key: Key | None) -> list[int]:
        """The seats somebody plays in a game that goes on; Ended, Resigned."""
        held = self.tables.held_at(cached, key)
        if cached.table.over:
            raise Ended(cached.table)
        playing = [seat for seat in sorted(held) if not cached.table.seats[seat].resigned]
        if not playing:
            raise Resigned
        return playing

    async def vote(self, table_id: str, key: Key | None, vote: Vote | None) -> Table:
        """Be for calling the game off, or for a bot in the seat of somebody absent; None: against what anybody is for.

        It is done when all people say so; somebody absent is not asked about the bot that plays for them.
        """
        cached = await self.tables.cached(table_id)
        held = self._playing(cached, key)
        if vote == "bot" and not self.may_vote_bot(cached.table):
            raise Refused("Nudge them first, and give them a while.", "too_early")
        table = cached.table
        for seat in held if vote else [seat.number for seat in table.seats if seat.vote is not None]:
            table = await self._change(table_id, seat, lambda now, stored: voted(now.table, stored, vote))
        if vote == "abort" and all(votes(table, seat) == "abort" for seat in people(table)):
            return await self._end(table, "agreed")
        absent = table.to_move
        others = [seat for seat in people(table) if seat != absent]
        if vote == "bot" and absent is not None and all(votes(table, seat) == "bot" for seat in others):

            def away(now: CachedTable, stored: StoredSeat) -> StoredSeat:
                if now.table.to_move is None or now.table.to_move.number != stored.seat.number or stored.seat.away:
                    return stored
                return replace(stored, seat=replace(stored.seat, away=True, out_at=self.tables.now()))

            table = await self._change(table_id, absent.number, away)
        return table

    async def nudge(self, table_id: str, key: Key | None) -> Table:
        """Remind somebody absent that it is their turn; once until they move."""
        cached = await self.tables.cached(table_id)
        held, seat = self._playing(cached, key), cached.table.to_move
        if seat is None or seat.number in held or not self.may_nudge(cached.table):
            raise Refused("Give them some time first.", "too_early")

        def nudged(_: CachedTable, stored: StoredSeat) -> StoredSeat:
            return replace(stored, seat=replace(stored.seat, nudged_at=self.tables.now()))

        table = await self._change(table_id, seat.number, nudged)
        self.tables.bus.publish(Notice(table_id, "nudge", None, table))
        return table

    def may_nudge(self, table: Table) -> bool:
        """Whether the others have waited long enough for the player to move."""
        step = next_step(table)
        return step is not None and step.what == "nudge" and step.at <= self.tables.now()

    def may_vote_bot(self, table: Table) -> bool:
        """Whether the player to move was nudged without effect."""
        step = next_step(table)
        return step is not None and step.what == "bot" and step.at <= self.tables.now()

    async def _end(self, table: Table, ending: Ending, seat: int | None = None) -> Table:
        while True:
            with suppress(Conflict):
                return await self.tables.end(table, ending, seat)
            table = await self.tables.get(table.id)
            if table.over:
                return table

    async def _change(
        self, table_id: str, seat: int, changed: Callable[[CachedTable, StoredSeat], StoredSeat]
    ) -> Table:
        cached = await self.tables.cached(table_id)
        if not 0 <= seat < len(cached.seats):
            raise NoSuchSeat(seat, len(cached.seats))
        return await self.tables.change_seat(table_id, seat, "seats", changed)

    # --- tables nobody waits at any more ---

    async def _keep_looking(self) -> None:
        while True:
            try:
                await self.look()
            except Unavailable:  # which is logged
                pass
            except Exception:
                log.exception("the tables that wait could not be read; trying again in %s seconds", LOOK_S)
            await asyncio.sleep(LOOK_S)

    async def look(self) -> None:
        """Close what has waited too long."""
        now = self.tables.now()
        for table_id in await self.tables.store.expired(now - LIVE_EXPIRY, now - EXPIRY):
            table = await self.tables.get(table_id)
            if not table.over and not table.changes:
                await self._end(table, "expired")


def people(table: Table) -> list[Seat]:
    """The people who play."""
    return [seat for seat in table.seats if seat.kind == "human" and seat.taken and seat.player is None]


def votes(table: Table, seat: Seat) -> Vote | None:
    """What somebody is for now: calling the game off for a round, a bot while nothing has changed."""
    if seat.vote is None or seat.vote_at is None:
        return None
    if seat.vote == "abort":
        return "abort" if table.game.turn - seat.vote_at <= len(table.seats) else None
    return seat.vote if seat.vote_at == table.version else None


def voted(table: Table, stored: StoredSeat, vote: Vote | None) -> StoredSeat:
    at = None if vote is None else table.game.turn if vote == "abort" else table.version
    return replace(stored, seat=replace(stored.seat, vote=vote, vote_at=at))


def emptied(stored: StoredSeat) -> StoredSeat:
    """The seat without its player."""
    return StoredSeat(
        replace(stored.seat, kind="human", level=None, name="", taken=False, taken_at=None, asked=False, vote=None)
    )


def seat_again(stored: StoredSeat, offers: bool) -> StoredSeat:
    """The seat of somebody at the next table: bots and whoever offers it are there, the others are asked.

    It is open to anybody where the account that held it is gone.
    """
    held = stored.token_hash is not None or stored.holder_hash is not None
    taken = stored.seat.kind == "bot" or (offers and held)
    seat = replace(
        stored.seat,
        away=False,
        out_at=None,
        back_at=None,
        resigned_at=None,
        nudged_at=None,
        vote=None,
        vote_at=None,
        taken=taken,
        taken_at=None,
        asked=held and not taken,
        name=stored.seat.name if taken or held else "",
    )
    return replace(stored, seat=seat)
