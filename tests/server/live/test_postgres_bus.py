"""Notices between servers over PostgreSQL."""

import asyncio
from typing import Any

import pytest

from franchise.server.live import postgres_bus
from franchise.server.live.postgres_bus import PostgresBus
from franchise.server.tables.new_table import NewSeat, NewTable
from waiting import eventually


@pytest.mark.parametrize("database", ["postgres"], indirect=True)
async def test_what_happens_at_one_server_is_told_at_another_without_waiting_for_a_sweep(
    new_tables: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres_bus, "SWEEP_S", 3600)  # what was missed would be found after so long
    async with new_tables() as here, new_tables() as there:
        table, _ = await here.create(NewTable(seats=[NewSeat(kind="human"), NewSeat(kind="human")], seed=7), "browser")
        for version, move in enumerate(("start Memphis", "start Raleigh", "done")):
            mover, other = (there, here) if version % 2 else (here, there)
            heard = asyncio.Event()
            leave = other.bus.subscribe(lambda _, heard=heard: heard.set(), table.id)
            await mover.move(table.id, "browser", version=version, move=move, move_id=move)
            await heard.wait()
            leave()
            assert (await other.get(table.id)).version == version + 1


@pytest.mark.parametrize("database", ["postgres"], indirect=True)
async def test_servers_beside_each_other_go_on_hearing(new_tables: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each sends notices to itself, to see how long they take; the other hears these too, and listens on."""
    monkeypatch.setattr(postgres_bus, "SWEEP_S", 0.01)
    heard: list[tuple[str, str]] = []
    receive = PostgresBus._receive

    def remember(bus: PostgresBus, text: str) -> None:
        heard.append((bus.sender, text.partition(" ")[0]))
        receive(bus, text)

    monkeypatch.setattr(PostgresBus, "_receive", remember)
    async with new_tables() as here, new_tables() as there:
        names = here.bus.sender, there.bus.sender
        await eventually(lambda: heard.count(names) >= 3 and heard.count(names[::-1]) >= 3)


@pytest.mark.parametrize("database", ["postgres"], indirect=True)
async def test_a_sweep_tells_of_a_table_that_is_followed_since_the_last_one(
    new_tables: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres_bus, "SWEEP_S", 0.01)
    async with new_tables() as tables:
        table, _ = await tables.create(NewTable(seats=[NewSeat(kind="human")] * 2, seed=7), "browser")
        notices: asyncio.Queue[Any] = asyncio.Queue()
        leave = tables.bus.subscribe(notices.put_nowait, table.id)
        assert (await notices.get()).table_id == table.id
        leave()
