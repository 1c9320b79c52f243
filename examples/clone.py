"""Imitate a bot with plain NumPy: a policy with one hidden layer learns what `casual` does in games against itself.

Try it: python examples/clone.py --games 2000, then python examples/to_onnx.py policy.npz policy.onnx and
franchise ladder policy.onnx --tier duel.
"""

import argparse

import numpy as np

from franchise import bots
from franchise.engine.observe import SCALE, SIZE
from franchise.envs.spaces import action_mask, counts
from franchise.envs.tiers import TIERS

RATE, MINIBATCH = 1e-3, 512


class Policy:
    """Observations to the chances of legal actions."""

    def __init__(self, actions, hidden=128, seed=0) -> None:
        chance = np.random.default_rng(seed)
        self.weights = {
            "into": chance.normal(0, SIZE**-0.5, (SIZE, hidden)).astype(np.float32),
            "bias": np.zeros(hidden, np.float32),
            "act": chance.normal(0, 0.1 * hidden**-0.5, (hidden, actions)).astype(np.float32),
        }
        self.moments = {name: (np.zeros_like(array), np.zeros_like(array)) for name, array in self.weights.items()}
        self.steps = 0

    def forward(self, seen, masks):
        """The hidden layer, and the chances."""
        hidden = np.tanh(seen @ self.weights["into"] + self.weights["bias"])
        logits = np.where(masks, hidden @ self.weights["act"], -1e9)
        chances = np.exp(logits - logits.max(axis=1, keepdims=True))
        return hidden, chances / chances.sum(axis=1, keepdims=True)

    def best(self, counts, masks):
        """The likeliest action for each row."""
        return np.argmax(self.forward(counts * SCALE, masks)[1], axis=1)

    def imitate(self, counts, masks, actions):
        """One step of Adam towards what the teacher did; returns how often the two agreed."""
        seen = counts * SCALE
        hidden, chances = self.forward(seen, masks)
        error = -chances
        error[np.arange(len(actions)), actions] += 1
        back = (error @ self.weights["act"].T) * (1 - hidden**2)
        slopes = {"into": seen.T @ back, "bias": back.sum(axis=0), "act": hidden.T @ error}
        self.steps += 1
        size = RATE * np.sqrt(1 - 0.999**self.steps) / (1 - 0.9**self.steps)
        for name, slope in slopes.items():
            mean, square = self.moments[name]
            slope /= len(actions)
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope**2 - square)
            self.weights[name] += size * mean / (np.sqrt(square) + 1e-8)
        return float((chances.argmax(axis=1) == actions).mean())


def watch(teacher, tier, games, seed):
    """Games of a bot against itself: what was seen, legal and done, a row for each decision that was one."""
    seen, masks, actions = [], [], []
    for number in range(seed, seed + games):
        game = tier.game(number)
        seats = [bots.make(teacher, seed=tier.players * number + seat) for seat in range(tier.players)]
        while not game.over:
            action = seats[game.current_player].choose(game).id
            mask = action_mask(game, tier.actions)
            if mask.sum() > 1:
                seen.append(counts(game, game.current_player))
                masks.append(np.packbits(mask))
                actions.append(action)
            game.advance(action)
    return np.array(seen), np.array(masks), np.array(actions)


def wins_against(policy, opponent, tier, games, seed=10**9):
    """Share of the victories against bots of that name, from all seats in turn; ties as in the rules."""
    batch = tier.batch(games, seed, opponents=opponent, auto_reset=False, skip_forced=True)
    into = batch.buffers("counts", "masks", "seats", "dones", "rewards")
    batch.reset(into)
    own = into.seats.astype(int)
    final = np.zeros((games, tier.players), np.float32)
    alive = np.ones(games, bool)
    while alive.any():
        actions = np.zeros(games, np.int32)
        actions[alive] = policy.best(into.counts[alive], into.masks[alive])
        batch.step(actions, into)
        final[into.dones & alive] = into.rewards[into.dones & alive]
        alive &= ~into.dones
    batch.close()
    best = final == final.max(axis=1, keepdims=True)
    return float((best[np.arange(games), own] / best.sum(axis=1)).mean())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tier", choices=list(TIERS), default="duel")
    parser.add_argument("--teacher", default="casual")
    parser.add_argument("--games", type=int, default=2000, help="of the teacher")
    parser.add_argument("--passes", type=int, default=6, help="through these games")
    parser.add_argument("--against", default="random,newcomer,casual", help="whom the policy is tried against")
    parser.add_argument("--tries", type=int, default=400, help="games of each of these trials")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--file", default="policy.npz")
    given = parser.parse_args()
    tier = TIERS[given.tier]
    policy = Policy(tier.actions, seed=given.seed)
    seen, masks, actions = watch(given.teacher, tier, given.games, given.seed)
    chance = np.random.default_rng(given.seed)
    for number in range(1, given.passes + 1):
        agreed = []
        for rows in np.array_split(chance.permutation(len(actions)), max(1, len(actions) // MINIBATCH)):
            mask = np.unpackbits(masks[rows], axis=1, count=tier.actions).astype(bool)
            agreed.append(policy.imitate(seen[rows], mask, actions[rows]))
        print(f"pass {number}: agrees in {np.mean(agreed):.1%} of {len(actions):,} decisions", flush=True)
    np.savez_compressed(given.file, **{name: array.astype(np.float16) for name, array in policy.weights.items()})
    for name in given.against.split(","):
        share = wins_against(policy, name, tier, given.tries)
        print(f"wins {share:.1%} of {given.tries} games against {name}, fair is {1 / tier.players:.1%}")


if __name__ == "__main__":
    main()
