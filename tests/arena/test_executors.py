"""Where games are played changes nothing about them."""

import json
import os
import secrets
import signal
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from arena.made_up_runs import command, random_run
from franchise.arena.executors import cores, executor
from franchise.arena.match import play
from franchise.arena.run import ArenaError
from franchise.extras import MissingLibrary

pytestmark = pytest.mark.slow

GAMES = 8


def go_on() -> bool:
    return False


def lines(path: Path) -> list[dict[str, Any]]:
    """The games of a results file, in their order."""
    read = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return sorted(read[1:], key=lambda line: line["game"])


@pytest.mark.parametrize("workers", [1, 2])
def test_games_do_not_depend_on_the_number_of_workers(workers: int) -> None:
    run = random_run("random", "casual", simulations=10)
    found = list(executor("processes", workers).play(run, range(GAMES), go_on))
    assert sorted(found, key=lambda outcome: outcome.game) == [play(run, game) for game in range(GAMES)]


def test_a_run_that_is_told_to_stop_gives_up_the_games_under_way() -> None:
    run = random_run()
    found = []
    for outcome in executor("processes", 2).play(run, range(10**6), lambda: len(found) >= 3):
        found.append(outcome.game)
    assert 3 <= len(found) < 1000
    assert len(set(found)) == len(found)


@pytest.mark.skipif(find_spec("ray") is None, reason="ray is not installed here")
def test_a_local_ray_plays_the_same_games_as_processes(tmp_path: Path) -> None:
    # A token of the test's own: Ray would otherwise keep one in the user's folder.
    ray = {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32), "RAY_TMPDIR": "/tmp"}
    arguments = ("arena", "random", "random", "-n", GAMES, "--seed", 5, "--workers", 2, "--json")
    for kind in ("processes", "ray"):
        done = command(*arguments, "--executor", kind, "--results", tmp_path / kind, env={**os.environ, **ray})
        assert done.returncode == 0, done.stderr
    assert lines(tmp_path / "ray") == lines(tmp_path / "processes")
    assert [line["game"] for line in lines(tmp_path / "ray")] == list(range(GAMES))


def test_without_ray_one_line_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("franchise.extras.find_spec", lambda name: None)
    with pytest.raises(MissingLibrary, match=r"this needs ray; install it with: pip install 'franchise\[ray\]'"):
        executor("ray")


def test_unknown_executors_and_addresses_without_ray_are_refused() -> None:
    with pytest.raises(ArenaError, match="no executor 'cloud'; there are processes, ray"):
        executor("cloud")
    with pytest.raises(ArenaError, match="--address needs --executor ray"):
        executor("processes", address="here")


def test_there_is_a_worker_for_each_core() -> None:
    assert 1 <= cores() <= (os.cpu_count() or 1)


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="interrupts cannot be delayed here")
def test_ctrl_c_is_delayed_until_the_workers_have_started() -> None:
    # In a process of its own: the first process that multiprocessing starts brings its resource tracker along.
    code = """if True:
        import multiprocessing, signal
        from franchise.arena.processes import held_back
        with held_back():
            process = multiprocessing.get_context("spawn").Process(target=int)
            process.start()
            print(signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, []))
        print(signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, []))
        process.join()
    """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True", "False"]


def test_ctrl_c_keeps_finished_games_and_the_same_command_goes_on(tmp_path: Path, plugin: dict[str, str]) -> None:
    results = tmp_path / "results.jsonl"
    arguments = ("arena", "alarm", "random", "-n", 12, "--workers", 2, "--results", results, "--json")
    first = command(*arguments, "--seed", 5, env={**plugin, "ALARM": str(tmp_path / "bell")})
    assert first.returncode == 130, first.stderr
    assert "Interrupted; the same command continues" in first.stderr
    assert "Traceback" not in first.stderr
    data = json.loads(first.stdout)
    kept = results.read_bytes()
    assert data["interrupted"]
    assert data["games"] == len(lines(results)) < 12

    second = command(*arguments, env=plugin)  # without --seed: the file knows it
    assert second.returncode == 0, second.stderr
    assert json.loads(second.stdout)["games"] == 12
    assert results.read_bytes().startswith(kept)
    assert [line["game"] for line in lines(results)] == list(range(12))

    whole = tmp_path / "whole.jsonl"
    arguments = (*arguments[:-2], whole, "--json")
    assert command(*arguments, "--seed", 5, env=plugin).returncode == 0
    assert lines(whole) == lines(results)


def test_a_worker_that_dies_ends_the_run_with_one_line_and_keeps_its_results(
    tmp_path: Path, plugin: dict[str, str]
) -> None:
    results = tmp_path / "results.jsonl"
    done = command("arena", "crash", "random", "-n", 2, "--workers", 1, "--results", results, env=plugin)
    assert done.returncode == 1
    assert "franchise arena: a worker process died (exit code 7) in game 0" in done.stderr
    assert "Traceback" not in done.stderr
    assert len(results.read_text(encoding="utf-8").splitlines()) == 1
