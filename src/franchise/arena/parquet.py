"""Results as Parquet: one row a game, columns as in the results file. Any duckdb, polars or pandas reads it."""

import json
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from franchise.arena.run import ArenaError
from franchise.extras import load, require

COLUMNS = {
    "game": "BIGINT",
    "seed": "BIGINT",
    "seating": "VARCHAR[]",
    "scores": "INTEGER[]",
    "places": "INTEGER[]",
    "winners": "INTEGER[]",
    "turns": "INTEGER",
    "moves": "INTEGER",
    "forfeits": 'STRUCT(seat INTEGER, bot VARCHAR, "by" VARCHAR, turn INTEGER, move INTEGER, reason VARCHAR)[]',
    "cities": "STRUCT(name VARCHAR, turn INTEGER, seat INTEGER, points INTEGER)[]",
    "regions": 'STRUCT(name VARCHAR, turn INTEGER, seat INTEGER, "order" INTEGER)[]',
    "influence": "INTEGER[][]",
    "cash": "INTEGER[][]",
}


def check(path: Path) -> None:
    """Refuse before any work is done."""
    require("data", "duckdb")
    if not path.parent.is_dir():
        raise ArenaError(f"{path}: there is no folder {path.parent}")


def convert(results: Path, path: Path) -> None:
    """Write the games of a results file, in their order."""
    duckdb = load("duckdb", "data")
    try:
        with duckdb.connect() as connection:
            lines = connection.read_json(str(results), columns=COLUMNS, format="newline_delimited")
            lines.filter("seating IS NOT NULL").order("game").write_parquet(str(path))
    except duckdb.Error as error:
        raise ArenaError(f"{path}: {' '.join(str(error).split())[:300]}") from None


def write(rows: Iterable[Mapping[str, Any]], path: Path) -> None:
    """Write games given as data; what they do not have stays empty."""
    with tempfile.TemporaryDirectory() as folder:
        lines = Path(folder) / "rows.jsonl"
        with lines.open("w", encoding="utf-8") as file:
            for row in rows:
                file.write(json.dumps(row) + "\n")
        convert(lines, path)


def convert_lines(lines: Path, path: Path, columns: Mapping[str, str]) -> None:
    """Write a file of JSON lines, in their order, with those columns."""
    duckdb = load("duckdb", "data")
    try:
        with duckdb.connect() as connection:
            connection.read_json(str(lines), columns=dict(columns), format="newline_delimited").write_parquet(str(path))
    except duckdb.Error as error:
        raise ArenaError(f"{path}: {' '.join(str(error).split())[:300]}") from None
