"""Masked PPO in PyTorch over a batch, with bots as opponents; observations and masks are shared, not copied.

Try it: python examples/torch_ppo.py --tier mini --seconds 600. It needs torch (pip install 'franchise[train]'); where
onnx is installed too, each trial writes the policy to policy.onnx for `franchise ladder policy.onnx --tier mini`.
"""

import argparse
import time
from importlib.util import find_spec

import numpy as np
import torch
from torch import nn

from franchise.engine.observe import SIZE
from franchise.envs.tiers import TIERS

STEPS, EPOCHS, MINIBATCH = 64, 3, 2048
GAMMA, LAMBDA, CLIP, ENTROPY, VALUE, RATE = 0.999, 0.95, 0.2, 0.01, 0.5, 5e-4


class Policy(nn.Module):
    """Observations to a number for each action; `worth` is what the position promises."""

    def __init__(self, actions, hidden=256) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(SIZE, hidden), nn.Tanh(), nn.Linear(hidden, hidden), nn.Tanh())
        self.act = nn.Linear(hidden, actions)
        self.worth = nn.Linear(hidden, 1)
        nn.init.normal_(self.act.weight, std=0.01)

    def forward(self, seen):
        return self.act(self.body(seen))

    def both(self, seen, masks):
        """Chances of the legal actions, and the worth."""
        body = self.body(seen)
        logits = self.act(body).masked_fill(~masks, -1e9)
        return torch.distributions.Categorical(logits=logits), self.worth(body)[:, 0]


class Rollout:
    """Steps of all games, one row each; the batch writes its answers here, and torch reads the same memory."""

    def __init__(self, batch) -> None:
        self.into = [batch.buffers("observations", "masks", "rewards", "dones", "seats") for _ in range(STEPS + 1)]
        self.seen = [torch.from_numpy(buffers.observations) for buffers in self.into]
        self.masks = [torch.from_numpy(buffers.masks) for buffers in self.into]


def gather(batch, rollout, policy):
    """Play on; what was done, how likely that was, and what it was worth in the end (GAE)."""
    rows = np.arange(batch.n)
    actions, before, worth, rewards, dones = [], [], [], [], []
    with torch.no_grad():
        for step in range(STEPS):
            chances, value = policy.both(rollout.seen[step], rollout.masks[step])
            action = chances.sample()
            seats = rollout.into[step].seats.astype(np.int64)
            batch.step(action.numpy(), rollout.into[step + 1])
            actions.append(action)
            before.append(chances.log_prob(action))
            worth.append(value)
            rewards.append(torch.from_numpy(rollout.into[step + 1].rewards[rows, seats]))
            dones.append(torch.from_numpy(rollout.into[step + 1].dones.copy()))
        last = policy.both(rollout.seen[STEPS], rollout.masks[STEPS])[1]
    gain = torch.zeros(batch.n)
    gains = []
    for step in reversed(range(STEPS)):
        going = (~dones[step]).float()
        error = rewards[step] + GAMMA * last * going - worth[step]
        gain = error + GAMMA * LAMBDA * going * gain
        gains.append(gain)
        last = worth[step]
    gains = torch.stack(gains[::-1])
    return torch.stack(actions), torch.stack(before), gains, gains + torch.stack(worth)


def learn(policy, optimizer, rollout, done):
    """PPO's clipped objective over the steps, in minibatches."""
    parts = [torch.stack(rollout.seen[:STEPS]), torch.stack(rollout.masks[:STEPS]), *done]
    seen, masks, actions, before, gains, wanted = (part.flatten(0, 1) for part in parts)
    gains = (gains - gains.mean()) / (gains.std() + 1e-6)
    for _ in range(EPOCHS):
        for rows in torch.randperm(len(actions)).split(MINIBATCH):
            chances, worth = policy.both(seen[rows], masks[rows])
            ratio = (chances.log_prob(actions[rows]) - before[rows]).exp()
            clipped = ratio.clamp(1 - CLIP, 1 + CLIP)
            goal = torch.minimum(ratio * gains[rows], clipped * gains[rows]).mean()
            loss = VALUE * (worth - wanted[rows]).square().mean() - goal - ENTROPY * chances.entropy().mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
            optimizer.step()


def wins(policy, tier, opponent, games):
    """Share of the victories from all seats in turn, the likeliest action each time; ties as in the rules."""
    batch = tier.batch(games, 10**9, opponents=opponent, auto_reset=False, skip_forced=True)
    into = batch.buffers("observations", "masks", "rewards", "dones", "seats")
    batch.reset(into)
    own = into.seats.astype(int)
    final = np.zeros((games, tier.players), np.float32)
    alive = np.ones(games, bool)
    seen, masks = torch.from_numpy(into.observations), torch.from_numpy(into.masks)
    while alive.any():
        with torch.no_grad():
            actions = policy(seen).masked_fill(~masks, -1e9).argmax(1).numpy()
        batch.step(actions, into)
        final[into.dones & alive] = into.rewards[into.dones & alive]
        alive &= ~into.dones
    batch.close()
    best = final == final.max(axis=1, keepdims=True)
    return float((best[np.arange(games), own] / best.sum(axis=1)).mean())


def write(policy, file):
    """The policy as an ONNX file; the older exporter needs no further library."""
    if find_spec("onnx"):
        names = {"input_names": ["observation"], "output_names": ["scores"]}
        sizes = {"observation": {0: "batch"}, "scores": {0: "batch"}}
        torch.onnx.export(policy, torch.zeros(1, SIZE), file, **names, dynamic_axes=sizes, dynamo=False)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tier", choices=list(TIERS), default="mini")
    parser.add_argument("--opponent", default="newcomer")
    parser.add_argument("--against", default="random,newcomer,casual")
    parser.add_argument("--games", type=int, default=256, help="at the same time")
    parser.add_argument("--tries", type=int, default=400, help="games of each trial")
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--every", type=int, default=20, help="rounds between trials")
    parser.add_argument("--file", default="policy.onnx")
    given = parser.parse_args()
    tier = TIERS[given.tier]
    torch.manual_seed(0)
    policy = Policy(tier.actions)
    optimizer = torch.optim.Adam(policy.parameters(), lr=RATE)
    batch = tier.batch(given.games, opponents=given.opponent, skip_forced=True, shaping=0.01)
    rollout = Rollout(batch)
    batch.reset(rollout.into[0])
    started, worked, number, passed = time.perf_counter(), time.process_time(), 0, 0.0
    while passed < given.seconds:
        done = gather(batch, rollout, policy)
        learn(policy, optimizer, rollout, done)
        batch.describe(rollout.into[0])
        number += 1
        passed = time.perf_counter() - started
        if number % given.every == 0 or passed >= given.seconds:
            write(policy, given.file)
            shares = {name: round(wins(policy, tier, name, given.tries), 3) for name in given.against.split(",")}
            print(
                f"round {number}, {passed:.0f} s, {time.process_time() - worked:.0f} processor s: {shares}", flush=True
            )
    batch.close()


if __name__ == "__main__":
    main()
