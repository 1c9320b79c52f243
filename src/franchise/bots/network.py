"""The value network: a position after a turn as numbers, and what each seat can expect, compiled.

The inputs are a part for the table and a block for each seat, from that seat's point of view: what it has, compared
with the strongest other seat in every place and region. All seats use the same weights:

    first layer     a hidden vector for each seat, from the table's part and its block
    second layer    from the seat's hidden vector, and the mean of the other seats'
    output          the influence it will gain beyond what the linear evaluation of values.py expects,
                    and how much more influence its chance to win is worth

Chances to win follow from the sum of both and from the spread of final scores at that stage.

This way one network covers every number of players and every option, and each position gives one training example
per seat. franchise.training fits the weights; `network.npz` holds them, and `network-2.npz` those for two players,
trained further from them.
"""

from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from franchise.bots.values import F_CONSTANT, F_NEXT, FEATURES, STAGES, Numbers, Values, read_features, stage
from franchise.engine.bits import wide
from franchise.engine.instructions import lowest, popcount
from franchise.engine.jit import entry_point, kernel
from franchise.engine.layout import LOCATIONS, PRICE_KINDS, REGIONS, SEATS, Phase, Rules, State, TileKind
from franchise.engine.pieces import own_spaces
from franchise.engine.rules import income, winners
from franchise.engine.vectors import LANES, add_rows, list_changes

# --- what the inputs are ----------------------------------------------------------------------------------------------

KINDS = len(TileKind)
MILESTONES = 7
DEARER = 9.0  # more than a link can cost

TABLE = 8 + STAGES + 4 + MILESTONES  # counts and flags, the stage, the number of players, the milestones in play
REGION = 7 + KINDS  # of each region that is not scored: open, how many places, the tile
PLACE = 3  # of each place that still takes franchises: empty spaces, size, the boom marker
AT_REGION = TABLE
AT_PLACE = AT_REGION + REGIONS * REGION
GLOBAL = AT_PLACE + LOCATIONS * PLACE

OWN = 24 + SEATS  # what the seat has; its distance from the player to move
LINEAR = FEATURES + 2  # the features of values.py, what they add up to, and the lead over the best other seat
MILESTONE = 2 * MILESTONES  # claimed; deeds done
STANDING = 5  # in each region: own, strongest other, lead, tie-break, a share of the tile at stake
RACE = 7  # in each place: own franchises and strongest other's; one or two short of the majority; the price of a link
AT_LINEAR = OWN
AT_MORE = AT_LINEAR + FEATURES
AT_LOGIT = AT_MORE + 1
AT_MILESTONE = AT_LINEAR + LINEAR
AT_STANDING = AT_MILESTONE + MILESTONE
AT_RACE = AT_STANDING + REGIONS * STANDING
BLOCK = AT_RACE + LOCATIONS * RACE

INFLUENCE = 10.0  # what an output of 1 stands for

Floats: TypeAlias = "np.ndarray[Any, np.dtype[np.float32]]"
Whole: TypeAlias = "np.ndarray[Any, np.dtype[np.int64]]"


class Weights(NamedTuple):
    """float32, as [input, output]."""

    table: Floats  # GLOBAL x first
    block: Floats  # BLOCK x first
    first: Floats  # bias of the first layer
    own: Floats  # first x second
    others: Floats  # first x second
    second: Floats  # bias
    out: Floats  # second
    last: Floats  # bias, one number
    odds: Floats  # second
    spread: Floats  # influence that makes a win e times as likely, by players - 2 and stage


class Network(NamedTuple):
    """Weights, and memory for one thread. If `weights.first` is empty, there is no network."""

    weights: Weights
    table: Floats  # the inputs
    blocks: Floats
    old_table: Floats  # the inputs that the sums were made from
    old_blocks: Floats
    table_sums: Floats  # the first layer before the bias and the ReLU, from the table's part and from the blocks
    block_sums: Floats
    hidden: Floats
    total: Floats  # over the seats
    own: Floats  # own weights minus the share counted twice in `together`, by players - 2
    together: Floats  # the second layer, as if a seat were one of the others
    inner: Floats
    out: Floats
    odds: Floats
    numbers: Whole  # of the rows to add, and their factors
    factors: Floats


def no_weights() -> Weights:
    """Stands for no network: positions are valued by the linear evaluation."""
    return zero_weights(0, 0)


def zero_weights(first: int, second: int) -> Weights:
    shapes = ((GLOBAL, first), (BLOCK, first), (first,), (first, second), (first, second), (second,))
    return Weights(*(np.zeros(shape, np.float32) for shape in (*shapes, (second,), (1,), (second,), (4, STAGES))))


def load(path: Path | Traversable) -> Weights:
    """Load the weights from a file."""
    with path.open("rb") as file:
        stored = np.load(file, allow_pickle=False)
        return Weights(*(np.ascontiguousarray(stored[name], np.float32) for name in Weights._fields))


@cache
def trained(players: int) -> Weights:
    """The weights of this package for a number of players."""
    return load(files("franchise.bots").joinpath("network-2.npz" if players == 2 else "network.npz"))


def new_network(weights: Weights) -> Network:
    """A network for one thread."""
    first, second = weights.own.shape
    longest = max(padded(GLOBAL), padded(BLOCK), first)
    return Network(
        weights,
        table=zeros(padded(GLOBAL)),
        blocks=zeros(SEATS, padded(BLOCK)),
        old_table=zeros(padded(GLOBAL)),
        old_blocks=zeros(SEATS, padded(BLOCK)),
        table_sums=zeros(first),
        block_sums=zeros(SEATS, first),
        hidden=zeros(SEATS, first),
        total=zeros(first),
        own=np.stack([weights.own - weights.others * np.float32(1.0 / others) for others in range(1, SEATS)]),
        together=zeros(second),
        inner=zeros(second),
        out=zeros(SEATS),
        odds=zeros(SEATS),
        numbers=np.zeros(longest, np.int64),
        factors=zeros(longest),
    )


def zeros(*shape: int) -> Floats:
    return np.zeros(shape, np.float32)


def padded(length: int) -> int:
    """The length rounded up to full vectors."""
    return -(-length // LANES) * LANES


# --- writing them -----------------------------------------------------------------------------------------------------


@kernel
def write_inputs(rules: Rules, state: State, values: Values, work: Any, table: Floats, blocks: Floats) -> None:
    """Write the inputs of a position at the start of a turn; the rows of the blocks are the seats."""
    players = rules.players
    for i in range(GLOBAL):
        table[i] = 0.0
    for seat in range(players):
        for i in range(BLOCK):
            blocks[seat, i] = 0.0
    read_features(rules, state, values, work)  # also leaves the standing in the regions
    write_table(rules, state, table)
    for seat in range(players):
        write_seat(rules, state, seat, blocks[seat])
    write_linear(rules, state, values, work, blocks)
    write_regions(rules, state, work, table, blocks)
    write_places(rules, state, table, blocks)


@kernel
def write_table(rules: Rules, state: State, table: Floats) -> None:
    """Write the inputs that all seats share."""
    table[0] = popcount(state.vacant) / popcount(rules.in_play)
    table[1] = state.on_track / 8.0
    table[2] = 1.0 if state.on_track == rules.red_zone - 1 else 0.0
    table[3] = 1.0 if state.on_track == rules.red_zone - 2 else 0.0
    table[4] = state.quiet / rules.players
    table[5] = rules.boom
    table[6] = 1.0 if rules.milestones != 0 else 0.0
    table[7] = popcount(state.vacant & rules.cities) / 10.0
    table[8 + stage(rules, state)] = 1.0
    table[8 + STAGES + rules.players - 2] = 1.0
    for milestone in range(MILESTONES):
        table[12 + STAGES + milestone] = rules.milestones >> milestone & 1


@kernel
def write_seat(rules: Rules, state: State, seat: int, block: Floats) -> None:
    """Write what a seat has."""
    held = state.held[seat]
    free = state.vacant & ~held
    near = (state.reach[seat, 0] | state.reach[seat, 1]) & free
    middle = state.reach[seat, 2] & free & ~near
    cash = state.cash[seat]
    block[0] = cash / 10.0
    block[1] = min(cash, 3) / 3.0
    block[2] = state.influence[seat] / 20.0
    block[3] = income(rules, state, seat) / 5.0
    block[4] = state.empty[seat] / 20.0
    block[5] = state.bonus[seat] / 4.0
    block[6] = 1.0 if state.bonus[seat] == 0 else 0.0
    block[7] = popcount(held & rules.towns) / 10.0
    block[8] = state.supply[seat] / 20.0
    block[9] = popcount(near) / 5.0
    block[10] = popcount(middle) / 5.0
    block[11] = popcount((state.reach[seat, 3] | state.reach[seat, 4]) & free & ~near & ~middle) / 5.0
    block[12] = popcount(held & state.vacant) / 5.0
    block[13] = 1.0 if seat == 0 else 0.0
    block[14] = state.reserve[seat] / 4.0
    block[15] = 1.0 if state.road == seat else 0.0
    block[16] = 1.0 if state.expansion == seat else 0.0
    block[17] = state.presence[seat] / 5.0
    if rules.milestones != 0:
        block[18] = state.veterans[seat] / 5.0
        block[19] = min(state.eights[seat], 2) / 2.0
        for milestone in range(MILESTONES):
            block[AT_MILESTONE + milestone] = state.claimed[seat] >> milestone & 1
            block[AT_MILESTONE + MILESTONES + milestone] = state.deeds[seat] >> milestone & 1
    away = seat - state.active  # 20 to 23 are for the races, in write_places
    if away < 0:
        away += rules.players
    block[24 + away] = 1.0


@kernel
def write_linear(rules: Rules, state: State, values: Values, work: Any, blocks: Floats) -> None:
    """Write the linear evaluation, which the network corrects."""
    players = rules.players
    now = stage(rules, state)
    weight = values.weight[players - 2, now]
    best = -1000.0
    second = -1000.0
    mean = 0.0
    for seat in range(players):
        expected = 0.0
        for feature in range(FEATURES):
            value = work.features[seat, feature]
            expected += weight[feature] * value
            if feature != F_CONSTANT and feature != F_NEXT:
                blocks[seat, AT_LINEAR + feature] = value / 10.0
        blocks[seat, AT_MORE] = expected / INFLUENCE
        expected += state.influence[seat]
        blocks[seat, AT_LOGIT] = expected
        mean += expected / players
        if expected > best:
            second = best
            best = expected
        elif expected > second:
            second = expected
    for seat in range(players):
        expected = blocks[seat, AT_LOGIT]
        lead = expected - (second if expected >= best else best)
        blocks[seat, AT_LINEAR + F_CONSTANT] = lead / 20.0
        blocks[seat, AT_LINEAR + F_NEXT] = lead / values.spread[players - 2, now] / 2.0
        blocks[seat, AT_LOGIT] = (expected - mean) / values.spread[players - 2, now] / 2.0


@kernel
def write_regions(rules: Rules, state: State, work: Any, table: Floats, blocks: Floats) -> None:
    """Write every unscored region: its places, its tile, and who is ahead."""
    players = rules.players
    for region in range(REGIONS):
        if state.done >> region & 1 != 0:
            continue
        at = AT_REGION + region * REGION
        left = popcount(rules.region_mask[region] & state.vacant)
        tile = max(state.region_tile[region], 0)
        table[at] = 1.0
        table[at + 1] = left / 4.0
        table[at + 2] = 1.0 if left == 1 else 0.0
        table[at + 3] = 1.0 if left == 2 else 0.0
        for i in range(3):
            table[at + 4 + i] = rules.tile_values[tile, i] / 10.0
        table[at + 7 + rules.tile_kind[tile]] = 1.0
        standing = work.standing[region]
        most = 0
        second = 0
        for seat in range(players):
            if standing[seat] > most:
                second = most
                most = standing[seat]
            elif standing[seat] > second:
                second = standing[seat]
        holder = state.tie_break[region]
        for seat in range(players):
            own = standing[seat]
            other = second if own == most else most
            tie = 0.0
            if holder >= 0:
                tie = 1.0 if holder == seat else -1.0
            lead = tie if own > 0 else -1.0
            if own > other:
                lead = 1.0
            elif own < other:
                lead = -1.0
            at = AT_STANDING + region * STANDING
            blocks[seat, at] = own / 4.0
            blocks[seat, at + 1] = other / 4.0
            if own + other > 0:
                blocks[seat, at + 2] = lead
                blocks[seat, at + 4] = lead * max(rules.tile_values[tile, 0], 0) / (10.0 * left)
            blocks[seat, at + 3] = tie


@kernel
def write_places(rules: Rules, state: State, table: Floats, blocks: Floats) -> None:
    """Write every place that can still take franchises, the race for it, and what a link there costs."""
    players = rules.players
    places = state.vacant
    while places != 0:
        place = lowest(places)
        places &= places - 1
        size = wide(state.city_size[place])
        at = AT_PLACE + place * PLACE
        empty = size
        most = 0
        second = 0
        if rules.cities >> place & 1 != 0:
            for seat in range(players):
                own = popcount(own_spaces(rules, state, seat, place))
                empty -= own
                if own > most:
                    second = most
                    most = own
                elif own > second:
                    second = own
        table[at] = empty / 4.0
        table[at + 1] = size / 8.0
        if state.boom == place:
            table[at + 2] = 1.0
        if most == 0:
            continue
        for seat in range(players):
            own = popcount(own_spaces(rules, state, seat, place))
            other = second if own == most else most
            at = AT_RACE + place * RACE
            if own > 0:
                lack = size // 2 + 1 - own
                blocks[seat, at] = own / 2.0
                if lack <= min(empty, 3):
                    blocks[seat, 19 + lack] += size / 8.0
                    if lack < 3:
                        blocks[seat, at + 1 + lack] = 1.0
            if other > 0:
                lack = size // 2 + 1 - other
                blocks[seat, at + 1] = other / 2.0
                if lack <= min(empty, 2):
                    blocks[seat, at + 3 + lack] = 1.0
    for seat in range(players):
        free = state.vacant & ~state.held[seat]
        for price in range(PRICE_KINDS):  # the cheapest link to every place
            places = free & state.reach[seat, price]
            free &= ~places
            while places != 0:
                blocks[seat, AT_RACE + lowest(places) * RACE + 6] = (DEARER - rules.price[price]) / DEARER
                places &= places - 1


# --- thinking ---------------------------------------------------------------------------------------------------------


@kernel
def add_changes(network: Network, inputs: Floats, old: Floats, weights: Floats, sums: Floats) -> None:
    """Update the sums of the first layer; only changed inputs cost time."""
    count = list_changes(inputs, old, network.numbers, network.factors)
    add_rows(network.numbers, network.factors, count, weights, sums)


@kernel
def add_units(network: Network, units: Floats, factor: Any, weights: Floats, sums: Floats) -> None:
    """Add what the hidden units that are not zero contribute to the second layer."""
    numbers, factors = network.numbers, network.factors
    count = 0
    for i in range(units.shape[0]):
        unit = units[i]
        numbers[count] = i
        factors[count] = unit * factor
        if unit != 0.0:
            count += 1
    add_rows(numbers, factors, count, weights, sums)


@kernel
def copy_numbers(source: Any, target: Any) -> None:
    """Like target[:] = source, for which Numba would also compile an error message, which takes seconds."""
    for index in range(len(source)):
        target[index] = source[index]


@kernel
def forget(network: Network) -> None:
    """Reset the sums of the first layer, so that rounding errors do not accumulate across nodes."""
    network.old_table[:] = 0.0
    network.old_blocks[:] = 0.0
    copy_numbers(network.weights.first, network.table_sums)
    network.block_sums[:] = 0.0


@kernel
def think(network: Network, players: int) -> None:
    """Compute the outputs of each seat from the inputs: influence still to come, and more for the chances."""
    weights, hidden, total = network.weights, network.hidden, network.total
    together, inner, out, odds = network.together, network.inner, network.out, network.odds
    add_changes(network, network.table, network.old_table, weights.table, network.table_sums)
    total[:] = 0.0
    for seat in range(players):
        add_changes(network, network.blocks[seat], network.old_blocks[seat], weights.block, network.block_sums[seat])
        for i in range(hidden.shape[1]):
            hidden[seat, i] = max(network.table_sums[i] + network.block_sums[seat, i], np.float32(0.0))
            total[i] += hidden[seat, i]
    copy_numbers(weights.second, together)
    add_units(network, total, np.float32(1.0 / (players - 1)), weights.others, together)
    for seat in range(players):
        copy_numbers(together, inner)
        add_units(network, hidden[seat], np.float32(1.0), network.own[players - 2], inner)
        gain = weights.last[0] + network.blocks[seat, AT_MORE]
        more = np.float32(0.0)
        for j in range(inner.shape[0]):
            unit = max(inner[j], np.float32(0.0))
            gain += unit * weights.out[j]
            more += unit * weights.odds[j]
        out[seat] = gain
        odds[seat] = more


@entry_point
def appraise(
    rules: Rules, state: State, values: Values, work: Any, network: Network, expected: Numbers, chances: Numbers
) -> None:
    """Expected final influence and chances to win at the start of a turn; exact when the game is over.

    A shared win counts half its share, as in values.win_chances.
    """
    players = rules.players
    if state.phase == Phase.OVER:
        won = winners(rules, state)
        shares = popcount(won)
        for seat in range(players):
            expected[seat] = state.influence[seat]
            chances[seat] = (won >> seat & 1) / (1 if shares == 1 else 2 * shares)
        return
    write_inputs(rules, state, values, work, network.table, network.blocks)
    think(network, players)
    best = -1000.0
    spread = network.weights.spread[players - 2, stage(rules, state)]
    for seat in range(players):
        expected[seat] = state.influence[seat] + INFLUENCE * network.out[seat]
        chances[seat] = (expected[seat] + INFLUENCE * network.odds[seat]) / spread
        best = max(best, chances[seat])
    total = 0.0
    for seat in range(players):
        chances[seat] = np.exp(chances[seat] - best)
        total += chances[seat]
    for seat in range(players):
        chances[seat] /= total
