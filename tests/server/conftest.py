"""Servers and whole sites over real databases."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from franchise.server.settings import Settings
from franchise.server.tables.service import Tables
from franchise.server.wiring import store_of, tables_of
from server import in_process_site
from server.running_servers import PATIENCE, ManualClock, Server, ServerProcess, serving


@pytest.fixture
def serve(database: str) -> Callable[[Callable[[Server], Awaitable[Any]]], Any]:
    """Run a scene with a server; each call is another life of the server over the same file."""

    def serve(scene: Callable[[Server], Awaitable[Any]]) -> Any:
        async def life() -> Any:
            async with asyncio.timeout(PATIENCE), AsyncExitStack() as stack:
                return await scene(await serving(stack, database))

        return asyncio.run(life())

    return serve


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


@pytest.fixture
def visit(database: str) -> Callable[..., Any]:
    """Run a scene with a site; each call is another life of it over the same database, of each kind."""
    return lambda scene, **settings: in_process_site.run(database, scene, **settings)


@pytest.fixture
def drop_in(tmp_path: Path) -> Callable[..., Any]:
    """The same over an SQLite file only, for what has little to do with the database."""
    return lambda scene, **settings: in_process_site.run(f"sqlite:///{tmp_path / 'franchise.db'}", scene, **settings)


@pytest.fixture
def watch() -> ManualClock:
    return ManualClock()


@pytest.fixture
def run(database: str, watch: ManualClock) -> Callable[..., Any]:
    """Run a scene with tables that go by a test's own time."""

    def run(scene: Callable[[Tables], Any]) -> Any:
        async def life() -> Any:
            async with asyncio.timeout(PATIENCE), AsyncExitStack() as stack:
                store = store_of(database)
                stack.push_async_callback(store.close)
                await store.open()
                tables = tables_of(store, Settings(database=database, bot_threads=1), watch)
                stack.push_async_callback(tables.close)
                await tables.start()
                return await scene(tables)

        return asyncio.run(life())

    return run
