"""Reviews of games are made once, kept, stopped and limited."""

import asyncio
from pathlib import Path

import pytest

from franchise.bots import Cancelled
from franchise.insight import review as module
from franchise.insight.review import name_of
from franchise.server.storage.sql_store import opened
from franchise.server.tables.errors import Busy
from franchise.server.thinking import analyses as service
from franchise.server.thinking.analyses import Analyses
from franchise.server.wiring import store_of
from recorded_games import THROWN
from waiting import eventually


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Less thought than for people."""
    for name, number in (("SWEEP", 100), ("DEEP", 400), ("SUSPECTS", 3), ("ALTERNATIVES", 2)):
        monkeypatch.setattr(module, name, number)


async def test_a_review_is_made_once_and_found_by_another_server(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = []
    plain = service.reviewed
    monkeypatch.setattr(service, "reviewed", lambda work, game: made.append(1) or plain(work, game))
    short = THROWN.at(30)

    async with opened(store_of(database)) as store, opened(store_of(database)) as other:
        first, second = Analyses(store), Analyses(other)
        assert await first.find(short) is None
        await asyncio.gather(first.begin(short), first.begin(short))
        work = first.working(short)
        assert work is not None
        assert work.task is not None
        await work.task
        found = await first.find(short)
        assert found is not None
        await second.begin(short)
        assert second.working(short) is None, "there is nothing left to do"
        kept = await second.find(short)
        assert kept is not None
        assert kept.turning == found.turning
        await store.keep_analysis(name_of(short), "{}", service.datetime.now(service.UTC))
        assert await store.analysis(name_of(short)) == found.to_text(), "the first one stays"
        await first.close()
        await second.close()
    assert made == [1]


async def test_work_is_stopped_limited_and_begun_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "QUEUE", 2)
    monkeypatch.setattr(module, "SWEEP", 5000)  # takes its time

    async with opened(store_of(f"sqlite:///{tmp_path / 'franchise.db'}")) as store:
        analyses = Analyses(store)
        games = [THROWN.at(move) for move in (140, 141, 145)]
        await analyses.begin(games[0])
        await analyses.begin(games[1])
        with pytest.raises(Busy):
            await analyses.begin(games[2])
        running, waiting = analyses.working(games[0]), analyses.working(games[1])
        assert running is not None
        assert waiting is not None
        assert (running.waiting, waiting.waiting) == (0, 1)
        await eventually(lambda: running.done)
        analyses.cancel(games[0])
        assert running.task is not None
        await running.task
        assert analyses.working(games[0]) is None
        assert await analyses.find(games[0]) is None
        await analyses.begin(games[0])
        assert waiting.waiting == 0
        await analyses.close()
        assert not analyses.work


def test_a_review_has_a_time_to_keep_to(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "BUDGET_S", 0.0)
    with pytest.raises(Cancelled):
        service.reviewed(service.ReviewWork(), THROWN)
