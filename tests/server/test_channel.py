"""Channels: all who follow a table in one process share what is heard of it."""

import asyncio
import re
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any

import pytest

from franchise.server import channel
from franchise.server.bus import LocalBus
from franchise.server.channel import FIRST, QUIET, Channels
from franchise.server.errors import NotRead
from franchise.server.invitation import NewSeat, NewTable
from franchise.server.tables import Tables

BEGINNING = ("start Memphis", "start Raleigh", "done")


async def two_friends(tables: Tables) -> str:
    table, _ = await tables.create(NewTable(seats=[NewSeat(kind="human"), NewSeat(kind="human")]), "browser")
    return table.id


async def play(tables: Tables, table: str, *moves: str) -> None:
    for move in moves:
        version = (await tables.get(table)).version
        await tables.move(table, "browser", version=version, move=move, move_id=f"m{version}")


async def toggle(tables: Tables, table: str, times: int) -> None:
    """Make a move and take it back, so often."""
    for _ in range(times):
        await play(tables, table, "done")
        version = (await tables.get(table)).version
        await tables.undo(table, "browser", version=version, move_id=f"u{version}")


async def told(following: AsyncGenerator[bytes, None], last: str) -> list[str]:
    """The ids and names of events up to one of them."""
    found: list[str] = []
    while last not in found:
        data = (await anext(following)).decode()
        found += re.findall(r"^(?:id|event): (\w+)$", data, re.MULTILINE)
    return found


async def begun(following: AsyncGenerator[bytes, None], channels: Channels, ears: int) -> None:
    """Have somebody follow until they wait for what happens."""
    assert await anext(following) == FIRST
    waiting = asyncio.ensure_future(anext(following))
    while channels.followers < ears or not all(each.begun.is_set() for each in channels.open.values()):
        await asyncio.sleep(0)
    await asyncio.sleep(0.05)
    channels.tables.bus.stir()
    assert await waiting == QUIET


def test_everybody_hears_the_same_and_the_last_one_closes_the_channel(run: Any, monkeypatch: Any) -> None:
    written: list[int] = []

    async def scene(tables: Tables) -> None:
        table = await two_friends(tables)
        await play(tables, table, *BEGINNING[:1])
        channels = Channels(tables)
        happening = channel.answers.happening
        monkeypatch.setattr(
            channel.answers, "happening", lambda update: written.append(update.version) or happening(update)
        )
        async with aclosing(channels.follow(table, None)) as one, aclosing(channels.follow(table, 0)) as other:
            await begun(one, channels, 1)
            assert await anext(other) == FIRST
            assert await told(other, "1") == ["1"]  # what it had missed
            assert channels.followers == 2
            await play(tables, table, *BEGINNING[1:])
            await tables.say(table, "browser", "hello")
            assert await told(one, "chat") == await told(other, "chat") == ["2", "3", "chat"]
        assert written == [1, 2, 3, 3]  # once for both
        assert channels.followers == 0
        assert not channels.open
        await asyncio.sleep(0)
        assert isinstance(tables.bus, LocalBus)
        assert table not in tables.bus.listeners

    run(scene)


def test_who_is_too_slow_is_told_from_the_table_what_they_missed(run: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(channel, "WAITING", 3)

    async def scene(tables: Tables) -> None:
        table = await two_friends(tables)
        await play(tables, table, *BEGINNING[:2])
        channels = Channels(tables)
        async with aclosing(channels.follow(table, None)) as slow:
            await begun(slow, channels, 1)
            await toggle(tables, table, 4)
            [ear] = channels.open[table].ears
            while not ear.behind:
                await asyncio.sleep(0)
            assert await told(slow, "chat") == [*map(str, range(3, 11)), "seats", "chat"]
            await play(tables, table, "done")
            assert await told(slow, "11") == ["11"]

    run(scene)


def test_what_goes_wrong_ends_every_stream_and_the_next_begins_anew(run: Any, monkeypatch: Any) -> None:
    async def scene(tables: Tables) -> None:
        table = await two_friends(tables)
        await play(tables, table, *BEGINNING[:1])
        channels = Channels(tables)
        async with aclosing(channels.follow(table, None)) as one, aclosing(channels.follow(table, None)) as other:
            await begun(one, channels, 1)
            await begun(other, channels, 2)
            assert await anext(one) == QUIET

            async def lost(*_: object, **__: object) -> None:
                raise NotRead

            with monkeypatch.context() as patch:
                patch.setattr(tables, "live", lost)
                tables.bus.publish(table, "move", 99)
                for following in (one, other):
                    with pytest.raises(NotRead):
                        await anext(following)
        async with aclosing(channels.follow(table, 0)) as again:
            assert await anext(again) == FIRST
            assert await told(again, "1") == ["1"]

    run(scene)
