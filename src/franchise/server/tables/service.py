"""Tables: the service that every page, route and command goes through."""

import asyncio
import logging
import secrets
from collections.abc import AsyncGenerator, Callable, Coroutine, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from typing import Any, Literal

from franchise.engine.actions import TEXTS, Action
from franchise.game import Game, IllegalAction
from franchise.insight.preview import Preview, preview
from franchise.server.tables.cache import CachedTable, TableCache
from franchise.server.tables.clocks import Clocks
from franchise.server.tables.errors import (
    Damaged,
    Ended,
    NeedsAccount,
    NoKey,
    NoSuchSeat,
    NothingToUndo,
    NotOver,
    NotYourSeat,
    NotYourTurn,
    Refused,
    SeatTaken,
    Stale,
    TableError,
)
from franchise.server.tables.interfaces import ALIVE, Bus, Jobs, Store
from franchise.server.tables.new_table import (
    DEFAULT_LEVEL,
    NewClock,
    NewOptions,
    NewSeat,
    NewTable,
    check_rated,
    first_game,
    first_stored,
    options_again,
    own_name,
    readable,
    short,
)
from franchise.server.tables.seat_keys import Holder, Key, hashed, hashes, new_key
from franchise.server.tables.stored import Conflict, Entry, Message, Outcome, StoredSeat, TableSummary, settle
from franchise.server.tables.table import Change, Seat, Table, fold

MESSAGE_LIMIT = 500  # characters
MESSAGES = 200  # shown
MOVE_ID_LIMIT = 64  # characters
PULSE_S = 15  # between signs of life on a quiet stream

__all__ = ["Message", "NewClock", "NewOptions", "NewSeat", "NewTable", "TableSummary", "Tables", "Update"]

log = logging.getLogger(__name__)
UpdateKind = Literal["move", "undo", "seats", "chat", "clock", "rematch"]
Telling = Literal["turn", "reminder", "over"]
Listener = Callable[[Table, Telling], None]  # returns at once: whatever takes time it does later


@dataclass(frozen=True)
class Update:
    """Something that happened at a table, with the table after it."""

    kind: UpdateKind
    version: int
    table: Table

    @classmethod
    def of(cls, table: Table) -> "Update":
        """The change that led to a state of a table."""
        return cls(table.changes[-1].kind, table.version, table)

    @property
    def change(self) -> Change | None:
        """The move or undo."""
        return self.table.changes[-1] if self.kind in ("move", "undo") else None


class Tables:
    """All tables."""

    def __init__(self, store: Store, bus: Bus, jobs: Jobs, now: Callable[[], datetime] | None = None) -> None:
        self.store = store
        self.bus = bus
        self.jobs = jobs
        self.now = now or partial(datetime.now, UTC)
        self.memory = TableCache(store)
        self.live = self.memory.live
        self.clocks = Clocks(self)
        self.writing: set[asyncio.Future[Any]] = set()
        self.pulse: asyncio.Task[None] | None = None
        self.listeners: list[Listener] = []  # who wants to know whose turn it is
        self.witnesses: list[Callable[[Change], None]] = []  # who wants to know what was written down

    async def start(self) -> None:
        """Go on where the last process stopped: bots think, clocks run."""
        await self.bus.open(self.memory.catch_up)
        self.jobs.start(self)
        self.pulse = asyncio.get_running_loop().create_task(self._beat())
        await self._watch_clocks()
        for table, version in await self.store.waiting():
            self.jobs.put(table, version)

    async def close(self) -> None:
        """Stop thinking, end every subscription, and finish what is being written."""
        self.clocks.close()
        if self.pulse is not None:
            self.pulse.cancel()
        await self.jobs.close()
        await self.bus.close()
        while self.writing:
            await asyncio.wait(self.writing)

    async def _beat(self) -> None:
        """Keep quiet streams alive: what stands between them and us forgets those that say nothing.

        And look after clocks that another process has set going and no longer watches.
        """
        while True:
            await asyncio.sleep(PULSE_S)
            self.bus.stir()
            try:
                await self._watch_clocks()
            except Exception:
                log.exception("the clocks could not be read; trying again in %s seconds", PULSE_S)

    async def _watch_clocks(self) -> None:
        """Set the alarms that are missing."""
        for table in await self.store.clocked():
            if table not in self.clocks.alarms:
                with suppress(Damaged):  # which is logged
                    self.clocks.watch(await self.get(table))

    # --- making and reading ---

    async def create(self, new: NewTable, holder: Key | None = None) -> tuple[Table, dict[int, str]]:
        """A new table, and the secret of each seat that belongs to its creator. Refused says what does not fit."""
        check_rated(new, holder)
        seed = secrets.randbelow(2**31) if new.seed is None else new.seed
        game = first_game(new, seed)
        at = self.now()
        tokens = {number: new_key() for number, seat in enumerate(new.seats) if seat.kind == "human"}
        seats = tuple(
            StoredSeat(
                Seat(
                    number=number,
                    kind="bot" if wanted.kind == "bot" else "human",
                    name=own_name(holder, new.rated and number in tokens, wanted.name)
                    or (game.names[number] if game.names else ""),
                    level=(wanted.level or DEFAULT_LEVEL) if wanted.kind == "bot" else None,
                    taken=wanted.kind != "open",
                    taken_at=at if wanted.kind != "open" else None,
                    stand_in=new.clock.clock().stand_in,
                ),
                hashed(tokens[number]) if number in tokens and not isinstance(holder, Holder) else None,
                hashes(holder)[0] if number in tokens and holder is not None else None,
            )
            for number, wanted in enumerate(new.seats)
        )
        hints = not new.rated if new.hints is None else new.hints
        stored = first_stored(
            game, seats, seed, at, public=new.public, clock=new.clock.clock(), rated=new.rated, hints=hints
        )
        await self._write(self.store.insert(stored))
        table = self.memory.keep(stored).table
        self._wake(table)
        return table, {} if isinstance(holder, Holder) else tokens

    async def get(self, table_id: str) -> Table:
        """The table as it is now; NoSuchTable."""
        return (await self.live(table_id)).table

    async def held(self, table_id: str, key: Key | None) -> frozenset[int]:
        """The seats a key holds: the token of a seat, or the key of a browser."""
        return (await self.live(table_id)).held(key)

    async def _write(self, writing: Coroutine[Any, Any, Any]) -> Any:
        """Finish writing even if whoever asked for it has gone."""
        task = asyncio.ensure_future(writing)
        self.writing.add(task)
        task.add_done_callback(self.writing.discard)
        return await asyncio.shield(task)

    # --- moves ---

    async def move(self, table_id: str, key: Key | None, *, version: int, move: str, move_id: str) -> Table:
        """Play a move; the table right after it, also when asked again under the same move_id."""
        return await self._change(table_id, key, "move", version, move_id, lambda table: canonical(table.game, move))

    async def undo(self, table_id: str, key: Key | None, *, version: int, move_id: str, turn: bool = False) -> Table:
        """Take back the last move of this turn, or all of them."""

        def number(table: Table) -> str:
            if not table.made:
                raise NothingToUndo
            return str(table.made if turn else 1)

        return await self._change(table_id, key, "undo", version, move_id, number)

    async def play(self, table_id: str, version: int, action: Action) -> Table | None:
        """A bot's move for the version it thought about; None where that has passed."""
        live = await self.live(table_id)
        seat = live.table.to_move
        if live.table.version != version or seat is None or seat.player is None:
            return None
        change = Change(version + 1, "move", seat.number, str(action), self._moment(live.table), by_bot=True)
        try:
            return await self._append(live, change)
        except Conflict:
            return None

    async def _change(
        self,
        table_id: str,
        key: Key | None,
        kind: Literal["move", "undo"],
        version: int,
        move_id: str,
        text: Callable[[Table], str],
    ) -> Table:
        if not 0 < len(move_id) <= MOVE_ID_LIMIT or not move_id.isprintable():
            raise Refused(f"A move_id is 1 to {MOVE_ID_LIMIT} printable characters; choose one for each move.")
        fresh = False
        while True:
            live = await self.live(table_id, fresh=fresh)
            if version > live.table.version and not fresh:  # made through another server: memory is behind
                live = await self.memory.read(table_id, live)
                if version > live.table.version:
                    live = await self.memory.read_anew(table_id, live)
            try:
                made = self._made(live, key, kind, version, move_id, text)
                if isinstance(made, Table):
                    return made
                return await self._append(live, made)
            except Conflict:
                fresh = True  # someone came first: look again, it may have been this very move
            except (TableError, IllegalAction):
                if fresh:
                    raise
                fresh = True  # refuse only what the latest state refuses

    def _made(
        self,
        live: CachedTable,
        key: Key | None,
        kind: Literal["move", "undo"],
        version: int,
        move_id: str,
        text: Callable[[Table], str],
    ) -> Change | Table:
        """The change that a request asks for; the table after it where it was made before."""
        table = live.table
        held = self._held(live, key)
        repeated = table.change_of(move_id)
        if repeated is not None:
            return repeat(table, repeated, kind, held)
        if table.version != version:
            raise Stale(version, table)
        if table.ended_at is not None:
            raise Ended(table)
        seat = table.game.current_player
        if seat not in held:
            raise NotYourTurn(f"It is the turn of seat {seat}; wait until your seat moves.")
        return Change(version + 1, kind, seat, text(table), self._moment(table), move_id)

    def _held(self, live: CachedTable, key: Key | None) -> frozenset[int]:
        if not key:
            raise NoKey
        held = live.held(key)
        if not held:
            raise NotYourSeat
        return held

    def _append(self, live: CachedTable, change: Change) -> "asyncio.Future[Table]":
        """Have a change written and everyone told, even if whoever asked has gone; Conflict where one came first."""
        after = fold(live.table, [change])
        back = live.table.seats[change.seat].away and not change.by_bot
        to_move = None if after.over else after.game.current_player
        loop = asyncio.get_running_loop()
        written: asyncio.Future[None] = loop.create_future()  # ours: nobody ends it early
        told: asyncio.Future[Table] = loop.create_future()

        def done(outcome: Outcome) -> None:
            self.writing.discard(written)
            written.set_result(None)
            try:
                settle(told, outcome if isinstance(outcome, Exception) else self._appended(live, after, outcome, back))
            except Exception as error:  # noqa: BLE001 - told to whoever asked
                settle(told, error)

        self.store.append(Entry(after.id, change, after.game.turn, to_move, back), done)
        self.writing.add(written)
        return told

    def _appended(self, live: CachedTable, after: Table, revision: int, back: bool) -> Table:
        """Tell everyone of a change that was written."""
        change, seats = after.changes[-1], live.seats
        if back:
            seat = replace(after.seats[change.seat], away=False, back_at=change.at)
            after = replace(after, seats=exchanged(after.seats, seat))
            seats = with_seats(seats, after.seats)
        if revision == live.revision + 1:
            self.memory.remember(CachedTable(after, revision, live.seed, seats))
        for witness in self.witnesses:
            witness(change)
        self.bus.publish(after.id, change.kind, revision)
        self._wake(after)
        return after

    def _moment(self, table: Table) -> datetime:
        """Now; never before the last change."""
        return max(self.now(), table.changed_at)

    def _wake(self, table: Table) -> None:
        """Let a bot think if it has to move, and the clock run if a person has to."""
        self.clocks.watch(table)
        self._tell(table, "over" if table.over else "turn")
        seat = table.to_move
        if seat is not None and seat.player is not None:
            self.jobs.put(table.id, table.version)

    def _tell(self, table: Table, kind: Telling) -> None:
        for listener in self.listeners:
            listener(table, kind)

    async def preview(self, table_id: str, move: str) -> Preview:
        """What a move would do now; IllegalAction as in playing it."""
        return preview((await self.get(table_id)).game, move)

    # --- seats ---

    async def sit(self, table_id: str, seat: int, name: str | None, holder: Key) -> Table:
        """Take an open seat; one holder may take several. SeatTaken."""
        called = checked(short, name or "")

        def taken(live: CachedTable, stored: StoredSeat) -> StoredSeat:
            if stored.seat.kind == "bot":
                raise SeatTaken(f"A bot sits in seat {seat}; take an open one.", live.table)
            if live.table.rated:
                check_sitting(live, holder, seat)
            if stored.seat.taken and stored.holder_hash not in hashes(holder):
                raise SeatTaken(f"Seat {seat} is taken; take an open one, or watch.", live.table)
            at = stored.seat.taken_at or self.now()
            own = own_name(holder, live.table.rated, called)
            sitting = replace(stored.seat, name=own or stored.seat.name, taken=True, taken_at=at)
            return replace(stored, seat=sitting, holder_hash=hashes(holder)[0])

        return await self._change_seat(table_id, seat, "seats", taken)

    async def leave(self, table_id: str, seat: int, key: Key | None) -> Table:
        """Give a seat back, before its first move."""

        def left(live: CachedTable, stored: StoredSeat) -> StoredSeat:
            if seat not in self._held(live, key):
                raise NotYourSeat(f"Seat {seat} is not yours to leave.")
            if any(change.seat == seat for change in live.table.changes):
                raise Refused("A seat can be left before its first move; this game has begun.")
            return StoredSeat(replace(stored.seat, name="", taken=False, taken_at=None))

        return await self._change_seat(table_id, seat, "seats", left)

    async def back(self, table_id: str, key: Key | None) -> Table:
        """Play on oneself, after the time had run out and a bot took over."""
        live = await self.live(table_id)
        held = self._held(live, key)
        for seat in held:
            if live.table.seats[seat].away:
                await self._change_seat(table_id, seat, "clock", self._returned)
        return await self.get(table_id)

    def _returned(self, live: CachedTable, stored: StoredSeat) -> StoredSeat:
        if not stored.seat.away:
            return stored
        return replace(stored, seat=replace(stored.seat, away=False, back_at=self.now()))

    async def time_out(self, table_id: str, version: int) -> None:
        """What the table has chosen for when a time runs out: the time of the seat to move has, at that version."""
        table = await self.get(table_id)
        if table.version != version or table.to_move is None or table.to_move.player is not None:
            return
        if table.clock.time_out == "remind":
            self._tell(table, "reminder")
            return
        if table.clock.time_out == "end":
            with suppress(Conflict):  # somebody moved in time
                await self._write(self._end(table))
            return

        def away(live: CachedTable, stored: StoredSeat) -> StoredSeat:
            if live.table.version != version or stored.seat.player is not None:
                return stored
            return replace(stored, seat=replace(stored.seat, away=True, out_at=self.now()))

        await self._change_seat(table_id, table.to_move.number, "clock", away, version)

    async def _end(self, table: Table) -> None:
        """End a game because a time has run out."""
        await self.store.end(table.id, table.version, self._moment(table))
        ended = await self.get(table.id)
        self.bus.publish(table.id, "clock")
        self._wake(ended)

    async def _change_seat(
        self,
        table_id: str,
        seat: int,
        kind: UpdateKind,
        changed: Callable[[CachedTable, StoredSeat], StoredSeat],
        version: int | None = None,
    ) -> Table:
        while True:
            live = await self.live(table_id)
            if not 0 <= seat < len(live.seats):
                raise NoSuchSeat(seat, len(live.seats))
            before = live.seats[seat]
            after = changed(live, before)
            if after == before:
                return live.table
            try:
                writing = self.store.change_seat(table_id, before, after, version)
                return await self._write(self._reseat(table_id, writing, kind))  # type: ignore[no-any-return]
            except Conflict:
                continue

    async def _reseat(self, table_id: str, writing: Coroutine[Any, Any, int], kind: UpdateKind) -> Table:
        await writing
        table = await self.get(table_id)
        self.bus.publish(table.id, kind)
        self._wake(table)
        return table

    async def look_again(self, tables: Iterable[str]) -> None:
        """Seats at these tables have been changed elsewhere."""
        for table_id in tables:
            table = await self.get(table_id)
            self.bus.publish(table_id, "seats")
            self._wake(table)

    # --- talk ---

    async def say(self, table_id: str, key: Key | None, text: str) -> Message:
        """Say something at a table; only those who sit there speak."""
        live = await self.live(table_id)
        held = self._held(live, key)
        text = checked(readable, text)
        if not 0 < len(text) <= MESSAGE_LIMIT:
            raise Refused(f"A message has 1 to {MESSAGE_LIMIT} characters, this has {len(text)}.")
        current = live.table.game.current_player
        seat = live.table.seats[current if current in held else min(held)]
        message: Message = await self._write(self.store.say(table_id, seat.number, seat.name, text, self.now()))
        self.bus.publish(table_id, "chat")
        return message

    async def messages(self, table_id: str) -> tuple[Message, ...]:
        """What was said last, oldest first."""
        await self.get(table_id)
        return await self.store.messages(table_id, MESSAGES)

    # --- lists ---

    async def open_tables(self) -> tuple[TableSummary, ...]:
        """Public tables with an open seat, newest first."""
        return await self.store.open_tables()

    async def live_tables(self) -> tuple[TableSummary, ...]:
        """Public tables where all seats are taken and the game goes on."""
        return await self.store.live_tables()

    async def tables_of(self, holder: Key) -> tuple[TableSummary, ...]:
        """Tables at which a holder sits."""
        return await self.store.tables_of(hashes(holder))

    # --- after the game ---

    async def rematch(self, table_id: str, key: Key | None) -> Table:
        """The table that follows: the same people and options, everyone one seat on. Once for each table."""
        live = await self.live(table_id)
        self._held(live, key)
        if live.table.rematch is not None:
            return await self.get(live.table.rematch)
        if not live.table.over:
            raise NotOver(live.table)
        at, seed = self.now(), secrets.randbelow(2**31)
        turned = (*live.seats[1:], live.seats[0])
        seats = tuple(
            replace(
                stored,
                seat=replace(
                    stored.seat,
                    number=number,
                    away=False,
                    out_at=None,
                    back_at=None,
                    taken_at=at if stored.seat.taken else None,
                ),
            )
            for number, stored in enumerate(turned)
        )
        game = Game(live.table.game.players, seed, options_again(live.table.game.setup))
        table = live.table
        new = first_stored(
            game, seats, seed, at, public=table.public, clock=table.clock, rated=table.rated, hints=table.hints
        )
        following = await self.get(await self._write(self.store.insert_rematch(table_id, new)))
        self.bus.publish(table_id, "rematch")
        self._wake(following)
        return following

    # --- following ---

    async def events(self, table_id: str, after: int | None = None) -> AsyncGenerator[Update, None]:
        """Every change since a version (from now on, without one), then whatever happens as it happens."""
        with self.bus.subscribe(table_id) as news:
            table = await self.get(table_id)
            if after is not None:
                for later in table.since(min(after, table.version)):
                    yield Update.of(later)
            while (notice := await news.wait()).kinds:
                before, table = table, (await self.live(table_id, at_least=notice.revision)).table
                for update in happened(before, table, notice.kinds):
                    yield update


def happened(before: Table, after: Table, kinds: Iterable[str]) -> list[Update]:
    """What led from one state of a table to another, with what else was noticed."""
    updates = [Update.of(later) for later in after.after(before)]
    named = [kind for kind in kinds if kind not in ("move", "undo", ALIVE)]
    return updates + [Update(kind, after.version, after) for kind in named]  # type: ignore[arg-type]


def check_sitting(live: CachedTable, holder: Key, seat: int) -> None:
    """At a rated table everybody has an account, and one seat."""
    if not isinstance(holder, Holder) or holder.account is None:
        raise NeedsAccount
    if live.held(holder) - {seat}:
        raise Refused("At a rated table everybody has one seat; leave this one to somebody else.")


def repeat(table: Table, change: Change, kind: str, held: Iterable[int]) -> Table:
    """The answer to a change that was made before."""
    if change.seat not in held:
        raise NotYourSeat("This move_id belongs to the move of another seat; choose a new one.")
    if change.kind != kind:
        raise Refused(f"This move_id was used for another request ({change.kind}); choose a new one.")
    return table.at(change.version)


def canonical(game: Game, move: str) -> str:
    """A move as the record writes it, whether legal or not; IllegalAction for what is no move."""
    return TEXTS[game.action(move).id]


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
