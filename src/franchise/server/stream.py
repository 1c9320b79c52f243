"""Server-sent events: what happens at a table, as bytes that all who follow it share."""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from franchise.server import answers
from franchise.server.errors import Unavailable
from franchise.server.tables import Tables, Update

ENCODED = 1024  # events kept: some for each table that is being played at
QUIET = b": still here\n\n"
RETRY_MS = 1000  # after which a browser connects again
FIRST = f": following\nretry: {RETRY_MS}\n\n".encode()
HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


class Encoded:
    """The bytes of the latest events."""

    def __init__(self) -> None:
        self.kept: OrderedDict[tuple[object, ...], bytes] = OrderedDict()

    def event(self, update: Update) -> bytes:
        """An update as an event: with its version as id where it is one, else under its kind as name."""
        if update.change is None:
            return b"event: %s\ndata: %s\n\n" % (update.kind.encode(), answers.happening(update))
        key = (update.table.id, update.version, update.table.game.names)
        found = self.kept.get(key)
        if found is None:
            found = self.kept[key] = b"id: %d\ndata: %s\n\n" % (update.version, answers.happening(update))
            if len(self.kept) > ENCODED:
                self.kept.popitem(last=False)
        return found


ENCODER = Encoded()


async def happenings(tables: Tables, table_id: str, after: int | None) -> AsyncGenerator[bytes, None]:
    """The updates of a table as server-sent events, and a sign of life when there are none."""
    yield FIRST
    with tables.bus.subscribe(table_id) as news:
        async with aclosing(tables.happenings(table_id, news, after)) as happened:
            async for updates in happened:
                yield b"".join(map(ENCODER.event, updates)) or QUIET


class Stream(Response):
    """Bytes as they come, until there are no more or the client has gone."""

    media_type = "text/event-stream"

    def __init__(self, source: AsyncGenerator[bytes, None], status_code: int = 200) -> None:
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
        with suppress(Unavailable):  # it ends here, and is resumed by whoever follows
            async with aclosing(self.source) as source:
                async for chunk in source:
                    await send({"type": "http.response.body", "body": chunk, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def gone(receive: Receive) -> None:
    """Wait until the client has gone."""
    while (await receive())["type"] != "http.disconnect":
        pass
