"""Opening a table: who sits where, the options, the clock."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Form, Request
from pydantic import BaseModel, ValidationError
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


class TableForm(BaseModel):
    """The form of a new table, in which everything may be missing. `new_table` says what is wrong, and the form is then
    shown again as it was filled in; so everything is text."""

    name: str = ""  # of whoever opens the table
    players: str = "4"
    seat0: str = "me"  # see seats_of
    seat1: str = "regular"
    seat2: str = "regular"
    seat3: str = "regular"
    seat4: str = "regular"
    character0: str = ""  # of a bot in that seat
    character1: str = ""
    character2: str = ""
    character3: str = ""
    character4: str = ""
    in_order: str = ""
    introductory: str = ""
    milestones: str = ""
    boom: str = ""
    expert: str = ""
    regions: str = ""
    seed: str = ""
    record: str = ""
    public: str = ""
    rated: str = ""
    no_hints: str = ""
    clock: str = "none"  # see new_clock
    time_out: str = ""
    stand_in: str = ""

    @property
    def seats(self) -> list[str]:
        return [self.seat0, self.seat1, self.seat2, self.seat3, self.seat4]

    @property
    def characters(self) -> list[str]:
        return [self.character0, self.character1, self.character2, self.character3, self.character4]


@router.get("/new")
async def new(request: Request) -> Response:
    """The form asks only for the players; everything else has defaults, or comes from the URL."""
    chosen = dict(request.query_params)
    return shown_once(request, form_page(visitor_of(request), chosen, last_outcome(request).error))


def form_page(visitor: Visitor, chosen: Mapping[str, str], error: str = "", status: int = 200) -> Response:
    values = {"choices": table_options, "characters": CHARACTERS, "chosen": chosen, "error": error}
    return page(visitor, "new_table.html", status, **values)


@router.post("/tables")
async def create(request: Request, form: Annotated[TableForm, Form()]) -> Response:
    """Create the table that a form describes and redirect to it."""
    visitor, key = visitor_of(request).seated(form.name)
    try:
        new = new_table(form, visitor.name, visitor.language)
        table, _ = await tables_of(request).create(new, key)
    except Unavailable:
        raise
    except (TableError, ValueError) as error:
        return refused_table(request, visitor, form, error)
    response = RedirectResponse(f"/t/{table.id}", SEE_OTHER)
    remember(request, response, visitor)
    return response


def refused_table(request: Request, visitor: Visitor, form: TableForm, error: Exception) -> Response:
    """The form again as it was filled in, with the error."""
    if isinstance(error, ValidationError):
        text = visitor.language.text("That is not valid")
    else:
        text = refusal(error, visitor.language) if isinstance(error, TableError) else str(error)
    given: dict[str, str] = form.model_dump(exclude_unset=True)
    chosen = {name: value for name, value in given.items() if len(value) <= LONGEST_FIELD}
    if navigates(request):
        return sent_on(request, f"/new?{urlencode(chosen)}", FormOutcome(error=text))
    return form_page(visitor, chosen, text, 422)


def new_table(form: TableForm, name: str, language: Language) -> NewTable:
    """The form as a NewTable; ValueError says what is wrong."""
    if form.players not in map(str, table_options.PLAYERS):
        raise ValueError(language.text("A table has 2 to 5 players."))
    players = int(form.players)
    options: dict[str, Any] = {offer.value: True for offer in table_options.SWITCHES if getattr(form, offer.value)}
    options |= {key: value for key, value in (("expert", form.expert), ("regions", form.regions)) if value}
    clock = new_clock(form, language)
    seed = form.seed.strip()
    if seed and not (seed.isdecimal() and len(seed) <= 9):
        raise ValueError(language.text("A seed is a number of at most nine digits."))
    seats = seats_of(form.seats[:players], name, language, form.characters)
    return NewTable.model_validate(
        {
            "seats": [seat.model_dump() for seat in seats],
            "order": "given" if form.in_order or form.record else "random",
            "options": options,
            "seed": int(seed) if seed else None,
            "public": bool(form.public),
            "rated": bool(form.rated),
            "hints": False if form.no_hints else None,
            "clock": clock,
            "record": form.record or None,
        }
    )


def new_clock(form: TableForm, language: Language) -> dict[str, Any]:
    """The clock that a form describes: `none`, `MINUTES+SECONDS`, or `daily HOURS+DAYS`."""
    chosen = form.clock
    if chosen == "none":
        return {"kind": "none"}
    daily = chosen.startswith("daily ")
    first, _, second = chosen.removeprefix("daily ").partition("+")
    if not all(part.isdecimal() and len(part) <= 5 for part in (first, second)):
        raise ValueError(language.text("There is no such clock."))
    names = ("hours", "vacation") if daily else ("minutes", "increment")
    clock: dict[str, Any] = {"kind": "daily" if daily else "live", names[0]: int(first), names[1]: int(second)}
    return clock | {key: value for key, value in (("time_out", form.time_out), ("stand_in", form.stand_in)) if value}


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
