"""Learn Franchise with plain NumPy: imitate `casual`, then improve against bots inside a batch as masked PPO does.

Try it: python examples/train.py --clone 2000 --rounds 100. The policy is one hidden layer. Checkpoints and a line for
each in progress.jsonl go into the folder --out; policy.npz is the last one, for examples/evaluate.py. With --clone 0 it
begins from nothing.
"""

import argparse
import json
import time
from pathlib import Path

import numpy as np

import franchise as fr
from franchise.engine.observe import SCALE, SIZE
from franchise.envs import Batch
from franchise.envs.spaces import action_count, action_mask, counts, options_of

SHAPING = 0.02  # reward for a point of influence when it is gained, beside that for the final rank
CLIP, ENTROPY, VALUE, CLONE_RATE, PPO_RATE = 0.2, 0.01, 0.5, 1e-3, 3e-4
EPOCHS, MINIBATCH = 2, 2048


class Policy:
    """Observations to chances of legal actions and an expected reward."""

    def __init__(self, actions: int, hidden: int = 128, seed: int = 0) -> None:
        chance = np.random.default_rng(seed)
        shapes = {"into": (SIZE, hidden), "bias": (hidden,), "act": (hidden, actions), "worth": (hidden, 1)}
        self.weights = {
            name: (chance.normal(0, 1 / np.sqrt(shape[0]), shape) if len(shape) > 1 else np.zeros(shape)).astype("f4")
            for name, shape in shapes.items()
        }
        self.weights["act"] *= 0.1
        self.moments = {name: (np.zeros_like(array), np.zeros_like(array)) for name, array in self.weights.items()}
        self.steps = 0
        self.rate = PPO_RATE

    def forward(self, counts, masks):
        """Hidden layer, logarithms of the chances, expected rewards."""
        hidden = np.tanh((counts * SCALE) @ self.weights["into"] + self.weights["bias"])
        logits = np.where(masks, hidden @ self.weights["act"], -1e9)
        logits -= logits.max(axis=1, keepdims=True)
        logits -= np.log(np.exp(logits).sum(axis=1, keepdims=True))
        return hidden, logits, (hidden @ self.weights["worth"])[:, 0]

    def act(self, counts, masks, chance):
        """An action for each row, drawn by its chance, and the logarithm of that."""
        _, logits, _ = self.forward(counts, masks)
        actions = np.argmax(logits + chance.gumbel(size=logits.shape), axis=1).astype(np.int32)
        return actions, logits[np.arange(len(actions)), actions]

    def best(self, counts, masks):
        """The likeliest action for each row."""
        return np.argmax(self.forward(counts, masks)[1], axis=1)

    def learn(self, counts, masks, actions, before, rewards):
        """One step of PPO's clipped objective, the gradient written out."""
        rows = np.arange(len(actions))
        hidden, logits, worth = self.forward(counts, masks)
        chances = np.exp(logits)
        gain = rewards - worth
        gain = (gain - gain.mean()) / (gain.std() + 1e-6)
        ratio = np.exp(logits[rows, actions] - before)
        active = np.where(gain > 0, ratio < 1 + CLIP, ratio > 1 - CLIP)
        entropy = -(chances * np.where(masks, logits, 0)).sum(axis=1, keepdims=True)
        push = (active * ratio * gain)[:, None] * -chances
        push[rows, actions] += active * ratio * gain
        push -= ENTROPY * chances * (np.where(masks, logits, 0) + entropy)
        self.climb(counts, hidden, push, VALUE * (rewards - worth)[:, None])

    def imitate(self, counts, masks, actions, rewards):
        """One step towards what a teacher did and what that earned; returns how often the two agreed."""
        rows = np.arange(len(actions))
        hidden, logits, worth = self.forward(counts, masks)
        push = -np.exp(logits)
        push[rows, actions] += 1
        self.climb(counts, hidden, push, VALUE * (rewards - worth)[:, None])
        return float((logits.argmax(axis=1) == actions).mean())

    def climb(self, counts, hidden, push, error):
        """Adam, uphill along the slopes of the logits and of the expected rewards."""
        back = (push @ self.weights["act"].T + error @ self.weights["worth"].T) * (1 - hidden**2)
        slopes = {
            "into": (counts * SCALE).T @ back,
            "bias": back.sum(axis=0),
            "act": hidden.T @ push,
            "worth": hidden.T @ error,
        }
        self.steps += 1
        for name, slope in slopes.items():
            mean, square = self.moments[name]
            slope /= len(counts)
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope**2 - square)
            size = self.rate * np.sqrt(1 - 0.999**self.steps) / (1 - 0.9**self.steps)
            self.weights[name] += size * mean / (np.sqrt(square) + 1e-8)

    def save(self, path):
        np.savez(path, **self.weights)

    @classmethod
    def load(cls, path):
        weights = dict(np.load(path))
        policy = cls(weights["act"].shape[1], weights["act"].shape[0])
        policy.weights = weights
        return policy


def watch(teacher, games, players, options, seed):
    """Games of a bot against itself: what was seen, done and earned, a row for each decision that was one."""
    seen, masks, actions, rewards = [], [], [], []
    for number in range(seed, seed + games):
        game = fr.Game(players, number, options)
        bots = [fr.bots.make(teacher, seed=players * number + seat) for seat in range(players)]
        movers = []
        while not game.over:
            seat = game.current_player
            action = bots[seat].choose(game).id
            mask = action_mask(game, action_count(options))
            if mask.sum() > 1:
                seen.append(counts(game, seat))
                masks.append(np.packbits(mask))
                actions.append(action)
                movers.append(seat)
            game.advance(action)
        places = np.array(game.places())
        rewards += (1 - 2 * (places[movers] - 1) / (players - 1)).tolist()
    return np.array(seen), np.array(masks), np.array(actions), np.array(rewards, np.float32)


def clone(policy, data, passes, chance):
    """Imitate the teacher; returns how often the policy agreed with it in the last pass."""
    seen, masks, actions, rewards = data
    policy.rate = CLONE_RATE
    for _ in range(passes):
        agreed = []
        for rows in np.array_split(chance.permutation(len(actions)), max(1, len(actions) // (MINIBATCH // 4))):
            mask = np.unpackbits(masks[rows], axis=1, count=policy.weights["act"].shape[1]).astype(bool)
            agreed.append(policy.imitate(seen[rows], mask, actions[rows], rewards[rows]))
    policy.rate = PPO_RATE
    return float(np.mean(agreed))


def play(batch, policy, chance, seed):
    """Whole games, your seats by the policy: what was seen, done and earned from then on, a row for each decision."""
    into = batch.buffers("counts", "masks", "seats", "dones", "rewards")
    batch.reset(into, seed=seed)
    slots = np.arange(batch.n)
    steps = []
    alive = np.ones(batch.n, bool)
    while alive.any():
        counts, masks, seats = into.counts.copy(), into.masks.copy(), into.seats.astype(int)
        masks[~alive, 0] = True  # nothing is legal in a finished game
        actions, before = policy.act(counts, masks, chance)
        batch.step(actions, into)
        steps.append((alive, counts, masks, seats, actions, before, into.rewards.copy()))
        alive = alive & ~into.dones
    earned = np.zeros((batch.n, batch.players), np.float32)
    rows = []
    for alive, counts, masks, seats, actions, before, rewards in reversed(steps):
        earned += rewards * alive[:, None]
        rows.append([part[alive] for part in (counts, masks, actions, before, earned[slots, seats])])
    return [np.concatenate(parts) for parts in zip(*rows, strict=True)]


def wins_against(policy, opponent, players, games, seed, options=None):
    """Share of the victories from all seats in turn, against bots of that name; ties are broken as in the rules."""
    batch = Batch(games, players, seed, options, opponents=opponent, auto_reset=False, skip_forced=True)
    into = batch.buffers("counts", "masks", "seats", "dones", "rewards")
    batch.reset(into)
    own = into.seats.astype(int)
    final = np.zeros((games, players), np.float32)
    alive = np.ones(games, bool)
    while alive.any():
        actions = np.zeros(games, np.int32)
        actions[alive] = policy.best(into.counts[alive], into.masks[alive])
        batch.step(actions, into)
        final[into.dones & alive] = into.rewards[into.dones & alive]
        alive &= ~into.dones
    batch.close()
    best = final == final.max(axis=1, keepdims=True)  # rewards by rank know the tie-break
    return float((best[np.arange(games), own] / best.sum(axis=1)).mean())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clone", type=int, default=2000, help="games of the teacher to imitate first")
    parser.add_argument("--teacher", default="casual")
    parser.add_argument("--passes", type=int, default=4, help="through the games of the teacher")
    parser.add_argument("--rounds", type=int, default=100, help="of PPO after that")
    parser.add_argument("--games", type=int, default=512, help="in each round")
    parser.add_argument("--opponent", default="casual", help="in these games; `self` has the policy play all seats")
    parser.add_argument("--against", default="random,newcomer,casual", help="whom it is tried against")
    parser.add_argument("--tries", type=int, default=400, help="games of each of these trials")
    parser.add_argument("--every", type=int, default=10, help="rounds between two checkpoints")
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--mini", action="store_true", help="the small game for two players")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=Path())
    given = parser.parse_args()
    players = 2 if given.mini else given.players
    options = options_of({"mini": given.mini})
    given.out.mkdir(parents=True, exist_ok=True)
    policy = Policy(action_count(options), seed=given.seed)
    chance = np.random.default_rng(given.seed)
    started, worked = time.perf_counter(), time.process_time()

    def checkpoint(number):
        """Save the policy, and try it against bots."""
        policy.save(given.out / f"policy-{number:04}.npz")
        policy.save(given.out / "policy.npz")
        row = {"round": number, "seconds": round(time.perf_counter() - started)}
        row["processor_seconds"] = round(time.process_time() - worked)
        for name in given.against.split(","):
            row[name] = round(wins_against(policy, name, players, given.tries, 10**9, options), 3)
        with (given.out / "progress.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")
        print(row, f"(fair is {1 / players:.3f})", flush=True)

    if given.clone:
        data = watch(given.teacher, given.clone, players, options, given.seed)
        agreed = clone(policy, data, given.passes, chance)
        print(f"agrees with {given.teacher} in {agreed:.1%} of {len(data[0]):,} decisions", flush=True)
    checkpoint(0)
    company = None if given.opponent == "self" else given.opponent
    batch = Batch(
        given.games, players, 0, options, opponents=company, shaping=SHAPING, auto_reset=False, skip_forced=True
    )
    for number in range(1, given.rounds + 1):
        data = play(batch, policy, chance, given.seed + number * given.games)
        for _ in range(EPOCHS):
            for rows in np.array_split(chance.permutation(len(data[0])), max(1, len(data[0]) // MINIBATCH)):
                policy.learn(*(part[rows] for part in data))
        if number % given.every == 0 or number == given.rounds:
            checkpoint(number)
    batch.close()


if __name__ == "__main__":
    main()
