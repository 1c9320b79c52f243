"""Ratings: only finished, rated games between accounts count, once each; profiles and leaderboard show them."""

import asyncio
import itertools
import random
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest

from franchise.arena.rating_model import FIRST, Rating
from franchise.game import Game
from franchise.server.people.ratings import SCORING, moved
from franchise.server.tables.clocks import HOUR, times
from franchise.server.tables.errors import Refused
from franchise.server.tables.new_table import NewSeat, NewTable
from franchise.server.tables.seat_keys import Holder
from franchise.server.tables.service import Tables
from server.in_process_site import InProcessSite, move, notice, open_table

# Nobody expands in a whole round: the game is at a standstill and ends (RULES 2.20), before anybody has scored.
SHORT = ("start Memphis", "start Raleigh", "done", "end", "done", "end")


def until_somebody_scores(begun: Game) -> list[str]:
    """Moves by chance until a city or a region is scored, then nobody does anything any more; somebody wins."""
    for seed in itertools.count():
        game, chance, scored = begun.copy(), random.Random(seed), False
        while not game.over:
            legal = [str(action) for action in game.legal_actions()]
            text = next((text for text in ("end", "done") if scored and text in legal), None) or chance.choice(legal)
            scored |= any(event.kind in SCORING for event in game.play(text))
        if scored and len(game.result().winners) == 1:
            return list(map(str, game.actions))
    raise AssertionError("nobody ever wins")


async def rated_game(site: InProcessSite, first: httpx.AsyncClient, second: httpx.AsyncClient, **fields: str) -> str:
    """A short rated game in which somebody scores, settled."""
    table = await open_table(first, "me", "open", rated="1", **fields)
    assert (await second.post(f"/t/{table}/sit", data={"seat": "1"})).status_code == 303
    holders = []
    for name in ("Ann", "Bob"):
        account = await site.people.accounts.named(name)
        assert account is not None
        holders.append(account.holder)
    for version, text in enumerate(until_somebody_scores((await site.tables.get(table)).game)):
        seat = (await site.tables.get(table)).game.current_player
        await site.tables.move(table, holders[seat], version=version, move=text, move_id=str(version))
    assert (await site.tables.get(table)).over
    await settled(site)
    return table


async def passed_through(site: InProcessSite, first: httpx.AsyncClient, second: httpx.AsyncClient) -> str:
    """A rated game in which nobody does anything, settled."""
    table = await open_table(first, "me", "open", rated="1")
    assert (await second.post(f"/t/{table}/sit", data={"seat": "1"})).status_code == 303
    for text, who in zip(SHORT, (second, first, first, first, second, second), strict=True):
        current = (await site.tables.get(table)).game
        legal = [str(action) for action in current.legal_actions()]
        await move(who, site, table, text if text in legal else legal[0])
    assert (await site.tables.get(table)).over
    await settled(site)
    return table


async def settled(site: InProcessSite) -> None:
    """Wait until every result is written down."""
    while site.people.ratings.tasks:
        await asyncio.wait(site.people.ratings.tasks)


async def rating(site: InProcessSite, name: str) -> tuple[int, int]:
    player = await site.people.accounts.named(name)
    assert player is not None
    return player.rating, player.rated_games


async def test_a_finished_rated_game_moves_ratings_once(site: InProcessSite) -> None:
    ann, bob = await site.member("Ann"), await site.member("Bob")
    assert await rating(site, "Ann") == (1000, 0)
    table = await rated_game(site, ann, bob)
    live = await site.tables.cached(table)
    before = [await rating(site, name) for name in ("Ann", "Bob")]
    assert [games for _, games in before] == [1, 1]
    await site.people.ratings.settle(live)
    assert [await rating(site, name) for name in ("Ann", "Bob")] == before
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
    assert {leader["name"] for leader in leaders} == {"Ann", "Bob"}


async def test_a_game_that_nobody_played_is_not_rated(site: InProcessSite) -> None:
    """Else six moves of passing would make two newcomers surer of their ratings, again and again."""
    ann, bob = await site.member("Ann"), await site.member("Bob")
    table = await passed_through(site, ann, bob)
    assert await rating(site, "Ann") == await rating(site, "Bob") == (1000, 0)
    assert f"/t/{table}" in (await bob.get("/people/ann")).text  # it is in the history all the same


def test_a_tie_between_equals_moves_nothing() -> None:
    strong = Rating(30.0, 3.0)
    assert moved([FIRST, FIRST], [1, 1]) == [FIRST, FIRST]
    assert moved([strong] * 4, [1] * 4) == [strong] * 4
    weaker, stronger = moved([FIRST, strong], [1, 1])
    assert FIRST.mu < weaker.mu < stronger.mu < strong.mu
    assert (weaker.sigma, stronger.sigma) == (FIRST.sigma, strong.sigma)


async def test_the_same_two_count_less_and_less_within_a_day(site: InProcessSite) -> None:
    ann, bob = await site.member("Ann"), await site.member("Bob")
    steps = []
    for _ in range(3):
        before = (await rating(site, "Ann"))[0]
        await rated_game(site, ann, bob)
        steps.append(abs((await rating(site, "Ann"))[0] - before))
    assert steps[0] > 1.5 * steps[1] > 2 * steps[2] > 0
    account = await site.people.accounts.named("Ann")
    assert account is not None
    async with site.people.accounts.database.reader.connect() as connection:
        now = site.tables.now()
        bobs = await site.people.accounts.named("Bob")
        assert bobs is not None
        share = site.people.ratings._share
        assert await share(connection, [account.id, bobs.id], now) == 1 / 8
        assert await share(connection, [account.id, "somebody else"], now) == 1
        assert await share(connection, [account.id, bobs.id, "somebody else"], now) == pytest.approx((1 / 8 + 2) / 3)
        assert await share(connection, [account.id, bobs.id], now + timedelta(days=2)) == 1


async def test_an_unrated_game_is_in_the_history_and_moves_nothing(site: InProcessSite) -> None:
    ann = await site.member("Ann")
    guest = await site.visitor()
    table = await open_table(ann, "me", "open")
    await guest.post(f"/t/{table}/sit", data={"seat": "1", "name": "Gus <b>"})
    for text, who in zip(SHORT, (guest, ann, ann, ann, guest, guest), strict=True):
        current = (await site.tables.get(table)).game
        legal = [str(action) for action in current.legal_actions()]
        await move(who, site, table, text if text in legal else legal[0])
    await settled(site)
    assert await rating(site, "Ann") == (1000, 0)
    page = (await ann.get("/people/Ann")).text
    assert "Gus &lt;b&gt;" in page
    assert "<b>," not in page
    assert "Nobody has finished a rated game yet" in (await ann.get("/people")).text


async def test_a_rated_table_is_for_accounts_with_one_seat_each(site: InProcessSite) -> None:
    ann, guest = await site.member("Ann"), await site.visitor()
    form = {"players": "2", "seat0": "me", "seat1": "open", "rated": "1"}
    assert (await guest.post("/tables", data=form)).status_code == 422
    for wrong in ({"seat1": "regular"}, {"seat1": "guest"}, {"seed": "7"}):
        answer = await ann.post("/tables", data=form | wrong)
        assert answer.status_code == 422, wrong
        assert notice(answer)
    table = await open_table(ann, "me", "open", rated="1")
    assert (await guest.post(f"/t/{table}/sit", data={"seat": "1"})).status_code == 403
    assert (await ann.post(f"/t/{table}/sit", data={"seat": "1"})).status_code == 422


async def test_a_rated_table_has_no_hints(site: InProcessSite) -> None:
    ann, bob = await site.member("Ann"), await site.member("Bob")
    table = await open_table(ann, "me", "open", rated="1")
    await bob.post(f"/t/{table}/sit", data={"seat": "1"})
    for who in (ann, bob):
        assert "/hint" not in (await who.get(f"/t/{table}")).text
        assert (await who.post(f"/t/{table}/hint", data={"version": "0"})).status_code == 403
    assert (await ann.get(f"/api/tables/{table}")).json()["hints"] is False
    holder = Holder(("x" * 64,), "account")
    with pytest.raises(Refused, match="no hints"):
        await site.tables.create(
            NewTable(seats=[NewSeat(kind="human"), NewSeat(kind="open")], rated=True, hints=True), holder
        )


async def test_whoever_runs_out_of_time_at_a_rated_table_that_ends_has_lost(site: InProcessSite) -> None:
    ann, bob = await site.member("Ann"), await site.member("Bob")
    table = await open_table(ann, "me", "open", rated="1", clock="daily 1+0", time_out="end")
    await bob.post(f"/t/{table}/sit", data={"seat": "1"})
    early = await open_table(ann, "me", "open", rated="1", clock="daily 1+0", time_out="end")
    await bob.post(f"/t/{early}/sit", data={"seat": "1"})
    version = await two_turns_each(site, table)
    await forward(site.tables, 2 * HOUR)
    await site.tables.time_out(early, 0)  # before everybody has made two turns: nobody's fault
    await settled(site)
    assert {(await rating(site, name))[0] for name in ("Ann", "Bob")} == {1000}
    await site.tables.time_out(table, version)
    await settled(site)
    found = await site.tables.get(table)
    late = ("Ann", "Bob")[found.game.current_player]
    ratings = {name: (await rating(site, name))[0] for name in ("Ann", "Bob")}
    assert ratings[late] == min(ratings.values()) < max(ratings.values())
    page = (await ann.get(f"/t/{table}")).text
    assert "The game was ended" in page
    assert f"{late} has run out of time." in page
    left = times(found, site.tables.now()).remaining
    assert [bool(left[seat]) for seat in range(2)] == [name != late for name in ("Ann", "Bob")]
    for name in ("Ann", "Bob"):  # the record of the game can be had there
        profile = (await ann.get(f"/people/{name}")).text
        assert ("lost on time" if name == late else "won on time") in profile
        assert f'href="/api/tables/{table}/record"' in profile
    record = Game.from_text((await ann.get(f"/api/tables/{table}/record")).text)
    assert record.actions == found.game.actions


async def two_turns_each(site: InProcessSite, table: str) -> int:
    """Let Ann and Bob play until both have made two turns; the version then."""
    found = await site.tables.get(table)
    holders = [(await site.people.accounts.named(name)).holder for name in ("Ann", "Bob")]  # type: ignore[union-attr]
    while found.game.turn <= 4:
        legal = [str(action) for action in found.game.legal_actions()]
        move = next((text for text in legal if text.startswith("expand")), "end" if "end" in legal else legal[0])
        holder = holders[found.game.current_player]
        order = {"version": found.version, "move": move, "move_id": f"m{found.version}"}
        found = await site.tables.move(table, holder, **order)  # type: ignore[arg-type]
        if found.game.phase == "expand" and found.made:
            order = {"version": found.version, "move": "done", "move_id": f"m{found.version}"}
            found = await site.tables.move(table, holder, **order)  # type: ignore[arg-type]
    return found.version


async def forward(tables: Tables, seconds: float) -> None:
    tables.now = lambda: datetime.now(UTC) + timedelta(seconds=seconds)


async def test_results_that_were_not_written_down_are_after_a_restart(new_site: Any) -> None:
    async with new_site() as site:
        ann, bob = await site.member("Ann"), await site.member("Bob")
        site.tables.bus.everywhere.remove(site.people.ratings.hear)  # type: ignore[attr-defined] # as if the server had died at that moment
        await rated_game(site, ann, bob)
        assert await rating(site, "Ann") == (1000, 0)

    async with new_site() as site:
        await settled(site)
        assert (await rating(site, "Ann"))[1] == 1
