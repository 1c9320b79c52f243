"""Connections to a database; its errors are raised as Unavailable."""

import asyncio
import logging
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from typing import Protocol

from sqlalchemy import exc
from sqlalchemy.ext.asyncio import AsyncConnection

from franchise.server.tables.errors import NotRead, NotWritten, Unavailable

SAID_S = 10.0  # between two lines in the log about the same
RETURN_S = 5.0  # for tasks that were cancelled to give back their connections
OUR_FAULT = (exc.IntegrityError, exc.ProgrammingError, exc.DataError)  # not the database's
log = logging.getLogger(__name__)


class Troubles:
    """Errors of the database: counted and logged, but not every time."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.lines: dict[str, tuple[float, int]] = {}  # of each line: when it was said last, and how often it was not

    def note(self, what: str, error: BaseException) -> None:
        """Note a database error."""
        self.counts[what] += 1
        line = f"{what}: {error_line(error)}"
        now = time.monotonic()
        when, left_out = self.lines.get(line, (-SAID_S, 0))
        if now - when < SAID_S:
            self.lines[line] = when, left_out + 1
            return
        self.lines = {key: value for key, value in self.lines.items() if now - value[0] < SAID_S} | {line: (now, 0)}
        log.warning("%s%s", line, f" (and {left_out} times more)" if left_out else "")


TROUBLES = Troubles()  # of this process


class Connections(Protocol):
    """Where connections come from; an SQLAlchemy engine is one."""

    def begin(self) -> AbstractAsyncContextManager[AsyncConnection]:
        """A connection in a transaction, committed at the end."""
        ...

    def connect(self) -> AbstractAsyncContextManager[AsyncConnection]: ...


class ReportingConnections:
    """Connections whose errors are raised as NotWritten and NotRead."""

    def __init__(self, connections: Connections) -> None:
        self.connections = connections
        self.used = 0
        self.unused = asyncio.Event()
        self.unused.set()

    @asynccontextmanager
    async def begin(self) -> AsyncIterator[AsyncConnection]:
        with raised_as(NotWritten), self._in_use():
            async with self.connections.begin() as connection:
                yield connection

    @asynccontextmanager
    async def connect(self) -> AsyncIterator[AsyncConnection]:
        with raised_as(NotRead), self._in_use():
            async with self.connections.connect() as connection:
                yield connection

    @contextmanager
    def _in_use(self) -> Iterator[None]:
        self.used += 1
        self.unused.clear()
        try:
            yield
        finally:
            self.used -= 1
            if not self.used:
                self.unused.set()


async def returned(*connections: ReportingConnections) -> None:
    """Wait until nobody uses connections that are to be closed: a task that was cancelled may still give one back."""
    try:
        async with asyncio.timeout(RETURN_S):
            for each in connections:
                await each.unused.wait()
    except TimeoutError:
        log.warning("connections to the database are closed while they are in use")


@contextmanager
def raised_as(kind: type[Unavailable]) -> Iterator[None]:
    """Convert a database error to a general one; the log has the details."""
    try:
        yield
    except (exc.DBAPIError, exc.TimeoutError) as error:
        if isinstance(error, OUR_FAULT):
            raise
        TROUBLES.note(kind.code, error)
        raise kind from error


def error_line(error: BaseException) -> str:
    """A database error in one line."""
    if isinstance(error, exc.TimeoutError):
        return "all connections are in use; FRANCHISE_DATABASE_CONNECTIONS says how many there are"
    reason = error.orig if isinstance(error, exc.DBAPIError) and error.orig is not None else error
    return " ".join(str(reason).split())


class Database(Protocol):
    """A database: connections that read and connections that write."""

    @property
    def writer(self) -> Connections: ...

    @property
    def reader(self) -> Connections: ...
