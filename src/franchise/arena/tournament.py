"""Plays a run: missing games are played, stored and counted."""

from collections.abc import Callable
from contextlib import closing

from franchise.arena.executors import Executor
from franchise.arena.progress import Display
from franchise.arena.results import Results
from franchise.arena.run import Run
from franchise.bots.preparation import ready
from franchise.bots.registry import BUILT_IN, find, make
from franchise.engine import warmup
from franchise.game import Game


def prepare(run: Run) -> None:
    """Refuse what cannot be played (SetupError, BotError) before any work is done.

    Compiles the kernels here, so that the workers find them in the cache.
    """
    Game(run.players, run.seed, run.options)
    entrants = [*run.names, *filter(None, [run.stand_in])]
    for name in entrants:
        find(name)
    make("random", seconds=run.seconds, simulations=run.simulations)
    warmup.ready()
    if set(entrants) & BUILT_IN.keys() - {"random"}:
        ready()


def play(
    run: Run, games: int, executor: Executor, results: Results, display: Display, stop: Callable[[], bool]
) -> None:
    """Play the games missing from the results; the display counts every finished game, earlier ones first."""
    for outcome in results.resume(games):
        display.count(outcome)
    display.begin()
    missing = [game for game in range(games) if game not in results.done]
    with closing(executor.play(run, missing, stop)) as played:
        for outcome in played:
            results.add(outcome)
            display.count(outcome)
