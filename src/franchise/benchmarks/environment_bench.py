"""The figures of franchise bench --envs: batches, and the environments beside other games in the same loops."""

import os
import random
import statistics
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from franchise.engine.jit import compiling

if TYPE_CHECKING:
    from franchise.benchmarks.engine_bench import Measure

GAMES = 4096  # in a batch
ROUNDS = 8  # rounds, in which figures are measured in turn; the best and the median are reported
STEPS = 50  # between two readings of the clock


def measures() -> "list[Measure]":
    """What can be measured with the libraries that are installed."""
    measures: list[Measure] = [("batches", measure_batch)]
    if find_spec("pettingzoo"):
        measures.append(("PettingZoo", measure_pettingzoo))
    if find_spec("pyspiel"):
        measures.append(("OpenSpiel", measure_openspiel))
    return measures


def speeds(
    loops: dict[str, Callable[[], int]], seconds: float, clock: Callable[[], float] = time.perf_counter
) -> dict[str, list[float]]:
    """Steps a second of each loop by a clock, measured in turn so that all see the same machine."""
    with compiling():
        for loop in loops.values():
            loop()
    rounds_of: dict[str, list[float]] = {name: [] for name in loops}
    for _ in range(ROUNDS):
        for name, loop in loops.items():
            steps = 0
            started = clock()
            while (passed := clock() - started) < seconds / ROUNDS or not steps:
                steps += loop()
            rounds_of[name].append(steps / passed)
    return rounds_of


def best_and_median(rounds_of: dict[str, list[float]]) -> tuple[dict[str, int], dict[str, int]]:
    """The best and the median round of each loop."""
    best = {name: round(max(rounds)) for name, rounds in rounds_of.items()}
    return best, {name: round(statistics.median(rounds)) for name, rounds in rounds_of.items()}


def factor(rounds_of: dict[str, list[float]], mine: str, other: str) -> float:
    """How many times faster one loop is than the other, in the median round."""
    return round(statistics.median(a / b for a, b in zip(rounds_of[mine], rounds_of[other], strict=True)), 2)


# --- batches ----------------------------------------------------------------------------------------------------------


def measure_batch(seconds: float) -> dict[str, Any]:
    """Random moves of four players: choosing, checking, playing, masks, rewards, and observations in several forms."""
    from franchise.engine.setups import Options
    from franchise.envs import Batch

    cores = os.cpu_count() or 1
    answers = ("masks", "rewards", "dones", "seats")
    modules = Options(milestones=True, boom=True, regions="mixed", expert="random")
    batch, alone, full = Batch(GAMES), Batch(GAMES, threads=1), Batch(GAMES, options=modules)
    loops = {
        f"uint8 vectors, {cores} cores": stepping(batch, (*answers, "counts")),
        "uint8 vectors, 1 core": stepping(alone, (*answers, "counts")),
        f"float32 vectors, {cores} cores": stepping(batch, (*answers, "observations")),
        f"masks only, {cores} cores": stepping(batch, answers),
        f"all modules, uint8 vectors, {cores} cores": stepping(full, (*answers, "counts")),
    }
    best, median = best_and_median(speeds(loops, seconds))
    _, worked = best_and_median(speeds(loops, seconds, time.process_time))
    for used in (batch, alone, full):
        used.close()
    return {
        "batch_games": GAMES,
        "batch_moves_per_s_best": best,
        "batch_moves_per_s_median": median,
        "batch_moves_per_processor_s_median": worked,
    }


def stepping(batch: Any, names: tuple[str, ...]) -> Callable[[], int]:
    """Some random steps of a batch into buffers of its own."""
    into = batch.buffers(*names)
    batch.reset(into)

    def loop() -> int:
        for _ in range(STEPS):
            batch.step(batch.random_actions(), into)
        return STEPS * int(batch.n)

    return loop


# --- PettingZoo -------------------------------------------------------------------------------------------------------


def measure_pettingzoo(seconds: float) -> dict[str, Any]:
    """The same loop over agents with masked random actions, for Franchise and PettingZoo's own classics."""
    from franchise.envs import franchise_v2

    loops = {"franchise": cycling(franchise_v2.env(players=4))}
    if find_spec("pygame"):
        from pettingzoo.classic.connect_four import connect_four

        loops["connect_four"] = cycling(connect_four.env())
        if find_spec("chess"):
            from pettingzoo.classic.chess import chess

            loops["chess"] = cycling(chess.env())
    rounds_of = speeds(loops, seconds)
    best, median = best_and_median(rounds_of)
    factors = {name: factor(rounds_of, "franchise", name) for name in loops if name != "franchise"}
    return {
        "pettingzoo_steps_per_s_best": best,
        "pettingzoo_steps_per_s_median": median,
        "pettingzoo_franchise_times_as_fast_as": factors,
    }


def cycling(env: Any) -> Callable[[], int]:
    """Some steps of an AEC environment, game after game."""
    import numpy as np

    chance = random.Random(1)

    def steps() -> Iterator[None]:
        while True:
            env.reset(seed=1)
            for _ in env.agent_iter():
                seen, _, terminated, truncated, _ = env.last()
                if terminated or truncated:
                    env.step(None)
                else:
                    env.step(chance.choice(np.flatnonzero(seen["action_mask"]).tolist()))
                    yield

    return counted(steps())


def counted(steps: Iterator[None]) -> Callable[[], int]:
    """A loop that continues where it stopped."""

    def loop() -> int:
        for _ in range(STEPS):
            next(steps)
        return STEPS

    return loop


# --- OpenSpiel --------------------------------------------------------------------------------------------------------


def measure_openspiel(seconds: float) -> dict[str, Any]:
    """Random play from Python through OpenSpiel, and the same moves of Game without it."""
    import pyspiel

    import franchise.envs.openspiel  # noqa: F401 - registers the game

    loops = {
        "franchise": counted(spiel_steps(pyspiel.load_game("python_franchise(players=4)"))),
        "Game alone": counted(game_steps()),
        "chess (C++)": counted(spiel_steps(pyspiel.load_game("chess"))),
        "connect_four (C++)": counted(spiel_steps(pyspiel.load_game("connect_four"))),
    }
    rounds_of = speeds(loops, seconds)
    best, median = best_and_median(rounds_of)
    wrapped, bare = statistics.median(rounds_of["franchise"]), statistics.median(rounds_of["Game alone"])
    return {
        "openspiel_steps_per_s_best": best,
        "openspiel_steps_per_s_median": median,
        "openspiel_overhead_us": round(1e6 / wrapped - 1e6 / bare, 2),
        "openspiel_overhead_factor": factor(rounds_of, "Game alone", "franchise"),
    }


def spiel_steps(game: Any) -> Iterator[None]:
    chance = random.Random(1)
    while True:
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(chance.choice(state.legal_actions()))
            yield


def game_steps() -> Iterator[None]:
    from franchise.game import Game

    chance = random.Random(1)
    while True:
        game = Game(4, 0)
        while not game.over:
            game.play(chance.choice(game.legal_numbers()))
            yield
