"""What stands before every request: headers that tell browsers to be careful, no forged requests, no huge ones."""

from collections.abc import Iterable
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from franchise.server.tables.errors import TableError

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


class CarefulHeaders:
    """Adds the security headers to every answer. `secure` where people come over TLS, whatever this server sees."""

    def __init__(self, app: ASGIApp, secure: bool = False) -> None:
        self.app = app
        self.secure = secure

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                given = {name.lower() for name, _ in message["headers"]}
                wanted = API_HEADERS if scope["path"].startswith("/api/") else PAGE_HEADERS
                wanted = [*wanted, *TLS_HEADERS] if self.secure or scope["scheme"] == "https" else wanted
                message["headers"] = [*message["headers"], *(pair for pair in wanted if pair[0] not in given)]
            await send(message)

        await self.app(scope, receive, sending if scope["type"] == "http" else send)


class SameOrigin:
    """Refuses what another site's page sends in a visitor's name. A token shows that the sender means it."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["method"] not in SAFE and foreign(Headers(scope=scope)):
            detail = "This request comes from a page of another site; send it from the table's own page."
            await JSONResponse({"error": "cross_origin", "detail": detail}, 403)(scope, receive, send)
            return
        await self.app(scope, receive, send)


def foreign(headers: Headers) -> bool:
    """Whether a browser says that another site's page sends this."""
    if headers.get("authorization", "").casefold().startswith("bearer "):  # other schemes a browser sends by itself
        return False
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site not in ("same-origin", "none")
    origin = headers.get("origin")
    return origin is not None and urlsplit(origin).netloc != headers.get("host", "")


class BodyLimit:
    """Refuses bodies that are too long, told by their length or while they arrive."""

    def __init__(self, app: ASGIApp, records: Iterable[str] = ()) -> None:
        self.app = app
        self.records = frozenset(records)  # paths that take a record

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        limit = RECORD_LIMIT if scope["path"] in self.records else BODY_LIMIT
        detail = f"This request is too long; send at most {limit // 1024} kB."
        length = next((value for name, value in scope["headers"] if name == b"content-length"), b"")
        if length.isdigit() and int(length) > limit:
            await JSONResponse({"error": "too_long", "detail": detail}, 413)(scope, receive, send)
            return
        arrived = 0

        async def receiving() -> Message:
            nonlocal arrived
            message = await receive()
            arrived += len(message.get("body", b""))
            if arrived > limit:
                raise HTTPException(413, detail)
            return message

        await self.app(scope, receiving, send)


def refused(request: Request, error: TableError) -> Response:
    """A refusal before the application is reached: as JSON for programs, as a page where the pages have one."""
    show = getattr(request.app.state, "refusal_page", None)
    if show is not None and not request.url.path.startswith("/api/"):
        answer: Response = show(request, error)
    else:
        answer = JSONResponse({"error": error.code, "detail": str(error)}, error.status)
    if error.seconds is not None:
        answer.headers["Retry-After"] = str(error.seconds)
    return answer
