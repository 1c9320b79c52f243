"""The first start on a computer: nothing is compiled yet, and people need not wait for it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from server.running_servers import PATIENCE, ServerProcess, create, move
from waiting import wait_until


def eventually(look: Callable[[], Any]) -> Any:
    """What is found there, as soon as there is something."""
    found: list[Any] = []

    def looked() -> bool:
        found.append(look())
        return found[-1] is not None

    wait_until(looked)
    return found[-1]


@pytest.mark.slow
def test_pages_and_tables_open_before_anything_is_compiled(tmp_path: Path) -> None:
    empty = tmp_path / "cache"
    with (
        ServerProcess(f"sqlite:///{tmp_path / 'franchise.db'}", FRANCHISE_CACHE_DIR=str(empty)) as server,
        httpx.Client(base_url=server.address, timeout=PATIENCE) as client,
    ):
        assert client.get("/").status_code == 200
        table = create(client, server.address, "human", "regular")

        def my_turn() -> Any:
            bearer = {"Authorization": f"Bearer {table['tokens']['0']}"}
            state = client.get(table["path"], headers=bearer).json()
            return state if state["current_player"] == 0 else None

        state = eventually(my_turn)  # the bot has placed its first franchise
        assert move(client, server.address, table, 0, state["version"], state["legal"][0]).status_code == 200
        share = eventually(lambda: client.get("/preparing").json()["share"])
        assert 0 <= share < 1
        page = client.get(f"/t/{table['id']}").text
        assert 'id="preparing"' in page
        assert "<progress" in page
        assert not list(empty.glob("kernels-*/complete"))
        code, complaints = server.stop()
        assert code == 0
        assert all(line.startswith("Compiling") for line in complaints.splitlines()), complaints
