"""What wins at the tables of a server: counted in small steps on request, so that no request takes long.

Only games that were played here from their first move to their end count, not imported records. The
figures contain no names, and private tables count too.
"""

import asyncio
import time
from dataclasses import dataclass

from franchise.arena.statistics import Row, Statistics
from franchise.server.tables.cache import revived
from franchise.server.tables.service import Tables
from franchise.server.tables.stored import StoredTable

NEWEST = 1000  # games of the past that are counted; those that end later are all counted
MOMENT_S = 0.5  # of counting for one visitor
AGAIN_S = 30.0  # after which new games are looked for


@dataclass(frozen=True)
class Figures:
    """The figures at one time."""

    games: int
    waiting: int  # games found but not counted yet
    turns: float | None  # of a game, on average
    first_player: Row
    seats: dict[int, list[Row]]
    regions: list[Row]
    starts: list[Row]
    uses: list[Row]


class Findings:
    """Counts the finished games of a server."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.statistics = Statistics()
        self.looked_at: set[str] = set()  # tables
        self.waiting: list[str] = []
        self.searched = float("-inf")
        self.lock = asyncio.Lock()
        self.figures = figures(self.statistics, 0)

    async def current(self) -> Figures:
        """The figures, after a moment of counting; whoever comes meanwhile sees those from before."""
        if not self.lock.locked():
            async with self.lock:
                await self.count()
        return self.figures

    async def count(self) -> None:
        now = time.monotonic()
        if not self.waiting and now - self.searched >= AGAIN_S:
            self.searched = now
            newest = await self.tables.store.finished(NEWEST)
            self.waiting = [table for table in newest if table not in self.looked_at]
        if not self.waiting:
            return
        while self.waiting:  # at least one, however long the database took
            table = self.waiting.pop(0)  # the newest first
            self.looked_at.add(table)
            stored = await self.tables.store.load(table)
            if stored is not None:
                await asyncio.to_thread(self.add, stored)
            if time.monotonic() - now >= MOMENT_S:
                break
        self.figures = figures(self.statistics, len(self.waiting))

    def add(self, stored: StoredTable) -> None:
        table = revived(stored)
        if table.base == 0 and table.game.over:
            self.statistics.add(table.game)


def figures(statistics: Statistics, waiting: int) -> Figures:
    games = statistics.finished
    turns = sum(turns * count for turns, count in statistics.turns.items()) / games if games else None
    return Figures(
        games=games,
        waiting=waiting,
        turns=turns,
        first_player=statistics.first_player(),
        seats=statistics.by_seat(),
        regions=statistics.by_region(),
        starts=statistics.by_start(),
        uses=statistics.by_use(),
    )
