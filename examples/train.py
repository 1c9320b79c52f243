"""Learn Franchise from nothing by playing against oneself, with plain NumPy: TD(lambda) over a batch.

Try it: python examples/train.py --minutes 10 --out runs. A network with one hidden layer estimates every player's
chance to win. Each decision tries all legal moves and takes the one that promises the player most. Minutes are of
processor time. Checkpoints and a line for each in progress.jsonl go into the folder --out; values.npz is the last one,
for examples/evaluate.py.
"""

import argparse
import json
import time
from pathlib import Path

import numpy as np

from franchise.engine.observe import SCALE, SIZE
from franchise.envs.tiers import TIERS

RATE, SLOW_RATE, SLOW_FROM = 1e-3, 3e-4, 0.6  # of learning; the slow one after this share of the time
MINIBATCH = 256
TRACE = 0.8  # lambda: how much the end of a game counts beside what was expected one decision later
NOISE = 0.02  # added to the chances of moves in training, so that games differ


class Values:
    """Observations to chances to win: of the viewer, of the next player clockwise, and so on."""

    def __init__(self, players, hidden=128, seed=0) -> None:
        self.weights = {
            "into": np.random.default_rng(seed).normal(0, SIZE**-0.5, (SIZE, hidden)).astype(np.float32),
            "bias": np.zeros(hidden, np.float32),
            "out": np.zeros((hidden, players), np.float32),
            "last": np.zeros(players, np.float32),
        }
        self.moments = {name: (np.zeros_like(array), np.zeros_like(array)) for name, array in self.weights.items()}
        self.steps = 0

    def forward(self, seen):
        """The hidden layer, and the chances."""
        hidden = np.maximum(seen @ self.weights["into"] + self.weights["bias"], 0)
        logits = hidden @ self.weights["out"] + self.weights["last"]
        chances = np.exp(logits - logits.max(axis=1, keepdims=True))
        return hidden, chances / chances.sum(axis=1, keepdims=True)

    def chances(self, counts):
        return self.forward(counts * SCALE)[1]

    def learn(self, counts, wanted, rate):
        """One step of Adam towards the chances wanted, the gradient of the cross-entropy written out."""
        seen = counts * SCALE
        hidden, chances = self.forward(seen)
        error = (wanted - chances) / len(seen)
        back = (error @ self.weights["out"].T) * (hidden > 0)
        slopes = {"into": seen.T @ back, "bias": back.sum(axis=0), "out": hidden.T @ error, "last": error.sum(axis=0)}
        self.steps += 1
        size = rate * np.sqrt(1 - 0.999**self.steps) / (1 - 0.9**self.steps)
        for name, slope in slopes.items():
            mean, square = self.moments[name]
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope**2 - square)
            self.weights[name] += size * mean / (np.sqrt(square) + 1e-8)

    def save(self, path):
        np.savez_compressed(path, **{name: array.astype(np.float16) for name, array in self.weights.items()})

    @classmethod
    def load(cls, path):
        weights = {name: array.astype(np.float32) for name, array in np.load(path).items()}
        values = cls(len(weights["last"]), len(weights["bias"]))
        values.weights = weights
        return values


class Lookahead:
    """Tries every legal move of many games in a batch of its own."""

    def __init__(self, values, tier, size=4096) -> None:
        self.values = values
        self.trial = tier.batch(size, auto_reset=False, skip_forced=True, threads=1)
        self.into = self.trial.buffers("counts", "seats", "dones", "rewards")

    def choose(self, batch, into, alive, noise=None):
        """The most promising move of each game, and the chances of all seats after it."""
        slots, moves = np.nonzero(into.masks & alive[:, None])
        chances = np.concatenate(
            [
                self.after(batch, slots[start : start + self.trial.n], moves[start : start + self.trial.n])
                for start in range(0, len(slots), self.trial.n)
            ]
        )
        worth = chances[np.arange(len(slots)), into.seats[slots].astype(int)]
        if noise is not None:
            worth = worth + NOISE * noise.gumbel(size=len(worth))
        order = np.lexsort((worth, slots))  # by game, the best move last
        best = order[np.append(np.diff(slots[order]) > 0, True)]
        actions, expected = np.zeros(batch.n, np.int32), np.zeros((batch.n, batch.players), np.float32)
        actions[slots[best]], expected[slots[best]] = moves[best], chances[best]
        return actions, expected

    def after(self, batch, slots, moves):
        """The chances of all seats after a move in each of the slots."""
        rows = np.resize(np.arange(len(slots)), self.trial.n)  # a step plays in all games: repeat some to fill up
        self.trial.restore(batch.snapshot(slots[rows]), range(self.trial.n))
        self.trial.step(moves[rows], self.into)
        seats, over = self.into.seats[: len(slots)], self.into.dones[: len(slots)]
        chances = by_seat(self.values.chances(self.into.counts[: len(slots)]), seats)
        chances[over] = victories(self.into.rewards[: len(slots)][over])
        return chances

    def close(self):
        self.trial.close()


def by_seat(chances, viewers):
    """From "viewer, next player, ..." to "seat 0, seat 1, ..."."""
    return np.take_along_axis(chances, (np.arange(chances.shape[1]) - viewers[:, None]) % chances.shape[1], 1)


def by_viewer(chances, viewers):
    """From "seat 0, seat 1, ..." to "viewer, next player, ..."."""
    return np.take_along_axis(chances, (np.arange(chances.shape[1]) + viewers[:, None]) % chances.shape[1], 1)


def victories(rewards):
    """Shares of the victory by seat: rewards by rank know the rules' tie-break, and a tie beyond it is shared."""
    best = rewards == rewards.max(axis=1, keepdims=True)
    return best / best.sum(axis=1, keepdims=True)


def self_play(batch, lookahead, noise, seed):
    """Whole games: what was seen at each decision, and the chances that it should have promised."""
    into = batch.buffers("counts", "masks", "seats", "dones", "rewards")
    batch.reset(into, seed=seed)
    alive, steps = np.ones(batch.n, bool), []
    worth = np.zeros((batch.n, batch.players), np.float32)
    while alive.any():
        counts, seats = into.counts.copy(), into.seats.astype(int)
        actions, expected = lookahead.choose(batch, into, alive, noise)
        batch.step(actions, into)
        steps.append((alive, counts, seats, expected))
        ended = into.dones & alive
        worth[ended] = victories(into.rewards[ended])
        alive = alive & ~into.dones
    seen, wanted = [], []
    for alive, counts, seats, expected in reversed(steps):
        worth[alive] = TRACE * worth[alive] + (1 - TRACE) * expected[alive]
        seen.append(counts[alive])
        wanted.append(by_viewer(worth, seats)[alive])
    return np.concatenate(seen), np.concatenate(wanted)


def wins_against(lookahead, opponent, tier, games, seed=10**9):
    """Share of the victories against bots of that name, from all seats in turn."""
    batch = tier.batch(games, seed, opponents=opponent, auto_reset=False, skip_forced=True, threads=1)
    into = batch.buffers("masks", "seats", "dones", "rewards")
    batch.reset(into)
    own = into.seats.astype(int)
    won = np.zeros((games, tier.players))
    alive = np.ones(games, bool)
    while alive.any():
        batch.step(lookahead.choose(batch, into, alive)[0], into)
        ended = into.dones & alive
        won[ended] = victories(into.rewards[ended])
        alive &= ~into.dones
    batch.close()
    return float(won[np.arange(games), own].mean())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tier", choices=list(TIERS), default="duel")
    parser.add_argument("--minutes", type=float, default=10, help="of processor time, trials not counted")
    parser.add_argument("--every", type=float, default=2.5, help="minutes between two checkpoints")
    parser.add_argument("--games", type=int, default=256, help="at the same time")
    parser.add_argument("--against", default="newcomer,casual", help="whom checkpoints are tried against")
    parser.add_argument("--tries", type=int, default=400, help="games of each of these trials")
    parser.add_argument("--hidden", type=int, default=128)
    parser.add_argument("--start", type=Path, help="a checkpoint to go on from")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=Path())
    given = parser.parse_args()
    tier = TIERS[given.tier]
    given.out.mkdir(parents=True, exist_ok=True)
    values = Values.load(given.start) if given.start else Values(tier.players, given.hidden, given.seed)
    lookahead = Lookahead(values, tier)
    batch = tier.batch(given.games, auto_reset=False, skip_forced=True, threads=1)
    noise = np.random.default_rng(given.seed)
    minutes, played, checkpoints = 0.0, 0, 0
    while minutes < given.minutes:
        started = time.process_time()
        rate = RATE if minutes < SLOW_FROM * given.minutes else SLOW_RATE
        seen, wanted = self_play(batch, lookahead, noise, given.seed + played)
        for rows in np.array_split(noise.permutation(len(seen)), max(1, len(seen) // MINIBATCH)):
            values.learn(seen[rows], wanted[rows], rate)
        played += batch.n
        minutes += (time.process_time() - started) / 60
        if minutes >= min((checkpoints + 1) * given.every, given.minutes):
            checkpoints += 1
            values.save(given.out / f"values-{checkpoints:03}.npz")
            values.save(given.out / "values.npz")
            row = {"minutes": round(minutes, 2), "games": played}
            for name in given.against.split(","):
                row[name] = round(wins_against(lookahead, name, tier, given.tries), 3)
            with (given.out / "progress.jsonl").open("a", encoding="utf-8") as file:
                file.write(json.dumps(row) + "\n")
            print(row, f"(fair is {1 / tier.players:.3f})", flush=True)
    batch.close()
    lookahead.close()


if __name__ == "__main__":
    main()
