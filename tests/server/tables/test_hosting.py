"""People at a table beside playing: hosts, leaving, rematches that are offered, games that end by agreement."""

from typing import Any

import pytest

from franchise.server.tables.clocks import times
from franchise.server.tables.errors import Ended, NotYourSeat, Refused, SeatTaken
from franchise.server.tables.hosting import EXPIRY, GIVEN_UP, LIVE_EXPIRY, PATIENCE, Hosting
from franchise.server.tables.new_table import NewTable
from franchise.server.tables.service import Tables
from franchise.server.tables.table import Table
from server.running_servers import ManualClock


def wanted(*kinds: str, **more: Any) -> NewTable:
    return NewTable.model_validate({"seats": [{"kind": kind} for kind in kinds], "order": "random", "seed": 7, **more})


async def two(tables: Tables, **more: Any) -> Table:
    """A game of Ann and Bob that has begun."""
    table, _ = await tables.create(wanted("human", "open", **more), "ann")
    return await tables.sit(table.id, 1, "Bob", "bob")


def seat_of(tables: Tables, table: Table, key: str) -> int:
    (seat,) = tables.cache.kept[table.id].held(key)
    return seat


async def test_a_host_frees_seats_fills_them_and_cancels_and_others_leave(tables: Tables) -> None:
    hosting = Hosting(tables)
    table, _ = await tables.create(wanted("human", "open", "open"), "ann")
    await tables.sit(table.id, 1, "Bob", "bob")
    for doing in (hosting.cancel(table.id, "bob"), hosting.free(table.id, 0, "bob"), hosting.begin(table.id, "bob")):
        with pytest.raises(NotYourSeat):
            await doing
    assert (await hosting.free(table.id, 1, "ann")).seats[1].open
    await tables.sit(table.id, 1, "Bob", "bob")
    assert (await hosting.leave(table.id, 1, "bob")).seats[1].open
    await tables.sit(table.id, 2, "Cara", "cara")
    begun = await hosting.begin(table.id, "ann", "newcomer")
    assert (begun.seating, sorted(seat.kind for seat in begun.seats)) == ("drawn", ["bot", "human", "human"])
    with pytest.raises(Refused):
        await hosting.cancel(table.id, "ann")
    other, _ = await tables.create(wanted("human", "open", public=True), "ann")
    assert (await hosting.cancel(other.id, "ann")).ending == "cancelled"
    assert other.id not in [summary.id for summary in (*await tables.open_tables(), *await tables.tables_of("ann"))]
    with pytest.raises(Ended):
        await hosting.cancel(other.id, "ann")
    empty, _ = await tables.create(wanted("human", "open"), "ann")
    assert (await hosting.leave(empty.id, 0, "ann")).ending == "cancelled"  # nobody is left


async def test_tables_nobody_comes_to_expire(tables: Tables, watch: ManualClock) -> None:
    hosting = Hosting(tables)
    live, _ = await tables.create(wanted("human", "open", clock={"kind": "live"}), "ann")
    slow, _ = await tables.create(wanted("human", "open"), "ann")
    playing = await two(tables)
    for passed, gone in ((LIVE_EXPIRY, {live.id}), (EXPIRY, {live.id, slow.id})):
        watch.forward(passed.total_seconds() + 60)
        await hosting.look()
        found = {table.id: await tables.get(table.id) for table in (live, slow, playing)}
        assert {name for name, table in found.items() if table.ending == "expired"} == gone


async def test_a_rematch_begins_with_whoever_accepts_it_and_no_clock_runs_before(
    tables: Tables, watch: ManualClock
) -> None:
    hosting = Hosting(tables)
    table = await two(tables, clock={"kind": "live", "minutes": 1, "increment": 0, "time_out": "end"})
    colours = {key: table.seats[seat_of(tables, table, key)].colour for key in ("ann", "bob")}
    await hosting.resign(table.id, "ann")
    offered = await hosting.rematch(table.id, "ann")
    assert (offered.undrawn, offered.to_move) == (True, None)
    watch.forward(3600)
    assert times(offered, watch()).running is None
    with pytest.raises(SeatTaken):
        await tables.sit(offered.id, seat_of(tables, offered, "bob"), "Eve", "eve")  # it is kept for Bob
    begun = await hosting.rematch(table.id, "bob")  # whoever asks second accepts
    assert (begun.id, begun.seating) == (offered.id, "drawn")
    assert {key: begun.seats[seat_of(tables, begun, key)].colour for key in ("ann", "bob")} == colours
    assert [round(left or 0) for left in times(begun, watch()).remaining] == [60, 60]
    await hosting.resign(begun.id, "bob")
    declined = await hosting.rematch(begun.id, "bob")
    seat = seat_of(tables, declined, "ann")
    declined = await hosting.decline(declined.id, "ann")
    assert declined.seats[seat].open
    assert (await tables.sit(declined.id, seat, "Eve", "eve")).seating == "drawn"


async def test_a_game_is_resigned_or_called_off_together(tables: Tables) -> None:
    hosting = Hosting(tables)
    table = await two(tables)
    loser = seat_of(tables, table, "bob")
    ended = await hosting.resign(table.id, "bob")
    assert (ended.over, ended.ending, ended.ended_seat) == (True, "resigned", loser)
    table = await two(tables)
    assert not (await hosting.vote(table.id, "ann", "abort")).over
    assert not (await hosting.vote(table.id, "ann", None)).over
    assert not (await hosting.vote(table.id, "bob", "abort")).over
    assert (await hosting.vote(table.id, "ann", "abort")).ending == "agreed"
    three, _ = await tables.create(wanted("human", "human", "open"), "ann")
    three = await tables.sit(three.id, 2, "Bob", "bob")
    away = (await hosting.resign(three.id, "bob")).seats[seat_of(tables, three, "bob")]
    assert (away.away, three.over) == (True, False)  # a bot plays on for the others


async def test_somebody_absent_is_nudged_and_then_a_bot_is_voted_in(tables: Tables, watch: ManualClock) -> None:
    hosting = Hosting(tables)
    table = await two(tables)
    assert table.to_move is not None
    absent = "ann" if seat_of(tables, table, "ann") == table.to_move.number else "bob"
    other = "bob" if absent == "ann" else "ann"
    for doing in (hosting.nudge(table.id, other), hosting.vote(table.id, other, "bot")):
        with pytest.raises(Refused):
            await doing
    watch.forward(PATIENCE.total_seconds() + 5)
    nudged = await hosting.nudge(table.id, other)
    with pytest.raises(Refused):
        await hosting.nudge(table.id, other)
    with pytest.raises(Refused):
        await hosting.vote(table.id, other, "bot")
    watch.forward(GIVEN_UP.total_seconds() + 5)
    voted = await hosting.vote(table.id, other, "bot")
    assert voted.seats[nudged.to_move.number].away  # type: ignore[union-attr]
    back = await tables.back(table.id, absent)
    assert not back.seats[seat_of(tables, back, absent)].away
