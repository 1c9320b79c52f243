"""franchise export."""

from pathlib import Path
from typing import Any

import duckdb


def count(path: Path) -> int:
    with duckdb.connect() as connection:
        return int(connection.read_parquet(str(path)).count("*").fetchall()[0][0])


def test_random_games_are_exported(run: Any, tmp_path: Path) -> None:
    code, out, err = run("export", "--out", tmp_path / "data", "-n", 3, "-p", 2, "--seed", 1)
    assert (code, err) == (0, "")
    assert out.startswith("3 games and ")
    assert count(tmp_path / "data" / "games.parquet") == 3
    assert count(tmp_path / "data" / "moves.parquet") > 100


def test_records_and_folders_of_them_are_exported(run: Any, record: Path, tmp_path: Path) -> None:
    assert run("export", "--out", tmp_path / "data", record, record.parent).code == 0
    assert count(tmp_path / "data" / "games.parquet") == 2


def test_games_between_bots_are_exported(run: Any, tmp_path: Path) -> None:
    arguments = ("-n", 2, "-p", 2, "--bots", "random", "--workers", 1, "--seed", 4, "--observations")
    assert run("export", "--out", tmp_path / "data", *arguments).code == 0
    with duckdb.connect() as connection:
        table = connection.read_parquet(str(tmp_path / "data" / "games.parquet"))
        assert table.select("game, source, seed, names").fetchall() == [
            (0, "bots", 4, ["random", "random"]),
            (1, "bots", 5, ["random", "random"]),
        ]


def test_bots_take_all_seats_in_turn_where_asked(run: Any, tmp_path: Path) -> None:
    arguments = ("-n", 2, "-p", 2, "--workers", 1, "--seed", 4)
    assert run("export", "--out", tmp_path / "data", "--bots", "random,newcomer", "--rotate", *arguments).code == 0
    with duckdb.connect() as connection:
        table = connection.read_parquet(str(tmp_path / "data" / "games.parquet"))
        assert table.select("names").fetchall() == [(["random", "newcomer"],), (["newcomer", "random"],)]
    done = run("export", "--out", tmp_path / "none", "--bots", "random", "--rotate", *arguments)
    assert done.code == 2
    assert "1 names for 2 seats" in done.err


def test_what_cannot_be_exported_is_refused_in_one_line(run: Any, tmp_path: Path) -> None:
    (tmp_path / "bad.franchise").write_text("nothing", encoding="utf-8")
    (tmp_path / "empty").mkdir()
    code, _, err = run("export", "--out", tmp_path / "data", tmp_path / "bad.franchise")
    assert code == 1
    assert "bad.franchise: line 1: expected" in err
    code, _, err = run("export", "--out", tmp_path / "data", tmp_path / "empty")
    assert code == 2
    assert "there is no *.franchise file" in err
    assert run("export", "--out", tmp_path / "data", tmp_path / "nowhere").code == 2


def test_the_folder_as_the_first_path_still_works_with_a_hint(run: Any, record: Path, tmp_path: Path) -> None:
    done = run("export", tmp_path / "data", record)
    assert (done.code, done.err) == (0, f"franchise export: write --out {tmp_path / 'data'} for the folder\n")
    assert (tmp_path / "data" / "games.parquet").is_file()


def test_nowhere_to_write_is_refused(run: Any) -> None:
    done = run("export")
    assert done.code == 2
    assert "say where the files go" in done.err
