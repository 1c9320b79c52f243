"""The short way of a move: the same answers, the same limits."""

import asyncio
from contextlib import AsyncExitStack
from typing import Any

import httpx
import pytest

from franchise.server.app import create_app
from franchise.server.settings import Settings
from server.lives import PATIENCE, Guest, Server

COOKIE = {"Cookie": "language=en"}  # sent by browsers, which go the usual way


def test_both_ways_answer_alike(serve: Any) -> None:
    async def scene(server: Server) -> None:
        guest = await server.create("human", "human")
        state = await guest.get(1)
        order = {"version": 0, "move": state["legal"][0], "move_id": "a"}
        short = await guest.post("moves", 1, **order)
        usual = await guest.client.post(f"{guest.path}/moves", json=order, headers=guest.bearer(1) | COOKIE)
        assert (short.status_code, short.json()) == (usual.status_code, usual.json())
        assert short.json()["version"] == 1
        given = {name: value for name, value in usual.headers.items() if name not in ("content-encoding", "vary")}
        assert dict(short.headers) == given | {"content-length": str(len(short.content))}

    serve(scene)


@pytest.mark.parametrize(
    ("order", "status"),
    [
        ({"version": 0, "move": "start Nowhere", "move_id": "a"}, 422),
        ({"version": 7, "move": "start Memphis", "move_id": "a"}, 409),
        ({"version": "x"}, 422),
    ],
)
def test_what_is_refused_is_worded_by_the_usual_way(serve: Any, order: dict[str, Any], status: int) -> None:
    async def scene(server: Server) -> None:
        guest = await server.create("human", "human")
        short = await guest.post("moves", 1, **order)
        usual = await guest.client.post(f"{guest.path}/moves", json=order, headers=guest.bearer(1) | COOKIE)
        assert (short.status_code, usual.status_code) == (status, status)
        assert short.json()["detail"] == usual.json()["detail"]
        assert (await guest.get())["version"] == 0

    serve(scene)


def test_a_request_counts_once_whichever_way_it_goes(database: str) -> None:
    async def life() -> list[int]:
        async with asyncio.timeout(PATIENCE), AsyncExitStack() as stack:
            app = create_app(
                Settings(database=database, bot_threads=1, limits=0.0025)
            )  # of 1200 moves a minute at a table: 3
            await stack.enter_async_context(app.router.lifespan_context(app))
            transport = httpx.ASGITransport(app)
            client = await stack.enter_async_context(httpx.AsyncClient(transport=transport, base_url="http://table"))
            created = await client.post("/api/tables", json={"seats": [{"kind": "human"}] * 2, "seed": 7})
            guest = Guest(client, created.json())
            order = {"version": 0, "move": "start Nowhere", "move_id": "a"}
            return [(await guest.post("moves", 1, **order)).status_code for _ in range(4)]

    assert asyncio.run(life()) == [422, 422, 422, 429]
