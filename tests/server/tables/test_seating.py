"""Who sits where: drawn when the game begins, with everybody in the colour they had (RULES 1.1)."""

import asyncio
from typing import Any

import pytest

from franchise import Game
from franchise.drawing import board_svg
from franchise.facts import COLOURS
from franchise.server.tables import hosting, service
from franchise.server.tables.errors import NotBegun
from franchise.server.tables.hosting import Hosting
from franchise.server.tables.new_table import NewTable
from franchise.server.tables.service import Tables
from franchise.server.tables.table import Table
from franchise.server.tables.table_json import state_values
from recorded_games import record


def wanted(*kinds: str, **more: Any) -> NewTable:
    return NewTable.model_validate({"seats": [{"kind": kind} for kind in kinds], "order": "random", "seed": 7, **more})


def seating(table: Table) -> list[tuple[str, str]]:
    return [(seat.name, seat.colour) for seat in table.seats]


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """What is drawn: who had that seat before, for each."""
    order = [2, 0, 1]
    for module in (service, hosting):
        monkeypatch.setattr(module, "drawn_order", lambda players, seed: order[:players])
    return order


async def test_nobody_moves_before_the_seats_are_drawn(tables: Tables, drawn: list[int]) -> None:
    table, tokens = await tables.create(wanted("human", "open", "bot"), "host")
    assert (table.seating, table.to_move) == ("undrawn", None)
    assert await tables.store.waiting() == ()
    for key in ("host", tokens[0]):
        with pytest.raises(NotBegun):
            await tables.move(table.id, key, version=0, move="start Memphis", move_id="a")
    assert state_values(table, frozenset({0, 1, 2}), tables.now())["legal"] == []
    assert not (await tables.tables_of("host"))[0].your_turn


async def test_the_last_to_come_starts_the_draw_and_everybody_keeps_colour_key_and_words(
    tables: Tables, drawn: list[int]
) -> None:
    table, _ = await tables.create(wanted("open", "open", "open"))
    await tables.sit(table.id, 0, "Ann", "ann")
    await tables.say(table.id, "ann", "hello")
    await tables.sit(table.id, 2, "Eve", "eve")
    assert [seat.colour for seat in (await tables.get(table.id)).seats] == list(COLOURS[:3])
    table = await tables.sit(table.id, 1, "Bob", "bob")
    assert table.seating == "drawn"
    assert seating(table) == [("Eve", "orange"), ("Ann", "blue"), ("Bob", "red")]
    assert [await tables.held(table.id, key) for key in ("eve", "ann", "bob")] == [{0}, {1}, {2}]
    assert [message.seat for message in await tables.messages(table.id)] == [1]
    assert await tables.sit(table.id, 1, "Bob", "bob") == table  # sent twice: Ann has that seat now
    table = await tables.move(table.id, "bob", version=0, move="start Memphis", move_id="a")
    assert table.game.view()["locations"]["Memphis"]["spaces"] == ["red"]
    assert 'data-colour="red"' in board_svg(table.game)
    stored = await tables.store.load(table.id)
    assert stored is not None
    assert [held.seat.colour for held in stored.seats] == ["orange", "blue", "red"]


async def test_a_bot_in_the_last_seat_begins_the_game(tables: Tables, drawn: list[int]) -> None:
    table, _ = await tables.create(wanted("human", "open"), "host")
    drawn[:] = [1, 0]
    table = await tables.fill(table.id, 1, "newcomer", "host")
    assert (table.seating, [seat.kind for seat in table.seats]) == ("drawn", ["bot", "human"])
    assert await tables.held(table.id, "host") == {1}


async def test_two_who_come_last_at_the_same_instant_begin_one_game(tables: Tables) -> None:
    for _ in range(4):
        table, _ = await tables.create(wanted("human", "open", "open"), "host")
        await asyncio.gather(tables.sit(table.id, 1, "Bob", "bob"), tables.sit(table.id, 2, "Eve", "eve"))
        table = await tables.get(table.id)
        assert table.seating == "drawn"
        assert sorted(seat.name for seat in table.seats) == ["", "Bob", "Eve"]
        assert sorted(seat.colour for seat in table.seats) == sorted(COLOURS[:3])


async def test_who_takes_a_seat_that_was_left_after_the_draw_cannot_choose_it(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, _ = await tables.create(wanted("human", "human", "human"), "host")
    for seat in (0, 1):
        await Hosting(tables).leave(table.id, seat, "host")
    monkeypatch.setattr(service.secrets, "choice", lambda free: free[-1])
    assert (await tables.sit(table.id, 0, "Bob", "bob")).seats[1].name == "Bob"
    assert await tables.held(table.id, "bob") == {1}


async def test_in_a_rematch_seats_are_drawn_and_colours_stay(tables: Tables, drawn: list[int]) -> None:
    table, _ = await tables.create(
        NewTable.model_validate({"seats": [{"kind": "human"}] * 3, "record": record("introductory-3")}), "host"
    )
    table = await Hosting(tables).rematch(table.id, "host")
    assert [seat.colour for seat in table.seats] == ["orange", "blue", "red"]
    assert [player["name"] for player in table.game.view()["players"]] == ["Orange", "Blue", "Red"]
    copy = table.game.copy()
    assert (copy.colours, copy.at(0).colours, Game.from_text(copy.to_text()).colours[:3]) == (
        ("orange", "blue", "red"),
        ("orange", "blue", "red"),
        COLOURS[:3],
    )
