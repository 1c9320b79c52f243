"""franchise storm: short ones, and that it would see what is wrong."""

import random
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlsplit

import pytest

from franchise.benchmarks.kill_test import KillPlan, misfits, run_kill_test
from franchise.benchmarks.persistent_players import Acknowledged, ContestedTable, PersistentClient, RequestCounts
from franchise.benchmarks.temporary_postgres import NoPostgres, programs
from franchise.game import Game

GOOD = "every acknowledged move is stored once, every record verifies, every stream is complete, every table continues"


def test_a_short_storm_over_sqlite(run: Any) -> None:
    code, out, err = run("storm", "--kills", 3, "--tables", 3, "--pace", 0.05, "--seed", 1)
    assert (code, err.strip()) == (0, "")
    first, *_, last = out.splitlines()
    assert first.startswith("3 kills in")
    assert first.endswith(": 1 frozen server, 1 locked file, 1 server")
    assert last == GOOD


async def test_a_short_storm_over_postgresql() -> None:
    try:
        programs()
    except NoPostgres as missing:
        pytest.skip(str(missing))
    reported: list[str] = []
    report = await run_kill_test(KillPlan(kills=3, tables=3, pace=0.05, seed=2, postgres=True), reported.append)
    assert report.lines()[3:] == [GOOD]
    kinds = {"frozen server", "frozen PostgreSQL", "held row"}  # what the seed draws
    assert set(report.kills) == kinds
    assert all(any(kind in line for line in reported) for kind in kinds)
    assert report.tally.acknowledged > 0
    assert report.changes >= report.tally.acknowledged


@pytest.fixture
def table() -> ContestedTable:
    """A table at which two moves were acknowledged, and a third one sent."""
    made = ContestedTable(
        PersistentClient([urlsplit("http://127.0.0.1:1")], random.Random(1), RequestCounts()), "t", {}, Game(2, 7)
    )
    made.sent = {"m0": "start Memphis", "m1": "start Raleigh", "m2": "done"}
    made.acknowledged = [
        Acknowledged(1, 1, "start Memphis", "m0", {}),
        Acknowledged(2, 0, "start Raleigh", "m1", {}),
    ]
    return made


def row(number: int, seat: int, text: str, move_id: str | None) -> Any:
    return SimpleNamespace(number=number, seat=seat, text=text, move_id=move_id, by_bot=move_id is None)


FIRST, SECOND = row(1, 1, "start Memphis", "m0"), row(2, 0, "start Raleigh", "m1")
WRONG = {
    "lost": ([FIRST], "the acknowledged move 2 (start Raleigh) is there 0 times"),
    "twice": ([FIRST, SECOND, row(3, 0, "start Raleigh", "m1")], "(start Raleigh) is there 2 times"),
    "another": ([FIRST, row(2, 0, "start Reno", "m1")], "the acknowledged move 2 (start Raleigh) is there as 2"),
    "a gap": ([FIRST, SECOND, row(4, 0, "done", "m2")], "its versions are [1, 2, 4]"),
    "of nobody": ([FIRST, SECOND, row(3, 0, "done", "x9")], "the change 3 (done) was made by nobody"),
}


@pytest.mark.parametrize("what", WRONG)
def test_what_does_not_fit_is_found(what: str, table: ContestedTable) -> None:
    rows, expected = WRONG[what]
    assert any(expected in problem for problem in misfits(table, rows))


def test_what_was_sent_and_not_acknowledged_may_be_there_or_not(table: ContestedTable) -> None:
    assert misfits(table, [FIRST, SECOND]) == []
    assert misfits(table, [FIRST, SECOND, row(3, 0, "done", "m2"), row(4, 1, "end", None)]) == []


async def test_a_stream_that_told_something_twice_or_left_it_out_is_found(table: ContestedTable) -> None:
    async def delivered(*versions: int) -> bool:
        table.followed = list(versions)
        return await table.delivered(3, 0.01)

    assert await delivered(1, 2, 3)
    assert not await delivered(1, 3)
    assert not await delivered(1, 2, 2, 3)
    assert not await delivered(1, 2)
