"""Every seating equally often."""

from collections import Counter
from itertools import permutations

import pytest

from franchise.arena.schedule import rounded_up, seatings


def test_as_many_entrants_as_seats_sit_in_every_order_once() -> None:
    block = seatings("abcd", 4)
    assert sorted(block) == sorted(permutations("abcd"))


def test_a_name_given_twice_takes_two_seats_and_shortens_the_block() -> None:
    assert sorted(seatings(["x", "y", "y", "y"], 4)) == [tuple("xyyy"), tuple("yxyy"), tuple("yyxy"), tuple("yyyx")]
    assert len(seatings(["x", "x", "y", "y"], 4)) == 6


def test_one_name_for_all_seats_is_one_seating() -> None:
    assert seatings(["x", "x", "x"], 3) == [("x", "x", "x")]


def test_more_entrants_than_seats_meet_in_every_combination_equally_often() -> None:
    block = seatings("abcde", 3)
    assert len(block) == len(set(block)) == 60
    tables = Counter(frozenset(seating) for seating in block)
    assert len(tables) == 10
    assert set(tables.values()) == {6}
    places = Counter((name, seat) for seating in block for seat, name in enumerate(seating))
    assert set(places.values()) == {12}


def test_among_more_entrants_than_seats_a_name_given_twice_plays_twice_as_often() -> None:
    block = seatings(["x", "x", "y"], 2)
    assert Counter(block) == {("x", "x"): 1, ("x", "y"): 1, ("y", "x"): 1}
    names = Counter(name for seating in block for name in seating)
    assert names["x"] == 2 * names["y"]


@pytest.mark.parametrize(("entrants", "players"), [("abcd", 4), ("abcde", 5), ("abcde", 3), ("aabb", 4)])
def test_whoever_stops_after_full_rounds_of_turns_has_balanced_seats(entrants: str, players: int) -> None:
    block = seatings(entrants, players)
    for begin in range(0, len(block) // players * players, players):
        part = Counter((name, seat) for seating in block[begin : begin + players] for seat, name in enumerate(seating))
        if entrants != "aabb":  # there a turn by half the table is the same seating again
            assert all(part[name, seat] == part[name, 0] for name in set(entrants) for seat in range(players))


def test_too_few_names_are_refused_with_the_way_to_write_it() -> None:
    with pytest.raises(ValueError, match="2 names for 4 seats; name a bot once for each seat"):
        seatings(["a", "b"], 4)


def test_more_seatings_than_anyone_can_play_are_refused() -> None:
    with pytest.raises(ValueError, match="20 entrants on 5 seats have more than"):
        seatings([str(number) for number in range(20)], 5)


@pytest.mark.parametrize(("games", "block", "full"), [(1, 24, 24), (24, 24, 24), (400, 24, 408), (7, 1, 7)])
def test_games_are_rounded_up_to_full_blocks(games: int, block: int, full: int) -> None:
    assert rounded_up(games, block) == full
