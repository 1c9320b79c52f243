"""franchise ladder."""

import json
from pathlib import Path
from typing import Any

import pytest


@pytest.mark.compiled_only
def test_policies_are_rated_among_the_baselines_on_one_page(run: Any, tmp_path: Path) -> None:
    arguments = ("ladder", "python:franchise.bots.simple:random_bot", "--tier", "mini", "-n", 20, "--workers", 1)
    done = run(*arguments, "--out", tmp_path / "out")
    assert done.code == 0, done.err
    data = json.loads((tmp_path / "out" / "ladder.json").read_text(encoding="utf-8"))
    assert data["protocol"]["tier"] == "mini-v1"
    assert data["protocol"]["games"] == data["games"] == 20
    names = {row["name"] for row in data["standings"]}
    assert names == {"python:franchise.bots.simple:random_bot", "random", "newcomer", "casual", "regular"}
    assert all(row["games"] == 8 and row["rating"] for row in data["standings"])
    page = (tmp_path / "out" / "index.html").read_text(encoding="utf-8")
    assert "Policies" in page
    assert "beside the baselines" in page
    again = run(*arguments, "--out", tmp_path / "out", "--json")  # nothing is left to play
    assert json.loads(again.out)["standings"] == data["standings"]


def test_a_tier_or_a_policy_that_does_not_exist_is_refused(run: Any, tmp_path: Path) -> None:
    done = run("ladder", "--tier", "huge", "--out", tmp_path)
    assert done.code == 2
    assert "choose one of mini, duel, classic, full" in done.err
    done = run("ladder", tmp_path / "nowhere.onnx", "--tier", "mini", "--out", tmp_path)
    assert done.code == 2
    assert "there is no policy" in done.err
