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
from typing import Any

Measure = tuple[str, Callable[[float], dict[str, Any]]]  # what it is called, and how it is taken

FIRST_MOVE = "import franchise; franchise.Game(4).play('start Reno')"
ALL_MODULES = {"milestones": True, "boom": True, "regions": "mixed", "expert": "random"}
MID_GAME = 24  # turn
SEARCHED = 500  # simulations in one search
BATCH = 100  # games in one call of the kernel


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
    """Random games on one core: base game and all modules in turn, so that both see the same machine."""
    base, modules, moves = {}, {}, {}
    for players in (2, 3, 4, 5):
        plain, full = Runner(players), Runner(players, **ALL_MODULES)
        plain.batch(), full.batch()
        halves = [(plain.speed(seconds / 4), full.speed(seconds / 4)) for _ in range(4)]
        base[str(players)] = round(statistics.median(half[0][0] for half in halves))
        moves[str(players)] = round(statistics.median(half[0][1] for half in halves))
        modules[str(players)] = round(statistics.median(half[1][0] for half in halves))
    from franchise.engine.layout import STATE

    return {
        "random_games_per_s": base,
        "random_games_per_s_all_modules": modules,
        "random_moves_per_s": moves,
        "all_modules_factor": {players: round(modules[players] / base[players], 3) for players in base},
        "state_bytes": STATE.itemsize,
    }


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
        tree.plant(game.rules, game.state, len(speeds))
        before = time.perf_counter()
        speeds.append(tree.grow(SEARCHED) / (time.perf_counter() - before))
    return {"search_simulations_per_s": round(statistics.median(speeds))}


def measure_start() -> dict[str, Any]:
    """From the start of the interpreter to the first move, kernels cached."""
    return {"cached_start_s": round(statistics.median(run_python("-c", FIRST_MOVE) for _ in range(3)), 3)}


def measure_compile() -> dict[str, Any]:
    """With an empty cache: to the first move, to when bots can play, and to when every kernel is compiled."""
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


def measure_beside(command: str, seconds: float) -> dict[str, Any]:
    """Another program's games a second, run in turn with ours."""
    ours, theirs = [], []
    runner = Runner(4)
    for _ in range(4):
        ours.append(runner.speed(seconds / 2)[0])
        try:
            done = subprocess.run(shlex.split(command), capture_output=True, text=True, check=True, timeout=600)
            theirs.append(float(json.loads(done.stdout)["games_per_s"]))
        except (OSError, subprocess.SubprocessError, ValueError, KeyError) as error:
            raise BesideError(f"--beside {command}: {error}") from None
    factor = statistics.median(mine / other for mine, other in zip(ours, theirs, strict=True))
    return {"beside_games_per_s": round(statistics.median(theirs)), "beside_factor": round(factor, 3)}
