"""franchise serve: the table in the browser."""

import gc
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from franchise.cli.arguments import require_libraries

if TYPE_CHECKING:
    import socket

    from fastapi import FastAPI

    from franchise.server.settings import Settings

NEEDED = (
    *("fastapi", "sqlalchemy", "aiosqlite", "alembic", "pydantic_settings", "uvicorn"),
    *("argon2", "confusable_homoglyphs", "httpx", "isal", "itsdangerous", "openskill", "prometheus_client"),
    "pythonjsonlogger",
)
# What pydantic says of a setting, and plainer words for it.
PLAINER = {
    "Value error, ": "",
    "Input should be ": "must be ",
    "a valid integer, unable to parse string as an integer": "a whole number",
    "a valid number, unable to parse string as a number": "a number",
    "a valid boolean, unable to interpret input": "true or false",
    "greater than or equal to ": "at least ",
    "less than or equal to ": "at most ",
}
# Garbage collection examines new objects, at most 60,000 at a time, so nobody waits long. Older objects, such as those
# of all the tables, are examined rarely.
COLLECT = (10_000, 5, 2_000)
WRONG_ARGUMENT, INTERRUPTED = 2, 130  # exit codes
GRACE_S = 3  # for open requests when the server stops

Database = Annotated[
    str | None,
    typer.Option(
        help="sqlite:///FILE or postgresql://…; by default FRANCHISE_DATABASE, or a file in your data folder",
        show_default=False,
    ),
]


def serve(
    host: Annotated[str, typer.Option(help="address to listen on")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="port to listen on; 0 for any free port")] = 8000,
    database: Database = None,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="do not open a browser")] = False,
) -> None:
    """Serve the web table and the API until interrupted."""
    gc.disable()  # what is loaded now is never freed
    with ended_by_sigterm():
        settings = settings_of(database)
        if settings.vapid_key is not None:
            require_libraries("serve with FRANCHISE_VAPID_KEY", "push", "pywebpush")
        with bind(host, port) as listening:
            check(settings)
            from franchise.server.logging_setup import configure_logging
            from franchise.web.app import create_app

            configure_logging(settings.log_format, settings.log_level)
            run(create_app(settings, at_once=False), listening, not no_browser)


@contextmanager
def ended_by_sigterm() -> Iterator[None]:
    """SIGTERM ends the command with exit code 0 from the start. Process 1 of a container would otherwise ignore it."""
    import signal

    before = signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def settings_of(database: str | None, command: str = "franchise serve") -> "Settings":
    """The settings, or one line that says what is wrong with them."""
    require_server(command)
    from pydantic import ValidationError

    from franchise.server.settings import Settings, unknown_variable

    if (unknown := unknown_variable(os.environ)) is not None:
        refuse(unknown, command, WRONG_ARGUMENT)
    try:
        return Settings() if database is None else Settings(database=database)
    except ValidationError as error:
        first = error.errors()[0]
        reason = str(first["msg"])
        for words, plainer in PLAINER.items():
            reason = reason.replace(words, plainer)
        refuse(f"FRANCHISE_{str(first['loc'][0]).upper()}: {reason}", command, WRONG_ARGUMENT)


def refuse(message: str, command: str = "franchise serve", code: int = 1) -> NoReturn:
    """Exit with one line that says why there is no server."""
    typer.echo(f"{command}: {message}", err=True)
    raise typer.Exit(code)


@contextmanager
def database_errors(command: str = "franchise serve") -> Iterator[None]:
    """Report an unusable database in one line."""
    from franchise.server.tables.errors import BadDatabaseUrl, DatabaseUnusable

    try:
        yield
    except DatabaseUnusable as error:
        refuse(str(error), command, WRONG_ARGUMENT if isinstance(error, BadDatabaseUrl) else 1)


def require_server(command: str = "franchise serve") -> None:
    require_libraries(command.removeprefix("franchise "), "serve", *NEEDED)


def bind(host: str, port: int) -> "socket.socket":
    """A socket to listen on, or one line that says why not."""
    import socket

    try:
        family, kind, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        # asyncio sets TCP_NODELAY only if the protocol is named; else each answer waits 40 ms for an acknowledgement.
        listening = socket.socket(family, kind, socket.IPPROTO_TCP)
        try:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.bind(address)  # listening starts when it can answer; until then a proxy asks other servers
        except OSError:
            listening.close()
            raise
        return listening
    except OSError as error:
        reason = error.strerror or error
        refuse(f"cannot listen on {host} port {port}: {reason}; choose another one with --port or --host")


def check(settings: "Settings") -> None:
    """Upgrade and try the database before the server starts."""
    import asyncio
    import logging

    from franchise.server.storage.database import error_line
    from franchise.server.storage.sql_store import opened
    from franchise.server.tables.errors import Unavailable
    from franchise.server.wiring import store_of

    async def once() -> None:
        async with opened(store_of(settings.database)) as store:
            await store.check()
            await store.waiting()
            await store.open_tables()

    logging.disable(logging.WARNING)  # the refusal says the same in one line
    try:
        with database_errors():
            asyncio.run(once())
    except Unavailable as error:
        refuse(f"cannot use the database: {error_line(error.__cause__ or error)}")
    finally:
        logging.disable(logging.NOTSET)


def run(app: "FastAPI", listening: "socket.socket", browser: bool) -> None:
    """Serve until a signal; then stop cleanly, with exit code 130 after Ctrl-C and 0 after SIGTERM."""
    import signal

    import uvicorn

    from franchise.server.app import end_streams
    from franchise.server.http.connections import protocol_of

    address = address_of(listening)

    class AnnouncedServer(uvicorn.Server):
        """Prints its address once it answers."""

        async def startup(self, sockets: "list[socket.socket] | None" = None) -> None:
            await super().startup(sockets)
            if self.started:
                print(f"Franchise is at {address} (stop with Ctrl-C)", flush=True)
                if browser:
                    open_browser(address)

        async def shutdown(self, sockets: "list[socket.socket] | None" = None) -> None:
            await end_streams(app)  # which would keep it running
            await super().shutdown(sockets)

    # uvicorn raises the signal again after it has stopped.
    signal.signal(signal.SIGINT, lambda *_: sys.exit(INTERRUPTED))
    config = uvicorn.Config(
        app,
        loop="auto",  # uvloop where it is installed
        http=protocol_of(app.state.limits),  # httptools where it is installed
        log_config=None,  # logging_setup.py configures it
        access_log=False,
        lifespan="on",
        timeout_graceful_shutdown=GRACE_S,
        server_header=False,
    )
    gc.freeze()
    gc.enable()
    gc.set_threshold(*COLLECT)
    server = AnnouncedServer(config)
    server.run([listening])
    if not server.started:
        raise typer.Exit(1)


def address_of(listening: "socket.socket") -> str:
    """The URL of the server for a browser on this machine."""
    host, port = listening.getsockname()[:2]
    local = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)
    return f"http://{local}:{port}/"


def open_browser(address: str) -> None:
    """Open the page in a browser if there is a display, or BROWSER names one (as in the terminals of some editors)."""
    import webbrowser
    from contextlib import suppress

    if sys.platform.startswith("linux") and not any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"))):
        return
    with suppress(webbrowser.Error):
        webbrowser.open(address)
