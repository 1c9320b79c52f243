"""A whole site in the test's event loop. Not among the tests in the browser: Playwright has that loop for itself."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from people import town
from server.lives import Process


@pytest.fixture(scope="package", autouse=True)
def plain_environment() -> Iterator[None]:
    """Settings of this shell are not meant for tests."""
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith("FRANCHISE_")]:
            if name not in ("FRANCHISE_BROWSER", "FRANCHISE_CACHE_DIR"):
                patch.delenv(name)
        yield


@pytest.fixture(scope="package")
def address(plain_environment: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server as a process of its own; in the end it must have had nothing to complain about."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FRANCHISE_LIMITS", "0")
        patch.setenv("FRANCHISE_PASSWORD_MEMORY", "64")
        process = Process(f"sqlite:///{tmp_path_factory.mktemp('people') / 'franchise.db'}")
    yield process.address
    code, complaint = process.stop()
    assert (code, complaint) == (0, "")


@pytest.fixture
def visit(database: str) -> Callable[..., Any]:
    """Run a scene with a site; each call is another life of it over the same database, of each kind."""
    return lambda scene, **settings: town.run(database, scene, **settings)


@pytest.fixture
def drop_in(tmp_path: Path) -> Callable[..., Any]:
    """The same over an SQLite file only, for what has little to do with the database."""
    return lambda scene, **settings: town.run(f"sqlite:///{tmp_path / 'franchise.db'}", scene, **settings)
