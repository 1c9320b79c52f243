"""Ratings: only finished, rated games between accounts count, once each; profiles and leaderboard show them."""

import asyncio
from typing import Any

import httpx
import pytest

from franchise.server.tables.clocks import HOUR
from franchise.server.tables.errors import Refused
from franchise.server.tables.new_table import NewSeat, NewTable
from franchise.server.tables.seat_keys import Holder
from franchise.server.tables.service import Tables
from server.in_process_site import Town, move, notice, open_table

# Nobody expands in a whole round: the game is at a standstill and ends (RULES 2.20).
SHORT = ("start Memphis", "start Raleigh", "done", "end", "done", "end")


async def rated_game(town: Town, first: httpx.AsyncClient, second: httpx.AsyncClient, **fields: str) -> str:
    """A short rated game, settled."""
    table = await open_table(first, "me", "open", rated="1", **fields)
    assert (await second.post(f"/t/{table}/sit", data={"seat": "1"})).status_code == 303
    for text, who in zip(SHORT, (second, first, first, first, second, second), strict=True):
        current = (await town.tables.get(table)).game
        legal = [str(action) for action in current.legal_actions()]
        await move(who, town, table, text if text in legal else legal[0])
    assert (await town.tables.get(table)).over
    await settled(town)
    return table


async def settled(town: Town) -> None:
    """Wait until every result is written down."""
    while town.people.ratings.tasks:
        await asyncio.wait(town.people.ratings.tasks)


async def rating(town: Town, name: str) -> tuple[int, int]:
    one = await town.people.accounts.named(name)
    assert one is not None
    return one.rating, one.rated_games


def test_a_finished_rated_game_moves_ratings_once(visit: Any) -> None:
    async def scene(town: Town) -> str:
        ann, bob = await town.citizen("Ann"), await town.citizen("Bob")
        assert await rating(town, "Ann") == (1000, 0)
        table = await rated_game(town, ann, bob)
        live = await town.tables.cached(table)
        before = [await rating(town, name) for name in ("Ann", "Bob")]
        assert [games for _, games in before] == [1, 1]
        await town.people.ratings.settle(live)
        assert [await rating(town, name) for name in ("Ann", "Bob")] == before
        scores = live.table.game.result().scores
        if scores[0] != scores[1]:
            assert (before[0][0] > before[1][0]) == (scores[0] > scores[1])
        page = (await bob.get("/people")).text
        assert "Ann" in page
        assert str(before[0][0]) in page
        page = (await bob.get("/people/ann")).text
        assert f"/t/{table}" in page
        assert "2 players" in page
        assert 'href="/people/Bob"' in page
        assert page.count('class="chart"') == 1  # of the rating; one place makes no line
        leaders = (await bob.get("/api/leaderboard")).json()["leaders"]
        assert {one["name"] for one in leaders} == {"Ann", "Bob"}
        return table

    visit(scene)


def test_an_unrated_game_is_in_the_history_and_moves_nothing(visit: Any) -> None:
    async def scene(town: Town) -> None:
        ann = await town.citizen("Ann")
        guest = await town.visitor()
        table = await open_table(ann, "me", "open")
        await guest.post(f"/t/{table}/sit", data={"seat": "1", "name": "Gus <b>"})
        for text, who in zip(SHORT, (guest, ann, ann, ann, guest, guest), strict=True):
            current = (await town.tables.get(table)).game
            legal = [str(action) for action in current.legal_actions()]
            await move(who, town, table, text if text in legal else legal[0])
        await settled(town)
        assert await rating(town, "Ann") == (1000, 0)
        page = (await ann.get("/people/Ann")).text
        assert "Gus &lt;b&gt;" in page
        assert "<b>," not in page
        assert "Nobody has finished a rated game yet" in (await ann.get("/people")).text

    visit(scene)


def test_a_rated_table_is_for_accounts_with_one_seat_each(visit: Any) -> None:
    async def scene(town: Town) -> None:
        ann, guest = await town.citizen("Ann"), await town.visitor()
        form = {"players": "2", "seat0": "me", "seat1": "open", "rated": "1"}
        assert (await guest.post("/tables", data=form)).status_code == 422
        for wrong in ({"seat1": "regular"}, {"seat1": "guest"}, {"seed": "7"}):
            answer = await ann.post("/tables", data=form | wrong)
            assert answer.status_code == 422, wrong
            assert notice(answer)
        table = await open_table(ann, "me", "open", rated="1")
        assert (await guest.post(f"/t/{table}/sit", data={"seat": "1"})).status_code == 403
        assert (await ann.post(f"/t/{table}/sit", data={"seat": "1"})).status_code == 422

    visit(scene)


def test_a_rated_table_has_no_hints(visit: Any) -> None:
    async def scene(town: Town) -> None:
        ann, bob = await town.citizen("Ann"), await town.citizen("Bob")
        table = await open_table(ann, "me", "open", rated="1")
        await bob.post(f"/t/{table}/sit", data={"seat": "1"})
        for who in (ann, bob):
            assert "/hint" not in (await who.get(f"/t/{table}")).text
            assert (await who.post(f"/t/{table}/hint", data={"version": "0"})).status_code == 403
        assert (await ann.get(f"/api/tables/{table}")).json()["hints"] is False
        holder = Holder(("x" * 64,), "account")
        with pytest.raises(Refused, match="no hints"):
            await town.tables.create(
                NewTable(seats=[NewSeat(kind="human"), NewSeat(kind="open")], rated=True, hints=True), holder
            )

    visit(scene)


def test_whoever_runs_out_of_time_at_a_rated_table_that_ends_has_lost(visit: Any) -> None:
    async def scene(town: Town) -> None:
        ann, bob = await town.citizen("Ann"), await town.citizen("Bob")
        table = await open_table(ann, "me", "open", rated="1", clock="daily 1+0", time_out="end")
        await bob.post(f"/t/{table}/sit", data={"seat": "1"})
        await forward(town.tables, 2 * HOUR)
        await town.tables.time_out(table, 0)
        await settled(town)
        found = await town.tables.get(table)
        late = ("Ann", "Bob")[found.game.current_player]
        ratings = {name: (await rating(town, name))[0] for name in ("Ann", "Bob")}
        assert ratings[late] == min(ratings.values()) < max(ratings.values())
        page = (await ann.get(f"/t/{table}")).text
        assert "The game was ended" in page

    visit(scene)


async def forward(tables: Tables, seconds: float) -> None:
    from datetime import UTC, datetime, timedelta

    tables.now = lambda: datetime.now(UTC) + timedelta(seconds=seconds)


def test_results_that_were_not_written_down_are_after_a_restart(visit: Any) -> None:
    async def first(town: Town) -> None:
        ann, bob = await town.citizen("Ann"), await town.citizen("Bob")
        town.tables.bus.everywhere.remove(town.people.ratings.hear)  # type: ignore[attr-defined] # as if the server had died at that moment
        table = await open_table(ann, "me", "open", rated="1")
        await bob.post(f"/t/{table}/sit", data={"seat": "1"})
        for text, who in zip(SHORT, (bob, ann, ann, ann, bob, bob), strict=True):
            current = (await town.tables.get(table)).game
            legal = [str(action) for action in current.legal_actions()]
            await move(who, town, table, text if text in legal else legal[0])
        assert await rating(town, "Ann") == (1000, 0)

    visit(first)

    async def second(town: Town) -> None:
        await settled(town)
        assert (await rating(town, "Ann"))[1] == 1

    visit(second)
