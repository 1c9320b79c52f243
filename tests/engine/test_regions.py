"""Section 2, phase 5: regions are scored."""

import pytest

from franchise.engine.layout import EventKind
from franchise.facts import BOARD, COLOURS
from text_positions import happened, play, player, position

TEXAS = """
    Houston: {houston} scored
    Dallas: {dallas} scored
    Texas marker {marker}
    El Paso: {el_paso}
    Oklahoma City: {oklahoma} blue blue
    blue cash 1
    blue to grow
"""
# Blue scores Oklahoma City with its third franchise of four and keeps one there.


def ranks(drawn: str, players: int = 4) -> list[tuple[str, int]]:
    """Who gains how much when blue completes Texas: 5, 4 and 2."""
    events = play(position(drawn, players), "grow Oklahoma City; end")
    assert happened(events, EventKind.REGION) == [("blue", "Texas", BOARD.tile_ids["Texas"])]
    return [(colour, amount) for colour, _, amount in happened(events, EventKind.RANK)]


def texas(houston: str = "", dallas: str = "", el_paso: str = "blue", oklahoma: str = "", marker: str = "blue") -> str:
    return TEXAS.format(houston=houston, dallas=dallas, el_paso=el_paso, oklahoma=oklahoma, marker=marker)


@pytest.mark.clause("2.16")
def test_a_region_is_scored_when_its_towns_are_held_and_its_cities_scored() -> None:
    game = position(texas())
    play(game, "grow Oklahoma City; end")
    view = game.view()
    assert view["regions"]["Texas"]["scored"]
    assert view["track"] == ["Texas"]


@pytest.mark.clause("2.16")
def test_a_region_with_an_empty_town_is_not_scored() -> None:
    game = position(texas(el_paso=""))
    events = play(game, "grow Oklahoma City; end")
    assert happened(events, EventKind.MAJORITY) == [("blue", "Oklahoma City", 4)]
    assert happened(events, EventKind.REGION) == []
    assert game.view()["regions"]["Texas"]["missing"] == ["El Paso"]


@pytest.mark.clause("2.16")
def test_a_region_with_an_unscored_city_is_not_scored() -> None:
    game = position("""
        Houston: red scored
        Dallas: red
        Oklahoma City: blue blue
        El Paso: red
        Texas marker red
        blue cash 1
        blue to grow
    """)
    events = play(game, "grow Oklahoma City; end")
    assert happened(events, EventKind.REGION) == []
    assert game.view()["regions"]["Texas"]["missing"] == ["Dallas"]


@pytest.mark.clause("2.16")
def test_the_last_town_completes_a_region() -> None:
    game = position("""
        Houston: red scored
        Dallas: blue scored
        Oklahoma City: red scored
        Texas marker red
    """)
    events = play(game, "expand El Paso 0; done; end")
    assert happened(events, EventKind.REGION) == [("blue", "Texas", BOARD.tile_ids["Texas"])]


@pytest.mark.clause("2.16")
def test_a_region_is_scored_once() -> None:
    game = position(texas())
    play(game, "grow Oklahoma City; end")
    for _ in range(3):
        assert happened(play(game, "done; end"), EventKind.REGION) == []
    assert game.view()["track"] == ["Texas"]


@pytest.mark.clause("2.17")
def test_most_second_most_and_everyone_else_present_gain_the_three_values() -> None:
    drawn = texas(houston="red red red orange orange black", dallas="red beige", oklahoma="", el_paso="orange")
    # red 4, orange 3, then blue, black and beige with 1 each
    assert ranks(drawn, players=5) == [("red", 5), ("orange", 4), ("blue", 2), ("black", 2), ("beige", 2)]


@pytest.mark.clause("2.17")
def test_franchises_in_towns_and_cities_count_alike() -> None:
    assert ranks(texas(houston="red red", el_paso="red")) == [("red", 5), ("blue", 4)]
    assert ranks(texas(houston="red", el_paso="blue", dallas="blue")) == [("blue", 5), ("red", 4)]


@pytest.mark.clause("2.17")
def test_who_has_no_franchise_in_the_region_gains_nothing() -> None:
    game = position(texas(houston="red", dallas="red"))
    play(game, "grow Oklahoma City; end")
    assert player(game, "orange")["influence"] == player(game, "black")["influence"] == 0


@pytest.mark.clause("2.17")
def test_someone_alone_in_a_region_gains_the_first_value_only() -> None:
    assert ranks(texas()) == [("blue", 5)]


@pytest.mark.clause("2.17")
def test_each_rank_is_taken_by_one_player() -> None:
    drawn = texas(houston="red orange", dallas="black", el_paso="black", marker="red")
    # black 2; blue, red and orange 1 each: one second rank, the others third
    assert ranks(drawn) == [("black", 5), ("red", 4), ("orange", 2), ("blue", 2)]


@pytest.mark.clause("2.18")
@pytest.mark.parametrize(
    ("el_paso", "expected"), [("blue", [("blue", 5), ("red", 2)]), ("red", [("red", 5), ("blue", 2)])]
)
def test_with_two_players_the_second_gains_the_third_value(el_paso: str, expected: list[tuple[str, int]]) -> None:
    assert ranks(texas(houston="red", el_paso=el_paso), players=2) == expected


@pytest.mark.clause("2.18")
def test_with_three_players_the_second_value_counts() -> None:
    assert ranks(texas(houston="red red orange"), players=3) == [("blue", 5), ("red", 4), ("orange", 2)]


@pytest.mark.clause("2.19")
@pytest.mark.parametrize(
    ("marker", "expected"),
    [
        ("blue", ["blue", "red", "orange", "black", "beige"]),
        ("red", ["red", "orange", "black", "beige", "blue"]),
        ("black", ["black", "beige", "blue", "red", "orange"]),
        ("beige", ["beige", "blue", "red", "orange", "black"]),
    ],
)
def test_ties_at_every_rank_go_clockwise_from_the_owner_of_the_tie_breaker(marker: str, expected: list[str]) -> None:
    drawn = texas(houston="beige black", dallas="orange", el_paso="red", marker=marker)  # one franchise each
    assert ranks(drawn, players=5) == list(zip(expected, [5, 4, 2, 2, 2], strict=True))


@pytest.mark.clause("2.19")
def test_the_tie_breaker_counts_among_the_tied_only() -> None:
    # black owns it with one franchise; red and orange are tied with two each
    drawn = texas(houston="red orange black", dallas="orange red", el_paso="blue", marker="black")
    assert ranks(drawn) == [("blue", 5), ("red", 4), ("orange", 2), ("black", 2)]


@pytest.mark.clause("2.19")
def test_an_owner_of_the_tie_breaker_without_franchises_there_gains_nothing_but_starts_the_count() -> None:
    drawn = texas(houston="red orange", dallas="orange red", el_paso="blue", marker="black")
    # blue, red and orange 2 each: clockwise from black comes blue
    assert ranks(drawn) == [("blue", 5), ("red", 4), ("orange", 2)]


@pytest.mark.clause("2.20")
@pytest.mark.parametrize(
    ("before", "points"), [(0, 3), (1, 3), (2, 2), (3, 2), (4, 3), (5, 4), (6, 3), (7, 2), (8, 0), (9, 0)]
)
def test_the_active_player_gains_what_the_track_space_shows(before: int, points: int) -> None:
    game = position(texas(houston="red red red") + f"\n track {before}", players=4)
    events = play(game, "grow Oklahoma City; end")
    assert happened(events, EventKind.TRACK) == [("blue", "Texas", points)]
    view = game.view()
    assert len(view["track"]) == before + 1
    assert view["track"][-1] == "Texas"


@pytest.mark.clause("2.20", "1.5")
@pytest.mark.parametrize("players", [2, 3])
def test_with_two_or_three_players_the_first_region_takes_the_fourth_space(players: int) -> None:
    game = position(texas(), players)
    events = play(game, "grow Oklahoma City; end")
    assert happened(events, EventKind.TRACK) == [("blue", "Texas", 2)]
    assert game.view()["track"] == ["California", "Upper West", "Montana", "Texas"]


@pytest.mark.clause("2.20")
def test_several_regions_in_one_turn_go_to_the_track_in_board_order() -> None:
    game = position("""
        Houston: red scored
        Dallas: red scored
        El Paso: red
        Texas marker red
        Oklahoma City: blue blue
        New York: red scored
        New York marker red
        Pittsburgh: blue
        Los Angeles: orange blue scored
        San Francisco: orange scored
        Las Vegas: orange
        California marker orange
        blue cash 9
    """)
    events = play(game, "expand Reno 1; done; grow Oklahoma City; grow Pittsburgh; end")
    assert happened(events, EventKind.TRACK) == [
        ("blue", "California", 3),
        ("blue", "New York", 3),
        ("blue", "Texas", 2),
    ]
    assert game.view()["track"] == ["California", "New York", "Texas"]
    # blue: two cities, the track, two ranks in California (tied: orange 3, blue 2), New York and Texas
    assert [player(game, colour)["influence"] for colour in COLOURS[:4]] == [
        (4 + 2) + (3 + 3 + 2) + (4 + 5 + 4),
        6 + 5,
        5,
        0,
    ]
