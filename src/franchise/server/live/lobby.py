"""Tells visitors of the list of tables when it changes, and how many people are online."""

import asyncio
import logging
from contextlib import suppress

from franchise.server.live.broadcast import ALIVE, FIRST, Broadcast, Follower
from franchise.server.live.presence import Presence
from franchise.server.live.sse import Write
from franchise.server.tables.errors import Unavailable
from franchise.server.tables.interfaces import Notice
from franchise.server.tables.service import Tables

LOOK_S = 5.0  # between readings of the list without a notice: the only way to see what other processes change
REST_S = 0.5  # after a reading, however many notices arrive
QUIET = ("chat", "reminder", "undo")  # kinds of notices that change no list
QUIET_LOOKS = 3  # readings without a change before a keep-alive message

log = logging.getLogger(__name__)


class Lobby:
    """The public tables, as those who follow the list know them."""

    def __init__(self, tables: Tables, broadcast: Broadcast, presence: Presence) -> None:
        self.tables = tables
        self.presence = presence
        self.broadcast = broadcast
        self.followers: set[Follower] = set()
        self.heard = asyncio.Event()
        self.looking: asyncio.Task[None] | None = None
        self.closed = False

    @property
    def people(self) -> int:
        """How many look at a table or at the list, through this process."""
        return len(self.followers) + self.broadcast.followers

    def hear(self, notice: Notice) -> None:
        over = notice.table is not None and notice.table.over
        if notice.kind not in QUIET and (notice.kind != "move" or over):
            self.heard.set()

    async def follow(self, write: Write) -> None:
        """Send server-sent events: `tables` when the list has changed, `people` with their number."""
        await write(FIRST)
        if self.closed:
            return
        follower = Follower()
        self.followers.add(follower)
        follower.put([(None, people_event(self.people))])
        if self.looking is None:
            self.looking = asyncio.ensure_future(self._look())
        try:
            while not follower.ended:
                follower.behind = False
                await follower.send(write)
        finally:
            self.followers.discard(follower)
            if not self.followers and self.looking is not None:
                self.looking.cancel()
                self.looking = None

    async def _look(self) -> None:
        """Read the list after every notice and from time to time; tell what has changed."""
        leave = self.tables.bus.subscribe(self.hear)
        try:
            listed, people, looks = await self._listed(), self.people, 0
            while True:
                await self._wait()
                now_listed, now_people, looks = await self._listed(), self.people, looks + 1
                news = [b"event: tables\ndata: \n\n"] if now_listed != listed else []
                news += [people_event(now_people)] if now_people != people else []
                if not news and looks % QUIET_LOOKS == 0:
                    news = [ALIVE]
                listed, people = now_listed, now_people
                for follower in self.followers:
                    follower.put([(None, data) for data in news])
        except Exception as error:
            if not isinstance(error, Unavailable):  # which is logged
                log.exception("the list of tables could not be read")
            for follower in self.followers:
                follower.end(error)
            self.looking = None
        finally:
            leave()

    async def _wait(self) -> None:
        await asyncio.sleep(REST_S)
        with suppress(TimeoutError):
            async with asyncio.timeout(LOOK_S):  # wait_for would lose a cancellation that comes with the event
                await self.heard.wait()
        self.heard.clear()

    async def _listed(self) -> list[tuple[object, ...]]:
        """The entry of each table in the list, except for its turn."""
        listed = (*await self.tables.open_tables(), *await self.tables.live_tables())
        here = await self.presence.online_seats(listed)
        return [(table.id, table.names, table.open_seats, table.over, here[table.id]) for table in listed]

    async def close(self) -> None:
        """End every stream."""
        self.closed = True
        if self.looking is not None:
            self.looking.cancel()
        for follower in self.followers:
            follower.end()


def people_event(number: int) -> bytes:
    return b"event: people\ndata: %d\n\n" % number
