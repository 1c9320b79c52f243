"""Playing over days: hours for a turn, vacation, and what a table has chosen for when the time is up."""

import asyncio
from typing import Any

import pytest

from franchise.server.tables.clocks import DAY, HOUR, times
from franchise.server.tables.errors import Ended
from franchise.server.tables.hosting import Hosting
from franchise.server.tables.new_table import NewTable
from franchise.server.tables.service import Tables
from franchise.server.tables.table import Table
from server.running_servers import ManualClock, until

DAILY = {"kind": "daily", "hours": 24, "vacation": 2}


def wanted(**more: Any) -> NewTable:
    return NewTable.model_validate({"seats": [{"kind": "human"}] * 2, "seed": 7, "clock": DAILY | more})


def shown(table: Table, watch: ManualClock) -> list[tuple[float, float]]:
    """Hours and, of these, days of vacation by seat."""
    now = times(table, watch())
    return [
        (round((left or 0) / HOUR, 1), round((vacation or 0) / DAY, 2))
        for left, vacation in zip(now.remaining, now.vacation, strict=True)
    ]


async def play(tables: Tables, table: Table, *moves: str) -> Table:
    for move in moves:
        table = await tables.move(table.id, "browser", version=table.version, move=move, move_id=f"m{table.version}")
    return table


async def test_every_turn_has_its_hours_and_a_longer_one_uses_vacation(tables: Tables, watch: ManualClock) -> None:
    table, _ = await tables.create(wanted(), "browser")
    assert shown(table, watch) == [(72, 2), (72, 2)]
    watch.forward(23 * HOUR)
    assert shown(table, watch) == [(72, 2), (49, 2)]
    table = await play(tables, table, "start Memphis")
    watch.forward(36 * HOUR)
    assert shown(table, watch) == [(36, 1.5), (49, 2)]
    table = await play(tables, table, "start Raleigh", "done", "end")  # seat 0: one stretch of time
    assert times(table, watch()).running == 1
    assert shown(table, watch) == [(36, 1.5), (72, 2)]
    table = await play(tables, table, str(table.game.legal_actions()[0]), "done", "end")
    assert shown(table, watch) == [(60, 1.5), (72, 2)]
    tables.cache.kept.clear()
    assert shown(await tables.get(table.id), watch) == [(60, 1.5), (72, 2)]


async def test_a_bot_of_the_chosen_level_plays_until_the_owner_returns_with_a_whole_turn(
    new_tables: Any, watch: ManualClock
) -> None:
    async with new_tables() as tables:
        table = (await tables.create(wanted(stand_in="newcomer"), "browser"))[0]
    watch.forward(73 * HOUR)  # while the server is down

    async with new_tables() as tables:
        found = await until(tables, table.id, lambda table: table.version == 1)
        assert (found.seats[1].away, found.seats[1].player) == (True, "newcomer")
        assert found.changes[0].by_bot
        assert await tables.held(table.id, "browser") == {0, 1}  # the seat stays theirs
        found = await tables.back(table.id, "browser")
        found = await play(tables, found, str(found.game.legal_actions()[0]), "done", "end")
        assert (times(found, watch()).running, shown(found, watch)[1]) == (1, (24, 0))  # the vacation is over


async def test_a_reminder_leaves_the_turn_where_it_is(tables: Tables, watch: ManualClock) -> None:
    kinds: list[str] = []
    table, _ = await tables.create(wanted(time_out="remind"), "browser")
    tables.bus.subscribe(lambda notice: kinds.append(notice.kind), table.id)
    watch.forward(100 * HOUR)
    await tables.clocks.look()
    while "reminder" not in kinds:
        await asyncio.sleep(0)
    table = await tables.get(table.id)
    assert (table.version, table.seats[1].away, table.over) == (0, False, False)
    assert shown(table, watch)[1] == (0, 0)
    table = await play(tables, table, "start Memphis", "start Raleigh", "done", "end")
    assert shown(table, watch)[1] == (24, 0)


async def test_a_table_that_ends_is_over_for_everybody_also_when_the_server_was_down(
    new_tables: Any, watch: ManualClock
) -> None:
    async with new_tables() as tables:
        table, _ = await tables.create(wanted(time_out="end", vacation=0), "browser")
        table = await play(tables, table, "start Memphis")
    watch.forward(25 * HOUR)

    async with new_tables() as tables:
        found = await until(tables, table.id, lambda table: table.over)
        assert (found.ended_at is not None, found.over, found.game.over, found.to_move) == (True, True, False, None)
        with pytest.raises(Ended):
            await play(tables, found, "start Raleigh")
        assert times(found, watch()).running is None
        assert not found.at(0).over
        tables.cache.kept.clear()
        assert (await tables.get(table.id)).over
        assert (await tables.tables_of("browser"))[0].over
        assert (await Hosting(tables).rematch(table.id, "browser")).clock == found.clock


async def test_whoever_moves_in_time_is_not_ended(tables: Tables, watch: ManualClock) -> None:
    table, _ = await tables.create(wanted(time_out="end"), "browser")
    await play(tables, table, "start Memphis")
    await tables.time_out(table.id, 0)  # too late: the alarm was for version 0
    assert not (await tables.get(table.id)).over


async def test_whoever_moves_at_the_last_moment_keeps_the_seat(tables: Tables, watch: ManualClock) -> None:
    table, _ = await tables.create(wanted(), "browser")
    change_seats = tables.store.change_seats

    async def late(*arguments: Any) -> int:
        if (await tables.get(table.id)).version == 0:
            await play(tables, table, "start Memphis")
        return await change_seats(*arguments)

    tables.store.change_seats = late  # type: ignore[method-assign]
    await tables.time_out(table.id, 0)
    found = await tables.get(table.id)
    assert (found.version, [seat.away for seat in found.seats]) == (1, [False, False])
