"""The list of tables: who follows it is told of what changes."""

import asyncio
from typing import Any

from franchise.server.live import lobby as listing
from franchise.server.live.broadcast import FIRST, Broadcast
from franchise.server.live.lobby import Lobby
from franchise.server.live.presence import Presence
from franchise.server.tables.service import Tables

TURNS = 6  # of the event loop, in which a notice wakes who waits for it


async def test_nobody_reads_the_list_any_more_when_the_last_one_leaves_as_it_changes(
    tables: Tables, monkeypatch: Any
) -> None:
    monkeypatch.setattr(listing, "REST_S", 0)
    lobby = Lobby(tables, Broadcast(tables), Presence(tables.store, tables.now))
    waits = asyncio.Event()

    async def wait() -> None:
        waits.set()
        await Lobby._wait(lobby)

    monkeypatch.setattr(lobby, "_wait", wait)
    for turns in range(TURNS):
        sent: asyncio.Queue[bytes] = asyncio.Queue()
        following = asyncio.ensure_future(lobby.follow(sent.put))
        assert await sent.get() == FIRST
        await waits.wait()
        looking = lobby.looking
        assert looking is not None
        for _ in range(TURNS):
            await asyncio.sleep(0)
        lobby.heard.set()
        for _ in range(turns):
            await asyncio.sleep(0)
        following.cancel()
        async with asyncio.timeout(60):
            await asyncio.wait([following, looking])
        lobby.heard.clear()
        waits.clear()
    await lobby.broadcast.close()
