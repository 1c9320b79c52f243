"""franchise simulate: random games, summed up."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from franchise import Game
from franchise.cli import simulate

KEYS = {
    "games",
    "players",
    "seed",
    "interrupted",
    "seconds",
    "games_per_s",
    "moves",
    "turns",
    "mean_score",
    "best_score",
    "win_share",
}
TIMES = ("seconds", "games_per_s")


def figures(run: Any, *arguments: object) -> dict[str, Any]:
    done = run("simulate", "--json", *arguments)
    assert done.code == 0
    data: dict[str, Any] = json.loads(done.out)
    return data


def test_json_has_every_figure(run: Any) -> None:
    data = figures(run, "-n", 300, "-p", 5, "--seed", 3)
    assert set(data) >= KEYS
    assert (data["games"], data["players"], data["seed"], data["interrupted"]) == (300, 5, 3, False)
    assert len(data["mean_score"]) == len(data["best_score"]) == len(data["win_share"]) == 5
    assert sum(data["win_share"]) == pytest.approx(1, abs=0.001)
    assert data["games_per_s"] > 0


def test_the_same_seed_gives_the_same_games_with_and_without_records(tmp_path: Path, run: Any) -> None:
    arguments = ("-n", 5, "-p", 3, "--seed", 8, "--options", "milestones,regions=new")
    first, second, third = (
        figures(run, *arguments),
        figures(run, *arguments),
        figures(run, *arguments, "--records", tmp_path),
    )
    for data in (first, second, third):
        for name in TIMES:
            del data[name]
    assert first == second == third


def test_another_seed_gives_other_games(run: Any) -> None:
    assert figures(run, "-n", 5, "--seed", 1)["mean_score"] != figures(run, "-n", 5, "--seed", 2)["mean_score"]


def test_a_seed_is_drawn_and_named_when_none_is_given(run: Any) -> None:
    data = figures(run, "-n", 5)
    again = figures(run, "-n", 5, "--seed", data["seed"])
    assert again["mean_score"] == data["mean_score"]


@pytest.mark.parametrize(
    "options",
    ["", "introductory", "expert", "expert=draft,milestones,boom,regions", "chosen=N1+N2+N3+N4+N5+N6+N7+N8+N19+N20"],
)
def test_records_hold_and_add_up_to_the_summary(options: str, tmp_path: Path, run: Any) -> None:
    data = figures(run, "-n", 3, "-p", 4, "--seed", 70, "--options", options, "--records", tmp_path / "new" / "folder")
    files = sorted((tmp_path / "new" / "folder").iterdir())
    assert [file.name for file in files] == ["game-70.franchise", "game-71.franchise", "game-72.franchise"]
    assert run("verify", *files).code == 0
    games = [Game.from_text(file.read_text(encoding="utf-8")) for file in files]
    for seat in range(4):
        scores = [game.result().scores[seat] for game in games]
        assert data["mean_score"][seat] == pytest.approx(sum(scores) / 3, abs=0.01)
        assert data["best_score"][seat] == max(scores)
    assert data["turns"] == pytest.approx(sum(game.turn for game in games) / 3, abs=0.01)


def test_without_json_there_is_a_table_by_seat(run: Any) -> None:
    code, out, _ = run("simulate", "-n", 40, "-p", 2, "--seed", 5)
    assert code == 0
    assert "40 games of 2, seed 5" in out
    assert "blue" in out
    assert "red" in out
    assert "orange" not in out
    assert "games/s" in out or "s/game" in out  # on a very busy machine


@pytest.mark.parametrize(
    ("seconds", "pace"),
    [(50.0, "25.0 s/game"), (0.5, "4.0 games/s"), (0.01, "200 games/s"), (0.0, "0.0 games/s")],
)
def test_slow_games_are_told_by_their_seconds(seconds: float, pace: str, capsys: pytest.CaptureFixture[str]) -> None:
    summary = simulate.SimulationSummary(2, 1)
    summary.games, summary.seconds = 2, seconds
    summary.show()
    assert f"{pace}, " in capsys.readouterr().out


def test_an_interrupt_sums_up_the_games_there_are(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*arguments: Any) -> Iterator[Any]:
        yield next(play_all(*arguments))
        raise KeyboardInterrupt

    play_all = simulate.play_all
    monkeypatch.setattr(simulate, "CHUNK", 10)
    monkeypatch.setattr(simulate, "play_all", interrupted)
    code, out, _ = run("simulate", "-n", 1000, "--seed", 1, "--json")
    assert code == 130
    assert json.loads(out)["games"] == 10
    assert json.loads(out)["interrupted"]
    assert "(interrupted)" in run("simulate", "-n", 1000, "--seed", 1).out


def test_ctrl_c_stops_a_real_run_with_what_there_is(tmp_path: Path) -> None:
    second = tmp_path / "game-6.franchise"
    os.mkfifo(second)  # so that we know when the second game is written
    code = "from franchise.cli import main, simulate; simulate.CHUNK = 1; main()"
    arguments = ["simulate", "-n", "1000000", "--seed", "5", "--records", str(tmp_path), "--json"]
    process = subprocess.Popen(
        [sys.executable, "-c", code, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert second.read_text(encoding="utf-8").startswith("franchise 1\n")
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=120)
    assert process.returncode == 130
    assert "Traceback" not in err
    data = json.loads(out)
    assert data["interrupted"]
    assert 1 <= data["games"] < 1_000_000
