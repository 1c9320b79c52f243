"""The short way for what a server does most: a move that a program can make is made at once.

Whatever is odd or refused changes nothing, so it is simply asked again on the usual way through FastAPI and everything
that stands before it, which words the refusal. That way also describes the route to the world; whatever is checked
there has to be checked here too: the limits, the length, the token of a seat. A token also shows that no other site's
page sends this; requests with cookies, as browsers send them, and with the token of an account go the usual way.
"""

import re

from fastapi.routing import APIRoute
from pydantic import ValidationError
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from franchise.game import IllegalAction
from franchise.server.http.guard import API_HEADERS, BODY_LIMIT, TLS_HEADERS, refused
from franchise.server.http.limits import COUNTED
from franchise.server.http.routes import ID_LIMIT, MoveOrder, make_move, router
from franchise.server.people.sessions import PREFIX
from franchise.server.tables import table_json
from franchise.server.tables.errors import TableError, Unavailable
from franchise.server.tables.service import Tables

MOVES = re.compile(rf"/api/tables/([^/]{{1,{ID_LIMIT}}})/moves")
BEARER = b"bearer "
ROUTE = next(route for route in router.routes if isinstance(route, APIRoute) and route.endpoint is make_move)
CONTENT = (b"content-type", b"application/json")


class Express:
    """Makes moves as `api.make_move` does, several times faster."""

    def __init__(self, app: ASGIApp, secure: bool = False) -> None:
        self.app = app
        self.secure = secure

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = MOVES.fullmatch(scope["path"]) if scope["type"] == "http" and scope["method"] == "POST" else None
        secret = secret_of(scope["headers"]) if path is not None else None
        if path is None or secret is None:
            await self.app(scope, receive, send)
            return
        messages: list[Message] = []
        try:
            request = Request(scope)
            request.app.state.limits.request(request)
            scope[COUNTED] = True
            while not messages or messages[-1].get("more_body"):
                messages.append(await receive())
            answer = await moved(request, path[1], secret, joined(messages))
        except Unavailable as error:  # not asked again: it may have taken long enough
            answered = refused(request, error)
            answered.raw_headers.extend(self.headers(scope))
            await answered(scope, receive, send)
        except (TableError, IllegalAction, ValidationError):
            await self.app(scope, again(messages, receive), send)
        else:
            scope["route"] = ROUTE
            headers = [(b"content-length", b"%d" % len(answer)), CONTENT, *self.headers(scope)]
            await send({"type": "http.response.start", "status": 200, "headers": headers})
            await send({"type": "http.response.body", "body": answer})

    def headers(self, scope: Scope) -> list[tuple[bytes, bytes]]:
        """Those that tell browsers to be careful."""
        return [*API_HEADERS, *TLS_HEADERS] if self.secure or scope["scheme"] == "https" else API_HEADERS


def secret_of(headers: list[tuple[bytes, bytes]]) -> str | None:
    """The token of a seat that came with a request of a program; None for any other, and for one that is too long."""
    found = dict(headers)
    length, given = found.get(b"content-length", b""), found.get(b"authorization", b"")
    if b"cookie" in found or not length.isdigit() or int(length) > BODY_LIMIT or given[:7].lower() != BEARER:
        return None
    secret = given[7:].decode("latin-1")
    return None if secret.startswith(PREFIX) else secret


async def moved(request: Request, table_id: str, key: str, body: bytes) -> bytes:
    """Make a move; the answer."""
    tables: Tables = request.app.state.tables
    order = MoveOrder.model_validate_json(body)
    table = await tables.move(table_id, key, version=order.version, move=order.move, move_id=order.move_id)
    return table_json.moved(table, (await tables.live(table_id, fresh=False)).held(key))


def joined(messages: list[Message]) -> bytes:
    return b"".join(message.get("body", b"") for message in messages)


def again(messages: list[Message], receive: Receive) -> Receive:
    """What was received, once more, and then what follows."""
    kept = iter(messages)

    async def receiving() -> Message:
        for message in kept:
            return message
        return await receive()

    return receiving
