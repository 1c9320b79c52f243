"""What people do at a table besides playing: sitting down, hosting, leaving, rematches, resigning, votes, reminders."""

from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Annotated, Literal

from fastapi import APIRouter, Form, Request
from starlette.responses import RedirectResponse, Response

from franchise.server.tables.errors import TableError
from franchise.server.tables.hosting import GIVEN_UP, Hosting
from franchise.server.tables.new_table import DEFAULT_LEVEL
from franchise.server.tables.table import Table, Vote
from franchise.web.error_pages import refusal
from franchise.web.form_answers import FormOutcome, sent_on
from franchise.web.start_page import SEE_OTHER, tables_of
from franchise.web.table_pages import refused_form
from franchise.web.visitor import Visitor, remember, visitor_of

router = APIRouter(prefix="/t/{table_id}", include_in_schema=False)

SeatNumber = Annotated[int, Form(ge=0, le=4)]
Level = Annotated[str, Form(max_length=40)]
VOTES: dict[str, Vote | None] = {"abort": "abort", "bot": "bot", "none": None}


def hosting_of(request: Request) -> Hosting:
    found: Hosting = request.app.state.hosting
    return found


async def done(
    request: Request,
    table_id: str,
    doing: Awaitable[Table],
    away: str = "",
    notice: Callable[[Table], str] | None = None,
    remembered: Visitor | None = None,
) -> Response:
    """Redirect to `away`, or else back to the table, which shows once what `notice` says or why it was refused.

    The browser keeps who is `remembered`.
    """
    visitor = visitor_of(request)
    try:
        table = await doing
    except TableError as error:
        table = await tables_of(request).get(table_id)
        return await refused_form(request, visitor, table, refusal(error, visitor.language), error.status)
    if notice is not None:
        return sent_on(request, f"/t/{table.id}", FormOutcome(done=notice(table)))
    response = RedirectResponse(away or f"/t/{table.id}", SEE_OTHER)
    if remembered is not None:
        remember(request, response, remembered)
    return response


@router.post("/sit")
async def sit(request: Request, table_id: str, seat: SeatNumber, name: Annotated[str, Form()] = "") -> Response:
    """Take an open seat."""
    visitor, key = visitor_of(request).seated(name)
    called = visitor.name or visitor.language.text("Player {number}", number=seat + 1)
    sitting = tables_of(request).sit(table_id, seat, called, key)
    return await done(request, table_id, sitting, remembered=visitor)


@router.post("/fill")
async def fill(request: Request, table_id: str, seat: SeatNumber, level: Level = DEFAULT_LEVEL) -> Response:
    """Let a bot take an open seat."""
    return await done(request, table_id, tables_of(request).fill(table_id, seat, level, visitor_of(request).key))


@router.post("/back")
async def back(request: Request, table_id: str) -> Response:
    """Take over from the bot that stood in."""
    return await done(request, table_id, tables_of(request).back(table_id, visitor_of(request).key))


@router.post("/cancel")
async def cancel(request: Request, table_id: str) -> Response:
    """Close a table that has not begun."""
    return await done(request, table_id, hosting_of(request).cancel(table_id, visitor_of(request).key), "/")


@router.post("/free")
async def free(request: Request, table_id: str, seat: SeatNumber) -> Response:
    """Free somebody else's seat."""
    return await done(request, table_id, hosting_of(request).free(table_id, seat, visitor_of(request).key))


@router.post("/begin")
async def begin(request: Request, table_id: str, level: Level = DEFAULT_LEVEL) -> Response:
    """Begin with bots in the open seats."""
    return await done(request, table_id, hosting_of(request).begin(table_id, visitor_of(request).key, level))


@router.post("/leave")
async def leave(request: Request, table_id: str, seat: SeatNumber) -> Response:
    """Give a seat back."""
    return await done(request, table_id, hosting_of(request).leave(table_id, seat, visitor_of(request).key), "/")


@router.post("/rematch")
async def rematch(request: Request, table_id: str) -> Response:
    """Offer another game, or accept one."""
    return await done(request, table_id, hosting_of(request).rematch(table_id, visitor_of(request).key))


@router.post("/accept")
async def accept(request: Request, table_id: str) -> Response:
    """Accept the offered seat."""
    return await done(request, table_id, hosting_of(request).accept(table_id, visitor_of(request).key))


@router.post("/decline")
async def decline(request: Request, table_id: str) -> Response:
    """Decline a rematch."""
    return await done(request, table_id, hosting_of(request).decline(table_id, visitor_of(request).key), "/")


@router.post("/resign")
async def resign(request: Request, table_id: str) -> Response:
    """Resign."""
    return await done(request, table_id, hosting_of(request).resign(table_id, visitor_of(request).key))


@router.post("/vote")
async def vote(request: Request, table_id: str, what: Annotated[Literal["abort", "bot", "none"], Form()]) -> Response:
    """Vote for calling the game off, or for a bot in place of an absent player."""
    return await done(request, table_id, hosting_of(request).vote(table_id, visitor_of(request).key, VOTES[what]))


@router.post("/report")
async def report(request: Request, table_id: str, message: Annotated[int, Form(ge=0, le=2**31 - 1)]) -> Response:
    """Report an offensive message to the operator of the server."""
    visitor, tables = visitor_of(request), tables_of(request)
    try:
        await tables.report(table_id, visitor.key, message)
    except TableError as error:
        table = await tables.get(table_id)
        return await refused_form(request, visitor, table, refusal(error, visitor.language), error.status)
    thanks = visitor.language.text("The administrator of this server will look at that message.")
    return sent_on(request, f"/t/{table_id}", FormOutcome(done=thanks))


@router.post("/nudge")
async def nudge(request: Request, table_id: str) -> Response:
    """Remind an absent player."""
    visitor = visitor_of(request)

    def notice(table: Table) -> str:
        name = visitor.language.player(table.game.current_player, table.game)
        return visitor.language.text(
            "You have nudged {player}. After {minutes} minutes without a move, you can vote for a bot.",
            player=name,
            minutes=GIVEN_UP // timedelta(minutes=1),
        )

    return await done(request, table_id, hosting_of(request).nudge(table_id, visitor.key), notice=notice)
