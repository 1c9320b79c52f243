"""Results as Parquet: one row per game, columns as in the results file, for duckdb, polars or pandas."""

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
    """Check the requirements before any work is done."""
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
    """Write games given as data; missing values stay empty."""
    with tempfile.TemporaryDirectory() as folder:
        lines = Path(folder) / "rows.jsonl"
        with lines.open("w", encoding="utf-8") as file:
            for row in rows:
                file.write(json.dumps(row) + "\n")
        convert(lines, path)


class RowStore:
    """Rows to be written to Parquet files: a DuckDB file in a temporary folder, with one table for each file."""

    def __init__(self, folder: Path, tables: Mapping[str, tuple[Mapping[str, str], str]]) -> None:
        self.folder = folder
        self.tables = tables
        self.connection = load("duckdb", "data").connect(str(folder / "rows.duckdb"))
        for name, (columns, _) in tables.items():
            fields = ", ".join(f'"{column}" {kind}' for column, kind in columns.items())
            self.connection.execute(f"CREATE TABLE {name} ({fields})")

    def take(self, lines: Mapping[str, list[str]]) -> None:
        """Rows given as JSON, by table."""
        for name, rows in lines.items():
            if rows:
                path = self.folder / f"{name}.jsonl"
                path.write_text("\n".join(rows), encoding="utf-8")
                columns = dict(self.tables[name][0])
                self.connection.read_json(str(path), columns=columns, format="newline_delimited").insert_into(name)
                path.unlink()

    def write(self, folder: Path) -> None:
        """The Parquet files, each in the order of its table."""
        duckdb = load("duckdb", "data")
        for name, (_, order) in self.tables.items():
            path = folder / f"{name}.parquet"
            try:
                self.connection.table(name).order(order).write_parquet(str(path), compression="zstd")
            except duckdb.Error as error:
                raise ArenaError(f"{path}: {' '.join(str(error).split())[:300]}") from None

    def close(self) -> None:
        self.connection.close()
