"""Bots that think. `Jobs` is the interface; `LocalJobs` has them think in threads of this process.

A job names a table and a version. Its answer counts only while the table is at that version; a late one is dropped. A
bot that fails is replaced, so no table ever waits for one.
"""

import asyncio
import logging
import os
import threading
from collections import OrderedDict
from collections.abc import Awaitable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, Protocol

from franchise.bots import Bot, Cancelled, make
from franchise.engine.actions import Action
from franchise.server.table import Table

BOTS = 256  # kept in memory, with their plans
DEADLINE = 20.0  # seconds on top of a bot's own budget
NICENESS = 10  # bots give way to the event loop
REPLACEMENTS = ("casual", "random")  # for a bot that failed
log = logging.getLogger(__name__)


class Thinking(Protocol):
    """A table with the seed its bots draw from."""

    @property
    def table(self) -> Table: ...

    @property
    def seed(self) -> int: ...


class Desk(Protocol):
    """What jobs need of the tables."""

    def live(self, table_id: str) -> Awaitable[Thinking]: ...

    async def play(self, table_id: str, version: int, action: Action) -> Table | None: ...


class Jobs(Protocol):
    """Who thinks for the bots."""

    def start(self, desk: Desk) -> None: ...

    def put(self, table_id: str, version: int) -> None:
        """Have the bot to move at a table think about that version."""
        ...

    async def close(self) -> None: ...


class LocalJobs:
    """Bots in threads of this process, one object for each seat."""

    def __init__(self, threads: int | None = None) -> None:
        self.threads = threads or max(2, os.cpu_count() or 1)
        self.pool = ThreadPoolExecutor(self.threads, "bot", initializer=give_way)
        self.free = asyncio.Semaphore(self.threads)  # so that a deadline counts from when a bot begins
        self.bots: OrderedDict[tuple[str, int], tuple[str, Bot]] = OrderedDict()
        self.tasks: dict[str, tuple[int, asyncio.Task[None]]] = {}
        self.thinking: dict[str, Bot] = {}
        self.desk: Desk | None = None
        self.closed = False

    def start(self, desk: Desk) -> None:
        self.desk = desk

    def put(self, table_id: str, version: int) -> None:
        if self.closed or self.desk is None:
            return
        known = self.tasks.get(table_id)
        if known is not None and known[0] == version and not known[1].done():
            return
        before = known[1] if known is not None else None
        if table_id in self.thinking:
            self.thinking[table_id].cancel()
        task = asyncio.get_running_loop().create_task(self._work(self.desk, table_id, version, before))
        self.tasks[table_id] = (version, task)
        task.add_done_callback(lambda done: self._forget(table_id, done))

    def _forget(self, table_id: str, task: asyncio.Task[None]) -> None:
        if self.tasks.get(table_id, (0, None))[1] is task:
            del self.tasks[table_id]

    async def _work(self, desk: Desk, table_id: str, version: int, before: asyncio.Task[None] | None) -> None:
        """Think and answer; the next version is put by whoever takes the answer."""
        try:
            if before is not None and before is not asyncio.current_task():
                await asyncio.wait([before])
            live = await desk.live(table_id)
            seat = live.table.to_move
            if live.table.version != version or seat is None or seat.player is None:
                return
            action = await self._think(live.table, live.seed, seat.number, seat.player)
            if action is not None:
                await desk.play(table_id, version, action)
        except Exception:
            log.exception("the bot at table %s, version %s failed", table_id, version)

    async def _think(self, table: Table, seed: int, seat: int, level: str) -> Action | None:
        """A move of the bot, or of one that replaces it; None where it was told to stop."""
        for name in (level, *REPLACEMENTS):
            bot = await self._bot(table.id, seat, level, seed) if name == level else make(name, seed=seed)
            try:
                return await self._choose(table, bot)
            except Cancelled:
                return None
            except Exception:
                log.exception("the bot %s in seat %s of table %s failed and is replaced", name, seat, table.id)
                self.bots.pop((table.id, seat), None)
        raise RuntimeError("no bot has a move")

    async def _choose(self, table: Table, bot: Bot) -> Action:
        game = table.game.copy()
        async with self.free:
            if self.closed:
                raise Cancelled
            self.thinking[table.id] = bot
            choosing = asyncio.get_running_loop().run_in_executor(self.pool, bot.choose, game)
            try:
                seconds = getattr(bot, "seconds", None) or 0.0
                action: Any = await asyncio.wait_for(asyncio.shield(choosing), seconds + DEADLINE)
            except TimeoutError:
                bot.cancel()
                choosing.add_done_callback(lambda done: done.cancelled() or done.exception())
                raise
            finally:
                self.thinking.pop(table.id, None)
        if action not in table.game.legal_actions():
            raise ValueError(f"{bot.name} chose {action}, which is not legal")
        return action  # type: ignore[no-any-return]

    async def _bot(self, table_id: str, seat: int, level: str, seed: int) -> Bot:
        """The bot of a seat, kept from move to move because it plans whole turns."""
        known = self.bots.get((table_id, seat))
        if known is None or known[0] != level:
            loop = asyncio.get_running_loop()
            bot = await loop.run_in_executor(None, lambda: make(level, seed=seed + seat))
            self.bots[table_id, seat] = known = (level, bot)
        self.bots.move_to_end((table_id, seat))
        if len(self.bots) > BOTS:
            self.bots.popitem(last=False)[1][1].close()
        return known[1]

    async def close(self) -> None:
        """Stop every bot."""
        self.closed = True
        for bot in self.thinking.values():
            bot.cancel()
        tasks = [task for _, task in self.tasks.values()]
        if tasks:
            await asyncio.wait(tasks, timeout=2)
            for task in tasks:
                task.cancel()
        self.pool.shutdown(wait=False, cancel_futures=True)
        for _, bot in self.bots.values():
            bot.close()
        self.bots.clear()


def give_way() -> None:
    """Let threads that answer people go first; where the system has no priorities of threads, nothing happens."""
    with suppress(AttributeError, OSError):
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)
