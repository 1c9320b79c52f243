"""What the modules add to a turn: claiming milestones, targets of the boom marker, far expansions.

If a module is switched off, its table is empty or neutral, so these functions have nothing to do.
"""

from franchise.engine.bits import bit, wide
from franchise.engine.instructions import lowest, popcount
from franchise.engine.jit import kernel
from franchise.engine.layout import UNREACHABLE, EventKind, Log, Rules, State
from franchise.engine.pieces import note, put_beside, spare

# milestones in the order of their letters, RULES 6.3
TOWNS_4, REGIONS_4, VETERANS_5, VALUES_2_3_4, LARGE_CITY, REGION_SCORED, TWO_EIGHTS = range(7)
LARGE = 6  # smallest value of a large city


@kernel
def claim_milestones(rules: Rules, state: State, seats: int, log: Log) -> None:
    """Claim every milestone that is met, in order (RULES 6.2-6.5).

    `seats` is how many can have met one just now, clockwise from the active player.
    """
    if rules.milestones == 0:
        return
    for step in range(seats):
        seat = state.active + step
        if seat >= rules.players:
            seat -= rules.players
        unclaimed = rules.milestones & ~state.claimed[seat]
        if state.reserve[seat] > 0 and unclaimed != 0:
            met = unclaimed & milestones_met(rules, state, seat)
            while met != 0 and state.reserve[seat] > 0:
                milestone = lowest(met)
                met &= met - 1
                state.claimed[seat] |= 1 << milestone
                if milestone == TWO_EIGHTS and state.eight_mark[seat] != 0:
                    state.eight_mark[seat] = 0  # it becomes the mark of the claim
                else:
                    put_beside(state, seat)
                state.reserve[seat] -= 1
                state.bonus[seat] += 1
                if seat == state.active:
                    state.fresh += 1
                note(log, EventKind.MILESTONE, seat, milestone, 0)


@kernel
def count_eights(rules: Rules, state: State, place: int, eights: int, log: Log) -> None:
    """Count the $8 links that the active player uses; a franchise may record the first (RULES 6.3 g)."""
    seat = state.active
    state.eights[seat] += eights
    if state.eights[seat] >= 2:
        state.deeds[seat] |= 1 << TWO_EIGHTS
    if rules.milestones >> TWO_EIGHTS & 1 != 0:
        note(log, EventKind.EIGHT, seat, place, state.eights[seat])
        if state.eights[seat] == 1 and state.reserve[seat] > 0 and spare(state, seat) > 0:
            state.eight_mark[seat] = 1
            state.supply[seat] -= 1
            note(log, EventKind.EIGHT_MARK, seat, TWO_EIGHTS, 0)
    claim_milestones(rules, state, 1, log)


@kernel
def milestones_met(rules: Rules, state: State, seat: int) -> int:
    """Bits of the milestones whose condition the seat meets now (RULES 6.3)."""
    held = state.held[seat]
    met = wide(state.deeds[seat])
    if popcount(held & rules.towns) >= 4:
        met |= 1 << TOWNS_4
    if state.presence[seat] >= 4:
        met |= 1 << REGIONS_4
    if state.veterans[seat] >= 5:
        met |= 1 << VETERANS_5
    there = held & state.vacant
    if there & state.valued[0] != 0 and there & state.valued[1] != 0 and there & state.valued[2] != 0:
        met |= 1 << VALUES_2_3_4
    return met


@kernel
def boom_targets(rules: Rules, state: State) -> int:
    """Cities with a direct connection to the boom city, through towns and scored cities (RULES 7.2, 7.4)."""
    reached = rules.direct[state.boom]
    passed = wide(0)
    wave = reached & ~state.vacant
    while wave != 0 and reached != rules.cities & rules.in_play:
        passed |= wave
        while wave != 0:
            reached |= rules.direct[lowest(wave)]
            wave &= wave - 1
        wave = reached & ~(state.vacant | passed)
    return reached & ~bit(state.boom)  # type: ignore[no-any-return]


@kernel
def far_way(rules: Rules, state: State, place: int, free: int) -> int:
    """The cheapest route from any held location, with 0 or 1 links free (RULES 8.5, 8.6), encoded with FAR."""
    best = UNREACHABLE
    held = state.held[state.active]
    while held != 0:
        way = rules.far[free, lowest(held), place]
        held &= held - 1
        if way < best:
            best = way
    return best
