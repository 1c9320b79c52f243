"""Server-sent events: an answer whose bytes are sent as they are produced."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Generator
from contextlib import suppress
from types import coroutine
from typing import Any

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from franchise.server.tables.errors import Unavailable

HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}

Write = Callable[[bytes], Coroutine[Any, Any, None]]  # sends bytes to one client; waits while that takes no more


class EventStream(Response):
    """Streams the bytes of a source until it ends or the client disconnects."""

    media_type = "text/event-stream"

    def __init__(self, source: Callable[[Write], Awaitable[None]], status_code: int = 200) -> None:
        super().__init__(status_code=status_code, headers=HEADERS)
        del self.headers["content-length"]
        self.source = source

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        sending = asyncio.ensure_future(self.pump(send))
        going = asyncio.ensure_future(gone(receive))
        try:
            await asyncio.wait([sending, going], return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (sending, going):
                task.cancel()
            await asyncio.gather(sending, going, return_exceptions=True)
        if not sending.cancelled() and (error := sending.exception()) is not None:
            raise error

    async def pump(self, send: Send) -> None:
        def write(data: bytes) -> Coroutine[Any, Any, None]:
            return send({"type": "http.response.body", "body": data, "more_body": True})  # type: ignore[return-value]

        with suppress(Unavailable):  # it ends here, and is resumed by whoever follows
            await self.source(write)
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def gone(receive: Receive) -> None:
    """Wait until the client disconnects."""
    while (await receive())["type"] != "http.disconnect":
        pass


def started(sending: Coroutine[Any, Any, None]) -> "asyncio.Future[None] | None":
    """Run a coroutine as far as it comes without waiting; None if that was all of it, else the rest as a task."""
    try:
        waits_for = sending.send(None)
    except StopIteration:
        return None
    return asyncio.ensure_future(rest(sending, waits_for))


@coroutine
def rest(sending: Coroutine[Any, Any, None], waits_for: Any) -> Generator[Any, Any, None]:
    """The rest of a coroutine that waits for something."""
    yield waits_for
    yield from sending.__await__()
