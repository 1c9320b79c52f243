"""A real server for pages, with a browser and without."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from server.running_servers import RestartableServer, ServerProcess

LIMITS = "100"  # of FRANCHISE_LIMITS: tests are quicker than people, and come from one address


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where the server of these tests is."""
    process = ServerProcess(f"sqlite:///{tmp_path_factory.mktemp('site') / 'franchise.db'}", FRANCHISE_LIMITS=LIMITS)
    yield process.address
    process.stop()


@pytest.fixture
def site(tmp_path: Path) -> Iterator[RestartableServer]:
    """A server of one's own."""
    site = RestartableServer(f"sqlite:///{tmp_path / 'franchise.db'}", FRANCHISE_LIMITS=LIMITS)
    yield site
    site.end()


@pytest.fixture
def client(address: str) -> Iterator[httpx.Client]:
    """A visitor without a browser, and so without JavaScript."""
    with httpx.Client(base_url=address, follow_redirects=False, timeout=60) as client:
        yield client
