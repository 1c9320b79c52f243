"""Whole turns: ending one, what it is worth, the best single move, and the candidates a search tries.

A candidate is a complete turn. Growth is tried in order of its value, and turns that lead to the same markers and
centres are kept only once, so that permutations are never evaluated twice.
"""

from typing import Any, NamedTuple, TypeAlias

import numpy as np

from franchise.bots.network import Network, Weights, appraise, forget, new_network
from franchise.bots.values import Values, evaluate, win_chances
from franchise.engine.bits import bit, wide
from franchise.engine.instructions import lowest, popcount
from franchise.engine.jit import kernel
from franchise.engine.layout import LOG, MOVES, REGIONS, SEATS, STATE, Kind, Phase, Records, Rules, State, record
from franchise.engine.pieces import empty_spaces
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
SCRATCH = record(  # working memory
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


class SearchMemory(NamedTuple):
    """The working memory of a bot: records in arrays, for kernels. One for each thread."""

    rules: Records
    values: Records
    states: Records  # five scratch states
    work: Records
    scratch: Records
    log: Records
    network: Network


Edges: TypeAlias = "np.ndarray[Any, np.dtype[np.record]]"


def new_search_memory(rules: Records, values: Records, work: Records, weights: Weights) -> SearchMemory:
    """A SearchMemory for games with these rules."""
    return SearchMemory(
        rules, values, np.zeros(5, STATE), work, np.zeros(1, SCRATCH), np.zeros(1, LOG), new_network(weights)
    )


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
def worth(memory: SearchMemory, seat: int) -> float:
    """The value of the tried position to the seat once its turn is ended; the position is overwritten."""
    state = memory.states[TRIED]
    scratch = memory.scratch[0]
    if state.active == seat:
        finish_turn(memory.rules[0], state, memory.log[0])
    value_of(memory, state)
    return scratch.chances[seat] + SCORE * scratch.expected[seat]  # type: ignore[no-any-return]


@kernel
def value_of(memory: SearchMemory, state: State) -> None:
    """Write expected influence and chances to win of a position to the scratch record."""
    values: Values = memory.values[0]
    evaluate(
        memory.rules[0], state, values, memory.work[0], memory.scratch[0].expected[:]
    )  # the type that Python passes, too
    win_chances(memory.rules[0], state, values, memory.scratch[0].expected, memory.scratch[0].chances)


@kernel
def worth_after(memory: SearchMemory, source: int, action: int, seat: int) -> float:
    """The value of a scratch state to the seat after it makes the move and ends its turn."""
    memory.states[TRIED] = memory.states[source]
    apply(memory.rules[0], memory.states[TRIED], action, memory.log[0])
    return worth(memory, seat)


@kernel
def worth_after_both(memory: SearchMemory, action: int, other: int, seat: int) -> float:
    """The value of the turn being built to the seat after two more moves."""
    memory.states[TRIED] = memory.states[NOW]
    apply(memory.rules[0], memory.states[TRIED], action, memory.log[0])
    apply(memory.rules[0], memory.states[TRIED], other, memory.log[0])
    return worth(memory, seat)


@kernel
def greedy_move(memory: SearchMemory) -> int:
    """The move for the given position after which ending the turn looks best."""
    scratch = memory.scratch[0]
    seat = wide(memory.states[HERE].active)
    count = legal(memory.rules[0], memory.states[HERE], scratch.inner)
    choice = scratch.inner[0]
    best = NOTHING
    if count > 1:
        for i in range(count):
            scratch.generator = following(scratch.generator)
            looks = (
                worth_after(memory, wide(HERE), wide(scratch.inner[i]), seat) + 1e-7 * (scratch.generator & 1023) / 1024
            )
            if looks > best:
                best = looks
                choice = scratch.inner[i]
    return choice  # type: ignore[no-any-return]


@kernel
def starting_town(memory: SearchMemory, state: Any, temperature: float, share: float) -> int:
    """A random starting town, with those more likely that earned more (LevelBot.learned_start)."""
    rules, out = memory.rules[0], memory.scratch[0].out
    earned = memory.values[0].start[rules.players - 2]
    choices = legal(rules, state, out)
    total = 0.0
    for i in range(choices):
        total += np.exp(earned[rules.action_place[out[i]]] / temperature)
    share *= total
    choice = wide(out[0])
    for i in range(choices):
        choice = wide(out[i])
        share -= np.exp(earned[rules.action_place[choice]] / temperature)
        if share < 0.0:
            break
    return choice


# --- candidates -------------------------------------------------------------------------------------------------------


@kernel
def list_turns(memory: SearchMemory, edges: Edges, first: int) -> int:
    """Write candidate turns for the given position to the edges from `first` on, best first; returns how many."""
    rules = memory.rules[0]
    states = memory.states
    scratch = memory.scratch[0]
    seat = wide(states[HERE].active)
    count = wide(0)
    if states[HERE].turn == 0 or states[HERE].phase == Phase.SCORE:  # every move is a turn
        for i in range(legal(rules, states[HERE], scratch.out)):
            scratch.path[0] = scratch.out[i]
            states[TRIED] = states[HERE]
            apply(rules, states[TRIED], wide(scratch.out[i]), memory.log[0])
            if states[TRIED].phase == Phase.SCORE:
                finish_turn(rules, states[TRIED], memory.log[0])
            value_of(memory, states[TRIED])
            count = add_move(memory, edges, first, count, seat)
        return sort_edges(edges, first, count)
    if states[HERE].phase == Phase.GROW:
        states[NOW] = states[HERE]
        return sort_edges(edges, first, grow_on(memory, edges, first, count, wide(0), seat))
    states[BEGUN] = states[HERE]
    length = wide(0)
    if states[HERE].phase == Phase.BOOM_MOVE:
        scratch.path[0] = greedy_move(memory)
        apply(rules, states[BEGUN], wide(scratch.path[0]), memory.log[0])
        length = 1
    for i in range(rank_expansions(memory, seat)):
        states[NOW] = states[BEGUN]
        here = length
        action = wide(scratch.best[i])
        if rules.action_kind[action] != Kind.DONE:
            scratch.path[here] = action
            here += 1
            apply(rules, states[NOW], action, memory.log[0])
        states[EXPANDED] = states[NOW]
        count = grow_on(memory, edges, first, count, here, seat)
        if i < BONUS_BRANCHES:
            count = with_bonus(memory, edges, first, count, here, seat)
    return sort_edges(edges, first, count)


@kernel
def revalue(memory: SearchMemory, edges: Edges, first: int, count: int) -> None:
    """Let the network value the turns listed for the given position, and sort them again."""
    states = memory.states
    scratch = memory.scratch[0]
    seat = wide(states[HERE].active)
    if memory.network.weights.first.shape[0] == 0:
        return
    if states[HERE].phase == Phase.DRAFT_CITIES or states[HERE].phase == Phase.DRAFT_REGIONS:  # it knows no drafts
        return
    forget(memory.network)
    for i in range(first, first + count):
        states[TRIED] = states[HERE]
        for j in range(edges[i].length):
            apply(memory.rules[0], states[TRIED], wide(edges[i].moves[j]), memory.log[0])
        if states[TRIED].phase == Phase.SCORE:
            finish_turn(memory.rules[0], states[TRIED], memory.log[0])
        expected, chances = scratch.expected[:], scratch.chances[:]
        appraise(memory.rules[0], states[TRIED], memory.values[0], memory.work[0], memory.network, expected, chances)
        edges[i].prior = scratch.chances[seat] + SCORE * scratch.expected[seat]
        for s in range(memory.rules[0].players):
            edges[i].chances[s] = scratch.chances[s]
            edges[i].expected[s] = scratch.expected[s]
    sort_edges(edges, first, count)


@kernel
def rank_expansions(memory: SearchMemory, seat: int) -> int:
    """Write the expansions (or none: `done`) that look best to the scratch record; returns how many."""
    rules = memory.rules[0]
    scratch = memory.scratch[0]
    chosen = 0
    for i in range(legal(rules, memory.states[BEGUN], scratch.out)):
        action = wide(scratch.out[i])
        if rules.action_kind[action] == Kind.CASH:
            continue
        looks = worth_after(memory, wide(BEGUN), action, seat)
        if chosen < EXPANSIONS:
            chosen += 1
        elif looks <= scratch.looks[EXPANSIONS - 1]:
            continue
        spot = chosen - 1
        while spot > 0 and scratch.looks[spot - 1] < looks:
            scratch.looks[spot] = scratch.looks[spot - 1]
            scratch.best[spot] = scratch.best[spot - 1]
            spot -= 1
        scratch.looks[spot] = looks
        scratch.best[spot] = action
    return chosen


@kernel
def with_bonus(memory: SearchMemory, edges: Edges, first: int, count: int, length: int, seat: int) -> int:
    """Add the turns that continue from the expanded position with a bonus tile: a second expansion, or cash."""
    rules = memory.rules[0]
    states = memory.states
    scratch = memory.scratch[0]
    best = NOTHING
    again = -1
    cash = -1
    for i in range(legal(rules, states[EXPANDED], scratch.inner)):
        action = wide(scratch.inner[i])
        kind = rules.action_kind[action]
        if kind == Kind.CASH:
            cash = action
        elif kind == Kind.AGAIN or kind == Kind.AGAIN_FREE:
            looks = worth_after(memory, wide(EXPANDED), action, seat)
            if looks > best:
                best = looks
                again = action
    for action in (again, cash):
        if action >= 0:
            states[NOW] = states[EXPANDED]
            scratch.path[length] = action
            apply(rules, states[NOW], action, memory.log[0])
            count = grow_on(memory, edges, first, count, length + 1, seat)
    return count


@kernel
def grow_on(memory: SearchMemory, edges: Edges, first: int, count: int, length: int, seat: int) -> int:
    """Add the turns that end here or continue to grow, step by step where it looks best."""
    rules = memory.rules[0]
    states = memory.states
    scratch = memory.scratch[0]
    count = add_turn(memory, edges, first, count, length, seat)
    states[TRIED] = states[NOW]
    best = worth(memory, seat)
    if states[NOW].phase == Phase.EXPAND:
        scratch.path[length] = rules.first_id[Kind.DONE]
        apply(rules, states[NOW], wide(scratch.path[length]), memory.log[0])
        length += 1
    while length < TURN - 3:
        choice = -1
        pair = -1
        for i in range(legal(rules, states[NOW], scratch.inner)):
            action = wide(scratch.inner[i])
            kind = rules.action_kind[action]
            if kind == Kind.GROW or kind == Kind.DOUBLE:
                looks = worth_after(memory, wide(NOW), action, seat)
                if looks > best:
                    best = looks
                    choice = action
                    pair = -1
            if kind == Kind.GROW and may_double(rules, states[NOW], wide(rules.action_place[action])):
                # the second franchise of a bonus tile can be what makes the first worth it
                double = action - rules.first_id[Kind.GROW] + rules.first_id[Kind.DOUBLE]
                looks = worth_after_both(memory, action, wide(double), seat)
                if looks > best:
                    best = looks
                    choice = action
                    pair = double
        if choice < 0:
            best, choice, pair = score_two_cities(memory, best, seat)
        if choice < 0:
            break
        for action in (choice, pair):
            if action >= 0:
                scratch.path[length] = action
                apply(rules, states[NOW], action, memory.log[0])
                length += 1
        count = add_turn(memory, edges, first, count, length, seat)
    return count


@kernel
def score_two_cities(memory: SearchMemory, best: float, seat: int) -> tuple[float, int, int]:
    """The two steps of growth that complete a region, if they are better than the best turn so far; else -1.

    The first alone may only help others.
    """
    rules = memory.rules[0]
    states = memory.states
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
        looks = worth_after_both(memory, action, other, seat)
        if looks > best:
            best = looks
            choice = action
            pair = other
    return best, choice, pair


@kernel
def may_double(rules: Rules, state: State, place: int) -> bool:
    """Whether growth there could be doubled with a bonus tile; when in doubt no, to avoid an illegal move."""
    seat = state.active
    return (
        state.bonus[seat] > state.fresh
        and state.bonus_used == 0
        and state.turn > rules.players
        and empty_spaces(rules, state, place) >= 2
        and state.supply[seat] >= 4
    )


@kernel
def add_turn(memory: SearchMemory, edges: Edges, first: int, count: int, length: int, seat: int) -> int:
    """Add the turn on the scratch record's path, ended, unless it is there already; returns how many there are then."""
    rules = memory.rules[0]
    state = memory.states[NOW]
    scratch = memory.scratch[0]
    key = position_key(state)
    for i in range(first, first + count):
        if edges[i].key == key:
            return count
    if count == CANDIDATES:
        return count
    edge = edges[first + count]
    memory.states[TRIED] = state
    fill_edge(rules, edge, scratch, worth(memory, seat), key, length)
    if state.phase != Phase.GROW:
        edge.moves[edge.length] = rules.first_id[Kind.DONE]
        edge.length += 1
    edge.moves[edge.length] = rules.first_id[Kind.END]
    edge.length += 1
    return count + 1


@kernel
def add_move(memory: SearchMemory, edges: Edges, first: int, count: int, seat: int) -> int:
    """Add a single move whose value is in the scratch record; if there is no room, it replaces the worst."""
    scratch = memory.scratch[0]
    looks = scratch.chances[seat] + SCORE * scratch.expected[seat]
    spot = first + count
    if count == CANDIDATES:
        spot = first
        for i in range(first, first + count):
            if edges[i].prior < edges[spot].prior:
                spot = i
        if looks <= edges[spot].prior:
            return count
        count -= 1
    fill_edge(memory.rules[0], edges[spot], scratch, looks, wide(scratch.path[0]), 1)
    return count + 1


@kernel
def fill_edge(rules: Rules, edge: Any, scratch: Any, looks: float, key: int, length: int) -> None:
    """Store a turn with the values in the scratch record."""
    edge.prior = looks
    edge.key = key
    edge.child = -1
    edge.length = length
    for i in range(length):
        edge.moves[i] = scratch.path[i]
    for seat in range(rules.players):
        edge.chances[seat] = scratch.chances[seat]
        edge.expected[seat] = scratch.expected[seat]


@kernel
def position_key(state: State) -> int:
    """Equal for positions in the middle of a turn that differ only in the order of moves."""
    first, second = wide(state.marker[0]), wide(state.marker[1])
    key = 64 * (max(first, second) + 1) + min(first, second) + 1
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
