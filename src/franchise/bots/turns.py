"""Whole turns: ending one, the best single move, and the candidates a search tries.

A candidate is a complete turn. Growing is tried in the order of what it promises but written down in board order, and
turns with the same markers and centres are kept once, so that permutations are never looked at twice.
"""

from typing import Any, TypeAlias

import numpy as np

from franchise.bots.values import Values, evaluate, win_chances
from franchise.engine.bits import popcount
from franchise.engine.jit import kernel
from franchise.engine.layout import MOVES, SEATS, Kind, Log, Moves, Phase, Records, Rules, State, record
from franchise.engine.playout import following
from franchise.engine.rules import apply, legal

TURN = 40  # more moves than a turn of a candidate has
CANDIDATES = 32
EXPANSIONS = 7  # expansions a turn is built upon
SCORE = 0.002  # what a point of influence counts beside the chance to win

EDGE = record(  # a candidate turn
    ("chances", np.float64, (SEATS,)),  # to win, as evaluated at the end of the turn
    ("expected", np.float64, (SEATS,)),  # final influence, likewise
    ("prior", np.float64),  # what it is worth to the player
    ("key", np.int64),  # equal for turns that lead to the same position
    ("child", np.int32),  # node it leads to, -1 before the first visit
    ("length", np.int32),
    ("moves", np.int16, (TURN,)),
)
DESK = record(  # memory to think with, one for each thread; together with three scratch states
    ("expected", np.float64, (SEATS,)),
    ("chances", np.float64, (SEATS,)),
    ("generator", np.int64),
    ("out", np.int32, (MOVES,)),
    ("inner", np.int32, (MOVES,)),
    ("best", np.int32, (EXPANSIONS,)),
    ("looks", np.float64, (EXPANSIONS,)),
)
Edges: TypeAlias = "np.ndarray[Any, np.dtype[np.record]]"


@kernel
def finish_turn(rules: Rules, state: State, log: Log) -> None:
    """Stop here: no further expansion, no further growth, the boom marker stays."""
    if state.phase == Phase.BOOM_MOVE:
        apply(rules, state, rules.first_id[Kind.STAY], log)
    if state.phase == Phase.EXPAND:
        apply(rules, state, rules.first_id[Kind.DONE], log)
    if state.phase == Phase.GROW:
        apply(rules, state, rules.first_id[Kind.END], log)


@kernel
def worth(rules: Rules, state: State, values: Values, work: Any, desk: Any, seat: int, log: Log) -> float:
    """What a position is worth to the seat once its turn is ended; the state is used up."""
    if state.active == seat:
        finish_turn(rules, state, log)
    evaluate(rules, state, values, work, desk.expected)
    win_chances(rules, state, values, desk.expected, desk.chances)
    return desk.chances[seat] + SCORE * desk.expected[seat]  # type: ignore[no-any-return]


@kernel
def worth_after(
    rules: Rules, states: Records, source: int, action: int, values: Values, work: Any, desk: Any, seat: int, log: Log
) -> float:
    """What states[source] is worth to the seat when it makes the move and then ends its turn; uses states[2]."""
    states[2] = states[source]
    apply(rules, states[2], action, log)
    return worth(rules, states[2], values, work, desk, seat, log)


@kernel
def greedy_move(rules: Rules, states: Records, values: Values, work: Any, desk: Any, log: Log) -> int:
    """The move for states[0] after which ending the turn looks best; the generator decides between equals."""
    seat = states[0].active
    count = legal(rules, states[0], desk.out)
    choice = desk.out[0]
    best = -1e9
    for i in range(count):
        looks = 0.0
        if count > 1:
            looks = worth_after(rules, states, 0, desk.out[i], values, work, desk, seat, log)
        desk.generator = following(desk.generator)
        looks += 1e-7 * (desk.generator & 1023) / 1024
        if looks > best:
            best = looks
            choice = desk.out[i]
    return choice  # type: ignore[no-any-return]


# --- candidates -------------------------------------------------------------------------------------------------------


@kernel
def position_key(state: State) -> int:
    """Equal for positions in the middle of a turn that differ only in the order of moves."""
    key = (state.marker[0] + 1) * 64 + state.marker[1] + 1
    key = key * 1009 + state.cash[state.active] * 8 + state.bonus[state.active]
    key = key * 64 + state.boom + 1
    return (key * 1000003) ^ state.centre ^ (state.doubled << 13)  # type: ignore[no-any-return]


@kernel
def keep(
    rules: Rules,
    states: Records,
    source: int,
    values: Values,
    work: Any,
    desk: Any,
    edges: Edges,
    first: int,
    count: int,
    path: Moves,
    length: int,
    seat: int,
    log: Log,
) -> int:
    """Add the turn `path` that has led to states[source], ended, to the edges; returns how many there are then."""
    key = position_key(states[source])
    for i in range(first, first + count):
        if edges[i].key == key:
            return count
    if count == CANDIDATES:
        return count
    states[2] = states[source]
    edge = edges[first + count]
    edge.prior = worth(rules, states[2], values, work, desk, seat, log)
    edge.key = key
    edge.child = -1
    for i in range(length):
        edge.moves[i] = path[i]
    if states[source].active == seat:
        if states[source].phase == Phase.BOOM_MOVE:
            edge.moves[length] = rules.first_id[Kind.STAY]
            length += 1
        if states[source].phase != Phase.GROW:
            edge.moves[length] = rules.first_id[Kind.DONE]
            length += 1
        edge.moves[length] = rules.first_id[Kind.END]
        length += 1
    edge.length = length
    for other in range(rules.players):
        edge.chances[other] = desk.chances[other]
        edge.expected[other] = desk.expected[other]
    return count + 1


@kernel
def grow_on(
    rules: Rules,
    states: Records,
    values: Values,
    work: Any,
    desk: Any,
    edges: Edges,
    first: int,
    count: int,
    path: Moves,
    length: int,
    seat: int,
    log: Log,
) -> int:
    """Add the turns that grow from states[1] (phase 2 or 3) step by step where it looks best."""
    count = keep(rules, states, 1, values, work, desk, edges, first, count, path, length, seat, log)
    states[2] = states[1]
    looks = worth(rules, states[2], values, work, desk, seat, log)
    if states[1].phase == Phase.EXPAND:
        path[length] = rules.first_id[Kind.DONE]
        apply(rules, states[1], path[length], log)
        length += 1
    while length < TURN - 3:
        best = looks
        choice = -1
        pair = -1
        moves = legal(rules, states[1], desk.inner)
        for i in range(moves):
            action = desk.inner[i]
            kind = rules.action_kind[action]
            if kind == Kind.END or kind == Kind.CASH:
                continue
            now = worth_after(rules, states, 1, action, values, work, desk, seat, log)
            if now > best:
                best = now
                choice = action
                pair = -1
            if kind == Kind.GROW and desk.generator >= 0:
                # a second franchise by a bonus tile can be what makes the first worth it
                double = rules.first_id[Kind.DOUBLE] + action - rules.first_id[Kind.GROW]
                if may_double(rules, states[1], rules.action_place[action]):
                    states[2] = states[1]
                    apply(rules, states[2], action, log)
                    apply(rules, states[2], double, log)
                    now = worth(rules, states[2], values, work, desk, seat, log)
                    if now > best:
                        best = now
                        choice = action
                        pair = double
        if choice < 0:
            break
        looks = best
        path[length] = choice
        apply(rules, states[1], choice, log)
        length += 1
        if pair >= 0:
            path[length] = pair
            apply(rules, states[1], pair, log)
            length += 1
        count = keep(rules, states, 1, values, work, desk, edges, first, count, path, length, seat, log)
    return count


@kernel
def may_double(rules: Rules, state: State, place: int) -> bool:
    """Whether growing there could be doubled by a bonus tile in the same turn."""
    seat = state.active
    return (  # type: ignore[no-any-return]
        state.bonus[seat] > state.fresh
        and state.bonus_used == 0
        and state.turn > rules.players
        and state.city_size[place] - popcount(state.spaces[place]) >= 2
        and state.supply[seat] >= 4
    )


@kernel
def list_turns(
    rules: Rules, states: Records, values: Values, work: Any, desk: Any, edges: Edges, first: int, path: Moves, log: Log
) -> int:
    """Write candidate turns for states[0] to the edges from `first` on, best first; returns how many there are.

    Needs five scratch states: 1 and 2 are used here and below, 3 and 4 keep the start of a turn.
    """
    seat = states[0].active
    count = 0
    moves = legal(rules, states[0], desk.out)
    if states[0].turn == 0:  # set-up: every move is a turn
        for i in range(moves):
            states[1] = states[0]
            apply(rules, states[1], desk.out[i], log)
            path[0] = desk.out[i]
            count = keep_better(rules, states, values, work, desk, edges, first, count, path, seat, log)
        return sort_edges(edges, first, count)
    if states[0].phase == Phase.GROW:
        states[1] = states[0]
        count = grow_on(rules, states, values, work, desk, edges, first, count, path, 0, seat, log)
        return sort_edges(edges, first, count)
    # the boom marker first, then the expansions that look best
    length = 0
    states[3] = states[0]
    if states[0].phase == Phase.BOOM_MOVE:
        path[0] = greedy_move(rules, states, values, work, desk, log)
        apply(rules, states[3], path[0], log)
        length = 1
        moves = legal(rules, states[3], desk.out)
    chosen = 0
    for i in range(moves):
        action = desk.out[i]
        kind = rules.action_kind[action]
        if kind == Kind.CASH:
            continue
        looks = worth_after(rules, states, 3, action, values, work, desk, seat, log)
        chosen = rank(desk, chosen, action, looks)
    for i in range(chosen):
        desk.out[i] = desk.best[i]
    for i in range(chosen):
        states[1] = states[3]
        here = length
        action = desk.out[i]
        if rules.action_kind[action] != Kind.DONE:
            path[here] = action
            here += 1
            apply(rules, states[1], action, log)
        states[4] = states[1]
        count = grow_on(rules, states, values, work, desk, edges, first, count, path, here, seat, log)
        if i < 4:
            count = with_bonus(rules, states, values, work, desk, edges, first, count, path, here, seat, log)
    return sort_edges(edges, first, count)


@kernel
def with_bonus(
    rules: Rules,
    states: Records,
    values: Values,
    work: Any,
    desk: Any,
    edges: Edges,
    first: int,
    count: int,
    path: Moves,
    length: int,
    seat: int,
    log: Log,
) -> int:
    """Add the turns that go on from states[4] (phase 2) with a bonus tile: cash, or the best second expansion."""
    moves = legal(rules, states[4], desk.inner)
    best = -1e9
    again = -1
    cash = -1
    for i in range(moves):
        action = desk.inner[i]
        kind = rules.action_kind[action]
        if kind == Kind.CASH:
            cash = action
        elif kind == Kind.AGAIN or kind == Kind.AGAIN_FREE:
            looks = worth_after(rules, states, 4, action, values, work, desk, seat, log)
            if looks > best:
                best = looks
                again = action
    if again >= 0:
        states[1] = states[4]
        path[length] = again
        apply(rules, states[1], again, log)
        count = grow_on(rules, states, values, work, desk, edges, first, count, path, length + 1, seat, log)
    if cash >= 0:
        states[1] = states[4]
        path[length] = cash
        apply(rules, states[1], cash, log)
        count = grow_on(rules, states, values, work, desk, edges, first, count, path, length + 1, seat, log)
    return count


@kernel
def rank(desk: Any, chosen: int, action: int, looks: float) -> int:
    """Insert an action into the best ones."""
    if chosen == EXPANSIONS and looks <= desk.looks[chosen - 1]:
        return chosen
    spot = min(chosen, EXPANSIONS - 1)
    while spot > 0 and desk.looks[spot - 1] < looks:
        desk.looks[spot] = desk.looks[spot - 1]
        desk.best[spot] = desk.best[spot - 1]
        spot -= 1
    desk.looks[spot] = looks
    desk.best[spot] = action
    return min(chosen + 1, EXPANSIONS)


@kernel
def keep_better(
    rules: Rules,
    states: Records,
    values: Values,
    work: Any,
    desk: Any,
    edges: Edges,
    first: int,
    count: int,
    path: Moves,
    seat: int,
    log: Log,
) -> int:
    """Add the one-move turn path[0] that led to states[1]; when all places are taken, instead of the worst."""
    if count < CANDIDATES:
        states[2] = states[1]
        edge = edges[first + count]
        count += 1
    else:
        worst = first
        for i in range(first, first + count):
            if edges[i].prior < edges[worst].prior:
                worst = i
        states[2] = states[1]
        if worth(rules, states[2], values, work, desk, seat, log) <= edges[worst].prior:
            return count
        states[2] = states[1]
        edge = edges[worst]
    evaluate(rules, states[2], values, work, desk.expected)
    win_chances(rules, states[2], values, desk.expected, desk.chances)
    edge.prior = desk.chances[seat] + SCORE * desk.expected[seat]
    edge.key = path[0]
    edge.child = -1
    edge.length = 1
    edge.moves[0] = path[0]
    for other in range(rules.players):
        edge.chances[other] = desk.chances[other]
        edge.expected[other] = desk.expected[other]
    return count


@kernel
def sort_edges(edges: Edges, first: int, count: int) -> int:
    """Best first (insertion sort by swapping neighbours; there are few)."""
    last = first + count
    spare = last  # one edge beyond is scratch
    for i in range(first + 1, last):
        j = i
        while j > first and edges[j].prior > edges[j - 1].prior:
            edges[spare] = edges[j]
            edges[j] = edges[j - 1]
            edges[j - 1] = edges[spare]
            j -= 1
    return count
