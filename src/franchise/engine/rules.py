"""THE RULES, in the order of the rulebook. Clauses are those of docs/rules.md.

`legal`, `apply` and `reset` are the whole interface: no strings, files, random numbers or allocation, and no validation
(Game.play does that). Switched-off modules are neutral values in the records: no milestones to claim, no boom city,
no owner of a road tile.
"""

from franchise.engine.bits import bit, wide
from franchise.engine.instructions import lowest, popcount
from franchise.engine.jit import kernel
from franchise.engine.layout import (
    CITIES,
    FAR,
    LOCATIONS,
    PRICE_KINDS,
    REGIONS,
    SEATS,
    TILES,
    UNREACHABLE,
    EventKind,
    Kind,
    Log,
    Moves,
    Phase,
    Rules,
    State,
)
from franchise.engine.modules import (
    LARGE,
    LARGE_CITY,
    boom_targets,
    claim_milestones,
    count_eights,
    far_way,
)
from franchise.engine.pieces import (
    empty_spaces,
    note,
    own_spaces,
    put_beside,
    put_city_tile,
    put_franchise,
    put_on_track,
    spare,
    taken_spaces,
    targets,
)
from franchise.engine.regions import order_matters, score_region, waiting_regions

FRANCHISES = 40
BONUS_DOLLARS = 10
BONUS_INFLUENCE = 4
DOLLARS_PER_INFLUENCE = 3
GROW_DOLLARS = 1
EIGHT = 4  # number of the $8 price


# --- 1 Set-up ---------------------------------------------------------------------------------------------------------


@kernel
def reset(rules: Rules, state: State, log: Log) -> None:
    """The first state: everything before the first decision (RULES 1.3-1.8, 5, 6.1)."""
    log.length = 0
    state.vacant = rules.in_play
    state.centre = 0
    state.doubled = 0
    for seat in range(SEATS):
        plays = seat < rules.players
        state.held[seat] = 0
        for price in range(PRICE_KINDS):
            state.reach[seat, price] = 0
        state.cash[seat] = rules.starting_money[seat]
        state.influence[seat] = 0
        state.supply[seat] = FRANCHISES if plays else 0
        state.empty[seat] = 0
        state.bonus[seat] = rules.bonus_tiles if plays and rules.milestones == 0 else 0
        state.reserve[seat] = rules.bonus_tiles if plays and rules.milestones != 0 else 0
        state.claimed[seat] = 0
        state.deeds[seat] = 0
        state.eights[seat] = 0
        state.eight_mark[seat] = 0
        state.veterans[seat] = 0
        state.presence[seat] = 0
        state.missing[seat] = 0
    for value in range(3):
        state.valued[value] = 0
    for place in range(LOCATIONS):
        state.city_size[place] = 0
        if rules.city_size[place] > 0:
            put_city_tile(rules, state, place, rules.city_size[place])
    for city in range(CITIES):
        for seat in range(SEATS):
            state.spaces[city, seat] = 0
    state.done = 0
    for region in range(REGIONS):
        state.tie_break[region] = -1
        state.track[region] = -1
        state.region_tile[region] = rules.region_tile[region]
        if rules.region_mask[region] & rules.in_play == 0:
            state.done |= 1 << region
    state.on_track = 0
    for i in range(3):
        if rules.out_of_play[i] >= 0:
            put_on_track(state, rules.out_of_play[i])
    for size in range(9):
        state.pool[size] = rules.pool[size]
    state.region_pool = rules.region_pool
    state.turn = 0
    state.quiet = 0
    state.marker[0] = -1
    state.marker[1] = -1
    state.bonus_used = 0
    state.fresh = 0
    state.boom = -1
    state.road = -1
    state.expansion = -1
    state.active = 0
    state.phase = Phase.DRAFT_CITIES
    set_up(rules, state, log)


@kernel
def set_up(rules: Rules, state: State, log: Log) -> None:
    """Continue to the next decision of the set-up: drafts, starting franchises, boom marker, first turn."""
    if state.phase == Phase.DRAFT_CITIES:
        for size in range(9):
            if state.pool[size] > 0:
                return
        state.phase = Phase.DRAFT_REGIONS
    if state.phase == Phase.DRAFT_REGIONS:
        if state.region_pool != 0:
            return
        state.phase = Phase.START
        state.active = rules.players - 1
        if rules.introductory[0, 0] >= 0:  # RULES 1.8
            for seat in range(rules.players):
                for i in range(2):
                    start(rules, state, seat, rules.introductory[seat, i], log)
            state.active = -1
    if state.phase == Phase.START:
        if state.active >= 0:
            return
        state.active = 0
        state.phase = Phase.BOOM_PLACE
    if state.phase == Phase.BOOM_PLACE and (rules.boom == 0 or state.boom >= 0):
        begin_turn(rules, state, log)


@kernel
def start(rules: Rules, state: State, seat: int, place: int, log: Log) -> None:
    """Place a starting franchise (RULES 1.7, 1.8)."""
    note(log, EventKind.START, seat, place, 0)
    put_franchise(rules, state, seat, place)
    claim_milestones(rules, state, rules.players, log)


# --- 2 The turn -------------------------------------------------------------------------------------------------------


@kernel
def begin_turn(rules: Rules, state: State, log: Log) -> None:
    """Begin the next turn, with the boom marker (RULES 7.2) or with income."""
    turn = state.turn + 1
    state.turn = turn
    note(log, EventKind.TURN, state.active, -1, turn)
    if rules.boom != 0:
        state.phase = Phase.BOOM_MOVE
    else:
        take_income(rules, state, log)


@kernel
def income(rules: Rules, state: State, seat: int) -> int:
    """What phase 1 would pay the seat now (RULES 2.1, 2.2, 7.3)."""
    empty = state.empty[seat]
    if state.boom >= 0 and (state.held[seat] & state.vacant) >> state.boom & 1 != 0:
        empty += empty_spaces(rules, state, state.boom)
    return rules.income[empty]  # type: ignore[no-any-return]


@kernel
def take_income(rules: Rules, state: State, log: Log) -> None:
    """Phase 1 (RULES 2.2)."""
    dollars = income(rules, state, state.active)
    state.cash[state.active] += dollars
    note(log, EventKind.INCOME, state.active, -1, dollars)
    state.phase = Phase.EXPAND


@kernel
def bonus_allowed(rules: Rules, state: State) -> bool:
    """Whether the active player may use a bonus tile now (RULES 3.1, 6.5)."""
    return (  # type: ignore[no-any-return]
        state.bonus[state.active] > state.fresh and state.bonus_used == 0 and state.turn > rules.players
    )


@kernel
def use_bonus(state: State) -> None:
    """A used tile leaves the game (RULES 3.1)."""
    state.bonus[state.active] -= 1
    state.bonus_used = 1


@kernel
def expand(rules: Rules, state: State, place: int, dollars: int, eights: int, log: Log) -> None:
    """Pay and put a marker (RULES 2.3); the $8 links used count for a milestone."""
    seat = state.active
    state.cash[seat] -= dollars
    if state.marker[0] < 0:
        state.marker[0] = place
    else:
        state.marker[1] = place
    if eights > 0:
        count_eights(rules, state, place, eights, log)


@kernel
def open_franchise(rules: Rules, state: State, place: int, log: Log) -> None:
    """Phase 4 for one franchise of the active player, and the scoring it causes (RULES 2.9, 2.10)."""
    space = put_franchise(rules, state, state.active, place)
    note(log, EventKind.OPEN, state.active, place, space)
    claimants = 1
    if rules.cities >> place & 1 != 0:
        own = popcount(own_spaces(rules, state, state.active, place))
        if 2 * own > state.city_size[place] or space == state.city_size[place]:
            score_city(rules, state, place, log)
            claimants = rules.players  # its franchises are veterans now, everybody's
    claim_milestones(rules, state, claimants, log)


@kernel
def score_city(rules: Rules, state: State, place: int, log: Log) -> None:
    """RULES 2.11-2.14."""
    size = wide(state.city_size[place])
    left = size - taken_spaces(rules, state, place)
    winner = state.active
    points = size
    if 2 * popcount(own_spaces(rules, state, winner, place)) > size:
        note(log, EventKind.MAJORITY, winner, place, points)
    else:
        points = size // 2
        best = -1
        for seat in range(rules.players):
            own = own_spaces(rules, state, seat, place)
            if own != 0:
                standing = 8 * popcount(own) - lowest(own)  # most franchises, then the earliest space
                if standing > best:
                    best = standing
                    winner = seat
        note(log, EventKind.FULL, winner, place, points)
    state.influence[winner] += points
    own = own_spaces(rules, state, winner, place)
    back = popcount(own) - 1
    if back > 0:
        state.supply[winner] += back
        state.spaces[rules.place_rank[place], winner] = own & -own  # the first one stays
        note(log, EventKind.TAKE_BACK, winner, place, back)
    for seat in range(rules.players):
        if state.held[seat] >> place & 1 != 0:
            state.empty[seat] -= left
            state.veterans[seat] += popcount(own_spaces(rules, state, seat, place))
    state.vacant &= ~bit(place)
    if size >= LARGE:
        state.deeds[state.active] |= 1 << LARGE_CITY
    region = rules.region_of[place]
    if state.tie_break[region] < 0:
        state.tie_break[region] = state.active
        put_beside(state, state.active)
        note(log, EventKind.TIE_BREAK, state.active, region, 0)


@kernel
def end_turn(rules: Rules, state: State, log: Log) -> None:
    """Phase 4, then phase 5 (RULES 2.9, 2.15)."""
    seat = state.active
    vacant = state.vacant
    state.quiet = 0 if state.marker[0] >= 0 else state.quiet + 1
    for i in range(2):
        place = state.marker[i]
        if place >= 0:
            state.marker[i] = -1
            open_franchise(rules, state, place, log)
    centre = state.centre
    doubled = state.doubled
    state.centre = 0
    state.doubled = 0
    while centre != 0:
        place = lowest(centre)
        centre &= centre - 1
        state.supply[seat] += 1 + (doubled >> place & 1)
        open_franchise(rules, state, place, log)
        if doubled & state.vacant & bit(place) != 0:
            open_franchise(rules, state, place, log)
    if state.vacant != vacant:
        score_regions(rules, state, log)
    else:
        close_turn(rules, state, log)


@kernel
def score_regions(rules: Rules, state: State, log: Log) -> None:
    """Phase 5 in board order, unless the active player has to choose the next region (RULES 2.20, 8.8)."""
    waiting = waiting_regions(rules, state)
    if order_matters(rules, state, waiting):
        state.phase = Phase.SCORE
        return
    while waiting != 0:
        score_region(rules, state, lowest(waiting), log)
        waiting &= waiting - 1
    close_turn(rules, state, log)


@kernel
def close_turn(rules: Rules, state: State, log: Log) -> None:
    """The end of the game, or the next player (RULES 4.1, 4.2)."""
    seat = state.active
    state.bonus_used = 0
    state.fresh = 0
    if state.on_track >= rules.red_zone:
        note(log, EventKind.RED_ZONE, seat, -1, state.on_track)
        final_scoring(rules, state, log)
    elif state.quiet >= rules.players:
        note(log, EventKind.STANDSTILL, seat, -1, 0)
        final_scoring(rules, state, log)
    else:
        state.active = (seat + 1) % rules.players
        begin_turn(rules, state, log)


# --- 4 End ------------------------------------------------------------------------------------------------------------


@kernel
def final_scoring(rules: Rules, state: State, log: Log) -> None:
    """RULES 4.3."""
    for seat in range(rules.players):
        towns = popcount(state.held[seat] & rules.towns)
        money = state.cash[seat] // DOLLARS_PER_INFLUENCE
        tiles = BONUS_INFLUENCE * state.bonus[seat]
        note(log, EventKind.TOWNS, seat, -1, towns)
        note(log, EventKind.MONEY, seat, -1, money)
        note(log, EventKind.BONUS_TILES, seat, -1, tiles)
        state.influence[seat] += towns + money + tiles
    state.phase = Phase.OVER


@kernel
def winners(rules: Rules, state: State) -> int:
    """Bits of the seats with most influence, then most franchises in towns; several share (RULES 4.4)."""
    best = -1
    seats = 0
    for seat in range(rules.players):
        standing = 64 * state.influence[seat] + popcount(state.held[seat] & rules.towns)
        if standing > best:
            best = standing
            seats = 0
        if standing == best:
            seats |= 1 << seat
    return seats


# --- The moves --------------------------------------------------------------------------------------------------------


@kernel
def legal(rules: Rules, state: State, out: Moves) -> int:
    """Write the legal actions in ascending order; returns how many there are (none when the game is over)."""
    if state.phase == Phase.EXPAND:
        return legal_expand(rules, state, out)
    if state.phase == Phase.GROW:
        return legal_grow(rules, state, out)
    if state.phase == Phase.START:
        return list_places(rules, state.vacant & rules.towns, Kind.START, out, 0)
    if state.phase == Phase.BOOM_MOVE:
        length = list_places(rules, boom_targets(rules, state), Kind.BOOM, out, 0)
        out[length] = rules.first_id[Kind.STAY]
        return length + 1
    if state.phase == Phase.BOOM_PLACE:
        return list_places(rules, state.vacant & rules.cities, Kind.BOOM, out, 0)
    if state.phase == Phase.SCORE:
        return legal_regions(rules, state, out)
    if state.phase == Phase.DRAFT_CITIES:
        return legal_tiles(rules, state, out)
    if state.phase == Phase.DRAFT_REGIONS:
        return legal_region_tiles(rules, state, out)
    return 0


@kernel
def list_places(rules: Rules, places: int, kind: int, out: Moves, length: int) -> int:
    """Append one action of the kind for each of the places (towns for `start`, cities for the others)."""
    first = rules.first_id[kind]
    while places != 0:
        out[length] = first + rules.place_rank[lowest(places)]
        places &= places - 1
        length += 1
    return length


@kernel
def list_links(
    rules: Rules, state: State, free: int, cheapest: int, dollars: int, kind: int, out: Moves, length: int
) -> int:
    """Append one action for each target and price from the cheapest up to the dollars (RULES 2.3, 2.5)."""
    first = rules.first_id[kind]
    for price in range(cheapest, PRICE_KINDS):
        if rules.price[price] > dollars:
            break
        there = state.reach[state.active, price] & free
        while there != 0:
            out[length] = first + rules.pair_rank[price, lowest(there)]
            there &= there - 1
            length += 1
    return length


@kernel
def legal_expand(rules: Rules, state: State, out: Moves) -> int:
    """Phase 2 (RULES 2.3-2.6, 3.2, 3.4, 8.5, 8.6)."""
    seat = state.active
    length = 0
    bonus = bonus_allowed(rules, state)
    kind = Kind.EXPAND
    may = spare(state, seat) > 0
    if state.marker[0] >= 0:
        kind = Kind.AGAIN
        may = may and bonus and state.marker[1] < 0
    free = targets(state, seat)
    if may:
        length = list_links(rules, state, free, 0, state.cash[seat], kind, out, length)
    if bonus:
        out[length] = rules.first_id[Kind.CASH]
        length += 1
    out[length] = rules.first_id[Kind.DONE]
    length += 1
    if may and state.road == seat:
        kind = Kind.EXPAND_FREE if kind == Kind.EXPAND else Kind.AGAIN_FREE
        length = list_links(rules, state, free, 1, UNREACHABLE, kind, out, length)
    if may and state.expansion == seat and state.marker[0] < 0:
        for price in range(PRICE_KINDS):
            free &= ~state.reach[seat, price]
        length = list_far(rules, state, free, 0, out, length)
        if state.road == seat:
            length = list_far(rules, state, free, 1, out, length)
    return length


@kernel
def list_far(rules: Rules, state: State, places: int, free: int, out: Moves, length: int) -> int:
    """Append the far expansions; with a free link only where that saves something (RULES 8.5, 8.6)."""
    first = rules.first_id[Kind.FAR_FREE if free != 0 else Kind.FAR]
    while places != 0:
        place = lowest(places)
        places &= places - 1
        dollars = far_way(rules, state, place, free) // FAR
        if dollars <= state.cash[state.active] and (free == 0 or dollars < far_way(rules, state, place, 0) // FAR):
            out[length] = first + place
            length += 1
    return length


@kernel
def legal_grow(rules: Rules, state: State, out: Moves) -> int:
    """Phase 3 (RULES 2.7, 2.8, 3.3, 3.4)."""
    seat = state.active
    length = 0
    bonus = bonus_allowed(rules, state)
    if spare(state, seat) > 0:
        if state.cash[seat] >= GROW_DOLLARS:
            cities = state.held[seat] & state.vacant & rules.cities & ~state.centre
            length = list_places(rules, cities, Kind.GROW, out, length)
        if bonus:
            cities = state.centre
            while cities != 0:
                place = lowest(cities)
                cities &= cities - 1
                if empty_spaces(rules, state, place) >= 2:
                    out[length] = rules.first_id[Kind.DOUBLE] + rules.place_rank[place]
                    length += 1
    if bonus:
        out[length] = rules.first_id[Kind.CASH]
        length += 1
    out[length] = rules.first_id[Kind.END]
    return length + 1


@kernel
def legal_regions(rules: Rules, state: State, out: Moves) -> int:
    """Phase 5, where the order matters (RULES 8.8)."""
    length = 0
    waiting = waiting_regions(rules, state)
    while waiting != 0:
        out[length] = rules.first_id[Kind.SCORE] + lowest(waiting)
        waiting &= waiting - 1
        length += 1
    return length


@kernel
def legal_tiles(rules: Rules, state: State, out: Moves) -> int:
    """City tiles the draft can place (RULES 5.1, 5.2)."""
    length = 0
    for place in range(LOCATIONS):
        if state.city_size[place] == 0 and rules.in_play >> place & 1 != 0:
            for size in range(2, 9):
                if state.pool[size] > 0 and rules.tile_class[size] == rules.city_class[place]:
                    out[length] = rules.first_id[Kind.TILE] + rules.tile_rank[place, size]
                    length += 1
    return length


@kernel
def legal_region_tiles(rules: Rules, state: State, out: Moves) -> int:
    """Region tiles the draft can place (RULES 5.1, 5.2)."""
    length = 0
    for tile in range(TILES):
        if state.region_pool >> tile & 1 != 0:
            for region in range(REGIONS):
                if state.region_tile[region] < 0:
                    out[length] = rules.first_id[Kind.REGION] + tile * REGIONS + region
                    length += 1
    return length


@kernel
def apply(rules: Rules, state: State, action: int, log: Log) -> None:
    """Carry out a legal action and everything automatic that follows it; the log holds what happened."""
    log.length = 0
    seat = state.active
    kind = rules.action_kind[action]
    place = wide(rules.action_place[action])
    detail = wide(rules.action_detail[action])
    if kind == Kind.GROW:
        state.cash[seat] -= GROW_DOLLARS
        state.supply[seat] -= 1
        state.centre |= bit(place)
        note(log, EventKind.GROW, seat, place, GROW_DOLLARS)
    elif kind == Kind.DONE:
        state.phase = Phase.GROW
    elif kind == Kind.END:
        end_turn(rules, state, log)
    elif kind == Kind.EXPAND or kind == Kind.AGAIN:
        dollars = rules.price[detail]
        if kind == Kind.AGAIN:
            use_bonus(state)
            note(log, EventKind.AGAIN, seat, place, dollars)
        else:
            note(log, EventKind.EXPAND, seat, place, dollars)
        expand(rules, state, place, dollars, 1 if detail == EIGHT else 0, log)
    elif kind == Kind.CASH:
        use_bonus(state)
        state.cash[seat] += BONUS_DOLLARS
        note(log, EventKind.CASH, seat, -1, BONUS_DOLLARS)
    elif kind == Kind.DOUBLE:
        use_bonus(state)
        state.supply[seat] -= 1
        state.doubled |= bit(place)
        note(log, EventKind.DOUBLE, seat, place, 0)
    elif kind == Kind.START:
        start(rules, state, seat, place, log)
        state.active -= 1
        set_up(rules, state, log)
    else:
        apply_module(rules, state, kind, place, detail, log)


@kernel
def apply_module(rules: Rules, state: State, kind: int, place: int, detail: int, log: Log) -> None:
    """The moves only modules have."""
    seat = state.active
    if kind == Kind.EXPAND_FREE or kind == Kind.AGAIN_FREE:
        if kind == Kind.AGAIN_FREE:
            use_bonus(state)
            note(log, EventKind.AGAIN, seat, place, 0)
        else:
            note(log, EventKind.EXPAND, seat, place, 0)
        state.road = -2
        note(log, EventKind.ROAD, seat, place, rules.price[detail])
        expand(rules, state, place, 0, 1 if detail == EIGHT else 0, log)
    elif kind == Kind.FAR or kind == Kind.FAR_FREE:
        way = far_way(rules, state, place, 0)
        dollars = way // FAR
        state.expansion = -2
        if kind == Kind.FAR_FREE:
            way = far_way(rules, state, place, 1)
            state.road = -2
            note(log, EventKind.FAR, seat, place, way // FAR)
            note(log, EventKind.ROAD, seat, place, dollars - way // FAR)
        else:
            note(log, EventKind.FAR, seat, place, dollars)
        expand(rules, state, place, way // FAR, way % FAR, log)
    elif kind == Kind.SCORE:
        score_region(rules, state, place, log)
        score_regions(rules, state, log)
    elif kind == Kind.STAY:
        take_income(rules, state, log)
    elif kind == Kind.BOOM:
        state.boom = place
        note(log, EventKind.BOOM, seat, place, 0)
        if state.phase == Phase.BOOM_PLACE:
            set_up(rules, state, log)
        else:
            take_income(rules, state, log)
    else:
        if kind == Kind.TILE:
            state.pool[detail] -= 1
            put_city_tile(rules, state, place, detail)
            note(log, EventKind.CITY_TILE, seat, place, detail)
        else:
            state.region_pool &= ~(1 << detail)
            state.region_tile[place] = detail
            note(log, EventKind.REGION_TILE, seat, place, detail)
        state.active = (seat + 1) % rules.players
        set_up(rules, state, log)
