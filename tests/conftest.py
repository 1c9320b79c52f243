"""Databases of each kind, for whatever is to work on both."""

import itertools
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from franchise.benchmarks.temporary_postgres import TemporaryPostgres

NUMBERS = itertools.count()


@pytest.fixture(scope="session")
def cluster() -> "Iterator[TemporaryPostgres]":
    """A real PostgreSQL whose database `current` has the schema."""
    from franchise.benchmarks.temporary_postgres import NoPostgres, TemporaryPostgres
    from server.lives import upgrade

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
