"""The tables to join and to watch: a part of the start page that is updated live."""

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
    """The current lists."""
    visitor = visitor_of(request)
    return page(visitor, "lists.html", **await lobby_values(request, visitor))


@router.get("/lobby/events")
async def follow(request: Request) -> EventStream:
    """Events: `tables` when a list has changed, `people` with the number of visitors."""
    found: Lobby = request.app.state.lobby
    limits: Limits = request.app.state.limits
    limits.check_stream(address_of(request), None)

    async def counted(write: Write) -> None:
        with suppress(TooMany), limits.stream(address_of(request), None):  # many may come at the same moment
            await found.follow(write)

    return EventStream(counted)
