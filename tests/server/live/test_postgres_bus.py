"""Notices between servers over PostgreSQL."""

import asyncio
from typing import Any

import pytest

from franchise.server.live import postgres_bus
from franchise.server.tables.new_table import NewSeat, NewTable


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
