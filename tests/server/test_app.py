"""What a server waits for before it answers."""

from pathlib import Path

import pytest

from franchise.server import app as module
from franchise.server.app import create_app
from franchise.server.settings import Settings


@pytest.mark.parametrize("compiled", [True, False])
async def test_kernels_are_loaded_before_the_first_answer_only_where_they_are_not_compiled_yet(
    compiled: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded = []
    monkeypatch.setattr(module, "kept", lambda _: compiled)
    monkeypatch.setattr(module, "load_kernels", lambda: loaded.append(1))
    app = create_app(Settings(database=f"sqlite:///{tmp_path / 'franchise.db'}"))

    async with app.router.lifespan_context(app):
        assert len(loaded) == (0 if compiled else 1)
