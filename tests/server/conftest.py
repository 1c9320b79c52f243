"""Servers over real databases."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from typing import Any

import pytest

from franchise.server.settings import Settings
from franchise.server.tables.service import Tables
from franchise.server.wiring import store_of, tables_of
from server.lives import PATIENCE, Process, Server, Watch, serving


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
def start(database: str) -> Iterator[Callable[..., Process]]:
    """Start the server as a process; all are ended with the test."""
    started: list[Process] = []

    def start(*arguments: str) -> Process:
        started.append(Process(database, *arguments))
        return started[-1]

    yield start
    for process in started:
        process.stop(9)


@pytest.fixture
def watch() -> Watch:
    return Watch()


@pytest.fixture
def run(database: str, watch: Watch) -> Callable[..., Any]:
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
