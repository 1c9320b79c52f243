"""The tables that wait and those that can be watched: a part of the start page that follows what happens."""

from contextlib import suppress

from fastapi import APIRouter, Request
from starlette.responses import Response

from franchise.server.http.limits import Limits, address_of
from franchise.server.live.lobby import Lobby
from franchise.server.live.sse import EventStream, Write
from franchise.server.tables.errors import TooMany
from franchise.web.start_page import lobby_values
from franchise.web.templating import page
from franchise.web.visitor import visitor_of

router = APIRouter(include_in_schema=False)


@router.get("/lobby")
async def lobby(request: Request) -> Response:
    """The lists as they are now."""
    visitor = visitor_of(request)
    return page(visitor, "lists.html", **await lobby_values(request, visitor))


@router.get("/lobby/events")
async def follow(request: Request) -> EventStream:
    """`tables` when a list has changed, `people` with how many are here."""
    found: Lobby = request.app.state.lobby
    limits: Limits = request.app.state.limits
    limits.check_stream(address_of(request), None)

    async def counted(write: Write) -> None:
        with suppress(TooMany), limits.stream(address_of(request), None):  # many may come at the same moment
            await found.follow(write)

    return EventStream(counted)
