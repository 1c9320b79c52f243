"""Tables in memory: their latest states, to avoid replaying them for every request. The database is authoritative."""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial

from cachetools import LRUCache

from franchise.game import Game
from franchise.insight.turn_bounds import turn_starts
from franchise.server.tables.errors import Damaged, NoSuchTable, Unavailable
from franchise.server.tables.interfaces import Store
from franchise.server.tables.seat_keys import Key, hashes
from franchise.server.tables.stored import News, StoredSeat, StoredTable
from franchise.server.tables.table import Table, fold, names_of

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class CachedTable:
    """A table in memory, with its secrets."""

    table: Table
    revision: int
    seed: int
    seats: tuple[StoredSeat, ...]

    @property
    def reseated(self) -> int:
        """How often something other than the game has changed: seats, clocks, an offer of a rematch."""
        return self.revision - self.table.version

    def held(self, key: Key | None) -> frozenset[int]:
        """The seats that a key holds."""
        shown = hashes(key)
        return frozenset([stored.seat.number for stored in self.seats if stored.held_by(shown)])


class TableCache:
    """The recently used tables."""

    def __init__(self, store: Store, most: int) -> None:
        self.store = store
        self.kept: LRUCache[str, CachedTable] = LRUCache(most)
        self.loading: dict[str, asyncio.Future[CachedTable]] = {}  # tables that are being read
        self.damaged: set[str] = set()  # tables that were found to be so

    def known(self, table_id: str, revision: int) -> Table | None:
        """The table as memory has it, if that is not older."""
        live = self.kept.get(table_id)
        return live.table if live is not None and live.revision >= revision else None

    async def get(self, table_id: str, *, fresh: bool = True, at_least: int | None = None) -> CachedTable:
        """The table with its secrets, replayed if memory does not have its latest state.

        Without `fresh`, the copy in memory is used: enough for a change, which the database accepts only for the latest
        state. With `at_least`, it is used if it has that revision.
        """
        known = self.kept.get(table_id)
        if known is not None and not fresh:
            return known
        if at_least is None:
            if known is not None and known.revision == await self.store.revision(table_id):
                return known
            return await self.read_anew(table_id, known)  # what is being read already may be too old
        if known is not None and known.revision >= at_least:
            return known
        live = await self.read(table_id, known)
        return live if live.revision >= at_least else await self.read_anew(table_id, live)

    def read(self, table_id: str, known: CachedTable | None) -> "asyncio.Future[CachedTable]":
        """The table from a read in progress, or a new read."""
        loading = self.loading.get(table_id)
        return self.read_anew(table_id, known) if loading is None else asyncio.shield(loading)

    def read_anew(self, table_id: str, known: CachedTable | None) -> "asyncio.Future[CachedTable]":
        """Read the table, for everyone who is waiting for it."""
        loading = self.loading[table_id] = asyncio.ensure_future(self._load(table_id, known))
        loading.add_done_callback(partial(self._loaded, table_id))
        return asyncio.shield(loading)

    async def _load(self, table_id: str, known: CachedTable | None) -> CachedTable:
        """The latest state: what memory has and what is new, or all of it; Damaged, which the log says once."""
        if known is not None:
            [news] = await self.store.news([(table_id, known.table.version)])
            extended = self._extended(known, news)
            if extended is not None:
                return extended
        try:
            stored = await self.store.load(table_id)
            if stored is None:
                raise NoSuchTable(table_id)
            return self.keep(stored)
        except (ValueError, LookupError) as error:  # a row, the record or a change is not what we wrote
            if table_id not in self.damaged:
                log.error("table %s is damaged: %s: %s", table_id, type(error).__name__, error)
            self.damaged.add(table_id)
            raise Damaged(table_id) from None

    def _extended(self, known: CachedTable, news: News | None) -> CachedTable | None:
        """What memory has with what is new; None where all of it has to be looked at."""
        if news is None or news.revision != known.revision + len(news.changes):  # more than changes
            return None
        if any(stored.seat.away for stored in known.seats):  # a change may have brought somebody back
            return None
        try:
            live = CachedTable(fold(known.table, news.changes), news.revision, known.seed, known.seats)
        except ValueError:  # it is not valid
            return None
        return self.remember(live)

    async def catch_up(self, revisions: Mapping[str, int]) -> None:
        """Read the new changes of cached tables in one query; others are read when they are needed."""
        known = [(self.kept.get(table_id), revision) for table_id, revision in revisions.items()]
        behind = [live for live, revision in known if live is not None and live.revision < revision]
        if not behind:
            return
        loop = asyncio.get_running_loop()
        loading: list[asyncio.Future[CachedTable]] = [loop.create_future() for _ in behind]
        for live, future in zip(behind, loading, strict=True):
            self.loading.setdefault(live.table.id, future)
        found: Sequence[News | None] = [None] * len(behind)
        try:
            with suppress(Unavailable):  # which is logged
                found = await self.store.news([(live.table.id, live.table.version) for live in behind])
        finally:
            for live, future, news in zip(behind, loading, found, strict=True):
                future.set_result(self._extended(live, news) or live)
                self._loaded(live.table.id, future)

    def _loaded(self, table_id: str, done: "asyncio.Future[CachedTable]") -> None:
        if self.loading.get(table_id) is done:
            del self.loading[table_id]
        if not done.cancelled():
            done.exception()  # told to those who wait

    def keep(self, stored: StoredTable) -> CachedTable:
        """Cache a table as it was stored."""
        return self.remember(CachedTable(revived(stored), stored.revision, stored.seed, stored.seats))

    def remember(self, live: CachedTable) -> CachedTable:
        """Cache the latest state of a table."""
        known = self.kept.get(live.table.id)
        if known is None or known.revision <= live.revision:
            self.kept[live.table.id] = live
        return live


def revived(stored: StoredTable) -> Table:
    """A table from its rows; ValueError if they are invalid."""
    if [change.version for change in stored.changes] != list(range(1, stored.version + 1)):
        raise ValueError(f"there are {len(stored.changes)} changes for {stored.version} versions")
    seats = tuple(held.seat for held in stored.seats)
    game = Game.from_text(stored.record)
    game.names = names_of(seats)
    game.colours = tuple(seat.colour for seat in seats)
    first = Table(
        id=stored.id,
        version=0,
        game=game,
        seats=seats,
        public=stored.public,
        clock=stored.clock,
        created_at=stored.created_at,
        changed_at=stored.created_at,
        base=len(game.actions),
        starts=turn_starts(game),
        rematch=stored.rematch,
        rated=stored.rated,
        hints=stored.hints,
        seating=stored.seating,
    )
    return replace(
        fold(first, stored.changes), ended_at=stored.ended_at, ending=stored.ending, ended_seat=stored.ended_seat
    )
