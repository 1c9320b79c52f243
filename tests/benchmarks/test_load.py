"""franchise bench --web and --service: the figures of the web table and of the server."""

import asyncio
import json
import os
import socket
from pathlib import Path
from typing import Any

import pytest

from franchise.benchmarks import growth_bench as growth
from franchise.benchmarks import http_client, scripted_players
from franchise.benchmarks import service_bench as service
from franchise.benchmarks.figures import show_table
from franchise.benchmarks.http_client import Answer
from franchise.benchmarks.scripted_players import serving
from franchise.benchmarks.server_process import LoadError, read_address
from franchise.benchmarks.web_bench import WebPlan, measure_server, references
from waiting import PATIENCE


@pytest.fixture(autouse=True)
def patient_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Events may come late on a busy machine, but they come."""
    for module in (scripted_players, service):
        monkeypatch.setattr(module, "LATE_S", PATIENCE)


SHORT = ("bench", "--web", "--tables", 2, "--crowd", 3, "--seconds", 1, "--pace", 0.2)


@pytest.mark.parametrize(
    ("kind", "text", "found"),
    [
        ("text/html", '<link rel="icon" href="/a.svg"><script src="b.js"></script><a href="/c">', ["/a.svg", "b.js"]),
        ("text/html", '<link rel="next" href="/other"><script>inline()</script>', []),
        ("text/css", '@font-face { src: url("f.woff2") } a { background: url(data:x) }', ["f.woff2"]),
        ("text/javascript", 'import { a } from "./a.js";\nimport "/b.js";\nconst c = "./c.js";', ["./a.js", "/b.js"]),
        ("font/woff2", "url(x)", []),
    ],
)
def test_everything_a_browser_loads_with_a_page_is_found(kind: str, text: str, found: list[str]) -> None:
    assert references(Answer(200, {"content-type": kind}, text.encode(), 0)) == found


@pytest.mark.parametrize(
    "address", ["http://192.0.2.1:8000", "https://127.0.0.1:1", "127.0.0.1:8000", "http://example.org"]
)
def test_only_servers_on_this_machine_are_measured(address: str, run: Any) -> None:
    with pytest.raises(LoadError, match="is not a server on this machine"):
        read_address(address)
    code, out, err = run("bench", "--web", "--address", address)
    assert (code, out) == (1, "")
    assert err.splitlines()[-1].startswith(f"franchise bench: {address!r} is not a server on this machine")


def test_a_short_run_has_every_figure_and_loses_no_event(run: Any) -> None:
    code, out, err = run(*SHORT, "--json")
    assert code == 0, err
    figures = json.loads(out)
    for key in ("board", "parts", "disk", "move", "page_move", "scene", "crowd_event", "crowd_move"):
        assert 0 < figures[key]["median"] <= figures[key]["p95"] <= figures[key]["max"]
    for key in ("first_load_start", "first_load_table", "move_per_s", "page_move_per_s", "crowd_per_s"):
        assert figures[key]["value"] > 0
    assert figures["first_load_table_requests"]["value"] > figures["first_load_start_requests"]["value"] > 3
    assert {key: row["limit"] for key, row in figures.items() if row["limit"] is not None} == {
        "first_load_start": 200,
        "first_load_table": 200,
        "board": 10,
        "move": 40,
        "move_processor": 1.2,
        "page_move": 15,
        "page_move_processor": 3,
        "crowd_missing": 0,
    }
    assert figures["crowd_events"]["value"] > 0
    assert figures["crowd_events"]["value"] % 2 == 0  # two pages at each table
    assert figures["crowd_missing"]["value"] == 0
    if Path("/proc/self/status").exists():
        assert figures["memory"]["value"] > 0
        assert figures["request_processor"]["value"] is not None


async def test_the_start_of_a_server_is_timed_to_its_first_page() -> None:
    started: list[str] = []
    figure = await service.measure_start(started.append, 1)
    assert len(started) == 2  # the first makes sure that kernels are in the cache, and does not count
    assert (figure.limit, figure.limited, figure.unit) == (1.2, "median", "s")
    assert all(figure.values.values())
    assert figure.values["median"] == figure.values["min"] == figure.values["max"]  # of one


@pytest.mark.usefixtures("cluster")
def test_one_server_and_two_over_postgresql_are_measured_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "WARM_S", 0.1)
    plan = service.ServicePlan(tables=16, streams=16, seconds=1, rate=60, postgres=True)
    figures = {figure.key: figure for figure in service.measure(plan, lambda _: None)}
    for key in ("one_steady", "one_rush", "two_steady", "two_rush"):
        assert figures[f"{key}_moves_per_s"].values["value"] > 0
        assert 0 < figures[f"{key}_answer"].values["median"] <= figures[f"{key}_answer"].values["p99"]
        assert figures[f"{key}_missing"].values["value"] == 0


async def test_a_run_that_is_ended_ends_its_server() -> None:
    pids: list[int] = []

    async def ended() -> None:
        async with serving(lambda _: None) as server:
            assert server.pid is not None
            os.kill(server.pid, 0)  # it is there
            pids.append(server.pid)
            raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        await ended()
    with pytest.raises(ProcessLookupError):
        os.kill(pids[0], 0)


async def test_a_server_that_does_not_answer_is_one_line() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # and nobody listens
        address = f"http://127.0.0.1:{taken.getsockname()[1]}"
        with pytest.raises(LoadError, match=f"the server at {address} does not answer"):
            await measure_server(WebPlan(), read_address(address), lambda _: None)
        with pytest.raises(LoadError, match=rf"a server \({address}\) does not answer"):
            await asyncio.to_thread(service.measure, service.ServicePlan(addresses=(address,)), lambda _: None)


async def test_a_server_that_refuses_is_one_line_and_its_connection_is_closed() -> None:
    closed = asyncio.Event()

    async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 5\r\n\r\nlater")
        while await reader.read(4096):
            pass
        closed.set()
        writer.close()

    async with await asyncio.start_server(refuse, "127.0.0.1", 0) as server:
        address = read_address(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}")
        with pytest.raises(LoadError, match="a new table was answered with 503: later"):
            await measure_server(WebPlan(), address, lambda _: None)
        await closed.wait()


def test_a_server_over_many_games_is_measured(run: Any) -> None:
    code, out, err = run("bench", "--scale", "--games", 50, "--running", 5, "--seconds", 0.5, "--json")
    assert code == 0, err
    figures = json.loads(out)
    for key in ("start", "pickup", "move", "bytes"):
        assert figures[f"scale_{key}"]["value"] > 0
    limits = {key: row["limit"] for key, row in figures.items() if row["limit"] is not None}
    assert limits == {"scale_bytes": 3000, "scale_start": 3, "scale_idle": 2, "scale_pickup": 1}


def test_a_server_with_more_and_more_tables_is_measured(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(scripted_players, "QUIET_S", 1)  # only figures that mean something need a server at rest
    monkeypatch.setattr(http_client, "IDLE_S", 0.0)  # every connection was idle for too long, as between people's moves
    plan = growth.GrowthPlan(seconds=1.0, sizes=(2, 4), pace=0.2)
    figures = {figure.key: figure for figure in growth.measure(plan, lambda _: None)}
    for size in plan.sizes:
        assert figures[f"growth_{size}_moves_per_s"].values["value"] > 0
        assert 0 < figures[f"growth_{size}_answer"].values["median"] <= figures[f"growth_{size}_answer"].values["p99"]
        assert figures[f"growth_{size}_missing"].values["value"] == 0
    show_table("growth", list(figures.values()))
    assert capsys.readouterr().out.count("kept") == len(plan.sizes)  # no event is missing; nothing else has a limit
