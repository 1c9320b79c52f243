"""The JSON API: thin routes to Tables. docs/server.md describes it; /openapi.json has the schemas."""

from contextlib import AsyncExitStack
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Body, Depends, Header, Path, Query, Request, Response
from fastapi.responses import PlainTextResponse
from fastapi.security import HTTPBearer
from pydantic import Field

from franchise.bots.registry import listings
from franchise.server.http import schemas
from franchise.server.http.limits import Limits, address_of
from franchise.server.http.order_route import ID_LIMIT, OrderRoute
from franchise.server.live.broadcast import Broadcast
from franchise.server.live.presence import Presence
from franchise.server.live.sse import EventStream, Write
from franchise.server.people.sessions import bearer, program, signed_in
from franchise.server.tables import table_json
from franchise.server.tables.errors import NotSignedIn, TooMany
from franchise.server.tables.hosting import Hosting
from franchise.server.tables.interfaces import Notice
from franchise.server.tables.known_fields import KnownFields
from franchise.server.tables.new_table import NewTable
from franchise.server.tables.seat_keys import BROWSER_KEY, Holder, Key, hashes, new_key
from franchise.server.tables.service import MOVE_ID_LIMIT, MOVE_LIMIT, Tables
from franchise.server.tables.table import Table
from franchise.server.wiring import People

HAPPENING = (
    "server-sent events: ids are versions, data is JSON with kind, version, seat, move, took_back and events "
    "(kind, seat, place, amount, text)"
)
LATEST = 2**31 - 1  # greater than any version

described = HTTPBearer(auto_error=False, description="the token of a seat, or of an account")
SECURED: dict[str, Any] = {"security": [{described.scheme_name: []}]}  # said, not depended upon: key_of costs less


def hosting(request: Request) -> Hosting:
    """What people do at tables besides playing."""
    found: Hosting = request.app.state.hosting
    return found


def service(request: Request) -> Tables:
    """The tables of this server."""
    tables: Tables = request.app.state.tables
    return tables


def key_of(request: Request) -> Key | None:
    """Who the request comes from: the account for an account token, else the seat token itself."""
    account = program(request)
    return bearer(request) if account is None else account.holder


async def seated_as(request: Request, table_id: str) -> tuple[str, ...]:
    """The hashes by which a visitor holds seats at a table: of their session, their browser, or a token."""
    session = signed_in(request)
    browser = request.cookies.get(BROWSER_KEY)
    shown = (*hashes(key_of(request)), *hashes(browser), *(session.account.holder.hashes if session else ()))
    cached = await service(request).cached(table_id, fresh=False)
    return tuple({stored.holder_hash for stored in cached.seats if stored.holder_hash in shown})


def account_of(request: Request) -> Holder:
    """The account the request comes from; NotSignedIn."""
    key = key_of(request)
    if not isinstance(key, Holder):
        raise NotSignedIn
    return key


TableId = Annotated[str, Path(max_length=ID_LIMIT, description="the last part of the table's address")]
SeatNumber = Annotated[int, Path(ge=-(2**31), le=2**31, description="the number of the seat, from 0")]
Version = Annotated[int, Field(ge=0, le=LATEST, description="the version of the table that the request is meant for")]
MoveId = Annotated[
    str,
    Field(
        min_length=1,
        max_length=MOVE_ID_LIMIT,
        description="an id of your choice; a repeated request with the same id changes nothing",
    ),
]


class MoveOrder(KnownFields):
    """A request to make a move."""

    version: Version
    move: str = Field(
        max_length=MOVE_LIMIT,
        description="one move, or several separated by semicolons, which are made as one change: all or none",
        examples=["expand Chicago 3", "done; end"],
    )
    move_id: MoveId


class UndoOrder(KnownFields):
    """A request to undo the last step of this turn."""

    version: Version
    move_id: MoveId
    turn: bool = Field(default=False, description="undo all steps of this turn, not only the last one")


class SitOrder(KnownFields):
    """A request to take a seat."""

    name: str | None = Field(default=None, max_length=200, description="the name shown at the table")


class Saying(KnownFields):
    """A chat message to send."""

    text: str = Field(max_length=2000, description="1 to 500 characters")


PROBLEMS = {
    400: "a URL or text that cannot be parsed",
    401: "the request has no token",
    403: "the token does not allow this, or the request came from a page of another site",
    404: "no such table",
    409: "the table is in another state, which is included",
    413: "the body is too long",
    429: "too many requests; Retry-After says how long to wait",
    422: "an illegal or malformed request; detail says why",
    503: "the database does not answer or cannot be written to; Retry-After says how long to wait",
}


def problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """What a route may refuse, for OpenAPI."""
    return {
        status: {
            "model": schemas.ConflictProblem if status == 409 else schemas.Problem,
            "description": PROBLEMS[status],
        }
        for status in statuses
    }


def plain_problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The same for a route whose answer is not JSON; its errors are."""
    schema = {"$ref": "#/components/schemas/Problem"}
    return {
        status: {"description": PROBLEMS[status], "content": {"application/json": {"schema": schema}}}
        for status in statuses
    }


REFUSED = plain_problems(400, 403, 429, 503)  # wherever somebody asks
router = APIRouter(prefix="/api", tags=["tables"], responses=REFUSED)
orders = APIRouter(prefix="/api", tags=["tables"], responses=REFUSED, route_class=OrderRoute)


def moved(table: Table, held: frozenset[int]) -> Response:
    """The answer to a move. What we made ourselves is not checked again: this is what a server does most."""
    return Response(table_json.moved(table, held), media_type="application/json")


@orders.post(
    "/tables/{table_id}/moves",
    operation_id="make_move",
    openapi_extra=SECURED,
    response_model=schemas.Moved,
    responses=problems(401, 403, 404, 409, 413, 422),
    summary="Make a move",
)
async def make_move(request: Request, table_id: TableId, order: MoveOrder) -> Response:
    """A repeated request with the same `move_id` gets the same answer and makes no second move."""
    tables, key = service(request), key_of(request)
    table = await tables.move(table_id, key, version=order.version, move=order.move, move_id=order.move_id)
    return moved(table, await tables.held(table_id, key))


@orders.post(
    "/tables/{table_id}/undo",
    operation_id="undo_moves",
    openapi_extra=SECURED,
    response_model=schemas.Moved,
    responses=problems(401, 403, 404, 409, 413, 422),
    summary="Undo moves of this turn",
)
async def undo_moves(request: Request, table_id: TableId, order: UndoOrder) -> Response:
    tables, key = service(request), key_of(request)
    table = await tables.undo(table_id, key, version=order.version, move_id=order.move_id, turn=order.turn)
    return moved(table, await tables.held(table_id, key))


@router.post(
    "/tables",
    status_code=201,
    operation_id="create_table",
    openapi_extra=SECURED,
    responses=problems(413, 422),
    summary="Create a table",
)
async def create_table(request: Request, new: NewTable, response: Response) -> schemas.Created:
    """Each human seat gets a secret token; whoever has it can play that seat. The seats of an account need none."""
    tables, key = service(request), key_of(request)
    table, tokens = await tables.create(new, key if isinstance(key, Holder) else None)
    response.headers["Location"] = f"/api/tables/{table.id}"
    held = await tables.held(table.id, key) if isinstance(key, Holder) else frozenset(tokens)
    return schemas.created(table, tokens, held, tables.now())


@router.get("/tables", operation_id="list_tables", summary="List the public tables to join or watch")
async def list_tables(request: Request) -> schemas.Lists:
    tables = service(request)
    return schemas.Lists(
        open=[schemas.summary(table) for table in await tables.open_tables()],
        live=[schemas.summary(table) for table in await tables.live_tables()],
    )


@router.get(
    "/me",
    operation_id="get_me",
    dependencies=[Depends(described)],
    responses=problems(401),
    summary="Get the account of the token and its tables",
)
async def get_me(request: Request) -> schemas.Me:
    """For programs that play for an account: `your_turn` says where to move."""
    tables, key = service(request), account_of(request)
    people: People = request.app.state.people
    account = await people.accounts.get(key.account or "")
    if account is None:
        raise NotSignedIn
    return schemas.me(account, await tables.tables_of(key))


@router.get("/leaderboard", operation_id="get_leaderboard", summary="List the accounts with the highest ratings")
async def get_leaderboard(request: Request) -> schemas.Leaders:
    people: People = request.app.state.people
    return schemas.Leaders(leaders=[schemas.leader(leader) for leader in await people.ratings.leaders()])


@router.get("/bots", operation_id="list_bots", summary="List the bots that can take a seat")
def list_bots() -> schemas.Bots:
    return schemas.Bots(
        bots=[schemas.BotAnswer(name=listing.name, text=listing.text, source=listing.source) for listing in listings()]
    )


@router.get(
    "/tables/{table_id}",
    operation_id="get_table",
    openapi_extra=SECURED,
    responses=problems(404, 422),
    summary="Get the current state of a table",
)
async def get_table(request: Request, table_id: TableId) -> schemas.State:
    """`legal` lists moves only if the token belongs to the seat to move."""
    tables, key = service(request), key_of(request)
    cached = await tables.cached(table_id)
    return schemas.state(cached.table, cached.held(key), tables.now())


@router.get(
    "/tables/{table_id}/preview",
    operation_id="preview_move",
    responses=problems(404, 422),
    summary="Preview a move",
)
async def preview_move(
    request: Request, table_id: TableId, move: Annotated[str, Query(max_length=200, description="a move in notation")]
) -> schemas.PreviewAnswer:
    tables = service(request)
    table = await tables.get(table_id)
    return schemas.preview(await tables.preview(table_id, move), table.game)


@router.get(
    "/tables/{table_id}/record",
    operation_id="get_record",
    response_class=PlainTextResponse,
    responses=plain_problems(404, 422),
    summary="Get the record of the game",
)
async def get_record(request: Request, table_id: TableId) -> PlainTextResponse:
    tables = service(request)
    table = await tables.get(table_id)
    return PlainTextResponse(
        table.game.to_text(), headers={"Content-Disposition": f'inline; filename="{table.id}.franchise"'}
    )


@router.get(
    "/tables/{table_id}/events",
    operation_id="follow_table",
    response_class=EventStream,
    responses={200: {"description": HAPPENING}, **plain_problems(404, 422, 429)},
    summary="Follow a table",
)
async def follow_table(
    request: Request,
    table_id: TableId,
    after: Annotated[int | None, Query(ge=0, le=LATEST, description="send every version after this one")] = None,
    hidden: Annotated[bool, Query(description="the page is in the background, so turn notifications are sent")] = False,
    reseated: Annotated[int | None, Query(ge=0, le=LATEST, include_in_schema=False)] = None,  # as a page knows it
    last_event_id: Annotated[
        str | None, Header(max_length=20, description="the same as after; browsers send it when they reconnect")
    ] = None,
) -> EventStream:
    """Without `after` or `Last-Event-ID`, the stream begins with the next change. Seats, chat, clocks and rematches are
    named events without an id."""
    tables = service(request)
    await tables.get(table_id)
    if last_event_id is not None and last_event_id.isdecimal():
        after = int(last_event_id)
    broadcast: Broadcast = request.app.state.broadcast
    people: People = request.app.state.people
    limits: Limits = request.app.state.limits
    limits.check_stream(address_of(request), table_id)
    somebody = signed_in(request)
    holders = await seated_as(request, table_id)

    async def follow(write: Write) -> None:
        async with AsyncExitStack() as stack:
            try:
                stack.enter_context(limits.stream(address_of(request), table_id))
            except TooMany:  # many came at the same moment
                return
            if somebody is not None and not hidden:
                await stack.enter_async_context(people.notices.attended(somebody.account, table_id))
            if not hidden and holders:
                presence: Presence = request.app.state.presence
                seen = partial(tables.bus.publish, Notice(table_id, "seats"))  # the others see who is here
                await stack.enter_async_context(presence.attended(holders, seen))
            await broadcast.follow(table_id, after, write, reseated)

    return EventStream(follow)


@router.post(
    "/tables/{table_id}/seats/{seat}",
    operation_id="take_seat",
    openapi_extra=SECURED,
    responses=problems(404, 409, 413, 422),
    summary="Take an open seat",
)
async def take_seat(
    request: Request, table_id: TableId, seat: SeatNumber, order: Annotated[SitOrder | None, Body()] = None
) -> schemas.Seated:
    """The answer contains the token of the seat; with the token of an account, the seat belongs to it and has none."""
    tables, key = service(request), key_of(request)
    name = order.name if order is not None else None
    if isinstance(key, Holder):
        table = await tables.sit(table_id, seat, name or key.name, key)
        held = await tables.held(table_id, key)
        return schemas.seated(table, held, tables.now(), seat if seat in held else min(held), None)
    secret = new_key()
    table = await tables.sit(table_id, seat, name, secret)
    [seat] = held = await tables.held(table_id, secret)
    return schemas.seated(table, held, tables.now(), seat, secret)


@router.delete(
    "/tables/{table_id}/seats/{seat}",
    operation_id="leave_seat",
    openapi_extra=SECURED,
    responses=problems(401, 403, 404, 422),
    summary="Give up a seat before its first move",
)
async def leave_seat(request: Request, table_id: TableId, seat: SeatNumber) -> schemas.State:
    tables, key = service(request), key_of(request)
    table = await hosting(request).leave(table_id, seat, key)
    return schemas.state(table, await tables.held(table_id, key), tables.now())


@router.post(
    "/tables/{table_id}/back",
    operation_id="come_back",
    openapi_extra=SECURED,
    responses=problems(401, 403, 404, 422),
    summary="Resume playing after running out of time",
)
async def come_back(request: Request, table_id: TableId) -> schemas.State:
    tables, key = service(request), key_of(request)
    table = await tables.back(table_id, key)
    return schemas.state(table, await tables.held(table_id, key), tables.now())


@router.post(
    "/tables/{table_id}/rematch",
    operation_id="start_rematch",
    openapi_extra=SECURED,
    responses=problems(401, 403, 404, 409, 422),
    summary="Offer or accept a rematch",
)
async def start_rematch(request: Request, table_id: TableId) -> schemas.State:
    """It begins when everybody has accepted. The tokens of this table are also those of the new one."""
    tables, key = service(request), key_of(request)
    table = await hosting(request).rematch(table_id, key)
    return schemas.state(table, await tables.held(table.id, key), tables.now())


@router.get(
    "/tables/{table_id}/chat", operation_id="get_chat", responses=problems(404, 422), summary="List the chat messages"
)
async def get_chat(request: Request, table_id: TableId) -> schemas.Messages:
    tables = service(request)
    table = await tables.get(table_id)
    return schemas.Messages(messages=[schemas.message(said, table) for said in await tables.messages(table_id)])


@router.post(
    "/tables/{table_id}/chat",
    status_code=201,
    operation_id="say",
    openapi_extra=SECURED,
    responses=problems(401, 403, 404, 413, 422),
    summary="Send a chat message",
)
async def say(request: Request, table_id: TableId, saying: Saying) -> schemas.MessageAnswer:
    tables, key = service(request), key_of(request)
    said = await tables.say(table_id, key, saying.text)
    return schemas.message(said, await tables.get(table_id))
