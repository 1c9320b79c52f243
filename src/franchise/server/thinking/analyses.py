"""Reviews of games, made in the background one after the other and kept in the database; and opinions on a moment.

A review belongs to the moves of a game, not to a table or a server: whoever asks finds what any server has made. What
is half done when a server ends is begun again when somebody asks.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, TypeVar

from cachetools import LRUCache

from franchise.bots import Analysis, Cancelled, make
from franchise.engine.actions import Action
from franchise.game import Game
from franchise.insight.review import Review, Reviewer, name_of
from franchise.server.tables.errors import Busy
from franchise.server.tables.interfaces import Store
from franchise.server.thinking.local_jobs import give_way

QUEUE = 8  # games that wait or are being thought about
BUDGET_S = 300.0  # for a whole game
KEPT = 64  # reviews and opinions in memory
SIMULATIONS = 2000  # for an opinion on a moment
SECONDS = 2.0
log = logging.getLogger(__name__)
Thought = TypeVar("Thought")


@dataclass
class ReviewWork:
    """A review that is being made."""

    done: int = 0
    all: int = 1
    stopped: bool = False
    reviewer: Reviewer | None = None
    task: "asyncio.Task[None] | None" = None
    ends: float = 0.0  # when the budget is used up
    waiting: int = 0  # games before this one

    def note(self, done: int, all_: int) -> None:
        """How far it has come; Cancelled where it has to stop."""
        self.done, self.all = done, all_
        if self.stopped or time.monotonic() > self.ends:
            raise Cancelled("a review was told to stop")

    def stop(self) -> None:
        self.stopped = True
        if self.reviewer is not None:
            self.reviewer.stop()


@dataclass(frozen=True)
class Opinion:
    """What some moves lead to, as a bot sees it."""

    chances: tuple[float, ...]  # to win, by seat
    scores: tuple[float, ...]  # expected final influence, by seat
    line: tuple[Action, ...]  # how it might go on


class Analyses:
    """Everything bots say about games that are over."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.pool = ThreadPoolExecutor(1, "analysis", initializer=give_way)
        self.quick = ThreadPoolExecutor(1, "opinion", initializer=give_way)
        self.work: dict[str, ReviewWork] = {}
        self.reviews: LRUCache[str, Review] = LRUCache(KEPT)
        self.opinions: LRUCache[str, Any] = LRUCache(KEPT)
        self.closed = False

    # --- reviews ---

    async def find(self, game: Game) -> Review | None:
        """The review of a game, if there is one."""
        name = await asyncio.to_thread(name_of, game)
        if name not in self.reviews:
            text = await self.store.analysis(name)
            if text is None:
                return None
            self.reviews[name] = Review.from_text(text)
        return self.reviews[name]

    def working(self, game: Game) -> ReviewWork | None:
        """How far the review of a game has come, where one is being made."""
        return self.work.get(name_of(game))

    async def begin(self, game: Game) -> None:
        """Have a game reviewed, unless it has been or is being; Busy where too many wait."""
        name = name_of(game)
        if self.closed or name in self.work or await self.find(game) is not None or name in self.work:
            return
        if len(self.work) >= QUEUE:
            raise Busy
        work = self.work[name] = ReviewWork(waiting=len(self.work))
        work.task = asyncio.ensure_future(self._review(name, work, game.copy()))
        work.task.add_done_callback(lambda _: self._finished(name))

    def _finished(self, name: str) -> None:
        del self.work[name]
        for number, work in enumerate(self.work.values()):
            work.waiting = number

    async def _review(self, name: str, work: ReviewWork, game: Game) -> None:
        try:
            made = await asyncio.get_running_loop().run_in_executor(self.pool, reviewed, work, game)
            await self.store.keep_analysis(name, made.to_text(), datetime.now(UTC))
            self.reviews[name] = made
        except Cancelled:
            log.info("the review of a game was stopped after %s of %s positions", work.done, work.all)
        except Exception:
            log.exception("a game could not be reviewed")

    def cancel(self, game: Game) -> None:
        """Stop reviewing a game."""
        work = self.working(game)
        if work is not None:
            work.stop()

    # --- a moment ---

    async def best(self, game: Game) -> Analysis:
        """The best moves of a position."""
        return await self._thought(name_of(game), best_moves, game)

    async def opinion(self, game: Game, moves: Sequence[Action]) -> Opinion:
        """What legal moves lead to."""
        after = game.copy()
        for move in moves:
            after.play(move)
        return await self._thought(f"after {name_of(after)}", judged, after)

    async def _thought(self, name: str, think: Callable[[Game], Thought], game: Game) -> Thought:
        if name not in self.opinions:
            self.opinions[name] = await asyncio.get_running_loop().run_in_executor(self.quick, think, game.copy())
        opinion: Thought = self.opinions[name]
        return opinion

    async def close(self) -> None:
        """Stop thinking."""
        self.closed = True
        for work in self.work.values():
            work.stop()
        for work in list(self.work.values()):
            if work.task is not None:
                await asyncio.wait([work.task])
        await asyncio.to_thread(self.pool.shutdown)
        await asyncio.to_thread(self.quick.shutdown)


def reviewed(work: ReviewWork, game: Game) -> Review:
    """Runs in a thread."""
    work.ends = time.monotonic() + BUDGET_S
    work.reviewer = Reviewer(game, work.note)
    work.note(0, work.reviewer.all)
    return work.reviewer.review()


def best_moves(game: Game) -> Analysis:
    return make("expert", seed=1, simulations=SIMULATIONS, seconds=SECONDS).analyse(game)


def judged(game: Game) -> Opinion:
    """The position as the best moves from here leave it; exact where the game is over."""
    if game.over:
        result = game.result()
        return Opinion(result.shares, tuple(map(float, result.scores)), ())
    best = best_moves(game).moves[0]
    return Opinion(best.chances, best.scores, best.line)
