"""The linear evaluation: the final influence each seat can expect, from tables learned by self-play.

Three things count for every seat: what it has (influence, towns, bonus tiles, cash, income), its races for unscored
cities, and its standing in unscored regions. The first is read from the state; for the other two, tables give what such
a standing earned on average in many games. A row of weights for each number of players and each stage of the game
combines them. scripts/fit_values.py makes the tables and weights.
"""

from functools import cache
from importlib.resources import files
from typing import Any, TypeAlias

import numpy as np

from franchise.engine.bits import wide
from franchise.engine.instructions import lowest, popcount
from franchise.engine.jit import entry_point, kernel
from franchise.engine.layout import REGIONS, SEATS, Phase, Records, Rules, State, TileKind, record
from franchise.engine.pieces import franchises_in, own_spaces
from franchise.engine.rules import income, winners

STAGES = 8  # of the game, by the share of places that are still vacant
OWN, OTHER, EMPTY = 5, 5, 9  # a city race: own franchises, most of any other seat, empty spaces
SIZES = 9
R_OWN, R_OTHER, R_OPEN = 7, 7, 9  # a region: own franchises, most of any other seat, places to close
FEATURES = 9
F_CONSTANT, F_RACES, F_REGIONS, F_TOWNS, F_BONUS, F_CASH, F_INCOME, F_NEXT, F_REACH = range(FEATURES)
DOLLAR = 0.4  # influence that a dollar from a dollar tile counts as

Values: TypeAlias = np.record
Numbers: TypeAlias = "np.ndarray[Any, np.dtype[np.float64]]"

VALUES = record(
    ("race", np.float32, (4, SIZES, OWN, OTHER, EMPTY)),  # influence from the city, by players - 2
    ("rank", np.float32, (4, R_OWN, R_OTHER, R_OPEN, 3)),  # chances of first, second and lower rank
    ("weight", np.float32, (4, STAGES, FEATURES)),
    ("spread", np.float32, (4, STAGES)),  # spread of final scores around the estimate
    ("start", np.float32, (4, 45)),  # how much more a starting town earned than others
)
WORK = record(  # memory for one thread
    ("features", np.float64, (SEATS, FEATURES)),
    ("standing", np.int32, (REGIONS, SEATS)),
)


@cache
def learned() -> Records:
    """The tables and weights of this package."""
    made = np.zeros(1, VALUES)
    with files("franchise.bots").joinpath("values.npz").open("rb") as file:
        stored = np.load(file, allow_pickle=False)
        for name in VALUES.names or ():
            made[name][0] = stored[name]
    return made


@kernel
def stage(rules: Rules, state: State) -> int:
    """How far the game has come, from 0 to STAGES - 1."""
    left = popcount(state.vacant) / popcount(rules.in_play)
    return min(max(int((1.0 - left) * (STAGES + 1)), 0), STAGES - 1)


@kernel
def read_features(rules: Rules, state: State, values: Values, work: Any) -> None:
    """Fill work.features for every seat."""
    players = rules.players
    table = players - 2
    features = work.features
    standing = work.standing
    for seat in range(players):
        features[seat, F_CONSTANT] = 1.0
        features[seat, F_RACES] = 0.0
        features[seat, F_REGIONS] = 0.0
        features[seat, F_TOWNS] = popcount(state.held[seat] & rules.towns)
        features[seat, F_BONUS] = state.bonus[seat]
        features[seat, F_CASH] = state.cash[seat]
        features[seat, F_INCOME] = income(rules, state, seat)
        features[seat, F_NEXT] = 0.0
        near = state.reach[seat, 0] | state.reach[seat, 1] | state.reach[seat, 2]
        features[seat, F_REACH] = popcount(near & state.vacant & ~state.held[seat])
    features[state.active, F_NEXT] = 1.0
    for region in range(REGIONS):
        for seat in range(players):
            standing[region, seat] = 0
    cities = state.vacant & rules.cities
    while cities != 0:
        place = lowest(cities)
        cities &= cities - 1
        size = wide(state.city_size[place])
        empty = size
        most = 0
        second = 0
        for seat in range(players):
            own = popcount(own_spaces(rules, state, seat, place))
            standing[rules.region_of[place], seat] += own
            empty -= own
            if own > most:
                second = most
                most = own
            elif own > second:
                second = own
        for seat in range(players):
            own = popcount(own_spaces(rules, state, seat, place))
            other = second if own == most else most
            features[seat, F_RACES] += values.race[
                table, size, min(own, OWN - 1), min(other, OTHER - 1), min(empty, EMPTY - 1)
            ]
    for region in range(REGIONS):
        if state.done >> region & 1 == 0:
            rate_region(rules, state, values, work, region)


@kernel
def rate_region(rules: Rules, state: State, values: Values, work: Any, region: int) -> None:
    """Add what each seat can expect from an unscored region."""
    players = rules.players
    standing = work.standing
    closed = rules.region_mask[region] & ~state.vacant
    for seat in range(players):
        standing[region, seat] += franchises_in(rules, state, seat, closed)
    most = 0
    second = 0
    for seat in range(players):
        own = standing[region, seat]
        if own > most:
            second = most
            most = own
        elif own > second:
            second = own
    open_places = min(popcount(rules.region_mask[region] & state.vacant), R_OPEN - 1)
    tile = max(state.region_tile[region], 0)
    unit = DOLLAR if rules.tile_kind[tile] == TileKind.DOLLARS else 1.0
    base = 7 if rules.tile_kind[tile] == TileKind.COUNT else 0
    middle = 2 if players == 2 else 1
    for seat in range(players):
        own = standing[region, seat]
        other = min(second if own == most else most, R_OTHER - 1)
        chance = values.rank[players - 2, min(own, R_OWN - 1), other, open_places]
        work.features[seat, F_REGIONS] += unit * (
            chance[0] * (rules.tile_values[tile, 0] + base)
            + chance[1] * (rules.tile_values[tile, middle] + base)
            + chance[2] * (rules.tile_values[tile, 2] + base)
        )


@entry_point  # optimised by itself before it is linked into the search, which is then a little faster
def evaluate(rules: Rules, state: State, values: Values, work: Any, expected: Numbers) -> None:
    """Write the final influence each seat can expect; exact when the game is over."""
    for seat in range(rules.players):
        expected[seat] = state.influence[seat]
    if state.phase == Phase.OVER:
        return
    read_features(rules, state, values, work)
    weight = values.weight[rules.players - 2, stage(rules, state)]
    for seat in range(rules.players):
        for feature in range(FEATURES):
            expected[seat] += weight[feature] * work.features[seat, feature]
        if state.road == seat or state.expansion == seat:
            expected[seat] += 2.0
        expected[seat] += 2.0 * min(state.reserve[seat], 2)


@kernel
def win_chances(rules: Rules, state: State, values: Values, expected: Numbers, chances: Numbers) -> None:
    """Chances to win from expected final influence, certain when the game is over.

    A shared win counts half its share, so that bots keep playing to win instead of settling for a standstill.
    """
    players = rules.players
    if state.phase == Phase.OVER:
        won = winners(rules, state)
        shares = popcount(won)
        for seat in range(players):
            chances[seat] = (won >> seat & 1) / (1 if shares == 1 else 2 * shares)
        return
    best = expected[0]
    for seat in range(1, players):
        best = max(best, expected[seat])
    spread = values.spread[players - 2, stage(rules, state)]
    total = 0.0
    for seat in range(players):
        chances[seat] = np.exp((expected[seat] - best) / spread)
        total += chances[seat]
    for seat in range(players):
        chances[seat] /= total
