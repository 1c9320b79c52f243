"""Where compiled kernels are kept: a folder for each version of the sources and the tools."""

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from franchise.engine import jit
from franchise.engine.kernel_cache import cache_folder, cache_root, sources_hash


@pytest.mark.compiled_only
def test_the_cache_folder_changes_with_every_byte_and_name_of_the_sources(tmp_path: Path) -> None:
    source = tmp_path / "rules.py"
    source.write_bytes(b"x = 1\n")
    seen = [sources_hash(tmp_path)]
    assert sources_hash(tmp_path) == seen[0]
    source.write_bytes(b"x = 2\n")
    seen.append(sources_hash(tmp_path))
    source.rename(tmp_path / "rule.py")
    seen.append(sources_hash(tmp_path))
    (tmp_path / "more.py").touch()
    seen.append(sources_hash(tmp_path))
    assert len(set(seen)) == 4
    (tmp_path / "notes.txt").write_text("no source")
    assert sources_hash(tmp_path) == seen[-1]


@pytest.mark.compiled_only
def test_the_cache_folder_depends_on_the_engine_and_the_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FRANCHISE_CACHE_DIR", str(tmp_path / "cache"))
    (tmp_path / "more.py").touch()
    folder = cache_folder.__wrapped__(tmp_path)
    engine = cache_folder.__wrapped__(Path(jit.__file__).parent)
    assert folder is not None
    assert engine is not None
    assert folder.parent == engine.parent == tmp_path / "cache"
    assert folder != engine
    assert list(folder.iterdir()) == []


@pytest.mark.compiled_only
@pytest.mark.filterwarnings("error")
def test_threads_that_ask_for_the_cache_folder_together_all_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FRANCHISE_CACHE_DIR", str(tmp_path / "cache"))
    with ThreadPoolExecutor(8) as pool:
        found = set(pool.map(cache_folder.__wrapped__, [tmp_path] * 400))
    assert len(found) == 1
    assert None not in found


@pytest.mark.parametrize(
    ("platform", "variables", "expected"),
    [
        ("linux", {"XDG_CACHE_HOME": "caches"}, Path("caches/franchise")),
        ("linux", {}, Path("home/.cache/franchise")),
        ("darwin", {}, Path("home/Library/Caches/franchise")),
        ("win32", {"LOCALAPPDATA": "local"}, Path("local/franchise")),
        ("win32", {}, Path("home/AppData/Local/franchise")),
        ("linux", {"FRANCHISE_CACHE_DIR": "mine", "XDG_CACHE_HOME": "caches"}, Path("mine")),
    ],
)
def test_kernels_are_kept_in_the_chosen_folder_or_the_cache_folder_of_the_user(
    platform: str, variables: dict[str, str], expected: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("FRANCHISE_CACHE_DIR", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(Path, "home", lambda: Path("home"))
    monkeypatch.setattr(sys, "platform", platform)
    assert cache_root() == expected
