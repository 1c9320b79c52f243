"""The text record of a game: write, read, verify. docs/record.md specifies the format.

The reader trusts nothing: it checks every line, checks every move against the rules, and compares the result.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from franchise.engine.setups import Options, Setup, SetupError, check, printed_sizes, regions_in_play
from franchise.facts import BOARD, MILESTONES
from franchise.game import Game, IllegalAction, checked_names

FIRST_LINE = "franchise 1"
SIZE_LIMIT = 256 * 1024  # characters; a game of five with every module takes about 10,000
KEYWORDS = ("players", "option", "milestones", "tiles", "city", "region", "seat", "moves")


class RecordError(ValueError):
    """An invalid record; `line` counts from 1."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(f"line {line}: {message}")
        self.line = line


# --- writing ----------------------------------------------------------------------------------------------------------


def write(game: Game) -> str:
    """The canonical record of a game, finished or not."""
    lines = [FIRST_LINE, f"players {game.players}", *_option_lines(game.setup)]
    lines += [f"seat {seat} {name}" for seat, name in enumerate(game.names) if name]
    lines += ["moves", *_move_lines(game)]
    if game.over:
        lines.append("result " + " ".join(map(str, game.result().scores)))
    return "\n".join(lines) + "\n"


def _option_lines(setup: Setup) -> Iterator[str]:
    options = setup.options
    for name in ("introductory", "expert", "milestones", "boom", "regions", "mini"):
        value = getattr(options, name)
        if value:
            yield f"option {name}" if value is True else f"option {name} {value}"
    if setup.milestones:
        yield "milestones " + " ".join(setup.milestones)
    if setup.draft_tiles and options.regions:
        yield "tiles " + " ".join(setup.draft_tiles)
    printed = printed_sizes(setup.players, options.mini)
    for city, size in setup.city_tiles.items():
        if size != printed[city]:
            yield f"city {city} {size}"
    for region in BOARD.region_ids:
        tile = setup.region_tiles.get(region, region)
        if tile != region:
            yield f"region {region} {tile}"


def _move_lines(game: Game) -> Iterator[str]:
    """The moves of the set-up on one line, then one line for each turn."""
    walk = game.at(0)
    line: list[str] = []
    turn = walk.turn
    for action in game.actions:
        if walk.turn != turn:
            turn = walk.turn
            yield "; ".join(line)
            line = []
        line.append(str(action))
        walk.play(action)
    if line:
        yield "; ".join(line)


# --- reading ----------------------------------------------------------------------------------------------------------


def read(text: str) -> Game:
    """The game in a record; RecordError names the line and what was expected there."""
    if len(text) > SIZE_LIMIT:
        raise RecordError(1, f"a record has at most {SIZE_LIMIT} characters, this has {len(text)}")
    lines = list(_lines(text))
    last = text.count("\n") + 1
    if not lines or lines[0][1] != FIRST_LINE:
        raise RecordError(lines[0][0] if lines else 1, f"expected the first line of a record, {FIRST_LINE!r}")
    header = _Header()
    for number, (at, line) in enumerate(lines[1:], start=1):
        if line == "moves":
            game = header.game(at)
            _read_moves(game, lines[number + 1 :], last)
            return game
        header.take(at, line)
    raise RecordError(last, "expected a line 'moves' before the end")


def read_file(path: Path) -> Game:
    """The game in a record file; RecordError also if the file is not UTF-8 text."""
    with path.open("rb") as file:
        return read_bytes(file.read(4 * SIZE_LIMIT))


def read_bytes(content: bytes) -> Game:
    """The game in the bytes of a record file."""
    try:
        return read(content.decode("utf-8"))
    except UnicodeDecodeError as error:
        at = content.count(b"\n", 0, error.start) + 1
        raise RecordError(at, "expected UTF-8 text") from None


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Numbered lines without comments and blanks; a seat's name may contain the comment character."""
    for number, raw in enumerate(text.split("\n"), start=1):
        line = raw.strip()
        if not line.startswith("seat "):
            line = line.partition("#")[0].strip()
        if line:
            yield number, line


class _Header:
    """Collects the lines before `moves`; each kind of line has a method of the same name."""

    def __init__(self) -> None:
        self.number_of_players = 0
        self.flags: dict[str, str | bool] = {}
        self.milestone_letters: tuple[str, ...] = ()
        self.draft: tuple[str, ...] = ()
        self.sizes: dict[str, int] = {}
        self.region_tiles: dict[str, str] = {}
        self.names: dict[int, str] = {}
        self.readers: dict[str, Callable[[str], None]] = {
            "players": self.players,
            "option": self.option,
            "milestones": self.milestones,
            "tiles": self.tiles,
            "city": self.city,
            "region": self.region,
            "seat": self.seat,
        }

    def take(self, at: int, line: str) -> None:
        keyword, _, rest = line.partition(" ")
        if keyword not in self.readers:
            raise RecordError(at, f"expected one of {', '.join(KEYWORDS)}, not {keyword[:20]!r}")
        if not self.number_of_players and keyword != "players":
            raise RecordError(at, f"expected a line 'players N' before {keyword!r}")
        try:
            self.readers[keyword](rest.strip())
        except ValueError as error:
            raise RecordError(at, str(error)) from None

    def players(self, rest: str) -> None:
        once(self.number_of_players, "players")
        if rest not in ("2", "3", "4", "5"):
            raise ValueError(f"expected 'players' and a number from 2 to 5, not {rest[:20]!r}")
        self.number_of_players = int(rest)

    def option(self, rest: str) -> None:
        name, _, value = rest.partition(" ")
        if name in ("introductory", "milestones", "boom", "mini") and not value:
            chosen: str | bool = True
        elif name in ("expert", "regions") and value:
            chosen = value
        else:
            raise ValueError(
                "expected option introductory, expert draft|random|arranged, milestones, boom, "
                f"regions mixed|new|chosen or mini, not {rest[:30]!r}"
            )
        once(name in self.flags, f"option {name}")
        Options(**{name: chosen})  # type: ignore[arg-type]
        self.flags[name] = chosen

    def milestones(self, rest: str) -> None:
        once(self.milestone_letters, "milestones")
        letters = rest.split()
        if not letters or any(letter not in MILESTONES for letter in letters) or letters != sorted(set(letters)):
            raise ValueError(f"expected 'milestones' and letters from a to g in order, not {rest[:40]!r}")
        self.milestone_letters = tuple(letters)

    def tiles(self, rest: str) -> None:
        once(self.draft, "tiles")
        self.draft = tuple(_tile_names(rest))

    def city(self, rest: str) -> None:
        name, _, size = rest.rpartition(" ")
        if name not in BOARD.location_ids or not re.fullmatch("[2-8]", size):
            raise ValueError(f"expected 'city', the name of a city and its size, not {rest[:40]!r}")
        once(name in self.sizes, f"city {name}")
        self.sizes[name] = int(size)

    def region(self, rest: str) -> None:
        name = next((name for name in BOARD.region_ids if rest.startswith(f"{name} ")), "")
        tile = rest.removeprefix(name).strip()
        if not name or tile not in BOARD.tile_ids:
            raise ValueError(f"expected 'region', the name of a region and its tile, not {rest[:40]!r}")
        once(name in self.region_tiles, f"region {name}")
        self.region_tiles[name] = tile

    def seat(self, rest: str) -> None:
        number, _, name = rest.partition(" ")
        if not re.fullmatch("[0-4]", number) or int(number) >= self.number_of_players:
            raise ValueError(
                f"expected 'seat', its number below {self.number_of_players} and a name, not {rest[:20]!r}"
            )
        once(int(number) in self.names, f"seat {number}")
        self.names[int(number)] = checked_names([name.strip()] * 2, 2)[0]

    def game(self, at: int) -> Game:
        """The game before its first move."""
        if not self.number_of_players:
            raise RecordError(at, "expected a line 'players N' before 'moves'")
        players = self.number_of_players
        options = Options(**self.flags)  # type: ignore[arg-type]
        drafting = options.expert == "draft"
        in_play = regions_in_play(players, options.mini)
        sizes = self.sizes if drafting else printed_sizes(players, options.mini) | self.sizes
        region_tiles = {
            name: self.region_tiles.get(name, name)
            for name in BOARD.region_ids
            if name in self.region_tiles or not (drafting and name in in_play)
        }
        draft = self.draft
        if drafting and not options.regions and not draft:
            draft = in_play
        names = tuple(self.names.get(seat, "") for seat in range(players)) if self.names else ()
        try:
            setup = Setup(players, options, self.milestone_letters, sizes, region_tiles, draft)
            check(setup)
        except SetupError as error:
            raise RecordError(at, f"the set-up above is not valid: {error}") from None
        return Game.from_setup(setup, names)


def _tile_names(rest: str) -> Iterator[str]:
    """A list of region tiles, some with names of two words."""
    words = rest.split()
    if len(words) > 2 * len(BOARD.regions):
        raise ValueError(f"expected at most {len(BOARD.regions)} region tiles, not {rest[:40]!r} and more")
    while words:
        for length in (1, 2):
            name = " ".join(words[:length])
            if name in BOARD.tile_ids:
                yield name
                del words[:length]
                break
        else:
            raise ValueError(f"expected region tiles, not {' '.join(words)[:40]!r}")


def once(present: object, what: str) -> None:
    """Refuse a second line of a kind."""
    if present:
        raise ValueError(f"expected {what!r} only once")


def _read_moves(game: Game, lines: list[tuple[int, str]], last: int) -> None:
    """Play the moves and compare the result."""
    for number, (at, line) in enumerate(lines):
        if line.startswith("result"):
            _in_board_order(game)
            _check_result(game, at, line)
            if number + 1 < len(lines):
                raise RecordError(lines[number + 1][0], "expected nothing after the result")
            return
        for move in line.split(";"):
            if not move.strip().startswith("score"):
                _in_board_order(game)
            try:
                game.play(move)
            except IllegalAction as error:
                raise RecordError(at, str(error)) from None
    if game.over:
        raise RecordError(last, f"expected a line {_result_line(game)!r}: the game is over")


def _in_board_order(game: Game) -> None:
    """Score the waiting regions in board order: older records do not contain the choice (RULES 8.8)."""
    while game.phase == "score":
        game.play(game.legal_actions()[0])


def _check_result(game: Game, at: int, line: str) -> None:
    if not game.over:
        raise RecordError(at, "expected more moves: the game is not over, so it has no result")
    if line.split() != _result_line(game).split():
        raise RecordError(at, f"expected {_result_line(game)!r}, which the moves lead to, not {line[:60]!r}")


def _result_line(game: Game) -> str:
    return "result " + " ".join(map(str, game.result().scores))
