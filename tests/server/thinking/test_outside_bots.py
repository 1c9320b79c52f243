"""Bots of other packages think in processes: whatever one does, it is ended, and all others go on."""

import os
from pathlib import Path
from typing import Any

import pytest

from franchise.server.thinking import local_jobs, outside_bots
from server.in_process_site import SQLITE_ONLY
from server.running_servers import until

PLUGIN = """
import os
from franchise.bots.simple import RandomBot

class Hanging(RandomBot):
    def choose(self, game):
        print("nobody's answer", flush=True)
        while True:  # and hears nobody
            pass

class Polite(RandomBot):
    def choose(self, game):
        print("nobody's answer", flush=True)
        with open(os.environ["POLITE"], "a") as file:
            file.write(f"{os.getpid()} {os.environ.get('FRANCHISE_SMTP_PASSWORD')}\\n")
        return super().choose(game)

def hanging(seed, budget):
    return Hanging(seed)

def polite(seed, budget):
    return Polite(seed)
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package with bots, found by its entry points as any other would be; the file in which one says who it is."""
    folder = tmp_path / "package"
    info = folder / "outside_bots-1.dist-info"
    info.mkdir(parents=True)
    (folder / "outside_plugin.py").write_text(PLUGIN, encoding="utf-8")
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: outside-bots\nVersion: 1\n", encoding="utf-8")
    lines = "[franchise.bots]\nhanging = outside_plugin:hanging\npolite = outside_plugin:polite\n"
    (info / "entry_points.txt").write_text(lines, encoding="utf-8")
    monkeypatch.syspath_prepend(folder)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, [str(folder), os.environ.get("PYTHONPATH")])))
    monkeypatch.setenv("POLITE", str(tmp_path / "polite"))
    monkeypatch.setenv("FRANCHISE_SMTP_PASSWORD", "secret")
    return tmp_path / "polite"


def running() -> list[str]:
    """The processes of outside bots that this process has started."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                words = (entry / "cmdline").read_bytes().split(b"\0")
                parent = (entry / "stat").read_text().rpartition(")")[2].split()[1]
            except OSError:
                continue
            if parent == str(os.getpid()) and b"franchise.bots.bot_process" in words:
                found.append(entry.name)
    return found


@SQLITE_ONLY
async def test_bots_that_hang_are_ended_and_take_nothing_with_them(
    new_server: Any, package: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(local_jobs, "DEADLINE_S", 0.1)
    async with new_server() as server:
        jobs = server.tables.jobs
        tables = [await server.create("human", "hanging") for _ in range(jobs.threads + 1)]
        for table in tables:
            found = await until(server.tables, table.id, lambda table: table.version >= 1)
            assert found.changes[0].by_bot
        monkeypatch.setattr(local_jobs, "DEADLINE_S", 60)
        ours = await server.create("human", "casual")
        await until(server.tables, ours.id, lambda table: table.version >= 1)
    assert "the bot hanging in seat 1" in caplog.text
    assert running() == []


@SQLITE_ONLY
async def test_a_bot_of_another_package_plays_its_turns_in_one_process_without_our_secrets(
    new_server: Any, package: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(local_jobs, "DEADLINE_S", 60)
    async with new_server() as server:
        table = await server.create("human", "polite")
        await until(server.tables, table.id, lambda table: table.version >= 1)
        await table.move()
        await table.move("done; end")
        await until(server.tables, table.id, lambda table: table.game.turn >= 3)
        assert len(running()) == 1
    lines = package.read_text(encoding="utf-8").split("\n")[:-1]
    assert len(lines) >= 3
    assert set(lines) == {f"{lines[0].split()[0]} None"}
    assert lines[0].split()[0] != str(os.getpid())
    assert "failed" not in caplog.text
    assert running() == []


def test_programs_of_others_know_no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FRANCHISE_VAPID_KEY", "secret")
    monkeypatch.setenv("FRANCHISE_CACHE_DIR", "/tmp/cache")
    known = outside_bots.without_settings()
    assert "FRANCHISE_VAPID_KEY" not in known
    assert known["FRANCHISE_CACHE_DIR"] == "/tmp/cache"
    assert known["PATH"] == os.environ["PATH"]
