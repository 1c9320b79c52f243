"""Server-sent events: what happens at a table, as bytes that all who follow it share."""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from franchise.server import answers
from franchise.server.bus import Subscription
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
            return b"event: %s\ndata: %s\n\n" % (update.kind.encode(), data(update))
        key = (update.table.id, update.version, update.table.game.names)
        found = self.kept.get(key)
        if found is None:
            found = self.kept[key] = b"id: %d\ndata: %s\n\n" % (update.version, data(update))
            if len(self.kept) > ENCODED:
                self.kept.popitem(last=False)
        return found


ENCODER = Encoded()


def data(update: Update) -> bytes:
    return answers.happening(update).model_dump_json().encode()


class Stream(Response):
    """The updates of a table, until the client goes or the server stops."""

    media_type = "text/event-stream"
    charset = "utf-8"

    def __init__(self, tables: Tables, table_id: str, after: int | None, status_code: int = 200) -> None:
        super().__init__(status_code=status_code, headers=HEADERS)
        del self.headers["content-length"]
        self.tables = tables
        self.table_id = table_id
        self.after = after

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        await send({"type": "http.response.body", "body": FIRST, "more_body": True})
        with self.tables.bus.subscribe(self.table_id) as news:
            watching = asyncio.get_running_loop().create_task(gone(receive, news))
            try:
                async with aclosing(self.chunks(news)) as chunks:
                    async for chunk in chunks:
                        await send({"type": "http.response.body", "body": chunk, "more_body": True})
            finally:
                watching.cancel()
        with suppress(OSError):
            await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def chunks(self, news: Subscription) -> AsyncGenerator[bytes, None]:
        async for updates in self.tables.happenings(self.table_id, news, self.after):
            yield b"".join(map(ENCODER.event, updates)) or QUIET


async def gone(receive: Receive, news: Subscription) -> None:
    """End the subscription of a client that has gone."""
    while (await receive())["type"] != "http.disconnect":
        pass
    news.close()
