"""Servers, tables and whole sites over real databases, of each kind."""

from collections.abc import AsyncIterator, Callable, Iterator
from functools import partial
from typing import Any

import pytest

from franchise.server.storage.database import TROUBLES
from franchise.server.tables.service import Tables
from server.in_process_site import InProcessSite, running_site
from server.mail_server import MailServer
from server.running_servers import InProcessServer, ManualClock, ServerProcess, running_server, running_tables


@pytest.fixture(autouse=True)
def first_troubles(monkeypatch: pytest.MonkeyPatch) -> None:
    """The log has been told of nothing that the database could not do."""
    monkeypatch.setattr(TROUBLES, "lines", {})


# --- in the event loop of the test; what `new_...` gives is another life over the same database each time ---


@pytest.fixture
def new_server(database: str) -> Callable[..., Any]:
    return partial(running_server, database)


@pytest.fixture
async def server(new_server: Any) -> AsyncIterator[InProcessServer]:
    async with new_server() as server:
        yield server


@pytest.fixture
def watch() -> ManualClock:
    return ManualClock()


@pytest.fixture
def new_tables(database: str, watch: ManualClock) -> Callable[..., Any]:
    """Tables that go by a test's own time."""
    return partial(running_tables, database, watch)


@pytest.fixture
async def tables(new_tables: Any) -> AsyncIterator[Tables]:
    async with new_tables() as tables:
        yield tables


@pytest.fixture
def new_site(database: str) -> Callable[..., Any]:
    return partial(running_site, database)


@pytest.fixture
async def site(new_site: Any) -> AsyncIterator[InProcessSite]:
    async with new_site() as site:
        yield site


@pytest.fixture
def mail_server() -> Iterator[MailServer]:
    """A mail server."""
    mail_server = MailServer()
    mail_server.start()
    yield mail_server
    mail_server.stop()


# --- as processes ---


@pytest.fixture
def start(database: str) -> Iterator[Callable[..., ServerProcess]]:
    """Start the server as a process; all are ended with the test."""
    started: list[ServerProcess] = []

    def start(*arguments: str) -> ServerProcess:
        started.append(ServerProcess(database, *arguments))
        return started[-1]

    yield start
    for process in started:
        process.stop(9)


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server as a process of its own; in the end it must have had nothing to complain about."""
    database = f"sqlite:///{tmp_path_factory.mktemp('site') / 'franchise.db'}"
    process = ServerProcess(database, FRANCHISE_LIMITS="0", FRANCHISE_PASSWORD_MEMORY="64")
    yield process.address
    code, complaint = process.stop()
    assert (code, complaint) == (0, "")
