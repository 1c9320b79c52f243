"""Opening a table: who sits where, the options, the clock."""

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from pydantic import ValidationError
from starlette.responses import RedirectResponse, Response

from franchise.bots.characters import CHARACTERS
from franchise.server.tables.errors import TableError, Unavailable
from franchise.server.tables.new_table import NewSeat, NewTable
from franchise.web import table_options
from franchise.web.error_pages import refusal
from franchise.web.form_answers import FormOutcome, last_outcome, navigates, sent_on, shown_once
from franchise.web.start_page import SEE_OTHER, tables_of
from franchise.web.templating import page
from franchise.web.visitor import Visitor, remember, visitor_of
from franchise.wording.language import Language

router = APIRouter(include_in_schema=False)

LONGEST_FIELD = 60  # characters of a choice that is kept


@router.get("/new")
async def new(request: Request) -> Response:
    """The form asks only for the players; everything else has defaults, or comes from the URL."""
    chosen = dict(request.query_params)
    return shown_once(request, form_page(visitor_of(request), chosen, last_outcome(request).error))


def form_page(visitor: Visitor, chosen: Mapping[str, str], error: str = "", status: int = 200) -> Response:
    values = {"choices": table_options, "characters": CHARACTERS, "chosen": chosen, "error": error}
    return page(visitor, "new_table.html", status, **values)


@router.post("/tables")
async def create(request: Request) -> Response:
    """Create the table that a form describes and redirect to it."""
    form = await request.form()
    fields = {key: value for key, value in form.items() if isinstance(value, str)}
    visitor, key = visitor_of(request).seated(fields.get("name", ""))
    try:
        new = new_table(fields, visitor.name, visitor.language)
        table, _ = await tables_of(request).create(new, key)
    except Unavailable:
        raise
    except (TableError, ValueError) as error:
        return refused_table(request, visitor, fields, error)
    response = RedirectResponse(f"/t/{table.id}", SEE_OTHER)
    remember(request, response, visitor)
    return response


def refused_table(request: Request, visitor: Visitor, fields: dict[str, str], error: Exception) -> Response:
    """The form again as it was filled in, with the error."""
    if isinstance(error, ValidationError):
        text = visitor.language.text("That is not valid")
    else:
        text = refusal(error, visitor.language) if isinstance(error, TableError) else str(error)
    chosen = {name: value for name, value in fields.items() if len(value) <= LONGEST_FIELD}
    if navigates(request):
        return sent_on(request, f"/new?{urlencode(chosen)}", FormOutcome(error=text))
    return form_page(visitor, chosen, text, 422)


def new_table(fields: dict[str, str], name: str, language: Language) -> NewTable:
    """The form as a NewTable; ValueError says what is wrong."""
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
    faces = [fields.get(f"character{number}", "") for number in range(players)]
    seats = seats_of(wanted, name, language, faces)
    return NewTable.model_validate(
        {
            "seats": [seat.model_dump() for seat in seats],
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
    """The clock that a form describes: `none`, `MINUTES+SECONDS`, or `daily HOURS+DAYS`."""
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


def seats_of(wanted: list[str], name: str, language: Language, faces: Sequence[str] = ()) -> list[NewSeat]:
    """Who sits where: `me`, `guest` (another person at the same screen), `open`, or a bot's level.

    Bots get the character chosen for them; the service names the others.
    """
    seats = []
    used: set[str] = set()
    for number, kind in enumerate(wanted):
        if kind in ("me", "guest"):
            mine = sum(1 for other in wanted[:number] if other in ("me", "guest"))
            called = name if kind == "me" and not mine else language.text("Player {number}", number=number + 1)
            seats.append(NewSeat(kind="human", name=called))
        elif kind == "open":
            seats.append(NewSeat(kind="open"))
        elif kind in (level.value for level in table_options.LEVELS):
            face = faces[number] if number < len(faces) else ""
            chosen = face if face in CHARACTERS and face not in used else None
            used |= {face}
            seats.append(NewSeat(kind="bot", level=kind, name=chosen))
        else:
            raise ValueError(language.text("There is no bot of that level."))
    return seats
