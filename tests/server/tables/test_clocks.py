"""Clocks: time is counted from what is written down, and a bot plays on when it is up."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from franchise.server.tables.clocks import GRACE, LEASE, Count, due, times
from franchise.server.tables.new_table import NewTable
from franchise.server.tables.service import Tables
from franchise.server.tables.stored import NOT_DUE, Due
from franchise.server.tables.table import Clock, Seat, Table
from server.running_servers import ManualClock, until

LIVE = {"kind": "live", "minutes": 2, "increment": 10}


def wanted(*kinds: str) -> NewTable:
    return NewTable.model_validate({"seats": [{"kind": kind} for kind in kinds], "seed": 7, "clock": LIVE})


def shown(table: Table, watch: ManualClock) -> list[float | None]:
    """Whole seconds, by seat."""
    return [None if left is None else round(left) for left in times(table, watch()).remaining]


async def test_time_runs_for_the_seat_to_move_and_a_turn_adds_some(tables: Tables, watch: ManualClock) -> None:
    table, _ = await tables.create(wanted("human", "human"), "browser")
    assert (shown(table, watch), times(table, watch()).running) == ([120, 130], 1)
    watch.forward(50)
    assert shown(table, watch) == [120, 80]
    table = await tables.move(table.id, "browser", version=0, move="start Memphis", move_id="a")
    assert (shown(table, watch), times(table, watch()).running) == ([130, 80], 0)
    watch.forward(20)
    table = await tables.move(table.id, "browser", version=1, move="start Raleigh", move_id="b")
    assert shown(table, watch) == [110, 80]
    watch.forward(20)
    table = await tables.move(table.id, "browser", version=2, move="done", move_id="c")
    table = await tables.move(table.id, "browser", version=3, move="end", move_id="d")
    assert (shown(table, watch), times(table, watch()).running) == ([90, 90], 1)
    tables.cache.kept.clear()
    assert shown(await tables.get(table.id), watch) == [90, 90]


async def test_no_time_runs_while_a_seat_is_open_and_none_for_bots(tables: Tables, watch: ManualClock) -> None:
    table, _ = await tables.create(wanted("open", "human"), "browser")
    watch.forward(500)
    assert (shown(table, watch), times(table, watch()).running) == ([120, 120], None)
    table = await tables.sit(table.id, 0, "Bob", "other")
    assert shown(table, watch) == [120, 130]
    against, _ = await tables.create(wanted("bot", "human"), "browser")
    assert shown(against, watch) == [None, 130]
    untimed, _ = await tables.create(NewTable.model_validate({"seats": [{"kind": "human"}] * 2}))
    assert shown(untimed, watch) == [None, None]


async def test_a_bot_plays_on_when_the_time_is_up_until_the_person_moves(tables: Tables, watch: ManualClock) -> None:
    table, _ = await tables.create(wanted("human", "human"), "browser")
    watch.forward(140)
    await tables.clocks.look()
    table = await until(tables, table.id, lambda table: table.version == 1)
    assert table.changes[0].by_bot
    assert table.seats[1].away
    assert (shown(table, watch)[1], times(table, watch()).running) == (0, 0)
    version = table.version
    for move in (str(table.game.legal_actions()[0]), "done", "end"):
        table = await tables.move(table.id, "browser", version=version, move=move, move_id=f"m{version}")
        version = table.version
    table = await until(tables, table.id, lambda table: table.game.turn == 3)
    assert all(change.by_bot for change in table.changes if change.seat == 1)


async def test_somebody_comes_back_with_some_seconds(new_tables: Any, watch: ManualClock) -> None:
    async with new_tables() as tables:
        table, _ = await tables.create(wanted("human", "human"), "browser")
    watch.forward(1000)

    async with new_tables() as tables:  # time went on while the server was down
        found = await until(tables, table.id, lambda table: table.version == 1)
        assert found.seats[1].away
        found = await tables.back(table.id, "browser")
        assert not found.seats[1].away
        for version, move in ((1, str(found.game.legal_actions()[0])), (2, "done"), (3, "end")):
            found = await tables.move(found.id, "browser", version=version, move=move, move_id=f"m{version}")
        assert found.game.current_player == 1
        assert times(found, watch()).running == 1
        assert shown(found, watch)[1] == GRACE
        watch.forward(60)
        await tables.clocks.look()
        found = await until(tables, found.id, lambda table: table.game.turn == 3)
        assert found.changes[-1].by_bot


def test_turns_before_the_time_was_up_leave_nothing_over() -> None:
    began = datetime(2024, 1, 1, tzinfo=UTC)
    out = began + timedelta(seconds=200)
    count = Count(Seat(0, "human", "", None, True, out_at=out, back_at=out), Clock("live", 2, 50))
    count.spend(True, began, began + timedelta(seconds=40))
    assert count.left == 0
    count.spend(True, out + timedelta(seconds=10), out + timedelta(seconds=15))
    assert count.left == 45


async def test_whoever_is_back_in_the_middle_of_the_turn_has_a_moment(tables: Tables, watch: ManualClock) -> None:
    await tables.jobs.close()  # nobody plays on meanwhile
    table, _ = await tables.create(wanted("human", "human"), "browser")
    watch.forward(500)
    await tables.time_out(table.id, 0)
    table = await tables.get(table.id)
    assert (table.seats[1].away, shown(table, watch)[1]) == (True, 0)
    watch.forward(100)
    table = await tables.back(table.id, "browser")
    assert (table.seats[1].away, shown(table, watch)[1]) == (False, GRACE)
    await tables.time_out(table.id, 7)  # for another version: too late
    assert not (await tables.get(table.id)).seats[1].away
    await tables.time_out(table.id, 0)
    table = await tables.move(table.id, "browser", version=0, move="start Memphis", move_id="a")
    assert not table.seats[1].away
    tables.cache.kept.clear()
    assert await tables.get(table.id) == table


async def test_a_time_that_is_up_is_dealt_with_by_one_process_and_by_another_if_that_dies(
    tables: Tables, watch: ManualClock
) -> None:
    tables.clocks.close()
    table, _ = await tables.create(wanted("human", "human"), "browser")
    await tables.create(wanted("open", "human"), "browser")  # whose clock does not run
    assert await tables.store.overdue(watch(), LEASE) == ()
    watch.forward(140)
    now = watch()
    assert await tables.store.overdue(now, LEASE) == (table.id,)
    assert await tables.store.overdue(now, LEASE) == ()
    assert await tables.store.overdue(now + LEASE, LEASE) == (table.id,)


async def test_a_deadline_that_is_none_is_put_right(tables: Tables, watch: ManualClock) -> None:
    """As after an upgrade, which does not know when a time is up."""
    tables.clocks.close()
    table, _ = await tables.create(wanted("human", "human"), "browser")
    await tables.store.set_deadline(table.id, None, watch())
    await tables.clocks.look()
    found = await tables.get(table.id)
    assert not found.seats[1].away
    stored = due(found, watch()).deadline
    assert stored is not None
    assert await tables.store.overdue(stored - timedelta(seconds=3), LEASE) == ()
    assert await tables.store.overdue(stored, LEASE) == (table.id,)


async def test_a_look_that_comes_too_early_finds_when_the_time_is_up(tables: Tables, watch: ManualClock) -> None:
    """A move leaves the deadline of the turn before where it is: later ones are found by looking then."""
    tables.clocks.close()
    table, _ = await tables.create(wanted("human", "human"), "browser")
    first = due(table, watch()).deadline
    assert first is not None
    watch.forward(50)
    table = await tables.move(table.id, "browser", version=0, move="start Memphis", move_id="a")
    second = due(table, watch()).deadline
    assert second is not None
    assert second > first + timedelta(seconds=30)
    watch.forward((first - watch()).total_seconds())
    await tables.clocks.look()
    assert not any(seat.away for seat in (await tables.get(table.id)).seats)
    assert await tables.store.overdue(second - timedelta(seconds=3), LEASE) == ()
    watch.forward((second - watch()).total_seconds())
    await tables.clocks.look()
    assert (await tables.get(table.id)).seats[0].away


async def test_a_table_says_since_when_a_bot_is_to_move_and_when_a_time_is_up(
    tables: Tables, watch: ManualClock
) -> None:
    table, _ = await tables.create(wanted("human", "human"), "browser")
    began = table.created_at
    assert table.turn_began == began
    first = due(table, watch()).deadline
    assert first is not None
    assert timedelta(0) < first - began - timedelta(seconds=130) < timedelta(seconds=1.1)  # the next whole second
    watch.forward(30)
    table = await tables.move(table.id, "browser", version=0, move="start Memphis", move_id="a")
    assert table.turn_began == table.changes[0].at
    away = replace(table, seats=(replace(table.seats[0], away=True), table.seats[1]))
    assert due(away, watch()) == Due(bot=table.changes[0].at)
    assert due(replace(table, ended_at=began), watch()) == NOT_DUE
