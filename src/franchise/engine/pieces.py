"""Placing and counting franchises and tiles on the board. When and why is decided in rules.py."""

from franchise.engine.bits import bit, wide
from franchise.engine.instructions import lowest, popcount
from franchise.engine.jit import kernel
from franchise.engine.layout import PRICE_KINDS, SEATS, Log, Rules, State


@kernel
def note(log: Log, kind: int, seat: int, place: int, amount: int) -> None:
    """Add an event to the log."""
    row = log.rows[log.length]
    row[0] = kind
    row[1] = seat
    row[2] = place
    row[3] = amount
    log.length += 1


@kernel
def put_city_tile(rules: Rules, state: State, place: int, size: int) -> None:
    """Put a tile on a city (RULES 1.3, 5.1)."""
    state.city_size[place] = size
    if size >= 2 and size <= 4 and rules.in_play & bit(place):
        state.valued[size - 2] |= bit(place)


@kernel
def put_franchise(rules: Rules, state: State, seat: int, place: int) -> int:
    """Put a franchise on the next empty space; returns the number of the space from 1 (RULES 2.9)."""
    here = bit(place)
    is_city = rules.cities & here != 0
    taken = taken_spaces(rules, state, place) if is_city else 0
    state.supply[seat] -= 1
    if state.held[seat] & here == 0:
        if state.held[seat] & rules.region_mask[rules.region_of[place]] == 0:
            state.presence[seat] += 1
        state.held[seat] |= here
        for price in range(PRICE_KINDS):
            state.reach[seat, price] |= rules.links[place, price]
        if is_city:
            state.empty[seat] += state.city_size[place] - taken
    if is_city:
        state.spaces[rules.place_rank[place], seat] |= bit(taken)
        for other in range(rules.players):
            state.empty[other] -= state.held[other] >> place & 1
    else:
        state.vacant &= ~here
    return taken + 1


@kernel
def put_beside(state: State, seat: int) -> None:
    """Mark a tile with a franchise from supply; with an empty supply the mark still counts (RULES 2.14, 6.4)."""
    if spare(state, seat) > 0:
        state.supply[seat] -= 1
    else:
        state.missing[seat] += 1


@kernel
def put_on_track(state: State, region: int) -> None:
    """Move the region's tile to the first free space of the region track."""
    state.track[state.on_track] = region
    state.on_track += 1
    state.done |= 1 << region


@kernel
def own_spaces(rules: Rules, state: State, seat: int, place: int) -> int:
    """The spaces of a city that the seat has, as bits."""
    return wide(state.spaces[rules.place_rank[place], seat])


@kernel
def taken_spaces(rules: Rules, state: State, place: int) -> int:
    """The number of franchises in a city."""
    taken = wide(0)
    for seat in range(SEATS):
        taken |= own_spaces(rules, state, seat, place)
    return popcount(taken)


@kernel
def empty_spaces(rules: Rules, state: State, place: int) -> int:
    """The number of empty spaces of an unscored city."""
    return state.city_size[place] - taken_spaces(rules, state, place)  # type: ignore[no-any-return]


@kernel
def spare(state: State, seat: int) -> int:
    """Franchises in supply that are not needed for an expansion marker of the seat (RULES 4.5)."""
    waiting = 0
    if seat == state.active:
        if state.marker[0] >= 0:
            waiting += 1
        if state.marker[1] >= 0:
            waiting += 1
    return state.supply[seat] - waiting  # type: ignore[no-any-return]


@kernel
def targets(state: State, seat: int) -> int:
    """Where the seat could expand to if links and money allowed (RULES 2.4, 3.2)."""
    free = state.vacant & ~state.held[seat]
    if state.marker[0] >= 0:
        free &= ~bit(state.marker[0])
    return free  # type: ignore[no-any-return]


@kernel
def franchises_in(rules: Rules, state: State, seat: int, places: int) -> int:
    """A player's franchises in some towns and cities."""
    places &= state.held[seat]
    total = popcount(places & rules.towns)
    cities = places & rules.cities
    while cities != 0:
        total += popcount(own_spaces(rules, state, seat, lowest(cities)))
        cities &= cities - 1
    return total
