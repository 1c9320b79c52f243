"""When something goes wrong: each kind of fault has the outcome that docs/operating.md promises."""

import asyncio
import logging
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, text

from franchise.server.live.broadcast import Broadcast
from franchise.server.tables import clocks
from franchise.server.tables.clocks import times
from franchise.server.tables.errors import DatabaseUnusable
from franchise.server.tables.new_table import NewTable
from franchise.server.tables.service import Tables
from server.in_process_site import SQLITE_ONLY, open_table
from server.running_servers import ApiPlayer, FollowingClient, InProcessServer, ManualClock, until
from waiting import eventually


def execute(database: str, *statements: str) -> None:
    """Do something to a database behind the server's back."""
    engine = create_engine(database.replace("postgresql:", "postgresql+psycopg:"), isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        for statement in statements:
            connection.execute(text(statement))
    engine.dispose()


# --- the page that slept ---


async def test_a_page_that_slept_hears_all_it_missed_and_its_old_move_is_refused(server: InProcessServer) -> None:
    table = await server.create("human", "human")
    await table.move()
    for _ in range(30):
        assert (await table.move()).status_code == 200
    server.tables.cache.kept.clear()  # as after an hour of other tables
    client = FollowingClient(Broadcast(server.tables), table.id, 1)
    assert await client.told("31") == [*map(str, range(2, 32))]
    await table.move()  # and it goes on
    assert await client.told("32") == ["32"]
    await client.leave()
    late = await table.post("moves", 0, version=1, move="done", move_id="from yesterday")
    assert (late.status_code, late.json()["error"], late.json()["state"]["version"]) == (409, "stale", 32)


# --- a clock that jumps ---


LIVE = {"seats": [{"kind": "human"}] * 2, "seed": 7, "clock": {"kind": "live", "minutes": 2, "increment": 10}}


async def test_a_clock_set_forward_counts_as_time_and_is_noticed(
    tables: Tables, watch: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clocks, "LOOK_S", 0.05)

    table, _ = await tables.create(NewTable.model_validate(LIVE), "browser")
    watch.forward(3600)
    await until(tables, table.id, lambda table: table.seats[1].away)  # nobody asked, and no alarm was set for now
    assert await tables.held(table.id, "browser") == {0, 1}


async def test_a_clock_set_back_takes_no_time_and_gives_none(tables: Tables, watch: ManualClock) -> None:
    table, _ = await tables.create(NewTable.model_validate(LIVE), "browser")
    watch.forward(50)
    table = await tables.move(table.id, "browser", version=0, move="start Memphis", move_id="a")
    watch.forward(-7200)
    before = times(table, watch()).remaining
    table = await tables.move(table.id, "browser", version=1, move="start Raleigh", move_id="b")
    assert [change.at for change in table.changes] == sorted(change.at for change in table.changes)
    assert times(table, watch()).remaining == before
    watch.forward(7200 + 20)  # and right again
    left = times(table, watch()).remaining[0]
    assert left is not None
    assert round(left) == 110  # 130 less the 20 that have passed since


# --- a database that takes nothing ---


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of its own, with little room."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", folder], capture_output=True, text=True)
    if mounted.returncode:
        pytest.skip(f"a disk that can be full needs the right to mount one: {mounted.stderr.strip()}")
    yield folder
    subprocess.run(["umount", "-l", folder], check=True)


def fill(folder: Path) -> Path:
    """Use up what room there is."""
    filler = folder / "filler"
    with filler.open("wb", buffering=0) as file, suppress(OSError):
        while file.write(b"x" * 4096):
            pass
    return filler


async def refused_writes(server: InProcessServer, table: ApiPlayer) -> None:
    """Every kind of writing is refused in the same words, and reading goes on."""
    state = await table.get()
    move = {"version": state["version"], "move": "done", "move_id": "kept"}
    answers = [
        await table.post("moves", state["current_player"], **move),
        await table.post("undo", state["current_player"], version=state["version"], move_id="u"),
        await table.post("chat", 0, text="hello"),
        await server.client.post("/api/tables", json={"seats": [{"kind": "human"}] * 2}),
    ]
    for answer in answers:
        assert (answer.status_code, answer.json()["error"]) == (503, "not_written"), answer.text
        assert int(answer.headers["retry-after"]) > 0
    assert "content-security-policy" in answers[0].headers
    assert (await table.get())["version"] == state["version"]
    assert (await server.client.get(f"{table.path}/record")).status_code == 200


async def begun(server: InProcessServer) -> ApiPlayer:
    table = await server.create("human", "human")
    await table.move()
    await table.move()
    await table.move()
    return table


async def kept(table: ApiPlayer) -> None:
    """What was refused is taken when it is sent again."""
    state = await table.get()
    answer = await table.post("moves", state["current_player"], version=state["version"], move="done", move_id="kept")
    assert (answer.status_code, answer.json()["version"]) == (200, state["version"] + 1)


class TestFullDisk:
    @pytest.fixture
    def database(self, small_disk: Path) -> str:
        return f"sqlite:///{small_disk / 'franchise.db'}"

    async def test_readiness_and_pages_say_that_the_disk_is_full(self, new_site: Any, small_disk: Path) -> None:
        async with new_site() as site:
            visitor = await site.visitor()
            table = await open_table(visitor, "me", "guest")
            assert (await visitor.get("/readyz")).status_code == 200
            filler = fill(small_disk)
            form = {"players": "2", "seat0": "me", "seat1": "guest"}
            for _ in range(200):  # until the room in its own files is used up too
                opened = await visitor.post("/tables", data=form)
                if opened.status_code != 303:
                    break
            assert opened.status_code == 503
            assert int(opened.headers["retry-after"]) > 0
            record = (await site.tables.get(table)).game.to_text()
            for path, sent in (
                ("/look", {"record": record}),
                (f"/t/{table}/continue", {}),
                (f"/t/{table}/say", {"text": "x" * 400}),
            ):
                assert (await visitor.post(path, data=sent)).status_code == 503, path
            assert (await visitor.get("/readyz")).status_code == 503
            filler.unlink()
            assert (await visitor.get("/readyz")).status_code == 200

    async def test_nothing_is_promised_while_the_disk_is_full_and_all_goes_on_afterwards(
        self, new_server: Any, small_disk: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        async with new_server() as server:
            table = await begun(server)
            filler = fill(small_disk)
            for _ in range(20):  # until the room in its own files is used up too
                if (await table.post("chat", 0, text="x" * 500)).status_code == 503:
                    break
            await refused_writes(server, table)
            assert "disk is full" in caplog.text
            filler.unlink()
            await kept(table)
            bots = await server.create("human", "random")
            await until(server.tables, bots.id, lambda table: table.version == 1)


class TestReadOnlyFile:
    @pytest.fixture
    def database(self, small_disk: Path) -> str:
        return f"sqlite:///{small_disk / 'franchise.db'}"

    async def test_a_server_does_not_start_on_a_file_it_cannot_write(self, new_server: Any, small_disk: Path) -> None:
        async with new_server() as server:
            await server.create("human", "human")
        await remount(small_disk, "ro")
        with pytest.raises(DatabaseUnusable, match=r"cannot use the database .*franchise\.db: .*(readonly|unable)"):
            await new_server().__aenter__()
        await remount(small_disk, "rw")
        async with new_server() as server:
            await server.create("human", "human")


async def remount(disk: Path, how: str) -> None:
    """Change how a disk is mounted, as soon as the last connection that a closed server gave up has ended."""
    command = ["mount", "-o", f"remount,{how}", disk]
    await eventually(lambda: subprocess.run(command, capture_output=True).returncode == 0)


class TestReadOnlyDatabase:
    @pytest.fixture
    def database(self, request: pytest.FixtureRequest) -> str:
        cluster: Any = request.getfixturevalue("cluster")
        made: str = cluster.create("readonly", "current")
        return made

    async def test_a_postgresql_that_became_read_only_is_read_and_not_written(
        self, new_server: Any, database: str
    ) -> None:
        """As after a change of roles between two of them."""
        others = "FROM pg_stat_activity WHERE datname = 'readonly' AND pid <> pg_backend_pid()"
        cut = f"SELECT pg_terminate_backend(pid) {others}"

        async with new_server() as server:
            table = await begun(server)
            setting = "ALTER DATABASE readonly SET default_transaction_read_only ="
            await asyncio.to_thread(execute, database, f"{setting} on", cut)
            await refused_writes(server, table)
            undo = ["SET default_transaction_read_only = off", f"{setting} off", cut]
            await asyncio.to_thread(execute, database, *undo)
            await kept(table)


# --- damaged pages ---


def damage(file: Path, name: str) -> None:
    """Overwrite the root page of a table of the database."""
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        [(root,)] = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = ?", (name,)).fetchall()
        [(size,)] = connection.execute("PRAGMA page_size").fetchall()
    with file.open("r+b") as written:
        written.seek((root - 1) * size)
        written.write(b"\xa5" * size)


@SQLITE_ONLY
@pytest.mark.parametrize("name", ["tables", "seats", "changes"])
async def test_a_server_whose_pages_are_damaged_is_not_ready(new_server: Any, tmp_path: Path, name: str) -> None:
    async with new_server() as server:
        await begun(server)
        assert (await server.client.get("/readyz")).status_code == 200
        damage(tmp_path / "franchise.db", name)
        assert (await server.client.get("/readyz")).status_code == 503


@SQLITE_ONLY
@pytest.mark.parametrize("name", ["tables", "seats", "changes", "alembic_version"])
async def test_a_damaged_page_at_the_start_is_one_line(new_server: Any, tmp_path: Path, name: str) -> None:
    async with new_server() as server:
        await begun(server)
    damage(tmp_path / "franchise.db", name)
    url = f"sqlite:///{tmp_path / 'franchise.db'}"
    command = [sys.executable, "-m", "franchise", "serve", "--no-browser", "--port", "0", "--database", url]
    ended = await asyncio.to_thread(subprocess.run, command, capture_output=True, text=True, timeout=120)
    assert ended.returncode == 1
    assert ended.stderr.splitlines()[-1].startswith("franchise serve: cannot use the database")
    assert "Traceback" not in ended.stderr
    assert len(ended.stderr.splitlines()) == 1


# --- damaged rows ---


DAMAGES = {
    "a move that is none": "UPDATE changes SET text = 'expand Nowhere 3' WHERE number = 2 AND table_id = '{}'",
    "a move that is not legal": "UPDATE changes SET text = 'start Memphis' WHERE number = 2 AND table_id = '{}'",
    "an undo of nothing": "UPDATE changes SET text = 'all', kind = 'undo' WHERE number = 2 AND table_id = '{}'",
    "a change that is gone": "DELETE FROM changes WHERE number = 2 AND table_id = '{}'",
    "a record that is none": "UPDATE tables SET record = 'franchise 1' WHERE id = '{}'",
}


async def test_a_damaged_table_is_told_and_logged_and_all_others_go_on(
    new_server: Any, database: str, caplog: pytest.LogCaptureFixture
) -> None:
    clock = {"kind": "live", "minutes": 2, "increment": 0}

    async with new_server() as server:
        broken = [await server.create("human", "human", public=True, clock=clock) for _ in DAMAGES]
        for table in broken:
            await table.play("start Memphis", "start Raleigh")
        whole = await server.create("human", "human", public=True)
    execute(database, *(damage.format(table.id) for damage, table in zip(DAMAGES.values(), broken, strict=True)))
    bot = f"UPDATE seats SET kind = 'bot', level = 'casual' WHERE table_id = '{broken[0].id}'"
    execute(database, bot)  # whose move it is, and who cannot see the board

    with caplog.at_level(logging.WARNING):
        async with new_server() as server:
            for guest in (*broken, whole):
                guest.client = server.client
            for table in broken:
                move = {"version": 2, "move": "done", "move_id": "x"}
                for answer in (
                    await server.client.get(table.path),
                    await server.client.get(f"{table.path}/record"),
                    await server.client.get(f"{table.path}/events"),
                    await table.post("moves", 0, **move),
                ):
                    assert (answer.status_code, answer.json()["error"]) == (500, "damaged"), answer.text
                    assert table.id in answer.json()["detail"]
            assert (await whole.move()).status_code == 200
            listed = (await server.client.get("/api/tables")).json()["live"]
            assert whole.id in {row["id"] for row in listed}
            bots = await server.create("human", "random")
            await until(server.tables, bots.id, lambda table: table.version == 1)  # a thread is left to think
    for table in broken:
        warnings = [record for record in caplog.records if f"table {table.id} is damaged" in record.getMessage()]
        assert len(warnings) == 1, caplog.text
    assert not [record for record in caplog.records if record.exc_info]
