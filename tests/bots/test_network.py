"""The value network: compiled inference is the formula; without weights it is the linear evaluation."""

import random

import numpy as np
import pytest

from franchise import Game, Options
from franchise.bots import make
from franchise.bots.network import (
    AT_MORE,
    BLOCK,
    GLOBAL,
    INFLUENCE,
    Network,
    Weights,
    appraise,
    forget,
    new_network,
    trained,
    zero_weights,
)
from franchise.bots.values import STAGES, WORK, evaluate, learned
from franchise.engine.layout import SEATS

ALL_MODULES = Options(expert="random", milestones=True, boom=True, regions="mixed")


def turn_starts(players: int, options: Options | None, wanted: int) -> list[Game]:
    """Positions of a game between weak bots, from its first turn to near its end."""
    game = Game(players, players, options)
    bot = make("random", seed=players)
    found: list[Game] = []
    turn = 0
    while not game.over:
        if game.turn != turn:
            turn = game.turn
            found.append(game.copy())
        game.play(bot.choose(game))
    return random.Random(1).sample(found, min(wanted, len(found)))


def valued(game: Game, network: Network) -> tuple[list[float], list[float]]:
    """Expected final influence and chances by the compiled network."""
    expected, chances = np.zeros(SEATS), np.zeros(SEATS)
    appraise(game.rules[0], game.state[0], learned()[0], np.zeros(1, WORK)[0], network, expected, chances)
    return expected[: game.players].tolist(), chances[: game.players].tolist()


def by_formula(game: Game, network: Network) -> tuple[list[float], list[float]]:
    """The same from the inputs that the network was left with, written down as in its description."""
    weights = network.weights
    table, blocks = network.table[:GLOBAL], network.blocks[: game.players, :BLOCK]
    hidden = np.maximum(table @ weights.table + blocks @ weights.block + weights.first, 0)
    others = (hidden.sum(0) - hidden) / (game.players - 1)
    inner = np.maximum(hidden @ weights.own + others @ weights.others + weights.second, 0)
    expected = game.state["influence"][0, : game.players] + INFLUENCE * (
        inner @ weights.out + weights.last[0] + blocks[:, AT_MORE]
    )
    stage = int(np.argmax(table[8 : 8 + STAGES]))
    points = expected + INFLUENCE * (inner @ weights.odds)
    chances = np.exp((points - points.max()) / weights.spread[game.players - 2, stage])
    return expected.tolist(), (chances / chances.sum()).tolist()


@pytest.mark.compiled_only
@pytest.mark.parametrize("options", [None, ALL_MODULES], ids=["base", "modules"])
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_compiled_network_computes_its_formula(players: int, options: Options | None) -> None:
    network = new_network(trained(players))
    forget(network)
    for game in turn_starts(players, options, 12):  # one after the other: the sums of the first layer are carried on
        expected, chances = valued(game, network)
        formula = by_formula(game, network)
        assert expected == pytest.approx(formula[0], abs=1e-3)
        assert chances == pytest.approx(formula[1], abs=1e-4)


@pytest.mark.compiled_only
def test_a_network_of_zeros_says_what_the_linear_evaluation_says() -> None:
    weights = zero_weights(8, 4)
    weights.spread[:] = 1.0
    network = new_network(weights)
    forget(network)
    for game in turn_starts(4, None, 10):
        linear = np.zeros(SEATS)
        evaluate(game.rules[0], game.state[0], learned()[0], np.zeros(1, WORK)[0], linear)
        assert valued(game, network)[0] == pytest.approx(linear[:4].tolist(), abs=1e-3)


@pytest.mark.parametrize("players", [2, 3])
def test_the_weights_of_the_package_are_whole_and_small(players: int) -> None:
    weights = trained(players)
    assert weights._fields == Weights._fields
    assert weights.table.shape[0] == GLOBAL
    assert weights.block.shape[0] == BLOCK
    assert (weights.spread > 0).all()
    for name, part in weights._asdict().items():
        assert np.isfinite(part).all(), name
    assert sum(part.nbytes for part in weights) < 2_000_000
