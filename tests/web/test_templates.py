"""Templates are compiled once for each version, and kept on disk."""

from pathlib import Path

import pytest
from markupsafe import escape

from franchise.web.page_cache import folder
from franchise.web.templating import environment


@pytest.fixture
def kept_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Compiled templates in an empty folder, as long as this test runs."""
    monkeypatch.setenv("FRANCHISE_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr("franchise.web.page_cache.folder", folder.__wrapped__)
    return tmp_path


def test_a_template_is_compiled_once_and_then_read(kept_in: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    environment.__wrapped__().get_template("look.html")
    assert list(kept_in.glob("pages-*/*.cache"))
    again = environment.__wrapped__()
    monkeypatch.setattr(again, "_generate", lambda *_, **__: pytest.fail("it was compiled again"))
    again.get_template("look.html")


def test_where_nothing_can_be_kept_templates_are_compiled(kept_in: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = kept_in / "file"
    file.touch()
    monkeypatch.setenv("FRANCHISE_CACHE_DIR", str(file / "below"))
    assert environment.__wrapped__().get_template("look.html").name == "look.html"
    assert not list(kept_in.glob("**/*.cache"))


def test_a_call_passes_on_all_that_it_is_given() -> None:
    called = environment().from_string("{{ call(1, *more, name=2, **named) }}")
    assert called.render(call=lambda *given, **named: f"{given} {named}", more=[3], named={"other": 4}) == str(
        escape("(1, 3) {'name': 2, 'other': 4}")
    )
