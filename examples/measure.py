"""How large a game is: choices, length, forced moves, wins by seat; by random play, or of bots against themselves.

Try it: python examples/measure.py classic --games 2048, python examples/measure.py duel --bots casual --games 100, or
a game of OpenSpiel by its name: python examples/measure.py connect_four.
"""

import argparse
import random

import numpy as np

import franchise as fr
from franchise.envs.tiers import TIERS


def batched(tier, games):
    """Random play in a batch: choices of every decision, then turns, moves and winners' shares of every game."""
    batch = tier.batch(min(games, 1024))
    into = batch.buffers("masks", "seats", "dones", "rewards")
    batch.reset(into)
    choices = np.zeros(into.masks.shape[1] + 1, np.int64)
    moves = np.zeros(batch.n, np.int64)
    lengths, shares = [], []
    last = games - games % batch.n  # so many seeds, each game to its end: short games do not count more
    while len(lengths) < last:
        going = batch.seeds < last
        choices += np.bincount(into.masks[going].sum(axis=1), minlength=len(choices))
        moves[going] += 1
        batch.step(batch.random_actions(), into)
        for slot in np.flatnonzero(into.dones & going):
            best = into.rewards[slot] == into.rewards[slot].max()
            shares.append(best / best.sum())
            lengths.append(moves[slot])
            moves[slot] = 0
    return choices, np.array(lengths), np.array(shares)


def played(tier, bots, games):
    """The same of bots, game by game."""
    choices = np.zeros(1001, np.int64)
    lengths, shares = [], []
    for seed in range(games):
        game = tier.game(seed)
        seats = [fr.bots.make(bots, seed=100 * seed + seat) for seat in range(tier.players)]
        while not game.over:
            choices[len(game.legal_numbers())] += 1
            game.advance(seats[game.current_player].choose(game).id)
        lengths.append(len(game.actions))
        shares.append(game.result().shares)
    return choices, np.array(lengths), np.array(shares)


def of_openspiel(name, games):
    """The same of a game of OpenSpiel, by random play."""
    import pyspiel

    game = pyspiel.load_game(name)
    choices = np.zeros(game.num_distinct_actions() + 1, np.int64)
    lengths, shares = [], []
    chance = random.Random(1)
    for _ in range(games):
        state = game.new_initial_state()
        moves = 0
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(chance.choice([action for action, _ in state.chance_outcomes()]))
                continue
            legal = state.legal_actions()
            choices[len(legal)] += 1
            moves += 1
            state.apply_action(chance.choice(legal))
        best = np.array(state.returns()) == max(state.returns())
        shares.append(best / best.sum())
        lengths.append(moves)
    return choices, np.array(lengths), np.array(shares)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game", help=f"{', '.join(TIERS)}, or a game of OpenSpiel")
    parser.add_argument("--games", type=int, default=1024)
    parser.add_argument("--bots", default="", help="a bot for all seats; else random moves")
    given = parser.parse_args()
    if given.game not in TIERS:
        choices, lengths, shares = of_openspiel(given.game, given.games)
    elif given.bots:
        choices, lengths, shares = played(TIERS[given.game], given.bots, given.games)
    else:
        choices, lengths, shares = batched(TIERS[given.game], given.games)
    numbers = np.arange(len(choices))
    decisions = choices.sum()
    real = choices[2:].sum()
    print(f"{given.game}, {given.bots or 'random moves'}, {len(lengths):,} games")
    print(f"choices of a decision: mean {(choices * numbers).sum() / decisions:.1f}, most {numbers[choices > 0].max()}")
    print(
        f"forced moves: {choices[1] / decisions:.1%}; choices of the others {(choices * numbers)[2:].sum() / real:.1f}"
    )
    print(f"moves of a game: mean {lengths.mean():.0f}, {lengths.min()} to {lengths.max()}")
    error = 1.96 * shares.std(axis=0) / np.sqrt(len(shares))
    seats = ", ".join(f"{100 * mean:.1f}±{100 * off:.1f}" for mean, off in zip(shares.mean(axis=0), error, strict=True))
    print(f"wins by seat: {seats}%")


if __name__ == "__main__":
    main()
