"""RULES 6, the Milestones module."""

import pytest

from franchise import Event, Game, Options, Setup, SetupError
from franchise.engine.layout import EventKind, Phase
from franchise.facts import BOARD, COLOURS, MILESTONES
from text_positions import position

ALL_PLAYERS = pytest.mark.parametrize("players", [2, 3, 4, 5])


def milestones(text: str, drawn: str = "abcdefg", players: int = 4) -> Game:
    """A drawn position with just those milestone tiles open, whatever the seed drew."""
    game = position(text, players, Options(milestones=True))
    game.rules[0].milestones = sum(1 << MILESTONES.index(letter) for letter in drawn)
    return game


def claims(events: list[Event]) -> list[tuple[str, str]]:
    """Who claimed which milestone, in order."""
    return [(COLOURS[event.seat], event.where) for event in events if event.kind == EventKind.MILESTONE]


def hand(game: Game, colour: str) -> tuple[int, int, int]:
    """Bonus tiles in hand and in reserve, and the supply."""
    seat = game.view()["players"][COLOURS.index(colour)]
    return seat["bonus_tiles"], seat["reserve"], seat["supply"]


# --- 6.1 Set-up -------------------------------------------------------------------------------------------------------


@pytest.mark.clause("6.1")
@ALL_PLAYERS
def test_with_milestones_the_bonus_tiles_wait_in_reserve(players):
    tiles = 4 if players < 4 else 3
    for player in Game(players, 1, Options(milestones=True)).view()["players"]:
        assert (player["bonus_tiles"], player["reserve"]) == (0, tiles)
    for player in Game(players, 1).view()["players"]:
        assert player["bonus_tiles"] == tiles
        assert "reserve" not in player


@pytest.mark.clause("6.1")
@ALL_PLAYERS
def test_six_or_five_of_the_seven_milestones_are_drawn_by_the_seed(players):
    number = 6 if players < 4 else 5
    draws = [Game(players, seed, Options(milestones=True)).setup.milestones for seed in range(60)]
    for drawn in draws:
        assert len(set(drawn)) == number
        assert list(drawn) == sorted(drawn)
        assert set(drawn) <= set("abcdefg")
    assert {letter for drawn in draws for letter in drawn} == set("abcdefg")
    assert all(any(letter not in drawn for drawn in draws) for letter in "abcdefg")
    assert draws[7] == Game(players, 7, Options(milestones=True)).setup.milestones


@pytest.mark.clause("6.1")
def test_the_milestones_drawn_lie_open_and_without_the_module_there_are_none():
    game = Game(4, 1, Options(milestones=True))
    shown = game.view()["milestones"]
    assert tuple(tile["id"] for tile in shown) == game.setup.milestones
    assert all(tile["claimed"] == [] for tile in shown)
    assert Game(4, 1).setup.milestones == ()
    assert "milestones" not in Game(4, 1).view()


@pytest.mark.clause("6.1")
@pytest.mark.parametrize(
    ("drawn", "message"),
    [
        ("abcd", "5 of the milestones a b c d e f g lie open, not a b c d"),
        ("", "5 of the milestones a b c d e f g lie open, not none"),
        ("abcdz", "5 of the milestones a b c d e f g lie open, not a b c d z"),
        ("abcdd", "milestones are listed once and in order, not a b c d d"),
        ("bacde", "milestones are listed once and in order, not b a c d e"),
    ],
)
def test_a_set_up_with_other_milestones_is_refused(drawn, message):
    given = Game(4, 1, Options(milestones=True)).setup
    setup = Setup(4, given.options, tuple(drawn), given.city_tiles, given.region_tiles, ())
    with pytest.raises(SetupError) as refusal:
        Game.from_setup(setup)
    assert str(refusal.value) == message


# --- 6.2 Claiming -----------------------------------------------------------------------------------------------------


@pytest.mark.clause("6.2")
def test_a_milestone_is_marked_by_a_franchise_from_supply_and_brings_a_bonus_tile():
    game = milestones(
        """
        Raleigh: blue
        Memphis: blue
        Reno: blue
        Atlanta: blue
        blue to expand
        """,
        drawn="a",
    )
    assert hand(game, "blue") == (0, 3, 36)
    game.play("expand Montgomery 1")
    game.play("done")
    events = game.play("end")
    assert claims(events) == [("blue", "a")]
    assert hand(game, "blue") == (1, 2, 34)
    assert game.view()["milestones"][0]["claimed"] == ["blue"]


@pytest.mark.clause("6.2")
def test_a_milestone_is_claimed_once_by_each_player_who_meets_it():
    game = milestones(
        """
        Raleigh: blue
        Memphis: blue
        Reno: blue
        Atlanta: blue red
        Boise: red
        Conrad: red
        El Paso: red
        Pueblo: orange
        blue to expand
        """,
        drawn="a",
    )
    game.play("expand Montgomery 1")
    game.play("done")
    assert claims(game.play("end")) == [("blue", "a")]
    game.play("expand Spokane 0")
    game.play("done")
    assert claims(game.play("end")) == [("red", "a")]
    assert game.view()["milestones"] == [
        {"id": "a", "text": "franchises in 4 towns", "claimed": ["blue", "red"], "beside": []},
    ]
    game.play("expand Oklahoma City 1")
    for move in ("done", "end", "done", "end", "expand Huntsville 0", "done"):
        game.play(move)
    assert claims(game.play("end")) == []  # five towns are not the milestone a second time
    assert hand(game, "blue")[0] == 1


@pytest.mark.clause("6.2")
def test_a_milestone_is_also_claimed_in_another_players_turn():
    game = milestones("""
        Washington: red red blue blue blue
        Detroit: red red scored
        Omaha: red scored
        blue cash 1
        blue to grow
    """)
    game.play("grow Washington")
    events = game.play("end")
    assert claims(events) == [("blue", "e"), ("red", "c")]
    assert hand(game, "red") == (1, 2, 34)
    game.play("cash")  # red's turn has come


@pytest.mark.clause("6.2")
def test_without_a_bonus_tile_in_reserve_no_milestone_is_claimed():
    game = milestones("""
        Raleigh: blue
        Memphis: blue
        Reno: blue
        Atlanta: blue
        blue reserve 0
        blue bonus 2
        blue to expand
    """)
    game.play("expand Montgomery 1")
    game.play("done")
    assert claims(game.play("end")) == []
    assert hand(game, "blue") == (2, 0, 35)


@pytest.mark.clause("6.2")
@pytest.mark.clause("6.4")
def test_the_last_bonus_tile_in_reserve_goes_to_the_first_of_the_milestones_met():
    game = milestones(
        """
        Memphis: blue
        Reno: blue
        Boise: blue
        Atlanta: blue
        blue reserve 1
        blue to expand
        """,
        drawn="ab",
    )
    game.play("expand Raleigh 0")
    game.play("done")
    assert claims(game.play("end")) == [("blue", "a")]
    assert hand(game, "blue")[:2] == (1, 0)


@pytest.mark.clause("6.2")
@pytest.mark.clause("6.5")
def test_a_bonus_tile_gained_in_phase_4_can_be_used_from_the_next_turn_on():
    game = milestones(
        """
        Raleigh: blue
        Memphis: blue
        Reno: blue
        Atlanta: blue
        Boise: red
        blue to expand
        """,
        players=2,
    )
    game.play("expand Montgomery 1")
    assert "cash" not in map(str, game.legal_actions())
    game.play("done")
    game.play("end")
    assert game.current_player == 1
    assert "cash" not in map(str, game.legal_actions())
    game.play("done")
    game.play("end")
    assert game.current_player == 0
    game.play("cash")


@pytest.mark.clause("6.5")
def test_a_bonus_tile_gained_by_a_second_eight_dollar_link_cannot_be_used_in_that_turn():
    game = milestones("""
        Chicago: blue
        blue cash 30
        blue eights 1
        blue to expand
    """)
    events = game.play("expand Kansas City 8")
    assert claims(events) == [("blue", "g")]
    legal = set(map(str, game.legal_actions()))
    assert legal == {"done"}
    with pytest.raises(ValueError, match="a bonus tile gained this turn can be used from the next turn on"):
        game.play("cash")
    game.play("done")
    assert "cash" not in map(str, game.legal_actions())
    with pytest.raises(ValueError, match="a bonus tile gained this turn can be used from the next turn on"):
        game.play("cash")


@pytest.mark.clause("6.5")
def test_an_older_bonus_tile_can_be_used_in_the_turn_that_gains_another():
    game = milestones("""
        Chicago: blue
        blue cash 30
        blue eights 1
        blue bonus 1
        blue reserve 2
        blue to expand
    """)
    game.play("expand Kansas City 8")
    assert game.view()["players"][0]["fresh_bonus_tiles"] == 1
    game.play("again Detroit 3")
    assert "cash" not in map(str, game.legal_actions())
    assert hand(game, "blue")[:2] == (1, 1)


@pytest.mark.clause("6.2")
@pytest.mark.clause("4.3")
def test_at_the_end_only_bonus_tiles_that_left_the_reserve_count():
    game = milestones(
        """
        Raleigh: blue
        Boise: red
        blue bonus 1
        blue reserve 3
        blue cash 0
        red cash 0
        quiet 1
        blue to grow
        """,
        players=2,
    )
    game.play("end")
    assert game.over
    assert game.state[0].influence[:2].tolist() == [1 + 4, 1]


# --- 6.3 The seven ----------------------------------------------------------------------------------------------------


def turn(game: Game, *moves: str) -> list[tuple[str, str]]:
    """Play moves; who claimed which milestone on the way."""
    return [claim for move in moves for claim in claims(game.play(move))]


@pytest.mark.clause("6.3")
@pytest.mark.parametrize(("fourth", "claimed"), [("Memphis: blue", [("blue", "a")]), ("Memphis: red", [])])
def test_milestone_a_is_franchises_in_four_towns(fourth, claimed):
    game = milestones(
        f"""
        Raleigh: blue
        Reno: blue
        Atlanta: blue   # cities do not count
        Chicago: blue
        {fourth}
        blue to expand
        """,
        drawn="a",
    )
    assert turn(game, "expand Montgomery 1", "done", "end") == claimed


@pytest.mark.clause("6.3")
@pytest.mark.parametrize(
    ("others", "claimed"),
    [
        ("Reno: blue\nHouston: blue", [("blue", "b")]),  # California, Texas, Washington, Florida
        ("Memphis: blue\nOmaha: blue", []),  # Central twice
        ("Reno: blue\nTexas marker blue", []),  # the franchise beside a region tile is not in the region
    ],
)
def test_milestone_b_is_franchises_in_four_regions(others, claimed):
    game = milestones(f"Raleigh: blue\n{others}\nblue to expand", drawn="b")
    assert turn(game, "expand Atlanta 0", "done", "end") == claimed


@pytest.mark.clause("6.3")
@pytest.mark.parametrize(
    ("others", "claimed"),
    [
        ("Omaha: blue blue scored", [("blue", "c")]),
        ("Omaha: blue scored", []),
        ("Omaha: blue blue", []),
        ("Memphis: blue\nReno: blue", []),
    ],
)
def test_milestone_c_is_five_franchises_in_scored_cities(others, claimed):
    # blue takes one of two back in Charlotte, and so has 1 there and 2 in Detroit
    game = milestones(
        f"""
        Charlotte: blue
        Detroit: blue blue scored
        {others}
        blue cash 1
        blue to grow
        """,
        drawn="c",
    )
    assert turn(game, "grow Charlotte", "end") == claimed


@pytest.mark.clause("6.3")
@pytest.mark.parametrize(
    ("others", "claimed"),
    [
        ("Portland: blue\nSt. Louis: blue", [("blue", "d")]),
        ("Portland: blue scored\nSt. Louis: blue", []),
        ("Portland: blue\nSt. Louis: blue scored", []),
        ("Portland: blue\nWashington: blue", []),
        ("St. Louis: blue\nReno: blue", []),
    ],
)
def test_milestone_d_is_a_franchise_in_unscored_cities_of_value_two_three_and_four(others, claimed):
    game = milestones(f"Chicago: blue\n{others}\nblue cash 3\nblue to expand", drawn="d")
    assert turn(game, "expand Detroit 3", "done", "end") == claimed


@pytest.mark.clause("6.3")
@pytest.mark.clause("6.5")
def test_a_city_that_is_scored_by_the_placement_does_not_count_for_milestone_d():
    game = milestones(
        """
        Detroit: blue
        St. Louis: blue
        Minneapolis: red
        Chicago: blue
        blue cash 3
        blue to expand
        """,
        drawn="d",
    )
    events = turn(game, "expand Minneapolis 3", "done", "end")
    assert game.view()["locations"]["Minneapolis"]["scored"]
    assert events == []


@pytest.mark.clause("6.3")
@pytest.mark.clause("5.1")
def test_milestone_d_goes_by_the_city_tiles_on_the_board_not_by_the_printed_ones():
    options = Options(
        expert="arranged",
        milestones=True,
        city_tiles={"Minneapolis": 3, "Charlotte": 2, "Phoenix": 4, "Denver": 5},
    )
    game = position(
        """
        Chicago: blue
        Charlotte: blue
        Minneapolis: blue
        blue cash 8
        blue to expand
        """,
        options=options,
    )
    game.rules[0].milestones = 1 << MILESTONES.index("d")
    assert turn(game, "expand Phoenix 8", "done", "end") == [("blue", "d")]


@pytest.mark.clause("6.3")
@pytest.mark.parametrize(
    ("before", "move", "claimed"),
    [
        ("Washington: blue blue blue", "grow Washington", [("blue", "e")]),  # 6
        ("Los Angeles: blue blue blue", "grow Los Angeles", [("blue", "e")]),  # 7
        ("New York: blue blue blue blue", "grow New York", [("blue", "e")]),  # 8
        ("Dallas: blue blue", "grow Dallas", []),  # 5
        ("Washington: blue blue", "grow Washington", []),  # not scored yet
        # blue triggers the scoring, red gains the influence
        ("Washington: red red red blue blue", "grow Washington", [("blue", "e")]),
    ],
)
def test_milestone_e_is_to_trigger_the_scoring_of_a_city_of_value_six_seven_or_eight(before, move, claimed):
    game = milestones(f"{before}\nblue cash 1\nblue to grow", drawn="e")
    assert turn(game, move, "end") == claimed


@pytest.mark.clause("6.3")
def test_milestone_f_is_to_trigger_the_scoring_of_a_region():
    game = milestones(
        """
        New York: red red red blue scored
        New York marker red
        Pittsburgh: blue
        blue cash 1
        blue to grow
        """,
        drawn="f",
    )
    assert turn(game, "grow Pittsburgh", "end") == [("blue", "f")]  # red is first there, blue triggered it


@pytest.mark.clause("6.3")
def test_milestone_g_is_to_use_two_eight_dollar_links_and_the_first_is_recorded_visibly():
    game = milestones(
        """
        Chicago: blue
        Reno: red
        blue cash 16
        blue to expand
        """,
        drawn="g",
        players=2,
    )
    first = game.play("expand Kansas City 8")
    assert [event for event in first if event.kind == EventKind.EIGHT] == [
        (EventKind.EIGHT, 0, BOARD.location_ids["Kansas City"], 1)
    ]
    assert claims(first) == []
    assert game.view()["players"][0]["eights"] == 1
    for move in ("done", "end", "done", "end"):
        game.play(move)
    second = game.play("expand Charleston 8")
    assert claims(second) == [("blue", "g")]
    assert game.view()["players"][0]["eights"] == 2


@pytest.mark.clause("6.3")
def test_the_first_eight_dollar_link_takes_a_franchise_that_becomes_the_mark_of_the_claim():
    game = milestones("Chicago: blue\nReno: red\nblue cash 16\nblue to expand", drawn="g", players=2)
    supply = hand(game, "blue")[2]
    events = game.play("expand Kansas City 8")
    assert [event.where for event in events if event.kind == EventKind.EIGHT_MARK] == ["g"]
    assert hand(game, "blue")[2] == supply - 1  # the marker's franchise still lies in the supply
    assert game.view()["milestones"][0] == {
        "id": "g",
        "text": "use two $8 links",
        "claimed": [],
        "beside": ["blue"],
    }
    for move in ("done", "end", "done", "end"):
        game.play(move)
    assert hand(game, "blue")[2] == supply - 2
    assert claims(game.play("expand Charleston 8")) == [("blue", "g")]
    assert hand(game, "blue")[2] == supply - 2  # no second franchise for the claim
    assert game.view()["milestones"][0]["claimed"] == ["blue"]
    assert game.view()["milestones"][0]["beside"] == []


@pytest.mark.clause("6.3")
@pytest.mark.parametrize(
    ("drawn", "line"),
    [
        ("abcdef", ""),  # (g) is not in use
        ("g", "blue reserve 0"),  # nothing to gain any more
        ("g", "blue supply 1"),  # the expansion takes the last franchise
    ],
)
def test_without_need_or_without_a_franchise_to_spare_the_first_eight_dollar_link_takes_none(drawn, line):
    game = milestones(f"Chicago: blue\nblue cash 8\n{line}\nblue to expand", drawn)
    supply = hand(game, "blue")[2]
    events = game.play("expand New York 8")
    assert EventKind.EIGHT_MARK not in {event.kind for event in events}
    assert hand(game, "blue")[2] == supply
    assert all(tile["beside"] == [] for tile in game.view()["milestones"])


@pytest.mark.clause("6.3")
def test_a_franchise_beside_milestone_g_stays_when_the_reserve_is_empty():
    game = milestones("Chicago: blue\nReno: red\nblue cash 16\nblue to expand", drawn="g", players=2)
    game.play("expand Kansas City 8")
    game.state[0].reserve[0] = 0
    for move in ("done", "end", "done", "end"):
        game.play(move)
    assert claims(game.play("expand Charleston 8")) == []
    assert game.view()["milestones"][0]["beside"] == ["blue"]


@pytest.mark.clause("6.3")
def test_cheaper_links_do_not_count_for_milestone_g():
    game = milestones("Chicago: blue\nblue cash 8\nblue eights 1\nblue to expand", drawn="g")
    assert turn(game, "expand Omaha 5", "done", "end") == []
    assert game.view()["players"][0]["eights"] == 1


@pytest.mark.clause("6.3")
def test_two_eight_dollar_links_in_one_turn_are_milestone_g():
    game = milestones("Chicago: blue\nblue cash 16\nblue bonus 1\nblue to expand", drawn="g")
    assert turn(game, "expand New York 8", "again Phoenix 8") == [("blue", "g")]


@pytest.mark.clause("6.3")
@pytest.mark.clause("6.1")
def test_a_milestone_that_was_not_drawn_is_never_claimed():
    game = milestones("Chicago: blue\nblue cash 8\nblue eights 1\nblue to expand", drawn="abcdef")
    events = game.play("expand New York 8")
    assert [event.kind for event in events] == [EventKind.EXPAND]


# --- 6.4, 6.5 Rulings -------------------------------------------------------------------------------------------------


@pytest.mark.clause("6.4")
def test_milestones_met_at_once_are_claimed_from_the_active_player_clockwise_each_in_order():
    # orange fills Washington: four veterans become five for blue and for black, and orange gains two milestones
    game = milestones(
        """
        Washington: black orange orange blue black
        Detroit: blue blue blue blue scored
        Omaha: black black black scored
        Dallas: orange orange orange scored
        Atlanta: orange scored
        orange cash 1
        orange to grow
        """,
        drawn="ce",
    )
    assert turn(game, "grow Washington", "end") == [("orange", "c"), ("orange", "e"), ("black", "c"), ("blue", "c")]


@pytest.mark.clause("6.4")
def test_a_milestone_is_claimed_even_with_an_empty_supply():
    game = milestones(
        """
        Washington: blue blue blue red red
        Detroit: red red scored
        Omaha: red scored
        red supply 0
        blue cash 1
        blue to grow
        """,
        drawn="c",
    )
    assert turn(game, "grow Washington", "end") == [("red", "c")]
    assert hand(game, "red") == (1, 2, 0)
    assert game.state[0].missing.tolist() == [0, 1, 0, 0, 0]


@pytest.mark.clause("6.4")
@pytest.mark.clause("4.5")
def test_the_franchise_an_expansion_marker_waits_for_does_not_mark_a_milestone():
    game = milestones("Chicago: blue\nblue supply 1\nblue cash 8\nblue eights 1\nblue to expand", drawn="g")
    assert turn(game, "expand New York 8") == [("blue", "g")]
    assert hand(game, "blue") == (1, 2, 1)
    game.play("done")
    game.play("end")
    assert hand(game, "blue") == (1, 2, 0)
    assert game.view()["locations"]["New York"]["spaces"][0] == "blue"


@pytest.mark.clause("6.5")
def test_conditions_are_checked_after_each_single_placement():
    """Two expansions: the first one meets (d); the second would score a city of it, but the claim stands."""
    game = milestones(
        """
        Chicago: blue
        St. Louis: blue
        Minneapolis: red
        Portland: blue
        blue cash 6
        blue bonus 1
        blue to expand
        """,
        drawn="d",
    )
    assert turn(game, "expand Detroit 3", "again Minneapolis 3", "done", "end") == [("blue", "d")]
    # grown to a majority in the same turn, Portland is scored after Detroit was opened: (d) was met in between
    game = milestones("Chicago: blue\nSt. Louis: blue\nPortland: blue\nblue cash 4\nblue to expand", drawn="d")
    assert turn(game, "expand Detroit 3", "done", "grow Portland", "end") == [("blue", "d")]
    assert game.view()["locations"]["Portland"]["scored"]


@pytest.mark.clause("6.5")
def test_conditions_are_checked_after_each_region_scoring():
    game = milestones(
        """
        New York: red scored
        New York marker red
        Pittsburgh: blue
        blue cash 1
        blue to grow
        """,
        drawn="f",
    )
    game.play("grow Pittsburgh")
    kinds = [event.kind for event in game.play("end")]
    assert kinds.index(EventKind.MILESTONE) == kinds.index(EventKind.TRACK) + 1


@pytest.mark.clause("6.5")
@ALL_PLAYERS
def test_starting_franchises_alone_meet_no_milestone(players):
    for introductory in (False, True):
        game = Game(players, 2, Options(milestones=True, introductory=introductory))
        events = game.opening()
        while game.phase == "start":
            events += game.play(game.legal_actions()[0])
        assert len([event for event in events if event.kind == EventKind.START]) == players * (1 + introductory)
        assert claims(events) == []
        assert game.state[0].fresh == 0


@pytest.mark.clause("6.5")
def test_conditions_are_checked_after_a_starting_franchise():
    """No real start can meet one, so a seat that holds three towns already stands in for it."""
    game = milestones("Raleigh: blue\nMemphis: blue\nReno: blue\nturn 0", drawn="a")
    game.state[0].phase = Phase.START
    assert claims(game.play("start Boise")) == [("blue", "a")]
