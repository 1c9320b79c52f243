"""franchise worker: bots for tables that many servers share."""

from typing import Annotated

import typer

from franchise.cli.serve import (
    INTERRUPTED,
    WRONG_ARGUMENT,
    database_errors,
    ended_by_sigterm,
    refuse,
    settings_of,
)


def worker(
    database: Annotated[
        str | None, typer.Option(help="postgresql://…; by default FRANCHISE_DATABASE", show_default=False)
    ] = None,
) -> None:
    """Play bots' turns for servers on PostgreSQL until interrupted. Start as many as needed."""
    with ended_by_sigterm():
        work(database)


def work(database: str | None) -> None:
    """Play bots' turns until a signal."""
    import asyncio
    import signal

    settings = settings_of(database, "franchise worker")
    from franchise.server.app import warm_up
    from franchise.server.logging_setup import configure_logging
    from franchise.server.storage.sqlite_store import sqlite_url
    from franchise.server.wiring import is_postgres, tables_at

    if not is_postgres(settings.database):
        with database_errors("franchise worker"):
            sqlite_url(settings.database)  # refuses what is no database URL at all
        refuse(
            "with SQLite, bots run inside the server; workers need FRANCHISE_DATABASE=postgresql://…",
            "franchise worker",
            WRONG_ARGUMENT,
        )
    if settings.bot_threads == 0:
        refuse("FRANCHISE_BOT_THREADS is 0: a worker needs at least 1", "franchise worker", WRONG_ARGUMENT)
    configure_logging(settings.log_format, settings.log_level)
    warm_up(quiet=settings.log_format == "json")

    async def until_stopped() -> int:
        """The exit code, once a signal has stopped the work."""
        loop = asyncio.get_running_loop()
        stopped: asyncio.Queue[int] = asyncio.Queue()
        loop.add_signal_handler(signal.SIGINT, stopped.put_nowait, INTERRUPTED)
        loop.add_signal_handler(signal.SIGTERM, stopped.put_nowait, 0)
        async with tables_at(settings):
            print("The worker is ready (stop with Ctrl-C)", flush=True)
            return await stopped.get()

    with database_errors("franchise worker"):
        raise typer.Exit(asyncio.run(until_stopped()))
