"""The kernel functions that Python calls: begin, list moves, make a validated step, replay, survey, count (perft).

They take records in arrays (layout.Records), which are cheap to pass from Python; the rules work on the records inside.
"""

from typing import Any

import numpy as np

from franchise.engine.jit import entry_point, long_entry_point
from franchise.engine.layout import LOG, MOVES, REGIONS, STATE, Moves, Records
from franchise.engine.pieces import franchises_in
from franchise.engine.rules import apply, income, legal, reset, winners


@entry_point
def begin(rules: Records, states: Records, log: Records) -> None:
    """Make states[0] the first state."""
    reset(rules[0], states[0], log[0])


@entry_point
def duplicate(source: Records, target: Records) -> None:
    """Copy a record; NumPy would copy it field by field."""
    target[0] = source[0]


@entry_point
def moves(rules: Records, states: Records, out: Moves) -> int:
    """Write the legal actions of states[0]; returns how many there are."""
    return legal(rules[0], states[0], out)


@entry_point
def step(rules: Records, states: Records, action: int, out: Moves, log: Records) -> bool:
    """Carry out the action and return True if it is legal; otherwise change nothing."""
    for i in range(legal(rules[0], states[0], out)):
        if out[i] == action:
            apply(rules[0], states[0], action, log[0])
            return True
    return False


@entry_point
def replay(rules: Records, states: Records, actions: Moves, log: Records) -> None:
    """Carry out actions known to be legal."""
    for action in actions:
        apply(rules[0], states[0], action, log[0])


@entry_point
def survey(rules: Records, states: Records, incomes: Any, franchises: Any) -> None:
    """For every seat, what phase 1 would pay now, and its franchises in each region."""
    for seat in range(rules[0].players):
        incomes[seat] = income(rules[0], states[0], seat)
        for region in range(REGIONS):
            franchises[region, seat] = franchises_in(rules[0], states[0], seat, rules[0].region_mask[region])


@entry_point
def champions(rules: Records, states: Records) -> int:
    """Bits of the winning seats of a finished game."""
    return winners(rules[0], states[0])


@long_entry_point
def perft(
    rules: Records, states: Records, depth: int, outs: Moves, following: Moves, counts: Moves, log: Records
) -> int:
    """The number of sequences of `depth` moves from states[0]; games that end earlier are not counted.

    `states` needs depth + 1 records, `outs` as many rows, `following` (the next move to try at each level) and `counts`
    as many numbers.
    """
    if depth == 0:
        return 1
    total = 0
    level = 0
    following[0] = 0
    counts[0] = legal(rules[0], states[0], outs[0])
    while level >= 0:
        if level == depth - 1:
            total += counts[level]
            level -= 1
        elif following[level] == counts[level]:
            level -= 1
        else:
            action = outs[level, following[level]]
            following[level] += 1
            states[level + 1] = states[level]
            level += 1
            apply(rules[0], states[level], action, log[0])
            following[level] = 0
            counts[level] = legal(rules[0], states[level], outs[level])
    return total


def count_ways(rules: Records, states: Records, depth: int) -> int:
    """perft, with its memory allocated here."""
    stack = np.zeros(depth + 1, STATE)
    duplicate(states, stack)
    outs = np.zeros((depth + 1, MOVES), np.int32)
    following, counts = np.zeros((2, depth + 1), np.int32)
    return int(perft(rules, stack, depth, outs, following, counts, np.zeros(1, LOG)))
