"""Games and runs for tests, without processes; and the `franchise` command as a process."""

import subprocess
import sys
from typing import Any

from franchise.arena.outcome import Outcome
from franchise.arena.run import Run
from franchise.engine.setups import Options


def random_run(*entrants: str, seed: int = 5, **settings: Any) -> Run:
    """A run whose entrants are all there."""
    return Run(entrants or ("random",) * 3, settings.pop("players", len(entrants) or 3), Options(), seed, **settings)


def outcome(seating: tuple[str, ...], scores: tuple[int, ...], game: int = 0, **changes: Any) -> Outcome:
    """A made-up game with these scores, decided by influence alone."""
    places = tuple(1 + sum(other > own for other in scores) for own in scores)
    values: dict[str, Any] = {
        "game": game,
        "seed": 5 + game,
        "seating": seating,
        "scores": scores,
        "places": places,
        "winners": tuple(seat for seat, place in enumerate(places) if place == 1),
        "turns": 0,
        "moves": 0,
        "forfeits": (),
        "cities": (),
        "regions": (),
        "influence": (),
        "cash": (),
    }
    return Outcome(**(values | changes))


def command(*arguments: object, env: dict[str, str]) -> "subprocess.CompletedProcess[str]":
    """Run `franchise` as the leader of a process group of its own."""
    words = [sys.executable, "-m", "franchise", *map(str, arguments)]
    return subprocess.run(words, env=env, capture_output=True, text=True, start_new_session=True, timeout=300)
