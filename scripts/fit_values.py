"""Learns bots/values.npz from self-play: python scripts/fit_values.py [--games N] [--rounds R] [--out FILE]

Round 0 plays at random; each further round plays greedily by what the round before has learned, with some random moves,
and learns anew. Each round keeps a snapshot of every turn of every game and then asks: what did standings like these
earn in the end? Base games and games with all modules are mixed. Uses both cores.
"""

import argparse
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from franchise import Game, Options
from franchise.bots.turns import greedy_move, new_mind
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
from franchise.engine.bits import popcount, lowest
from franchise.engine.jit import kernel
from franchise.engine.layout import EventKind, Phase
from franchise.engine.playout import following, scramble
from franchise.engine.rules import apply, legal

TURNS = 400


@kernel
def play(mind, start, noise, seed, snapshots, gains, ranks, out, greedy):
    """One game with snapshots of its turns; gains[place, seat] and ranks[region, seat] say what came of it."""
    rules = mind.rules
    states = mind.states
    log = mind.log
    desk = mind.desk
    generator = scramble(seed)
    desk[0].generator = generator
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
            action = greedy_move(mind)
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
            empty = size - popcount(state.spaces[place])
            for seat in range(players):
                own = popcount(state.spaces[place] >> (8 * seat) & 255)
                other = 0
                for q in range(players):
                    if q != seat:
                        other = max(other, popcount(state.spaces[place] >> (8 * q) & 255))
                race_sum[size, min(own, OWN - 1), min(other, OTHER - 1), min(empty, EMPTY - 1)] += gains[place, seat]
                race_n[size, min(own, OWN - 1), min(other, OTHER - 1), min(empty, EMPTY - 1)] += 1
        for region in range(10):
            if state.done >> region & 1 == 0:
                open_places = min(popcount(rules[0].region_mask[region] & state.vacant), R_OPEN - 1)
                for seat in range(players):
                    own = 0
                    other = 0
                    for q in range(players):
                        total = 0
                        places = rules[0].region_mask[region] & state.held[q]
                        while places != 0:
                            total += popcount(state.spaces[lowest(places)] >> (8 * q) & 255)
                            places &= places - 1
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
            mind = new_mind(game.rules, values, np.zeros(1, WORK))
            some = noise * (1, 2, 8)[number // 3 % 3]
            turns = play(mind, game.state, some, seed + number, snapshots, gains, ranks, out, greedy)
            kept.append(
                (game.rules, snapshots[:turns].copy(), gains, ranks, mind.states[0].influence.copy(), number % 3 != 0)
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
    for rules, snapshots, _, _, final, base in played:
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


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--noise", type=int, default=50, help="random moves in a thousand")
    parser.add_argument("--keep", type=int, default=4, help="rounds before that are learned from too")
    parser.add_argument("--players", type=int, nargs="*", default=[2, 3, 4, 5])
    parser.add_argument("--out", type=Path, default=Path("src/franchise/bots/values.npz"))
    arguments = parser.parse_args()
    values = np.zeros(1, VALUES)
    for players in arguments.players:
        played = []
        for number in range(arguments.rounds):
            started = time.perf_counter()
            new = generate(players, arguments.games, values, number > 0, arguments.noise, number * 10**6)
            played = played[-arguments.keep * arguments.games :] + new
            learn(players, played, values, number == 0)
            final = np.mean([p[4][:players] for p in new], 0)
            turns = np.mean([len(p[1]) for p in new])
            print(
                f"{players} players, round {number}: {time.perf_counter() - started:.0f} s, {turns:.1f} turns, mean scores {final.round(1)}",
                flush=True,
            )
        print(np.round(values["weight"][0, players - 2], 2))
        print(np.round(values["spread"][0, players - 2], 1))
        np.savez_compressed(arguments.out, **{name: values[name][0] for name in VALUES.names})


if __name__ == "__main__":
    main()
