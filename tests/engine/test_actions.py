"""Moves as numbers, as actions and as text."""

import re
from collections import Counter

import pytest

from franchise import Game, IllegalAction, Options
from franchise.engine.actions import (
    ACTIONS,
    BASE_ACTIONS,
    FORMS,
    TEXT_LIMIT,
    VERBS,
    Action,
    NotationError,
    misspelled_place,
    nearest_place,
    parse,
)
from franchise.engine.jit import COMPILED
from franchise.engine.layout import MOVES, Kind
from franchise.facts import BOARD
from text_positions import legal, player, position

COUNTS = {
    Kind.START: 20,
    Kind.EXPAND: 124,
    Kind.AGAIN: 124,
    Kind.GROW: 25,
    Kind.DOUBLE: 25,
    Kind.CASH: 1,
    Kind.DONE: 1,
    Kind.END: 1,
    Kind.EXPAND_FREE: 94,
    Kind.AGAIN_FREE: 94,
    Kind.FAR: 45,
    Kind.BOOM: 25,
    Kind.STAY: 1,
    Kind.TILE: 65,
    Kind.REGION: 300,
    Kind.FAR_FREE: 45,
    Kind.SCORE: 10,
}
BASE_VERBS = {"start", "expand", "again", "grow", "double", "cash", "done", "end"}


def no_moves() -> list[int]:
    raise AssertionError("a complete text does not need the legal moves")


def test_actions_are_numbered_by_position() -> None:
    assert [action.id for action in ACTIONS] == list(range(1000))
    assert [int(action) for action in ACTIONS] == list(range(1000))
    assert len(ACTIONS) <= MOVES
    assert [number for number in range(1000) if ACTIONS[ACTIONS[number]] is not ACTIONS[number]] == []


def test_there_are_as_many_actions_of_each_kind_as_the_board_allows() -> None:
    assert Counter(action.kind for action in ACTIONS) == COUNTS


def test_the_moves_of_the_base_game_are_numbered_first() -> None:
    assert BASE_ACTIONS == 321
    base = ACTIONS[:BASE_ACTIONS]
    assert {action.verb for action in base} == BASE_VERBS
    assert not any(action.free for action in base)
    assert all(action.free or action.verb not in BASE_VERBS for action in ACTIONS[BASE_ACTIONS:])


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0, "start Las Vegas"),
        (19, "start El Paso"),
        (20, "expand Las Vegas 0"),
        (143, "expand Oklahoma City 8"),
        (268, "grow San Francisco"),
        (318, "cash"),
        (319, "done"),
        (320, "end"),
        (321, "expand San Francisco 1 free"),
        (944, "region N20 on Texas"),
    ],
)
def test_these_numbers_never_change_their_meaning(number: int, text: str) -> None:
    assert str(ACTIONS[number]) == text
    assert parse(text, no_moves).id == number


def test_every_action_reads_back_from_its_text() -> None:
    assert [action for action in ACTIONS if parse(str(action), no_moves) is not action] == []
    assert len({str(action) for action in ACTIONS}) == len(ACTIONS)


def test_every_expansion_names_a_target_and_a_price_of_the_board() -> None:
    pairs = {(link.price, end) for link in BOARD.links for end in link.ends}
    for kind in (Kind.EXPAND, Kind.AGAIN):
        assert {(action.price, action.place) for action in ACTIONS if action.kind == kind} == pairs
    for kind in (Kind.EXPAND_FREE, Kind.AGAIN_FREE):
        paid = {(price, place) for price, place in pairs if price}
        assert {(action.price, action.place) for action in ACTIONS if action.kind == kind} == paid


def test_every_verb_says_how_it_is_written() -> None:
    assert set(VERBS.values()) == set(FORMS)
    assert all(form.split(" ")[0] == verb for verb, form in FORMS.items())


def test_no_move_is_longer_than_the_limit() -> None:
    assert max(len(str(action)) for action in ACTIONS) < TEXT_LIMIT


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("EXPAND CHICAGO 3", "expand Chicago 3"),
        ("  expand\t new   york 5 ", "expand New York 5"),
        ("expand chicago $3", "expand Chicago 3"),
        ("again st. louis $3 FREE", "again St. Louis 3 free"),
        ("Expand Chicago 3 Free", "expand Chicago 3 free"),
        ("\nDone\n", "done"),
        ("Grow OMAHA", "grow Omaha"),
        ("tile 5 denver", "tile 5 Denver"),
        ("REGION new york ON great lakes", "region New York on Great Lakes"),
        ("region n14 on texas", "region N14 on Texas"),
        ("far salt lake city", "far Salt Lake City"),
    ],
)
def test_reading_forgives_case_spaces_and_dollar_signs(text: str, canonical: str) -> None:
    assert str(parse(text, no_moves)) == canonical


@pytest.mark.parametrize(("text", "price"), [("expand Chicago", 3), ("expand chicago", 3), ("Expand  CHICAGO ", 3)])
def test_a_price_left_out_is_the_cheapest_legal_one(text: str, price: int) -> None:
    game = position("""
        Detroit: blue    # $3 to Chicago; the $1 links come from elsewhere
        Omaha: blue      # $5
        blue cash 9
    """)
    game.play(text)
    assert str(game.actions[-1]) == f"expand Chicago {price}"
    assert player(game, "blue")["cash"] == 9 - price


def test_a_price_left_out_of_a_second_expansion_is_the_cheapest_legal_one() -> None:
    game = position("""
        Detroit: blue
        Pittsburgh: blue
        blue cash 9
    """)
    game.play("expand Indianapolis")
    game.play("again New York")
    assert str(game.actions[-1]) == "again New York 3"


def test_a_price_left_out_with_the_road_tile_is_the_cheapest_link_it_can_pay() -> None:
    game = position("""
        Detroit: blue
        Omaha: blue
        blue cash 0
        road 0
    """)
    game.play("expand Chicago free")
    assert str(game.actions[-1]) == "expand Chicago 3 free"


def test_a_price_left_out_where_no_link_is_legal_is_refused_with_a_reason() -> None:
    game = position("""
        Reno: blue
        blue cash 9
    """)
    with pytest.raises(IllegalAction, match=r"expand Chicago 1: Chicago is not linked to any .* Legal now: "):
        game.play("expand Chicago")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "an empty text is not a move"),
        ("   ", "an empty text is not a move"),
        ("jump Chicago", "'jump' is not a move; moves begin with start, expand, again"),
        ("expand Atlantis 3", "'atlantis' is not a location of the board; write: expand LOCATION PRICE [free]"),
        ("expand Atlantis", "'atlantis' is not a location of the board; write: expand LOCATION PRICE [free]"),
        ("score Atlantis", "'atlantis' is not a region of the board; write: score REGION"),
        ("grow Atlantis", "'atlantis' is not a location of the board; write: grow CITY"),
        ("expand Chicago 2", "no link to Chicago costs $2; its links cost $1, $3, $5, $8"),
        ("expand Chicago $4", "no link to Chicago costs $4; its links cost $1, $3, $5, $8"),
        ("again Portland 8", "no link to Portland costs $8; its links cost $0, $3"),
        (
            "expand Portland 0 free",
            "no link to Portland for the road tile costs $0; its links for the road tile",
        ),
        ("expand", "'expand' is not a complete move; write: expand LOCATION PRICE [free]"),
        ("expand Florida", "'florida' is not a location of the board"),
        ("grow Reno", "Reno is not a city; write: grow CITY"),
        ("start Chicago", "Chicago is not a town; write: start TOWN"),
        ("done now", "'done now' is not a complete move; write: done"),
        ("tile 2 Denver", "'tile 2 denver' is not a complete move; write: tile SIZE CITY"),
        ("region N21 on Texas", "is not a complete move; write: region TILE on REGION"),
        ("expand Chicago three", "'chicago three' is not a location of the board"),
        ("grow Chicago 3", "'grow chicago 3' is not a complete move; write: grow CITY"),
        ("x" * 81, "a move has at most 80 characters, this has 81"),
        ("expand Chicago 3; done", "'chicago 3; done' is not a location of the board"),
        ("expand Chicago ³", "no link to Chicago costs $³"),
        ("\x1b[2J", "'\\x1b[2j' is not a move"),
    ],
)
def test_a_text_that_is_no_move_is_refused_in_clear_words(text: str, message: str) -> None:
    with pytest.raises(NotationError, match=re.escape(message)):
        parse(text, list)


def test_a_refusal_never_repeats_control_characters() -> None:
    for text in ("\x00\x1b]0;x\x07", "expand \x1b[31mChicago", "grow \u202eogacihC", "expand Chicago \x00"):
        with pytest.raises(NotationError) as refused:
            parse(text, list)
        assert str(refused.value).isprintable()


def test_an_action_tells_what_it_is() -> None:
    assert (parse("done", no_moves).where, parse("score texas", no_moves).where) == ("", "Texas")
    action = parse("again New York 5 free", no_moves)
    assert isinstance(action, Action)
    assert (action.verb, action.price, action.free) == ("again", 5, True)
    assert BOARD.locations[action.place].name == "New York"
    tile = parse("region N14 on Texas", no_moves)
    assert (BOARD.tiles[tile.tile].id, BOARD.regions[tile.place].name) == ("N14", "Texas")


ALL_OPTIONS = Options(expert="draft", milestones=True, boom=True, regions="mixed")


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_legal_actions_are_listed_ascending_and_once(players: int) -> None:
    games = 12 if COMPILED else 1
    for seed in range(games):
        game = Game(players, seed, ALL_OPTIONS)
        number = seed
        while not game.over:
            numbers = game.legal_numbers()
            assert numbers == sorted(set(numbers))
            assert [action.id for action in game.legal_actions()] == numbers
            number = (number * 1103515245 + 12345) % 2**31
            game.play(numbers[number // 8 % len(numbers)])
        assert game.legal_actions() == []


def test_a_base_game_never_lists_the_moves_of_the_modules() -> None:
    game = Game(4, 1)
    number = 1
    while not game.over:
        numbers = game.legal_numbers()
        assert max(numbers) < BASE_ACTIONS
        number = (number * 1103515245 + 12345) % 2**31
        game.play(numbers[number // 8 % len(numbers)])
    assert legal(game, "end") == []


@pytest.mark.parametrize(
    ("text", "name", "near"),
    [
        ("start Memfis", "memfis", "Memphis"),
        ("expand Albuqerque 3 free", "albuqerque", "Albuquerque"),
        ("grow Sant Louis", "sant louis", "St. Louis"),
    ],
)
def test_a_misspelled_place_is_told_from_its_neighbours(text: str, name: str, near: str) -> None:
    assert misspelled_place(text) == name
    assert nearest_place(name) == near


@pytest.mark.parametrize(("verb", "near"), [("start", "Reno"), ("grow", "Denver"), ("", "Denver")])
def test_the_nearest_place_is_one_that_the_move_can_name(verb: str, near: str) -> None:
    assert nearest_place("nowhere", verb) == near


def test_the_nearest_place_is_in_play_unless_another_is_misspelled() -> None:
    in_play = int(Game(3).rules["in_play"][0])
    assert nearest_place("nowhere", "start", in_play) == "Montgomery"
    assert nearest_place("Renoo", "start", in_play) == "Reno"  # out of play, which the next answer says
    assert nearest_place("Chicgo", "start", in_play) == "Chicago"  # likewise, a city


@pytest.mark.parametrize("text", ["", "fly to the moon", "start Memphis", "cash", "expand Chicago 9", "start"])
def test_other_mistakes_name_no_place(text: str) -> None:
    assert misspelled_place(text) is None
