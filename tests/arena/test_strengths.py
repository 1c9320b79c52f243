"""Strengths from all games at once, against what Bradley and Terry's model says."""

import math
import random

import pytest

from franchise.arena.strengths import strengths

Game = tuple[tuple[str, ...], tuple[int, ...]]
WON, LOST, TIED = (("a", "b"), (1, 2)), (("a", "b"), (2, 1)), (("a", "b"), (1, 1))


def test_three_wins_of_four_are_ten_to_the_power_of_the_points_over_400() -> None:
    games: list[Game] = [WON, WON, WON, LOST] * 100
    found = strengths(["a", "b"], games)
    assert found["a"].value - found["b"].value == pytest.approx(400 * math.log10(3), abs=1)
    assert found["a"].low < found["a"].value < found["a"].high


def test_the_order_of_the_games_does_not_matter() -> None:
    chance = random.Random(1)
    games: list[Game] = [(("a", "b", "c"), tuple(chance.sample((1, 2, 3), 3))) for _ in range(200)]
    shuffled = chance.sample(games, len(games))
    first, second = (strengths(["a", "b", "c"], played) for played in (games, shuffled))
    for name in "abc":
        assert first[name].value == pytest.approx(second[name].value, abs=1e-6)


def test_ties_and_as_many_wins_as_losses_leave_equals_equal() -> None:
    for games in ([TIED] * 10, [WON, LOST] * 10):
        found = strengths(["a", "b"], games)
        assert found["a"].value == pytest.approx(0, abs=1e-6)
        assert found["b"].value == pytest.approx(0, abs=1e-6)


def test_who_always_wins_is_strong_but_not_infinitely() -> None:
    few, many = (strengths(["a", "b"], [WON] * count)["a"].value for count in (3, 300))
    assert 0 < few < many < 2000


def test_several_seats_in_a_game_are_one_observation() -> None:
    alone: list[Game] = [WON, WON, LOST] * 20
    doubled: list[Game] = [((*names, names[1]), (*places, places[1])) for names, places in alone]
    assert strengths(["a", "b"], doubled)["a"].value == pytest.approx(strengths(["a", "b"], alone)["a"].value)


def test_more_games_make_a_rating_surer() -> None:
    few, many = (strengths(["a", "b"], [WON, LOST] * count)["a"] for count in (8, 200))
    assert many.high - many.low < few.high - few.low


def test_a_chain_of_entrants_who_never_met_is_ranked() -> None:
    games: list[Game] = [WON, WON, LOST, (("b", "c"), (1, 2)), (("b", "c"), (1, 2)), (("b", "c"), (2, 1))] * 20
    found = strengths(["a", "b", "c"], games)
    assert found["a"].value > found["b"].value > found["c"].value
