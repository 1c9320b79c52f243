"""Connections: whoever does not come to the point is not waited for."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

import pytest
import uvicorn

from franchise.server.http import connections, middleware
from franchise.server.http.connections import HEADERS_LIMIT, protocol_of
from franchise.server.live import broadcast
from franchise.server.settings import Settings
from franchise.server.tables.service import NewSeat, NewTable
from franchise.web.app import create_app
from server.in_process_site import SQLITE_ONLY

pytestmark = SQLITE_ONLY


@asynccontextmanager
async def listening(database: str, **more: Any) -> AsyncIterator[tuple[Any, int]]:
    """A site on a port of its own, in the event loop of the test."""
    app = create_app(Settings(database=database, bot_threads=1))
    config = uvicorn.Config(app, http=protocol_of(app.state.limits), log_config=None, port=0, lifespan="on", **more)
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0)
    try:
        yield app, server.servers[0].sockets[0].getsockname()[1]
    finally:
        server.should_exit = True
        await serving


async def rest(reader: asyncio.StreamReader) -> bytes:
    """What comes until the end of the connection, which does not take long."""
    async with asyncio.timeout(60):
        return await reader.read()


async def closed(writer: asyncio.StreamWriter) -> None:
    writer.close()
    with suppress(ConnectionError):
        await writer.wait_closed()


async def test_headers_that_do_not_arrive_end_the_connection(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "HEADERS_S", 0.05)
    async with listening(database) as (app, port):
        for begun in (b"", b"GET / HTTP/1.1\r\nHost: table\r\nX-Slow: "):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(begun)
            assert await rest(reader) == b""  # the end
            await closed(writer)
        assert app.state.limits.refusals["slow or long headers"] == 2


async def test_the_second_request_of_a_connection_has_to_come_to_the_point_too(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with listening(database) as (_, port):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET /healthz HTTP/1.1\r\nHost: table\r\n\r\n")
        assert (await reader.readuntil(b"alive\n")).startswith(b"HTTP/1.1 200")
        monkeypatch.setattr(connections, "HEADERS_S", 0.05)
        writer.write(b"GET /healthz HT")
        assert await rest(reader) == b""
        await closed(writer)


async def test_headers_without_end_are_not_kept(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "HEADERS_S", 3600)
    async with listening(database) as (app, port):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET / HTTP/1.1\r\nX-Long: " + b"x" * (HEADERS_LIMIT + 1000))
        assert b" 200 " not in await rest(reader)
        assert app.state.limits.refusals["slow or long headers"] == 1
        await closed(writer)


async def test_a_body_that_does_not_arrive_is_answered_with_408(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(middleware, "BODY_S", 0.05)
    async with listening(database) as (app, port):
        for begun in (b"", b"lang"):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(b"POST /settings HTTP/1.1\r\nHost: table\r\nContent-Length: 100\r\n\r\n" + begun)
            async with asyncio.timeout(60):
                assert (await reader.readline()).split()[1] == b"408"
            await closed(writer)
        assert app.state.limits.refusals["slow bodies"] == 2


async def test_a_stream_ends_with_its_connection_though_another_request_waits_behind_it(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(broadcast, "PULSE_S", 0.01)
    async with listening(database) as (app, port):
        table, _ = await app.state.tables.create(NewTable(seats=[NewSeat(kind="human"), NewSeat(kind="human")]))
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(f"GET /api/tables/{table.id}/events HTTP/1.1\r\nHost: table\r\n\r\n".encode())
        async with asyncio.timeout(60):
            await reader.readuntil(b": still here")
            assert app.state.broadcast.followers == 1
            writer.write(b"GET /healthz HTTP/1.1\r\nHost: table\r\n\r\n")
            await writer.drain()
            await closed(writer)
            while app.state.broadcast.followers:
                await asyncio.sleep(0)
