"""What those who run a server can see: health, numbers, logs; and what they are told to set."""

import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from server.in_process_site import SQLITE_ONLY, InProcessSite
from server.running_servers import InProcessServer, ServerProcess, read_events
from waiting import wait_until

ROOT = Path(__file__).parents[3]


def numbers(text: str) -> dict[str, dict[tuple[str, ...], float]]:
    """The samples by name and labels."""
    found: dict[str, dict[tuple[str, ...], float]] = {}
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            found.setdefault(sample.name, {})[tuple(sample.labels.values())] = sample.value
    return found


async def test_a_server_says_that_it_is_well_and_counts(server: InProcessServer) -> None:
    guest = await server.create("human", "human")
    await guest.play("start Memphis")
    for path in ("/healthz", "/readyz"):
        assert (await server.client.get(path)).status_code == 200
    assert (await server.client.get("/api/tables/nowhere")).status_code == 404
    found = numbers((await server.client.get("/metrics")).text)
    assert found["franchise_changes_total"][("person", "move")] == 1
    assert found["franchise_request_seconds_count"][("api", "404")] == 1
    assert found["franchise_tables_in_memory"][()] == 1
    assert found["process_resident_memory_bytes"][()] > 0


@SQLITE_ONLY
async def test_a_database_that_cannot_be_written_is_not_ready_but_alive(site: InProcessSite, database: str) -> None:
    visitor = await site.visitor()
    with closing(sqlite3.connect(database.removeprefix("sqlite:///"), isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        answer = await visitor.get("/readyz")
        assert (answer.status_code, answer.text[:10]) == (503, "not ready:")
        assert (await visitor.get("/healthz")).status_code == 200
        other.execute("ROLLBACK")
    assert (await visitor.get("/readyz")).status_code == 200


@SQLITE_ONLY
async def test_numbers_can_ask_for_a_token(new_site: Any) -> None:
    tokens: list[dict[str, str]] = [{}, {"Authorization": "Bearer no"}, {"Authorization": "Bearer yes"}]
    async with new_site(metrics_token="yes") as site:
        visitor = await site.visitor()
        assert [(await visitor.get("/metrics", headers=headers)).status_code for headers in tokens] == [401, 401, 200]


def test_the_log_is_json_by_route_and_without_secrets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FRANCHISE_LOG_FORMAT", "json")
    monkeypatch.setenv("FRANCHISE_LOG_LEVEL", "info")
    with ServerProcess(f"sqlite:///{tmp_path / 'franchise.db'}") as process:
        with httpx.Client(base_url=process.address, timeout=60) as client:
            created = client.post("/api/tables", json={"seats": [{"kind": "human"}, {"kind": "human"}]}).json()
            token = created["tokens"]["1"]
            path = f"/api/tables/{created['id']}"
            order = {"version": 0, "move": "start Memphis", "move_id": "a"}
            bearer = {"Authorization": f"Bearer {token}"}
            assert client.post(f"{path}/moves", json=order, headers=bearer).status_code == 200
            assert client.get(f"/unsubscribe/{token}").status_code < 500
            assert len(read_events(client, f"{path}/events?after=0", 1)) == 1
            open_streams = numbers(client.get("/metrics").text)["franchise_streams"][()]
            assert open_streams in (0, 1)  # it is being closed
        code, output = process.stop()
        lines = [json.loads(line) for line in output.splitlines()]
        assert code == 0
        asked = {
            (line["method"], line["route"], line["status"]) for line in lines if line["logger"] == "franchise.requests"
        }
        assert ("POST", "/api/tables", 201) in asked
        assert ("POST", "/api/tables/{table_id}/moves", 200) in asked
        assert token not in output
        assert created["id"] not in output


@pytest.mark.compiled_only
def test_a_log_in_json_stays_so_while_the_first_start_compiles(tmp_path: Path) -> None:
    cache = {"FRANCHISE_CACHE_DIR": str(tmp_path / "cache")}
    with ServerProcess(f"sqlite:///{tmp_path / 'franchise.db'}", FRANCHISE_LOG_FORMAT="json", **cache) as process:

        def some_kernels_are_translated() -> bool:
            return bool(httpx.get(f"{process.address}/preparing", timeout=60).json()["share"])

        wait_until(some_kernels_are_translated, "the compilation")
        code, output = process.stop()
        assert code == 0
        assert [line for line in output.splitlines() if not isinstance(json.loads(line), dict)] == []


@pytest.mark.parametrize(("name", "value"), [("LOG_FORMAT", "xml"), ("LIMITS", "-1"), ("SMTP_PORT", "no")])
def test_a_wrong_setting_stops_the_start_with_one_line(name: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from typer.testing import CliRunner

    from franchise.cli import app

    monkeypatch.setenv(f"FRANCHISE_{name}", value)
    ended = CliRunner().invoke(app, ["serve", "--port", "0", "--no-browser"])
    assert ended.exit_code == 2
    assert re.fullmatch(rf"franchise serve: FRANCHISE_{name}: [^\n]+\n", ended.stderr)
