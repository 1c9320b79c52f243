"""Section 2, phase 1: income."""

import pytest

from franchise import Game
from franchise.engine.layout import EventKind
from franchise.facts import BOARD, COLOURS
from text_positions import happened, play, player, position

CHARTS = {  # first sum of empty spaces that pays $2, $3, ...
    2: (4, 11, 17, 23, 31, 40),
    3: (3, 7, 11, 15, 21, 27),
    4: (2, 6, 10, 14, 18, 22),
    5: (2, 5, 9, 13, 16, 19),
}
STEPS = [
    (players, total, dollars)
    for players, chart in CHARTS.items()
    for dollars, first in enumerate(chart, start=2)
    for total, dollars in ((first - 1, dollars - 1), (first, dollars))
]


def income_of_blue(game: Game) -> int:
    """What the next turn pays blue, the last player being about to end a turn."""
    events = play(game, "done; end")
    ((colour, _, dollars),) = happened(events, EventKind.INCOME)
    assert colour == "blue"
    return dollars


def with_empty_spaces(players: int, total: int) -> Game:
    """Blue in as many cities as it takes to have that many empty spaces in them."""
    blocked = BOARD.blocked(players)
    last = COLOURS[players - 1]
    lines = []
    for city in (BOARD.locations[city] for city in BOARD.cities if city not in blocked):
        empty = min(total, city.size - 1)
        if empty:
            lines.append(f"{city.name}: blue" + f" {last}" * (city.size - 1 - empty))
        total -= empty
    assert total == 0
    return position("\n".join([*lines, f"{last} to expand"]), players)


@pytest.mark.clause("2.1")
def test_income_counts_the_empty_spaces_of_the_cities_you_are_in() -> None:
    game = position("""
        Chicago: blue red         # 5 empty
        Omaha: red blue red       # 1 empty
        Denver: red               # not there
        Reno: blue                # a town
        black to expand
    """)
    assert player(game, "blue")["empty_spaces"] == 6
    assert income_of_blue(game) == 3


@pytest.mark.clause("2.1")
def test_several_franchises_in_a_city_count_its_empty_spaces_once() -> None:
    game = position("""
        Chicago: blue blue red    # 4 empty
        black to expand
    """)
    assert player(game, "blue")["empty_spaces"] == 4
    assert income_of_blue(game) == 2


@pytest.mark.clause("2.1", "2.13")
def test_scored_cities_give_no_income() -> None:
    game = position("""
        New York: blue red scored
        Chicago: red blue scored
        Detroit: blue red         # 2 empty
        black to expand
    """)
    assert player(game, "blue")["empty_spaces"] == 2
    assert income_of_blue(game) == 2


@pytest.mark.clause("2.1", "2.2")
def test_towns_never_count_and_a_sum_of_0_still_pays_1() -> None:
    game = position("""
        Reno: blue
        Boise: blue
        black to expand
    """)
    assert player(game, "blue")["empty_spaces"] == 0
    assert income_of_blue(game) == 1


@pytest.mark.clause("2.1")
def test_a_franchise_of_anyone_else_lowers_the_income_of_all_in_the_city() -> None:
    game = position("""
        Detroit: blue red         # 2 empty, 1 after black
        Chicago: black
        black cash 3
        black to expand
    """)
    play(game, "expand Detroit 3; done; end")
    assert player(game, "blue")["empty_spaces"] == 1
    assert player(game, "red")["empty_spaces"] == 1
    assert player(game, "black")["empty_spaces"] == 6 + 1


@pytest.mark.clause("2.2")
@pytest.mark.parametrize(("players", "total", "dollars"), STEPS)
def test_income_follows_the_chart_for_the_number_of_players(players: int, total: int, dollars: int) -> None:
    game = with_empty_spaces(players, total)
    before = player(game, "blue")["cash"]
    assert player(game, "blue")["income"] == dollars
    assert income_of_blue(game) == dollars
    assert player(game, "blue")["cash"] == before + dollars


@pytest.mark.clause("2.2")
@pytest.mark.parametrize(("players", "total"), [(2, 63), (3, 63), (4, 83), (5, 83)])
def test_no_sum_pays_more_than_7(players: int, total: int) -> None:
    assert income_of_blue(with_empty_spaces(players, total)) == 7


@pytest.mark.clause("2.2")
def test_income_is_paid_to_the_active_player_alone_before_anything_else() -> None:
    game = position("""
        Chicago: blue red
        black to expand
    """)
    cash = {colour: player(game, colour)["cash"] for colour in COLOURS[:4]}
    income_of_blue(game)
    assert game.phase == "expand"
    assert {colour: player(game, colour)["cash"] for colour in COLOURS[:4]} == cash | {"blue": cash["blue"] + 2}
