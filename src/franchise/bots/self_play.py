"""Compiled games of self-play by search; franchise.training learns from them.

A game is given by its set-up and its moves. It is varied at random: how evenly the starting towns are drawn, how many
turns are any candidate instead of the best, and the first turns of each player, which are drawn by visits.
"""

from typing import Any

import numpy as np

from franchise.bots.network import BLOCK, GLOBAL, write_inputs
from franchise.bots.search import Tree, simulate
from franchise.bots.turns import starting_town, value_of
from franchise.engine.bits import wide
from franchise.engine.instructions import popcount
from franchise.engine.jit import long_entry_point
from franchise.engine.layout import Moves, Phase, Records
from franchise.engine.playout import following, scramble
from franchise.engine.rules import apply, legal, winners
from franchise.engine.walk import duplicate
from franchise.game import Game

LONGEST = 4000  # more moves than a game has
VARIED = 3  # turns of each player that are drawn by visits


def play(tree: Tree, game: Game, seed: int, simulations: int, noise: float, looseness: float) -> "np.ndarray[Any, Any]":
    """The moves of one game from the position of `game`."""
    moves = np.zeros(LONGEST, np.int16)
    tree.use(game.rules)
    state = game.state.copy()
    duplicate(game.state, state)
    count = play_on(tree.memory, tree.arrays, state, seed, simulations, noise, looseness, moves)
    return moves[:count].copy()


@long_entry_point
def play_on(
    memory: Any, tree: Any, states: Records, seed: int, simulations: int, noise: float, looseness: float, moves: Any
) -> int:
    """Play states[0] to the end and record the moves; returns their number."""
    rules, state, scratch = memory.rules[0], states[0], memory.scratch[0]
    generator = scramble(seed)
    scratch.generator = scramble(seed + 1)
    scratch.explore = 1.0
    count = 0
    while state.phase != Phase.OVER:
        generator = following(generator)
        draw = (generator & 0xFFFFFFFF) / 4294967296.0
        if state.turn == 0:
            choices = legal(rules, state, scratch.out)
            chosen = wide(scratch.out[int(draw * choices)])
            if state.phase == Phase.START:
                chosen = starting_town(memory, state, looseness, draw)
            moves[count] = chosen
            count += 1
            apply(rules, state, chosen, memory.log[0])
            continue
        scratch.seat = state.active
        tree.states[0] = state
        tree.used[0] = 0
        tree.used[1] = 0
        any_turn = draw < noise
        simulate(memory, tree, 0 if any_turn else simulations)
        generator = following(generator)
        draw = (generator & 0xFFFFFFFF) / 4294967296.0
        root = tree.nodes[0]
        edge = root.first
        if any_turn:
            edge += int(draw * root.count)
        else:
            most = -1
            total = 0.0
            for i in range(root.first, root.first + root.count):
                child = tree.edges[i].child
                visits = wide(tree.nodes[child].visits) if child >= 0 else 0
                total += visits
                if visits > most:
                    most = visits
                    edge = i
            if state.turn <= VARIED * rules.players:
                draw *= total
                for i in range(root.first, root.first + root.count):
                    child = tree.edges[i].child
                    if child >= 0:
                        draw -= tree.nodes[child].visits
                        if draw < 0.0:
                            edge = i
                            break
        for i in range(tree.edges[edge].length):
            moves[count] = tree.edges[edge].moves[i]
            count += 1
            apply(rules, state, wide(tree.edges[edge].moves[i]), memory.log[0])
    return count


@long_entry_point
def read_positions(
    memory: Any, states: Records, moves: Moves, tables: Any, blocks: Any, influence: Any, linear: Any, last: Any
) -> int:
    """Replay a game from states[0] and record the start of every turn, and the set-up from the starting franchises
    on; returns how many positions there are.

    The rows are the network's inputs, the influence of every seat, and the linear evaluation's chances. states[0] is
    the end of the game afterwards, and `last` its winners' shares.
    """
    rules, state, network = memory.rules[0], states[0], memory.network
    turn = 0
    count = 0
    for move in moves:
        apply(rules, state, wide(move), memory.log[0])
        setting_up = state.phase == Phase.START or state.phase == Phase.BOOM_PLACE
        if setting_up or (state.turn != turn and state.phase != Phase.OVER):
            turn = state.turn
            write_inputs(rules, state, memory.values[0], memory.work[0], network.table, network.blocks)
            value_of(memory, state)
            for i in range(GLOBAL):
                tables[count, i] = network.table[i]
            for seat in range(rules.players):
                for i in range(BLOCK):
                    blocks[count, seat, i] = network.blocks[seat, i]
                influence[count, seat] = state.influence[seat]
                linear[count, seat] = memory.scratch[0].chances[seat]
            count += 1
    won = winners(rules, state)
    for seat in range(rules.players):
        last[seat] = (won >> seat & 1) / popcount(won)
    return count
