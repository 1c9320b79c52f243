"""Looking at a record: paste or drop it, and it is opened as a table."""

from typing import Annotated

from fastapi import APIRouter, Form, Request
from starlette.responses import RedirectResponse, Response

from franchise.game import Game
from franchise.record import RecordError
from franchise.server.tables.errors import TableError, Unavailable
from franchise.server.tables.new_table import NewSeat, NewTable
from franchise.web.form_answers import FormOutcome, last_outcome, navigates, sent_on, shown_once
from franchise.web.start_page import SEE_OTHER, tables_of
from franchise.web.templating import page
from franchise.web.visitor import remember, visitor_of
from franchise.wording.language import Language

router = APIRouter(include_in_schema=False)

RECORD_LIMIT = 200_000  # characters
LINE_SHOWN = 80  # characters shown of an invalid line


@router.get("/look")
async def look(request: Request) -> Response:
    """Paste or drop a record."""
    error = last_outcome(request).error
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
            return sent_on(request, "/look", FormOutcome(error=text))
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
