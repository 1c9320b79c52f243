"""Channels: all who follow a table in one process share what is heard of it."""

import asyncio
import re
from typing import Any

import pytest

from franchise.server.live import broadcast as channel
from franchise.server.live.broadcast import FIRST, QUIET, Channels
from franchise.server.live.bus import LocalBus
from franchise.server.tables.errors import NotRead
from franchise.server.tables.new_table import NewSeat, NewTable
from franchise.server.tables.service import Tables

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


class Follower:
    """A client that follows a table, and reads only when it is asked for what it was sent."""

    def __init__(self, channels: Channels, table: str, after: int | None, room: int = 0) -> None:
        self.sent: asyncio.Queue[bytes] = asyncio.Queue(room)  # as much as a connection takes; 0 for anything
        self.task = asyncio.ensure_future(channels.follow(table, after, self.sent.put))

    async def read(self) -> bytes:
        reading = asyncio.ensure_future(self.sent.get())
        await asyncio.wait([reading, self.task], return_when=asyncio.FIRST_COMPLETED)
        if not reading.done():
            reading.cancel()
            self.task.result()
        return await reading

    async def told(self, last: str) -> list[str]:
        """The ids and names of events up to one of them."""
        found: list[str] = []
        while last not in found:
            found += re.findall(r"^(?:id|event): (\w+)$", (await self.read()).decode(), re.MULTILINE)
        return found

    async def begun(self, channels: Channels, ears: int) -> "Follower":
        """Wait until they wait for what happens."""
        assert await self.read() == FIRST
        while channels.followers < ears or not all(each.begun.is_set() for each in channels.open.values()):
            await asyncio.sleep(0)
        await asyncio.sleep(0.05)
        channels.tables.bus.stir()
        assert await self.read() == QUIET
        return self

    async def leave(self) -> None:
        self.task.cancel()
        await asyncio.wait([self.task])


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
        one, other = Follower(channels, table, None), Follower(channels, table, 0)
        await one.begun(channels, 2)
        assert await other.read() == FIRST
        assert await other.told("1") == ["1"]  # what it had missed
        assert channels.followers == 2
        await play(tables, table, *BEGINNING[1:])
        await tables.say(table, "browser", "hello")
        assert await one.told("chat") == await other.told("chat") == ["2", "3", "chat"]
        await one.leave()
        await other.leave()
        assert written == [1, 2, 3, 3]  # once for both
        assert channels.followers == 0
        assert not channels.open
        await asyncio.sleep(0)
        assert isinstance(tables.bus, LocalBus)
        assert table not in tables.bus.listeners

    run(scene)


def test_what_a_client_does_not_take_at_once_reaches_it_in_order(run: Any) -> None:
    async def scene(tables: Tables) -> None:
        table = await two_friends(tables)
        await play(tables, table, *BEGINNING[:2])
        channels = Channels(tables)
        slow = await Follower(channels, table, None, room=1).begun(channels, 1)
        [ear] = channels.open[table].ears
        await toggle(tables, table, 4)  # version 3 waits at the client, 4 before it, the others are kept
        assert slow.sent.full()
        assert not ear.listening
        assert await slow.told("10") == [*map(str, range(3, 11))]
        while not ear.listening:
            await asyncio.sleep(0)
        await play(tables, table, "done")
        assert slow.sent.full()  # without anybody else having been asked
        assert await slow.told("11") == ["11"]
        await slow.leave()

    run(scene)


def test_who_leaves_while_something_waits_for_them_leaves_nothing_behind(run: Any) -> None:
    async def scene(tables: Tables) -> None:
        table = await two_friends(tables)
        channels = Channels(tables)
        slow = await Follower(channels, table, None, room=1).begun(channels, 1)
        await play(tables, table, *BEGINNING)
        await slow.leave()
        assert slow.task.cancelled()
        assert not channels.open

    run(scene)


def test_who_is_too_slow_is_told_from_the_table_what_they_missed(run: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(channel, "WAITING", 3)

    async def scene(tables: Tables) -> None:
        table = await two_friends(tables)
        await play(tables, table, *BEGINNING[:2])
        channels = Channels(tables)
        slow = await Follower(channels, table, None, room=1).begun(channels, 1)
        await toggle(tables, table, 4)
        [ear] = channels.open[table].ears
        while not ear.behind:
            await asyncio.sleep(0)
        assert await slow.told("chat") == [*map(str, range(3, 11)), "seats", "chat"]
        await play(tables, table, "done")
        assert await slow.told("11") == ["11"]
        await slow.leave()

    run(scene)


def test_a_client_that_cannot_be_written_to_ends_its_own_stream_only(run: Any) -> None:
    async def scene(tables: Tables) -> None:
        table = await two_friends(tables)
        channels = Channels(tables)
        good, bad = Follower(channels, table, None), Follower(channels, table, None)
        await good.begun(channels, 2)
        assert await bad.read() == FIRST
        assert await bad.read() == QUIET

        async def broken(_: bytes) -> None:
            raise ConnectionError("gone")

        next(ear for ear in channels.open[table].ears if ear.write == bad.sent.put).write = broken
        await play(tables, table, *BEGINNING)
        assert await good.told("3") == ["1", "2", "3"]
        with pytest.raises(ConnectionError, match="gone"):
            await bad.read()
        assert channels.followers == 1
        await good.leave()

    run(scene)


def test_what_goes_wrong_ends_every_stream_and_the_next_begins_anew(run: Any, monkeypatch: Any) -> None:
    async def scene(tables: Tables) -> None:
        table = await two_friends(tables)
        await play(tables, table, *BEGINNING[:1])
        channels = Channels(tables)
        one = await Follower(channels, table, None).begun(channels, 1)
        other = await Follower(channels, table, None).begun(channels, 2)
        assert await one.read() == QUIET

        async def lost(*_: object, **__: object) -> None:
            raise NotRead

        with monkeypatch.context() as patch:
            patch.setattr(tables, "live", lost)
            tables.bus.publish(table, "move", 99)
            for following in (one, other):
                with pytest.raises(NotRead):
                    await following.read()
        again = Follower(channels, table, 0)
        assert await again.read() == FIRST
        assert await again.told("1") == ["1"]
        await again.leave()

    run(scene)
