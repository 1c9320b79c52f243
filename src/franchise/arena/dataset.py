"""Games as data: moves.parquet has a row for every move, games.parquet one for every game.

MOVES and GAMES are the schema; docs/export.md lists them, and a test compares the two.
"""

import json
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from franchise.arena import parquet
from franchise.arena.run import ArenaError, options_data
from franchise.engine import layout, observe
from franchise.engine.layout import PHASE_NAMES
from franchise.engine.playout import random_games
from franchise.engine.setups import Options
from franchise.game import SCRATCH, Game
from franchise.record import RecordError, read_file


class Column(NamedTuple):
    """A column of a file."""

    name: str
    kind: str  # of DuckDB
    text: str


GAMES = (
    Column("game", "BIGINT", "number of the game in this export, from 0"),
    Column("source", "VARCHAR", "`random`, `bots`, or the file of the record"),
    Column("seed", "BIGINT", "seed of the set-up of a game that was played for this export; null for a record"),
    Column("players", "INTEGER", "number of players"),
    Column("options", "VARCHAR", "options that are switched on, as JSON"),
    Column("names", "VARCHAR[]", "names of the seats, empty where they have none"),
    Column(
        "finished", "BOOLEAN", "whether the game was played to its end; if not, scores, places and winners are null"
    ),
    Column("scores", "INTEGER[]", "final influence by seat"),
    Column("places", "INTEGER[]", "place by seat, 1 for the winner; tied seats share the better place"),
    Column("winners", "INTEGER[]", "seats of the winners"),
    Column("turns", "INTEGER", "number of turns"),
    Column("moves", "INTEGER", "number of moves"),
    Column("record", "VARCHAR", "the whole game as a record"),
)
MOVES = (
    Column("game", "BIGINT", "number of the game, as in games.parquet"),
    Column("move", "INTEGER", "number of the move in its game, from 0"),
    Column("turn", "INTEGER", "number of the turn, 0 during set-up"),
    Column("phase", "VARCHAR", "phase of the game: draft, start, boom, expand, grow or score"),
    Column("seat", "INTEGER", "seat that moved"),
    Column("action", "INTEGER", "number of the action, as in docs/notation.md"),
    Column("text", "VARCHAR", "the move as text"),
    Column("legal", "INTEGER[]", "numbers of all legal actions"),
    Column("cash", "INTEGER[]", "dollars by seat before the move"),
    Column("influence", "INTEGER[]", "influence by seat before the move"),
    Column("score", "INTEGER", "final influence of the seat; null if the game was not finished"),
    Column("place", "INTEGER", "final place of the seat; likewise"),
    Column("observation", "UTINYINT[]", "the position as the seat saw it (docs/envs.md, counts), if asked for"),
)


TABLES = {  # file: its columns and the order of its rows
    "games": ({column.name: column.kind for column in GAMES}, "game"),
    "moves": ({column.name: column.kind for column in MOVES}, "game, move"),
}
CHUNK = 50_000  # moves kept in memory at a time


class Source(NamedTuple):
    """A game to export, and where it comes from."""

    game: Game
    name: str
    seed: int | None = None
    number: int | None = None  # of the game, if games do not come in order


def from_records(files: Iterable[Path]) -> Iterator[Source]:
    """The games of records; ArenaError names an invalid file."""
    for file in files:
        try:
            yield Source(read_file(file), file.name)
        except (RecordError, OSError) as error:
            raise ArenaError(f"{file}: {error}") from None


def from_chance(number: int, players: int, seed: int, options: Options) -> Iterator[Source]:
    """Random games: the same as those of `franchise simulate` with this seed."""
    rows = np.zeros((1, 3 + layout.SEATS), np.int32)
    moves = np.zeros(layout.GAME, np.int32)
    state = layout.new(layout.STATE)
    for chosen in range(seed, seed + number):
        game = Game(players, chosen, options)
        random_games(game.rules, game.state, chosen, rows, state, moves, SCRATCH.out, SCRATCH.log)
        for action in moves[: rows[0, 0]].tolist():
            game.play(action)
        yield Source(game, "random", chosen)


def export(
    sources: Iterable[Source], folder: Path, *, observations: bool = False, on_game: Callable[[int], None] | None = None
) -> tuple[int, int]:
    """Write both files into a folder; returns the number of games and moves. `told` is called for every game."""
    with DatasetWriter(folder, observations) as writer:
        for source in sources:
            writer.add(source)
            if on_game is not None:
                on_game(writer.games)
    return writer.games, writer.moves


class DatasetWriter:
    """Collects games, a few at a time, and writes both files on exit unless there was an error.

    Until then they are kept compressed in a database on disk, so memory does not grow with their number.
    """

    def __init__(self, folder: Path, observations: bool) -> None:
        parquet.check(folder / "games.parquet")
        self.folder = folder
        self.observations = observations
        self.games = self.moves = 0
        self.lines: dict[str, list[str]] = {name: [] for name in TABLES}

    def __enter__(self) -> "DatasetWriter":
        self.scratch = tempfile.TemporaryDirectory(dir=self.folder, prefix="export-")
        self.store = parquet.RowStore(Path(self.scratch.name), TABLES)
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            if kind is None:
                self.store.take(self.lines)
                self.store.write(self.folder)
        finally:
            self.store.close()
            self.scratch.cleanup()

    def add(self, source: Source) -> None:
        """Add a game."""
        standing = source.game.places() if source.game.over else None
        number = self.games if source.number is None else source.number
        self.lines["games"].append(json.dumps(game_row(number, source, standing)))
        rows = [json.dumps(row) for row in move_rows(number, source.game, standing, self.observations)]
        self.lines["moves"] += rows
        self.games += 1
        self.moves += len(rows)
        if len(self.lines["moves"]) >= CHUNK:
            self.store.take(self.lines)
            self.lines = {name: [] for name in TABLES}


def game_row(number: int, source: Source, standing: tuple[int, ...] | None) -> dict[str, Any]:
    """A row of games.parquet."""
    game = source.game
    row: dict[str, Any] = {
        "game": number,
        "source": source.name,
        "seed": source.seed,
        "players": game.players,
        "options": json.dumps(options_data(game.setup.options)),
        "names": list(game.names),
        "finished": game.over,
        "moves": len(game.actions),
        "turns": game.turn,
        "record": game.to_text(),
    }
    if standing is not None:
        row["scores"] = game.state["influence"][0, : game.players].tolist()
        row["places"] = standing
        row["winners"] = [seat for seat, place in enumerate(standing) if place == 1]
    return row


def move_rows(number: int, end: Game, standing: tuple[int, ...] | None, observations: bool) -> Iterator[dict[str, Any]]:
    """Rows of moves.parquet: the position in which each move was chosen."""
    game = end.at(0)
    views = np.zeros(2, observe.VIEW)
    vector = np.zeros(observe.SIZE, np.float32)
    for at, action in enumerate(end.actions):
        seat = game.current_player
        row: dict[str, Any] = {
            "game": number,
            "move": at,
            "turn": game.turn,
            "phase": PHASE_NAMES[game.state["phase"][0]],
            "seat": seat,
            "action": action.id,
            "text": str(action),
            "legal": game.legal_numbers(),
            "cash": game.state["cash"][0, : game.players].tolist(),
            "influence": game.state["influence"][0, : game.players].tolist(),
        }
        if standing is not None:
            row["score"] = int(end.state["influence"][0, seat])
            row["place"] = standing[seat]
        if observations:
            observe.look(game.rules, game.state, seat, views, vector)
            row["observation"] = views["counts"][1].tolist()
        yield row
        game.play(action)
