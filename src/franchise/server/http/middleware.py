"""The middleware of every request: `ResponseHeaders` times it, `RequestDeadline` limits how long it may wait for the
database, and `Admission` refuses what should not reach the application. Starlette's compresses the answers.
"""

import asyncio
import re
import time
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress

from starlette.datastructures import Headers
from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from franchise.server.people.sessions import COOKIE, PREFIX, bearer
from franchise.server.tables.errors import (
    CrossOrigin,
    Malformed,
    NotRead,
    NotWritten,
    TableError,
    TooLong,
    TooMany,
    TooSlow,
)

BODY_LIMIT = 64 * 1024  # bytes
RECORD_LIMIT = 256 * 1024  # bytes where a record can be sent
PATH_LIMIT = 1000  # characters: links in letters are the longest
QUERY_LIMIT = 8 * 1024  # bytes
BODY_S = 20.0  # within which a body arrives
ANSWER_S = 15.0  # within which an answer begins
CONTROL = re.compile(r"[\x00-\x1f\x7f]")
ESCAPED_NUL = re.compile(rb"(?<!\\)(?:\\\\)*\\u0000")  # of JSON; a backslash may itself be escaped
CHARSET = re.compile(r"charset=\"?([^\s;\"]*)", re.IGNORECASE)
CHARSETS = ("utf-8", "utf8", "us-ascii", "iso-8859-1", "latin-1")
PROBES = ("/healthz", "/readyz", "/metrics")  # asked by machines that know the server by its address
TEMPORARY_REDIRECT = 307  # Starlette's, to the path without or with a slash at its end
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


class ResponseHeaders:
    """Times every request, answers HEAD as GET without a body, and adds the security headers.

    `secure`: people connect over TLS, whatever the server sees.
    """

    def __init__(self, app: ASGIApp, secure: bool = False) -> None:
        self.app = app
        self.secure = secure

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began = time.perf_counter()
        head = scope["method"] == "HEAD"
        if head:
            scope = {**scope, "method": "GET"}

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                scope["app"].state.metrics.request(scope, message["status"], time.perf_counter() - began)
                self.add_headers(scope, message)
                if head:
                    await send(message)
                    await send({"type": "http.response.body", "body": b"", "more_body": False})
                    raise HeadAnswered  # what streams would never come to an end
            await send(message)

        with suppress(HeadAnswered):
            await self.app(scope, receive, sending)

    def add_headers(self, scope: Scope, message: Message) -> None:
        """The security headers that the answer does not have already."""
        if message["status"] == TEMPORARY_REDIRECT:
            message["headers"] = [(name, within(name, value)) for name, value in message["headers"]]
        given = {name.lower() for name, _ in message["headers"]}
        wanted = API_HEADERS if scope["path"].startswith("/api/") else PAGE_HEADERS
        if self.secure or scope["scheme"] == "https":
            wanted = [*wanted, *TLS_HEADERS]
        message["headers"] = [*message["headers"], *(pair for pair in wanted if pair[0] not in given)]


class HeadAnswered(Exception):  # noqa: N818 - nothing is wrong
    """A HEAD request has its answer."""


def within(name: bytes, value: bytes) -> bytes:
    """A header; a redirect stays at the host it was asked for, whatever the request called it."""
    if name.lower() != b"location" or not value.startswith((b"http://", b"https://")):
        return value
    return b"/" + value.split(b"/", 3)[3].lstrip(b"/")


class RequestDeadline:
    """Answers with 503 if the application has not started to answer in time, because the database hangs.

    The time of a request begins after `before`: a server that is still loading its pages lets people wait for them.
    """

    def __init__(self, app: ASGIApp, before: Callable[[Scope], Awaitable[None]] | None = None) -> None:
        self.app = app
        self.before = before

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        if self.before is not None:
            await self.before(scope)
        loop, asked = asyncio.get_running_loop(), asyncio.current_task()
        assert asked is not None
        late: asyncio.Task[None] | None = None
        begun = False

        def give_up() -> None:
            nonlocal late
            error = NotRead() if scope["method"] in SAFE else NotWritten()
            late = loop.create_task(refused(Request(scope), error)(scope, receive, send))
            asked.cancel()  # the answer does not wait for it: drivers ask the database to stop, and wait for that

        timer = loop.call_later(ANSWER_S, give_up)

        async def receiving() -> Message:
            nonlocal timer
            timer.cancel()  # bodies have a time of their own
            message = await receive()
            if not begun:
                timer = loop.call_later(ANSWER_S, give_up)
            return message

        async def sending(message: Message) -> None:
            nonlocal begun
            if late is None:
                begun = True
                timer.cancel()
                await send(message)

        try:
            await self.app(scope, receiving, sending)
        except asyncio.CancelledError:
            if late is None:
                raise
            asked.uncancel()
        finally:
            timer.cancel()
            if late is not None:
                await late


class Admission:
    """Refuses what other sites' pages send, what is too long, too slow and too much, and what no text holds; notes who
    a request comes from.

    `scope["signed_in"]` is who has the session of the cookie, `scope["program"]` the account of the token.
    """

    def __init__(self, app: ASGIApp, records: Iterable[str] = (), hosts: Iterable[str] = ()) -> None:
        self.app = app
        self.records = frozenset(records)  # paths that take a record
        self.hosts = frozenset(hosts)  # by which the server may be called; none: any

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        try:
            check_address(scope)
            if self.hosts and scope["path"] not in PROBES and host_of(headers) not in self.hosts:
                raise Malformed("This host name is not the server's.")
            if scope["method"] not in SAFE and foreign(headers):
                raise CrossOrigin
            limit = RECORD_LIMIT if scope["path"] in self.records else BODY_LIMIT
            length = headers.get("content-length", "")
            if length.isdecimal() and int(length) > limit:
                raise TooLong(limit)
            if not scope["path"].startswith("/static/"):
                await recognise(scope, headers)
                state = scope["app"].state
                state.limits.request(HTTPConnection(scope), state.tables.cache.kept.__contains__)
            if scope["method"] not in SAFE or length:
                receive = replayed(await read_body(receive, limit, headers), receive)
        except (CrossOrigin, TooLong, Malformed, TooSlow) as error:  # our own pages never send that
            if isinstance(error, TooSlow):
                scope["app"].state.limits.note("slow bodies")
            await as_json(error)(scope, receive, send)
            return
        except (TooMany, NotRead) as error:
            await refused(Request(scope), error)(scope, receive, send)
            return
        await self.app(scope, receive, send)


def check_address(scope: Scope) -> None:
    """Raise Malformed if path or query are too long or contain control characters."""
    if len(scope["path"]) > PATH_LIMIT or len(scope["query_string"]) > QUERY_LIMIT:
        raise Malformed("The address is too long.")
    if CONTROL.search(scope["path"]) or b"%00" in scope["query_string"]:
        raise Malformed("The address contains control characters.")


def host_of(headers: Headers) -> str:
    """What a request calls the server, without the port."""
    host = headers.get("host", "").casefold()
    return host.partition("]")[0].removeprefix("[") if host.startswith("[") else host.partition(":")[0]


async def read_body(receive: Receive, limit: int, headers: Headers) -> Message:
    """The whole body in one message; TooLong, TooSlow, or Malformed if it contains control characters."""
    try:
        async with asyncio.timeout(BODY_S):
            message = await receive()
            if message.get("more_body"):
                message = await read_on(receive, message, limit)
    except TimeoutError:
        raise TooSlow(BODY_S) from None
    body = message.get("body", b"")
    if len(body) > limit:
        raise TooLong(limit)
    kind = headers.get("content-type", "")
    if b"\0" in body or (b"%00" in body if "urlencoded" in kind else b"\\u0000" in body and ESCAPED_NUL.search(body)):
        raise Malformed("The request contains control characters.")
    if kind.startswith("multipart/") and (charset := CHARSET.search(kind)) and charset[1].casefold() not in CHARSETS:
        raise Malformed("Send text as UTF-8.")
    return message


async def read_on(receive: Receive, message: Message, limit: int) -> Message:
    """A message with the rest of the body."""
    parts, size = [message.get("body", b"")], len(message.get("body", b""))
    while message.get("more_body") and size <= limit:
        message = await receive()
        parts.append(message.get("body", b""))
        size += len(parts[-1])
    if message["type"] == "http.disconnect":
        return message
    return {"type": "http.request", "body": b"".join(parts), "more_body": False}


def replayed(message: Message, receive: Receive) -> Receive:
    """Receive a message again, and then whatever comes."""
    waiting = [message]

    async def receiving() -> Message:
        return waiting.pop() if waiting else await receive()

    return receiving


async def recognise(scope: Scope, headers: Headers) -> None:
    """Identify who a request comes from; NotRead."""
    sessions = scope["app"].state.people.sessions
    if "cookie" in headers:
        secret = HTTPConnection(scope).cookies.get(COOKIE)
        if secret:
            scope["signed_in"] = await sessions.find(secret)
    if "authorization" in headers:
        token = bearer(HTTPConnection(scope))
        if token is not None and token.startswith(PREFIX):
            scope["program"] = await sessions.find_token(token)


def foreign(headers: Headers) -> bool:
    """Whether a browser says that another site's page sends this."""
    if headers.get("authorization", "").casefold().startswith("bearer "):  # other schemes a browser sends by itself
        return False
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site not in ("same-origin", "none")
    origin = headers.get("origin")
    return origin is not None and origin.partition("://")[2] != headers.get("host", "")


def as_json(error: TableError) -> Response:
    return JSONResponse({"error": error.code, "detail": str(error)}, error.status)


def refused(request: Request, error: TableError) -> Response:
    """A refusal before the application is reached: as JSON for programs, as a page for browsers."""
    show = getattr(request.app.state, "refusal_page", None)
    if show is not None and not request.url.path.startswith("/api/"):
        answer: Response = show(request, error)
    else:
        answer = as_json(error)
    if error.seconds is not None:
        answer.headers["Retry-After"] = str(error.seconds)
    return answer
