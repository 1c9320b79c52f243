"""Game: the public API of the engine."""

import json
import pickle
import random
import threading
from collections.abc import Callable
from copy import deepcopy
from dataclasses import FrozenInstanceError

import numpy as np
import pytest

import franchise as fr
from franchise import Action, Event, Game, IllegalAction, Options, Setup, SetupError
from franchise.engine.actions import ACTIONS
from franchise.engine.events import SENTENCES, read, sentence
from franchise.engine.jit import COMPILED
from franchise.engine.layout import EventKind, Kind
from franchise.facts import BOARD, COLOURS
from recorded_games import game as recorded
from text_positions import play, position

SPECIAL_TILES = [f"N{number}" for number in range(11, 21)]
SWAPPED_CITIES, SWAPPED_REGIONS = {"Chicago": 8, "New York": 7}, {"Texas": "Florida", "Florida": "Texas"}
ALL_OPTIONS = [
    Options(),
    Options(introductory=True),
    Options(expert="draft"),
    Options(expert="random", milestones=True),
    Options(expert="arranged", city_tiles=SWAPPED_CITIES, region_tiles=SWAPPED_REGIONS),
    Options(boom=True, regions="new"),
    Options(expert="draft", milestones=True, boom=True, regions="mixed"),
    Options(introductory=True, milestones=True, boom=True, regions="chosen", chosen_tiles=SPECIAL_TILES),
]
START = "start Huntsville; start Ogallala; start Memphis; start Raleigh"
VIEW_KEYS = {
    "players",
    "locations",
    "regions",
    "track",
    "phase",
    "current_player",
    "turn",
    "over",
    "centre",
    "markers",
}
PLAYER_KEYS = {"colour", "cash", "influence", "bonus_tiles", "supply", "income", "towns"}
LOCATION_KEYS = {"kind", "region", "size", "spaces", "scored", "blocked"}
REGION_KEYS = {"tile", "values", "kind", "marker", "scored"}


def random_game(players: int, options: Options, seed: int, moves: int | None = None) -> Game:
    """A game after random moves, finished unless a number of moves says otherwise."""
    rng = random.Random(seed)
    game = Game(players, seed, options)
    while not game.over and (moves is None or len(game.actions) < moves):
        game.play(rng.choice(game.legal_numbers()))
    return game


def test_the_public_names_are_there() -> None:
    for name in ("Action", "Event", "Game", "IllegalAction", "Options", "RecordError", "Result", "Setup", "SetupError"):
        assert name in fr.__all__
        assert hasattr(fr, name)


# --- a new game ---


def test_a_new_game_waits_for_the_last_player_to_start() -> None:
    game = Game(players=4, seed=7)
    assert (game.players, game.current_player, game.phase, game.turn, game.over) == (4, 3, "start", 0, False)
    assert game.actions == ()
    assert repr(game) == "<Game: 4 players, 0 moves, turn 0, start, seat 3 to move>"


def test_a_game_is_for_four_unless_told_otherwise() -> None:
    assert Game().players == 4
    assert Game() == Game(4, None, Options())


@pytest.mark.parametrize("seed", [1.5, "7", True])
def test_a_seed_is_a_whole_number(seed: object) -> None:
    with pytest.raises(SetupError, match="a seed is a whole number"):
        Game(4, seed)  # type: ignore[arg-type]


def test_the_seed_decides_everything_random() -> None:
    options = Options(expert="random", milestones=True, regions="mixed")
    assert Game(5, 7, options).setup == Game(5, 7, options).setup
    setups = [Game(5, seed, options).setup for seed in range(8)]
    for part in ("milestones", "city_tiles", "region_tiles"):
        assert len({str(getattr(setup, part)) for setup in setups}) > 1


def test_the_setup_lists_what_was_drawn() -> None:
    setup = Game(5, 7, Options(milestones=True, regions="new")).setup
    assert isinstance(setup, Setup)
    assert len(setup.milestones) == 5
    assert setup.city_tiles["New York"] == 8
    assert set(setup.region_tiles) == set(BOARD.region_ids)
    assert all(tile.startswith("N") for tile in setup.region_tiles.values())


def test_a_game_can_be_made_from_a_setup() -> None:
    game = Game(5, 7, Options(expert="random", milestones=True, regions="mixed"))
    again = Game.from_setup(game.setup, names=["a", "b", "c", "d", "e"])
    assert again == game
    assert again.view()["regions"] == game.view()["regions"]
    assert again.names == ("a", "b", "c", "d", "e")


@pytest.mark.parametrize("players", [1, 6, 4.0, True])
def test_a_setup_for_no_number_of_players_is_refused(players: object) -> None:
    good = Game(4).setup
    setup = Setup(players, good.options, (), good.city_tiles, good.region_tiles, ())  # type: ignore[arg-type]
    with pytest.raises(SetupError, match="2 to 5 players"):
        Game.from_setup(setup)


# --- playing ---


def test_a_move_is_a_text_an_action_or_a_number() -> None:
    games = [Game(4), Game(4), Game(4), Game(4)]
    number = next(action.id for action in games[0].legal_actions() if str(action) == "start Reno")
    moves: list[str | Action | int] = ["start Reno", ACTIONS[number], number, np.int32(number)]  # type: ignore[list-item]
    for game, move in zip(games, moves, strict=True):
        game.play(move)
        assert [str(action) for action in game.actions] == ["start Reno"]
    assert games[0] == games[1] == games[2] == games[3]


def test_play_returns_what_happened() -> None:
    game = Game(4)
    assert game.play("start Reno") == [Event(EventKind.START, 3, BOARD.location_ids["Reno"], 0)]
    play(game, "start Huntsville; start Ogallala")
    events = game.play("start Memphis")
    assert [event.data() for event in events] == [
        {"kind": "start", "seat": 0, "place": "Memphis", "amount": 0},
        {"kind": "turn", "seat": 0, "place": None, "amount": 1},
        {"kind": "income", "seat": 0, "place": None, "amount": 1},
    ]


def test_events_read_as_sentences_with_names_or_colours() -> None:
    game = Game(4)
    (event,) = game.play("start Reno")
    assert sentence(event) == "Black starts in Reno."
    assert sentence(event, ("Ann", "Bob", "Cleo", "Dan")) == "Dan starts in Reno."
    assert sentence(event, ("Ann", "Bob", "Cleo", "")) == "Black starts in Reno."


def test_every_kind_of_event_has_a_sentence() -> None:
    assert set(SENTENCES) == set(EventKind)
    for kind in EventKind:
        text = sentence(Event(kind, 0, 0, 2))
        assert "{" not in text
        assert text.endswith(".")
    assert sentence(Event(EventKind.REGION_TILE, 1, 9, 29)) == "Red puts the region tile N20 on Texas."
    assert sentence(Event(EventKind.MILESTONE, 1, 6, 0)) == (
        "Red reaches a milestone (use two $8 links) and takes a bonus tile."
    )


def test_an_event_names_its_place() -> None:
    assert Event(EventKind.TRACK, 0, 9, 3).where == "Texas"
    assert Event(EventKind.MILESTONE, 0, 6, 0).where == "g"
    assert Event(EventKind.EXPAND, 0, BOARD.location_ids["Reno"], 1).where == "Reno"
    assert Event(EventKind.STANDSTILL, 0, -1, 0).where is None


def test_phase_turn_and_player_follow_the_game() -> None:
    game = Game(4, 1)
    play(game, START)
    assert (game.turn, game.phase, game.current_player) == (1, "expand", 0)
    game.play("done")
    assert (game.turn, game.phase, game.current_player) == (1, "grow", 0)
    game.play("end")
    assert (game.turn, game.phase, game.current_player) == (2, "expand", 1)
    assert Game(2, 1, Options(expert="draft")).phase == "draft"
    boom = Game(2, 1, Options(boom=True))
    play(boom, "start Huntsville; start Ogallala")
    assert (boom.phase, boom.turn) == ("boom", 0)
    boom.play("boom Denver")
    assert (boom.phase, boom.turn) == ("boom", 1)


# --- refusing ---


BAD_MOVES = [
    "expand Reno 1",
    "end",
    "",
    "nonsense",
    "expand Atlantis",
    "expand Chicago 2",
    "start Raleigh",
    "x" * 1000,
    "\x00",
    "far Boise",
    "tile 5 Denver",
    -1,
    1000,
    10**30,
    -(10**30),
    0,
    True,
    None,
    3.0,
    b"done",
    ["done"],
    ACTIONS[0],
    Action(10**9, Kind.DONE),
    Action(-1, Kind.DONE),
    Action(319, Kind.END),
]


@pytest.mark.parametrize("move", BAD_MOVES, ids=lambda move: repr(move)[:30])
def test_an_illegal_or_malformed_move_is_refused_and_changes_nothing(move: object) -> None:
    game = Game(4, 1)
    play(game, START)
    before, actions = game.state.tobytes(), game.actions
    with pytest.raises(IllegalAction, match=r"\. Legal now: expand .*done\.$"):
        game.play(move)  # type: ignore[arg-type]
    assert game.state.tobytes() == before
    assert game.actions == actions
    game.play("done")


def test_illegal_action_is_a_value_error() -> None:
    assert issubclass(IllegalAction, ValueError)


def test_a_refusal_says_why_and_what_would_be_legal() -> None:
    game = Game(4, 1)
    play(game, START)
    with pytest.raises(IllegalAction) as refused:
        game.play("expand Chicago 3")
    assert str(refused.value) == (
        "expand Chicago 3: Chicago is not linked to any of your locations. "
        "Legal now: expand Atlanta 0, expand Washington 1, expand Charleston 1, done."
    )


def test_a_refusal_with_many_legal_moves_names_some_and_their_number() -> None:
    game = Game(4, 1)
    with pytest.raises(IllegalAction, match=r"Legal now: start Las Vegas, .* and 8 more, including start El Paso\.$"):
        game.play("done")


def test_after_the_end_a_refusal_says_that_no_move_is_legal() -> None:
    game = random_game(2, Options(), 1)
    with pytest.raises(IllegalAction, match=r"^end: the game is over\. No move is legal\.$"):
        game.play("end")


# --- the past ---


@pytest.mark.parametrize("options", ALL_OPTIONS, ids=repr)
def test_undo_goes_back_to_the_first_position(options: Options) -> None:
    game = Game(3, 2, options)
    rng = random.Random(2)
    states = [game.state.tobytes()]
    while not game.over and len(states) <= (60 if COMPILED else 14):
        game.play(rng.choice(game.legal_numbers()))
        states.append(game.state.tobytes())
    played = list(game.actions)
    assert len(played) >= 14
    while played:
        assert game.state.tobytes() == states.pop()
        assert game.undo() is played.pop()
        assert game.actions == tuple(played)
    assert game.state.tobytes() == states.pop()
    with pytest.raises(ValueError, match="there is no move to take back"):
        game.undo()


def test_undo_from_the_end_opens_the_game_again() -> None:
    game = random_game(2, Options(), 3)
    scores = game.result().scores
    last = game.undo()
    assert not game.over
    game.play(last)
    assert game.result().scores == scores


def test_copies_are_independent() -> None:
    game = Game(4, 1)
    play(game, START)
    before = game.state.tobytes()
    other = game.copy()
    assert other == game
    assert other.state.tobytes() == before
    play(other, "done; end")
    assert game.state.tobytes() == before
    assert len(game.actions) == 4
    assert other != game
    play(game, "done")
    assert len(other.actions) == 6
    game.undo()
    assert len(other.actions) == 6


def test_at_gives_the_game_after_that_many_moves() -> None:
    game = random_game(4, Options(), 1, moves=30)
    earlier = game.at(12)
    assert earlier.actions == game.actions[:12]
    for action in game.actions[12:]:
        earlier.play(action)
    assert earlier == game
    assert earlier.state.tobytes() == game.state.tobytes()
    assert game.at(30) == game
    assert game.at(0) == Game(4, 1)


@pytest.mark.parametrize("moves", [-1, 31])
def test_at_refuses_what_never_was(moves: int) -> None:
    game = random_game(4, Options(), 1, moves=30)
    with pytest.raises(ValueError, match=f"the game has 30 moves: there is no position after {moves}"):
        game.at(moves)


def test_history_tells_every_move_with_what_it_caused() -> None:
    game = Game(4, 1)
    history = []
    for move in [*START.split(";"), "expand Atlanta 0", "done", "end"]:
        events = game.play(move)
        history.append((game.actions[-1], events))
    assert game.history() == history
    assert game.opening() == []
    assert read(fr.engine.layout.new(fr.engine.layout.LOG)) == []


def test_the_opening_of_an_introductory_game_tells_its_starts() -> None:
    game = Game(2, 1, Options(introductory=True))
    assert [event.where for event in game.opening() if event.kind == EventKind.START] == [
        "Pueblo",
        "Indianapolis",
        "Montgomery",
        "Ogallala",
    ]
    assert game.history() == []


# --- equality ---


def test_games_are_equal_by_setup_and_moves() -> None:
    game, other = Game(4, 1), Game(4, 2)
    assert game == other  # the base game leaves nothing to chance
    game.play("start Reno")
    assert game != other
    other.play("start Boise")
    assert game != other
    other.undo()
    other.play("start Reno")
    assert game == other
    assert Game(4) != Game(5)
    assert Game(4, 1, Options(boom=True)) != Game(4, 1)
    assert Game(4, 1, Options(milestones=True)) != Game(4, 2, Options(milestones=True))
    assert Game(4, names=["a", "b", "c", "d"]) == Game(4)
    assert game != "start Reno"


def test_games_change_and_so_have_no_hash() -> None:
    with pytest.raises(TypeError, match="unhashable"):
        hash(Game())


# --- names ---


def test_seats_can_have_names() -> None:
    game = Game(2, names=["Westward Diners", ""])
    assert game.names == ("Westward Diners", "")
    assert [seat["name"] for seat in game.view()["players"]] == ["Westward Diners", "Red"]
    assert Game(2).names == ()


@pytest.mark.parametrize(
    "names",
    [["Ann"], ["Ann", "Bob", "Cleo"], ["Ann", "x" * 41], ["Ann", "a\nb"], ["Ann", " Bob"], ["Ann", 5], ["Ann", "\x1b"]],
)
def test_names_a_record_could_not_hold_are_refused(names: list[str]) -> None:
    with pytest.raises(ValueError, match="name"):
        Game(2, names=names)


# --- the view ---


@pytest.mark.parametrize("players", [2, 5])
@pytest.mark.parametrize("options", ALL_OPTIONS, ids=repr)
def test_the_view_is_complete_and_json_able_at_any_time(options: Options, players: int) -> None:
    rng = random.Random(4)
    game = Game(players, 4, options)
    for number in range(100 if COMPILED else 30):
        if number % 10 == 0:
            view = game.view()
            assert json.loads(json.dumps(view)) == view
            assert view.keys() >= VIEW_KEYS
            assert ("boom" in view) == options.boom
            assert ("milestones" in view) == options.milestones
            assert [seat["colour"] for seat in view["players"]] == list(COLOURS[:players])
            assert all(seat.keys() >= PLAYER_KEYS for seat in view["players"])
            assert list(view["locations"]) == list(BOARD.location_ids)
            assert all(location.keys() >= LOCATION_KEYS for location in view["locations"].values())
            assert list(view["regions"]) == list(BOARD.region_ids)
            assert all(region.keys() >= REGION_KEYS for region in view["regions"].values())
            assert (view["phase"], view["current_player"]) == (game.phase, game.current_player)
            assert (view["turn"], view["over"]) == (game.turn, game.over)
        if not game.over:
            game.play(rng.choice(game.legal_numbers()))


def test_the_view_shows_a_turn_in_the_making() -> None:
    game = position("""
        Detroit: blue red
        New York: orange blue scored
        New York marker orange
        blue cash 9
    """)
    play(game, "expand Chicago 3; done; grow Detroit; double Detroit")
    view = game.view()
    assert view["markers"] == ["Chicago"]
    assert view["centre"] == {"Detroit": 2}
    assert view["bonus_used"] is True
    assert view["locations"]["Detroit"] == {
        "kind": "city",
        "region": "Great Lakes",
        "size": 4,
        "spaces": ["blue", "red", None, None],
        "scored": False,
        "blocked": False,
    }
    assert view["locations"]["New York"]["scored"] is True
    assert view["locations"]["Reno"]["spaces"] == [None]
    assert view["regions"]["New York"] | {"franchises": None, "missing": None} == {
        "tile": "New York",
        "values": [6, 5, 4],
        "kind": "plain",
        "marker": "orange",
        "scored": False,
        "blocked": False,
        "franchises": None,
        "missing": None,
    }


def test_the_view_shows_the_modules_in_play() -> None:
    game = position(
        """
        boom Denver
        road 2
        expansion -2
        red reserve 2
        red eights 1
    """,
        options=Options(milestones=True, boom=True, regions="chosen", chosen_tiles=SPECIAL_TILES),
    )
    game.state[0].claimed[1] = 127
    view = game.view()
    assert view["boom"] == "Denver"
    assert view["special_tiles"] == {
        "expansion": {"owner": None, "used": True},
        "road": {"owner": "orange", "used": False},
    }
    assert [milestone["id"] for milestone in view["milestones"]] == list(game.setup.milestones)
    assert all(milestone["claimed"] == ["red"] for milestone in view["milestones"])
    assert (view["players"][1]["reserve"], view["players"][1]["eights"]) == (2, 1)
    assert "special_tiles" not in Game().view()


def test_the_view_shows_what_is_left_to_draft() -> None:
    game = Game(4, 1, Options(expert="draft"))
    game.play("tile 8 New York")
    view = game.view()
    assert view["draft"]["city_tiles"] == {"2": 4, "3": 3, "4": 8, "5": 5, "6": 2, "7": 2}
    assert view["draft"]["region_tiles"] == list(BOARD.region_ids)
    assert view["regions"]["Texas"]["tile"] is None
    assert view["locations"]["Chicago"]["spaces"] == []
    assert "draft" not in Game().view()


def test_the_view_is_a_copy() -> None:
    game = Game(4, 1)
    game.view()["players"][0]["cash"] = 1000
    assert game.view()["players"][0]["cash"] == 3


def test_a_notebook_shows_the_board() -> None:
    picture = Game(2)._repr_svg_()
    assert picture.startswith("<svg ")
    assert picture.rstrip().endswith("</svg>")


# --- the result ---


def test_there_is_no_result_before_the_end() -> None:
    with pytest.raises(ValueError, match="the game is not over: there is no result yet"):
        Game().result()


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("options", ALL_OPTIONS[::3], ids=repr)
def test_the_breakdown_adds_up_to_the_scores_and_the_best_win(players: int, options: Options) -> None:
    game = random_game(players, options, 6)
    result = game.result()
    assert result.scores == tuple(seat["influence"] for seat in game.view()["players"])
    assert tuple(sum(parts.values()) for parts in result.breakdown) == result.scores
    assert [set(parts) for parts in result.breakdown] == [
        {"cities", "regions", "track", "towns", "money", "bonus_tiles"}
    ] * players
    standings = [(score, parts["towns"]) for score, parts in zip(result.scores, result.breakdown, strict=True)]
    assert result.winners == tuple(seat for seat in range(players) if standings[seat] == max(standings))
    assert repr(game).endswith("moves, over>")


def test_a_result_cannot_be_changed() -> None:
    result = random_game(2, Options(), 1).result()
    with pytest.raises(FrozenInstanceError):
        result.scores = (0, 0)  # type: ignore[misc]


def test_ties_are_broken_by_towns_and_else_the_victory_is_shared() -> None:
    game = Game(2)
    play(game, "start Huntsville; start Ogallala")
    shared = game.copy()
    play(shared, "done; end; done; end")
    assert (shared.result().scores, shared.result().winners) == ((18, 18), (0, 1))
    play(game, "expand Dodge City 1; done; end; done; end; cash; done; end")
    assert (game.result().scores, game.result().winners) == ((18, 18), (0,))
    assert [parts["towns"] for parts in game.result().breakdown] == [2, 1]
    assert game.result().breakdown[1] == {
        "cities": 0,
        "regions": 0,
        "track": 0,
        "towns": 1,
        "money": 1,
        "bonus_tiles": 16,
    }


# --- options ---


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Options(introductory=1), "option introductory is true or false, not 1"),  # type: ignore[arg-type]
        (lambda: Options(boom="yes"), "option boom is true or false, not 'yes'"),  # type: ignore[arg-type]
        (lambda: Options(expert="drafts"), "option expert is one of draft, random, arranged, not 'drafts'"),
        (lambda: Options(regions="old"), "option regions is one of mixed, new, chosen, not 'old'"),
        (lambda: Options(city_tiles={"Chicago": 8}), 'city_tiles and region_tiles need expert="arranged"'),
        (lambda: Options(expert="draft", region_tiles={"Texas": "Texas"}), "region_tiles need expert"),
        (lambda: Options(chosen_tiles=["N1"]), 'chosen_tiles need regions="chosen"'),
        (lambda: Game(4, 1, Options(regions="chosen")), "choose ten region tiles, not 0"),
        (lambda: Game(4, 1, Options(regions="chosen", chosen_tiles=["N1"] * 10)), "region tile N1 is there"),
    ],
)
def test_options_that_do_not_fit_are_refused(make: Callable[[], object], message: str) -> None:
    with pytest.raises(SetupError, match=message):
        make()


@pytest.mark.parametrize(
    ("options", "alike"),
    [
        (Options(), True),
        (Options(introductory=True, boom=True), True),
        (Options(expert="draft"), True),
        (Options(expert="random"), False),
        (Options(milestones=True), False),
        (Options(regions="new"), False),
    ],
)
def test_options_know_whether_a_seed_matters(options: Options, alike: bool) -> None:
    assert options.without_chance is alike
    assert all(Game(4, seed, options) == Game(4, 1, options) for seed in range(2, 6)) is alike


# --- threads ---


def test_games_in_several_threads_do_not_disturb_each_other() -> None:
    seeds = range(4)
    moves = None if COMPILED else 40
    alone = [random_game(3, Options(milestones=True), seed, moves) for seed in seeds]
    together: dict[int, Game] = {}

    def run(seed: int) -> None:
        together[seed] = random_game(3, Options(milestones=True), seed, moves)

    threads = [threading.Thread(target=run, args=(seed,)) for seed in seeds]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [together[seed] for seed in seeds] == alone


def test_a_pickled_or_deeply_copied_game_is_the_same_game_and_independent() -> None:
    game = Game(3, 4, Options(expert="draft", milestones=True), names=["Ann", "", "Cy"])
    for _ in range(30):
        game.play(game.legal_actions()[0])
    for other in (pickle.loads(pickle.dumps(game)), deepcopy(game)):
        assert other == game
        assert other.names == game.names
        assert other.state.tobytes() == game.state.tobytes()
        other.play(other.legal_actions()[0])
        assert other != game
    assert len(pickle.dumps(game)) < 3000  # its set-up and its moves


def test_a_move_can_be_read_without_being_played() -> None:
    game = Game(2, seed=1)
    first = game.legal_actions()[0]
    assert [game.action(move) for move in (first, str(first), first.id)] == [first] * 3
    assert str(game.action("end")) == "end"  # not legal now
    with pytest.raises(IllegalAction, match="not a move"):
        game.action("fly")
    assert not game.actions


def test_those_who_won_share_the_victory_equally() -> None:
    result = recorded("shared-3").result()
    assert len(result.winners) > 1
    assert result.shares == tuple(1 / len(result.winners) if seat in result.winners else 0 for seat in range(3))
    assert sum(recorded("base-2").result().shares) == 1
