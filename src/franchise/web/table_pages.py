"""A table's pages: the whole page, the parts that change, and what a player can send."""

import secrets
from collections.abc import Awaitable
from dataclasses import replace
from typing import Annotated

from fastapi import APIRouter, Form, Query, Request
from pydantic import BaseModel, Field
from starlette.responses import PlainTextResponse, RedirectResponse, Response

from franchise.facts import BOARD
from franchise.game import IllegalAction
from franchise.insight.hint import Hint
from franchise.server.http.order_route import OrderRoute
from franchise.server.tables.errors import Conflicting, TableError, Unavailable
from franchise.server.tables.new_table import NewTable
from franchise.server.tables.service import MOVE_LIMIT
from franchise.server.tables.table import Table
from franchise.server.thinking.analyses import Analyses
from franchise.server.thinking.hints import Hints
from franchise.web import table_parts
from franchise.web.action_bar import GROWING
from franchise.web.error_pages import refusal
from franchise.web.form_answers import FormOutcome, last_outcome, navigates, sent_on, shown_once
from franchise.web.new_table_page import seats_of
from franchise.web.scene import Scene
from franchise.web.start_page import SEE_OTHER, tables_of
from franchise.web.table_people import table_people
from franchise.web.templating import answered, page
from franchise.web.visitor import Visitor, remember, visitor_of
from franchise.wording.refusals import why_illegal, why_not_here

router = APIRouter(prefix="/t/{table_id}", include_in_schema=False)
orders = APIRouter(prefix="/t/{table_id}", include_in_schema=False, route_class=OrderRoute)

Version = Annotated[int, Form(ge=0)]
MoveId = Annotated[str, Form(max_length=60)]
SeatWish = Annotated[str, Field(max_length=20)]  # `me`, `open`, or a bot's level


class Played(BaseModel):
    """The form of a move, or of several that belong together."""

    version: Annotated[int, Field(ge=0)]  # of the table it was meant for
    moves: Annotated[str, Field(max_length=MOVE_LIMIT)]
    move_id: Annotated[str, Field(max_length=60)] = ""


class TimeAsked(BaseModel):
    """The requested position of a table: a version, or a number of moves; the current one by default."""

    version: Annotated[int, Field(ge=0)] | None = None
    move: Annotated[int, Field(ge=0)] | None = None


class NewTableFromMoment(BaseModel):
    """The form that opens a table from a position of another one."""

    move: Annotated[int, Field(ge=0)] | None = None  # the number of moves; all by default
    seat0: SeatWish = "me"
    seat1: SeatWish = "me"
    seat2: SeatWish = "me"
    seat3: SeatWish = "me"
    seat4: SeatWish = "me"


async def scene_of(
    request: Request,
    visitor: Visitor,
    table: Table,
    *,
    version: int | None = None,
    move: int | None = None,
    notice: str = "",
    hint: Hint | None = None,
) -> Scene:
    """The table as the visitor sees it: now, at an earlier version, or after an earlier move."""
    mine = await tables_of(request).held(table.id, visitor.key) if visitor.key else frozenset()
    now = tables_of(request).now()
    latest = Scene(table, table.game, table.version, True, mine, visitor.language, notice, cut=visitor.cut, now=now)
    if move is not None:
        analyses: Analyses = request.app.state.analyses
        review = await analyses.find(table.game) if table.over else None
        game = table.game.at(min(max(move, 0), len(table.game.actions)))
        return replace(latest, game=game, live=False, review=review)
    if version is not None and 0 <= version < table.version:
        earlier = table.at(version)
        return replace(latest, table=earlier, game=earlier.game, version=version, live=False)
    return replace(latest, hint=hint, people=await table_people(request, visitor, table, mine))


def parts(request: Request, visitor: Visitor, scene: Scene, status: int = 200) -> Response:
    """The parts of the page that change."""
    return answered(table_parts.changes(visitor, scene, request.headers.get(table_parts.NAME, "")), status)


async def answer(
    request: Request, visitor: Visitor, table: Table, notice: str = "", status: int = 200, hint: Hint | None = None
) -> Response:
    """The table after an attempt: its parts for a script, the page for a form."""
    if request.headers.get("hx-request"):
        return parts(request, visitor, await scene_of(request, visitor, table, notice=notice, hint=hint), status)
    if hint:
        return await whole(request, visitor, table, hint=hint)
    if notice:
        return await refused_form(request, visitor, table, notice, status)
    return RedirectResponse(f"/t/{table.id}", SEE_OTHER)


async def refused_form(request: Request, visitor: Visitor, table: Table, notice: str, status: int) -> Response:
    """The table with the reason why a form was refused."""
    if navigates(request):
        return sent_on(request, f"/t/{table.id}", FormOutcome(error=notice))
    return await whole(request, visitor, table, notice=notice, status=status)


async def whole(
    request: Request,
    visitor: Visitor,
    table: Table,
    *,
    move: int | None = None,
    notice: str = "",
    status: int = 200,
    hint: Hint | None = None,
) -> Response:
    """The page of a table."""
    scene = await scene_of(request, visitor, table, move=move, notice=notice, hint=hint)
    messages = await tables_of(request).messages(table.id)
    address = str(request.base_url).rstrip("/")
    return answered(table_parts.whole(visitor, scene, messages, address, looking=move is not None), status)


async def changed(
    request: Request, visitor: Visitor, table_id: str, change: Awaitable[Table], moves: str = ""
) -> Response:
    """The table after a change, or as it is and why it was refused."""
    try:
        return await answer(request, visitor, await change)
    except Conflicting as conflict:
        return await answer(request, visitor, conflict.table, refusal(conflict, visitor.language), conflict.status)
    except IllegalAction:
        table = await tables_of(request).get(table_id)
        return await answer(request, visitor, table, why_illegal(table.game, moves, visitor.language), 422)
    except TableError as error:
        table = await tables_of(request).get(table_id)
        return await answer(request, visitor, table, refusal(error, visitor.language), error.status)


@orders.post("/move")
async def move(request: Request, table_id: str, order: Annotated[Played, Form()]) -> Response:
    """One move, or several that belong together."""
    visitor, move_id = visitor_of(request), order.move_id or secrets.token_urlsafe(12)
    change = tables_of(request).move(table_id, visitor.key, version=order.version, move=order.moves, move_id=move_id)
    return await changed(request, visitor, table_id, change, order.moves)


@orders.get("/scene")
async def scene_parts(request: Request, table_id: str, order: Annotated[TimeAsked, Query()]) -> Response:
    """The parts of the page that change."""
    visitor = visitor_of(request)
    table = await tables_of(request).get(table_id)
    return parts(request, visitor, await scene_of(request, visitor, table, version=order.version, move=order.move))


@router.get("")
async def table_page(request: Request, table_id: str, move: Annotated[int | None, Query(ge=0)] = None) -> Response:
    """The table, now or after an earlier move."""
    visitor, table = visitor_of(request), await tables_of(request).get(table_id)
    outcome = last_outcome(request)
    return shown_once(request, await whole(request, visitor, table, move=move, notice=outcome.error or outcome.done))


@router.post("/undo")
async def undo(
    request: Request, table_id: str, version: Version, move_id: MoveId = "", turn: Annotated[bool, Form()] = False
) -> Response:
    """Take back the last move of the turn, or all of them."""
    visitor, move_id = visitor_of(request), move_id or secrets.token_urlsafe(12)
    change = tables_of(request).undo(table_id, visitor.key, version=version, move_id=move_id, turn=turn)
    return await changed(request, visitor, table_id, change)


@router.post("/take-back")
async def take_back(
    request: Request, table_id: str, version: Version, place: Annotated[str, Form(max_length=40)], move_id: MoveId = ""
) -> Response:
    """Take back the growth in a city, whatever was done after it in this turn."""
    visitor, move_id = visitor_of(request), move_id or secrets.token_urlsafe(12)
    change = tables_of(request).take_back(
        table_id,
        visitor.key,
        version=version,
        move_id=move_id,
        chosen=lambda action: action.kind in GROWING and action.where == place,
    )
    return await changed(request, visitor, table_id, change)


@router.post("/hint")
async def hint(request: Request, table_id: str, version: Version) -> Response:
    """What a bot would do now, for the player to move."""
    visitor = visitor_of(request)
    hints: Hints = request.app.state.hints
    try:
        found = await hints.hint(table_id, visitor.key, version)
    except TableError as error:
        return await answer(
            request, visitor, await tables_of(request).get(table_id), refusal(error, visitor.language), error.status
        )
    return await answer(request, visitor, await tables_of(request).get(table_id), hint=found)


@router.get("/why")
async def why(request: Request, table_id: str, place: Annotated[str, Query(max_length=40)]) -> Response:
    """Why a location cannot be chosen now, as text."""
    visitor = visitor_of(request)
    table = await tables_of(request).get(table_id)
    found = next((location for location in BOARD.locations if location.name == place), None)
    if found is None or table.game.over:
        return PlainTextResponse("", 404)
    return PlainTextResponse(
        why_not_here(table.game, found.id, visitor.language), headers={"Cache-Control": "no-store"}
    )


@router.get("/chat")
async def chat(request: Request, table_id: str) -> Response:
    """The chat messages."""
    visitor = visitor_of(request)
    table = await tables_of(request).get(table_id)
    messages = await tables_of(request).messages(table_id)
    return page(visitor, "chat.html", scene=await scene_of(request, visitor, table), messages=messages)


@router.post("/say")
async def say(request: Request, table_id: str, text: Annotated[str, Form(max_length=2000)] = "") -> Response:
    """Send a chat message."""
    visitor = visitor_of(request)
    status, notice = 200, ""
    try:
        if text.strip():
            await tables_of(request).say(table_id, visitor.key, text.strip())
    except TableError as error:
        status, notice = error.status, refusal(error, visitor.language)
    table = await tables_of(request).get(table_id)
    if not request.headers.get("hx-request"):
        if notice:
            return await refused_form(request, visitor, table, notice, status)
        return RedirectResponse(f"/t/{table_id}", SEE_OTHER)
    messages = await tables_of(request).messages(table_id)
    scene = await scene_of(request, visitor, table)
    return page(visitor, "chat.html", status, scene=scene, messages=messages, refused=notice)


@router.post("/continue")
async def go_on(request: Request, table_id: str, order: Annotated[NewTableFromMoment, Form()]) -> Response:
    """Open a new table that continues from a position of this one, with other people or bots."""
    visitor, key = visitor_of(request).seated()
    old = await tables_of(request).get(table_id)
    if old.rated and not old.over:
        refused = visitor.language.text("A rated game can only be continued elsewhere once it is over.")
        return await refused_form(request, visitor, old, refused, 403)
    moves = len(old.game.actions)
    game = old.game.at(moves if order.move is None else min(order.move, moves))
    wanted = [order.seat0, order.seat1, order.seat2, order.seat3, order.seat4][: game.players]
    try:
        seats = seats_of(wanted, visitor.name, visitor.language)
        table, _ = await tables_of(request).create(NewTable(seats=seats, record=game.to_text()), key)
    except Unavailable:
        raise
    except (TableError, ValueError) as error:
        return await refused_form(request, visitor, old, str(error), 422)
    response = RedirectResponse(f"/t/{table.id}", SEE_OTHER)
    remember(request, response, visitor)
    return response
