"""The picture of the start page, drawn once for each version and language."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from franchise.web import hero as module
from franchise.web import page_cache
from franchise.web.hero import drawn, hero
from franchise.web.page_cache import folder, keep
from franchise.wording.language import LANGUAGES, language


@pytest.fixture
def kept_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Pictures in an empty folder."""
    monkeypatch.setenv("FRANCHISE_CACHE_DIR", str(tmp_path))
    for cached in (hero, folder):
        cached.cache_clear()
    yield tmp_path
    for cached in (hero, folder):
        cached.cache_clear()


def test_it_is_drawn_once_and_then_read(kept_in: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pictures = {code: hero(language(code)) for code in LANGUAGES}
    assert all(picture.startswith("<svg") for picture in pictures.values())
    assert len(list(kept_in.glob("pages-*/*.svg"))) == len(LANGUAGES)
    hero.cache_clear()
    monkeypatch.setattr(module, "drawn", lambda _: pytest.fail("it was drawn again"))
    assert {code: hero(language(code)) for code in LANGUAGES} == pictures


def test_another_version_does_not_find_it_and_takes_its_place(kept_in: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hero(language("en"))
    [old] = kept_in.glob("pages-*")
    for cached in (hero, folder):
        cached.cache_clear()
    monkeypatch.setattr(page_cache, "MADE_OF", (*page_cache.MADE_OF, "py.typed"))
    assert hero(language("en")) == drawn(language("en"))
    [new] = kept_in.glob("pages-*")
    assert new != old


def test_where_nothing_can_be_kept_it_is_drawn(kept_in: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = kept_in / "file"
    file.touch()
    monkeypatch.setenv("FRANCHISE_CACHE_DIR", str(file / "below"))
    folder.cache_clear()
    assert hero(language("en")) == drawn(language("en"))
    with pytest.raises(OSError, match="Not a directory"):
        keep(folder() / "en.svg", "")
