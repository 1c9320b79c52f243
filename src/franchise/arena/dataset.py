"""Games as data for others: moves.parquet has a row for every move, games.parquet one for every game.

MOVES and GAMES are the schema; docs/export.md shows them and a test compares.
"""

import json
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from franchise.arena import parquet
from franchise.arena.match import places
from franchise.arena.run import ArenaError, options_data
from franchise.engine import layout, observe
from franchise.engine.bits import popcount
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
    Column("source", "VARCHAR", "file of the record, or `random`"),
    Column("seed", "BIGINT", "seed of a random game; null for a record, which needs none"),
    Column("players", "INTEGER", "number of players"),
    Column("options", "VARCHAR", "options that are switched on, as JSON"),
    Column("names", "VARCHAR[]", "names of the seats, empty where they have none"),
    Column(
        "finished", "BOOLEAN", "whether the game was played to its end; if not, scores, places and winners are null"
    ),
    Column("scores", "INTEGER[]", "final influence by seat"),
    Column("places", "INTEGER[]", "place by seat, 1 for the winner; equal ones share the better place"),
    Column("winners", "INTEGER[]", "seats of the winners"),
    Column("turns", "INTEGER", "number of turns"),
    Column("moves", "INTEGER", "number of moves"),
    Column("record", "VARCHAR", "the whole game as a record"),
)
MOVES = (
    Column("game", "BIGINT", "number of the game, as in games.parquet"),
    Column("move", "INTEGER", "number of the move in its game, from 0"),
    Column("turn", "INTEGER", "number of the turn, 0 during set-up"),
    Column("phase", "VARCHAR", "phase of the game: draft, start, boom, expand or grow"),
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


class Source(NamedTuple):
    """A game to export, and where it comes from."""

    game: Game
    name: str
    seed: int | None = None


def from_records(files: Iterable[Path]) -> Iterator[Source]:
    """The games of records; ArenaError names the file that does not hold."""
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


def export(sources: Iterable[Source], folder: Path, *, observations: bool = False) -> tuple[int, int]:
    """Write both files into a folder; returns how many games and moves they hold."""
    parquet.check(folder / "games.parquet")
    games = moves = 0
    with tempfile.TemporaryDirectory() as scratch:
        files = {name: Path(scratch) / f"{name}.jsonl" for name in ("games", "moves")}
        with (
            files["games"].open("w", encoding="utf-8") as game_file,
            files["moves"].open("w", encoding="utf-8") as move_file,
        ):
            for source in sources:
                standing = places_of(source.game) if source.game.over else None
                game_file.write(json.dumps(game_row(games, source, standing)) + "\n")
                for row in move_rows(games, source.game, standing, observations):
                    move_file.write(json.dumps(row) + "\n")
                    moves += 1
                games += 1
        for name, columns in (("games", GAMES), ("moves", MOVES)):
            schema = {column.name: column.kind for column in columns}
            parquet.convert_lines(files[name], folder / f"{name}.parquet", schema)
    return games, moves


def places_of(game: Game) -> tuple[int, ...]:
    """The places of a finished game (RULES 4.4)."""
    state = game.state[0]
    return places(
        [(int(state.influence[seat]), popcount(state.held[seat] & game.rules[0].towns)) for seat in range(game.players)]
    )


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
