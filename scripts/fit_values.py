"""Learns src/franchise/bots/values.npz from self-play, in three steps, on two cores:

    python scripts/fit_values.py [--games 3000] [--rounds 6] [--tune 500] [--out FILE]

1. Tables. Round 0 plays at random; each further round plays greedily by what was learned before, with some random
   moves. Every round keeps a snapshot of every turn and asks what such standings earned in the end. The weights come
   from round 0 alone: random play visits everything, greedy play only what it likes.
2. Weights. Small random changes of the weights play against the weights as they are (an evolution strategy); what wins
   more often is followed. Done for two and for four players; three and five take over the changes of four.
3. Starts. What each starting town earned more than the others.
Base games and games with modules are mixed in steps 1 and 2.
"""

import argparse
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from franchise import Game, Options
from franchise.bots.network import no_weights
from franchise.bots.turns import greedy_move, new_search_memory
from franchise.bots.values import (
    EMPTY,
    F_BONUS,
    F_CASH,
    F_CONSTANT,
    F_TOWNS,
    FEATURES,
    OTHER,
    OWN,
    R_OPEN,
    R_OTHER,
    R_OWN,
    SIZES,
    STAGES,
    VALUES,
    WORK,
    read_features,
    stage,
)
from franchise.engine import layout
from franchise.engine.instructions import lowest, popcount
from franchise.engine.jit import kernel
from franchise.engine.layout import EventKind, Phase
from franchise.engine.pieces import empty_spaces, franchises_in, own_spaces
from franchise.engine.playout import following, scramble
from franchise.engine.rules import apply, legal, winners

TURNS = 400


@kernel
def play(memory, start, noise, seed, snapshots, gains, ranks, out, greedy):
    """One game with snapshots of its turns; gains[place, seat] and ranks[region, seat] say what came of it."""
    rules = memory.rules
    states = memory.states
    log = memory.log
    scratch = memory.scratch
    generator = scramble(seed)
    scratch[0].generator = generator
    states[0] = start[0]
    state = states[0]
    turns = 0
    gains[:] = 0
    ranks[:] = -1
    last = -1
    while state.phase != Phase.OVER:
        if state.turn != last and state.turn > 0 and turns < TURNS:
            last = state.turn
            snapshots[turns] = state
            turns += 1
        generator = following(generator)
        if not greedy or (generator >> 8) % 1000 < noise or state.turn == 0:
            count = legal(rules[0], state, out)
            generator = following(generator)
            action = out[(generator * count) >> 32]
        else:
            action = greedy_move(memory)
        apply(rules[0], state, action, log[0])
        for i in range(log[0].length):
            kind, seat, place, amount = log[0].rows[i]
            if kind == EventKind.MAJORITY or kind == EventKind.FULL:
                gains[place, seat] = amount
            elif kind == EventKind.RANK or kind == EventKind.DOLLARS:
                rank = 0
                for other in range(5):
                    if ranks[place, other] >= 0:
                        rank += 1
                ranks[place, seat] = min(rank, 2)
    return turns


@kernel
def count_standings(rules, snapshots, turns, gains, ranks, race_sum, race_n, rank_sum, rank_n):
    """Add what the standings of the snapshots earned to the tables."""
    for turn in range(turns):
        state = snapshots[turn]
        players = rules[0].players
        cities = state.vacant & rules[0].cities
        while cities != 0:
            place = lowest(cities)
            cities &= cities - 1
            size = state.city_size[place]
            empty = empty_spaces(rules[0], state, place)
            for seat in range(players):
                own = popcount(own_spaces(rules[0], state, seat, place))
                other = 0
                for q in range(players):
                    if q != seat:
                        other = max(other, popcount(own_spaces(rules[0], state, q, place)))
                race_sum[size, min(own, OWN - 1), min(other, OTHER - 1), min(empty, EMPTY - 1)] += gains[place, seat]
                race_n[size, min(own, OWN - 1), min(other, OTHER - 1), min(empty, EMPTY - 1)] += 1
        for region in range(10):
            if state.done >> region & 1 == 0:
                open_places = min(popcount(rules[0].region_mask[region] & state.vacant), R_OPEN - 1)
                for seat in range(players):
                    own = 0
                    other = 0
                    for q in range(players):
                        total = franchises_in(rules[0], state, q, rules[0].region_mask[region])
                        if q == seat:
                            own = total
                        else:
                            other = max(other, total)
                    o, b = min(own, R_OWN - 1), min(other, R_OTHER - 1)
                    rank_n[o, b, open_places] += 1
                    if ranks[region, seat] >= 0:
                        rank_sum[o, b, open_places, ranks[region, seat]] += 1


@kernel
def list_features(rules, snapshots, turns, final, values, work, rows, stages, targets):
    """Features and what was still gained, a row for each seat of each snapshot."""
    n = 0
    for turn in range(turns):
        state = snapshots[turn]
        read_features(rules[0], state, values[0], work[0])
        for seat in range(rules[0].players):
            for f in range(FEATURES):
                rows[n, f] = work[0].features[seat, f]
            stages[n] = stage(rules[0], state)
            targets[n] = final[seat] - state.influence[seat]
            n += 1
    return n


def options(number):
    if number % 3:
        return Options()
    return Options(milestones=number % 2 == 0, boom=number % 5 < 3, regions="mixed", expert="random")


def generate(players, games, values, greedy, noise, seed):
    """Games with what is needed to learn from them."""

    def one_thread(part):
        out = np.zeros(layout.MOVES, np.int32)
        kept = []
        for number in part:
            game = Game(players, seed + number, options(number))
            snapshots = np.zeros(TURNS, layout.STATE)
            gains, ranks = np.zeros((45, 5), np.int32), np.zeros((10, 5), np.int32)
            memory = new_search_memory(game.rules, values, np.zeros(1, WORK), no_weights())
            some = noise * (1, 2, 8)[number // 3 % 3]
            turns = play(memory, game.state, some, seed + number, snapshots, gains, ranks, out, greedy)
            kept.append(
                (game.rules, snapshots[:turns].copy(), gains, ranks, memory.states[0].influence.copy(), number % 3 != 0)
            )
        return kept

    with ThreadPoolExecutor(2) as pool:
        return [item for part in pool.map(one_thread, (range(0, games, 2), range(1, games, 2))) for item in part]


def learn(players, played, values, weigh):
    """Fill the part of the values for that many players; weights only where `weigh` says so."""
    index = players - 2
    race_sum, race_n = np.zeros((SIZES, OWN, OTHER, EMPTY)), np.zeros((SIZES, OWN, OTHER, EMPTY))
    rank_sum, rank_n = np.zeros((R_OWN, R_OTHER, R_OPEN, 3)), np.zeros((R_OWN, R_OTHER, R_OPEN))
    for rules, snapshots, gains, ranks, _, _ in played:
        count_standings(rules, snapshots, len(snapshots), gains, ranks, race_sum, race_n, rank_sum, rank_n)
    # few observations lean on a guess: the share of the own franchises
    own, other, empty = np.meshgrid(np.arange(OWN), np.arange(OTHER), np.arange(EMPTY), indexing="ij")
    for size in range(2, SIZES):
        guess = size * 0.8 * (own + 0.3) / (own + other + 0.3 * players + 0.05 * empty)
        values["race"][0, index, size] = (race_sum[size] + 5 * guess) / (race_n[size] + 5)
    own, other, _ = np.meshgrid(np.arange(R_OWN), np.arange(R_OTHER), np.arange(R_OPEN), indexing="ij")
    lead = 1 / (1 + np.exp(-(own - other) * 0.9))
    guess = np.stack([lead * (own > 0), (1 - lead) * (own > 0) * 0.6, (1 - lead) * (own > 0) * 0.4], -1)
    values["rank"][0, index] = (rank_sum + 5 * guess) / (rank_n[..., None] + 5)
    if not weigh:
        return
    rows, stages, targets, finals = [], [], [], []
    work = np.zeros(1, WORK)
    for rules, snapshots, _, _, final, _ in played:
        r = np.zeros((len(snapshots) * players, FEATURES))
        s, t = np.zeros(len(r), np.int64), np.zeros(len(r))
        list_features(rules, snapshots, len(snapshots), final, values, work, r, s, t)
        rows.append(r)
        stages.append(s)
        targets.append(t)
        finals.append(np.tile(final[:players], len(snapshots)))
    rows, stages, targets, finals = map(np.concatenate, (rows, stages, targets, finals))
    prior = np.zeros(FEATURES)
    prior[[F_CONSTANT, 1, 2, F_TOWNS, F_BONUS, F_CASH]] = [0, 1, 1, 1, 4, 1 / 3]
    for level in range(STAGES):
        pick = stages == level
        if pick.sum() < 50:
            values["weight"][0, index, level] = prior
            values["spread"][0, index, level] = 8
            continue
        x, y = rows[pick], targets[pick] - rows[pick] @ prior
        ridge = np.diag([1, 50, 50, 50, 50, 50, 50, 50, 50.0])
        w = np.linalg.solve(x.T @ x + ridge, x.T @ y) + prior
        values["weight"][0, index, level] = w
        # softmax temperature from the scatter of the difference between two seats
        error = (targets[pick] - x @ w).reshape(-1, players)
        values["spread"][0, index, level] = max(1.0, 0.55 * np.sqrt(2) * (error - error.mean(1, keepdims=True)).std())


UNITS = np.array([0, 0.2, 0.2, 0.3, 0.8, 0.1, 0.5, 0, 0.3])  # how far a step of 1 changes each weight
TUNED = np.flatnonzero(UNITS)
RAMP = (np.arange(STAGES) - 3.5) / 3.5
ALL_MODULES = Options(milestones=True, boom=True, regions="mixed", expert="random")


@kernel
def duel(memory, values, who, start, seed, out):
    """A game between two sets of values, by seat; returns the bits of the winners."""
    generator = scramble(seed)
    memory.scratch[0].generator = generator
    memory.states[0] = start[0]
    state = memory.states[0]
    while state.phase != Phase.OVER:
        if state.turn == 0:
            generator = following(generator)
            action = out[(generator * legal(memory.rules[0], state, out)) >> 32]
        else:
            memory.values[0] = values[who[state.active]]
            action = greedy_move(memory)
        apply(memory.rules[0], state, action, memory.log[0])
    return winners(memory.rules[0], state)


def win_share(players, tried, other, seed, games):
    """How often one seat with `one` wins against seats with `other`."""
    values, out = np.concatenate([tried, other]), np.zeros(layout.MOVES, np.int32)
    won = 0.0
    for number in range(games):
        seat, number_of_game = number % players, seed + number // players
        game = Game(players, number_of_game, ALL_MODULES if number_of_game % 4 == 3 else Options())
        memory = new_search_memory(game.rules, tried.copy(), np.zeros(1, WORK), no_weights())
        who = np.ones(5, np.int64)
        who[seat] = 0
        first = duel(memory, values, who, game.state, number_of_game, out)
        won += (first >> seat & 1) / first.bit_count()
    return won / games


def changed(values, players, step):
    """The values with changed weights: two numbers a feature (early and late in the game) and one for the spread."""
    made = values.copy()
    for number, feature in enumerate(TUNED):
        made["weight"][0, players - 2, :, feature] += UNITS[feature] * (step[2 * number] + step[2 * number + 1] * RAMP)
    made["spread"][0, players - 2] *= np.exp(0.3 * step[-1])
    return made


def tune(players, values, seconds, games=160):
    """The change of the weights that wins most against the values given."""
    rng = np.random.default_rng(players)
    step, sigma, number = np.zeros(2 * len(TUNED) + 1), 0.7, 0
    anchor, started = values, time.perf_counter()
    with ThreadPoolExecutor(2) as pool:
        while time.perf_counter() - started < seconds:
            number += 1
            tries = rng.standard_normal((4, len(step)))
            tries = np.concatenate([tries, -tries])
            now, seed = changed(values, players, step), 1000 * number

            def share(aim, now=now, seed=seed, step=step, sigma=sigma, anchor=anchor):
                tried = changed(values, players, step + sigma * aim)
                against = win_share(players, tried, now, seed, games) + win_share(
                    players, tried, anchor, seed + 500, games
                )
                return against / 2

            shares = np.array(list(pool.map(share, tries)))
            step = step + 0.6 * sigma * ((shares - shares.mean())[:, None] * tries).mean(0) / (shares.std() + 1e-9)
            if number % 15 == 0:
                sigma *= 0.8
                print(
                    f"{players} players, step {number}: {win_share(players, now, values, 10**6, 400):.3f} won",
                    flush=True,
                )
            if number % 30 == 0:
                anchor = now
    return step


def learn_starts(players, values):
    """What each starting town earned beyond the mean of its game, in greedy games."""
    earned, seen = np.zeros(45), np.zeros(45)
    for _, snapshots, _, _, final, base in generate(players, 3000, values, True, 20, 10**7):
        if base:
            for seat in range(players):
                town = int(snapshots[0]["held"][seat]).bit_length() - 1
                earned[town] += final[seat] - final[:players].mean()
                seen[town] += 1
    values["start"][0, players - 2] = earned / (seen + 20)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=3000)
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--noise", type=int, default=50, help="random moves in a thousand")
    parser.add_argument("--tune", type=float, default=500, help="seconds for each of two and four players")
    parser.add_argument("--spread", type=float, default=0.6, help="of chances with more than two players, afterwards")
    parser.add_argument("--out", type=Path, default=Path("src/franchise/bots/values.npz"))
    arguments = parser.parse_args()
    values = np.zeros(1, VALUES)
    for players in (2, 3, 4, 5):
        played = []
        for number in range(arguments.rounds):
            played += generate(players, arguments.games, values, number > 0, arguments.noise, number * 10**6)
            learn(players, played, values, number == 0)
            print(f"{players} players, round {number} learned", flush=True)
    steps = {players: tune(players, values, arguments.tune) for players in (2, 4)}
    for players in (2, 3, 4, 5):
        values = changed(values, players, steps[2 if players == 2 else 4])
        learn_starts(players, values)
    values["spread"][0, 1:] *= arguments.spread
    np.savez_compressed(arguments.out, **{name: values[name][0] for name in VALUES.names})


if __name__ == "__main__":
    main()
