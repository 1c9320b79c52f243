"""The people at a table: the host, who is online, ratings and profiles, offers and votes."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from math import ceil

from starlette.requests import Request

from franchise.server.live.presence import Presence
from franchise.server.tables.hosting import Hosting, has_begun, host_of, next_step, people, votes
from franchise.server.tables.service import Tables
from franchise.server.tables.table import Table
from franchise.server.wiring import People
from franchise.web.visitor import Visitor


@dataclass(frozen=True)
class RematchOffer:
    """A rematch that somebody offers."""

    id: str  # its table
    names: tuple[str, ...]  # of those who have accepted
    asked: bool  # the visitor is invited
    begun: bool


@dataclass(frozen=True)
class TablePeople:
    """Who is around a table now, by seat."""

    reseated: int = 0  # how often seats, clocks and offers have changed
    hosts: bool = False  # the visitor may free seats, begin and cancel
    begun: bool = True
    online: frozenset[int] = frozenset()
    seen: Mapping[int, datetime] = field(default_factory=dict)  # when absent people were last seen
    profiles: Mapping[int, str] = field(default_factory=dict)  # names of accounts; guests have none
    ratings: Mapping[int, int] = field(default_factory=dict)  # at a rated table
    changes: Mapping[int, int] = field(default_factory=dict)  # of ratings, after the game
    calling: frozenset[int] = frozenset()  # seats that want to call the game off
    may_nudge: bool = False
    may_vote_bot: bool = False
    for_bot: frozenset[int] = frozenset()  # seats that want a bot to play for somebody absent
    again: int | None = None  # seconds until more can be done about somebody absent
    offer: RematchOffer | None = None
    several: bool = False  # more than one person plays


NOBODY = TablePeople()


async def table_people(request: Request, visitor: Visitor, table: Table, mine: frozenset[int]) -> TablePeople:
    """The people around a table as a visitor sees them."""
    tables: Tables = request.app.state.tables
    hosting: Hosting = request.app.state.hosting
    presence: Presence = request.app.state.presence
    services: People = request.app.state.people
    cached = await tables.cached(table.id, fresh=False)
    holders = {stored.seat.number: stored.holder_hash for stored in cached.seats if stored.holder_hash is not None}
    seen = await presence.seen(set(holders.values()))
    times = {seat: seen[holder] for seat, holder in holders.items() if holder in seen}
    online = frozenset(seat for seat, at in times.items() if presence.online(at) and not table.seats[seat].asked)
    known = await services.accounts.at_table(cached)
    host = host_of(table)
    absent = table.to_move
    playing = [seat for seat in mine if not table.seats[seat].resigned]
    waits = absent is not None and absent.number not in mine and absent.number not in online and bool(playing)
    step = next_step(table) if waits else None
    soon = 0 if step is None else ceil((step.at - tables.now()).total_seconds())
    return TablePeople(
        reseated=cached.reseated,
        hosts=host is not None and host.number in mine and not has_begun(table) and not table.over,
        begun=has_begun(table),
        online=online,
        seen={seat: at for seat, at in times.items() if seat not in online},
        profiles={seat: account.name for seat, account in known.items()},
        ratings={seat: account.rating for seat, account in known.items()} if table.rated else {},
        changes=await services.ratings.changes(table.id) if table.rated and table.over else {},
        calling=frozenset(seat.number for seat in table.seats if votes(table, seat) == "abort"),
        may_nudge=waits and hosting.may_nudge(table),
        may_vote_bot=waits and hosting.may_vote_bot(table),
        for_bot=frozenset(seat.number for seat in table.seats if votes(table, seat) == "bot"),
        again=soon if soon > 0 else None,
        offer=await offer_of(tables, visitor, table) if table.rematch is not None else None,
        several=len(people(table)) > 1,
    )


async def offer_of(tables: Tables, visitor: Visitor, table: Table) -> RematchOffer | None:
    """The rematch offered at a table; None if it was called off."""
    following = await tables.cached(table.rematch or "", fresh=False)
    if following.table.ending in ("cancelled", "expired"):
        return None
    held = following.held(visitor.key) if visitor.key else frozenset()
    there = [seat for seat in following.table.seats if seat.kind == "human" and seat.taken]
    names = tuple(visitor.language.player(seat.number, following.table.game) for seat in there)
    asked = any(following.table.seats[seat].asked for seat in held)
    return RematchOffer(following.table.id, names, asked, not following.table.undrawn)
