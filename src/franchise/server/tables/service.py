"""Tables: the service that all pages, routes and commands use."""

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from typing import Any

from franchise.bots.characters import free_characters
from franchise.engine.actions import Action
from franchise.engine.layout import Kind
from franchise.engine.setups import drawn_order
from franchise.game import IllegalAction
from franchise.insight.preview import Preview, preview
from franchise.server.tables.account_names import name_key
from franchise.server.tables.cache import CachedTable, TableCache, revived
from franchise.server.tables.clocks import Clocks, due
from franchise.server.tables.errors import (
    Ended,
    NameTaken,
    NeedsAccount,
    NoKey,
    NoSuchSeat,
    NotBegun,
    NothingToUndo,
    NotYourSeat,
    NotYourTurn,
    Refused,
    Resigned,
    SeatTaken,
    Stale,
    TableError,
    Unavailable,
)
from franchise.server.tables.interfaces import Bus, Jobs, Notice, NoticeKind, Store
from franchise.server.tables.new_table import (
    DEFAULT_LEVEL,
    NewClock,
    NewOptions,
    NewSeat,
    NewTable,
    characters_for,
    check_rated,
    first_game,
    first_stored,
    known,
    own_name,
    readable,
    seated,
    short,
)
from franchise.server.tables.seat_keys import Holder, Key, hashed, hashes, new_key
from franchise.server.tables.stored import (
    Conflict,
    Entry,
    Message,
    Outcome,
    StoredSeat,
    StoredTable,
    TableSummary,
    settle,
)
from franchise.server.tables.table import Change, ChangeKind, Ending, Seat, Table, fold

MESSAGE_LIMIT = 500  # characters
MESSAGES = 200  # shown
MOVE_ID_LIMIT = 64  # characters
MOVE_LIMIT = 400  # characters of the moves that go together

__all__ = ["Message", "NewClock", "NewOptions", "NewSeat", "NewTable", "TableSummary", "Tables"]

log = logging.getLogger(__name__)


class Tables:
    """All tables."""

    def __init__(
        self, store: Store, bus: Bus, jobs: Jobs, in_memory: int, now: Callable[[], datetime] | None = None
    ) -> None:
        self.store = store
        self.bus = bus
        self.jobs = jobs
        self.now = now or store.now
        self.cache = TableCache(store, in_memory)
        self.cached = self.cache.get
        self.clocks = Clocks(self)
        self.writing: set[asyncio.Future[Any]] = set()
        self.is_account_name: Callable[[str], Awaitable[bool]] | None = None  # set where there are accounts

    async def start(self) -> None:
        """Continue where the last process stopped: bots think, clocks run."""
        await self.bus.open(self.cache.catch_up)
        self.jobs.start(self)
        self.bus.subscribe(self._hear)
        self.clocks.start()
        for table, version in await self.store.waiting():
            self.jobs.put(table, version)

    async def close(self) -> None:
        """Stop thinking, end every subscription, and finish what is being written."""
        self.clocks.close()
        await self.jobs.close()
        await self.bus.close()
        while self.writing:
            await asyncio.wait(self.writing)

    def _hear(self, notice: Notice) -> None:
        """Let the bot think that has to move after what was done here."""
        if notice.table is None or notice.kind in ("chat", "reminder"):
            return
        seat = notice.table.to_move
        if seat is not None and seat.player is not None:
            self.jobs.put(notice.table.id, notice.table.version)

    # --- making and reading ---

    async def create(self, new: NewTable, holder: Key | None = None) -> tuple[Table, dict[int, str]]:
        """A new table, and the secret of each seat that belongs to its creator. Refused says what does not fit."""
        check_rated(new, holder)
        for wanted in new.seats:
            if wanted.kind == "human":
                await self._check_name(own_name(holder, new.rated, wanted.name), holder)
        seed = secrets.randbelow(2**31) if new.seed is None else new.seed
        game = first_game(new, seed)
        order, seating = seated(new, seed)
        at = self.now()
        tokens = {number: new_key() for number, seat in enumerate(order) if seat.kind == "human"}
        named = characters_for(order, game.names)
        seats = tuple(
            StoredSeat(
                Seat(
                    number=number,
                    kind="bot" if wanted.kind == "bot" else "human",
                    name=own_name(holder, new.rated and number in tokens, wanted.name)
                    or (game.names[number] if game.names else "")
                    or named.get(number, ""),
                    level=(wanted.level or DEFAULT_LEVEL) if wanted.kind == "bot" else None,
                    taken=wanted.kind != "open",
                    taken_at=at if wanted.kind != "open" else None,
                    stand_in=new.clock.clock().stand_in,
                ),
                hashed(tokens[number]) if number in tokens and not isinstance(holder, Holder) else None,
                hashes(holder)[0] if number in tokens and holder is not None else None,
            )
            for number, wanted in enumerate(order)
        )
        hints = not new.rated if new.hints is None else new.hints
        stored = first_stored(
            game,
            seats,
            seed,
            at,
            public=new.public,
            clock=new.clock.clock(),
            rated=new.rated,
            hints=hints,
            seating=seating,
        )
        table = revived(stored)
        await self._write(self.store.insert(replace(stored, due=due(table, at))))
        self.cache.remember(CachedTable(table, stored.revision, seed, seats))
        self._announce(table, "opened")
        return table, {} if isinstance(holder, Holder) else tokens

    async def _check_name(self, name: str | None, holder: Key | None) -> None:
        """Raise NameTaken if the name belongs to another account."""
        own = isinstance(holder, Holder) and name_key(holder.name) == name_key(name or "")
        if name and not own and self.is_account_name is not None and await self.is_account_name(name):
            raise NameTaken

    async def get(self, table_id: str) -> Table:
        """The current table; raises NoSuchTable."""
        return (await self.cached(table_id)).table

    async def held(self, table_id: str, key: Key | None) -> frozenset[int]:
        """The seats a key holds, the token of a seat or the key of a browser, at a table as it was last looked at."""
        return (await self.cached(table_id, fresh=False)).held(key)

    async def _write(self, writing: Coroutine[Any, Any, Any]) -> Any:
        """Finish writing even if the client has disconnected."""
        task = asyncio.ensure_future(writing)
        self.writing.add(task)
        task.add_done_callback(self.writing.discard)
        return await asyncio.shield(task)

    # --- moves ---

    async def move(self, table_id: str, key: Key | None, *, version: int, move: str, move_id: str) -> Table:
        """Make a move, or several that go together, separated by semicolons: all of them or none.

        The table right after it, also when asked again under the same move_id.
        """
        return await self._change(table_id, key, "move", version, move_id, lambda _: move)

    async def undo(self, table_id: str, key: Key | None, *, version: int, move_id: str, turn: bool = False) -> Table:
        """Take back the last step of this turn, or all of them."""

        def count(table: Table) -> str:
            if not table.made:
                raise NothingToUndo
            return str(table.made if turn else table.last_step)

        return await self._change(table_id, key, "undo", version, move_id, count)

    async def take_back(
        self, table_id: str, key: Key | None, *, version: int, move_id: str, chosen: Callable[[Action], bool]
    ) -> Table:
        """Take back some moves of this turn, whatever was done after them: what stays is played again in one change."""

        def without(table: Table) -> str:
            own = table.game.actions[table.turn_start :]
            first = next((number for number, action in enumerate(own) if chosen(action)), None)
            if first is None or not table.made:
                raise NothingToUndo
            rest = [str(action) for action in own[first:] if not chosen(action)]
            step = own[len(own) - table.last_step :]
            if not rest and all(chosen(action) or action.kind == Kind.DONE for action in step):
                first = min(first, len(own) - len(step))  # one click went on to market share and grew
            count = len(own) - first
            return "; ".join((str(count), *rest))

        return await self._change(table_id, key, "undo", version, move_id, without)

    async def play(self, table_id: str, version: int, action: Action) -> Table | None:
        """A bot's move for the version it thought about; None where that has passed."""
        cached = await self.cached(table_id)
        seat = cached.table.to_move
        if cached.table.version != version or seat is None or seat.player is None:
            return None
        change = Change(version + 1, "move", seat.number, str(action), self._moment(cached.table), by_bot=True)
        try:
            return await self._append(cached, change)
        except Conflict:
            return None

    async def _change(
        self,
        table_id: str,
        key: Key | None,
        kind: ChangeKind,
        version: int,
        move_id: str,
        text: Callable[[Table], str],
    ) -> Table:
        """Check seat and version, make and store the change, and notify everyone."""
        if not 0 < len(move_id) <= MOVE_ID_LIMIT or not move_id.isprintable():
            raise Refused(f"A move_id is 1 to {MOVE_ID_LIMIT} printable characters; choose one for each move.")
        fresh = False
        while True:
            cached = await self._at_least(table_id, version, fresh)
            try:
                held = self.held_at(cached, key)
                repeated = cached.table.changes.named(move_id)
                if repeated is not None:
                    return repeat(cached.table, repeated, kind, held)
                seat = seat_to_move(cached.table, version, held)
                change = Change(version + 1, kind, seat, text(cached.table), self._moment(cached.table), move_id)
                return await self._append(cached, change)
            except Conflict:
                fresh = True  # someone came first: look again, it may have been this very move
            except (TableError, IllegalAction) as error:
                if fresh or isinstance(error, Unavailable):
                    raise
                fresh = True  # refuse only what the latest state refuses

    async def _at_least(self, table_id: str, version: int, fresh: bool) -> CachedTable:
        """The table from the cache; read again if it was changed by another server."""
        cached = await self.cached(table_id, fresh=fresh)
        if version > cached.table.version and not fresh:
            cached = await self.cache.read(table_id, cached)
            if version > cached.table.version:
                cached = await self.cache.read_anew(table_id, cached)
        return cached

    def held_at(self, cached: CachedTable, key: Key | None) -> frozenset[int]:
        """The seats a key holds; NoKey, NotYourSeat."""
        if not key:
            raise NoKey
        held = cached.held(key)
        if not held:
            raise NotYourSeat
        return held

    def _append(self, cached: CachedTable, change: Change) -> "asyncio.Future[Table]":
        """Store a change and publish it, even if the client has disconnected; Conflict if another one came first."""
        after = fold(cached.table, [change])
        change = after.changes[-1]
        back = cached.table.seats[change.seat].away and not change.by_bot
        if back:
            seat = replace(after.seats[change.seat], away=False, back_at=change.at)
            after = replace(after, seats=exchanged(after.seats, seat))
        to_move = None if after.over else after.game.current_player
        loop = asyncio.get_running_loop()
        stored: asyncio.Future[None] = loop.create_future()  # ours: nobody ends it early
        told: asyncio.Future[Table] = loop.create_future()

        def done(outcome: Outcome) -> None:
            self.writing.discard(stored)
            stored.set_result(None)
            try:
                if not isinstance(outcome, Exception):
                    settle(told, self._appended(cached, after, outcome, back))
                else:
                    settle(told, outcome)
            except Exception as error:  # noqa: BLE001 - told to whoever asked
                settle(told, error)

        entry = Entry(after.id, change, after.game.turn, to_move, back, due(after, change.at))
        self.store.append(entry, done)
        self.writing.add(stored)
        return told

    def _appended(self, before: CachedTable, after: Table, revision: int, back: bool) -> Table:
        """Tell everyone of a change that was stored."""
        change, seats = after.changes[-1], with_seats(before.seats, after.seats) if back else before.seats
        if revision == before.revision + 1:
            self.cache.remember(CachedTable(after, revision, before.seed, seats))
        self._announce(after, change.kind, revision)
        return after

    def _announce(self, table: Table, kind: NoticeKind, revision: int | None = None) -> None:
        """Tell everyone what was done at a table."""
        self.bus.publish(Notice(table.id, kind, revision, table))

    def _moment(self, table: Table) -> datetime:
        """Now; never before the last change."""
        return max(self.now(), table.changed_at)

    async def preview(self, table_id: str, move: str) -> Preview:
        """What a move would do now; IllegalAction as in playing it."""
        return preview((await self.get(table_id)).game, move)

    # --- seats ---

    async def sit(self, table_id: str, seat: int, name: str | None, holder: Key) -> Table:
        """Take an open seat; one holder may take several. Where seats are drawn, which one is chance. SeatTaken."""
        called = checked(short, name or "")
        table = await self.get(table_id)
        await self._check_name(own_name(holder, table.rated, called), holder)
        free = [other.number for other in table.seats if other.open]
        if table.seating == "drawn" and seat in free:
            seat = secrets.choice(free)

        def taken(cached: CachedTable, stored: StoredSeat) -> StoredSeat:
            if stored.seat.kind == "bot":
                raise SeatTaken(f"A bot sits in seat {seat}; take an open one.", cached.table)
            if cached.table.rated:
                check_sitting(cached, holder, seat)
            if stored.seat.asked and not stored.held_by(hashes(holder)):
                raise SeatTaken(f"Seat {seat} is kept for somebody; take another one, or wait.", cached.table)
            if stored.seat.taken and stored.holder_hash not in hashes(holder):
                if cached.table.seating == "drawn" and cached.held(holder):
                    return stored  # asked twice: this was their seat before it was drawn
                raise SeatTaken(f"Seat {seat} is taken; take an open one, or watch.", cached.table)
            at = stored.seat.taken_at or self.now()
            own = own_name(holder, cached.table.rated, called)
            sitting = replace(stored.seat, name=own or stored.seat.name, taken=True, taken_at=at, asked=False)
            return replace(stored, seat=sitting, holder_hash=hashes(holder)[0])

        return await self.change_seat(table_id, seat, "seats", taken)

    async def fill(self, table_id: str, seat: int, level: str, key: Key | None) -> Table:
        """Let a bot take an open seat; anybody who sits at the table may ask it. SeatTaken, Refused."""
        wanted = checked(known, level)

        def filled(cached: CachedTable, stored: StoredSeat) -> StoredSeat:
            self.held_at(cached, key)
            if cached.table.rated:
                raise Refused("A rated table has no bots; wait for somebody to sit down.", "rated_seats")
            if not stored.seat.open:
                raise SeatTaken(f"Seat {seat} is taken; a bot takes an open one.", cached.table)
            name = free_characters(other.name for other in cached.table.seats)[0]
            return StoredSeat(
                replace(stored.seat, kind="bot", level=wanted, name=name, taken=True, taken_at=self.now(), asked=False)
            )

        return await self.change_seat(table_id, seat, "seats", filled)

    async def back(self, table_id: str, key: Key | None) -> Table:
        """Play on oneself, after the time had run out and a bot took over."""
        cached = await self.cached(table_id)
        held = self.held_at(cached, key)
        for seat in held:
            if cached.table.seats[seat].away:
                await self.change_seat(table_id, seat, "clock", self._returned)
        return await self.get(table_id)

    def _returned(self, cached: CachedTable, stored: StoredSeat) -> StoredSeat:
        if not stored.seat.away:
            return stored
        return replace(stored, seat=replace(stored.seat, away=False, back_at=self.now()))

    async def time_out(self, table_id: str, version: int) -> None:
        """What the table has chosen for when a time runs out: the time of the seat to move has, at that version."""
        table = await self.get(table_id)
        if table.version != version or table.to_move is None or table.to_move.player is not None:
            return
        if table.clock.time_out == "remind":
            await self.store.set_deadline(table_id, version, None)
            self._announce(table, "reminder")
            return
        if table.clock.time_out == "end":
            with suppress(Conflict):  # somebody moved in time
                await self.end(table, "time", table.to_move.number)
            return

        def away(cached: CachedTable, stored: StoredSeat) -> StoredSeat:
            if cached.table.version != version or stored.seat.player is not None:
                return stored
            return replace(stored, seat=replace(stored.seat, away=True, out_at=self.now()))

        await self.change_seat(table_id, table.to_move.number, "clock", away)

    async def end(self, table: Table, ending: Ending, seat: int | None = None) -> Table:
        """End a game early, at its current version; Conflict if another change came first."""
        return await self._write(self._ended(table, ending, seat))  # type: ignore[no-any-return]

    async def _ended(self, table: Table, ending: Ending, seat: int | None) -> Table:
        await self.store.end(table.id, table.version, self._moment(table), ending, seat)
        after = await self.get(table.id)
        self._announce(after, "clock")
        return after

    async def change_seat(
        self,
        table_id: str,
        seat: int,
        kind: NoticeKind,
        changed: Callable[[CachedTable, StoredSeat], StoredSeat],
    ) -> Table:
        """Change a seat; where every seat is taken by that and who sits where is to be drawn, it is drawn."""
        while True:
            cached = await self.cached(table_id)
            if not 0 <= seat < len(cached.seats):
                raise NoSuchSeat(seat, len(cached.seats))
            before = cached.seats[seat]
            after = changed(cached, before)
            if after == before:
                return cached.table
            seats, order = [after], None
            all_seats = (*cached.seats[:seat], after, *cached.seats[seat + 1 :])
            if cached.table.undrawn and all(stored.seat.taken for stored in all_seats):
                order = drawn_order(len(all_seats), secrets.randbelow(2**31))
                seats = [moved_to(all_seats[old], number) for number, old in enumerate(order)]
                all_seats = tuple(seats)
            at = self._moment(cached.table)
            seated = replace(
                cached.table,
                seats=tuple(stored.seat for stored in all_seats),
                seating="drawn" if order else cached.table.seating,
            )
            try:
                writing = self.store.change_seats(table_id, cached.revision, seats, at, due(seated, at), order)
                return await self._write(self._reseat(table_id, writing, kind))  # type: ignore[no-any-return]
            except Conflict:
                continue

    async def _reseat(self, table_id: str, writing: Coroutine[Any, Any, int], kind: NoticeKind) -> Table:
        await writing
        table = await self.get(table_id)
        self._announce(table, kind)
        return table

    async def look_again(self, tables: Iterable[str]) -> None:
        """Seats at these tables have been changed elsewhere."""
        for table_id in tables:
            self._announce(await self.get(table_id), "seats")

    # --- talk ---

    async def say(self, table_id: str, key: Key | None, text: str) -> Message:
        """Post a chat message; only people with a seat can."""
        cached = await self.cached(table_id)
        held = self.held_at(cached, key)
        text = checked(readable, text)
        if not 0 < len(text) <= MESSAGE_LIMIT:
            raise Refused(f"A message has 1 to {MESSAGE_LIMIT} characters, this has {len(text)}.")
        current = cached.table.game.current_player
        seat = cached.table.seats[current if current in held else min(held)]
        holder = cached.seats[seat.number].holder_hash
        saying = self.store.say(table_id, seat.number, seat.name, text, self.now(), holder)
        message: Message = await self._write(saying)
        self._announce(cached.table, "chat")
        return message

    async def report(self, table_id: str, key: Key | None, message: int) -> None:
        """Tell whoever runs the server that a message is out of place; those who sit at the table may."""
        cached = await self.cached(table_id)
        seat = min(self.held_at(cached, key))
        holder = cached.seats[seat].holder_hash or cached.seats[seat].token_hash or ""
        if not await self._write(self.store.report(table_id, message, holder, self.now())):
            raise Refused("There is no such message at this table.")
        log.warning("a message at table %s was reported: message %s", table_id, message)

    async def messages(self, table_id: str) -> tuple[Message, ...]:
        """What was said last, oldest first."""
        await self.get(table_id)
        return await self.store.messages(table_id, MESSAGES)

    # --- lists ---

    async def open_tables(self) -> tuple[TableSummary, ...]:
        """Public tables with an open seat, newest first."""
        return await self.store.open_tables()

    async def live_tables(self) -> tuple[TableSummary, ...]:
        """Public tables with all seats taken and the game running."""
        return await self.store.live_tables()

    async def tables_of(self, holder: Key) -> tuple[TableSummary, ...]:
        """Tables at which a holder sits."""
        return await self.store.tables_of(hashes(holder))

    async def insert_rematch(self, table_id: str, new: StoredTable) -> Table:
        """Add the table that follows another one, unless there is one; the one that does."""
        new = replace(new, due=due(revived(new), new.created_at))
        following = await self.get(await self._write(self.store.insert_rematch(table_id, new)))
        self._announce(following, "opened")
        return following


def moved_to(stored: StoredSeat, number: int) -> StoredSeat:
    """The player moved to another seat, keeping their colour."""
    return replace(stored, seat=replace(stored.seat, number=number, own_colour=stored.seat.colour))


def seat_to_move(table: Table, version: int, held: frozenset[int]) -> int:
    """The seat that a change of this version belongs to; NotBegun, Stale, Ended, NotYourTurn."""
    if table.undrawn:
        raise NotBegun(table)
    if table.version != version:
        raise Stale(version, table)
    if table.ended_at is not None:
        raise Ended(table)
    seat = table.game.current_player
    if seat not in held:
        raise NotYourTurn(f"It is the turn of seat {seat}; wait until your seat moves.")
    if table.seats[seat].resigned:
        raise Resigned
    return seat


def check_sitting(cached: CachedTable, holder: Key, seat: int) -> None:
    """At a rated table everybody has an account, and one seat."""
    if not isinstance(holder, Holder) or holder.account is None:
        raise NeedsAccount
    if cached.held(holder) - {seat}:
        raise Refused("At a rated table everybody has one seat; leave this one to somebody else.", "rated_seats")


def repeat(table: Table, change: Change, kind: str, held: Iterable[int]) -> Table:
    """The answer to a change that was made before."""
    if change.seat not in held:
        raise NotYourSeat("This move_id belongs to the move of another seat; choose a new one.")
    if change.kind != kind:
        raise Refused(f"This move_id was used for another request ({change.kind}); choose a new one.")
    return table.at(change.version)


def checked(check: Callable[[str], str], text: str) -> str:
    """A text from outside; Refused says what is wrong with it."""
    try:
        return check(text)
    except ValueError as error:
        raise Refused(f"This cannot be used: {error}.") from None


def exchanged(seats: tuple[Seat, ...], seat: Seat) -> tuple[Seat, ...]:
    return (*seats[: seat.number], seat, *seats[seat.number + 1 :])


def with_seats(stored: tuple[StoredSeat, ...], seats: tuple[Seat, ...]) -> tuple[StoredSeat, ...]:
    return tuple(replace(held, seat=seat) for held, seat in zip(stored, seats, strict=True))
