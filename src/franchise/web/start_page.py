"""The start page, looking at a record, language and theme."""

from dataclasses import dataclass
from typing import Annotated, Any
from urllib.parse import urlsplit

from fastapi import APIRouter, Form, Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Match

from franchise.game import Game
from franchise.record import RecordError
from franchise.server.live.lobby import Lobby
from franchise.server.live.presence import Presence
from franchise.server.tables.errors import TableError, Unavailable
from franchise.server.tables.new_table import NewSeat, NewTable
from franchise.server.tables.service import Tables
from franchise.server.tables.stored import TableSummary
from franchise.server.wiring import People
from franchise.web import table_options
from franchise.web.form_answers import Said, navigates, said_before, sent_on, shown_once
from franchise.web.hero import hero
from franchise.web.templating import page
from franchise.web.visitor import Visitor, choose_language, choose_theme, remember, visitor_of
from franchise.wording.language import LANGUAGES, Language

home = APIRouter(include_in_schema=False)  # of the start page alone, which is answered before the others are loaded
router = APIRouter(include_in_schema=False)

SEE_OTHER = 303
RECORD_LIMIT = 200_000  # characters
LINE_SHOWN = 80  # characters shown of an invalid line
ROAD = 110  # the influence at the end of the road
NEAR = 0.06  # of the road: tokens that would cover each other


def tables_of(request: Request) -> Tables:
    found: Tables = request.app.state.tables
    return found


@home.get("/")
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
        said = language.text("You are asked to play again")
    elif leader in held or scores[leader] == mine:
        said = language.text("You lead with {count}.", count=mine) if mine else ""
    else:
        said = language.text(
            "{player} leads with {count}, you have {own}.", player=name, count=scores[leader], own=mine
        )
    return Continued(summary, tuple(tokens), said)


@router.get("/look")
async def look(request: Request) -> Response:
    """Paste or drop a record."""
    error = said_before(request).error
    return shown_once(request, page(visitor_of(request), "look.html", error=error, record=""))


@router.post("/look")
async def open_record(request: Request, record: Annotated[str, Form(max_length=RECORD_LIMIT)] = "") -> Response:
    """Open a table with the record, to look at or to continue."""
    visitor, key = visitor_of(request).seated()
    try:
        game = Game.from_text(record.replace("\r\n", "\n"))
        players = game.view()["players"]
        new = NewTable(seats=[NewSeat(kind="human", name=player["name"]) for player in players], record=game.to_text())
        table, _ = await tables_of(request).create(new, key)
    except Unavailable:
        raise
    except (RecordError, TableError, ValueError) as error:
        text = unreadable(error, record, visitor.language)
        if navigates(request):  # the browser keeps what was pasted there
            return sent_on(request, "/look", Said(error=text))
        return page(visitor, "look.html", 422, error=text, record=record)
    response = RedirectResponse(f"/t/{table.id}?move=0" if game.over else f"/t/{table.id}", SEE_OTHER)
    remember(request, response, visitor)
    return response


def unreadable(error: Exception, record: str, language: Language) -> str:
    """Why a record cannot be opened, with the line that is wrong."""
    if not isinstance(error, RecordError):
        return language.text("The record cannot be read.")
    lines = record.splitlines()
    found = lines[error.line - 1].strip()[:LINE_SHOWN] if 0 < error.line <= len(lines) else ""
    return language.text("The record cannot be read: line {line} is wrong. {text}", line=error.line, text=found)


def back_of(request: Request) -> str:
    """The previous page as a path of this site; the start page if unknown."""
    try:
        back = urlsplit(request.headers.get("referer", "/"))
    except ValueError:
        return "/"
    if not back.path.startswith("/") or back.path.startswith("//"):
        return "/"
    path = back.path
    while not readable(request, path):  # it only takes forms; their outcome is shown on the page above it
        path = path.rpartition("/")[0] or "/"
    return path + (f"?{back.query}" if back.query and path == back.path else "")


def readable(request: Request, path: str) -> bool:
    """Whether there is a page at a path."""
    asked = {**request.scope, "method": "GET", "path": path}
    return path == "/" or any(route.matches(asked)[0] is Match.FULL for route in request.app.routes)


@router.post("/settings")
async def settings(request: Request) -> Response:
    """Set language and theme, then return to the previous page."""
    form = await request.form()
    response = RedirectResponse(back_of(request), SEE_OTHER)
    chosen, account = str(form.get("language", "")), visitor_of(request).account
    choose_language(request, response, chosen)
    if account is not None and chosen in LANGUAGES and chosen != account.language:  # messages are sent in it
        people: People = request.app.state.people
        await people.accounts.change(account, language=chosen)
    choose_theme(request, response, str(form.get("theme", "")))
    return response
