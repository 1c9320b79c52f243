"""Games that were over long ago: one small record each, and everything about them still there."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from franchise.game import Game
from franchise.server.storage.archive import packed, unpacked
from franchise.server.tables.errors import Damaged
from franchise.server.tables.hosting import Hosting
from franchise.server.tables.new_table import NewTable
from franchise.server.tables.service import Tables
from franchise.server.tables.table import Change, Table
from recorded_games import game, record

LATER = timedelta(days=1)


async def played(tables: Tables, name: str = "introductory-2", last: int = 6) -> Table:
    """A table whose last moves were made there."""
    whole: Game = game(name)
    moves = len(whole.actions)
    seats = [{"kind": "human", "name": f"Player {seat}"} for seat in range(whole.players)]
    table, _ = await tables.create(
        NewTable.model_validate({"seats": seats, "record": record(name, moves - last)}), "host"
    )
    for number, action in enumerate(whole.actions[moves - last :]):
        table = await tables.move(table.id, "host", version=number, move=str(action), move_id=f"m{number}")
    assert table.over
    return table


def without_names(table: Table) -> Any:
    """What is kept of a table: the clients' names for moves are not, and times only to the millisecond."""
    changes = [replace(change, move_id=None, at=table.created_at) for change in table.changes]
    return changes, table.game, table.seats, table.version, table.standing, table.over, table.rematch


async def test_an_archived_game_is_what_it_was(tables: Tables) -> None:
    table, going_on = (
        await played(tables),
        (await tables.create(NewTable.model_validate({"seats": [{"kind": "human"}] * 2})))[0],
    )
    assert await tables.store.archive(table.changed_at, 10) == 0  # not old yet
    assert await tables.store.archive(tables.now() + LATER, 10) == 1
    assert await tables.store.archive(tables.now() + LATER, 10) == 0
    tables.cache.kept.clear()
    found = await tables.get(table.id)
    assert without_names(found) == without_names(table)
    assert abs(found.changed_at - table.changed_at) < timedelta(milliseconds=2)
    assert found.at(2).game == table.at(2).game
    assert await tables.store.finished(10) == (table.id,)
    assert (await Hosting(tables).rematch(table.id, "host")).version == 0
    assert (await tables.get(going_on.id)).version == 0


async def test_an_archive_that_cannot_be_read_is_damage(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    table = await played(tables)
    monkeypatch.setattr("franchise.server.storage.sql_store.packed", lambda changes, created_at: b"nothing of ours")
    await tables.store.archive(tables.now() + LATER, 10)
    tables.cache.kept.clear()
    with pytest.raises(Damaged):
        await tables.get(table.id)


def test_a_whole_game_is_small() -> None:
    whole, at = game("everything-5"), datetime(2030, 1, 1, tzinfo=UTC)
    changes = []
    for number, action in enumerate(whole.actions, 1):
        at += timedelta(seconds=number * 7919 % 61, milliseconds=number * 104729 % 1000)
        changes.append(Change(number, "move", number % 5, str(action), at, f"random-{number}", bool(number % 3)))
    data = packed(changes, changes[0].at)
    assert [replace(change, move_id=None) for change in changes] == list(unpacked(data, changes[0].at))
    assert len(data) < 2500
    assert unpacked(packed([], at), at) == ()
