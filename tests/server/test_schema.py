"""The migrations lead to the schema the code uses, and an existing database is left as it is."""

import asyncio
import sqlite3
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection

from franchise.server import schema
from franchise.server.errors import DatabaseUnusable
from franchise.server.settings import Settings
from franchise.server.sqlite import SqliteStore
from franchise.server.store import opened


@pytest.fixture
def database(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'franchise.db'}"


def test_the_migrations_make_the_schema(database: str) -> None:
    def differences(connection: Connection) -> list[object]:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        return list(compare_metadata(context, schema.metadata))

    async def compare() -> list[object]:
        async with opened(SqliteStore(database)) as store:
            assert isinstance(store, SqliteStore)
            async with store.reader.connect() as connection:
                return await connection.run_sync(differences)

    assert asyncio.run(compare()) == []


def test_a_database_of_a_later_version_is_refused(database: str, tmp_path: Path) -> None:
    async def once() -> None:
        async with opened(SqliteStore(database)):
            pass

    asyncio.run(once())
    file = tmp_path / "franchise.db"
    with sqlite3.connect(file) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.close()
    with pytest.raises(DatabaseUnusable, match="made by another version of Franchise"):
        asyncio.run(once())


def test_commits_are_on_disk_when_they_return(database: str) -> None:
    async def pragmas() -> list[object]:
        async with opened(SqliteStore(database)) as store:
            assert isinstance(store, SqliteStore)
            async with store.writer.connect() as connection:
                names = ("journal_mode", "synchronous", "foreign_keys")
                return [(await connection.exec_driver_sql(f"PRAGMA {name}")).scalar() for name in names]

    assert asyncio.run(pragmas()) == ["wal", 2, 1]


def test_the_database_lies_in_the_users_data_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("FRANCHISE_DATABASE", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert Settings().database == f"sqlite:///{tmp_path}/franchise/franchise.db"
    monkeypatch.setenv("XDG_DATA_HOME", "")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert Settings().database == f"sqlite:///{tmp_path}/.local/share/franchise/franchise.db"
    monkeypatch.setenv("FRANCHISE_DATABASE", "sqlite:///elsewhere.db")
    assert Settings().database == "sqlite:///elsewhere.db"
