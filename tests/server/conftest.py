"""Servers over real SQLite files."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from server.lives import PATIENCE, Process, Server, serving


@pytest.fixture
def database(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'franchise.db'}"


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
