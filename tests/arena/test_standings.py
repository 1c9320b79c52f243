"""Standings against cases computed by hand."""

import math

import pytest

from arena.made_up_runs import outcome
from franchise.arena.outcome import Forfeit
from franchise.arena.standings import Standings, shared_ranks


def test_tied_places_share_the_mean_of_their_ranks() -> None:
    assert shared_ranks((1, 2, 2, 4)) == [1, 2.5, 2.5, 4]
    assert shared_ranks((1, 1, 1)) == [2, 2, 2]


def standings() -> Standings:
    """Four games: a wins two, a and b share one, b wins one."""
    made = Standings(("a", "b", "b"), 3)
    made.add(outcome(("a", "b", "b"), (30, 20, 10), game=0))
    made.add(outcome(("b", "a", "b"), (25, 25, 10), game=1))
    made.add(outcome(("b", "b", "a"), (9, 8, 40), game=2))
    made.add(outcome(("a", "b", "b"), (10, 20, 30), game=3))
    return made


def test_an_entrant_wins_a_game_from_any_of_its_seats_and_shared_victories_count_in_parts() -> None:
    first, second = standings().table()
    assert (first.name, first.games, first.seats, first.wins.value) == ("a", 4, 4, 2.5 / 4)
    assert (second.name, second.games, second.seats, second.wins.value) == ("b", 4, 8, 1.5 / 4)
    assert first.fair == pytest.approx(1 / 3)
    assert second.fair == pytest.approx(2 / 3)


def test_ranks_and_scores_are_means_over_the_seats_of_an_entrant() -> None:
    by_name = {row.name: row for row in standings().table()}
    assert by_name["a"].rank.value == pytest.approx((1 + 1.5 + 1 + 3) / 4)
    assert by_name["b"].rank.value == pytest.approx((2.5 + 2.25 + 2.5 + 1.5) / 4)
    assert by_name["a"].score.value == pytest.approx((30 + 25 + 40 + 10) / 4)
    assert by_name["b"].score.value == pytest.approx((15 + 17.5 + 8.5 + 25) / 4)
    # ranks of a: variance (1 - 1.625)^2 * 2 + (1.5 - 1.625)^2 + (3 - 1.625)^2 over 3, t(3) = 3.1824
    spread = math.sqrt((0.625**2 * 2 + 0.125**2 + 1.375**2) / 3 / 4) * 3.18245
    assert by_name["a"].rank.high == pytest.approx(1.625 + spread, abs=1e-4)


def test_head_to_head_counts_pairs_of_seats_and_half_of_a_tie() -> None:
    duels = {(duel.name, duel.other): duel for duel in standings().duels()}
    assert set(duels) == {("a", "b"), ("b", "a")}
    assert duels["a", "b"].games == 4
    assert duels["a", "b"].ahead.value == pytest.approx((1 + 0.75 + 1 + 0) / 4)
    assert duels["b", "a"].ahead.value == pytest.approx(1 - 2.75 / 4)


def test_by_seat_counts_each_entrant_where_it_sat_and_all_together() -> None:
    seats = {(row.name, row.seat): row for row in standings().seats()}
    assert (seats["a", 0].games, seats["a", 0].wins.value, seats["a", 0].score) == (2, 0.5, 20)
    assert (seats["b", 0].games, seats["b", 0].wins.value) == (2, 0.25)
    assert [seats[None, seat].wins.value for seat in range(3)] == [1.5 / 4, 0.5 / 4, 0.5]
    assert all(seats[None, seat].games == 4 for seat in range(3))


def test_the_order_in_which_games_end_changes_nothing() -> None:
    games = [outcome(("a", "b"), (number % 3, number % 5), game=number) for number in range(20)]
    forwards, backwards = Standings("ab", 2), Standings("ab", 2)
    for game in games:
        forwards.add(game)
    for game in reversed(games):
        backwards.add(game)
    assert [row.data() for row in forwards.table()] == [row.data() for row in backwards.table()]
    assert [row.data() for row in forwards.duels()] == [row.data() for row in backwards.duels()]


def test_lost_seats_are_told_in_the_order_of_games() -> None:
    made = Standings("ab", 2)
    for game in (4, 1):
        lost = Forfeit(seat=0, bot="a", by="random", turn=3, move=9, reason="silence")
        made.add(outcome(("a", "b"), (1, 2), game=game, forfeits=(lost,)))
    assert [game for game, _ in made.lost_seats()] == [1, 4]


def test_an_entrant_that_has_not_played_yet_stands_last() -> None:
    made = Standings("abc", 2)
    made.add(outcome(("b", "c"), (9, 3)))
    assert [row.name for row in made.table()] == ["b", "c", "a"]
    assert made.table()[-1].data()["mean_rank"] == {"value": None, "low": None, "high": None}
