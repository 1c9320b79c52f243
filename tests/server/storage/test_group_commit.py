"""Group commit: what waits is written together, and everybody hears what came of it."""

import asyncio
import threading
import time
from collections.abc import Sequence
from types import SimpleNamespace

import pytest

from franchise.server.storage import group_commit as module
from franchise.server.storage.group_commit import GroupCommit


async def test_what_comes_soon_after_a_commit_shares_the_next(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = threading.Event()  # until then the pause lasts
    clock = SimpleNamespace(monotonic=time.monotonic, sleep=lambda _: asked.wait())
    monkeypatch.setattr(module, "time", clock)
    batches: list[list[int]] = []

    def commit(asked: Sequence[int]) -> list[int | Exception]:
        batches.append(list(asked))
        return [ValueError(f"{question} is odd") if question % 2 else question // 2 for question in asked]

    def failing(_: int | Exception) -> None:
        raise RuntimeError("nobody minds")

    group_commit: GroupCommit[int, int] = GroupCommit(commit, pause=3600)
    assert await group_commit.ask(0) == 0
    group_commit.put(2, failing)  # does not keep the others from hearing
    answers = [group_commit.ask(number) for number in range(3, 8)]
    asked.set()
    outcomes = await asyncio.gather(*answers, return_exceptions=True)
    assert [str(outcome) for outcome in outcomes] == ["3 is odd", "2", "5 is odd", "3", "7 is odd"]
    await group_commit.close()
    assert batches == [[0], [2, 3, 4, 5, 6, 7]]
    assert "nobody minds" in caplog.text


async def test_a_commit_that_fails_is_told_to_all_of_it() -> None:
    def commit(_: Sequence[int]) -> list[int | Exception]:
        raise OSError("the disk is gone")

    group_commit: GroupCommit[int, int] = GroupCommit(commit)
    gone = group_commit.ask(1)
    gone.cancel()
    with pytest.raises(OSError, match="the disk is gone"):
        await group_commit.ask(2)
    await group_commit.close()
