"""How many processors there are to work on."""

import os

import pytest

from franchise.engine.processors import cores


def test_only_processors_this_process_may_use_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: {0, 3, 5}, raising=False)
    assert cores() == 3


def test_without_affinities_all_processors_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: 7)
    assert cores() == 7
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert cores() == 1
