"""Tables: what pages and routes build upon, over a real database."""

import asyncio
import random
from functools import partial
from importlib.resources import files
from typing import Any

import pytest

from franchise import Game, IllegalAction, Options
from franchise.server.tables.errors import NothingToUndo, NotRead, NotYourSeat, Refused, SeatTaken, Stale
from franchise.server.tables.hosting import Hosting
from franchise.server.tables.new_table import NewTable, options_again
from franchise.server.tables.service import Tables
from franchise.server.tables.stored import NOT_DUE, Conflict, Entry, StoredSeat, settle
from franchise.server.tables.table import Change, Seat, Table
from server.running_servers import until

SAMPLE = files("franchise.web") / "static" / "sample.franchise"


def wanted(*kinds: str, **more: Any) -> NewTable:
    return NewTable.model_validate({"seats": [{"kind": kind} for kind in kinds], "seed": 7, **more})


# --- holding seats ---


async def test_a_holder_plays_several_seats(tables: Tables) -> None:
    table, tokens = await tables.create(wanted("human", "human", "open"), "browser")
    assert await tables.held(table.id, "browser") == {0, 1}
    assert await tables.held(table.id, tokens[1]) == {1}
    assert await tables.held(table.id, "somebody") == await tables.held(table.id, None) == frozenset()
    table = await tables.sit(table.id, 2, "Cy", "browser")
    assert await tables.held(table.id, "browser") == {0, 1, 2}
    for number in range(3):
        move = str(table.game.legal_actions()[0])
        table = await tables.move(table.id, "browser", version=number, move=move, move_id=f"{number}")
    assert [change.seat for change in table.changes] == [2, 1, 0]


async def test_sitting_again_changes_the_name_and_a_left_seat_is_open(tables: Tables) -> None:
    table, _ = await tables.create(wanted("human", "open"))
    await tables.sit(table.id, 1, "Bob", "browser")
    table = await tables.sit(table.id, 1, "Rob", "browser")
    assert (table.seats[1].name, table.game.names) == ("Rob", ("", "Rob"))
    with pytest.raises(SeatTaken):
        await tables.sit(table.id, 1, "Eve", "other")
    table = await Hosting(tables).leave(table.id, 1, "browser")
    assert (table.seats[1].open, table.seats[1].name) == (True, "")
    assert (await tables.sit(table.id, 1, "Eve", "other")).seats[1].name == "Eve"
    with pytest.raises(NotYourSeat):
        await Hosting(tables).leave(table.id, 1, "browser")


async def test_an_open_seat_does_not_keep_the_others_from_playing(tables: Tables) -> None:
    table, tokens = await tables.create(wanted("open", "human"))
    table = await tables.move(table.id, tokens[1], version=0, move="start Memphis", move_id="a")
    assert table.to_move is not None
    assert table.to_move.open
    with pytest.raises(NotYourSeat):
        await tables.move(table.id, tokens[1], version=1, move="start Raleigh", move_id="b")


async def test_my_tables_say_where_it_is_my_turn(tables: Tables) -> None:
    first, _ = await tables.create(wanted("human", "open"), "browser")
    second, _ = await tables.create(wanted("open", "human", options={"boom": True}), "browser")
    await tables.create(wanted("human", "human"), "other")
    mine = await tables.tables_of("browser")
    assert [(summary.id, summary.your_turn) for summary in mine] == [(second.id, True), (first.id, False)]
    assert [summary.options for summary in mine] == [Options(boom=True), Options()]
    assert mine[0].open_seats == (0,)
    await tables.move(second.id, "browser", version=0, move="start Memphis", move_id="a")
    assert not (await tables.tables_of("browser"))[0].your_turn


# --- memory and database ---


async def test_a_table_rebuilt_from_its_rows_equals_the_one_in_memory(new_tables: Any) -> None:
    async with new_tables() as tables:
        chance = random.Random(2)
        table, _ = await tables.create(wanted("human", "human", "human", options={"milestones": True}), "browser")
        for number in range(60):
            if number % 7 == 5 and table.made:
                table = await tables.undo(
                    table.id, "browser", version=table.version, move_id=f"u{number}", turn=number % 2 == 0
                )
            allowed = table.game.legal_actions()
            move = str(chance.choice([action for action in allowed if action.verb != "done"] or allowed))
            table = await tables.move(table.id, "browser", version=table.version, move=move, move_id=f"m{number}")
        assert any(change.kind == "undo" for change in table.changes)

    async with new_tables() as tables:
        again = await tables.get(table.id)
        assert again == table
        assert again.game.state.tobytes() == table.game.state.tobytes()
        for version in range(table.version + 1):
            earlier = again.at(version)
            assert (earlier.version, len(earlier.changes)) == (version, version)
            assert earlier == table.at(version)
        assert [later.version for later in again.since(10)] == list(range(11, table.version + 1))
        assert list(again.since(10))[-1] == table
        standing = [again.changes[version - 1].text for version in again.standing]
        assert standing == [str(action) for action in again.game.actions]
        assert len(again.standing) < sum(change.kind == "move" for change in again.changes)  # some were taken back


async def test_a_table_forgotten_by_memory_is_the_same(tables: Tables) -> None:
    table, _ = await tables.create(wanted("human", "human"), "browser")
    table = await tables.move(table.id, "browser", version=0, move="start Memphis", move_id="a")
    tables.cache.kept.clear()
    assert await tables.get(table.id) == table


async def test_two_processes_over_one_file_see_each_others_moves_and_never_double_one(new_tables: Any) -> None:
    async with new_tables() as here, new_tables() as other:
        table, _ = await here.create(wanted("human", "human"), "browser")
        assert (await other.get(table.id)).version == 0
        await here.move(table.id, "browser", version=0, move="start Memphis", move_id="a")
        assert (await other.get(table.id)).version == 1
        results = await asyncio.gather(
            here.move(table.id, "browser", version=1, move="start Raleigh", move_id="b"),
            other.move(table.id, "browser", version=1, move="start Raleigh", move_id="b"),
        )
        assert [result.version for result in results] == [2, 2]
        results = await asyncio.gather(
            here.move(table.id, "browser", version=2, move="done", move_id="c"),
            other.move(table.id, "browser", version=2, move="done", move_id="d"),
            return_exceptions=True,
        )
        assert sum(isinstance(result, Stale) for result in results) == 1
        assert (await here.get(table.id)).version == (await other.get(table.id)).version == 3
        await here.undo(table.id, "browser", version=3, move_id="e")
        assert (await other.move(table.id, "browser", version=4, move="done", move_id="f")).version == 5
        with pytest.raises(Stale):
            await here.move(table.id, "browser", version=4, move="done", move_id="g")


def append(tables: Tables, entry: Entry) -> "asyncio.Future[int]":
    written: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    tables.store.append(entry, partial(settle, written))
    return written


async def test_the_database_refuses_a_change_for_an_older_version(tables: Tables) -> None:
    table, _ = await tables.create(wanted("human", "human"))
    change = Change(1, "move", 1, "start Memphis", table.created_at, "a")
    await append(tables, Entry(table.id, change, 0, 0, False))
    with pytest.raises(Conflict):
        await append(tables, Entry(table.id, change, 0, 0, False))
    again = Change(2, "move", 0, "start Reno", table.created_at, "a")
    with pytest.raises(Conflict):  # the same move_id for the next version
        await append(tables, Entry(table.id, again, 0, 0, False))
    seat = StoredSeat(Seat(0, "human", "somebody else", None, True))
    with pytest.raises(Conflict):
        await tables.store.change_seats(table.id, 0, [seat], table.created_at, NOT_DUE)
    found = await tables.get(table.id)
    assert (found.version, found.seats[0].name) == (1, "")


async def test_changes_that_are_written_together_see_one_another(tables: Tables) -> None:
    here, _ = await tables.create(wanted("human", "human"))
    other, _ = await tables.create(wanted("human", "human"))

    def entry(table: str, version: int, move: str, name: str) -> Entry:
        return Entry(table, Change(version, "move", 0, move, here.created_at, name), 0, 0, False)

    asked = [
        entry(here.id, 1, "start Memphis", "a"),
        entry(other.id, 1, "start Pueblo", "a"),
        entry(here.id, 2, "start Raleigh", "b"),
        entry(here.id, 2, "start Raleigh", "c"),  # somebody was quicker
        entry(other.id, 2, "start Memphis", "a"),  # the name was used
        entry("nowhere", 1, "start Memphis", "a"),
        entry(here.id, 3, "done", "d"),
    ]
    outcomes = await asyncio.gather(*[append(tables, each) for each in asked], return_exceptions=True)
    found = ["conflict" if isinstance(outcome, Conflict) else outcome for outcome in outcomes]
    assert found == [1, 1, 2, "conflict", "conflict", "conflict", 3]
    assert [change.text for change in (await tables.get(here.id)).changes] == [
        "start Memphis",
        "start Raleigh",
        "done",
    ]
    assert (await tables.get(other.id)).version == 1


async def test_memory_catches_up_with_what_another_server_wrote(new_tables: Any, monkeypatch: Any) -> None:
    async with new_tables() as here, new_tables() as other:
        table, _ = await here.create(wanted("human", "human"), "browser")
        await other.get(table.id)
        for version, move in enumerate(("start Memphis", "start Raleigh", "done")):
            await here.move(table.id, "browser", version=version, move=move, move_id=move)
        assert other.cache.known(table.id, 0) is not None

        async def silent(_: object) -> None:
            raise NotRead

        with monkeypatch.context() as patch:
            patch.setattr(other.store, "news", silent)
            await other.cache.catch_up({table.id: 3})
        await other.cache.catch_up({table.id: 3, "unknown": 1})
        assert not other.cache.loading
        caught = other.cache.known(table.id, 3)
        assert caught is not None
        assert caught.game == (await here.get(table.id)).game
        await here.say(table.id, "browser", "hello")  # nothing that a revision counts
        await other.cache.catch_up({table.id: 3})
        assert other.cache.known(table.id, 3) is caught


async def test_what_is_written_stays_written_when_the_asker_goes_away(tables: Tables) -> None:
    table, _ = await tables.create(wanted("human", "human"), "browser")
    moving = asyncio.create_task(tables.move(table.id, "browser", version=0, move="start Memphis", move_id="a"))
    while not tables.writing:
        await asyncio.sleep(0)
    moving.cancel()
    await until(tables, table.id, lambda table: table.version == 1)
    with pytest.raises(asyncio.CancelledError):
        await moving


# --- moves that go together ---


async def begun(tables: Tables) -> Table:
    """Two friends at the first turn of the game."""
    table, _ = await tables.create(wanted("human", "human"), "browser")
    for version, move in enumerate(("start Memphis", "start Raleigh")):
        table = await tables.move(table.id, "browser", version=version, move=move, move_id=move)
    return table


async def test_moves_that_go_together_are_one_change_shown_and_undone_as_one(new_tables: Any) -> None:
    async with new_tables() as tables:
        table = await begun(tables)
        before = table.game.state.tobytes()
        expansion = str(table.game.legal_actions()[0])
        table = await tables.move(table.id, "browser", version=2, move=f"{expansion};DONE", move_id="a")
        assert (table.version, table.changes[-1].text, table.made) == (3, f"{expansion}; done", 2)
        table = await tables.undo(table.id, "browser", version=3, move_id="b")
        assert (table.version, table.changes[-1].text, table.game.state.tobytes()) == (4, "2", before)
        table = await tables.move(table.id, "browser", version=4, move=f"{expansion}; done; end", move_id="c")
        assert (table.version, table.game.current_player, len(table.game.actions)) == (5, 1, 5)
        again = await tables.move(table.id, "browser", version=4, move=f"{expansion}; done; end", move_id="c")
        assert again == table

    async with new_tables() as tables:
        assert await tables.get(table.id) == table


async def test_growth_is_taken_back_in_one_change_and_what_other_clicks_did_stays_a_step_each(new_tables: Any) -> None:
    played = Game.from_text(SAMPLE.read_text(encoding="utf-8"))
    moves = next(
        number
        for number in range(40, 200)
        if played.at(number).phase == "grow" and len(played.at(number).legal_actions()) > 3
    )
    game = played.at(moves - 1)
    first, second, third = (str(action) for action in played.at(moves).legal_actions()[:3])
    cities = [move.removeprefix("grow ") for move in (first, second, third)]

    def growth(*places: str) -> Any:
        return lambda action: action.verb == "grow" and action.where in places

    async with new_tables() as tables:
        new = wanted(*["human"] * game.players, record=game.to_text())
        table, _ = await tables.create(new, "browser")
        change = partial(tables.move, table.id, "browser")
        for version, move in enumerate((f"done; {first}", second, third)):
            table = await change(version=version, move=move, move_id=move)
        table = await tables.take_back(table.id, "browser", version=3, move_id="back", chosen=growth(cities[0]))
        assert (table.version, table.changes[-1].took_back, table.changes[-1].moves) == (4, 3, f"{second}; {third}")
        assert [str(action) for action in table.game.actions[moves - 1 :]] == ["done", second, third]
        for left in (["done", second], ["done"], []):  # each click was a step, and still is
            table = await tables.undo(table.id, "browser", version=table.version, move_id=f"undo {len(left)}")
            assert [str(action) for action in table.game.actions[moves - 1 :]] == left
        table = await change(version=table.version, move=f"done; {first}", move_id="again")
        table = await tables.take_back(
            table.id, "browser", version=table.version, move_id="all", chosen=growth(cities[0])
        )
        assert table.game.state.tobytes() == game.state.tobytes()  # the step to market share went with it
        with pytest.raises(NothingToUndo):
            await tables.take_back(table.id, "browser", version=table.version, move_id="none", chosen=growth(cities[0]))
    async with new_tables() as tables:
        assert await tables.get(table.id) == table


@pytest.mark.parametrize(
    "moves", ["done; expand Nowhere 3", "done; end; done", "done; done", "done;", "; ".join(["cash"] * 9)]
)
async def test_of_moves_that_go_together_all_are_made_or_none(tables: Tables, moves: str) -> None:
    table = await begun(tables)
    with pytest.raises(IllegalAction):
        await tables.move(table.id, "browser", version=2, move=moves, move_id="a")
    assert await tables.get(table.id) == table
    tables.cache.kept.clear()
    assert await tables.get(table.id) == table


# --- again ---


NEW = [f"N{number}" for number in range(1, 11)]
KEPT = {
    "plain": Options(),
    "arranged": Options(expert="arranged", city_tiles={"Phoenix": 4, "Denver": 5}),
    "chosen": Options(regions="chosen", chosen_tiles=NEW),
    "drafted": Options(expert="draft", regions="chosen", chosen_tiles=NEW, milestones=True),
}


@pytest.mark.parametrize("what", KEPT)
def test_a_rematch_keeps_what_was_chosen(what: str) -> None:
    setup = Game(4, 1, KEPT[what]).setup
    again = Game(4, 2, options_again(setup)).setup
    assert again.options == setup.options
    assert again.city_tiles == setup.city_tiles
    tiles = {*setup.region_tiles.values(), *setup.draft_tiles}
    assert {*again.region_tiles.values(), *again.draft_tiles} == tiles


async def test_names_are_what_a_record_can_hold(tables: Tables) -> None:
    table, _ = await tables.create(wanted("human", "open"))
    for name in ("x" * 41, "a\tb", "\x00"):
        with pytest.raises(Refused):
            await tables.sit(table.id, 1, name, "browser")
    table = await tables.sit(table.id, 1, "  José # 'Pepe' <b> ", "browser")
    assert table.seats[1].name == "José # 'Pepe' <b>"
    assert Game.from_text(table.game.to_text()).names == table.game.names


async def test_a_server_keeps_as_many_tables_in_memory_as_it_is_told_to(new_site: Any) -> None:
    async with new_site(tables_in_memory=1) as site:
        tables: Tables = site.tables
        two = NewTable.model_validate({"seats": [{"kind": "human"}] * 2})
        found = [(await tables.create(two, "host"))[0] for _ in range(2)]
        for table in found:
            assert (await tables.move(table.id, "host", version=0, move="start Memphis", move_id="a")).version == 1
            assert list(tables.cache.kept) == [table.id]
