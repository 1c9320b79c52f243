"""A state as numbers for learning: one flat vector, whose last part is planes over the locations.

FIELDS describes it; docs/envs.md lists it, and a test compares the two. Everything is seen from one seat: where
a field has a row for each seat, row 0 is the viewer, row 1 the next player clockwise, and so on; rows of seats that do
not play are 0. The kernel writes counts (uint8, at most 255); a vector is the counts divided by the field's
unit (float32).
"""

from itertools import accumulate
from math import prod
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from franchise.engine.bits import bit, wide
from franchise.engine.instructions import lowest, popcount
from franchise.engine.jit import entry_point, kernel
from franchise.engine.layout import (
    LOCATIONS,
    PRICE_KINDS,
    REGIONS,
    SEATS,
    TILES,
    Moves,
    Phase,
    Records,
    Rules,
    State,
    TileKind,
    record,
)
from franchise.engine.pieces import own_spaces
from franchise.engine.rules import income, legal

VERSION = 2  # of the action and the observation space; tests/envs/test_spaces.py pins what it means
MOST = 255  # counts are capped at this
MILESTONE_KINDS = 7
DEEDS = 3  # the last of the milestones: e, f, g
SIZES = 7  # city tiles have 2 to 8 spaces
LOWEST_VALUE = 2  # region tiles pay from -2
TILE_KINDS = len(TileKind)
PHASES = len(Phase)
PACKED = 6  # bits that hold the franchises of a seat in a region
DEAREST = 9  # more than a link can cost

Counts: TypeAlias = "np.ndarray[Any, np.dtype[np.uint8]]"
Vector: TypeAlias = "np.ndarray[Any, np.dtype[np.float32]]"
View: TypeAlias = np.record


class Field(NamedTuple):
    """A part of the vector: an array in row-major order."""

    name: str
    shape: tuple[int, ...]
    unit: int  # the count that becomes 1.0
    text: str


TABLE = (
    Field("players", (4,), 1, "1 at the number of players: 2, 3, 4, 5"),
    Field("phase", (PHASES,), 1, "1 at the phase, in the order of `layout.Phase`"),
    Field("turn", (1,), 100, "number of the turn, 0 during set-up"),
    Field("quiet", (1,), 5, "turns in succession that ended without an expansion"),
    Field("bonus_used", (1,), 1, "1 when a bonus tile has been used this turn"),
    Field("fresh", (1,), 4, "bonus tiles gained this turn, which cannot be used yet"),
    Field("on_track", (1,), 10, "region tiles on the region track"),
    Field("boom", (1,), 1, "1 with the module Boom"),
    Field("introductory", (1,), 1, "1 where the starting towns are given"),
    Field("milestones", (MILESTONE_KINDS,), 1, "1 for each milestone in play, a to g"),
    Field("city_pool", (SIZES,), 8, "city tiles left to draft, by size from 2 to 8"),
    Field("region_pool", (TILES,), 1, "1 for each region tile left to draft"),
)
BY_SEAT = (
    Field("plays", (SEATS,), 1, "1 for a seat that plays"),
    Field("to_move", (SEATS,), 1, "1 for the seat to move"),
    Field("first", (SEATS,), 1, "1 for the first player"),
    Field("cash", (SEATS,), 20, "dollars"),
    Field("influence", (SEATS,), 50, "influence so far"),
    Field("supply", (SEATS,), 40, "franchises in supply"),
    Field("income", (SEATS,), 7, "dollars that phase 1 would pay now"),
    Field("empty_spaces", (SEATS,), 50, "empty spaces of the unscored cities the seat is in"),
    Field("bonus_tiles", (SEATS,), 4, "bonus tiles in hand"),
    Field("reserve", (SEATS,), 4, "bonus tiles that wait for milestones"),
    Field("towns", (SEATS,), 20, "franchises in towns"),
    Field("veterans", (SEATS,), 20, "franchises in scored cities"),
    Field("presence", (SEATS,), 10, "regions with a franchise of the seat"),
    Field("eights", (SEATS,), 4, "$8 links used"),
    Field("eight_mark", (SEATS,), 1, "1 for a franchise beside milestone g that records the first $8 link"),
    Field("missing", (SEATS,), 5, "marks beside tiles made without a franchise"),
    Field("road", (SEATS,), 1, "1 for the owner of the road tile"),
    Field("expansion", (SEATS,), 1, "1 for the owner of the expansion tile"),
    Field("claimed", (SEATS, MILESTONE_KINDS), 1, "1 for each milestone marked, a to g"),
    Field("deeds", (SEATS, DEEDS), 1, "1 for each of the milestones e, f, g that was done, claimed or not"),
    Field("in_region", (SEATS, REGIONS), 12, "franchises in each region"),
)
BY_REGION = (
    Field("tile_kind", (REGIONS, TILE_KINDS), 1, "1 at the kind of the region's tile, in the order of the rules"),
    Field("tile_values", (REGIONS, 3), 12, "its three values, each plus 2; 0 before it is drafted"),
    Field("track_space", (REGIONS,), 10, "space of its tile on the region track from 1, 0 while it is not there"),
    Field("open_places", (REGIONS,), 6, "towns and cities that still take franchises"),
    Field("tie_break", (REGIONS, SEATS), 1, "1 for the seat that breaks ties"),
)
BY_LOCATION = (
    Field(
        "standing",
        (SEATS, LOCATIONS),
        64,
        "8 times the franchises of the seat, less the spaces before its first one: who is ahead in a city",
    ),
    Field("size", (1, LOCATIONS), 8, "spaces; 0 out of play, and before the draft gives a city its tile"),
    Field("empty", (1, LOCATIONS), 8, "empty spaces of free towns and unscored cities"),
    Field("price", (1, LOCATIONS), DEAREST, "9 less the dollars of the viewer's cheapest link there, 0 for none"),
    Field("marker", (1, LOCATIONS), 2, "2 for the first expansion marker of this turn, 1 for the second"),
    Field("centre", (1, LOCATIONS), 2, "franchises in the centre of the city, placed this turn"),
    Field("boom_city", (1, LOCATIONS), 1, "1 for the city of the boom marker"),
)
FIELDS = (*TABLE, *BY_SEAT, *BY_REGION, *BY_LOCATION)
SIZE = sum(prod(field.shape) for field in FIELDS)
PLANES = sum(field.shape[0] for field in BY_LOCATION)
PLANES_AT = SIZE - PLANES * LOCATIONS  # the planes are the rest of the vector
UNITS = np.concatenate([np.full(prod(field.shape), field.unit) for field in FIELDS]).astype(np.float32)
SCALE = (np.float32(1) / UNITS).astype(np.float32)
OFFSETS = (0, *accumulate(prod(field.shape) for field in FIELDS))
(
    (_PLAYERS, _PHASE, _TURN, _QUIET, _BONUS_USED, _FRESH, _ON_TRACK, _BOOM, _INTRODUCTORY),
    (_MILESTONES, _CITY_POOL, _REGION_POOL),
    (_PLAYS, _TO_MOVE, _FIRST, _CASH, _INFLUENCE, _SUPPLY, _INCOME, _EMPTY_SPACES, _BONUS, _RESERVE),
    (_TOWNS, _VETERANS, _PRESENCE, _EIGHTS, _EIGHT_MARK, _MISSING, _ROAD, _EXPANSION, _CLAIMED, _DEEDS, _IN_REGION),
    (_KIND, _VALUES, _TRACK, _OPEN, _TIE_BREAK),
    (_STANDING, _SIZE, _EMPTY, _PRICE, _MARKER, _CENTRE, _BOOM_CITY),
) = (OFFSETS[:9], OFFSETS[9:12], OFFSETS[12:22], OFFSETS[22:33], OFFSETS[33:38], OFFSETS[38:45])

# What observe_turn always writes; milestones, markers and centres come on top.
WITHIN_TURN = np.array(
    [
        *(_PHASE + phase for phase in range(PHASES)),
        *(_BONUS_USED, _FRESH, _CASH, _INFLUENCE, _SUPPLY, _INCOME, _BONUS, _RESERVE),
        *(_EIGHTS, _EIGHT_MARK, _MISSING, _ROAD, _EXPANSION),
    ]
)
TABLE_FROM, TABLE_TO = _PHASE, _FRESH + 1  # the two parts that most of it is in
PURSE_FROM, PURSE_TO = _CASH, _DEEDS + DEEDS

VIEW = record(("counts", np.uint8, (SIZE,)))


def planes(vector: "np.ndarray[Any, np.dtype[Any]]") -> "np.ndarray[Any, np.dtype[Any]]":
    """The part of vectors that has a value for each location: (..., PLANES, LOCATIONS), a view."""
    return vector[..., PLANES_AT:].reshape(*vector.shape[:-1], PLANES, LOCATIONS)


def fields(vector: "np.ndarray[Any, np.dtype[Any]]") -> "dict[str, np.ndarray[Any, np.dtype[Any]]]":
    """The vector split into fields: a view of each by name."""
    return {
        field.name: vector[..., start : start + prod(field.shape)].reshape(*vector.shape[:-1], *field.shape)
        for field, start in zip(FIELDS, OFFSETS[:-1], strict=True)
    }


# --- kernels ----------------------------------------------------------------------------------------------------------
# In three parts: what never changes, what the end of a turn changes, and what a move within a turn can change.


@kernel
def observe_still(rules: Rules, state: State, still: View) -> None:
    """Write the part that no move changes once all tiles are on the board; the rest is 0."""
    counts = still.counts
    for i in range(SIZE):
        counts[i] = 0
    counts[_PLAYERS + rules.players - 2] = 1
    counts[_BOOM] = rules.boom
    counts[_INTRODUCTORY] = 1 if rules.introductory[0, 0] >= 0 else 0
    for milestone in range(MILESTONE_KINDS):
        counts[_MILESTONES + milestone] = rules.milestones >> milestone & 1
    for row in range(rules.players):
        counts[_PLAYS + row] = 1
    for region in range(REGIONS):
        tile = state.region_tile[region]
        if tile >= 0:
            counts[_KIND + region * TILE_KINDS + rules.tile_kind[tile]] = 1
            for i in range(3):
                counts[_VALUES + 3 * region + i] = rules.tile_values[tile, i] + LOWEST_VALUE
    for place in range(LOCATIONS):
        if rules.in_play >> place & 1 != 0:
            counts[_SIZE + place] = state.city_size[place]
            counts[_EMPTY + place] = state.city_size[place]  # until franchises are put there
    if state.phase == Phase.DRAFT_CITIES or state.phase == Phase.DRAFT_REGIONS:
        for i in range(SIZES):
            counts[_CITY_POOL + i] = state.pool[i + 2]
        for tile in range(TILES):
            counts[_REGION_POOL + tile] = state.region_pool >> tile & 1


@kernel
def observe(rules: Rules, state: State, viewer: int, still: View, seen: View) -> None:
    """Write the counts of a state as the viewer sees it, given the constant part."""
    counts = seen.counts
    unchanged = still.counts
    for i in range(SIZE):
        counts[i] = unchanged[i]
    counts[_TURN] = min(state.turn, MOST)
    counts[_QUIET] = state.quiet
    counts[_ON_TRACK] = state.on_track
    for row in range(rules.players):
        seat = seat_in(rules, viewer, row)
        observe_seat(rules, state, seat, row, seen)
        observe_purse(rules, state, seat, row, seen)
    for region in range(REGIONS):
        counts[_OPEN + region] = popcount(rules.region_mask[region] & state.vacant)
        if state.tie_break[region] >= 0:
            row = wide(state.tie_break[region]) - viewer
            if row < 0:
                row += rules.players
            counts[_TIE_BREAK + region * SEATS + row] = 1
    for space in range(state.on_track):
        counts[_TRACK + wide(state.track[space])] = space + 1
    places = rules.in_play & rules.cities & ~state.vacant
    while places != 0:  # empty spaces in a scored city stay empty
        counts[_EMPTY + lowest(places)] = 0
        places &= places - 1
    free = state.vacant & ~state.held[viewer]
    for price in range(PRICE_KINDS):
        places = free & state.reach[viewer, price]
        free &= ~places
        while places != 0:
            counts[_PRICE + lowest(places)] = DEAREST - rules.price[price]
            places &= places - 1
    observe_table(state, seen)


@kernel
def seat_in(rules: Rules, viewer: int, row: int) -> int:
    """The seat in this row of the viewer's observation."""
    seat = viewer + row
    return seat - rules.players if seat >= rules.players else seat


@kernel
def observe_seat(rules: Rules, state: State, seat: int, row: int, seen: View) -> None:
    """Write the fields of one player that change only at the end of a turn."""
    counts = seen.counts
    held = state.held[seat]
    counts[_TO_MOVE + row] = 1 if seat == state.active else 0
    counts[_FIRST + row] = 1 if seat == 0 else 0
    counts[_EMPTY_SPACES + row] = state.empty[seat]
    counts[_TOWNS + row] = popcount(held & rules.towns)
    counts[_VETERANS + row] = state.veterans[seat]
    counts[_PRESENCE + row] = state.presence[seat]
    in_regions = wide(0)  # franchises by region, PACKED bits each
    towns = held & rules.towns
    while towns != 0:
        place = lowest(towns)
        towns &= towns - 1
        counts[_STANDING + row * LOCATIONS + place] = 8
        counts[_EMPTY + place] = 0
        in_regions += bit(PACKED * wide(rules.region_of[place]))
    cities = held & rules.cities
    while cities != 0:
        place = lowest(cities)
        cities &= cities - 1
        own = own_spaces(rules, state, seat, place)
        here = popcount(own)
        counts[_STANDING + row * LOCATIONS + place] = 8 * here - lowest(own)
        counts[_EMPTY + place] -= here
        in_regions += here << PACKED * wide(rules.region_of[place])
    for region in range(REGIONS):
        counts[_IN_REGION + row * REGIONS + region] = in_regions >> (PACKED * region) & (1 << PACKED) - 1


@kernel
def observe_purse(rules: Rules, state: State, seat: int, row: int, seen: View) -> None:
    """Write the fields of one player that can change with each of their moves in phases 2 and 3."""
    counts = seen.counts
    counts[_CASH + row] = min(state.cash[seat], MOST)
    counts[_INFLUENCE + row] = min(state.influence[seat], MOST)
    counts[_SUPPLY + row] = state.supply[seat]
    counts[_INCOME + row] = income(rules, state, seat)
    counts[_BONUS + row] = state.bonus[seat]
    counts[_RESERVE + row] = state.reserve[seat]
    counts[_EIGHTS + row] = min(state.eights[seat], MOST)
    counts[_EIGHT_MARK + row] = state.eight_mark[seat]
    counts[_MISSING + row] = state.missing[seat]
    counts[_ROAD + row] = 1 if state.road == seat else 0
    counts[_EXPANSION + row] = 1 if state.expansion == seat else 0
    if state.claimed[seat] != 0:
        for milestone in range(MILESTONE_KINDS):
            counts[_CLAIMED + row * MILESTONE_KINDS + milestone] = state.claimed[seat] >> milestone & 1
    if state.deeds[seat] != 0:
        for deed in range(DEEDS):
            counts[_DEEDS + row * DEEDS + deed] = state.deeds[seat] >> (MILESTONE_KINDS - DEEDS + deed) & 1


@kernel
def observe_turn(rules: Rules, state: State, seen: View) -> None:
    """Write what a move in phases 2 and 3 changes unless it ends the turn, as the player to move sees it."""
    observe_purse(rules, state, state.active, 0, seen)
    observe_table(state, seen)


@kernel
def observe_table(state: State, seen: View) -> None:
    """Write the fields of the table that change during a turn; markers and centres are only added."""
    counts = seen.counts
    for phase in range(PHASES):
        counts[_PHASE + phase] = 1 if state.phase == phase else 0
    counts[_BONUS_USED] = state.bonus_used
    counts[_FRESH] = state.fresh
    for i in range(2):
        if state.marker[i] >= 0:
            counts[_MARKER + wide(state.marker[i])] = 2 - i
    places = state.centre
    while places != 0:
        place = lowest(places)
        places &= places - 1
        counts[_CENTRE + place] = 1 + (state.doubled >> place & 1)
    if state.boom >= 0:
        counts[_BOOM_CITY + wide(state.boom)] = 1


@kernel
def scale(seen: View, vector: Vector) -> None:
    """Write the vector of a view."""
    counts = seen.counts
    for i in range(SIZE):
        vector[i] = np.float32(counts[i]) * SCALE[i]


@kernel
def scale_turn(state: State, seen: View, vector: Vector) -> None:
    """Update the vector of the previous view with what observe_turn has written, and nothing else."""
    counts = seen.counts
    for i in range(len(WITHIN_TURN)):
        at = WITHIN_TURN[i]
        vector[at] = np.float32(counts[at]) * SCALE[at]
    if state.claimed[state.active] != 0:
        for i in range(_CLAIMED, _CLAIMED + MILESTONE_KINDS):
            vector[i] = np.float32(counts[i]) * SCALE[i]
    if state.deeds[state.active] != 0:
        for i in range(_DEEDS, _DEEDS + DEEDS):
            vector[i] = np.float32(counts[i]) * SCALE[i]
    for i in range(2):
        if state.marker[i] >= 0:
            at = _MARKER + wide(state.marker[i])
            vector[at] = np.float32(counts[at]) * SCALE[at]
    places = state.centre
    while places != 0:
        at = _CENTRE + lowest(places)
        places &= places - 1
        vector[at] = np.float32(counts[at]) * SCALE[at]


@entry_point
def look(rules: Records, states: Records, viewer: int, views: Records, vector: Vector) -> None:
    """For Python: the vector of states[0] as a seat sees it; its counts are left in views[1]."""
    observe_still(rules[0], states[0], views[0])
    observe(rules[0], states[0], viewer, views[0], views[1])
    scale(views[1], vector)


@entry_point
def mark(rules: Records, states: Records, out: Moves, mask: Any) -> int:
    """For Python: 1 in the mask for each legal action of states[0]; returns how many there are."""
    mask[:] = 0
    length = legal(rules[0], states[0], out)
    for i in range(length):
        mask[out[i]] = 1
    return length
