"""What every request goes through: `Answers` on its way out, `Admission` on its way in."""

import time
from collections.abc import Iterable
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from franchise.server.people.sessions import COOKIE, PREFIX, bearer
from franchise.server.tables.errors import CrossOrigin, NotRead, TableError, TooLong, TooMany

BODY_LIMIT = 64 * 1024  # bytes
RECORD_LIMIT = 256 * 1024  # bytes where a record can be sent
SAFE = ("GET", "HEAD", "OPTIONS")
HEADERS = {
    "Content-Security-Policy": "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; "
    "form-action 'self'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
PAGE_HEADERS = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]
API_HEADERS = [*PAGE_HEADERS, (b"cache-control", b"no-store")]
TLS_HEADERS = [(b"strict-transport-security", b"max-age=31536000")]


class Answers:
    """Times every request, and adds the security headers. `secure` where people come over TLS, whatever we see."""

    def __init__(self, app: ASGIApp, secure: bool = False) -> None:
        self.app = app
        self.secure = secure

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began = time.perf_counter()

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                scope["app"].state.metrics.request(scope, message["status"], time.perf_counter() - began)
                self.add_headers(scope, message)
            await send(message)

        await self.app(scope, receive, sending)

    def add_headers(self, scope: Scope, message: Message) -> None:
        """Those that tell browsers to be careful, unless the answer has brought its own."""
        given = {name.lower() for name, _ in message["headers"]}
        wanted = API_HEADERS if scope["path"].startswith("/api/") else PAGE_HEADERS
        if self.secure or scope["scheme"] == "https":
            wanted = [*wanted, *TLS_HEADERS]
        message["headers"] = [*message["headers"], *(pair for pair in wanted if pair[0] not in given)]


class Admission:
    """Refuses what other sites' pages send, what is too long and what is too much; notes who a request comes from.

    `scope["signed_in"]` is who has the session of the cookie, `scope["program"]` the account of the token.
    """

    def __init__(self, app: ASGIApp, records: Iterable[str] = ()) -> None:
        self.app = app
        self.records = frozenset(records)  # paths that take a record

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        try:
            if scope["method"] not in SAFE and foreign(headers):
                raise CrossOrigin
            limit = RECORD_LIMIT if scope["path"] in self.records else BODY_LIMIT
            length = headers.get("content-length", "")
            if length.isdecimal() and int(length) > limit:
                raise TooLong(limit)
            if not scope["path"].startswith("/static/"):
                await recognise(scope, headers)
                scope["app"].state.limits.request(Request(scope))
        except (CrossOrigin, TooLong) as error:  # no page of ours sends that
            await as_json(error)(scope, receive, send)
            return
        except (TooMany, NotRead) as error:
            await refused(Request(scope), error)(scope, receive, send)
            return
        await self.app(scope, receive if length else limited(receive, limit), send)


async def recognise(scope: Scope, headers: Headers) -> None:
    """Note who a request comes from; NotRead."""
    sessions = scope["app"].state.people.sessions
    if "cookie" in headers:
        secret = HTTPConnection(scope).cookies.get(COOKIE)
        if secret:
            scope["signed_in"] = await sessions.find(secret)
    if "authorization" in headers:
        token = bearer(HTTPConnection(scope))
        if token is not None and token.startswith(PREFIX):
            scope["program"] = await sessions.find_token(token)


def limited(receive: Receive, limit: int) -> Receive:
    """Bodies that do not tell their length are counted while they arrive."""
    arrived = 0

    async def receiving() -> Message:
        nonlocal arrived
        message = await receive()
        arrived += len(message.get("body", b""))
        if arrived > limit:
            raise HTTPException(413, str(TooLong(limit)))
        return message

    return receiving


def foreign(headers: Headers) -> bool:
    """Whether a browser says that another site's page sends this."""
    if headers.get("authorization", "").casefold().startswith("bearer "):  # other schemes a browser sends by itself
        return False
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site not in ("same-origin", "none")
    origin = headers.get("origin")
    return origin is not None and urlsplit(origin).netloc != headers.get("host", "")


def as_json(error: TableError) -> Response:
    return JSONResponse({"error": error.code, "detail": str(error)}, error.status)


def refused(request: Request, error: TableError) -> Response:
    """A refusal before the application is reached: as JSON for programs, as a page where the pages have one."""
    show = getattr(request.app.state, "refusal_page", None)
    if show is not None and not request.url.path.startswith("/api/"):
        answer: Response = show(request, error)
    else:
        answer = as_json(error)
    if error.seconds is not None:
        answer.headers["Retry-After"] = str(error.seconds)
    return answer
