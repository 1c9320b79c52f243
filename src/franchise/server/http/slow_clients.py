"""Closes connections that send their headers too slowly; uvicorn itself would wait for ever."""

import asyncio
from typing import Any

from franchise.server.http.limits import Limits

HEADERS_S = 10.0  # within which a request has sent its headers
HEADERS_LIMIT = 64 * 1024  # bytes of them


def protocol_of(limits: Limits) -> type[asyncio.Protocol]:
    """uvicorn's fastest installed HTTP protocol, with a deadline for headers."""
    base: Any
    try:
        from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol as base  # noqa: N813
    except ImportError:
        from uvicorn.protocols.http.h11_impl import H11Protocol as base  # noqa: N813

    class HeaderDeadline(base):  # type: ignore[misc]
        """Closes a connection whose request headers do not arrive in time."""

        deadline: asyncio.TimerHandle | None = None
        pending = 0  # bytes of headers so far

        def connection_made(self, transport: asyncio.Transport) -> None:
            super().connection_made(transport)
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

        def connection_lost(self, error: Exception | None) -> None:
            self.come_to_the_point()
            super().connection_lost(error)

    return HeaderDeadline
