"""What happens at a table, for all in this process who follow it: heard, looked at and written out once."""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncGenerator, Iterable, Iterator
from contextlib import aclosing, contextmanager
from typing import NamedTuple

from franchise.server import answers
from franchise.server.bus import LOOK_AGAIN
from franchise.server.tables import Tables, Update, UpdateKind

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
            return Piece(None, b"event: %s\ndata: %s\n\n" % (update.kind.encode(), answers.happening(update)))
        key = (update.table.id, update.version, update.table.game.names)
        found = self.kept.get(key)
        if found is None:
            data = b"id: %d\ndata: %s\n\n" % (update.version, answers.happening(update))
            found = self.kept[key] = Piece(update.version, data)
            if len(self.kept) > ENCODED:
                self.kept.popitem(last=False)
        return found


class Ear:
    """Somebody who follows a table, and what they have not been sent yet."""

    def __init__(self) -> None:
        self.waiting: list[Piece] = []
        self.woken = asyncio.Event()
        self.behind = False  # too much waited
        self.deaf = False  # nothing more will come
        self.error: Exception | None = None  # which is why

    def hear(self, pieces: Iterable[Piece]) -> None:
        self.waiting += pieces
        if len(self.waiting) > WAITING:
            self.waiting.clear()
            self.behind = True
        self.woken.set()

    def close(self, error: Exception | None) -> None:
        self.deaf, self.error = True, error
        self.woken.set()

    async def wait(self) -> list[Piece]:
        """What came, as soon as anything did; nothing when one is behind, or deaf."""
        if not self.waiting and not self.behind and not self.deaf:
            self.woken.clear()
            await self.woken.wait()
        pieces, self.waiting = self.waiting, []
        return pieces


class Channel:
    """What happens at one table."""

    def __init__(self, tables: Tables, table_id: str, encoded: Encoded) -> None:
        self.tables = tables
        self.table_id = table_id
        self.encoded = encoded
        self.ears: set[Ear] = set()
        self.begun = asyncio.Event()  # from now on, every event reaches the ears
        self.task = asyncio.ensure_future(self._run())

    async def _run(self) -> None:
        error: Exception | None = None
        try:
            with self.tables.bus.subscribe(self.table_id) as news:
                table = await self.tables.get(self.table_id)
                self.begun.set()
                async with aclosing(self.tables.happenings(table, news)) as happened:
                    async for updates in happened:
                        pieces = [self.encoded.piece(update) for update in updates] or [Piece(None, QUIET)]
                        for ear in self.ears:
                            ear.hear(pieces)
        except Exception as failed:  # noqa: BLE001 - told to everyone who follows
            error = failed
        self.begun.set()
        for ear in self.ears:
            ear.close(error)


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
    def listening(self, table_id: str) -> Iterator[tuple[Channel, Ear]]:
        channel = self.open.get(table_id)
        if channel is None or channel.task.done():
            channel = self.open[table_id] = Channel(self.tables, table_id, self.encoded)
        ear = Ear()
        channel.ears.add(ear)
        try:
            yield channel, ear
        finally:
            channel.ears.discard(ear)
            if not channel.ears:
                channel.task.cancel()
                if self.open.get(table_id) is channel:
                    del self.open[table_id]

    async def follow(self, table_id: str, after: int | None) -> AsyncGenerator[bytes, None]:
        """The changes of a table since a version as server-sent events, then whatever happens, and signs of life."""
        yield FIRST
        with self.listening(table_id) as (channel, ear):
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
                    yield b"".join(self.encoded.piece(update).data for update in updates)
                seen = table.version
                while pieces := await ear.wait():
                    new = [piece for piece in pieces if piece.version is None or piece.version > seen]
                    seen = max([seen, *(piece.version for piece in new if piece.version is not None)])
                    if new:
                        yield b"".join(piece.data for piece in new)
                missed = LOOK_AGAIN
            if ear.error is not None:
                raise ear.error
