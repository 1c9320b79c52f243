"""Phase 5: which regions are to be scored, whether their order matters, and what a region pays (RULES 2.16-2.20, 8)."""

from franchise.engine.instructions import lowest
from franchise.engine.jit import kernel
from franchise.engine.layout import REGIONS, EventKind, Log, Rules, State, TileKind
from franchise.engine.modules import REGION_SCORED, claim_milestones
from franchise.engine.pieces import franchises_in, note, put_on_track


@kernel
def waiting_regions(rules: Rules, state: State) -> int:
    """Bits of the regions to be scored now (RULES 2.16)."""
    waiting = 0
    for region in range(REGIONS):
        if rules.region_mask[region] & state.vacant == 0 and state.done >> region & 1 == 0:
            waiting |= 1 << region
    return waiting


@kernel
def order_matters(rules: Rules, state: State, waiting: int) -> bool:
    """Whether two or more regions are waiting and one of them has a count tile (RULES 8.8)."""
    if waiting & (waiting - 1) == 0:
        return False
    while waiting != 0:
        if rules.tile_kind[state.region_tile[lowest(waiting)]] == TileKind.COUNT:
            return True
        waiting &= waiting - 1
    return False


@kernel
def score_region(rules: Rules, state: State, region: int, log: Log) -> None:
    """Phase 5 for one region (RULES 2.17-2.20)."""
    tile = state.region_tile[region]
    note(log, EventKind.REGION, state.active, region, tile)
    ranked = 0  # bits of the seats that have their rank
    rank = 0
    while True:
        best = 0
        first = -1
        for step in range(rules.players):  # ties: from the tie-breaker clockwise (RULES 2.19)
            seat = state.tie_break[region] + step
            if seat >= rules.players:
                seat -= rules.players
            if ranked >> seat & 1 == 0:
                count = franchises_in(rules, state, seat, rules.region_mask[region])
                if count > best:
                    best = count
                    first = seat
        if first < 0:
            break
        value = rank
        if rank > 2 or (rules.players == 2 and rank == 1):  # RULES 2.18
            value = 2
        pay_rank(rules, state, region, tile, first, rank, value, log)
        ranked |= 1 << first
        rank += 1
    points = rules.track[state.on_track]
    put_on_track(state, region)
    state.influence[state.active] += points
    note(log, EventKind.TRACK, state.active, region, points)
    state.deeds[state.active] |= 1 << REGION_SCORED
    claim_milestones(rules, state, 1, log)


@kernel
def pay_rank(rules: Rules, state: State, region: int, tile: int, seat: int, rank: int, value: int, log: Log) -> None:
    """What a rank earns on the region's tile (RULES 2.17, 8.2-8.6)."""
    kind = rules.tile_kind[tile]
    amount = rules.tile_values[tile, value]
    if kind == TileKind.DOLLARS:
        state.cash[seat] += amount
        note(log, EventKind.DOLLARS, seat, region, amount)
        return
    if kind == TileKind.COUNT:
        amount = max(state.on_track + amount, 0)
    state.influence[seat] += amount
    note(log, EventKind.RANK, seat, region, amount)
    if rank == 0:
        if kind == TileKind.BONUS and state.bonus[seat] + state.reserve[seat] < rules.bonus_tiles:
            state.bonus[seat] += 1
            note(log, EventKind.BONUS_BACK, seat, region, 0)
        elif kind == TileKind.EXPANSION:
            state.expansion = seat
            note(log, EventKind.EXPANSION_TILE, seat, region, 0)
        elif kind == TileKind.ROAD:
            state.road = seat
            note(log, EventKind.ROAD_TILE, seat, region, 0)
