"""The start page, looking at a record, language and theme."""

from typing import Annotated, Any
from urllib.parse import urlsplit

from fastapi import APIRouter, Form, Request
from pydantic import ValidationError
from starlette.responses import RedirectResponse, Response

from franchise.drawing.sheet import page_css
from franchise.game import Game
from franchise.record import RecordError
from franchise.server.tables.errors import TableError, Unavailable
from franchise.server.tables.new_table import NewSeat, NewTable
from franchise.server.tables.service import Tables
from franchise.server.tables.stored import TableSummary
from franchise.web import table_options
from franchise.web.hero import hero
from franchise.web.templating import page
from franchise.web.visitor import Visitor, choose_language, choose_theme, remember, visitor_of
from franchise.wording.language import Language

router = APIRouter(include_in_schema=False)

SEE_OTHER = 303
RECORD_LIMIT = 200_000  # characters


def tables_of(request: Request) -> Tables:
    found: Tables = request.app.state.tables
    return found


@router.get("/")
async def start(request: Request) -> Response:
    """One click to a game; beside it everything one can choose, and the tables there are."""
    return await start_page(request, visitor_of(request))


async def start_page(request: Request, visitor: Visitor, error: str = "", status: int = 200) -> Response:
    tables = tables_of(request)
    return page(
        visitor,
        "start.html",
        status,
        choices=table_options,
        error=error,
        hero=hero(visitor.language),
        mine=sorted(await tables.tables_of(visitor.key), key=pressing) if visitor.key else (),
        open_tables=await tables.open_tables(),
        live_tables=await tables.live_tables(),
    )


def pressing(table: TableSummary) -> int:
    """In which order people want to see their tables: where they have to move, what goes on, what is over."""
    return 0 if table.your_turn and not table.over else 2 if table.over else 1


@router.post("/tables")
async def create(request: Request) -> Response:
    """Make the table a form describes and go there."""
    form = await request.form()
    fields = {key: value for key, value in form.items() if isinstance(value, str)}
    visitor, key = visitor_of(request).seated(fields.get("name", ""))
    try:
        new = new_table(fields, visitor.name or visitor.language.text("Guest"), visitor.language)
        table, _ = await tables_of(request).create(new, key)
    except ValidationError as error:
        reason = str(error.errors()[0]["msg"])
        return await start_page(
            request, visitor, visitor.language.text("That does not fit: {reason}", reason=reason), 422
        )
    except Unavailable:
        raise
    except (TableError, ValueError) as error:
        return await start_page(request, visitor, str(error), 422)
    response = RedirectResponse(f"/t/{table.id}", SEE_OTHER)
    remember(request, response, visitor)
    return response


def new_table(fields: dict[str, str], name: str, language: Language) -> NewTable:
    """A form as the server takes it; ValueError says what does not fit."""
    try:
        players = int(fields.get("players", "4"))
    except ValueError:
        raise ValueError(language.text("A table has 2 to 5 players.")) from None
    if players not in table_options.PLAYERS:
        raise ValueError(language.text("A table has 2 to 5 players."))
    wanted = [fields.get(f"seat{number}", "me" if number == 0 else "regular") for number in range(players)]
    options: dict[str, Any] = {offer.value: True for offer in table_options.SWITCHES if fields.get(offer.value)}
    options |= {key: fields[key] for key in ("expert", "regions") if fields.get(key)}
    clock = new_clock(fields, language)
    seed = fields.get("seed", "").strip()
    if seed and not (seed.isdecimal() and len(seed) <= 9):
        raise ValueError(language.text("A seed is a number of at most nine digits."))
    return NewTable.model_validate(
        {
            "seats": [seat.model_dump() for seat in seats_of(wanted, name, language)],
            "order": "given" if fields.get("in_order") or fields.get("record") else "random",
            "options": options,
            "seed": int(seed) if seed else None,
            "public": bool(fields.get("public")),
            "rated": bool(fields.get("rated")),
            "hints": False if fields.get("no_hints") else None,
            "clock": clock,
            "record": fields.get("record") or None,
        }
    )


def new_clock(fields: dict[str, str], language: Language) -> dict[str, Any]:
    """The clock a form describes: `none`, `MINUTES+SECONDS`, or `daily HOURS+DAYS`."""
    chosen = fields.get("clock", "none")
    if chosen == "none":
        return {"kind": "none"}
    daily = chosen.startswith("daily ")
    first, _, second = chosen.removeprefix("daily ").partition("+")
    if not all(part.isdecimal() and len(part) <= 5 for part in (first, second)):
        raise ValueError(language.text("There is no such clock."))
    names = ("hours", "vacation") if daily else ("minutes", "increment")
    clock: dict[str, Any] = {"kind": "daily" if daily else "live", names[0]: int(first), names[1]: int(second)}
    return clock | {key: fields[key] for key in ("time_out", "stand_in") if fields.get(key)}


def seats_of(wanted: list[str], name: str, language: Language) -> list[NewSeat]:
    """Who sits where: `me`, `guest` (somebody else before the same screen), `open`, or a bot's level."""
    seats = []
    for number, kind in enumerate(wanted):
        if kind in ("me", "guest"):
            mine = sum(1 for other in wanted[:number] if other in ("me", "guest"))
            called = name if kind == "me" and not mine else language.text("Player {number}", number=number + 1)
            seats.append(NewSeat(kind="human", name=called))
        elif kind == "open":
            seats.append(NewSeat(kind="open"))
        else:
            level = next((offer for offer in table_options.LEVELS if offer.value == kind), None)
            if level is None:
                raise ValueError(language.text("There is no bot of that level."))
            same = sum(1 for other in wanted[:number] if other == kind)
            several = wanted.count(kind) > 1
            called = language.text(level.name) + (f" {same + 1}" if several else "")
            seats.append(NewSeat(kind="bot", level=level.value, name=called))
    return seats


@router.get("/look")
async def look(request: Request) -> Response:
    """Paste or drop a record."""
    return page(visitor_of(request), "look.html", error="", record="")


@router.post("/look")
async def open_record(request: Request, record: Annotated[str, Form(max_length=RECORD_LIMIT)] = "") -> Response:
    """A table of one's own with the record on it, to look at or to go on from."""
    visitor, key = visitor_of(request).seated()
    try:
        game = Game.from_text(record.replace("\r\n", "\n"))
        players = game.view()["players"]
        new = NewTable(seats=[NewSeat(kind="human", name=player["name"]) for player in players], record=game.to_text())
        table, _ = await tables_of(request).create(new, key)
    except Unavailable:
        raise
    except (RecordError, TableError, ValueError) as error:
        text = visitor.language.text("The record cannot be read: {reason}", reason=str(error))
        return page(visitor, "look.html", 422, error=text, record=record)
    response = RedirectResponse(f"/t/{table.id}?move=0" if game.over else f"/t/{table.id}", SEE_OTHER)
    remember(request, response, visitor)
    return response


def back_of(request: Request) -> str:
    """Where somebody came from, as a path of this site; the start page where that cannot be read."""
    try:
        back = urlsplit(request.headers.get("referer", "/"))
    except ValueError:
        return "/"
    path = (back.path or "/") + (f"?{back.query}" if back.query else "")
    return path if path.startswith("/") and not path.startswith("//") else "/"


@router.post("/settings")
async def settings(request: Request) -> Response:
    """Language and theme, then back to where one was."""
    form = await request.form()
    response = RedirectResponse(back_of(request), SEE_OTHER)
    choose_language(request, response, str(form.get("language", "")))
    choose_theme(request, response, str(form.get("theme", "")))
    return response


@router.get("/board.css")
async def board_css() -> Response:
    """The colours of the board in both themes."""
    return Response(page_css(), media_type="text/css", headers={"Cache-Control": "public, max-age=86400"})
