"""The start page. It is answered before the other pages are loaded, so its module imports little."""

from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from franchise.server.live.lobby import Lobby
from franchise.server.live.presence import Presence
from franchise.server.tables.service import Tables
from franchise.server.tables.stored import TableSummary
from franchise.web import table_options
from franchise.web.hero import hero
from franchise.web.templating import page
from franchise.web.visitor import Visitor, visitor_of

router = APIRouter(include_in_schema=False)

SEE_OTHER = 303
ROAD = 110  # the influence at the end of the road
NEAR = 0.06  # of the road: tokens that would cover each other


def tables_of(request: Request) -> Tables:
    found: Tables = request.app.state.tables
    return found


@router.get("/")
async def start(request: Request) -> Response:
    """One click to a game, the visitor's current game, and the list of tables."""
    visitor = visitor_of(request)
    lists = await lobby_values(request, visitor)
    going_on = next((table for table in lists["mine"] if not table.over), None)
    continued = None if going_on is None else await continue_card(request, visitor, going_on)
    return page(visitor, "start.html", hero=hero(visitor.language), continued=continued, **lists)


async def lobby_values(request: Request, visitor: Visitor) -> dict[str, Any]:
    """What the lists of tables show."""
    tables = tables_of(request)
    lobby: Lobby = request.app.state.lobby
    presence: Presence = request.app.state.presence
    mine = await tables.tables_of(visitor.key) if visitor.key else ()
    open_tables, live_tables = await tables.open_tables(), await tables.live_tables()
    return {
        "mine": mine,
        "open_tables": open_tables,
        "live_tables": live_tables,
        "here": await presence.online_seats((*mine, *open_tables, *live_tables)),
        "people": max(1, lobby.people),
        "now": tables.now(),
        "chosen_options": table_options.chosen_options,
        "chosen_clock": table_options.chosen_clock,
    }


@dataclass(frozen=True)
class RoadToken:
    """A player on the influence road of the card."""

    colour: str
    influence: int
    across: float  # of the road, 0 to 1
    lane: int
    mine: bool


@dataclass(frozen=True)
class Continued:
    """The visitor's current game."""

    table: TableSummary
    tokens: tuple[RoadToken, ...]
    standing: str  # who leads, in a sentence


async def continue_card(request: Request, visitor: Visitor, summary: TableSummary) -> Continued:
    table = await tables_of(request).get(summary.id)
    held = await tables_of(request).held(summary.id, visitor.key)
    game, language = table.game, visitor.language
    scores = [player["influence"] for player in game.view()["players"]]
    lanes: dict[float, int] = {}
    tokens = []
    for seat in sorted(range(game.players), key=lambda seat: scores[seat]):
        across = min(scores[seat], ROAD) / ROAD
        near = [place for place in lanes if abs(place - across) < NEAR]
        lanes[across] = lane = (lanes[near[-1]] + 1) % 2 if near else 0
        tokens.append(RoadToken(game.colours[seat], scores[seat], across, lane, seat in held))
    mine = max((scores[seat] for seat in held), default=0)
    leader = max(range(game.players), key=lambda seat: scores[seat])
    name = language.player(leader, game)
    if any(table.seats[seat].asked for seat in held):
        news = language.text("You are asked to play again")
    elif leader in held or scores[leader] == mine:
        news = language.text("You lead with {count}.", count=mine) if mine else ""
    else:
        news = language.text(
            "{player} leads with {count}, you have {own}.", player=name, count=scores[leader], own=mine
        )
    return Continued(summary, tuple(tokens), news)
