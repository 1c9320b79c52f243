"""An environment without settings, databases of each kind for whatever is to work on both, and the command."""

import itertools
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

if TYPE_CHECKING:
    from franchise.benchmarks.temporary_postgres import TemporaryPostgres

NUMBERS = itertools.count()
# What a shell may say to the tests themselves; its settings of a server are not meant for them.
KEPT = {f"FRANCHISE_{name}" for name in ("BROWSER", "CACHE_DIR", "HYPOTHESIS", "POSTGRES", "TMUX")}


@pytest.fixture(scope="session", autouse=True)
def plain_environment() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith("FRANCHISE_") and name not in KEPT]:
            patch.delenv(name)
        yield


@pytest.fixture(scope="session")
def cluster() -> "Iterator[TemporaryPostgres]":
    """A real PostgreSQL whose database `current` has the schema."""
    from franchise.benchmarks.temporary_postgres import NoPostgres, TemporaryPostgres
    from server.running_servers import upgrade

    try:
        made = TemporaryPostgres("fsync=off")  # nothing here outlives the machine
    except NoPostgres as missing:
        if os.environ.get("FRANCHISE_POSTGRES") == "required":
            raise
        pytest.skip(str(missing))
    try:
        upgrade(made.create("current"))
        yield made
    finally:
        made.remove()


@pytest.fixture(params=["sqlite", "postgres"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'franchise.db'}"
    cluster: TemporaryPostgres = request.getfixturevalue("cluster")
    return cluster.create(f"test{next(NUMBERS)}", "current")


class Done(NamedTuple):
    code: int | str | None
    out: str
    err: str


Run = Callable[..., Done]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run the `franchise` command with these arguments inside the test's process; what it answers."""
    from franchise.cli import main

    def run(*arguments: object) -> Done:
        monkeypatch.setattr(sys, "argv", ["franchise", *map(str, arguments)])
        capsys.readouterr()
        with pytest.raises(SystemExit) as end:
            main()
        return Done(end.value.code, *capsys.readouterr())

    return run
