"""Server-sent events: bytes as they come."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from franchise.server.errors import Unavailable

DIRECT = "franchise.direct"  # in a scope: a way to send, past those who only look at how an answer begins
HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


class Stream(Response):
    """Bytes as they come, until there are no more or the client has gone."""

    media_type = "text/event-stream"

    def __init__(self, source: AsyncGenerator[bytes, None], status_code: int = 200) -> None:
        super().__init__(status_code=status_code, headers=HEADERS)
        del self.headers["content-length"]
        self.source = source

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        sending = asyncio.ensure_future(self.pump(send, scope.get(DIRECT, send)))
        going = asyncio.ensure_future(gone(receive))
        try:
            await asyncio.wait([sending, going], return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (sending, going):
                task.cancel()
            await asyncio.gather(sending, going, return_exceptions=True)
        if not sending.cancelled() and (error := sending.exception()) is not None:
            raise error

    async def pump(self, send: Send, direct: Send) -> None:
        with suppress(Unavailable):  # it ends here, and is resumed by whoever follows
            async with aclosing(self.source) as source:
                async for chunk in source:
                    await send({"type": "http.response.body", "body": chunk, "more_body": True})
                    send = direct
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def gone(receive: Receive) -> None:
    """Wait until the client has gone."""
    while (await receive())["type"] != "http.disconnect":
        pass
