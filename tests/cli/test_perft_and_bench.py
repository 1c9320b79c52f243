"""franchise perft and franchise bench."""

import json
import shlex
import sys
from typing import Any

import pytest

from franchise.benchmarks import environment_bench
from franchise.benchmarks.engine_bench import last_release, measure_beside


def counts(run: Any, *arguments: object) -> list[int]:
    done = run("perft", "--json", *arguments)
    assert done.code == 0
    rows = json.loads(done.out)
    assert [row["depth"] for row in rows] == list(range(len(rows)))
    return [row["count"] for row in rows]


def test_perft_counts_the_choices_of_starting_towns(run: Any) -> None:
    assert counts(run, "-p", 4, "--depth", 3) == [1, 20, 20 * 19, 20 * 19 * 18]


def test_perft_of_two_players_leaves_out_the_eight_blocked_towns(run: Any) -> None:
    assert counts(run, "-p", 2, "--depth", 2) == [1, 12, 12 * 11]


def test_perft_with_options_counts_their_moves(run: Any) -> None:
    # The starting towns are given; the first choice is that of the boom marker among the 19 cities in play.
    assert counts(run, "-p", 2, "--depth", 1, "--options", "introductory,boom") == [1, 19]


def test_perft_prints_a_line_for_each_depth(run: Any) -> None:
    code, out, err = run("perft", "--depth", 2)
    assert (code, err) == (0, "")
    assert [line.split()[:3] for line in out.splitlines()] == [
        ["depth", "0", "1"],
        ["depth", "1", "20"],
        ["depth", "2", "380"],
    ]


def test_bench_as_json_has_every_figure_that_others_rely_on(run: Any) -> None:
    code, out, _ = run("bench", "--seconds", 0.05, "--json")
    assert code == 0
    figures = json.loads(out)
    for name in ("random_games_per_s", "random_moves_per_s", "all_modules_games_factor", "all_modules_moves_factor"):
        assert list(figures[name]) == ["2", "3", "4", "5"]
        assert min(figures[name].values()) > 0
    for name in ("two_core_factor", "state_bytes", "cached_start_s", "play_us", "search_simulations_per_s"):
        assert figures[name] > 0
    _, before = last_release()
    assert set(figures) <= set(before), "the last release has a figure for each"


FOUR_ALWAYS = 'print(\'{"players": 4, "games_per_s": 1}\')'
AS_ASKED = 'import sys; print(\'{"players": %s, "games_per_s": 1e-9}\' % sys.argv[1])'


@pytest.mark.parametrize(
    "program", [shlex.join([sys.executable, "-c", text]) for text in ("print('fast')", FOUR_ALWAYS, "exit(3)")]
)
def test_bench_beside_a_program_that_gives_no_figure_fails(
    program: str, run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    for measure in ("measure_games", "measure_cores", "measure_play", "measure_search"):
        monkeypatch.setattr(f"franchise.benchmarks.engine_bench.{measure}", lambda seconds: {})
    monkeypatch.setattr("franchise.benchmarks.engine_bench.measure_start", dict)
    code, out, err = run("bench", "--seconds", 0.05, "--beside", program)
    assert (code, out) == (1, "")
    assert err.splitlines()[-1].startswith(f"franchise bench: --beside {program}: ")


def test_bench_without_json_is_a_table(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "franchise.benchmarks.engine_bench.measure_games", lambda seconds: {"random_games_per_s": {"2": 1234}}
    )
    for measure in ("measure_cores", "measure_play", "measure_search"):
        monkeypatch.setattr(f"franchise.benchmarks.engine_bench.{measure}", lambda seconds: {})
    monkeypatch.setattr("franchise.benchmarks.engine_bench.measure_start", dict)
    code, out, _ = run("bench")
    assert code == 0
    assert "random_games_per_s, 2 players" in out
    assert "1,234" in out
    version, before = last_release()
    assert f"in {version}" in out
    assert f"{before['random_games_per_s']['2']:,}" in out


def test_bench_beside_a_program_compares_each_number_of_players() -> None:
    figures = measure_beside(shlex.join([sys.executable, "-c", AS_ASKED]), 0.01)
    assert list(figures["beside_games_per_s"]) == ["2", "3", "4", "5"]
    assert min(figures["beside_factor"].values()) > 1


def test_bench_of_the_environments_compares_them_with_other_games(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(environment_bench, "ROUNDS", 2)
    code, out, _ = run("bench", "--envs", "--seconds", 0.05, "--json")
    assert code == 0
    figures = json.loads(out)
    for name in ("batch_moves_per_s_best", "pettingzoo_steps_per_s_best", "openspiel_steps_per_s_best"):
        assert min(figures[name].values()) > 0
    assert set(figures["pettingzoo_franchise_times_as_fast_as"]) == {"connect_four", "chess"}
    assert figures["openspiel_overhead_factor"] > 0
