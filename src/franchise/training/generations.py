"""Generations: games by the previous network, a new network from the games, a match against the previous one; repeat.

Everything is kept in a folder, with files written atomically, so that a stopped run can be resumed:

    run.json                    the settings
    start.npz                   a network to start from, if one was given; all others are trained from it
    generation-00/              games by it, else by the linear evaluation; generation n plays with the network of n - 1
        games-00000.npz         a batch of games
        network.npz             what was learned from this and the generations before
        figures.json            how well it predicts and plays
"""

import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from franchise.arena.intervals import share
from franchise.bots.network import Weights, load, no_weights
from franchise.engine.setups import PLAYERS
from franchise.training.games import Mixture, PlayedGames, load_games, play_games
from franchise.training.network_match import Pairing, play_pairing
from franchise.training.positions import Positions, read

BATCH = 50  # games per file
MATCH_SIMULATIONS = 60
START = "start.npz"


class Pool(Protocol):
    """Where games are played: returns the results of a function in any order, and stops on request."""

    def answers(self, function: Callable[[Any], Any], tasks: Sequence[Any]) -> Iterator[tuple[Any, Any]]: ...


@dataclass(frozen=True)
class TrainingSettings:
    """What a run does in each generation."""

    seed: int
    games: int
    match: int  # games against the last network for each number of players
    mixture: Mixture = field(default_factory=Mixture)
    first: int = 64  # units of the hidden layers
    second: int = 32
    epochs: int = 4


class TrainingError(Exception):
    """A run that cannot start or continue; the message says what to do."""


class Stopped(Exception):  # noqa: N818 - an order, not an error
    """The run was stopped; finished work is in its folder."""


class Training:
    """A run in its folder."""

    def __init__(
        self, folder: Path, settings: TrainingSettings, pool: Pool, say: Callable[[str], None], stop: Callable[[], bool]
    ) -> None:
        self.folder = folder
        self.settings = settings
        self.pool = pool
        self.say = say
        self.stop = stop

    def run(self, generations: int) -> list[dict[str, Any]]:
        """Run every missing generation up to that number; returns the figures of all."""
        for number in range(generations):
            if not (self.place(number) / "figures.json").exists():
                self.generation(number)
        return figures(self.folder)

    def place(self, number: int) -> Path:
        return self.folder / f"generation-{number:02}"

    def network(self, number: int) -> Path | None:
        """The network of a generation, or the one the run began with; None stands for the linear evaluation."""
        if number >= 0:
            return self.place(number) / "network.npz"
        return self.start if self.start.exists() else None

    @property
    def start(self) -> Path:
        return self.folder / START

    def generation(self, number: int) -> None:
        """Play, learn, match."""
        place = self.place(number)
        place.mkdir(parents=True, exist_ok=True)
        started = time.monotonic()
        self.play(number)
        path = place / "network.npz"
        learned: dict[str, Any] = {}
        if not path.exists() or not (place / "fit.json").exists():
            learned = self.learn(number, path)
            write_json(place / "fit.json", learned)
        learned = json.loads((place / "fit.json").read_text())
        for players, held_out in learned["held_out"].items():
            losses = ", ".join(f"{name} {value}" for name, value in held_out.items() if isinstance(value, int | float))
            self.say(f"generation {number}, {players} players, held-out games: {losses}")
        matches = self.matches(number)
        self.say(f"generation {number} against the one before: {matches}")
        minutes = round((time.monotonic() - started) / 60, 1)
        write_json(place / "figures.json", {"generation": number, **learned, "matches": matches, "minutes": minutes})

    def play(self, number: int) -> None:
        """Play the missing games of the generation."""
        place, last = self.place(number), self.network(number - 1)
        batches = range(-(-self.settings.games // BATCH))
        missing = [batch for batch in batches if not (place / f"games-{batch:05}.npz").exists()]
        task = partial(play_batch, last, self.settings.mixture, self.settings.seed * 1000 + number, self.settings.games)
        done = len(batches) - len(missing)
        for batch, games in self.pool.answers(task, missing):
            games.save(place / f"games-{batch:05}.npz")
            done += 1
            self.say(f"generation {number}: {min(done * BATCH, self.settings.games)} of {self.settings.games} games")
            self.check()

    def learn(self, number: int, path: Path) -> dict[str, Any]:
        """Fit a network to the games of this and all earlier generations."""
        from franchise.training.fit import fit

        data = positions(self.folder, number)
        made = fit(
            data,
            first=self.settings.first,
            second=self.settings.second,
            epochs=self.settings.epochs,
            seed=self.settings.seed + number,
            say=self.noted,
            start=load(self.start) if self.start.exists() else None,
        )
        save(made.weights, path)
        games = {players: int(part.game.max()) + 1 for players, part in data.items()}
        return {"games": games, "losses": made.losses, "held_out": made.held_out, "start": made.start}

    def noted(self, text: str) -> None:
        self.say(text)
        self.check()

    def matches(self, number: int) -> dict[str, Any]:
        """Matches of the new network in one seat against the previous one in all others, with 95% intervals."""
        shares_of: dict[str, Any] = {}
        for players in PLAYERS if self.settings.match else ():
            tasks = [
                Pairing(self.network(number), self.network(number - 1), players, 0, MATCH_SIMULATIONS, number, game)
                for game in range(self.settings.match)
            ]
            shares = []
            for _, won in self.pool.answers(play_pairing, tasks):
                shares.append(won)
                self.check()
            shares_of[str(players)] = share(sum(shares), len(shares)).data(4)
        return shares_of

    def check(self) -> None:
        if self.stop():
            raise Stopped


def play_batch(last: Path | None, mixture: Mixture, seed: int, games: int, batch: int) -> PlayedGames:
    """Write a file of games; a module-level function so that another process can run it."""
    weights = no_weights() if last is None else load(last)
    return play_games(weights, mixture, seed, range(batch * BATCH, min((batch + 1) * BATCH, games)))


def positions(folder: Path, number: int) -> dict[int, Positions]:
    """The positions of the games up to a generation, by number of players."""
    paths = [path for path in sorted(folder.glob("generation-*/games-*.npz")) if generation_of(path) <= number]
    files = [load_games(path) for path in paths]
    there = sorted({int(players) for games in files for players in games.players})
    if not there:
        raise TrainingError(f"{folder} has no games to learn from")
    return {players: read(files, players) for players in there}


def generation_of(path: Path) -> int:
    return int(path.parent.name.removeprefix("generation-"))


def figures(folder: Path) -> list[dict[str, Any]]:
    """The figures of all generations that are finished."""
    return [json.loads(path.read_text()) for path in sorted(folder.glob("generation-*/figures.json"))]


def save(weights: Weights, path: Path) -> None:
    part = path.with_suffix(".part")
    with part.open("wb") as file:
        np.savez(file, **weights._asdict())
    part.replace(path)


def write_json(path: Path, data: Any) -> None:
    part = path.with_suffix(".part")
    part.write_text(json.dumps(data, indent=1) + "\n")
    part.replace(path)


def begin(folder: Path, settings: TrainingSettings, resume: bool, start: Path | None = None) -> TrainingSettings:
    """The settings of the run in a folder: new ones, or with `resume` the original ones.

    `start` is a network to begin with; it sets the size of the others.
    """
    path = folder / "run.json"
    if path.exists():
        if not resume:
            raise TrainingError(f"{folder} already holds a run: continue it with --resume, or choose another folder")
        stored = json.loads(path.read_text())
        mixture = {name: tuple(values) for name, values in stored.pop("mixture").items()}
        return TrainingSettings(**stored, mixture=Mixture(**mixture))
    if resume:
        raise TrainingError(f"there is no run in {folder} to resume")
    folder.mkdir(parents=True, exist_ok=True)
    if start is not None:
        first = load_start(start)
        settings = replace(settings, first=first.own.shape[0], second=first.own.shape[1])
        save(first, folder / START)
    write_json(path, asdict(settings))
    return settings


def load_start(path: Path) -> Weights:
    """The network of a file."""
    try:
        return load(path)
    except (OSError, ValueError, KeyError) as error:
        raise TrainingError(f"{path} does not hold a network to start from: {error}") from None
