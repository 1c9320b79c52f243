"""Bots at tables: they think outside the event loop, and no table ever waits for one in vain."""

import asyncio
import logging
import sys
import threading
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from franchise.bots import Analysis, Cancelled, levels, preparation, registry
from franchise.bots.protocol import Budget
from franchise.engine.actions import ACTIONS, Action
from franchise.engine.setups import Options
from franchise.game import Game
from franchise.server.storage.sql_store import opened
from franchise.server.thinking import local_jobs as jobs
from franchise.server.wiring import store_of
from server.running_servers import PATIENCE, ApiPlayer, InProcessServer, until


@pytest.fixture(autouse=True)
def patient_server(monkeypatch: pytest.MonkeyPatch) -> None:
    """However busy the machine is, no bot is replaced because it takes long."""
    monkeypatch.setattr(jobs, "DEADLINE_S", PATIENCE)


async def test_bots_play_their_turns_one_move_a_version(server: InProcessServer) -> None:
    table = await server.create("human", "casual", "regular")
    found = await until(server.tables, table.id, lambda table: table.game.current_player == 0)
    assert [(change.version, change.seat, change.by_bot) for change in found.changes] == [
        (1, 2, True),
        (2, 1, True),
    ]
    await table.move()
    await table.play("done", "end")
    found = await until(server.tables, table.id, lambda table: table.game.turn == 4)
    assert {change.seat for change in found.changes[5:]} == {1, 2}
    assert all(change.by_bot for change in found.changes[5:])
    assert [change.version for change in found.changes] == list(range(1, found.version + 1))


async def test_a_game_of_bots_plays_itself_to_the_end(server: InProcessServer) -> None:
    table = await server.create("casual", "random", public=True)
    found = await until(server.tables, table.id, lambda table: table.over)
    assert Game.from_text((await server.client.get(f"{table.path}/record")).text).result() == found.game.result()
    assert (await server.client.get("/api/tables")).json()["live"] == []


# --- bots that do as the test says ---


class Stub:
    """A bot that does as the test says."""

    name = "stub"

    def __init__(self, choose: Callable[[Game], Action]) -> None:
        self.choosing = choose
        self.cancelled = threading.Event()

    def choose(self, game: Game) -> Action:
        return self.choosing(game)

    def analyse(self, game: Game, *, moves: int = 5) -> Analysis:
        raise NotImplementedError

    def cancel(self) -> None:
        self.cancelled.set()

    def close(self) -> None:
        self.cancelled.set()


@pytest.fixture
def stub(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[Game], Action]], Stub]:
    """Make a bot of the test's own one of ours, under the name `stub`: in this process."""

    def install(choose: Callable[[Game], Action]) -> Stub:
        made = Stub(choose)
        module = ModuleType("stub_bots")
        vars(module)["make_stub"] = lambda seed, budget: made
        monkeypatch.setitem(sys.modules, "stub_bots", module)
        monkeypatch.setitem(registry.BUILT_IN, "stub", ("stub_bots:make_stub", "as the test says"))
        return made

    return install


async def test_a_failing_bot_is_replaced_and_named_in_the_log(
    new_server: Any, stub: Any, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(game: Game) -> Action:
        raise RuntimeError("out of ideas")

    stub(fail)

    with caplog.at_level(logging.ERROR, "franchise.server.thinking.local_jobs"):
        async with new_server() as server:
            table = await server.create("human", "stub")
            found = await until(server.tables, table.id, lambda table: table.version == 1)
            assert found.changes[0].by_bot
    assert "the bot stub in seat 1" in caplog.text
    assert "out of ideas" in caplog.text


async def test_an_illegal_choice_counts_as_a_failure(
    new_server: Any, stub: Any, caplog: pytest.LogCaptureFixture
) -> None:
    stub(lambda game: ACTIONS[-1])

    with caplog.at_level(logging.ERROR, "franchise.server.thinking.local_jobs"):
        async with new_server() as server:
            table = await server.create("human", "stub")
            found = await until(server.tables, table.id, lambda table: table.version == 1)
            assert found.changes[0].text.startswith("start")
    assert "IllegalAction" in caplog.text


async def test_a_bot_that_never_answers_is_replaced(
    new_server: Any, stub: Any, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "DEADLINE_S", 0.05)

    def wait(game: Game) -> Action:
        made.cancelled.wait(PATIENCE)
        raise Cancelled

    made = stub(wait)

    with caplog.at_level(logging.ERROR, "franchise.server.thinking.local_jobs"):
        async with new_server() as server:
            table = await server.create("human", "stub")
            found = await until(server.tables, table.id, lambda table: table.version == 1)
            assert found.changes[0].by_bot
    assert made.cancelled.is_set()
    assert "TimeoutError" in caplog.text


async def test_a_bot_that_plays_before_the_search_is_compiled_has_time(
    new_server: Any, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "DEADLINE_S", -60)
    monkeypatch.setattr(jobs, "progress", lambda: 0.5)
    async with new_server() as server:
        table = await server.create("casual", "human", record=Game(2, options=Options(introductory=True)).to_text())
        await until(server.tables, table.id, lambda table: table.game.turn == 2)
    assert caplog.text == ""


async def test_a_bot_takes_over_in_the_middle_of_a_turn(server: InProcessServer) -> None:
    game = Game(2, 7)
    for move in ("start Memphis", "start Raleigh"):
        game.play(move)
    game.play(game.legal_actions()[0])

    table = await server.create("casual", "human", record=game.to_text())
    found = await until(server.tables, table.id, lambda table: table.game.turn == 2)
    assert found.changes[0].seat == 0
    assert (found.base, found.game.actions[:3]) == (3, game.actions)


async def test_requests_are_answered_while_a_bot_thinks_and_a_late_answer_is_dropped(
    server: InProcessServer, stub: Any
) -> None:
    """The bot thinks until its table has moved on without it: another process answered for it."""
    began, moved_on = threading.Event(), threading.Event()

    def think(game: Game) -> Action:
        began.set()
        assert moved_on.wait(PATIENCE)
        return game.legal_actions()[0]

    stub(think)

    table = await server.create("human", "stub")
    await asyncio.to_thread(began.wait, PATIENCE)
    assert (await table.get())["version"] == 0
    other = await server.create("human", "human")
    assert (await other.move()).status_code == 200
    last = Game(2, 7).legal_actions()[-1]
    assert await server.tables.play(table.id, 0, last) is not None
    assert await server.tables.play(table.id, 0, last) is None
    assert await server.tables.play(table.id, 1, last) is None  # a person's turn
    moved_on.set()
    await table.move()  # which waits for no bot
    found = await server.tables.get(table.id)
    assert found.changes[0].text == str(last)
    assert [change.by_bot for change in found.changes] == [True, False]


async def test_a_restart_while_a_bot_thinks_has_it_think_again(new_server: Any, stub: Any, database: str) -> None:
    def wait(game: Game) -> Action:
        began.set()
        made.cancelled.wait(PATIENCE)
        raise Cancelled

    began, made = threading.Event(), stub(wait)

    async with new_server() as server:
        table = await server.create("human", "stub")
        await asyncio.to_thread(began.wait, PATIENCE)
    stub(lambda game: game.legal_actions()[-1])
    async with opened(store_of(database)) as store:
        assert await store.waiting() == ((table.id, 0),)
    async with new_server() as server:
        found = await until(server.tables, table.id, lambda table: table.version == 1)
        assert found.changes[0].text == str(Game(2, 7).legal_actions()[-1])


async def test_bots_move_although_an_earlier_server_of_the_process_stopped_before_they_were_compiled(
    new_server: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(preparation._work, "ready", False)
    monkeypatch.setattr(preparation._work, "stopped", True)
    async with new_server() as server:
        table = await server.create("human", "random")
        await until(server.tables, table.id, lambda table: table.version == 1)


async def test_bots_draw_the_same_after_a_restart_and_not_the_same_every_turn(server: InProcessServer) -> None:
    table = await server.tables.get((await server.create("human", "human", "human")).id)
    later = await server.tables.get((await server.create("human", "human", "human")).id)
    assert jobs.turn_seed(7, table, 1) == jobs.turn_seed(7, later, 1)
    assert len({jobs.turn_seed(seed, table, seat) for seed in (7, 8) for seat in (0, 1)}) == 4


async def test_a_champion_thinks_on_while_a_person_decides_where_the_server_allows_it(
    new_server: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[levels.LevelBot] = []

    def champion(seed: int | None, budget: Budget) -> levels.LevelBot:
        made.append(levels.LevelBot(levels.CHAMPION, seed, Budget(None, 30)))
        return made[-1]

    monkeypatch.setattr(levels, "champion", champion)
    async with new_server(think_ahead=True) as server:
        table = await server.create("human", "champion")
        await until(server.tables, table.id, lambda table: table.game.current_player == 0)
        await table.move()
        await expand(table)
        await until(server.tables, table.id, lambda table: table.game.turn == 3)
        bots = len(made)
        ahead = local_jobs(server).ahead
        assert ahead is not None
        assert ahead.bot is made[-1]
        await asyncio.wait([ahead.thought], timeout=PATIENCE)
        assert all(tree.simulations() == 30 for tree in ahead.bot.trees)
        await expand(table)
        await until(server.tables, table.id, lambda table: table.game.turn == 5)
        assert len(made) == bots  # the same bot has played on
    async with new_server() as server:
        table = await server.create("human", "champion")
        await until(server.tables, table.id, lambda table: table.game.current_player == 0)
        await table.move()
        await expand(table)
        await until(server.tables, table.id, lambda table: table.game.turn == 3)
        assert local_jobs(server).ahead is None


async def expand(table: ApiPlayer) -> None:
    """A turn with an expansion and nothing else; if nobody expanded, the game could end."""
    await table.move()
    await table.play("done", "end")


def local_jobs(server: InProcessServer) -> jobs.LocalJobs:
    """The bots in threads of this process, over either database."""
    found = server.tables.jobs
    local = found if isinstance(found, jobs.LocalJobs) else getattr(found, "local", None)
    assert isinstance(local, jobs.LocalJobs)
    return local
