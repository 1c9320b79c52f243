"""franchise db: the database of a server."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from franchise.cli.arguments import Json
from franchise.cli.serve import Database, database_errors, refuse, settings_of

if TYPE_CHECKING:
    from franchise.server.settings import Settings

db = typer.Typer(
    help="Manage a server's database: upgrade, backup, archive, reports.",
    rich_markup_mode=None,
)


def exists(path: Path) -> bool:
    """Whether there is such a file; DatabaseUnusable if that cannot be found out."""
    from franchise.server.tables.errors import DatabaseUnusable

    try:
        return path.exists()
    except OSError as error:
        raise DatabaseUnusable(f"{path}: {error.strerror}") from None


def existing_file(settings: "Settings") -> Path | None:
    """The SQLite file, None for PostgreSQL; DatabaseUnusable if it does not exist, because a name may be mistyped."""
    from franchise.server.storage.sqlite_store import sqlite_url
    from franchise.server.tables.errors import DatabaseUnusable
    from franchise.server.wiring import is_postgres

    if is_postgres(settings.database):
        return None
    file = Path(sqlite_url(settings.database).database or "")
    if not exists(file) or not file.is_file():
        raise DatabaseUnusable(f"there is no database {file}")
    return file


@db.command()
def upgrade(database: Database = None) -> None:
    """Upgrade the database, before a new version is started. An SQLite file is upgraded automatically."""
    import asyncio

    settings = settings_of(database, "franchise db upgrade")
    from franchise.server.storage.sqlite_store import SqliteStore
    from franchise.server.wiring import store_of

    async def once() -> None:
        store = store_of(settings.database)
        try:
            await (store.open() if isinstance(store, SqliteStore) else store.upgrade())
        finally:
            await store.close()

    with database_errors("franchise db upgrade"):
        asyncio.run(once())
    typer.echo("The database is current.")


@db.command()
def backup(
    to: Annotated[Path, typer.Argument(help="the file to write; must not exist")], database: Database = None
) -> None:
    """Back up an SQLite database while the server is running. For PostgreSQL, use pg_dump."""
    import sqlite3
    from contextlib import closing

    settings = settings_of(database, "franchise db backup")
    from franchise.server.tables.errors import DatabaseUnusable

    with database_errors("franchise db backup"):
        source = existing_file(settings)
        if source is None:
            raise DatabaseUnusable("this copies SQLite files; use pg_dump for PostgreSQL")
        if exists(to):
            raise DatabaseUnusable(f"{to} already exists; choose another file")
        if not to.parent.is_dir():
            raise DatabaseUnusable(f"there is no folder {to.parent} to write {to.name} to")
        part = to.with_name(f"{to.name}.part")
        try:
            with (
                closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro", uri=True)) as read,
                closing(sqlite3.connect(part)) as written,
            ):
                read.backup(written)
            part.replace(to)
        except (sqlite3.Error, OSError) as error:
            refuse(str(error), "franchise db backup")
    typer.echo(f"Copied {source} to {to}.")


@db.command()
def archive(
    days: Annotated[
        int | None,
        typer.Option(min=0, help="days since the end of a game; by default FRANCHISE_ARCHIVE_DAYS", show_default=False),
    ] = None,
    database: Database = None,
) -> None:
    """Store old finished games as one small record each. Servers also do this in the background, a few at a time."""
    import asyncio
    from datetime import timedelta

    settings = settings_of(database, "franchise db archive")
    from franchise.server.storage.archiving import AT_ONCE
    from franchise.server.storage.sql_store import opened
    from franchise.server.wiring import store_of

    async def all_of_them() -> int:
        count = 0
        async with opened(store_of(settings.database)) as store:
            before = store.now() - timedelta(days=settings.archive_days if days is None else days)
            while more := await store.archive(before, AT_ONCE):
                count += more
        return count

    with database_errors("franchise db archive"):
        existing_file(settings)
        count = asyncio.run(all_of_them())
    typer.echo(f"Archived {count} {'game' if count == 1 else 'games'}.")


@db.command()
def reports(
    dismiss: Annotated[
        int | None, typer.Option(help="close the reports of the message with this number; it stays", show_default=False)
    ] = None,
    delete: Annotated[
        int | None, typer.Option(help="delete the message with this number and close its reports", show_default=False)
    ] = None,
    as_json: Json = False,
    database: Database = None,
) -> None:
    """List reported chat messages, the oldest first, or close reports."""
    import asyncio
    import json
    from dataclasses import asdict
    from datetime import datetime

    settings = settings_of(database, "franchise db reports")
    from franchise.server.people.reports import Report, Reports
    from franchise.server.storage.sql_store import opened
    from franchise.server.tables.errors import DatabaseUnusable
    from franchise.server.wiring import store_of

    async def closed_and_left() -> tuple[Report, ...]:
        store = store_of(settings.database)
        async with opened(store):
            for message, remove in ((dismiss, False), (delete, True)):
                if message is not None and not await Reports(store).close(message, remove=remove):
                    raise DatabaseUnusable(f"there is no reported message {message}")
            return await Reports(store).open()

    with database_errors("franchise db reports"):
        existing_file(settings)
        reports = asyncio.run(closed_and_left())
    if as_json:
        typer.echo(json.dumps([asdict(report) for report in reports], default=datetime.isoformat))
        return
    for report in reports:
        who = f"{report.name} (account {report.account})" if report.account else f"{report.name} (guest)"
        people = "1 person" if report.reporters == 1 else f"{report.reporters} people"
        typer.echo(f"{report.message}: table {report.table}, {report.said_at:%Y-%m-%d %H:%M} UTC, reported by {people}")
        typer.echo(f"    {who}: {report.text}")
    typer.echo(f"{len(reports)} reported {'message' if len(reports) == 1 else 'messages'}.")


@db.callback()
def commands() -> None:
    """Manage a server's database: upgrade, backup, archive, reports."""
