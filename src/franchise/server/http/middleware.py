"""The middlewares of every request: `ResponseHeaders` times it, `RequestDeadline` limits how long it may wait for the
network and the database, and `Admission` refuses what should not reach the application.

What they put around `send` is a plain function where it can be: a message of a stream then passes without a coroutine
for each of them.
"""

import asyncio
import re
import time
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress

from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from franchise.server.http.compression import accepts_gzip, compressing
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
PATH_LIMIT = 1000  # characters: links in e-mails are the longest
QUERY_LIMIT = 8 * 1024  # bytes
BODY_S = 20.0  # within which a body arrives
ANSWER_S = 15.0  # within which an answer begins
CONTROL = re.compile(r"[\x00-\x1f\x7f]")
ESCAPED_NUL = re.compile(rb"(?<!\\)(?:\\\\)*\\u0000")  # of JSON; a backslash may itself be escaped
CHARSET = re.compile(rb"charset=\"?([^\s;\"]*)", re.IGNORECASE)
CHARSETS = (b"utf-8", b"utf8", b"us-ascii", b"iso-8859-1", b"latin-1")
PROBES = ("/healthz", "/readyz", "/metrics")  # asked by machines that know the server by its address
TEMPORARY_REDIRECT = 307  # Starlette's, to the path without or with a slash at its end
SAFE = ("GET", "HEAD", "OPTIONS")
FREQUENT = ("/move", "/moves", "/undo", "/scene")  # ends of the paths of moves, and of what a page loads after them
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
API_HEADERS = [*PAGE_HEADERS, (b"cache-control", b"no-store"), (b"vary", b"Accept-Encoding")]
TLS_HEADERS = [(b"strict-transport-security", b"max-age=31536000")]

RawHeaders = dict[bytes, bytes]  # of a request, by their names in lower case; the first of each name


class ResponseHeaders:
    """Times every request, answers HEAD as GET without a body, adds the security headers, compresses what is worth it,
    and answers an internal error with the application's handler.

    `secure`: people connect over TLS, whatever the server sees.
    """

    def __init__(self, app: ASGIApp, secure: bool = False) -> None:
        self.app = app
        self.secure = secure

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began, started = time.perf_counter(), False

        def sending(message: Message) -> Awaitable[None]:
            nonlocal started
            if not started:
                started = True
                scope["app"].state.metrics.request(scope, message["status"], time.perf_counter() - began)
                self.add_headers(scope, message)
            return send(message)

        answer: Send = sending
        if scope["method"] == "HEAD":
            scope, answer = {**scope, "method": "GET"}, without_body(sending)
        with suppress(HeadAnswered):
            try:
                await self.app(scope, receive, compressing(answer) if accepts_gzip(scope) else answer)
            except HeadAnswered:
                raise
            except Exception as error:
                if not started:
                    response = await scope["app"].exception_handlers[Exception](Request(scope), error)
                    await response(scope, receive, answer)
                raise  # for the log

    def add_headers(self, scope: Scope, message: Message) -> None:
        """The security headers that the answer does not have already."""
        headers = message["headers"]
        if message["status"] == TEMPORARY_REDIRECT:
            headers = [(name, within(name, value)) for name, value in headers]
        given = {name for name, _ in headers}
        wanted = API_HEADERS if scope["path"].startswith("/api/") else PAGE_HEADERS
        if self.secure or scope["scheme"] == "https":
            wanted = [*wanted, *TLS_HEADERS]
        message["headers"] = [*headers, *[pair for pair in wanted if pair[0] not in given]]


class HeadAnswered(Exception):  # noqa: N818 - nothing is wrong
    """A HEAD request has its answer."""


def without_body(send: Send) -> Send:
    """Send the beginning of an answer, and nothing more; HeadAnswered, as streams would never come to an end."""

    async def sending(message: Message) -> None:
        await send(message)
        await send({"type": "http.response.body", "body": b"", "more_body": False})
        raise HeadAnswered

    return sending


def within(name: bytes, value: bytes) -> bytes:
    """A header; a redirect stays at the host it was asked for, whatever the request called it."""
    if name.lower() != b"location" or not value.startswith((b"http://", b"https://")):
        return value
    return b"/" + value.split(b"/", 3)[3].lstrip(b"/")


class RequestDeadline:
    """Answers with 408 if the body of a request does not arrive in time, and with 503 if the application does not start
    to answer in time after that, because the database hangs.

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
        wait = Wait(scope, receive, send)
        try:
            await self.app(scope, wait.receiving, wait.sending)
        except asyncio.CancelledError:
            if wait.late is None:
                raise
            wait.asked.uncancel()
        finally:
            wait.timer.cancel()
            if wait.late is not None:
                await wait.late


class Wait:
    """How long one request waits, for its body and then for the beginning of its answer: one timer serves both.

    An object, because functions that refer to each other would stay in memory until garbage is collected.
    """

    __slots__ = ("asked", "began", "begun", "late", "loop", "reading", "receive", "scope", "send", "timer", "until")

    def __init__(self, scope: Scope, receive: Receive, send: Send) -> None:
        asked = asyncio.current_task()
        assert asked is not None
        self.scope, self.receive, self.send = scope, receive, send
        self.asked = asked
        self.loop = asyncio.get_running_loop()
        self.late: asyncio.Task[None] | None = None  # the refusal, once the time is over
        self.begun = self.reading = False
        self.began = self.loop.time()
        self.until = self.began + ANSWER_S
        self.timer = self.loop.call_later(min(ANSWER_S, BODY_S), self.check)

    def check(self) -> None:
        """Give up if it is time to, else look again when it may be."""
        if self.loop.time() < self.until:
            self.timer = self.loop.call_at(self.until, self.check)
            return
        scope = self.scope
        if self.reading:
            scope["app"].state.limits.note("slow bodies")
        error = TooSlow(BODY_S) if self.reading else NotRead() if scope["method"] in SAFE else NotWritten()
        self.late = self.loop.create_task(refused(Request(scope), error)(scope, self.receive, self.send))
        self.asked.cancel()  # the answer does not wait for it: drivers ask the database to stop, and wait for that

    async def receiving(self) -> Message:
        if self.begun:
            return await self.receive()
        self.reading, self.until = True, self.began + BODY_S
        message = await self.receive()
        self.reading, self.until = False, self.loop.time() + ANSWER_S
        return message

    def sending(self, message: Message) -> Awaitable[None]:
        if self.late is not None:
            return nothing()
        if not self.begun:
            self.begun = True
            self.timer.cancel()
        return self.send(message)


async def nothing() -> None:
    """What is sent in place of an answer that comes too late."""


class Admission:
    """Refuses what other sites' pages send, what is too long and too much, and what no text holds; notes who a request
    comes from.

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
        headers: RawHeaders = dict(reversed(scope["headers"]))
        try:
            check_address(scope)
            if self.hosts and scope["path"] not in PROBES and host_of(headers) not in self.hosts:
                raise Malformed("This host name is not the server's.")
            if scope["method"] not in SAFE and foreign(headers):
                raise CrossOrigin
            limit = RECORD_LIMIT if scope["path"] in self.records else BODY_LIMIT
            length = headers.get(b"content-length", b"")
            if length.isdigit() and int(length) > limit:
                raise TooLong(limit)
            if not scope["path"].startswith("/static/"):
                await recognise(scope, headers)
                state = scope["app"].state
                state.limits.request(HTTPConnection(scope), state.tables.cache.kept.__contains__)
            if scope["method"] not in SAFE or length:
                receive = replayed(await read_body(receive, limit, headers), receive)
        except (CrossOrigin, TooLong, Malformed) as error:  # our own pages never send that
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


def host_of(headers: RawHeaders) -> str:
    """What a request calls the server, without the port."""
    host = headers.get(b"host", b"").decode("latin-1").casefold()
    return host.partition("]")[0].removeprefix("[") if host.startswith("[") else host.partition(":")[0]


async def read_body(receive: Receive, limit: int, headers: RawHeaders) -> Message:
    """The whole body in one message; TooLong, or Malformed if it contains control characters."""
    message = await receive()
    if message.get("more_body"):
        message = await read_on(receive, message, limit)
    body = message.get("body", b"")
    if len(body) > limit:
        raise TooLong(limit)
    kind = headers.get(b"content-type", b"")
    if b"\0" in body or (b"%00" in body if b"urlencoded" in kind else b"\\u0000" in body and ESCAPED_NUL.search(body)):
        raise Malformed("The request contains control characters.")
    if kind.startswith(b"multipart/") and (charset := CHARSET.search(kind)) and charset[1].lower() not in CHARSETS:
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


async def recognise(scope: Scope, headers: RawHeaders) -> None:
    """Identify who a request comes from; NotRead."""
    sessions, fresh = scope["app"].state.people.sessions, not scope["path"].endswith(FREQUENT)
    if COOKIE.encode() in headers.get(b"cookie", b""):
        secret = HTTPConnection(scope).cookies.get(COOKIE)
        if secret:
            scope["signed_in"] = await sessions.find(secret, fresh=fresh)
    if b"authorization" in headers:
        token = bearer(HTTPConnection(scope))
        if token is not None and token.startswith(PREFIX):
            scope["program"] = await sessions.find_token(token, fresh=fresh)


def foreign(headers: RawHeaders) -> bool:
    """Whether a browser says that another site's page sends this."""
    if headers.get(b"authorization", b"")[:7].lower() == b"bearer ":  # other schemes a browser sends by itself
        return False
    site = headers.get(b"sec-fetch-site")
    if site is not None:
        return site not in (b"same-origin", b"none")
    origin = headers.get(b"origin")
    return origin is not None and origin.partition(b"://")[2] != headers.get(b"host", b"")


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
