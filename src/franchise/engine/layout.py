"""The records the kernel works on, field by field, and the numbers it uses for phases, moves and events.

RULES is constant during a game: board, tables and options. STATE is everything that changes; it is copied by assignment
and batched as an array. LOG receives the events of one `apply`. Encodings: a *mask* is an int64 set of locations
(bits.py), a *seat* counts from 0 (the first player), -1 means none. In a STATE, most numbers are int8. Plain
Python adds and shifts them as int8 too, so what may exceed 127 is computed from `wide` numbers (bits.py).
"""

from enum import IntEnum, auto
from typing import Any, TypeAlias

import numpy as np

SEATS = 5
LOCATIONS = 45
CITIES = 25
REGIONS = 10
TILES = 30  # region tiles: ten printed, twenty new
PRICE_KINDS = 5
CHART = 128  # longer than the largest sum of empty spaces (108, and 8 more by the boom)
MOVES = 1024  # at least the number of numbered actions
EVENTS = 256  # more than one apply can cause: 28 franchises, 27 cities, 10 regions, 25 milestones, the end
GAME = 4096  # more moves than a game can have; tests/engine/test_termination.py proves a bound
FAR = 16  # a route over several links is encoded as dollars * FAR + number of $8 links
UNREACHABLE = 1 << 20

Rules: TypeAlias = np.record
State: TypeAlias = np.record
Log: TypeAlias = np.record
Records: TypeAlias = "np.ndarray[Any, np.dtype[np.record]]"  # what Python passes to a kernel: records in an array
Moves: TypeAlias = "np.ndarray[Any, np.dtype[np.int32]]"


class Phase(IntEnum):
    """What the game waits for."""

    DRAFT_CITIES = 0
    DRAFT_REGIONS = auto()
    START = auto()
    BOOM_PLACE = auto()
    BOOM_MOVE = auto()
    EXPAND = auto()
    GROW = auto()
    SCORE = auto()
    OVER = auto()


PHASE_NAMES = ("draft", "draft", "start", "boom", "boom", "expand", "grow", "score", "over")


class Kind(IntEnum):
    """The kinds of moves, in the order of their numbers: the base game's, then the modules'; new ones come last."""

    START = 0
    EXPAND = auto()
    AGAIN = auto()
    GROW = auto()
    DOUBLE = auto()
    CASH = auto()
    DONE = auto()
    END = auto()
    EXPAND_FREE = auto()
    AGAIN_FREE = auto()
    FAR = auto()
    BOOM = auto()
    STAY = auto()
    TILE = auto()
    REGION = auto()
    FAR_FREE = auto()
    SCORE = auto()


class EventKind(IntEnum):
    """What can happen; each row of the log is (kind, seat, place, amount)."""

    CITY_TILE = 0  # place: city, amount: size of the tile
    REGION_TILE = auto()  # place: region, amount: tile
    START = auto()  # place: town
    BOOM = auto()  # place: city
    TURN = auto()  # amount: number of the turn
    INCOME = auto()  # amount: dollars
    EXPAND = auto()  # place: target, amount: dollars paid
    AGAIN = auto()  # a bonus tile is used; place: target, amount: dollars paid
    FAR = auto()  # the expansion tile is used; place: target, amount: dollars paid
    ROAD = auto()  # the road tile is used; place: target, amount: dollars saved
    EIGHT = auto()  # amount: $8 links used so far (Milestones)
    EIGHT_MARK = auto()  # place: number of the milestone, beside which a franchise records the first $8 link
    CASH = auto()  # a bonus tile is used; amount: dollars
    GROW = auto()  # place: city, amount: dollars paid
    DOUBLE = auto()  # a bonus tile is used; place: city
    OPEN = auto()  # place: location, amount: number of the space, from 1
    MAJORITY = auto()  # place: city, amount: influence
    FULL = auto()  # filled without an absolute majority; place: city, amount: influence
    TAKE_BACK = auto()  # place: city, amount: franchises back to supply
    TIE_BREAK = auto()  # place: region
    REGION = auto()  # the active player scores a region; place: region, amount: its tile
    RANK = auto()  # place: region, amount: influence
    DOLLARS = auto()  # place: region, amount: dollars
    BONUS_BACK = auto()  # place: region
    ROAD_TILE = auto()  # place: region
    EXPANSION_TILE = auto()  # place: region
    TRACK = auto()  # place: region, amount: influence
    MILESTONE = auto()  # place: number of the milestone
    RED_ZONE = auto()  # the game ends: amount: tiles on the region track
    STANDSTILL = auto()  # the game ends: nobody expanded
    TOWNS = auto()  # final scoring; amount: influence
    MONEY = auto()  # final scoring; amount: influence
    BONUS_TILES = auto()  # final scoring; amount: influence


class TileKind(IntEnum):
    """What a region tile pays in (RULES 8.2-8.6); the order of facts.TILE_KINDS."""

    PLAIN = 0
    DOLLARS = auto()
    BONUS = auto()
    COUNT = auto()
    EXPANSION = auto()
    ROAD = auto()


def record(*fields: tuple[Any, ...]) -> "np.dtype[np.record]":
    """A record dtype whose fields read as attributes, compiled and plain."""
    made: np.dtype[np.record] = np.dtype((np.record, np.dtype(list(fields), align=True)))  # type: ignore[assignment]
    return made


RULES = record(
    ("towns", np.int64),  # mask, including blocked ones
    ("cities", np.int64),  # mask, including blocked ones
    ("in_play", np.int64),  # mask of the locations that are not blocked
    ("region_mask", np.int64, (REGIONS,)),  # mask of the locations of a region
    ("links", np.int64, (LOCATIONS, PRICE_KINDS)),  # mask of the neighbours over a link of that price
    ("direct", np.int64, (LOCATIONS,)),  # mask of the cities in play one link away or with only towns in between
    ("far", np.int32, (2, LOCATIONS, LOCATIONS)),  # cheapest route in play, encoded with FAR; then with one link free
    ("players", np.int32),
    ("price", np.int32, (PRICE_KINDS,)),  # dollars
    ("income", np.int32, (CHART,)),  # dollars by the sum of empty spaces
    ("starting_money", np.int32, (SEATS,)),
    ("bonus_tiles", np.int32),  # of each player at set-up
    ("track", np.int32, (REGIONS,)),  # influence by space of the region track
    ("red_zone", np.int32),  # tiles on the track that end the game
    ("region_of", np.int32, (LOCATIONS,)),
    ("tile_kind", np.int32, (TILES,)),
    ("tile_values", np.int32, (TILES, 3)),
    ("out_of_play", np.int32, (3,)),  # regions, -1 for none
    ("introductory", np.int32, (SEATS, 2)),  # given starting towns, -1 for a free choice
    ("milestones", np.int32),  # bits of the milestones in play, 0 without the module
    ("boom", np.int32),  # 1 with the module
    ("city_size", np.int8, (LOCATIONS,)),  # 1 for towns; 0 until the draft places a tile
    ("pool", np.int8, (9,)),  # city tiles to draft, by size
    ("tile_class", np.int8, (9,)),  # class of a city tile, by size
    ("city_class", np.int8, (LOCATIONS,)),  # class of a city's printed tile, -1 for towns
    ("region_tile", np.int32, (REGIONS,)),  # tile of each region, -1 until the draft places it
    ("region_pool", np.int32),  # bits of the region tiles to draft
    ("action_kind", np.int16, (MOVES,)),
    ("action_place", np.int16, (MOVES,)),  # location; region for `region` and `score`
    ("action_detail", np.int16, (MOVES,)),  # number of the price; size for `tile`; tile for `region`
    ("first_id", np.int16, (len(Kind),)),  # first action of a kind
    ("pair_rank", np.int16, (PRICE_KINDS, LOCATIONS)),  # order of (price, target) among the pairs
    ("place_rank", np.int16, (LOCATIONS,)),  # order of a town among towns, of a city among cities
    ("tile_rank", np.int16, (LOCATIONS, 9)),  # order of (city, size) among the tile moves
)

STATE = record(
    ("held", np.int64, (SEATS,)),  # mask of locations with a franchise of the seat
    ("reach", np.int64, (SEATS, PRICE_KINDS)),  # mask of locations one link of that price away from held ones
    ("vacant", np.int64),  # mask of free towns and unscored cities in play, where franchises can still be put
    ("centre", np.int64),  # mask of cities with a franchise of the active player in the centre
    ("doubled", np.int64),  # those with two
    ("valued", np.int64, (3,)),  # masks of the cities in play whose tile has size 2, 3, 4
    ("region_pool", np.int32),  # bits of the region tiles to draft
    ("cash", np.int32, (SEATS,)),
    ("influence", np.int32, (SEATS,)),
    ("phase", np.int32),  # Phase
    ("active", np.int32),  # seat to move
    ("turn", np.int32),  # number of the turn, from 1; 0 during set-up
    ("done", np.int32),  # bits of the regions that are scored or out of play
    ("supply", np.int8, (SEATS,)),
    ("empty", np.int8, (SEATS,)),  # empty spaces of the unscored cities the seat is in
    ("bonus", np.int8, (SEATS,)),  # bonus tiles in hand
    ("reserve", np.int8, (SEATS,)),  # bonus tiles still to be earned by milestones
    ("claimed", np.int8, (SEATS,)),  # bits of the milestones marked
    ("deeds", np.int8, (SEATS,)),  # bits of the milestones e, f, g (deeds) that were done
    ("eights", np.int8, (SEATS,)),  # $8 links used
    ("eight_mark", np.int8, (SEATS,)),  # 1 when a franchise beside milestone g records the first of them
    ("veterans", np.int8, (SEATS,)),  # franchises in scored cities
    ("presence", np.int8, (SEATS,)),  # regions with a franchise of the seat
    ("missing", np.int8, (SEATS,)),  # marks beside tiles made without a franchise because the supply was empty
    ("tie_break", np.int8, (REGIONS,)),  # seat of the franchise beside the region tile
    ("region_tile", np.int8, (REGIONS,)),  # tile of the region, -1 before it is drafted
    ("track", np.int8, (REGIONS,)),  # regions in the order of their tiles on the track
    ("on_track", np.int8),  # how many
    ("quiet", np.int8),  # turns in succession that ended without an expansion
    ("marker", np.int8, (2,)),  # locations of the expansion markers, -1 for none
    ("bonus_used", np.int8),  # 1 when the active player has used a bonus tile this turn
    ("fresh", np.int8),  # bonus tiles the active player gained this turn and cannot use yet
    ("boom", np.int8),  # city of the boom marker, -1 for none
    ("road", np.int8),  # owner of the road tile, -1 for none, -2 when it has left the game
    ("expansion", np.int8),  # owner of the expansion tile, likewise
    ("pool", np.int8, (9,)),  # city tiles to draft, by size
    ("city_size", np.int8, (LOCATIONS,)),  # 1 for towns; 0 before a city tile is drafted
    ("spaces", np.uint8, (CITIES, SEATS)),  # bits of the spaces a seat has in a city (place_rank), clockwise
)

LOG = record(("length", np.int32), ("rows", np.int32, (EVENTS, 4)))


def offset(name: str) -> int:
    """Where a field of a state begins, in bytes."""
    assert STATE.fields is not None
    return int(STATE.fields[name][1])


def new(dtype: "np.dtype[np.record]", length: int = 1) -> Records:
    """Zeroed records in an array, which is twenty times cheaper to pass to a kernel than a single record."""
    return np.zeros(length, dtype)
