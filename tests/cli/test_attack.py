"""franchise attack: a short one, over servers of its own; nothing falls."""

import json
from typing import Any

import pytest

REQUESTS = 120  # generated ones


@pytest.mark.parametrize("kind", [(), ("--postgres",)], ids=["sqlite", "postgres"])
def test_a_short_attack_finds_nothing(run: Any, kind: tuple[str, ...]) -> None:
    done = run("attack", "--requests", REQUESTS, "--seed", 1, "--json", *kind)
    data = json.loads(done.out)
    assert data["fallen"] == []
    assert done.code == 0
    assert set(data["tried"]) == {
        *("generated requests", "forged forms", "oversized bodies", "made-up tables", "event streams", "slow clients")
    }
    assert data["tried"]["generated requests"] == REQUESTS
    assert data["answers"]["403"] >= data["tried"]["forged forms"]
    assert data["answers"]["429"] > 0
    assert data["memory"]["counts after"] < data["memory"]["requests"] / 10
