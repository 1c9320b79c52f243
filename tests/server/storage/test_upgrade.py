"""A database of the first version, with games under way, is made current and they go on."""

import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import MetaData, create_engine, insert, select, text

from franchise.benchmarks.temporary_postgres import TemporaryPostgres
from franchise.record import read
from franchise.server.storage.migrations import upgrade as migrate
from franchise.server.tables.errors import DatabaseUnusable
from franchise.server.wiring import is_postgres
from server.running_servers import ApiPlayer, until, upgrade

FIRST = Path(__file__).with_name("first.sql")
TABLES = ("tables", "seats", "changes", "messages")
VERSIONS = {"first-table-0": 27, "first-table-1": 9, "first-table-2": 0, "first-table-3": 0}
TOKENS = ({0: 0, 1: 1, 2: 2}, {0: 3}, {0: 4}, {0: 5})  # by table and seat


def thawed(file: Path) -> str:
    """The frozen database as an SQLite file."""
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript(FIRST.read_text(encoding="utf-8"))
    return f"sqlite:///{file}"


def copied(source: str, target: str) -> str:
    """The same schema and rows in an empty PostgreSQL database."""
    old, new = create_engine(source), create_engine(target.replace("postgresql:", "postgresql+psycopg:"))
    before, after = MetaData(), MetaData()
    with old.connect() as reading, new.begin() as writing:
        migrate(writing, "0001")
        before.reflect(reading)
        after.reflect(writing)
        for name in TABLES:
            rows = [dict(row._mapping) for row in reading.execute(select(before.tables[name]))]
            writing.execute(insert(after.tables[name]), [{key: aware(row[key]) for key in row} for row in rows])
        writing.execute(text("SELECT setval('messages_id_seq', (SELECT max(id) FROM messages))"))
    old.dispose()
    new.dispose()
    return target


def aware(value: Any) -> Any:
    return value.replace(tzinfo=UTC) if isinstance(value, datetime) else value


@pytest.fixture(params=["sqlite", "postgres"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The frozen database in each kind."""
    frozen = thawed(tmp_path / "first.db")
    if request.param == "sqlite":
        return frozen
    cluster: TemporaryPostgres = request.getfixturevalue("cluster")
    return copied(frozen, cluster.create("first"))


async def test_games_of_the_first_version_go_on_with_everybody_in_their_seat(database: str, new_server: Any) -> None:
    if is_postgres(database):  # SQLite files are made current by the server
        with pytest.raises(DatabaseUnusable, match="run: franchise db upgrade"):
            await new_server().__aenter__()
        upgrade(database)
    async with new_server() as server:
        tables = [
            ApiPlayer(
                server.client, {"id": name, "tokens": {seat: f"first-token-{token}" for seat, token in held.items()}}
            )
            for name, held in zip(VERSIONS, TOKENS, strict=True)
        ]
        people, clocked, open_seat, bot = tables
        for table in (people, open_seat):
            assert (await table.get())["version"] == VERSIONS[table.id]
            for seat in table.tokens:
                assert (await table.get(seat))["yours"] == [seat]
        assert (await people.move()).status_code == 200
        assert (await people.get())["options"]["milestones"]
        assert read((await server.client.get(f"{people.path}/record")).text).names == ("Ann", "Bo", "José")
        messages = (await server.client.get(f"{people.path}/chat")).json()["messages"]
        assert [(message["name"], message["text"]) for message in messages] == [("Ann", "see you tomorrow")]
        assert (await people.post("chat", 1, text="it is tomorrow")).status_code == 201
        repeated = await people.post("undo", 1, version=26, move_id="m26")
        assert (repeated.json()["version"], repeated.json()["took_back"]) == (27, 1)
        sat = await server.client.post(f"{open_seat.path}/seats/1", json={"name": "Cy"})
        open_seat.tokens[1] = sat.json()["token"]
        assert (await open_seat.move()).status_code == 200
        moved = await until(server.tables, bot.id, lambda table: table.version == 1)
        assert moved.changes[0].by_bot  # it was the bot's turn
        # The hour of this person was over long ago: a bot has taken over, and the seat is theirs all the same.
        found = await until(server.tables, clocked.id, lambda table: table.seats[0].away)
        assert all(change.by_bot for change in found.changes[VERSIONS[clocked.id] :])
        back = await clocked.post("back", 0)
        assert (back.json()["yours"], back.json()["seats"][0]["away"]) == ([0], False)
