"""Fits the value network with PyTorch. Needs the extra `train`, so import it on use.

The loss is the cross-entropy of the winner, over the logarithm of the number of players, and three times the mean
square of the influence to come over 10. Chances follow from the expected final influence and a correction. Finally they
are calibrated on games that were held out of training.
"""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from franchise.bots.network import AT_MORE, BLOCK, GLOBAL, INFLUENCE, Weights
from franchise.bots.values import STAGES, learned
from franchise.training.calibration import calibration
from franchise.training.games import Array
from franchise.training.positions import Positions

BATCH = 256
RATE = 1e-3  # the highest of a cycle
LEARN_ON_RATE = 1e-4  # the same for a network that is already trained
DECAY = 2.0  # towards the initial weights, or towards 0
GAIN_WEIGHT = 3.0
ABOUT = 0.1  # how far the sharpness of chances is expected to be off
AT_STAGE = 8  # of the table's inputs
LEAST_SPREAD = 0.05  # inputs that hardly vary are not scaled up

Say = Callable[[str], None]


class ValueNetwork(nn.Module):
    """bots/network.py in PyTorch, on scaled inputs."""

    def __init__(self, first: int, second: int) -> None:
        super().__init__()
        self.table = nn.Linear(GLOBAL, first)
        self.block = nn.Linear(BLOCK, first, bias=False)
        self.own = nn.Linear(first, second)
        self.others = nn.Linear(first, second, bias=False)
        self.out = nn.Linear(second, 1)
        self.odds = nn.Linear(second, 1, bias=False)
        self.sharpness = nn.Parameter(torch.zeros(4, STAGES))  # of the chances, relative to the linear evaluation's
        self.spread: Tensor
        self.scale_table: Tensor
        self.scale_block: Tensor
        self.register_buffer("spread", torch.from_numpy(learned()["spread"][0].copy()))
        self.register_buffer("scale_table", torch.stack([torch.zeros(GLOBAL), torch.ones(GLOBAL)]))
        self.register_buffer("scale_block", torch.stack([torch.zeros(BLOCK), torch.ones(BLOCK)]))
        nn.init.zeros_(self.out.weight)
        nn.init.zeros_(self.out.bias)
        nn.init.zeros_(self.odds.weight)

    def forward(self, table: Tensor, blocks: Tensor, influence: Tensor) -> tuple[Tensor, Tensor]:
        """Logits of the chances to win, and influence to come over INFLUENCE."""
        players = blocks.shape[1]
        scaled = (table - self.scale_table[0]) * self.scale_table[1]
        hidden = self.table(scaled)[:, None] + self.block((blocks - self.scale_block[0]) * self.scale_block[1])
        hidden = torch.relu(hidden)
        others = (hidden.sum(1, keepdim=True) - hidden) / (players - 1)
        inner = torch.relu(self.own(hidden) + self.others(others))
        gain = self.out(inner)[..., 0] + blocks[..., AT_MORE]
        stage = table[:, AT_STAGE : AT_STAGE + STAGES].argmax(1)
        spread = self.spread[players - 2][stage] / torch.exp(self.sharpness[players - 2][stage])
        return (influence + INFLUENCE * (gain + self.odds(inner)[..., 0])) / spread[:, None], gain

    def begin_with(self, weights: Weights) -> None:
        """Copy the weights of another network; the scaling of the inputs is already set."""
        first = torch.from_numpy(weights.first.copy())
        for layer, scale, part in (
            (self.table, self.scale_table, weights.table),
            (self.block, self.scale_block, weights.block),
        ):
            raw = torch.from_numpy(part)
            layer.weight.copy_((raw / scale[1][:, None]).T)
            first += scale[0] @ raw
        self.table.bias.copy_(first)
        for parameter, values in (
            (self.own.weight, weights.own.T),
            (self.own.bias, weights.second),
            (self.others.weight, weights.others.T),
            (self.out.weight, weights.out[None]),
            (self.out.bias, weights.last),
            (self.odds.weight, weights.odds[None]),
            (self.sharpness, np.log(self.spread.numpy() / weights.spread)),
        ):
            parameter.copy_(torch.from_numpy(np.ascontiguousarray(values)))

    def weights(self) -> Weights:
        """The weights for the compiled network; the scaling is folded into the first layer."""

        def numbers(tensor: Tensor) -> Array:
            return np.ascontiguousarray(tensor.detach().numpy().astype(np.float32))

        table = self.table.weight.T * self.scale_table[1][:, None]
        block = self.block.weight.T * self.scale_block[1][:, None]
        parts = (
            table,
            block,
            self.table.bias - self.scale_table[0] @ table - self.scale_block[0] @ block,
            self.own.weight.T,
            self.others.weight.T,
            self.own.bias,
            self.out.weight[0],
            self.out.bias,
            self.odds.weight[0],
            self.spread / torch.exp(self.sharpness),
        )
        return Weights(*map(numbers, parts))


@dataclass(frozen=True)
class Fit:
    """The result of a fit, by number of players."""

    weights: Weights
    losses: list[float]  # of each epoch, on the training games
    held_out: dict[int, dict[str, Any]]
    start: dict[int, dict[str, Any]]  # the network it started from, on the same games; empty if there was none


def scaling(parts: list[Array]) -> Tensor:
    """What to subtract from inputs, and what to multiply them by afterwards."""
    rows = np.concatenate(parts).astype(np.float32)
    mean, spread = rows.mean(0), rows.std(0)
    factor = 1 / np.maximum(spread, LEAST_SPREAD)
    return torch.from_numpy(np.stack([mean, factor]).astype(np.float32))


def fit(
    data: Mapping[int, Positions],
    *,
    first: int,
    second: int,
    epochs: int,
    seed: int,
    say: Say,
    start: Weights | None = None,
    threads: int = 1,
) -> Fit:
    """Fit a network to those positions, by number of players; with `start`, training continues from that network."""
    torch.set_num_threads(threads)
    torch.manual_seed(seed)
    chance = np.random.default_rng(seed)
    network = ValueNetwork(first, second)
    network.scale_table.copy_(scaling([part.table[::7] for part in data.values()]))
    network.scale_block.copy_(scaling([part.blocks[::7].reshape(-1, BLOCK) for part in data.values()]))
    rate, before = RATE, dict[int, dict[str, Any]]()
    if start is not None:
        with torch.no_grad():
            network.begin_with(start)
        rate, before = LEARN_ON_RATE, {players: assess(network, part) for players, part in data.items()}
    anchors = [parameter.detach().clone() * (start is not None) for parameter in network.parameters()]
    learned_from = {players: np.flatnonzero(part.learned_from) for players, part in data.items()}
    optimiser = torch.optim.Adam(network.parameters(), rate)
    steps = sum(-(-len(rows) // BATCH) for rows in learned_from.values())
    cycle = torch.optim.lr_scheduler.OneCycleLR(optimiser, rate, epochs * steps + 1, pct_start=0.1)
    losses = []
    for epoch in range(epochs):
        batches: list[tuple[int, Array]] = []
        for players, rows in learned_from.items():
            mixed = chance.permutation(rows)
            batches += [(players, mixed[i : i + BATCH]) for i in range(0, len(mixed), BATCH)]
        total = 0.0
        for number in chance.permutation(len(batches)):
            players, rows = batches[number]
            winner, gain = loss_of(network, data[players], rows)
            loss = winner.mean() / float(np.log(players)) + GAIN_WEIGHT * gain.mean()
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            with torch.no_grad():
                for parameter, anchor in zip(network.parameters(), anchors, strict=True):
                    parameter.lerp_(anchor, cycle.get_last_lr()[0] * DECAY)
            cycle.step()
            total += float(loss.detach())
        losses.append(total / len(batches))
        say(f"epoch {epoch + 1} of {epochs}: loss {losses[-1]:.4f}")
    for players, part in data.items():
        sharpen(network, part, players)
    after = {players: assess(network, part) for players, part in data.items()}
    return Fit(network.weights(), losses, after, before)


def sharpen(network: ValueNetwork, data: Positions, players: int) -> None:
    """Calibrate the chances on games that were held out of training, with one factor for all stages.

    A game counts once, however many positions it has, and the prior of the factor is 1, so few games change little.
    """
    rows = np.flatnonzero(data.calibrates)
    if not len(rows):
        return
    with torch.no_grad():
        logits = torch.cat([network(*inputs(data, part))[0] for part in np.array_split(rows, -(-len(rows) // 4096))])
    won, factor = torch.from_numpy(data.won[rows]), torch.zeros(1, requires_grad=True)
    games = len(np.unique(data.game[rows]))
    optimiser = torch.optim.LBFGS([factor], line_search_fn="strong_wolfe")

    def loss() -> Tensor:
        optimiser.zero_grad()
        entropy = -(won * torch.log_softmax(logits * torch.exp(factor), 1)).sum(1).mean()
        total = games * entropy + (factor / ABOUT).square().sum() / 2
        total.backward()
        return total

    optimiser.step(loss)
    with torch.no_grad():
        network.sharpness[players - 2] += factor


def loss_of(network: ValueNetwork, data: Positions, rows: Array) -> tuple[Tensor, Tensor]:
    """Cross-entropy of the winner and square of the error in influence over INFLUENCE, of each position."""
    logits, gain = network(*inputs(data, rows))
    winner = -(torch.from_numpy(data.won[rows]) * torch.log_softmax(logits, 1)).sum(1)
    return winner, ((gain - torch.from_numpy(data.gain[rows]) / INFLUENCE) ** 2).mean(1)


def inputs(data: Positions, rows: Array) -> tuple[Tensor, Tensor, Tensor]:
    return (
        torch.from_numpy(data.table[rows].astype(np.float32)),
        torch.from_numpy(data.blocks[rows].astype(np.float32)),
        torch.from_numpy(data.influence[rows]),
    )


def assess(network: ValueNetwork, data: Positions) -> dict[str, Any]:
    """How well held-out games are predicted, compared with the linear evaluation."""
    rows = np.flatnonzero(data.held_out)
    if not len(rows):
        return {}
    chances, gain = [], []
    with torch.no_grad():
        for start in range(0, len(rows), 4096):
            logits, more = network(*inputs(data, rows[start : start + 4096]))
            chances.append(torch.softmax(logits, 1).numpy())
            gain.append(more.numpy())
    predicted = np.concatenate(chances)
    error = np.concatenate(gain) - data.gain[rows] / INFLUENCE
    figures: dict[str, Any] = {"positions": len(rows), "gain": round(float((error**2).mean()), 4)}
    for name, pick in (("base", data.code[rows] == 0), ("modules", data.code[rows] != 0)):
        if pick.any():
            figures[name] = log_loss(predicted[pick], data.won[rows][pick])
            figures[f"linear {name}"] = log_loss(data.linear[rows][pick], data.won[rows][pick])
    figures["calibration"] = asdict(calibration(predicted, data.won[rows]))
    figures["linear calibration"] = asdict(calibration(data.linear[rows], data.won[rows]))
    return figures


def log_loss(chances: Array, won: Array) -> float:
    return round(float(-(won * np.log(np.maximum(chances, 1e-6))).sum(1).mean()), 4)
