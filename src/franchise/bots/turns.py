"""Whole turns: ending one, what it is worth, the best single move, and the candidates a search tries.

A candidate is a complete turn. Growth is tried in order of its value, and turns that lead to the same markers and
centres are kept only once, so that permutations are never evaluated twice.
"""

from typing import Any, NamedTuple, TypeAlias

import numpy as np

from franchise.bots.network import Network, Weights, appraise, forget, new_network
from franchise.bots.values import Values, evaluate, win_chances
from franchise.engine.bits import bit, lowest, popcount, wide
from franchise.engine.jit import kernel
from franchise.engine.layout import LOG, MOVES, REGIONS, SEATS, STATE, Kind, Phase, Records, Rules, State, record
from franchise.engine.playout import following
from franchise.engine.regions import waiting_regions
from franchise.engine.rules import apply, legal

TURN = 40  # more moves than a candidate has
CANDIDATES = 32
EXPANSIONS = 7  # expansions that turns are built on
BONUS_BRANCHES = 4  # how many of them are also tried with a bonus tile
SCORE = 0.002  # what a point of influence is worth, in chance to win
NOTHING = -1e9

EDGE = record(  # a candidate turn
    ("chances", np.float64, (SEATS,)),  # to win, as evaluated at the end of the turn
    ("expected", np.float64, (SEATS,)),  # final influence, likewise
    ("prior", np.float64),  # what the turn is worth to its player
    ("key", np.int64),  # equal for turns that lead to the same position
    ("child", np.int32),  # node it leads to, -1 before the first visit
    ("length", np.int32),
    ("moves", np.int16, (TURN,)),
)
DESK = record(  # working memory
    ("expected", np.float64, (SEATS,)),
    ("chances", np.float64, (SEATS,)),
    ("generator", np.int64),  # breaks ties
    ("explore", np.float64),  # how much more than usual the search tries less promising turns
    ("seat", np.int64),  # the seat the search is for
    ("out", np.int32, (MOVES,)),
    ("inner", np.int32, (MOVES,)),
    ("best", np.int32, (EXPANSIONS,)),
    ("looks", np.float64, (EXPANSIONS,)),
    ("path", np.int32, (TURN,)),  # the moves that have led to states[1]
)
HERE, NOW, TRIED, BEGUN, EXPANDED = range(5)  # the scratch states: given, being built, being valued, kept for later


class Mind(NamedTuple):
    """The working memory of a bot: records in arrays, for kernels. One for each thread."""

    rules: Records
    values: Records
    states: Records  # five scratch states
    work: Records
    desk: Records
    log: Records
    network: Network


Edges: TypeAlias = "np.ndarray[Any, np.dtype[np.record]]"


def new_mind(rules: Records, values: Records, work: Records, weights: Weights) -> Mind:
    """A Mind for games with these rules."""
    return Mind(rules, values, np.zeros(5, STATE), work, np.zeros(1, DESK), np.zeros(1, LOG), new_network(weights))


@kernel
def finish_turn(rules: Rules, state: State, log: Any) -> None:
    """Stop here: no further expansion, no further growth, the boom marker stays, regions in board order."""
    if state.phase == Phase.BOOM_MOVE:
        apply(rules, state, wide(rules.first_id[Kind.STAY]), log)
    if state.phase == Phase.EXPAND:
        apply(rules, state, wide(rules.first_id[Kind.DONE]), log)
    if state.phase == Phase.GROW:
        apply(rules, state, wide(rules.first_id[Kind.END]), log)
    while state.phase == Phase.SCORE:
        apply(rules, state, rules.first_id[Kind.SCORE] + lowest(waiting_regions(rules, state)), log)


@kernel
def worth(mind: Mind, seat: int) -> float:
    """The value of the tried position to the seat once its turn is ended; the position is overwritten."""
    state = mind.states[TRIED]
    desk = mind.desk[0]
    if state.active == seat:
        finish_turn(mind.rules[0], state, mind.log[0])
    value_of(mind, state)
    return desk.chances[seat] + SCORE * desk.expected[seat]  # type: ignore[no-any-return]


@kernel
def value_of(mind: Mind, state: State) -> None:
    """Write expected influence and chances to win of a position to the desk."""
    values: Values = mind.values[0]
    evaluate(mind.rules[0], state, values, mind.work[0], mind.desk[0].expected[:])  # the type that Python passes, too
    win_chances(mind.rules[0], state, values, mind.desk[0].expected, mind.desk[0].chances)


@kernel
def worth_after(mind: Mind, source: int, action: int, seat: int) -> float:
    """The value of a scratch state to the seat after it makes the move and ends its turn."""
    mind.states[TRIED] = mind.states[source]
    apply(mind.rules[0], mind.states[TRIED], action, mind.log[0])
    return worth(mind, seat)


@kernel
def greedy_move(mind: Mind) -> int:
    """The move for the given position after which ending the turn looks best."""
    desk = mind.desk[0]
    seat = wide(mind.states[HERE].active)
    count = legal(mind.rules[0], mind.states[HERE], desk.inner)
    choice = desk.inner[0]
    best = NOTHING
    if count > 1:
        for i in range(count):
            desk.generator = following(desk.generator)
            looks = worth_after(mind, wide(HERE), wide(desk.inner[i]), seat) + 1e-7 * (desk.generator & 1023) / 1024
            if looks > best:
                best = looks
                choice = desk.inner[i]
    return choice  # type: ignore[no-any-return]


# --- candidates -------------------------------------------------------------------------------------------------------


@kernel
def list_turns(mind: Mind, edges: Edges, first: int) -> int:
    """Write candidate turns for the given position to the edges from `first` on, best first; returns how many."""
    rules = mind.rules[0]
    states = mind.states
    desk = mind.desk[0]
    seat = wide(states[HERE].active)
    count = wide(0)
    if states[HERE].turn == 0 or states[HERE].phase == Phase.SCORE:  # every move is a turn
        for i in range(legal(rules, states[HERE], desk.out)):
            desk.path[0] = desk.out[i]
            states[TRIED] = states[HERE]
            apply(rules, states[TRIED], wide(desk.out[i]), mind.log[0])
            if states[TRIED].phase == Phase.SCORE:
                finish_turn(rules, states[TRIED], mind.log[0])
            value_of(mind, states[TRIED])
            count = keep_move(mind, edges, first, count, seat)
        return sort_edges(edges, first, count)
    if states[HERE].phase == Phase.GROW:
        states[NOW] = states[HERE]
        return sort_edges(edges, first, grow_on(mind, edges, first, count, wide(0), seat))
    states[BEGUN] = states[HERE]
    length = wide(0)
    if states[HERE].phase == Phase.BOOM_MOVE:
        desk.path[0] = greedy_move(mind)
        apply(rules, states[BEGUN], wide(desk.path[0]), mind.log[0])
        length = 1
    for i in range(rank_expansions(mind, seat)):
        states[NOW] = states[BEGUN]
        here = length
        action = wide(desk.best[i])
        if rules.action_kind[action] != Kind.DONE:
            desk.path[here] = action
            here += 1
            apply(rules, states[NOW], action, mind.log[0])
        states[EXPANDED] = states[NOW]
        count = grow_on(mind, edges, first, count, here, seat)
        if i < BONUS_BRANCHES:
            count = with_bonus(mind, edges, first, count, here, seat)
    return sort_edges(edges, first, count)


@kernel
def revalue(mind: Mind, edges: Edges, first: int, count: int) -> None:
    """Let the network value the turns listed for the given position, and sort them again."""
    states = mind.states
    desk = mind.desk[0]
    seat = wide(states[HERE].active)
    if mind.network.weights.first.shape[0] == 0:
        return
    if states[HERE].phase == Phase.DRAFT_CITIES or states[HERE].phase == Phase.DRAFT_REGIONS:  # it knows no drafts
        return
    forget(mind.network)
    for i in range(first, first + count):
        states[TRIED] = states[HERE]
        for j in range(edges[i].length):
            apply(mind.rules[0], states[TRIED], wide(edges[i].moves[j]), mind.log[0])
        if states[TRIED].phase == Phase.SCORE:
            finish_turn(mind.rules[0], states[TRIED], mind.log[0])
        expected, chances = desk.expected[:], desk.chances[:]
        appraise(mind.rules[0], states[TRIED], mind.values[0], mind.work[0], mind.network, expected, chances)
        edges[i].prior = desk.chances[seat] + SCORE * desk.expected[seat]
        for s in range(mind.rules[0].players):
            edges[i].chances[s] = desk.chances[s]
            edges[i].expected[s] = desk.expected[s]
    sort_edges(edges, first, count)


@kernel
def rank_expansions(mind: Mind, seat: int) -> int:
    """Write the expansions (or none: `done`) that look best to the desk; returns how many."""
    rules = mind.rules[0]
    desk = mind.desk[0]
    chosen = 0
    for i in range(legal(rules, mind.states[BEGUN], desk.out)):
        action = wide(desk.out[i])
        if rules.action_kind[action] == Kind.CASH:
            continue
        looks = worth_after(mind, wide(BEGUN), action, seat)
        if chosen < EXPANSIONS:
            chosen += 1
        elif looks <= desk.looks[EXPANSIONS - 1]:
            continue
        spot = chosen - 1
        while spot > 0 and desk.looks[spot - 1] < looks:
            desk.looks[spot] = desk.looks[spot - 1]
            desk.best[spot] = desk.best[spot - 1]
            spot -= 1
        desk.looks[spot] = looks
        desk.best[spot] = action
    return chosen


@kernel
def with_bonus(mind: Mind, edges: Edges, first: int, count: int, length: int, seat: int) -> int:
    """Add the turns that continue from the expanded position with a bonus tile: a second expansion, or cash."""
    rules = mind.rules[0]
    states = mind.states
    desk = mind.desk[0]
    best = NOTHING
    again = -1
    cash = -1
    for i in range(legal(rules, states[EXPANDED], desk.inner)):
        action = wide(desk.inner[i])
        kind = rules.action_kind[action]
        if kind == Kind.CASH:
            cash = action
        elif kind == Kind.AGAIN or kind == Kind.AGAIN_FREE:
            looks = worth_after(mind, wide(EXPANDED), action, seat)
            if looks > best:
                best = looks
                again = action
    for action in (again, cash):
        if action >= 0:
            states[NOW] = states[EXPANDED]
            desk.path[length] = action
            apply(rules, states[NOW], action, mind.log[0])
            count = grow_on(mind, edges, first, count, length + 1, seat)
    return count


@kernel
def grow_on(mind: Mind, edges: Edges, first: int, count: int, length: int, seat: int) -> int:
    """Add the turns that end here or continue to grow, step by step where it looks best."""
    rules = mind.rules[0]
    states = mind.states
    desk = mind.desk[0]
    count = keep(mind, edges, first, count, length, seat)
    states[TRIED] = states[NOW]
    best = worth(mind, seat)
    if states[NOW].phase == Phase.EXPAND:
        desk.path[length] = rules.first_id[Kind.DONE]
        apply(rules, states[NOW], wide(desk.path[length]), mind.log[0])
        length += 1
    while length < TURN - 3:
        choice = -1
        pair = -1
        for i in range(legal(rules, states[NOW], desk.inner)):
            action = wide(desk.inner[i])
            kind = rules.action_kind[action]
            if kind == Kind.GROW or kind == Kind.DOUBLE:
                looks = worth_after(mind, wide(NOW), action, seat)
                if looks > best:
                    best = looks
                    choice = action
                    pair = -1
            if kind == Kind.GROW and may_double(rules, states[NOW], wide(rules.action_place[action])):
                # the second franchise of a bonus tile can be what makes the first worth it
                double = action - rules.first_id[Kind.GROW] + rules.first_id[Kind.DOUBLE]
                states[TRIED] = states[NOW]
                apply(rules, states[TRIED], action, mind.log[0])
                apply(rules, states[TRIED], double, mind.log[0])
                looks = worth(mind, seat)
                if looks > best:
                    best = looks
                    choice = action
                    pair = double
        if choice < 0:
            best, choice, pair = score_two_cities(mind, best, seat)
        if choice < 0:
            break
        for action in (choice, pair):
            if action >= 0:
                desk.path[length] = action
                apply(rules, states[NOW], action, mind.log[0])
                length += 1
        count = keep(mind, edges, first, count, length, seat)
    return count


@kernel
def score_two_cities(mind: Mind, best: float, seat: int) -> tuple[float, int, int]:
    """The two steps of growth that complete a region, if they are better than the best turn so far; else -1.

    The first alone may only help others.
    """
    rules = mind.rules[0]
    states = mind.states
    state = states[NOW]
    choice = wide(-1)
    pair = wide(-1)
    if state.cash[seat] < 2 or state.supply[seat] < 4:  # when in doubt none, as in may_double
        return best, choice, pair
    left = state.vacant
    for marker in state.marker:
        if marker >= 0 and rules.towns >> marker & 1 != 0:
            left &= ~bit(wide(marker))
    for region in range(REGIONS):
        places = left & rules.region_mask[region]
        if popcount(places) != 2 or places & ~(state.held[seat] & rules.cities & ~state.centre) != 0:
            continue
        action = wide(rules.first_id[Kind.GROW] + rules.place_rank[lowest(places)])
        other = wide(rules.first_id[Kind.GROW] + rules.place_rank[lowest(places & (places - 1))])
        states[TRIED] = state
        apply(rules, states[TRIED], action, mind.log[0])
        apply(rules, states[TRIED], other, mind.log[0])
        looks = worth(mind, seat)
        if looks > best:
            best = looks
            choice = action
            pair = other
    return best, choice, pair


@kernel
def may_double(rules: Rules, state: State, place: int) -> bool:
    """Whether growth there could be doubled with a bonus tile; when in doubt no, to avoid an illegal move."""
    seat = state.active
    return (  # type: ignore[no-any-return]
        state.bonus[seat] > state.fresh
        and state.bonus_used == 0
        and state.turn > rules.players
        and state.city_size[place] - popcount(state.spaces[place]) >= 2
        and state.supply[seat] >= 4
    )


@kernel
def keep(mind: Mind, edges: Edges, first: int, count: int, length: int, seat: int) -> int:
    """Add the turn on the desk's path, ended, unless it is there already; returns how many there are then."""
    rules = mind.rules[0]
    state = mind.states[NOW]
    desk = mind.desk[0]
    key = position_key(state)
    for i in range(first, first + count):
        if edges[i].key == key:
            return count
    if count == CANDIDATES:
        return count
    edge = edges[first + count]
    mind.states[TRIED] = state
    fill_edge(rules, edge, desk, worth(mind, seat), key, length)
    if state.phase != Phase.GROW:
        edge.moves[edge.length] = rules.first_id[Kind.DONE]
        edge.length += 1
    edge.moves[edge.length] = rules.first_id[Kind.END]
    edge.length += 1
    return count + 1


@kernel
def keep_move(mind: Mind, edges: Edges, first: int, count: int, seat: int) -> int:
    """Add a single move whose value is on the desk; if there is no room, it replaces the worst."""
    desk = mind.desk[0]
    looks = desk.chances[seat] + SCORE * desk.expected[seat]
    spot = first + count
    if count == CANDIDATES:
        spot = first
        for i in range(first, first + count):
            if edges[i].prior < edges[spot].prior:
                spot = i
        if looks <= edges[spot].prior:
            return count
        count -= 1
    fill_edge(mind.rules[0], edges[spot], desk, looks, wide(desk.path[0]), 1)
    return count + 1


@kernel
def fill_edge(rules: Rules, edge: Any, desk: Any, looks: float, key: int, length: int) -> None:
    """Store a turn with the values on the desk."""
    edge.prior = looks
    edge.key = key
    edge.child = -1
    edge.length = length
    for i in range(length):
        edge.moves[i] = desk.path[i]
    for seat in range(rules.players):
        edge.chances[seat] = desk.chances[seat]
        edge.expected[seat] = desk.expected[seat]


@kernel
def position_key(state: State) -> int:
    """Equal for positions in the middle of a turn that differ only in the order of moves."""
    key = 64 * (max(state.marker[0], state.marker[1]) + 1) + min(state.marker[0], state.marker[1]) + 1
    key = key * 1024 + state.cash[state.active] * 8 + state.bonus[state.active]
    key = key * 64 + state.boom + 1
    return (key * 1000003) ^ state.centre ^ (state.doubled << 13)  # type: ignore[no-any-return]


@kernel
def sort_edges(edges: Edges, first: int, count: int) -> int:
    """Best first, by insertion; the edge after the last is scratch."""
    spare = first + count
    for i in range(first + 1, spare):
        j = i
        while j > first and edges[j].prior > edges[j - 1].prior:
            edges[spare] = edges[j]
            edges[j] = edges[j - 1]
            edges[j - 1] = edges[spare]
            j -= 1
    return count
