"""Broadcast: all who follow a table in one process share what is heard of it."""

import asyncio
from typing import Any

import pytest

from franchise.server.live import broadcast as broadcasting
from franchise.server.live.broadcast import ALIVE, FIRST, Broadcast
from franchise.server.live.bus import LocalBus
from franchise.server.tables.errors import NoSuchTable, NotRead
from franchise.server.tables.interfaces import Notice
from franchise.server.tables.new_table import NewSeat, NewTable
from franchise.server.tables.service import Tables
from franchise.server.tables.table import Table
from server.running_servers import FollowingClient

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


async def following(broadcast: Broadcast, table: str, room: int = 0) -> FollowingClient:
    """A client that is told whatever comes after now."""
    client = FollowingClient(broadcast, table, (await broadcast.tables.get(table)).version, room)
    assert await client.read() == FIRST
    return client


async def test_everybody_hears_the_same_and_the_last_one_closes_the_broadcast(tables: Tables, monkeypatch: Any) -> None:
    encoded: list[tuple[str, int]] = []
    event_json = broadcasting.event_json

    def noted(kind: str, table: Table, *more: Any) -> bytes:
        encoded.append((kind, table.version))
        return event_json(kind, table, *more)

    monkeypatch.setattr(broadcasting, "event_json", noted)

    table = await two_friends(tables)
    await play(tables, table, *BEGINNING[:1])
    broadcast = Broadcast(tables)
    first, late = await following(broadcast, table), FollowingClient(broadcast, table, 0)
    assert await late.read() == FIRST
    assert await late.told("1") == ["1"]  # what it had missed
    assert broadcast.followers == 2
    await play(tables, table, *BEGINNING[1:])
    assert await first.told("3") == await late.told("3") == ["2", "3"]
    await tables.say(table, "browser", "hello")
    assert await first.told("chat") == await late.told("chat") == ["chat"]
    await first.leave()
    await late.leave()
    assert encoded == [("move", 1), ("move", 2), ("move", 3), ("chat", 3)]  # once for both
    assert broadcast.followers == 0
    assert not broadcast.open
    assert isinstance(tables.bus, LocalBus)
    assert table not in tables.bus.by_table


async def test_moves_that_go_together_are_told_as_one(tables: Tables) -> None:
    table = await two_friends(tables)
    await play(tables, table, *BEGINNING[:2])
    broadcast = Broadcast(tables)
    client = await following(broadcast, table)
    await play(tables, table, "done; end")
    received = await client.read()
    assert (received.count(b"\nid: ") + received.startswith(b"id: "), b'"move":"done; end"' in received) == (1, True)
    await client.leave()


async def test_without_a_version_only_what_happens_from_now_on_is_told(tables: Tables) -> None:
    table = await two_friends(tables)
    await play(tables, table, *BEGINNING[:1])
    broadcast = Broadcast(tables)
    client = FollowingClient(broadcast, table, None)
    assert await client.read() == FIRST
    while not client.sent.qsize():  # said again until it follows
        await tables.say(table, "browser", "hello")
    assert set(await client.told("chat")) == {"chat"}
    await client.leave()


async def test_a_page_is_told_that_seats_have_changed_since_it_was_made(tables: Tables) -> None:
    table, _ = await tables.create(NewTable(seats=[NewSeat(kind="human"), NewSeat(kind="open")]), "browser")
    page = (await tables.cached(table.id)).reseated
    await tables.sit(table.id, 1, "Bob", "bob")
    broadcast = Broadcast(tables)
    assert await FollowingClient(broadcast, table.id, 0, reseated=page).told("seats") == ["seats"]
    current = FollowingClient(broadcast, table.id, 0, reseated=(await tables.cached(table.id)).reseated)
    assert await current.read() == FIRST
    await tables.move(table.id, "bob", version=0, move=BEGINNING[0], move_id="first")
    assert await current.told("1") == ["1"]  # nothing before it
    await broadcast.close()


async def test_a_quiet_stream_shows_signs_of_life(tables: Tables, monkeypatch: Any) -> None:
    monkeypatch.setattr(broadcasting, "PULSE_S", 0.01)

    client = await following(Broadcast(tables), await two_friends(tables))
    assert set((await client.read()).split(b"\n\n")) == {ALIVE.strip(), b""}  # once, or several times together
    await client.leave()


async def test_a_stream_ends_when_the_broadcast_closes(tables: Tables) -> None:
    broadcast = Broadcast(tables)
    table = await two_friends(tables)
    client = await following(broadcast, table)
    await play(tables, table, *BEGINNING[:1])
    assert await client.told("1") == ["1"]
    await broadcast.close()
    await client.task
    await broadcast.follow(table, 0, client.sent.put)  # nobody begins to wait any more


async def test_following_an_unknown_table_is_refused(tables: Tables) -> None:
    with pytest.raises(NoSuchTable):
        await FollowingClient(Broadcast(tables), "nowhere", 0).told("1")


async def test_what_a_client_does_not_take_at_once_reaches_it_in_order(tables: Tables) -> None:
    table = await two_friends(tables)
    await play(tables, table, *BEGINNING[:2])
    slow = await following(Broadcast(tables), table, room=1)
    await toggle(tables, table, 4)
    assert await slow.told("10") == [*map(str, range(3, 11))]
    await play(tables, table, "done")
    assert await slow.told("11") == ["11"]
    await slow.leave()


async def test_who_leaves_while_something_waits_for_them_leaves_nothing_behind(tables: Tables) -> None:
    table = await two_friends(tables)
    broadcast = Broadcast(tables)
    slow = await following(broadcast, table, room=1)
    await play(tables, table, *BEGINNING)
    await slow.leave()
    assert slow.task.cancelled()
    assert not broadcast.open


async def test_who_is_too_slow_is_told_from_the_table_what_they_missed(tables: Tables, monkeypatch: Any) -> None:
    monkeypatch.setattr(broadcasting, "WAITING", 3)

    table = await two_friends(tables)
    await play(tables, table, *BEGINNING[:1])
    broadcast = Broadcast(tables)
    slow = await following(broadcast, table, room=1)
    await play(tables, table, *BEGINNING[1:2])
    assert await slow.told("2") == ["2"]
    [follower] = broadcast.open[table].followers
    await toggle(tables, table, 4)
    while not follower.behind:
        await asyncio.sleep(0)
    assert await slow.told("chat") == [*map(str, range(3, 11)), "seats", "chat"]
    await play(tables, table, "done")
    assert await slow.told("11") == ["11"]
    await slow.leave()


async def test_a_client_that_cannot_be_written_to_ends_its_own_stream_only(tables: Tables) -> None:
    table = await two_friends(tables)
    broadcast = Broadcast(tables)
    good = await following(broadcast, table)
    written: list[bytes] = []

    async def broken(data: bytes) -> None:
        if written:
            raise ConnectionError("gone")
        written.append(data)

    bad = asyncio.ensure_future(broadcast.follow(table, 0, broken))
    while broadcast.followers < 2:
        await asyncio.sleep(0)
    await play(tables, table, *BEGINNING)
    assert await good.told("3") == ["1", "2", "3"]
    with pytest.raises(ConnectionError, match="gone"):
        await bad
    assert broadcast.followers == 1
    await good.leave()


async def test_what_goes_wrong_ends_every_stream_and_the_next_begins_anew(tables: Tables, monkeypatch: Any) -> None:
    table = await two_friends(tables)
    broadcast = Broadcast(tables)
    clients = [await following(broadcast, table) for _ in range(2)]
    await play(tables, table, *BEGINNING[:1])
    for client in clients:
        assert await client.told("1") == ["1"]

    async def lost(*_: object, **__: object) -> None:
        raise NotRead

    with monkeypatch.context() as patch:
        patch.setattr(tables, "cached", lost)
        tables.bus.publish(Notice(table, "move", 99))
        for client in clients:
            with pytest.raises(NotRead):
                await client.read()
    again = FollowingClient(broadcast, table, 0)
    assert await again.read() == FIRST
    assert await again.told("1") == ["1"]
    await again.leave()
