"""franchise report."""

import json
from pathlib import Path
from typing import Any

import pytest

from franchise import Game

GAMES = Path(__file__).parents[1] / "games"


@pytest.fixture
def folder(record: Path, finished: Game, tmp_path: Path) -> Path:
    """A finished game, one under way, and a file that is no record."""
    made = tmp_path / "games"
    made.mkdir()
    record.rename(made / "game-1.franchise")
    (made / "game-2.franchise").write_text(finished.at(9).to_text(), encoding="utf-8")
    (made / "game-3.franchise").write_text("franchise 1\nplayers 9\n", encoding="utf-8")
    (made / "notes.txt").write_text("not looked at", encoding="utf-8")
    return made


def test_records_are_counted_and_broken_ones_named(folder: Path, run: Any) -> None:
    code, out, err = run("report", folder)
    assert code == 0
    assert err.splitlines() == [
        f"{folder}/game-3.franchise: line 2: expected 'players' and a number from 2 to 5, not '9'",
        "1 of 3 records is invalid and left out",
    ]
    lines = out.splitlines()
    assert lines[:3] == ["1 finished game", "1 unfinished, not counted", "players: 1 of 3"]
    assert lines[5].startswith("the first player wins ")
    for heading in ("Seats at tables of 3", "Regions: who comes first there", "Starting towns", "Bonus tiles", "Names"):
        assert any(line.startswith(heading) for line in lines), heading


def test_json_holds_the_same(folder: Path, finished: Game, run: Any) -> None:
    data = json.loads(run("report", folder, "--json").out)
    assert (data["finished"], data["unfinished"], data["players"]) == (1, 1, {"3": 1})
    assert data["broken"] == [f"{folder}/game-3.franchise"]
    assert data["turns"] == {
        "least": finished.turn,
        "median": finished.turn,
        "most": finished.turn,
        "mean": finished.turn,
    }
    assert [row["win_share"]["value"] for row in data["seats"]["3"]] == [
        1 / len(finished.result().winners) if seat in finished.result().winners else 0 for seat in range(3)
    ]
    assert {row["name"] for row in data["names"]} == {"Ann", "Cy"}


def test_the_page_is_written_beside_the_tables(folder: Path, tmp_path: Path, run: Any) -> None:
    done = run("report", folder / "game-1.franchise", GAMES / "base-4.franchise", "-o", tmp_path / "page.html")
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines()[-1] == f"The page is {tmp_path}/page.html."
    assert "What wins: 2 records" in (tmp_path / "page.html").read_text(encoding="utf-8")


def test_nothing_readable_is_an_error(folder: Path, tmp_path: Path, run: Any) -> None:
    done = run("report", folder / "game-3.franchise", "-o", tmp_path / "page.html")
    assert (done.code, done.out) == (1, "")
    assert done.err.splitlines()[-1] == "1 of 1 records is invalid and left out"
    assert not (tmp_path / "page.html").exists()


def test_only_unfinished_games_are_no_error(folder: Path, run: Any) -> None:
    done = run("report", folder / "game-2.franchise")
    assert (done.code, done.out, done.err) == (0, "0 finished games\n1 unfinished, not counted\n", "")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["{}"], "there is no *.franchise file in this folder"),
        (["{}/none"], "does not exist"),
        (["{}/games", "-o", "{}/page.pdf"], "page.pdf: the name must end with .html"),
    ],
)
def test_wrong_arguments_give_one_line(folder: Path, tmp_path: Path, run: Any, arguments: list[str], said: str) -> None:
    done = run("report", *(argument.format(tmp_path) for argument in arguments))
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert said in done.err


def test_a_missing_library_is_named(folder: Path, tmp_path: Path, run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("franchise.extras.find_spec", lambda name: None)
    done = run("report", folder, "-o", tmp_path / "page.html")
    assert done.code == 1
    assert done.err == "franchise report: this needs matplotlib; install it with: pip install 'franchise[report]'\n"
