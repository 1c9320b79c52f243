"""People at a table beside playing: hosts, leaving, rematches that are offered, games that end by agreement."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

import recorded_games
from franchise.insight.turn_bounds import turn_starts
from franchise.server.people.ratings import places
from franchise.server.tables.clocks import times
from franchise.server.tables.errors import Ended, NotYourSeat, Refused, Resigned, SeatTaken, Stale
from franchise.server.tables.hosting import EXPIRY, GIVEN_UP, LIVE_EXPIRY, PATIENCE, Hosting
from franchise.server.tables.new_table import NewTable
from franchise.server.tables.service import Tables, exchanged
from franchise.server.tables.table import Clock, Seat, Table
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


async def three(tables: Tables, **more: Any) -> Table:
    """A game of Ann, Bob and Cy that has begun."""
    table, _ = await tables.create(wanted("human", "open", "open", **more), "ann")
    await tables.sit(table.id, 1, "Bob", "bob")
    return await tables.sit(table.id, 2, "Cy", "cy")


async def test_whoever_resigns_among_three_only_watches_and_the_last_one_wins(tables: Tables) -> None:
    hosting = Hosting(tables)
    table = await three(tables)
    assert table.to_move is not None
    first = next(key for key in ("ann", "bob", "cy") if seat_of(tables, table, key) == table.to_move.number)
    second, last = (key for key in ("ann", "bob", "cy") if key != first)
    lost = [seat_of(tables, table, key) for key in (first, second)]
    move = str(table.game.legal_actions()[0])
    left = await hosting.resign(table.id, first)
    assert (left.over, left.seats[lost[0]].resigned, left.seats[lost[0]].player) == (False, True, "regular")
    for doing in (
        tables.move(table.id, first, version=left.version, move=move, move_id="m"),
        hosting.vote(table.id, first, "abort"),
        hosting.resign(table.id, first),
    ):
        with pytest.raises((Resigned, Stale)):  # the bot may have moved by now
            await doing
    await tables.back(table.id, first)
    assert (await tables.get(table.id)).seats[lost[0]].resigned
    assert not [summary for summary in await tables.tables_of(first) if summary.your_turn]
    ended = await hosting.resign(table.id, second)
    assert (ended.over, ended.ending, ended.ended_seat) == (True, "resigned", lost[1])
    assert places(ended) == tuple(2 if seat in lost else 1 for seat in range(3))
    again = await hosting.rematch(table.id, last)
    assert sum(seat.asked for seat in again.seats) == 2  # both are asked to play again
    assert not any(seat.resigned for seat in again.seats)


async def test_a_game_against_bots_alone_is_over_when_somebody_resigns(tables: Tables) -> None:
    table, _ = await tables.create(wanted("human", "bot", "bot"), "ann")
    ended = await Hosting(tables).resign(table.id, "ann")
    assert (ended.over, ended.ending, ended.ended_seat) == (True, "resigned", seat_of(tables, table, "ann"))


def test_whoever_resigned_is_last_whatever_a_bot_made_of_the_seat() -> None:
    game = recorded_games.game("base-4")
    seats = tuple(Seat(number, "human", "", None, True) for number in range(4))
    at = datetime(2026, 1, 1, tzinfo=UTC)
    clock, starts = Clock(), turn_starts(game)
    table = Table("x", 0, game, seats, False, clock, at, at, len(game.actions), starts)
    by_rules = places(table)
    best, second = by_rules.index(1), by_rules.index(2)
    assert table.winners == (best,)
    resigned = replace(table, seats=exchanged(seats, replace(seats[best], resigned_at=at)))
    assert resigned.winners == (second,)
    assert places(resigned) == tuple(4 if seat == best else place - 1 for seat, place in enumerate(by_rules))


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
