"""Compiling everything in one go, and forgetting what old versions compiled."""

import os
from pathlib import Path

import pytest

from franchise.engine import warmup
from franchise.engine.tables import board_rules

DAY = 86400


def folder(parent: Path, name: str, *, age: float | None) -> Path:
    """A cache folder, completed that many days ago, or never."""
    made = parent / name
    made.mkdir()
    (made / "kernel.nbi").touch()
    if age is not None:
        done = made / warmup.DONE
        done.touch()
        now = done.stat().st_mtime
        os.utime(done, (now, now - age * DAY))
    return made


def test_kernels_of_other_versions_are_forgotten_after_a_month(tmp_path: Path) -> None:
    mine = folder(tmp_path, "kernels-mine", age=100)
    recent = folder(tmp_path, "kernels-recent", age=warmup.KEPT_DAYS - 1)
    unfinished = folder(tmp_path, "kernels-unfinished", age=None)
    old = folder(tmp_path, "kernels-old", age=warmup.KEPT_DAYS + 1)
    foreign = folder(tmp_path, "photos", age=100)
    warmup.forget_old(mine)
    assert not old.exists()
    assert all(kept.exists() for kept in (mine, recent, unfinished, foreign))


def test_compiling_everything_changes_nothing_that_games_share() -> None:
    before = board_rules(4).tobytes()
    warmup.compile_all()
    assert board_rules(4).tobytes() == before


@pytest.mark.parametrize("complete", [False, True])
def test_the_first_use_compiles_everything_and_later_ones_nothing(
    complete: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = folder(tmp_path, "kernels-mine", age=0 if complete else None)
    old = folder(tmp_path, "kernels-old", age=warmup.KEPT_DAYS + 1)
    compiled = []
    monkeypatch.setattr(warmup, "COMPILED", True)
    monkeypatch.setattr(warmup, "cache_folder", lambda package: cache)
    monkeypatch.setattr(warmup, "compile_all", lambda: compiled.append(1))
    warmup.ready.__wrapped__()
    assert compiled == ([] if complete else [1])
    assert old.exists() is complete
    warmup.ready.__wrapped__()
    assert compiled == ([] if complete else [1])


@pytest.mark.parametrize("compiled", [False, True])
def test_plain_mode_or_a_cache_that_cannot_be_written_compile_nothing_ahead(
    compiled: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse() -> None:
        raise AssertionError("nothing is to be compiled")

    monkeypatch.setattr(warmup, "COMPILED", compiled)
    monkeypatch.setattr(warmup, "cache_folder", lambda package: None)
    monkeypatch.setattr(warmup, "compile_all", refuse)
    assert warmup.ready.__wrapped__() is None
