"""Results and ratings of finished games: each table is settled once.

The process that makes the last move settles the table. Tables that it did not settle (it died, or is a worker without
access to accounts) are found by the next scan of the tables.
"""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import combinations
from typing import Any

from sqlalchemy import case, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from franchise.arena.rating_model import FIRST, Rating, rated
from franchise.engine.events import player_name
from franchise.engine.layout import EventKind
from franchise.server.people.accounts import Account, account_from
from franchise.server.storage import schema
from franchise.server.storage.database import Database
from franchise.server.tables.cache import CachedTable
from franchise.server.tables.errors import Damaged, Unavailable
from franchise.server.tables.interfaces import Notice
from franchise.server.tables.service import Tables
from franchise.server.tables.table import Ending, Table

LISTED = 100  # accounts on the leaderboard
HISTORY = 200  # games on a profile
RETRY_S = 5.0
LOOK_S = 15.0  # between looks at what others have left
DAY = timedelta(days=1)  # within which another game of the same two counts less
SCORING = (EventKind.MAJORITY, EventKind.FULL, EventKind.REGION)
CALLED_OFF = ("agreed", "cancelled", "expired")  # games without a result
LATE = timedelta(hours=1)  # how long ago that may have ended
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class AccountResult:
    """How a game ended for an account."""

    table: str
    seat: int
    players: int
    place: int
    score: int
    opponents: tuple[dict[str, str | None], ...]  # name, and the account where there is one
    rated: bool
    rating: int  # after it
    at: datetime
    ending: Ending | None = None  # why it ended early
    resigned: bool = False  # the account gave it up


@dataclass(frozen=True)
class GameCounts:
    """Games and how they went."""

    name: str
    games: int
    wins: int
    place: float  # on average


def places(table: Table) -> tuple[int, ...]:
    """The rank of each seat; equal ranks are ties. A player who ran out of time or resigned is last.

    The others share first place if the game was not finished.
    """
    lost = {seat.number for seat in table.seats if seat.resigned}
    if table.ended_at is not None:
        lost.add(table.game.current_player if table.ended_seat is None else table.ended_seat)
        ranks = [(seat in lost, False, 0) for seat in range(len(table.seats))]
    else:
        won = table.winners
        ranks = [
            (seat in lost, seat not in won, 0 if seat in lost else -score)
            for seat, score in enumerate(table.game.result().scores)
        ]
    return tuple(1 + sum(other < rank for other in ranks) for rank in ranks)


def scores(table: Table) -> Sequence[int]:
    if table.game.over:
        return table.game.result().scores
    return [int(player["influence"]) for player in table.game.view()["players"]]


class Ratings:
    """Stores results and reads them."""

    def __init__(self, database: Database, tables: Tables, now: Callable[[], datetime]) -> None:
        self.database = database
        self.tables = tables
        self.now = now
        self.tasks: set[asyncio.Task[None]] = set()
        self.looking: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Settle what an earlier process left."""
        self.tables.bus.subscribe(self.hear)
        await self.look()
        self.looking = asyncio.get_running_loop().create_task(self._look_again())

    async def look(self, back: timedelta | None = None) -> None:
        """Settle games that have ended since then and are not settled."""
        t = schema.tables
        recent = [] if back is None else [t.c.over_at > self.now() - back]
        async with self.database.reader.connect() as connection:
            query = select(t.c.id).where(schema.UNSETTLED, *recent)
            tables = tuple(await connection.scalars(query))
        for table in tables:
            self._begin(table)

    async def _look_again(self) -> None:
        while True:
            await asyncio.sleep(LOOK_S)
            try:
                await self.look(LATE)
            except Unavailable:  # which is logged
                pass
            except Exception:
                log.exception("the tables that have ended could not be read; trying again in %s seconds", LOOK_S)

    async def close(self) -> None:
        tasks = [*self.tasks, *([self.looking] if self.looking is not None else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def hear(self, notice: Notice) -> None:
        if notice.table is not None and notice.table.over and notice.kind != "chat":
            self._begin(notice.table_id)

    def _begin(self, table: str) -> None:
        task = asyncio.get_running_loop().create_task(self._settle(table))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def _settle(self, table: str) -> None:
        while True:
            try:
                await self.settle(await self.tables.cached(table))
                self.tables.bus.publish(Notice(table, "seats"))  # which show how the ratings have changed
                return
            except Damaged:
                return
            except Exception as error:
                warning = "the results of table %s could not be written down; trying again"
                log.warning(warning, table, exc_info=not isinstance(error, Unavailable))
                await asyncio.sleep(RETRY_S)

    async def settle(self, live: CachedTable) -> None:
        """Store the results of a game, once."""
        table = live.table
        if not table.over:
            return
        a, t = schema.accounts, schema.tables
        holders = [stored.holder_hash for stored in live.seats]
        async with self.database.writer.begin() as connection:
            settled = update(t).where(t.c.id == table.id, ~t.c.settled).values(settled=True).returning(t.c.id)
            if await connection.scalar(settled) is None or table.ending in CALLED_OFF:
                return
            query = select(a).where(a.c.holder_hash.in_([holder for holder in holders if holder])).order_by(a.c.id)
            rows = (await connection.execute(query.with_for_update())).all()
            people = {row.holder_hash: account_from(row) for row in rows}
            seated = [people.get(holder or "") for holder in holders]
            own = [player for player in seated if player is not None and seated.count(player) == 1]
            counts = table.rated and len(own) == len(seated) and somebody_scored(table) and table.long_enough
            placed, scored, at = places(table), scores(table), self.now()
            after = {player.id: Rating(player.mu, player.sigma) for player in own}
            if counts:
                share = await self._share(connection, [player.id for player in own], at)
                new = moved([after[player.id] for player in own], placed, share)
                after = {player.id: rating for player, rating in zip(own, new, strict=True)}
            for seat, player in enumerate(seated):
                if player not in own or player is None:
                    continue
                values: dict[str, Any] = after[player.id]._asdict()
                values |= {
                    "table_id": table.id,
                    "account_id": player.id,
                    "seat": seat,
                    "players": len(seated),
                    "place": placed[seat],
                    "score": scored[seat],
                    "opponents": opponents_of(table, seated, seat),
                    "rated": counts,
                    "at": at,
                }
                await connection.execute(insert(schema.results).values(**values))
                if counts:
                    changed = after[player.id]._asdict() | {"rated_games": a.c.rated_games + 1}
                    await connection.execute(update(a).where(a.c.id == player.id).values(**changed))

    async def _share(self, connection: AsyncConnection, people: Sequence[str], at: datetime) -> float:
        """How much of a game counts: half for each rated game that two of them have had within a day, on average."""
        r = schema.results
        query = select(r.c.table_id, r.c.account_id).where(r.c.account_id.in_(people), r.c.rated, r.c.at > at - DAY)
        games: dict[str, set[str]] = defaultdict(set)
        for table, player in await connection.execute(query):
            games[table].add(player)
        pairs = list(combinations(people, 2))
        return sum(0.5 ** sum({*pair} <= players for players in games.values()) for pair in pairs) / len(pairs)

    # --- reading ---

    async def leaders(self) -> tuple[Account, ...]:
        """The best accounts that have played rated games."""
        a = schema.accounts
        query = select(a).where(a.c.rated_games > 0).order_by((a.c.mu - 3 * a.c.sigma).desc(), a.c.name).limit(LISTED)
        async with self.database.reader.connect() as connection:
            return tuple(account_from(row) for row in await connection.execute(query))

    async def results(self, account: Account) -> tuple[AccountResult, ...]:
        """The last games of an account, newest first."""
        r, t, s = schema.results, schema.tables, schema.seats
        query = (
            select(r, t.c.ending, t.c.ended_seat, s.c.resigned_at)
            .join(t, t.c.id == r.c.table_id)
            .join(s, (s.c.table_id == r.c.table_id) & (s.c.number == r.c.seat))
            .where(r.c.account_id == account.id)
        )
        query = query.order_by(r.c.at.desc()).limit(HISTORY)
        async with self.database.reader.connect() as connection:
            return tuple(
                AccountResult(
                    row.table_id,
                    row.seat,
                    row.players,
                    row.place,
                    row.score,
                    tuple(row.opponents),
                    row.rated,
                    Rating(row.mu, row.sigma).shown,
                    row.at,
                    row.ending,
                    row.resigned_at is not None or (row.ending == "resigned" and row.ended_seat == row.seat),
                )
                for row in await connection.execute(query)
            )

    async def changes(self, table: str) -> dict[int, int]:
        """The change of each rating by a rated game, by seat; empty before it is settled."""
        r = schema.results
        changes: dict[int, int] = {}
        async with self.database.reader.connect() as connection:
            for row in (await connection.execute(select(r).where(r.c.table_id == table, r.c.rated))).all():
                earlier = select(r.c.mu, r.c.sigma).where(
                    r.c.account_id == row.account_id, r.c.rated, r.c.at <= row.at, r.c.table_id != table
                )
                last = (await connection.execute(earlier.order_by(r.c.at.desc()).limit(1))).one_or_none()
                before = FIRST if last is None else Rating(last.mu, last.sigma)
                changes[row.seat] = Rating(row.mu, row.sigma).shown - before.shown
        return changes

    async def by_players(self, account: Account) -> tuple[GameCounts, ...]:
        """Games by number of players."""
        r = schema.results
        wins = func.sum(case((r.c.place == 1, 1), else_=0))
        query = (
            select(r.c.players, func.count(), wins, func.avg(r.c.place))
            .where(r.c.account_id == account.id)
            .group_by(r.c.players)
            .order_by(r.c.players)
        )
        async with self.database.reader.connect() as connection:
            rows = await connection.execute(query)
            return tuple(GameCounts(str(players), games, int(won), float(place)) for players, games, won, place in rows)


def somebody_scored(table: Table) -> bool:
    """Whether a game was played at all: not if it stood still before anybody had scored a city or a region."""
    game = table.game
    return not game.over or any(event.kind in SCORING for _, events in game.history() for event in events)


def moved(before: Sequence[Rating], placed: Sequence[int], share: float = 1.0) -> list[Rating]:
    """The ratings after a game that counts by a share.

    A tie of all players brings their ratings closer together without making any of them more certain, so a tie between
    equals changes nothing.
    """
    level = len(set(placed)) == 1
    return [
        Rating(old.mu + share * (new.mu - old.mu), old.sigma if level else old.sigma + share * (new.sigma - old.sigma))
        for old, new in zip(before, rated(before, placed), strict=True)
    ]


def opponents_of(table: Table, seated: Sequence[Account | None], seat: int) -> list[dict[str, str | None]]:
    """Everybody else at a table, as stored with the result of a seat."""
    return [
        {"name": who.name, "account": who.id}
        if who is not None
        else {"name": player_name(other, table.game.names, table.game.colours), "account": None}
        for other, who in enumerate(seated)
        if other != seat
    ]


def by_opponent(results: Sequence[AccountResult]) -> list[GameCounts]:
    """Games by opponent with an account, most played first."""
    names: dict[str, str] = {}
    met: dict[str, list[AccountResult]] = defaultdict(list)
    for result in results:
        for other in result.opponents:
            if other["account"] is not None:
                names.setdefault(other["account"], other["name"] or "")
                met[other["account"]].append(result)
    tallies = [
        GameCounts(
            names[who],
            len(games),
            sum(game.place == 1 for game in games),
            sum(game.place for game in games) / len(games),
        )
        for who, games in met.items()
    ]
    return sorted(tallies, key=lambda tally: (-tally.games, tally.name))
