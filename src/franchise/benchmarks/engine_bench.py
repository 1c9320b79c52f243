"""The figures of `franchise bench`: random games, Game.play, the search, start and compile."""

import json
import os
import shlex
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from importlib.resources import files
from importlib.util import find_spec
from typing import Any

Measure = tuple[str, Callable[[float], dict[str, Any]]]  # its name, and how it is measured

FIRST_MOVE = "import franchise; franchise.Game(4).play('start Reno')"
ALL_MODULES = {"milestones": True, "boom": True, "regions": "mixed", "expert": "random"}
MID_GAME = 24  # turn
SEARCHED = 500  # simulations in one search
BATCH = 100  # games in one call of the kernel
ROUNDS = 8  # rounds, in which what is compared is measured in turn


class BesideError(Exception):
    """The program to compare with did not run, or printed something else."""


def measures(compiling: bool, beside: str) -> list[Measure]:
    """What is measured, in this order."""
    chosen: list[Measure] = [
        ("random games", measure_games),
        ("two cores", measure_cores),
        ("one move through Game.play", measure_play),
        ("search", measure_search),
        ("cached start", lambda _: measure_start()),
    ]
    if beside:
        chosen.append((beside, lambda duration: measure_beside(beside, duration)))
    if compiling:
        if find_spec("fastapi") is not None:
            chosen.append(("start of a server", lambda _: measure_server_start()))
        chosen.append(("first compile", lambda _: measure_compile()))
    return chosen


class Runner:
    """Random games of one kind of table, on the kernel alone."""

    def __init__(self, players: int, **options: Any) -> None:
        import numpy as np

        from franchise.engine import layout
        from franchise.engine.setups import Options
        from franchise.game import Game

        # several set-ups, so that no lucky one decides the figure
        self.games = [Game(players, seed, Options(**options)) for seed in range(8 if options else 1)]
        self.rows = np.zeros((BATCH, 3 + layout.SEATS), np.int32)
        self.state = layout.new(layout.STATE)
        self.moves = np.zeros(layout.GAME, np.int32)
        self.out = np.zeros(layout.MOVES, np.int32)
        self.log = layout.new(layout.LOG)
        self.number = 0

    def batch(self) -> int:
        """Play BATCH games; returns how many moves they had."""
        from franchise.engine.playout import random_games

        game = self.games[self.number // BATCH % len(self.games)]
        random_games(game.rules, game.state, self.number, self.rows, self.state, self.moves, self.out, self.log)
        self.number += BATCH
        return int(self.rows[:, 0].sum())

    def speed(self, seconds: float) -> tuple[float, float]:
        """Games and moves a second."""
        games = moves = 0
        started = time.perf_counter()
        while (passed := time.perf_counter() - started) < seconds or not games:
            moves += self.batch()
            games += BATCH
        return games / passed, moves / passed


def measure_games(seconds: float) -> dict[str, Any]:
    """Random games on one core: base game and all modules in turn, so that both see the same machine.

    Games with all modules have more moves, so the ratios of games and of moves are reported separately.
    """
    figures: dict[str, dict[str, float]] = {}
    for players in (2, 3, 4, 5):
        plain, full = Runner(players), Runner(players, **ALL_MODULES)
        plain.batch(), full.batch()
        rounds = [(plain.speed(seconds / ROUNDS), full.speed(seconds / ROUNDS)) for _ in range(ROUNDS)]
        for unit, games, modules in (
            ("games", [base[0] for base, _ in rounds], [other[0] for _, other in rounds]),
            ("moves", [base[1] for base, _ in rounds], [other[1] for _, other in rounds]),
        ):
            factor = statistics.median(mine / base for mine, base in zip(modules, games, strict=True))
            for name, figure in (
                (f"random_{unit}_per_s", round(statistics.median(games))),
                (f"random_{unit}_per_s_all_modules", round(statistics.median(modules))),
                (f"all_modules_{unit}_factor", round(factor, 3)),
            ):
                figures.setdefault(name, {})[str(players)] = figure
    from franchise.engine.layout import STATE

    return figures | {"state_bytes": STATE.itemsize}


def measure_cores(seconds: float) -> dict[str, Any]:
    """Two threads against one: kernels release the interpreter lock."""
    runners = [Runner(4), Runner(4)]
    for runner in runners:
        runner.batch()
    factors = []
    with ThreadPoolExecutor(2) as pool:
        for _ in range(4):
            alone = runners[0].speed(seconds / 4)[0]
            together = sum(speed for speed, _ in pool.map(lambda runner: runner.speed(seconds / 4), runners))
            factors.append(together / alone)
    return {"two_core_factor": round(statistics.median(factors), 3), "cores": os.cpu_count()}


def measure_play(seconds: float) -> dict[str, Any]:
    """Game.play of one Action: validated, with its events."""
    from franchise.engine.warmup import compile_all
    from franchise.game import Game

    compile_all()  # or loads: the first moves of a process are plain Python
    runner = Runner(4)
    spent = 0.0
    count = 0
    while spent < seconds / 2 or not count:
        runner.batch()
        moves = runner.moves[: runner.rows[-1, 0]].tolist()
        game = Game(4)
        started = time.perf_counter()
        for move in moves:
            game.play(move)
        spent += time.perf_counter() - started
        count += len(moves)
    return {"play_us": round(spent / count * 1e6, 2)}


def measure_search(seconds: float) -> dict[str, Any]:
    """Simulations of the expert in a mid-game position of four, on one core."""
    from franchise.bots import make
    from franchise.bots.network import trained
    from franchise.bots.search import Tree
    from franchise.game import Game

    game = Game(4)
    casual = make("casual", seed=1)
    while game.turn < MID_GAME:
        game.play(casual.choose(game))
    tree = Tree(game.rules, SEARCHED, trained(game.players))
    speeds: list[float] = []
    started = time.perf_counter()
    while not speeds or time.perf_counter() - started < seconds:
        tree.start(game.rules, game.state, len(speeds))
        before = time.perf_counter()
        speeds.append(tree.simulate(SEARCHED) / (time.perf_counter() - before))
    return {"search_simulations_per_s": round(statistics.median(speeds))}


def measure_start() -> dict[str, Any]:
    """From the start of the interpreter to the first move, kernels cached."""
    return {"cached_start_s": round(statistics.median(run_python("-c", FIRST_MOVE) for _ in range(3)), 3)}


def measure_server_start() -> dict[str, Any]:
    """From the start of a server over a new SQLite file to its first page, kernels cached."""
    import asyncio

    from franchise.benchmarks import service_bench

    figure = asyncio.run(service_bench.measure_start(lambda _: None))
    return {"server_start_s": figure.values["median"]}


def measure_compile() -> dict[str, Any]:
    """With an empty cache: to the first move, until bots can play, and until every kernel is compiled."""
    with tempfile.TemporaryDirectory() as folder:
        empty = {"FRANCHISE_CACHE_DIR": folder}
        move = run_python("-c", FIRST_MOVE, **empty)
        from franchise.bots.preparation import SEARCH_READY

        started = time.perf_counter()
        command = [sys.executable, "-m", "franchise.bots", "--progress"]
        with subprocess.Popen(command, env=os.environ | empty, stdout=subprocess.PIPE, text=True) as compiling:
            assert compiling.stdout is not None
            while compiling.stdout.readline().strip() not in (SEARCH_READY, ""):
                pass
            bots = time.perf_counter() - started
        everything = time.perf_counter() - started
    return {
        "uncached_start_s": round(move, 3),
        "first_compile_bots_s": round(bots, 1),
        "first_compile_s": round(everything, 1),
    }


def run_python(*arguments: str, **environment: str) -> float:
    """Seconds that a new interpreter takes."""
    started = time.perf_counter()
    subprocess.run([sys.executable, *arguments], env=os.environ | environment, check=True, capture_output=True)
    return time.perf_counter() - started


def measure_beside(program: str, seconds: float) -> dict[str, Any]:
    """Another program's games a second by the number of players, run in turn with ours."""
    speeds, factors = {}, {}
    for players in (2, 3, 4, 5):
        runner = Runner(players)
        runner.batch()
        pairs = [
            (runner.speed(seconds / ROUNDS)[0], speed_of(program, players, seconds / ROUNDS)) for _ in range(ROUNDS)
        ]
        speeds[str(players)] = round(statistics.median(theirs for _, theirs in pairs))
        factors[str(players)] = round(statistics.median(ours / theirs for ours, theirs in pairs), 3)
    return {"beside_games_per_s": speeds, "beside_factor": factors}


def speed_of(program: str, players: int, seconds: float) -> float:
    """What a program called with a number of players and of seconds prints as its games a second."""
    command = [*shlex.split(program), str(players), str(seconds)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=600)
        answer = json.loads(done.stdout)
        if answer["players"] != players:
            raise ValueError(f"it played with {answer['players']} players, not {players}")
        return float(answer["games_per_s"])
    except (OSError, subprocess.SubprocessError, ValueError, KeyError, TypeError) as error:
        raise BesideError(f"--beside {program}: {error}") from None


def last_release() -> tuple[str, dict[str, Any]]:
    """The version of the last release, and its figures as `bench --json` gave them."""
    release = json.loads(files("franchise.benchmarks").joinpath("last_release.json").read_text("utf-8"))
    return release["version"], release["figures"]
