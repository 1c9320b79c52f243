"""The connections of clients. They are closed if headers arrive too slowly, for which uvicorn would wait for ever; an
answer leaves in one piece.
"""

import asyncio
from typing import Any

from franchise.server.http.limits import Limits

HEADERS_S = 10.0  # within which a request has sent its headers
HEADERS_LIMIT = 64 * 1024  # bytes of them
HEAD = b"HTTP/1.1 "  # how an answer begins
CONTINUE = b"HTTP/1.1 100 "  # asks the client to go on, and has no body


def protocol_of(limits: Limits) -> type[asyncio.Protocol]:
    """uvicorn's fastest installed HTTP protocol, with a deadline for headers."""
    base: Any
    try:
        from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol as base  # noqa: N813
    except ImportError:
        from uvicorn.protocols.http.h11_impl import H11Protocol as base  # noqa: N813

    class HeaderDeadline(base):  # type: ignore[misc]
        """Closes a connection whose request headers do not arrive in time; a lost one ends what is being answered."""

        deadline: asyncio.TimerHandle | None = None
        pending = 0  # bytes of headers so far
        answering: Any = None  # the request that is being answered; `cycle` is the last one that came

        def connection_made(self, transport: asyncio.Transport) -> None:
            super().connection_made(JoinedWrites(transport, self.loop))
            self.deadline = self.loop.call_later(HEADERS_S, self.give_up)

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            if self.cycle is not None and not self.cycle.response_complete:  # a request is under way
                self.come_to_the_point()
                return
            self.pending += len(data)
            if self.pending > HEADERS_LIMIT:
                self.give_up()
            elif self.deadline is None:
                self.deadline = self.loop.call_later(HEADERS_S, self.give_up)

        def come_to_the_point(self) -> None:
            self.pending = 0
            if self.deadline is not None:
                self.deadline.cancel()
                self.deadline = None

        def give_up(self) -> None:
            limits.note("slow or long headers")
            self.transport.close()

        def _start_asgi_task(self, cycle: Any, app: Any) -> None:
            self.answering = cycle
            super()._start_asgi_task(cycle, app)

        def connection_lost(self, error: Exception | None) -> None:
            self.come_to_the_point()
            super().connection_lost(error)
            if self.answering is not None and not self.answering.response_complete:
                self.answering.disconnected = True  # uvicorn tells only the last request, which may wait for this one
                self.answering.message_event.set()

    return HeaderDeadline


class JoinedWrites:
    """uvicorn writes the head and the body of an answer one after the other; here the head waits for the body.

    It waits at most until the event loop comes round again: the body of a stream may begin much later.
    """

    __slots__ = ("head", "loop", "transport")

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self.transport = transport
        self.loop = loop
        self.head = b""

    def __getattr__(self, name: str) -> Any:
        return getattr(self.transport, name)

    def write(self, data: bytes) -> None:
        if self.head:
            data, self.head = self.head + data, b""
        elif data.startswith(HEAD) and not data.startswith(CONTINUE):
            self.head = data
            self.loop.call_soon(self.flush)
            return
        self.transport.write(data)

    def flush(self) -> None:
        """Send a head that has waited long enough."""
        if self.head:
            head, self.head = self.head, b""
            self.transport.write(head)

    def close(self) -> None:
        self.flush()
        self.transport.close()
