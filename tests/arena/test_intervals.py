"""Intervals against tables and cases computed by hand."""

import math

import pytest

from franchise.arena.intervals import Estimate, mean_of_sums, share, student


@pytest.mark.parametrize(
    ("won", "games", "low", "high"),
    [
        (5, 10, 0.2366, 0.7634),  # (0.5 + 3.8415 / 20) / 1.38415 -+ 1.96 / 1.38415 * sqrt(0.025 + 0.0096)
        (0, 10, 0.0, 0.2775),  # 3.8415 / 13.8415
        (10, 10, 0.7225, 1.0),
        (75, 100, 0.6570, 0.8245),
        (300, 400, 0.7053, 0.7899),
    ],
)
def test_shares_have_wilsons_interval(won: float, games: int, low: float, high: float) -> None:
    assert share(won, games) == pytest.approx((won / games, low, high), abs=5e-5)


def test_shared_victories_count_in_parts() -> None:
    assert share(2.5, 10).value == 0.25
    assert share(2, 10).low < share(2.5, 10).low < share(3, 10).low


def test_no_game_says_nothing_about_a_share() -> None:
    assert share(0, 0) == Estimate(0.0, 0.0, 1.0)


@pytest.mark.parametrize(
    ("freedom", "t"),
    [(1, 12.7062), (2, 4.3027), (3, 3.1824), (4, 2.7764), (9, 2.2622), (10, 2.2281), (30, 2.0423), (99, 1.9842)],
)
def test_students_t_is_that_of_the_tables(freedom: int, t: float) -> None:
    assert student(freedom) == pytest.approx(t, abs=5e-5)


def test_students_t_is_continuous_where_the_series_takes_over() -> None:
    assert student(1000) == pytest.approx(student(1001), abs=1e-5)
    assert student(10**9) == pytest.approx(1.959964, abs=1e-6)


def mean(values: list[float]) -> Estimate:
    return mean_of_sums(len(values), math.fsum(values), math.fsum(value * value for value in values))


def test_a_mean_has_students_interval() -> None:
    # mean 2, variance 2/3, standard error sqrt(2/3/4) = 0.40825, t(3) = 3.1824
    assert mean([1, 2, 2, 3]) == pytest.approx((2, 2 - 1.29923, 2 + 1.29923), abs=1e-4)


def test_equal_values_leave_no_doubt_and_one_value_leaves_all() -> None:
    assert mean([1.5] * 7) == (1.5, 1.5, 1.5)
    assert mean([4.0]) == (4.0, -math.inf, math.inf)
    assert mean([4.0]).data(2) == {"value": 4.0, "low": None, "high": None}
