"""Figures: percentiles, limits, and how they are shown."""

import pytest

from franchise.benchmarks.figures import as_markdown, percentile, single, spread
from franchise.benchmarks.server_process import LoadError


def test_a_percentile_is_the_smallest_value_that_the_share_does_not_exceed() -> None:
    values = [float(value) for value in range(100, 0, -1)]
    assert percentile(values, 0.5) == 50
    assert percentile(values, 0.95) == 95
    assert percentile(values, 1.0) == 100
    assert percentile([7.0], 0.05) == 7
    assert percentile([3.0, 1.0, 2.0], 0.5) == 2


def test_a_percentile_of_nothing_is_refused() -> None:
    with pytest.raises(LoadError, match="nothing was measured"):
        percentile([], 0.5)


def test_a_limit_is_compared_with_the_value_it_is_for() -> None:
    durations = [1.0] * 19 + [50.0]
    assert spread("key", "text", durations, 40.0).kept
    assert spread("key", "text", durations, 40.0, "max").kept is False
    assert spread("key", "text", durations).kept is None
    assert single("key", "text", 0, limit=0).kept
    assert single("key", "text", 1, limit=0).kept is False
    assert single("key", "text", None, "MB", 100).kept is None


def test_figures_as_markdown_stand_beside_their_limits() -> None:
    figures = [
        spread("move", "move to answer", [1.0, 2.04, 3.0], 40.0),
        single("memory", "memory", None, "MB"),
        single("events", "events", 1234),
    ]
    assert as_markdown(figures).splitlines()[2:] == [
        "| move to answer | 2.0 / 3.0 / 3.0 ms | p95 at most 40 ms |",
        "| memory | not available | |",
        "| events | 1,234 | |",
    ]
