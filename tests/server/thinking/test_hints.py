"""Hints think outside the event loop, and stop when nobody needs them any more."""

import asyncio
import threading
from typing import Any, Never

import pytest

from franchise.bots import Cancelled
from franchise.server.tables.errors import NotYourTurn, Stale
from franchise.server.thinking import hints
from franchise.server.thinking.hints import Hints
from server.running_servers import InProcessServer


class Ponderer:
    """A bot that thinks until it is told to stop."""

    def __init__(self, *_: Any, **more: Any) -> None:
        self.told = threading.Event()

    def choose(self, *_: Any, **more: Any) -> Never:
        self.told.wait()
        raise Cancelled("told to stop")

    analyse = choose

    def cancel(self) -> None:
        self.told.set()


async def test_a_hint_is_dropped_when_the_table_moves_on(
    server: InProcessServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hints, "make", Ponderer)
    service = Hints(server.tables)
    table = await server.create("human", "human", options={"introductory": True})
    key = table.tokens[0]
    asked = [asyncio.ensure_future(service.hint(table.id, key, 0)) for _ in range(2)]
    while not service.asked:
        await asyncio.sleep(0)
    [thought] = service.asked.values()
    await table.move()
    for waiting in asked:
        with pytest.raises(Stale):
            await waiting
    assert thought.dropped.is_set()
    with pytest.raises(NotYourTurn):
        await service.hint(table.id, table.tokens[1], 1)
    monkeypatch.undo()
    again = await service.hint(table.id, key, 1)
    assert again.turn[0] in (await server.tables.get(table.id)).game.legal_actions()
    await service.close()


async def test_closing_does_not_wait_for_a_hint(server: InProcessServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hints, "make", Ponderer)
    service = Hints(server.tables)
    table = await server.create("human", "human", options={"introductory": True})
    asked = asyncio.ensure_future(service.hint(table.id, table.tokens[0], 0))
    while not service.asked:
        await asyncio.sleep(0)
    [thought] = service.asked.values()
    await service.close()
    with pytest.raises(Stale):
        await asked
    assert thought.dropped.is_set()
