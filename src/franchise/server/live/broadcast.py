"""Broadcasts the changes of a table to all its followers in this process; each change is encoded once for all."""

import asyncio

from cachetools import LRUCache

from franchise.server.live.sse import Write, started
from franchise.server.tables.interfaces import LOOK_AGAIN, Notice, NoticeKind
from franchise.server.tables.service import Tables
from franchise.server.tables.table import Table
from franchise.server.tables.table_json import event_json

ENCODED = 1024  # events kept: some for each table that is being played at
WAITING = 256  # events queued for a slow client; beyond that, it gets what it missed from the table
PULSE_S = 15  # between keep-alive messages on a quiet stream: proxies close connections without any
ALIVE = b": still here\n\n"
RETRY_MS = 1000  # after which a browser connects again
FIRST = f": following\nretry: {RETRY_MS}\n\n".encode()

Event = tuple[int | None, bytes]  # the version where the event is one of the table's, and the bytes that are sent


class Follower:
    """A client that follows a table, with the events still to be sent to it.

    What the client takes at once is sent where it happens: waking a task for each follower takes longer than sending.
    """

    def __init__(self) -> None:
        self.seen = 0  # the last version that was sent
        self.waiting: list[Event] = []
        self.behind = False  # too much waited: nothing more is kept until the table has told what was missed
        self.ended = False  # nothing more will come
        self.error: Exception | None = None  # which is why
        self.write: Write | None = None  # while events are sent
        self.writing: asyncio.Future[None] | None = None  # what the client is still to take
        self.stopped: asyncio.Future[None] | None = None

    def put(self, events: list[Event]) -> None:
        if self.behind:
            return
        self.waiting += events
        if len(self.waiting) > WAITING:
            self.waiting.clear()
            self.behind = True
        self._go_on()

    def end(self, error: Exception | None = None) -> None:
        self.ended, self.error = True, error
        self._go_on()

    async def send(self, write: Write) -> None:
        """Send events until the client falls behind or the stream ends."""
        self.write, self.stopped = write, asyncio.get_running_loop().create_future()
        self._go_on()
        try:
            await self.stopped
        finally:
            self.write = None
            if self.writing is not None:
                self.writing.cancel()

    def _go_on(self) -> None:
        """Send what waits, unless the client is still taking what was sent before."""
        if self.write is None or self.writing is not None:
            return
        new: list[bytes] = []
        for version, data in self.waiting:
            if version is None or version > self.seen:
                self.seen = self.seen if version is None else version
                new.append(data)
        self.waiting.clear()
        if new:
            try:
                self.writing = started(self.write(new[0] if len(new) == 1 else b"".join(new)))
            except Exception as error:  # noqa: BLE001 - told to who follows
                self.ended, self.error = True, error
        if self.writing is not None:
            self.writing.add_done_callback(self._written)
        elif (self.behind or self.ended) and self.stopped is not None and not self.stopped.done():
            self.stopped.set_result(None)

    def _written(self, writing: "asyncio.Future[None]") -> None:
        self.writing = None
        error = None if writing.cancelled() else writing.exception()
        if isinstance(error, Exception):
            self.ended, self.error = True, error
        self._go_on()


class TableBroadcast:
    """The changes of one table, for all its followers."""

    def __init__(self, tables: Tables, table_id: str, encoded: "LRUCache[tuple[object, ...], Event]") -> None:
        self.tables = tables
        self.table_id = table_id
        self.encoded = encoded
        self.followers: set[Follower] = set()
        self.told: Table | None = None  # the table as the followers know it; None while it is being read
        self.kinds: dict[NoticeKind, None] = {}  # of the notices that wait for the table to be read
        self.revision: int | None = 0  # at least this is to be read; None: the latest
        self.failed = False
        self.leave = tables.bus.subscribe(self.hear, table_id)
        self.reading = asyncio.ensure_future(self._begin())

    async def _begin(self) -> None:
        try:
            self.told = await self.tables.get(self.table_id)
        except Exception as error:  # noqa: BLE001 - told to every follower
            self._fail(error)
        else:
            if self.kinds:
                self._read()

    def hear(self, notice: Notice) -> None:
        """Tell the followers immediately if the change was made here or is cached; otherwise read the table first."""
        after = notice.table
        if after is None and notice.revision is not None:
            after = self.tables.cache.known(self.table_id, notice.revision)
        if after is not None and self.told is not None:
            self._tell(after, (notice.kind,))
            return
        self.kinds[notice.kind] = None
        if notice.revision is None or self.revision is None:
            self.revision = None
        else:
            self.revision = max(self.revision, notice.revision)
        if self.told is not None:
            self._read()

    def _read(self) -> None:
        self.reading = asyncio.ensure_future(self._tell_what_is_read(self.told))
        self.told = None

    async def _tell_what_is_read(self, before: Table | None) -> None:
        """Read the table, including notices that arrive meanwhile, and tell the followers what is new."""
        try:
            while self.kinds:
                kinds, revision = tuple(self.kinds), self.revision
                self.kinds, self.revision = {}, 0
                after = (await self.tables.cached(self.table_id, at_least=revision)).table
                self.told = before
                self._tell(after, kinds)
                before, self.told = self.told, None
        except Exception as error:  # noqa: BLE001 - told to every follower
            self._fail(error)
        self.told = before

    def _tell(self, after: Table, kinds: tuple[NoticeKind, ...]) -> None:
        assert self.told is not None
        before, self.told = self.told, after if after.version >= self.told.version else self.told
        events = [self.event(later) for later in after.after(before)]
        events += [named_event(kind, after) for kind in kinds if kind not in ("move", "undo", "opened", "reminder")]
        if events:
            for follower in self.followers:
                follower.put(events)

    def event(self, table: Table) -> Event:
        """The last change of a table as it is sent; its version is the id."""
        key = (table.id, table.version, table.game.names)
        found = self.encoded.get(key)
        if found is None:
            change = table.changes[-1]
            data = b"id: %d\ndata: %s\n\n" % (table.version, event_json(change.kind, table, change))
            found = self.encoded[key] = (table.version, data)
        return found

    def _fail(self, error: Exception) -> None:
        self.failed = True
        for follower in self.followers:
            follower.end(error)

    def close(self) -> None:
        self.leave()
        self.reading.cancel()


def named_event(kind: NoticeKind, table: Table) -> Event:
    """An event that is not a version of the table."""
    return None, b"event: %s\ndata: %s\n\n" % (kind.encode(), event_json(kind, table))


class Broadcast:
    """The tables that are followed in this process."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.encoded: LRUCache[tuple[object, ...], Event] = LRUCache(ENCODED)
        self.open: dict[str, TableBroadcast] = {}
        self.closed = False
        self.pulse = asyncio.get_running_loop().create_task(self._beat())

    @property
    def followers(self) -> int:
        """How many follow a table."""
        return sum(len(table.followers) for table in self.open.values())

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(PULSE_S)
            for table in self.open.values():
                for follower in table.followers:
                    follower.put([(None, ALIVE)])

    async def close(self) -> None:
        """End every stream."""
        self.closed = True
        self.pulse.cancel()
        for table in self.open.values():
            for follower in table.followers:
                follower.end()

    async def follow(self, table_id: str, after: int | None, write: Write, reseated: int | None = None) -> None:
        """Send server-sent events: the changes of a table since a version, then new ones, and keep-alives."""
        await write(FIRST)
        if self.closed:
            return
        followed = self.open.get(table_id)
        if followed is None or followed.failed:
            followed = self.open[table_id] = TableBroadcast(self.tables, table_id, self.encoded)
        follower = Follower()
        followed.followers.add(follower)
        try:
            await asyncio.wait([followed.reading])
            await self._send(followed, follower, after, write, reseated)
        finally:
            followed.followers.discard(follower)
            if not followed.followers:
                followed.close()
                if self.open.get(table_id) is followed:
                    del self.open[table_id]

    async def _send(
        self, followed: TableBroadcast, follower: Follower, after: int | None, write: Write, reseated: int | None
    ) -> None:
        now_reseated = (await self.tables.cached(followed.table_id)).reseated
        missed: tuple[NoticeKind, ...] = () if reseated in (None, now_reseated) else ("seats",)
        while not follower.ended:
            follower.behind = False
            table = await self.tables.get(followed.table_id)
            after = table.version if after is None else min(after, table.version)
            events = [followed.event(later) for later in table.since(after)]
            events += [named_event(kind, table) for kind in missed]
            if events:
                await write(b"".join([data for _, data in events]))
            follower.seen = table.version
            await follower.send(write)
            after, missed = follower.seen, LOOK_AGAIN
        if follower.error is not None:
            raise follower.error
