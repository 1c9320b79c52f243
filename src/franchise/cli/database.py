"""franchise db: the schema of the database."""

import typer

from franchise.cli.serve import Database, settings_of

db = typer.Typer(help="The schema of the database.", rich_markup_mode=None)


@db.command()
def upgrade(database: Database = None) -> None:
    """Make the database current; do this before a new version is started. An SQLite file is made current by itself."""
    import asyncio

    settings = settings_of(database, "franchise db upgrade")
    from franchise.server.errors import DatabaseUnusable
    from franchise.server.rooms import store_of
    from franchise.server.sqlite import SqliteStore

    async def once() -> None:
        store = store_of(settings.database)
        try:
            await (store.open() if isinstance(store, SqliteStore) else store.upgrade())
        finally:
            await store.close()

    try:
        asyncio.run(once())
    except DatabaseUnusable as error:
        typer.echo(f"franchise db upgrade: {error}", err=True)
        raise typer.Exit(1) from None
    typer.echo("The database is current.")


@db.callback()
def commands() -> None:
    """The schema of the database."""
