"""Turns of bots, thought about in threads of this process.

Bots of other packages think in processes of their own, which are ended with their deadline.

A job names a table and a version. The bot to move there thinks about its whole turn; the moves are then made one by
one, each for the version it was meant for, so what comes too late is dropped. A bot that fails is replaced, and what
else goes wrong is tried again, so no table ever waits in vain.

Where the server allows it, a champion goes on thinking while the others decide; one at a time, the last that moved.
"""

import asyncio
import logging
import os
import random
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, TypeGuard

from franchise.bots import Bot, Cancelled, make
from franchise.bots.preparation import allow, progress, ready
from franchise.engine.actions import Action
from franchise.game import Game
from franchise.server.tables.errors import Damaged, Unavailable
from franchise.server.tables.interfaces import BotTables
from franchise.server.tables.table import Table
from franchise.server.thinking.outside_bots import OutsideBots

if TYPE_CHECKING:
    from franchise.bots.levels import LevelBot  # loaded when a bot moves: the first page of a server does without

DEADLINE_S = 20.0  # for a turn, on top of the bot's own budget
NICENESS = 10  # bots give way to the event loop
REPLACEMENTS = ("casual", "random")  # for a bot that failed
RETRY_S = 1.0  # after which a job that could not be done is tried again
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class ThinkingAhead:
    """A champion that thinks while the others decide."""

    table_id: str
    seat: int
    bot: "LevelBot"
    thought: "asyncio.Future[None]"


class LocalJobs:
    """Bots in threads of this process."""

    def __init__(self, threads: int | None = None, think_ahead: bool = False) -> None:
        self.threads = threads or max(2, os.cpu_count() or 1)
        self.pool = ThreadPoolExecutor(self.threads, "bot", initializer=give_way)
        self.free = asyncio.Semaphore(self.threads)  # so that a deadline counts from when a bot begins
        self.tasks: dict[str, tuple[int, asyncio.Task[None]]] = {}  # of each table the last one, with its version
        self.thinking: dict[str, Bot] = {}
        self.beside = ThreadPoolExecutor(1, "ahead", initializer=give_way) if think_ahead else None
        self.ahead: ThinkingAhead | None = None
        self.outside = OutsideBots()
        self.damaged: set[str] = set()  # tables at which nobody can move any more
        self.tables: BotTables | None = None
        self.closed = False

    @property
    def busy(self) -> int:
        return len(self.tasks)

    def start(self, tables: BotTables) -> None:
        allow()
        self.tables = tables

    def put(self, table_id: str, version: int) -> None:
        if self.closed or self.tables is None:
            return
        queued, before = self.tasks.get(table_id, (-1, None))
        if queued == version:
            return
        if table_id in self.thinking:
            self.thinking[table_id].cancel()  # about an older version
        task = asyncio.get_running_loop().create_task(self._work(self.tables, table_id, version, before))
        self.tasks[table_id] = (version, task)
        task.add_done_callback(lambda done: self._forget(table_id, done))

    def _forget(self, table_id: str, task: asyncio.Task[None]) -> None:
        if self.tasks.get(table_id, (-1, None))[1] is task:
            del self.tasks[table_id]

    async def _work(self, tables: BotTables, table_id: str, version: int, before: asyncio.Task[None] | None) -> None:
        """Think, then make the moves; one job of a table after the other."""
        from franchise.bots.styles import in_style

        try:
            if before is not None:
                await asyncio.wait([before])
            live = await tables.cached(table_id)
            seat = live.table.to_move
            if live.table.version != version or seat is None or seat.player is None:
                return
            for action in await self._think(live.table, live.seed, seat.number, in_style(seat.player, seat.name)):
                if await tables.play(table_id, version, action) is None:
                    return
                version += 1
        except Damaged:
            self.damaged.add(table_id)
        except Exception as error:
            warning = "the bots of table %s could not move at version %s; trying again"
            log.warning(warning, table_id, version, exc_info=not isinstance(error, Unavailable))
            asyncio.get_running_loop().call_later(RETRY_S, self.put, table_id, version)

    async def _think(self, table: Table, seed: int, seat: int, level: str) -> list[Action]:
        """The turn of a bot, or of one that replaces it; nothing where it was told to stop."""
        for name in (level, *REPLACEMENTS):
            try:
                return await self._turn(table, name, turn_seed(seed, table, seat))
            except Cancelled:
                return []
            except Exception:
                log.exception("the bot %s in seat %s of table %s failed and is replaced", name, seat, table.id)
        raise RuntimeError("no bot has a move")

    async def _turn(self, table: Table, level: str, seed: int) -> list[Action]:
        async with self.free:
            if self.closed:
                raise Cancelled
            loop = asyncio.get_running_loop()
            outside = self.outside.take(level, seed)
            champion = await self._stop_thinking_ahead(table, level)
            bot: Bot | None = outside or champion
            if bot is None:
                bot = await loop.run_in_executor(self.pool, partial(make, level, seed=seed))
            if self.beside is not None and is_champion(bot):
                champion = bot
            seconds: float | None = (getattr(bot, "seconds", None) or 0.0) + DEADLINE_S
            # On a new machine the search is compiled first: longer than a turn, and not the bot's time.
            if outside is None and (progress() is None or needs_search(bot, table.game)):
                await loop.run_in_executor(self.pool, ready)
            elif outside is None:
                seconds = None  # a move in plain Python, however busy the machine is
            self.thinking[table.id] = bot
            work = partial(turn, bot, table.game.copy(), keep=outside is not None or champion is not None)
            choosing = loop.run_in_executor(self.pool, work)
            choosing.add_done_callback(retrieve_exception)
            try:
                actions = await asyncio.wait_for(asyncio.shield(choosing), seconds)
                if outside is not None:
                    self.outside.give_back(outside)
                if champion is not None:
                    self._go_on(table, champion, actions)
                return actions
            except TimeoutError:
                bot.cancel()
                raise
            except Exception:
                if outside is not None:
                    outside.cancel()  # it is not to be trusted with another turn
                raise
            finally:
                self.thinking.pop(table.id, None)

    def _go_on(self, table: Table, champion: "LevelBot", actions: list[Action]) -> None:
        """Let a champion think on after its turn, in place of the one that did so before."""
        then = table.game.copy()
        seat = then.current_player
        for action in actions:
            then.play(action)
        if self.ahead is not None:
            self.ahead.bot.cancel()
            self.ahead = None
        if then.turn > 0 and not then.over and not self.closed:
            thought = asyncio.get_running_loop().run_in_executor(self.beside, champion.think_ahead, then, seat)
            thought.add_done_callback(retrieve_exception)
            self.ahead = ThinkingAhead(table.id, seat, champion, thought)

    async def _stop_thinking_ahead(self, table: Table, level: str) -> "LevelBot | None":
        """The champion that has thought about this table while the others decided, if one has."""
        ahead, seat = self.ahead, table.game.current_player
        if ahead is None or (ahead.table_id, ahead.seat, ahead.bot.level.name) != (table.id, seat, level):
            return None
        self.ahead = None
        ahead.bot.cancel()
        await asyncio.wait([ahead.thought])
        return None if ahead.thought.cancelled() or ahead.thought.exception() is not None else ahead.bot

    async def close(self) -> None:
        """Stop every bot."""
        self.closed = True
        if self.ahead is not None:
            self.ahead.bot.cancel()
        if self.beside is not None:
            self.beside.shutdown(wait=False, cancel_futures=True)
        for bot in self.thinking.values():
            bot.cancel()
        if self.tasks:
            tasks = [task for _, task in self.tasks.values()]
            await asyncio.wait(tasks, timeout=2)
            for task in tasks:
                task.cancel()
        self.outside.close()
        self.pool.shutdown(wait=False, cancel_futures=True)


def is_champion(bot: Bot) -> "TypeGuard[LevelBot]":
    """Whether a bot is the one that may think while the others decide."""
    from franchise.bots.levels import CHAMPION, LevelBot

    return isinstance(bot, LevelBot) and bot.level is CHAMPION


def needs_search(bot: Bot, game: Game) -> bool:
    """Whether a bot's next move waits until the search is compiled."""
    from franchise.bots.levels import LevelBot

    return isinstance(bot, LevelBot) and bot.needs_search(game)


def turn(bot: Bot, game: Game, keep: bool = False) -> list[Action]:
    """The moves of a bot until its turn is over; IllegalAction where one is not legal."""
    actions: list[Action] = []
    began = (game.turn, game.current_player)
    try:
        while not game.over and (game.turn, game.current_player) == began:
            actions.append(bot.choose(game.copy()))
            game.play(actions[-1])
    finally:
        if not keep:
            bot.close()
    return actions


def turn_seed(seed: int, table: Table, seat: int) -> int:
    """The seed of a bot for its turn: the same after a restart, another one every turn."""
    return random.Random(f"{seed} {seat} {len(table.game.actions)}").getrandbits(32)


def retrieve_exception(done: "asyncio.Future[Any]") -> None:
    """Retrieve the exception of a bot that nobody waits for any more: its time was over, or the server's."""
    if not done.cancelled():
        done.exception()


def give_way() -> None:
    """Let threads that answer people go first; where the system has no priorities of threads, nothing happens."""
    with suppress(AttributeError, OSError):
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)
