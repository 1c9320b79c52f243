"""franchise arena, franchise bots and franchise simulate --bots."""

import json
import sys
from pathlib import Path
from typing import Any

import duckdb
import pytest

from franchise import Game
from franchise.bots import listings

GARBAGE = f"program:{sys.executable} -c print(input())"  # answers every line with itself


def test_bots_lists_every_bot_with_what_it_is_and_where_it_comes_from(run: Any) -> None:
    text, data = run("bots"), run("bots", "--json")
    assert (text.code, data.code) == (0, 0)
    for listing, line in zip(listings(), json.loads(data.out), strict=True):
        assert line == {"name": listing.name, "text": listing.text, "source": listing.source}
        assert listing.name in text.out
    assert "random" in text.out


def test_an_arena_prints_standings_head_to_head_and_seats(run: Any) -> None:
    done = run("arena", "random", GARBAGE, "-n", 3, "--seed", 4, "--workers", 1)
    assert done.code == 1  # for what the standings say of a bot that fails
    for words in ("4 games of 2, seed 4", "Head to head", "Wins by seat", "seat 1"):
        assert words in done.out
    assert "4 games instead of 3, so that every seating is played equally often" in done.err
    assert "forfeited 4 times, first in game 0, turn 0: BotFailure" in done.err


def test_a_bot_that_fails_comes_last_whoever_plays_on_for_it(run: Any) -> None:
    arguments = ("arena", "random", GARBAGE, "-n", 2, "--seed", 4, "--workers", 1, "--json")
    for more, by in (((), ""), (("--stand-in", "casual"), "casual")):
        done = run(*arguments, *more)
        data = json.loads(done.out)
        assert done.code == 1
        failed = next(row for row in data["standings"] if row["name"] == GARBAGE)
        assert (failed["forfeits"], failed["win_share"]["value"], failed["mean_score"]["value"]) == (2, 0, 0)
        assert failed["mean_rank"]["value"] == 2
        assert [forfeit["by"] for forfeit in data["forfeits"]] == [by, by]


def test_an_arena_writes_json_results_parquet_and_a_report(run: Any, tmp_path: Path) -> None:
    files = {name: tmp_path / name for name in ("results.jsonl", "games.parquet", "report")}
    done = run(
        *("arena", "random", "random", "random", "-n", 3, "--seed", 4, "--workers", 1, "--options", "boom", "--json"),
        *("--results", files["results.jsonl"], "--parquet", files["games.parquet"], "--report", files["report"]),
    )
    assert done.code == 0, done.err
    data = json.loads(done.out)
    assert data["run"]["options"] == {"boom": True}
    assert (data["games"], data["asked"], data["seatings"], data["interrupted"]) == (3, 3, 1, False)
    assert set(data["standings"][0]) == {
        *("name", "games", "seats", "win_share", "fair_share", "forfeits", "mean_rank", "mean_score", "rating")
    }
    assert [row["seat"] for row in data["by_seat"] if row["name"] is None] == [0, 1, 2]
    assert data["head_to_head"] == data["forfeits"] == []
    assert len(files["results.jsonl"].read_text(encoding="utf-8").splitlines()) == 4
    with duckdb.connect() as connection:
        assert connection.read_parquet(str(files["games.parquet"])).count("*").fetchall() == [(3,)]
    assert "random" in (files["report"] / "index.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("random",), 2, "name 2 to 5 bots, or set the number of players"),
        (("random", "random", "-p", "4"), 2, "2 names for 4 seats; name a bot once for each seat"),
        (("random", "nobody"), 2, "there is no bot 'nobody'"),
        (("random", "random", "--executor", "cloud"), 2, "'cloud' is not one of 'processes', 'ray'"),
        (("random", "random", "--address", "here"), 2, "--address needs --executor ray"),
        (("random", "random", "--simulations", "0"), 2, "a bot's simulations must be between"),
        (("random", "random", "--options", "sunshine"), 2, "does not know 'sunshine'"),
        (("random", "random", "--parquet", "nowhere/games.parquet"), 1, "there is no folder nowhere"),
    ],
)
def test_what_cannot_be_played_is_refused_in_one_line(
    arguments: tuple[str, ...], code: int, words: str, run: Any
) -> None:
    done = run("arena", *arguments)
    assert (done.code, done.out) == (code, "")
    assert words in done.err
    assert len(done.err.splitlines()) == 1


@pytest.mark.parametrize(("option", "library"), [(("--report", "r"), "matplotlib"), (("--parquet", "p"), "duckdb")])
def test_a_missing_library_is_named_before_any_game(
    option: tuple[str, ...], library: str, run: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("franchise.extras.find_spec", lambda name: None if name == library else name)
    done = run("arena", "random", "random", *option)
    assert done.code == 1
    assert done.err.startswith(f"franchise arena: this needs {library}; install it with: pip install 'franchise[")
    assert len(done.err.splitlines()) == 1


@pytest.mark.parametrize("command", [("arena", "onnx:policy.onnx", "random"), ("simulate", "--bots", "onnx:p.onnx")])
def test_a_policy_without_the_library_that_runs_it_is_no_wrong_argument(
    command: tuple[str, ...], run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("franchise.extras.find_spec", lambda name: None if name == "onnxruntime" else name)
    done = run(*command)
    assert (done.code, done.out) == (1, "")
    install = "pip install 'franchise[onnx]'"
    assert done.err == f"franchise {command[0]}: this needs onnxruntime; install it with: {install}\n"


def test_a_damaged_results_file_is_named_with_its_line(run: Any, tmp_path: Path) -> None:
    results = tmp_path / "results.jsonl"
    arguments = ("arena", "random", "random", "-n", 2, "--workers", 1, "--results", results)
    assert run(*arguments, "--seed", 1).code == 0
    results.write_bytes(results.read_bytes().replace(b'"scores":', b'"stores":', 1))
    done = run(*arguments)
    assert done.code == 1
    assert "results.jsonl, line 2: a game has the fields" in done.err
    assert run(*arguments, "--seed", 2).err.startswith("franchise arena: ")


def test_a_cut_off_line_is_told_and_played_again(run: Any, tmp_path: Path) -> None:
    results = tmp_path / "results.jsonl"
    arguments = ("arena", "random", "random", "-n", 2, "--workers", 1, "--results", results)
    assert run(*arguments, "--seed", 1).code == 0
    whole = results.read_bytes()
    results.write_bytes(whole[:-9])
    done = run(*arguments)
    assert done.code == 0
    assert "line 3 was cut off: its game is played again" in done.err
    assert results.read_bytes() == whole


def test_simulate_lets_bots_keep_their_seats(run: Any, tmp_path: Path) -> None:
    done = run(
        *("simulate", "--bots", f"random,{GARBAGE},random", "-p", 3, "-n", 3, "--seed", 6, "--workers", 1, "--json"),
        *("--records", tmp_path / "games", "--parquet", tmp_path / "games.parquet"),
    )
    assert done.code == 1, done.err
    data = json.loads(done.out)
    assert data["bots"] == ["random", GARBAGE, "random"]
    assert [lost["seat"] for lost in data["forfeits"] if lost["bot"] == GARBAGE] == [1, 1, 1]
    scores = []
    for seed in (6, 7, 8):
        record = (tmp_path / "games" / f"game-{seed}.franchise").read_text(encoding="utf-8")
        first, _, third = Game.from_text(record).result().scores
        scores.append((first, 0, third))  # forfeited
    assert data["mean_score"] == [round(sum(column) / 3, 2) for column in zip(*scores, strict=True)]
    with duckdb.connect() as connection:
        rows = connection.read_parquet(str(tmp_path / "games.parquet")).select("scores").fetchall()
    assert [tuple(row) for (row,) in rows] == scores


def test_simulate_takes_one_bot_for_all_seats_and_shows_it(run: Any) -> None:
    done = run("simulate", "--bots", "random", "-p", 2, "-n", 2, "--workers", 1)
    assert done.code == 0
    assert "bot" in done.out
    assert done.out.count("random") == 2


def test_random_games_go_to_parquet_too(run: Any, tmp_path: Path) -> None:
    done = run("simulate", "-p", 3, "-n", 300, "--seed", 6, "--parquet", tmp_path / "games.parquet", "--json")
    assert done.code == 0
    with duckdb.connect() as connection:
        connection.read_parquet(str(tmp_path / "games.parquet")).create_view("games")
        (row,) = connection.sql(
            "SELECT count(*), min(seed), max(seed), avg(turns), avg(scores[1]) FROM games"
        ).fetchall()
    data = json.loads(done.out)
    assert row[:3] == (300, 6, 305)
    assert [round(value, 2) for value in row[3:]] == [data["turns"], data["mean_score"][0]]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--bots", "random,random"), "give 4 names, or one for all seats"),
        (("--bots", "random,,random,random"), "give 4 names"),
        (("--workers", "2"), "--workers, --seconds, --simulations and --stand-in need --bots"),
    ],
)
def test_simulate_refuses_what_does_not_fit(arguments: tuple[str, ...], words: str, run: Any) -> None:
    done = run("simulate", *arguments)
    assert done.code == 2
    assert words in done.err
