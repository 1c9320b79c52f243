"""Limits: what is counted is bounded, forgotten when its time is over, and shared by all servers of a database."""

import asyncio
import time
from contextlib import ExitStack
from typing import Any

import pytest

from franchise.server.http import limits
from franchise.server.http.limits import STREAMS_OF_ADDRESS, Limits, Rate, address_of
from franchise.server.tables.errors import TooMany
from server.in_process_site import SQLITE_ONLY, InProcessSite, open_table
from waiting import eventually


class Clock:
    """The time, which a test lets pass."""

    now = 1_000_000.0 * 3600

    def __call__(self) -> float:
        return self.now


def tries(counted: Limits, rate: Rate, who: str = "somebody") -> int:
    """How often in a row something is allowed now."""
    for done in range(10 * rate.amount):
        try:
            counted.hit((rate,), "test", who)
        except TooMany:
            return done
    raise AssertionError("there is no limit")


def test_what_is_allowed_is_allowed_and_no_more() -> None:
    clock = Clock()
    counted = Limits(now=clock)
    assert tries(counted, Rate(20, 60)) == 20
    assert tries(counted, Rate(20, 60), "somebody else") == 20
    clock.now += 59
    assert tries(counted, Rate(20, 60)) == 0
    clock.now += 1 + 30  # half of the next window: half of the last one still counts
    assert tries(counted, Rate(20, 60)) == 10
    clock.now += 120
    assert tries(counted, Rate(20, 60)) == 20


@pytest.mark.parametrize("later", [0, 10, 59, 61, 75])
def test_whoever_waits_as_long_as_told_is_let_in(later: int) -> None:
    clock = Clock()
    counted = Limits(now=clock)
    tries(counted, Rate(7, 60))
    clock.now += later
    tries(counted, Rate(7, 60))
    with pytest.raises(TooMany) as refused:
        counted.hit((Rate(7, 60),), "test", "somebody")
    assert refused.value.seconds is not None
    clock.now += refused.value.seconds
    counted.hit((Rate(7, 60),), "test", "somebody")


def test_counts_are_forgotten_when_their_window_is_over() -> None:
    clock = Clock()
    counted = Limits(now=clock)
    for number in range(1000):
        counted.hit((Rate(5, 60), Rate(50, 3600)), "test", str(number))
    assert counted.counted == 2000
    clock.now += 120
    assert counted.counted == 1000
    clock.now += 7200
    assert counted.counted == 0


def test_no_more_is_kept_than_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MOST", 100)
    counted = Limits(now=Clock())
    for number in range(1000):
        counted.hit((Rate(5, 60),), "test", str(number))
    assert counted.counted == 100


def test_the_log_hears_when_a_limit_holds_but_not_every_time(caplog: pytest.LogCaptureFixture) -> None:
    clock = Clock()
    counted = Limits(now=clock)
    for _ in range(50):
        tries(counted, Rate(1, 3600))
    assert [record.getMessage() for record in caplog.records] == ["a limit holds (test): 1 refused so far"]
    clock.now += 61
    tries(counted, Rate(1, 3600))
    assert caplog.records[-1].getMessage() == "a limit holds (test): 51 refused so far"


@SQLITE_ONLY
async def test_tables_that_do_not_exist_leave_nothing_behind(site: InProcessSite) -> None:
    site.stop_limits_clock()
    visitor = await site.visitor()
    counted: Limits = site.app.state.limits
    order = {"version": 0, "move": "done", "move_id": "x"}
    await visitor.post("/api/tables/made-up/moves", json=order)
    before = counted.counted
    for number in range(100):
        assert (await visitor.post(f"/api/tables/made-up-{number}/moves", json=order)).status_code in (401, 404)
    assert counted.counted == before
    table = await open_table(visitor, "me", "guest")
    before = counted.counted
    await visitor.post(f"/api/tables/{table}/moves", json=order)
    assert counted.counted == before + 1


@SQLITE_ONLY
async def test_an_id_longer_than_any_is_refused_before_anything_looks_at_it(site: InProcessSite) -> None:
    visitor = await site.visitor()
    for path in (f"/api/tables/{'x' * 60_000}/moves", f"/t/{'x' * 5000}", f"/people/{'x' * 2000}", f"/?{'x' * 9000}"):
        answer = await visitor.post(path, json={}) if path.endswith("moves") else await visitor.get(path)
        assert (answer.status_code, answer.json()["error"]) == (400, "malformed")
    assert site.app.state.limits.counted == 0


@pytest.mark.parametrize("database", ["postgres"], indirect=True)
async def test_servers_over_one_database_share_their_limits(new_site: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "SHARED_S", 0.01)
    wrong = {"name": "x", "password": "y"}
    async with new_site(servers=2) as (first, second):
        hour = time.time()
        for site in (first, second):
            site.app.state.limits.now = lambda: hour  # no hour ends while this runs
        here, there = await first.visitor(), await second.visitor()
        for _ in range(10):
            assert (await here.post("/register", data=wrong)).status_code == 422
        counted: Limits = second.app.state.limits
        async with asyncio.timeout(60):
            for _ in range(9):  # alone it would allow ten
                if (await there.post("/register", data=wrong)).status_code == 429:
                    return
                await eventually(lambda: not counted.windows[limits.HOUR].unshared)  # it has told, and heard of others
        pytest.fail("it has not heard of what the other has counted")


@SQLITE_ONLY
async def test_a_request_counts_once_by_its_address_and_once_at_its_table(site: InProcessSite) -> None:
    site.stop_limits_clock()
    counted: Limits = site.app.state.limits
    visitor = await site.visitor()
    table = await open_table(visitor, "me", "me")
    for version, path in enumerate((f"/t/{table}/move", f"/api/tables/{table}/moves")):
        await visitor.post(path, data={"version": str(version), "moves": "start Reno"})
        found = {who: count for window in counted.windows.values() for who, count in window.current.items()}
        moves = {who: count for who, count in found.items() if who.startswith("move ")}
        assert moves == {"move address 127.0.0.1": version + 1, f"move table {table}": version + 1}


# --- streams ---


@SQLITE_ONLY
async def test_an_address_has_so_many_streams_and_no_more(site: InProcessSite) -> None:
    counted: Limits = site.app.state.limits
    table = await open_table(await site.visitor(), "me", "guest")
    with ExitStack() as stack:
        for _ in range(STREAMS_OF_ADDRESS):
            stack.enter_context(counted.stream("192.0.2.1", table))
        for path in (f"/api/tables/{table}/events", "/lobby/events"):
            answer = await (await site.visitor(address="192.0.2.1")).get(path)
            assert answer.status_code == 429
            assert int(answer.headers["retry-after"]) > 0
        counted.check_stream("192.0.2.2", table)
    counted.check_stream("192.0.2.1", table)
    assert not counted.streams


def test_a_table_has_so_many_streams_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "STREAMS_OF_TABLE", 3)
    counted = Limits()
    with ExitStack() as stack:
        for number in range(3):
            stack.enter_context(counted.stream(f"192.0.2.{number}", "table"))
        with pytest.raises(TooMany):
            counted.check_stream("192.0.2.9", "table")
        counted.check_stream("192.0.2.9", "another")


@pytest.mark.parametrize("said", ["foo:bar", "", "x" * 500, "1.2.3.4.5"])
def test_what_a_proxy_says_that_is_no_address_is_one_address(said: str) -> None:
    from starlette.requests import HTTPConnection

    assert address_of(HTTPConnection({"type": "http", "headers": [], "client": (said, 1)})) == "?"
