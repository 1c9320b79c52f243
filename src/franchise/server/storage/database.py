"""Connections to a database, for whoever keeps something there; what it refuses is told as Unavailable."""

import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from typing import Protocol

from sqlalchemy import exc
from sqlalchemy.ext.asyncio import AsyncConnection

from franchise.server.tables.errors import NotRead, NotWritten, Unavailable

OUR_FAULT = (exc.IntegrityError, exc.ProgrammingError, exc.DataError)  # not the database's
log = logging.getLogger(__name__)


class Connections(Protocol):
    """Where connections come from; an SQLAlchemy engine is one."""

    def begin(self) -> AbstractAsyncContextManager[AsyncConnection]:
        """A connection in a transaction, committed at the end."""
        ...

    def connect(self) -> AbstractAsyncContextManager[AsyncConnection]: ...


class ReportingConnections:
    """Connections whose troubles are told as NotWritten and NotRead."""

    def __init__(self, connections: Connections) -> None:
        self.connections = connections

    @asynccontextmanager
    async def begin(self) -> AsyncIterator[AsyncConnection]:
        with told(NotWritten):
            async with self.connections.begin() as connection:
                yield connection

    @asynccontextmanager
    async def connect(self) -> AsyncIterator[AsyncConnection]:
        with told(NotRead):
            async with self.connections.connect() as connection:
                yield connection


@contextmanager
def told(kind: type[Unavailable]) -> Iterator[None]:
    """Say in general what a database could not do; the log has the particulars."""
    try:
        yield
    except (exc.DBAPIError, exc.TimeoutError) as error:
        if isinstance(error, OUR_FAULT):
            raise
        log.warning("%s: %s", kind.code, said(error))
        raise kind from error


def said(error: BaseException) -> str:
    """What a database said, in one line."""
    reason = error.orig if isinstance(error, exc.DBAPIError) and error.orig is not None else error
    return " ".join(str(reason).split())


class Database(Protocol):
    """A database: connections that read and connections that write."""

    @property
    def writer(self) -> Connections: ...

    @property
    def reader(self) -> Connections: ...
