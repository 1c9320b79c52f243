"""Hints: what a regular bot would do now, for the one whose turn it is; never at a rated table."""

import asyncio
import random
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from cachetools import LRUCache

from franchise.bots import Bot, Cancelled, make
from franchise.insight.hint import Hint, think
from franchise.server.tables.errors import NoHints, NotYourTurn, Stale
from franchise.server.tables.interfaces import Notice
from franchise.server.tables.seat_keys import Key
from franchise.server.tables.service import Tables
from franchise.server.tables.table import Table
from franchise.server.thinking.local_jobs import give_way

LEVEL = "regular"
KEPT = 256  # hints, for those who ask twice


@dataclass(frozen=True)
class HintRequest:
    """A hint that somebody asked for."""

    version: int
    bot: Bot
    answer: "asyncio.Future[Hint]"
    dropped: threading.Event = field(default_factory=threading.Event)

    def drop(self) -> None:
        """Nobody wants to know any more."""
        self.dropped.set()
        self.bot.cancel()


class HintRequests(LRUCache[str, HintRequest]):
    """The hints that were asked for last, by table; the oldest are dropped."""

    def popitem(self) -> tuple[str, HintRequest]:
        table_id, asked = super().popitem()
        asked.drop()
        return table_id, asked


class Hints:
    """Thinks about hints in one thread, whoever asks; hints that nobody waits for any more are dropped."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.pool = ThreadPoolExecutor(1, "hint", initializer=give_way)
        self.asked = HintRequests(KEPT)
        tables.bus.subscribe(self.hear)

    async def hint(self, table_id: str, key: Key | None, version: int) -> Hint:
        """A hint for that version. NoHints, NotYourTurn; Stale also where the table moves on meanwhile."""
        live = await self.tables.cached(table_id)
        table = live.table
        if table.version != version:
            raise Stale(version, table)
        if not offered(table):
            raise NoHints
        if table.to_move is None or table.to_move.number not in live.held(key):
            raise NotYourTurn("A hint is for the one whose turn it is; wait until your seat moves.")
        asked = self._ask(table, live.seed)
        try:
            hint = await asyncio.shield(asked.answer)
        except Cancelled:
            raise Stale(version, await self.tables.get(table_id)) from None
        latest = await self.tables.get(table_id)
        if latest.version != version:
            raise Stale(version, latest)
        return hint

    def _ask(self, table: Table, seed: int) -> HintRequest:
        request = self.asked.get(table.id)
        if request is not None and request.version == table.version and not request.dropped.is_set():
            return request
        self._drop(table.id)
        bot = make(LEVEL, seed=random.Random(f"{seed} hint {len(table.game.actions)}").getrandbits(32))
        dropped = threading.Event()
        answer = asyncio.get_running_loop().run_in_executor(self.pool, think, bot, table.game.copy(), dropped)
        answer.add_done_callback(lambda done: done.cancelled() or done.exception())
        asked = self.asked[table.id] = HintRequest(table.version, bot, answer, dropped)
        return asked

    def hear(self, notice: Notice) -> None:
        """A table has moved on: nobody waits for its hint any more."""
        request = self.asked.get(notice.table_id)
        if request is not None and notice.table is not None and request.version != notice.table.version:
            self._drop(notice.table_id)

    def _drop(self, table_id: str) -> None:
        request = self.asked.pop(table_id, None)
        if request is not None:
            request.drop()

    async def close(self) -> None:
        """Stop thinking."""
        for table_id in list(self.asked):
            self._drop(table_id)
        await asyncio.to_thread(self.pool.shutdown)


def offered(table: Table) -> bool:
    """Whether there are hints at a table now; tiles of a draft are placed by bots as it comes."""
    return table.hints and not table.rated and not table.over and table.game.phase != "draft"
