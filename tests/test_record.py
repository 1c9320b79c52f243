"""The text record: exact round trips, and no trust in anything it reads."""

import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from franchise import Game, Options, RecordError
from franchise.engine.jit import COMPILED
from franchise.record import SIZE_LIMIT, read, read_file, write
from text_positions import play

GAMES = Path(__file__).parent / "games"
SPECIAL_TILES = [f"N{number}" for number in range(11, 21)]
MIXED_TILES = ["Grand Canyon", "New York", "Washington", "Texas", "N1", "N14", "N16", "N18", "N19", "N20"]
OPTIONS = {
    "base": Options(),
    "introductory": Options(introductory=True),
    "draft": Options(expert="draft"),
    "random": Options(expert="random"),
    "arranged": Options(
        expert="arranged",
        city_tiles={"Chicago": 8, "New York": 7},
        region_tiles={"Texas": "Florida", "Florida": "Texas"},
    ),
    "milestones": Options(milestones=True),
    "boom": Options(boom=True),
    "mixed": Options(regions="mixed"),
    "new": Options(regions="new"),
    "chosen": Options(regions="chosen", chosen_tiles=SPECIAL_TILES),
    "draft of mixed tiles": Options(expert="draft", regions="mixed"),
    "draft of chosen tiles": Options(expert="draft", regions="chosen", chosen_tiles=MIXED_TILES),
    "everything": Options(expert="random", milestones=True, boom=True, regions="mixed"),
    "everything introductory": Options(introductory=True, expert="draft", milestones=True, boom=True, regions="new"),
}
SHORT = """\
franchise 1
players 2
seat 0 Ann
moves
start Huntsville; start Ogallala
done; end
done; end
result 18 18
"""


def random_game(players: int, options: Options, seed: int, moves: int | None = None) -> Game:
    rng = random.Random(seed)
    game = Game(players, seed, options)
    while not game.over and (moves is None or len(game.actions) < moves):
        game.play(rng.choice(game.legal_numbers()))
    return game


# --- round trips ---


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
def test_a_record_gives_back_exactly_the_game_it_was_written_from(options: Options, players: int) -> None:
    for moves in (0, 1, 7, 33, None) if COMPILED else (0, 25):
        game = random_game(players, options, players, moves)
        text = write(game)
        again = read(text)
        assert again == game
        assert again.state.tobytes() == game.state.tobytes()
        assert again.view() == game.view()
        assert write(again) == text
        assert (text.splitlines()[-1].split()[0] == "result") == game.over


def test_a_finished_game_of_everything_round_trips() -> None:
    game = random_game(3, OPTIONS["everything"], 1)
    text = game.to_text()
    assert Game.from_text(text) == game
    assert Game.from_text(text).result() == game.result()
    assert text.splitlines()[-1] == "result " + " ".join(map(str, game.result().scores))


def test_a_record_replays_without_its_seed() -> None:
    game = random_game(4, OPTIONS["everything"], 11, moves=20)
    assert "11" not in game.to_text().splitlines()[:3]
    assert Game.from_text(game.to_text()).setup == game.setup


def test_the_text_of_a_short_game() -> None:
    game = Game(2, names=["Ann", ""])
    play(game, "start Huntsville; start Ogallala; done; end; done; end")
    assert game.to_text() == SHORT


def test_the_text_of_a_set_up() -> None:
    game = Game(
        4,
        1,
        Options(
            expert="arranged",
            boom=True,
            city_tiles={"Chicago": 8, "New York": 7},
            region_tiles={"Texas": "Florida", "Florida": "Texas"},
        ),
        names=["Westward Diners", "b", "c", "d"],
    )
    assert game.to_text() == (
        "franchise 1\nplayers 4\noption expert arranged\noption boom\ncity Chicago 8\ncity New York 7\n"
        "region Florida Texas\nregion Texas Florida\n"
        "seat 0 Westward Diners\nseat 1 b\nseat 2 c\nseat 3 d\nmoves\n"
    )


def test_the_tiles_of_a_draft_are_written_down() -> None:
    text = Game(4, 1, OPTIONS["draft of chosen tiles"]).to_text()
    assert "tiles Grand Canyon New York Washington Texas N1 N14 N16 N18 N19 N20\n" in text
    assert "tiles" not in Game(4, 1, OPTIONS["draft"]).to_text()


def test_a_line_of_the_record_is_a_turn() -> None:
    game = Game(2)
    play(game, "start Huntsville; start Ogallala; expand Dodge City 1; done; end; done")
    assert game.to_text().splitlines()[3:] == [
        "start Huntsville; start Ogallala",
        "expand Dodge City 1; done; end",
        "done",
    ]


# --- reading what people write ---


def test_comments_blank_lines_spaces_and_line_ends_of_other_systems_do_not_matter() -> None:
    text = (
        "\n# a comment\n  franchise 1 # first\n\nplayers 2\nseat 0 Ann\n moves\n START huntsville; start Ogallala # x\n"
    )
    text += "done; end\ndone\nend\nresult  18   18  # shared\n# the end\n"
    assert read(text) == read(SHORT)
    assert read(text.replace("\n", "\r\n")) == read(SHORT)
    assert write(read(text)) == SHORT


def test_a_record_need_not_end_with_a_line_end() -> None:
    assert read(SHORT.rstrip("\n")) == read(SHORT)


def test_a_price_left_out_is_written_out() -> None:
    text = "franchise 1\nplayers 2\nmoves\nstart Huntsville; start Ogallala\nexpand Dodge City"
    assert write(read(text)).endswith("expand Dodge City 1\n")


@pytest.mark.parametrize(
    "name",
    [
        "Ann # the host",
        "#",
        "Zoë & Łukasz",
        "旅人",
        "🚂 Express",
        "a; b",
        "'quoted\"",
        "x" * 40,
        "seat 1 Bob",
        "1",
        "moves",
    ],
)
def test_names_of_seats_survive(name: str) -> None:
    game = Game(2, names=[name, "Bob"])
    again = read(write(game))
    assert again.names == (name, "Bob")
    assert write(again) == write(game)


def test_seats_without_a_name_stay_without() -> None:
    assert read(write(Game(3, names=["", "Bob", ""]))).names == ("", "Bob", "")
    assert read(write(Game(3))).names == ()


# --- damage ---


def line(number: int, text: str | None) -> Callable[[str], str]:
    """Damage that replaces a line, or takes it away."""

    def damaged(record: str) -> str:
        lines = record.splitlines()
        lines[number - 1 : number] = [] if text is None else [text]
        return "\n".join(lines) + "\n"

    return damaged


def after(number: int, text: str) -> Callable[[str], str]:
    """Damage that adds a line."""

    def damaged(record: str) -> str:
        lines = record.splitlines()
        lines.insert(number, text)
        return "\n".join(lines) + "\n"

    return damaged


def both(first: str, second: str) -> Callable[[str], str]:
    """Damage that adds two lines after the number of players."""
    return lambda record: after(2, first)(after(2, second)(record))


DAMAGES = [
    (lambda record: "", 1, "expected the first line of a record, 'franchise 1'"),
    (lambda record: "# nothing\n\n", 1, "expected the first line of a record, 'franchise 1'"),
    (line(1, "franchise 2"), 1, "expected the first line of a record, 'franchise 1'"),
    (line(1, "\ufefffranchise 1"), 1, "expected the first line of a record"),
    (after(0, "hello"), 1, "expected the first line of a record"),
    (line(1, None), 1, "expected the first line of a record"),
    (line(2, None), 2, "expected a line 'players N' before 'seat'"),
    (lambda record: "franchise 1\nmoves\n", 2, "expected a line 'players N' before 'moves'"),
    (line(2, "players 6"), 2, "expected 'players' and a number from 2 to 5, not '6'"),
    (line(2, "players two"), 2, "expected 'players' and a number from 2 to 5, not 'two'"),
    (line(2, "players"), 2, "expected 'players' and a number from 2 to 5, not ''"),
    (after(2, "players 2"), 3, "expected 'players' only once"),
    (after(2, "colour red"), 3, "expected one of players, option, milestones, tiles, city, region, seat, moves"),
    (after(2, "option"), 3, "expected option introductory, expert draft|random|arranged, milestones, boom"),
    (after(2, "option magic"), 3, "expected option introductory, expert draft|random|arranged, milestones, boom"),
    (after(2, "option boom yes"), 3, "expected option introductory, expert draft|random|arranged"),
    (after(2, "option expert"), 3, "expected option introductory, expert draft|random|arranged"),
    (after(2, "option expert lucky"), 3, "option expert is one of draft, random, arranged, not 'lucky'"),
    (after(2, "option regions old"), 3, "option regions is one of mixed, new, chosen, not 'old'"),
    (both("option boom", "option boom"), 4, "expected 'option boom' only once"),
    (after(2, "milestones a b z"), 3, "expected 'milestones' and letters from a to g in order, not 'a b z'"),
    (after(2, "milestones b a"), 3, "expected 'milestones' and letters from a to g in order, not 'b a'"),
    (after(2, "milestones"), 3, "expected 'milestones' and letters from a to g in order, not ''"),
    (
        both("milestones a", "milestones a"),
        4,
        "expected 'milestones' only once",
    ),
    (after(2, "milestones a b c d e f"), 5, "the set-up above is not valid: 0 of the milestones"),
    (
        after(2, "option milestones"),
        5,
        "is not valid: 6 of the milestones a b c d e f g lie open, not none",
    ),
    (after(2, "tiles N1 N99"), 3, "expected region tiles, not 'N99'"),
    (after(2, "tiles " + "N1 " * 21), 3, "expected at most 10 region tiles"),
    (after(2, "tiles N1"), 5, "the set-up above is not valid: 1 region tiles to draft"),
    (both("tiles N1", "tiles N2"), 4, "expected 'tiles' only once"),
    (after(2, "city Chicago"), 3, "expected 'city', the name of a city and its size, not 'Chicago'"),
    (after(2, "city Atlantis 5"), 3, "expected 'city', the name of a city and its size, not 'Atlantis 5'"),
    (after(2, "city Chicago 9"), 3, "expected 'city', the name of a city and its size, not 'Chicago 9'"),
    (after(2, "city Chicago 77"), 3, "expected 'city', the name of a city and its size"),
    (after(2, "city Chicago 8"), 5, "Chicago has its printed tile 7, not 8, unless the set-up is expert"),
    (after(2, "city Chicago 2"), 5, "Chicago takes a city tile of size 7, 8, not 2"),
    (after(2, "city Seattle 4"), 5, "'Seattle' is not a city in play"),
    (after(2, "city Reno 4"), 5, "'Reno' is not a city in play"),
    (
        both("city Chicago 7", "city Chicago 7"),
        4,
        "expected 'city Chicago' only once",
    ),
    (
        both("option expert arranged", "city Chicago 8"),
        6,
        "there are not that many city tiles of size 8",
    ),
    (
        both("option expert draft", "city Chicago 8"),
        6,
        "city tiles are placed in the draft, not at set-up",
    ),
    (
        both("option expert draft", "region Texas Florida"),
        6,
        "the tile of Texas is placed in the draft, not at set-up",
    ),
    (after(2, "region Texas N99"), 3, "expected 'region', the name of a region and its tile, not 'Texas N99'"),
    (after(2, "region Alaska N1"), 3, "expected 'region', the name of a region and its tile, not 'Alaska N1'"),
    (after(2, "region Texas"), 3, "expected 'region', the name of a region and its tile, not 'Texas'"),
    (after(2, "region Texas N1"), 5, "'N1' is not a region tile of this game"),
    (after(2, "region Texas Florida"), 5, "region tile Florida is there 2 times"),
    (
        both("region Texas Florida", "region Florida Texas"),
        6,
        "keeps its printed region tile",
    ),
    (
        both("region Texas Texas", "region Texas Texas"),
        4,
        "expected 'region Texas' only once",
    ),
    (line(3, "seat"), 3, "expected 'seat', its number below 2 and a name, not ''"),
    (line(3, "seat 2 Ann"), 3, "expected 'seat', its number below 2 and a name, not '2 Ann'"),
    (line(3, "seat -1 Ann"), 3, "expected 'seat', its number below 2 and a name"),
    (line(3, "seat zero Ann"), 3, "expected 'seat', its number below 2 and a name"),
    (line(3, "seat 0 " + "x" * 41), 3, "a name is printable text of at most 40 characters"),
    (line(3, "seat 0 A\x1b[2Jnn"), 3, "a name is printable text of at most 40 characters"),
    (line(3, "seat 0 A\u2028nn"), 3, "a name is printable text of at most 40 characters"),
    (after(3, "seat 0 Bob"), 4, "expected 'seat 0' only once"),
    (line(4, None), 4, "expected one of players, option, milestones, tiles, city, region, seat, moves, not 'start'"),
    (lambda record: "franchise 1\nplayers 2\n", 3, "expected a line 'moves' before the end"),
    (lambda record: "franchise 1\nplayers 2", 2, "expected a line 'moves' before the end"),
    (line(5, "start Huntsville; start Chicago"), 5, "Chicago is not a town; write: start TOWN"),
    (line(5, "start Huntsville; start Huntsville"), 5, "the town Huntsville is taken. Legal now: start Flagstaff"),
    (line(5, "start Huntsville; start Ogallala;"), 5, "an empty text is not a move. Legal now: "),
    (line(5, "start Huntsville, start Ogallala"), 5, "is not a location of the board; write: start TOWN"),
    (line(5, "start Reno"), 5, "Reno is out of play"),
    (line(6, "done; end; end"), 6, "end belongs to phase 3"),
    (line(6, None), 7, "expected more moves: the game is not over, so it has no result"),
    (after(4, "moves"), 5, "'moves' is not a move"),
    (after(4, "players 2"), 5, "'players' is not a move"),
    (after(7, "done; end"), 8, "the game is over. No move is legal."),
    (line(8, None), 8, "expected a line 'result 18 18': the game is over"),
    (line(8, "result 18 17"), 8, "expected 'result 18 18', which the moves lead to, not 'result 18 17'"),
    (line(8, "result 18"), 8, "expected 'result 18 18', which the moves lead to, not 'result 18'"),
    (line(8, "result 18 18 0"), 8, "expected 'result 18 18', which the moves lead to"),
    (line(8, "result 1818"), 8, "expected 'result 18 18', which the moves lead to"),
    (line(8, "results 18 18"), 8, "expected 'result 18 18', which the moves lead to"),
    (line(8, "result +18 18"), 8, "expected 'result 18 18', which the moves lead to"),
    (after(8, "result 18 18"), 9, "expected nothing after the result"),
    (after(8, "garbage"), 9, "expected nothing after the result"),
    (lambda record: record + "\n\n# fine\n\x00", 12, "expected nothing after the result"),
]


@pytest.mark.parametrize(("damage", "number", "message"), DAMAGES, ids=[str(number) for number in range(len(DAMAGES))])
def test_a_damaged_record_is_refused_with_the_line_and_what_was_expected(
    damage: Callable[[str], str], number: int, message: str
) -> None:
    assert read(SHORT).over
    with pytest.raises(RecordError) as refused:
        read(damage(SHORT))
    assert message in str(refused.value)
    assert refused.value.line == number
    assert str(refused.value).startswith(f"line {number}: ")
    assert str(refused.value).isprintable()


def test_record_error_is_a_value_error() -> None:
    assert issubclass(RecordError, ValueError)


def test_a_record_of_the_greatest_size_is_read_and_a_larger_one_refused() -> None:
    text = SHORT + "#" * (SIZE_LIMIT - len(SHORT))
    assert read(text) == read(SHORT)
    with pytest.raises(
        RecordError, match=f"line 1: a record has at most {SIZE_LIMIT} characters, this has {SIZE_LIMIT + 1}"
    ):
        read(text + "#")


@pytest.mark.parametrize(
    "text",
    [
        "franchise 1\nplayers 2\nmilestones " + "a " * 100_000,
        "franchise 1\nplayers 2\ntiles " + "N1 " * 80_000,
        "franchise 1\nplayers 2\noption " + "x" * 200_000,
        "franchise 1\nplayers 2\ncity " + "x" * 200_000 + " 5",
        "franchise 1\nplayers 2\nregion Texas " + "x" * 200_000,
        "franchise 1\nplayers 2\nseat 0 " + "x" * 200_000,
        "franchise 1\nplayers " + "9" * 200_000,
        "x" * 200_000,
        "franchise 1\n" + "x" * 200_000,
        "franchise 1\nplayers 2\nmoves\n" + "x" * 200_000,
        "franchise 1\nplayers 2\nmoves\n" + ";" * 200_000,
        "franchise 1\nplayers 2\nmoves\nresult " + "1 " * 100_000,
        "franchise 1\nplayers 2\nmoves\nstart {0.__class__}",
        "franchise 1\nplayers 2\nmoves\n__import__('os').abort()",
        "franchise 1\nplayers 2\nmoves\nexpand %s%n 3",
        "\x00" * 1000,
        "\ud800",
    ],
    ids=range(17),
)
def test_hostile_text_is_refused_in_a_short_printable_message(text: str) -> None:
    with pytest.raises(RecordError) as refused:
        read(text)
    assert len(str(refused.value)) < 700
    assert str(refused.value).isprintable()


def test_mangled_records_are_read_or_refused_but_never_break_the_reader() -> None:
    rng = random.Random(8)
    record = write(random_game(3, OPTIONS["everything"], 8, moves=60))
    sound = 0
    for _ in range(300 if COMPILED else 60):
        text = list(record)
        for _ in range(rng.randint(1, 4)):
            at = rng.randrange(len(text))
            text[at : at + rng.randint(0, 3)] = rng.choice(["", "#", "\n", ";", " ", "x", "9", "\x00", "é", "done"])
        mangled = "".join(text)
        try:
            again = read(mangled)
        except RecordError as error:
            sound += 1 <= error.line <= mangled.count("\n") + 1
        else:
            sound += read(write(again)) == again
    assert sound == (300 if COMPILED else 60)


# --- files ---


def test_a_record_in_a_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "game.franchise"
    path.write_text(SHORT.replace("Ann", "Zoë"), encoding="utf-8")
    assert read_file(path).names == ("Zoë", "")


def test_a_file_that_is_no_utf_8_text_is_refused_with_the_line(tmp_path: Path) -> None:
    path = tmp_path / "game.franchise"
    path.write_bytes(SHORT.replace("Ann", "Zoë").encode("latin-1"))
    with pytest.raises(RecordError, match="line 3: expected UTF-8 text"):
        read_file(path)


def test_a_file_beyond_the_greatest_size_is_not_read_whole(tmp_path: Path) -> None:
    path = tmp_path / "game.franchise"
    path.write_bytes(SHORT.encode() + b"#" * (9 * SIZE_LIMIT))
    with pytest.raises(RecordError, match=f"a record has at most {SIZE_LIMIT} characters"):
        read_file(path)


def test_a_file_that_is_not_there_is_an_ordinary_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read_file(tmp_path / "game.franchise")


def test_a_record_from_before_the_order_of_regions_was_chosen_is_read_in_board_order() -> None:
    game = read_file(GAMES / "score-4.franchise")
    chosen = next(number for number, action in enumerate(game.actions) if action.verb == "score")
    game = game.at(chosen)
    regions = [str(action) for action in game.legal_actions()]
    old = write(game) + "\ndone"  # the next player's move follows at once
    read_back = read(old)
    inserted = [str(action) for action in read_back.actions[chosen:]]
    assert inserted == [*regions[: len(inserted) - 1], "done"]
    assert read(write(game)) == game  # a game that waits for the choice still waits
    assert read(write(read_back)) == read_back


def test_an_old_record_whose_last_turn_leaves_the_order_out_keeps_its_result() -> None:
    game = read_file(GAMES / "everything-4.franchise")
    walk = game.at(next(number for number, action in enumerate(game.actions) if action.verb == "score"))
    while walk.phase == "score":
        walk.play(walk.legal_actions()[0])
    assert walk.over
    old = re.sub("; score [A-Z][a-z A-Z]+", "", write(walk))
    assert "score" not in old
    assert read(old) == walk
