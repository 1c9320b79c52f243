"""Who a request comes from."""

from starlette.requests import HTTPConnection, Request
from starlette.types import ASGIApp, Receive, Scope, Send

from franchise.server.http.guard import refused
from franchise.server.people.sessions import COOKIE, PREFIX, bearer
from franchise.server.tables.errors import NotRead


class Recognise:
    """Notes for every request who it comes from: `scope["signed_in"]` by a session, `scope["program"]` by a token."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and not scope["path"].startswith("/static/"):
            names = {name for name, _ in scope["headers"]}
            connection, sessions = HTTPConnection(scope), scope["app"].state.people.sessions
            secret = connection.cookies.get(COOKIE) if b"cookie" in names else None
            token = bearer(connection) if b"authorization" in names else None
            try:
                if secret:
                    scope["signed_in"] = await sessions.find(secret)
                if token is not None and token.startswith(PREFIX):
                    scope["program"] = await sessions.find_token(token)
            except NotRead as error:
                await refused(Request(scope), error)(scope, receive, send)
                return
        await self.app(scope, receive, send)
