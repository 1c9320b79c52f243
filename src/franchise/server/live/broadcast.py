"""What happens at a table, for all in this process who follow it: heard, looked at and written out once."""

import asyncio
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from franchise.server.live.eager import Rest, begin
from franchise.server.live.sse import Write
from franchise.server.tables import table_json
from franchise.server.tables.interfaces import ALIVE, LOOK_AGAIN
from franchise.server.tables.service import Tables, Update, UpdateKind, happened
from franchise.server.tables.table import Table

ENCODED = 1024  # events kept: some for each table that is being played at
WAITING = 256  # events that wait for somebody slow; with more, they are told from the table what they missed
QUIET = b": still here\n\n"
RETRY_MS = 1000  # after which a browser connects again
FIRST = f": following\nretry: {RETRY_MS}\n\n".encode()


class Piece(NamedTuple):
    """An event as it is sent."""

    version: int | None  # None where it is none of the table's versions
    data: bytes


class Encoded:
    """The latest events as they are sent."""

    def __init__(self) -> None:
        self.kept: OrderedDict[tuple[object, ...], Piece] = OrderedDict()

    def piece(self, update: Update) -> Piece:
        """An update as an event: with its version as id where it is one, else under its kind as name."""
        if update.change is None:
            return Piece(None, b"event: %s\ndata: %s\n\n" % (update.kind.encode(), table_json.happening(update)))
        key = (update.table.id, update.version, update.table.game.names)
        found = self.kept.get(key)
        if found is None:
            data = b"id: %d\ndata: %s\n\n" % (update.version, table_json.happening(update))
            found = self.kept[key] = Piece(update.version, data)
            if len(self.kept) > ENCODED:
                self.kept.popitem(last=False)
        return found


class Heard(NamedTuple):
    """Events that came at once, as they are sent."""

    pieces: list[Piece]
    data: bytes  # of all of them
    first: int | None  # version; None where there is none
    last: int | None

    @classmethod
    def of(cls, pieces: list[Piece]) -> "Heard":
        data = b"".join([piece.data for piece in pieces])
        versions = [piece.version for piece in pieces if piece.version is not None]
        return cls(pieces, data, versions[0], versions[-1]) if versions else cls(pieces, data, None, None)


class Ear:
    """Somebody who follows a table. While they wait for news, these are written at once; else they are kept."""

    def __init__(self, write: Write) -> None:
        self.write = write
        self.seen = 0  # the last version that was sent
        self.listening = False  # nothing is kept, and the client takes more
        self.rest: Rest | None = None  # of writing what the client did not take at once
        self.kept: list[Piece] = []
        self.woken = asyncio.Event()
        self.behind = False  # too much was kept
        self.deaf = False  # nothing more will come
        self.error: Exception | None = None  # which is why

    def hear(self, heard: Heard) -> None:
        if self.listening and (heard.first is None or heard.first > self.seen):
            try:
                self.rest = begin(self.write(heard.data))
            except Exception as failed:  # noqa: BLE001 - told to the one who writes here
                self.close(failed)
                return
            if heard.last is not None:
                self.seen = heard.last
            if self.rest is None:
                return
        else:
            self.kept += heard.pieces
            if len(self.kept) > WAITING:
                self.kept.clear()
                self.behind = True
        self.listening = False
        self.woken.set()

    def close(self, error: Exception | None) -> None:
        self.listening = False
        self.deaf, self.error = True, error
        self.woken.set()

    async def listen(self) -> None:
        """Write whatever comes, until one is behind, or deaf."""
        while True:
            if self.rest is not None:
                rest, self.rest = self.rest, None
                await rest
            elif self.behind:
                return
            elif self.kept:
                kept, self.kept = self.kept, []
                new = [piece for piece in kept if piece.version is None or piece.version > self.seen]
                self.seen = max([self.seen, *(piece.version for piece in new if piece.version is not None)])
                if new:
                    await self.write(b"".join([piece.data for piece in new]))
            elif self.deaf:
                return
            else:
                self.woken.clear()
                self.listening = True
                await self.woken.wait()


class Channel:
    """What happens at one table."""

    def __init__(self, tables: Tables, table_id: str, encoded: Encoded) -> None:
        self.tables = tables
        self.table_id = table_id
        self.encoded = encoded
        self.ears: set[Ear] = set()
        self.told: Table | None = None  # the table as those who follow know it; None while it is being read
        self.begun = asyncio.Event()  # from now on, every event reaches the ears
        self.task = asyncio.ensure_future(self._run())

    async def _run(self) -> None:
        error: Exception | None = None
        try:
            with self.tables.bus.subscribe(self.table_id, self._hear) as news:
                table = await self.tables.get(self.table_id)
                self.begun.set()
                while True:
                    self.told = table
                    notice = await news.wait()
                    if not notice.kinds:
                        break
                    before, self.told = self.told, None
                    table = (await self.tables.live(self.table_id, at_least=notice.revision)).table
                    self._tell(before, table, notice.kinds)
        except Exception as failed:  # noqa: BLE001 - told to everyone who follows
            error = failed
        self.begun.set()
        for ear in self.ears:
            ear.close(error)

    def _hear(self, kind: str, revision: int | None) -> bool:
        """Pass on at once what memory has, as it does after every move that was made here."""
        before = self.told
        after = (
            self.tables.memory.known(self.table_id, revision) if before is not None and revision is not None else None
        )
        if before is None or after is None:
            return False
        try:
            self._tell(before, after, (kind,))
        except Exception:  # noqa: BLE001 - comes again where it is told to everyone who follows
            return False
        self.told = after
        return True

    def _tell(self, before: Table, after: Table, kinds: tuple[str, ...]) -> None:
        pieces = [self.encoded.piece(update) for update in happened(before, after, kinds)]
        if pieces or ALIVE in kinds:
            heard = Heard.of(pieces or [Piece(None, QUIET)])
            for ear in self.ears:
                ear.hear(heard)


class Channels:
    """The tables that are followed in this process."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.encoded = Encoded()
        self.open: dict[str, Channel] = {}

    @property
    def followers(self) -> int:
        """How many follow a table."""
        return sum(len(channel.ears) for channel in self.open.values())

    @contextmanager
    def listening(self, table_id: str, write: Write) -> Iterator[tuple[Channel, Ear]]:
        channel = self.open.get(table_id)
        if channel is None or channel.task.done():
            channel = self.open[table_id] = Channel(self.tables, table_id, self.encoded)
        ear = Ear(write)
        channel.ears.add(ear)
        try:
            yield channel, ear
        finally:
            channel.ears.discard(ear)
            if ear.rest is not None:
                ear.rest.close()
            if not channel.ears:
                channel.task.cancel()
                if self.open.get(table_id) is channel:
                    del self.open[table_id]

    async def follow(self, table_id: str, after: int | None, write: Write) -> None:
        """Write server-sent events: the changes of a table since a version, then what happens, and signs of life."""
        await write(FIRST)
        with self.listening(table_id, write) as (channel, ear):
            await channel.begun.wait()
            seen = after
            missed: tuple[UpdateKind, ...] = ()
            while not ear.deaf:
                ear.behind = False
                table = await self.tables.get(table_id)
                seen = table.version if seen is None else min(seen, table.version)
                updates = [Update.of(later) for later in table.since(seen)]
                updates += [Update(kind, table.version, table) for kind in missed]
                if updates:
                    await write(b"".join(self.encoded.piece(update).data for update in updates))
                ear.seen = table.version
                await ear.listen()
                seen, missed = ear.seen, LOOK_AGAIN
            if ear.error is not None:
                raise ear.error
