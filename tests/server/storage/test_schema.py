"""The migrations lead to the schema the code uses, and an existing database is left as it is."""

import sqlite3
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from unittest.mock import AsyncMock

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Column, Connection, MetaData, String, Table, create_engine, inspect

from franchise.game import Game
from franchise.server.settings import Settings
from franchise.server.storage import schema
from franchise.server.storage.migrations import found, make_current, upgrade
from franchise.server.storage.sql_store import _insert, opened
from franchise.server.storage.sqlite_store import SqliteStore
from franchise.server.tables.errors import DatabaseUnusable
from franchise.server.tables.new_table import first_stored
from franchise.server.tables.stored import StoredSeat
from franchise.server.tables.table import Clock, Seat


@pytest.fixture
def database(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'franchise.db'}"


def described(row: Any) -> str:
    """A key or an index, with the words of its condition."""
    options = {name: str(value) for name, value in row.get("dialect_options", {}).items()}
    return str(dict(row) | {"dialect_options": options})


def shape(connection: Connection) -> dict[str, object]:
    """Everything a database is made of, whatever the order of its columns."""
    seen = inspect(connection)
    return {
        table: (
            {column["name"]: (str(column["type"]), column["nullable"], column["default"]) for column in columns},
            seen.get_pk_constraint(table),
            *(
                sorted(map(described, read(table)))
                for read in (seen.get_foreign_keys, seen.get_unique_constraints, seen.get_indexes)
            ),
        )
        for (_, table), columns in seen.get_multi_columns().items()
    }


def test_the_migrations_make_the_schema_that_a_new_database_has_at_once() -> None:
    steps, at_once = create_engine("sqlite://"), create_engine("sqlite://")
    with steps.begin() as slow, at_once.begin() as fast:
        upgrade(slow)
        make_current(fast)
        assert found(slow) == found(fast)
        assert shape(slow) == shape(fast)
        context = MigrationContext.configure(slow, opts={"compare_type": True})
        assert compare_metadata(context, schema.metadata) == []
    for engine in (steps, at_once):
        engine.dispose()


def test_a_new_database_is_made_without_alembic(database: str) -> None:
    script = (
        "import asyncio, sys; from franchise.server.storage.sqlite_store import SqliteStore; "
        "asyncio.run(SqliteStore(sys.argv[1]).open()); print('alembic' in sys.modules)"
    )
    ran = subprocess.run([sys.executable, "-c", script, database], capture_output=True, text=True, check=True)
    assert ran.stdout == "False\n"


async def test_a_column_without_a_field_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game(2, 1)
    seats = tuple(StoredSeat(Seat(number, "human", "", None, True)) for number in range(2))
    at = datetime(2026, 1, 1, tzinfo=UTC)
    table = first_stored(game, seats, 1, at, public=False, clock=Clock(), rated=False, hints=True, seating="given")
    later = MetaData()
    columns = [column._copy() for column in schema.tables.c]
    monkeypatch.setattr(schema, "tables", Table("tables", later, *columns, Column("weather", String)))
    with pytest.raises(AttributeError, match="weather"):
        await _insert(AsyncMock(), table)


async def test_a_database_of_a_later_version_is_refused(database: str, tmp_path: Path) -> None:
    async with opened(SqliteStore(database)):
        pass
    file = tmp_path / "franchise.db"
    with sqlite3.connect(file) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.close()
    with pytest.raises(DatabaseUnusable, match="made by another version of Franchise"):
        async with opened(SqliteStore(database)):
            pass


async def test_commits_are_on_disk_when_they_return(database: str) -> None:
    names = ("journal_mode", "synchronous", "foreign_keys")
    async with opened(SqliteStore(database)) as store:
        assert isinstance(store, SqliteStore)
        async with store.writer.connect() as connection:
            found = [(await connection.exec_driver_sql(f"PRAGMA {name}")).scalar() for name in names]
    assert found == ["wal", 2, 1]


def test_the_database_lies_in_the_users_data_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("FRANCHISE_DATABASE", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert Settings().database == f"sqlite:///{tmp_path}/franchise/franchise.db"
    monkeypatch.setenv("XDG_DATA_HOME", "")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert Settings().database == f"sqlite:///{tmp_path}/.local/share/franchise/franchise.db"
    monkeypatch.setenv("FRANCHISE_DATABASE", "sqlite:///elsewhere.db")
    assert Settings().database == "sqlite:///elsewhere.db"
