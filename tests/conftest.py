"""How asynchronous tests run; no settings of the shell; databases of each kind; the `franchise` command."""

import asyncio
import functools
import inspect
import os
import shutil
import signal
import sys
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from waiting import PATIENCE

if TYPE_CHECKING:
    from franchise.benchmarks.temporary_postgres import TemporaryPostgres

# What a shell may say to the tests themselves; its settings of a server are not meant for them.
KEPT = {f"FRANCHISE_{name}" for name in ("BROWSER", "CACHE_DIR", "HYPOTHESIS", "LEARNING", "POSTGRES", "TMUX")}


def pytest_configure() -> None:
    """Started in the background, tests ignore Ctrl-C; the programs that they start must not inherit that."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_sessionstart(session: pytest.Session) -> None:
    reporter = session.config.pluginmanager.getplugin("terminalreporter")
    if reporter is not None:  # xdist's processes have none
        session.config.pluginmanager.register(FailuresAtOnce(reporter))


class FailuresAtOnce:
    """Shows a failure when it happens: all tests take minutes, and the end of a long output may be cut off."""

    def __init__(self, reporter: pytest.TerminalReporter) -> None:
        self.reporter = reporter

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.reporter.write_line(f"\n{report.nodeid} failed:\n{report.longreprtext}")


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


def patient(test: Callable[..., Awaitable[None]]) -> Callable[..., Awaitable[None]]:
    """The test, which fails instead of waiting for ever."""

    @functools.wraps(test)
    async def run(*arguments: Any, **fixtures: Any) -> None:
        async with asyncio.timeout(PATIENCE):
            await test(*arguments, **fixtures)

    return run


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if isinstance(item, pytest.Function) and inspect.iscoroutinefunction(item.obj):
            item.obj = patient(item.obj)


@pytest.fixture(scope="session", autouse=True)
def plain_environment() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith("FRANCHISE_") and name not in KEPT]:
            patch.delenv(name)
        yield


@pytest.fixture(scope="session")
def cluster() -> "Iterator[TemporaryPostgres]":
    """A real PostgreSQL whose database `current` has the schema, and nothing else: new ones are made after it."""
    from sqlalchemy import create_engine

    from franchise.benchmarks.temporary_postgres import NoPostgres, TemporaryPostgres
    from franchise.server.storage.migrations import make_current

    try:
        made = TemporaryPostgres("fsync=off")  # nothing here outlives the machine
    except NoPostgres as missing:
        if os.environ.get("FRANCHISE_POSTGRES") == "required":
            raise
        pytest.skip(str(missing))
    try:
        engine = create_engine(made.create("current").replace("postgresql:", "postgresql+psycopg:"))
        with engine.begin() as connection:
            make_current(connection)
        engine.dispose()
        made.create("emptied", "current")
        yield made
    finally:
        made.remove()


@pytest.fixture(scope="session")
def empty_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An SQLite database that has the schema, and nothing else: new ones are copies of it."""
    from sqlalchemy import create_engine

    from franchise.server.storage.migrations import make_current

    file = tmp_path_factory.mktemp("current") / "franchise.db"
    engine = create_engine(f"sqlite:///{file}")
    with engine.begin() as connection:
        make_current(connection)
    engine.dispose()
    return file


@pytest.fixture(params=["sqlite", "postgres"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{shutil.copy(request.getfixturevalue('empty_file'), tmp_path)}"
    cluster: TemporaryPostgres = request.getfixturevalue("cluster")
    database = cluster.named("emptied")
    empty(database)
    return database


def empty(database: str) -> None:
    """Forget everything that was written down: much quicker than a new database for each test."""
    import psycopg

    with psycopg.connect(database, autocommit=True) as connection:
        found = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall()
        names = ", ".join(f'"{name}"' for (name,) in found if name != "alembic_version")
        connection.execute(f"TRUNCATE {names} RESTART IDENTITY CASCADE")


class CommandResult(NamedTuple):
    code: int | str | None
    out: str
    err: str


Run = Callable[..., CommandResult]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run the `franchise` command with these arguments inside the test's process; what it answers."""
    from franchise.cli import main

    def run(*arguments: object) -> CommandResult:
        monkeypatch.setattr(sys, "argv", ["franchise", *map(str, arguments)])
        capsys.readouterr()
        with pytest.raises(SystemExit) as end:
            main()
        return CommandResult(end.value.code, *capsys.readouterr())

    return run
