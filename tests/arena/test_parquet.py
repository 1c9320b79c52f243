"""Results as Parquet, read again by duckdb."""

from pathlib import Path

import duckdb
import pytest

from arena.made_up_runs import random_run
from franchise.arena import parquet
from franchise.arena.match import play
from franchise.arena.outcome import Forfeit
from franchise.arena.results import Results
from franchise.arena.run import ArenaError
from franchise.extras import MissingLibrary

GAMES = (3, 0, 1)


@pytest.fixture
def results(tmp_path: Path) -> Path:
    path = tmp_path / "results.jsonl"
    with Results(path, random_run()) as file:
        list(file.resume(4))
        for game in GAMES:
            file.add(play(random_run(), game))
    return path


def test_every_game_is_a_row_with_all_its_columns(results: Path, tmp_path: Path) -> None:
    path = tmp_path / "it's games.parquet"
    parquet.convert(results, path)
    with duckdb.connect() as connection:
        table = connection.read_parquet(str(path))
        assert table.columns == list(parquet.COLUMNS)
        rows = [dict(zip(table.columns, row, strict=True)) for row in table.fetchall()]
    assert [row["game"] for row in rows] == sorted(GAMES)
    for row in rows:
        played = play(random_run(), row["game"]).data()
        for name, value in played.items():
            assert row[name] == (listed(value) if isinstance(value, tuple) else value)


def listed(value: object) -> object:
    return [listed(item) for item in value] if isinstance(value, tuple) else value


def test_columns_can_be_asked_in_sql(results: Path, tmp_path: Path) -> None:
    path = tmp_path / "games.parquet"
    parquet.convert(results, path)
    with duckdb.connect() as connection:
        connection.read_parquet(str(path)).create_view("games")
        (count,) = connection.sql("SELECT count(*) FROM (SELECT unnest(cities) AS city FROM games)").fetchall()[0]
    assert count == sum(len(play(random_run(), game).cities) for game in GAMES)


def test_columns_are_those_of_the_results_file(results: Path) -> None:
    assert list(parquet.COLUMNS) == list(play(random_run(), 0).data())
    for name in Forfeit.__slots__:
        assert name in parquet.COLUMNS["forfeits"]


def test_rows_may_know_less(tmp_path: Path) -> None:
    parquet.write([{"game": 0, "seating": ["a", "b"], "scores": [1, 2]}], tmp_path / "few.parquet")
    with duckdb.connect() as connection:
        rows = connection.read_parquet(str(tmp_path / "few.parquet")).select("game, scores, cash").fetchall()
    assert rows == [(0, [1, 2], None)]


def test_a_folder_that_is_not_there_is_noticed_before_the_games(tmp_path: Path) -> None:
    with pytest.raises(ArenaError, match="there is no folder"):
        parquet.check(tmp_path / "nowhere" / "games.parquet")


def test_without_duckdb_one_line_says_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("franchise.extras.find_spec", lambda name: None)
    with pytest.raises(MissingLibrary, match=r"this needs duckdb; install it with: pip install 'franchise\[data\]'"):
        parquet.check(tmp_path / "games.parquet")
