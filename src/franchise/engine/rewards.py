"""Rewards for learning at the end of a game."""

from enum import IntEnum
from typing import Any

from franchise.engine.instructions import popcount
from franchise.engine.jit import entry_point, kernel
from franchise.engine.layout import Records, Rules, State


class Reward(IntEnum):
    """The kinds of rewards; Python uses their names in lower case."""

    RANK = 0  # from 1 for the first to -1 for the last; tied seats share the mean; adds up to 0
    SHARE = 1  # the seat's share of all influence; adds up to 1


@kernel
def final_reward(rules: Rules, state: State, seat: int, kind: int) -> float:
    """The reward of a seat at the end (RULES 4.4)."""
    if kind == Reward.SHARE:
        total = 0
        for other in range(rules.players):
            total += state.influence[other]
        return state.influence[seat] / total if total > 0 else 1.0 / rules.players  # type: ignore[no-any-return]
    own = standing(rules, state, seat)
    behind = 0.0  # seats ahead of this one; a tie counts half
    for other in range(rules.players):
        if other != seat:
            theirs = standing(rules, state, other)
            if theirs > own:
                behind += 1.0
            elif theirs == own:
                behind += 0.5
    return 1.0 - 2.0 * behind / (rules.players - 1)  # type: ignore[no-any-return]


@kernel
def standing(rules: Rules, state: State, seat: int) -> int:
    """Influence, then franchises in towns, as one number (RULES 4.4)."""
    return 64 * state.influence[seat] + popcount(state.held[seat] & rules.towns)  # type: ignore[no-any-return]


@entry_point
def final_rewards(rules: Records, states: Records, kind: int, out: Any) -> None:
    """For Python: the rewards of all seats at the end of states[0]."""
    for seat in range(rules[0].players):
        out[seat] = final_reward(rules[0], states[0], seat, kind)
