"""The tables that wait and those that can be watched: a part of the start page that follows what happens."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from franchise.server.live.lobby import Lobby
from franchise.server.live.sse import EventStream
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
    return EventStream(found.follow)
