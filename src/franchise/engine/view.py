"""A state as JSON-able data: everything a player at the table can see (there is no hidden information, RULES 1.9)."""

import struct
from functools import lru_cache
from typing import Any

import numpy as np

from franchise.engine import layout
from franchise.engine.bits import members
from franchise.engine.events import MILESTONE_TEXTS, player_name
from franchise.engine.instructions import popcount
from franchise.engine.layout import PHASE_NAMES, Phase, Records, TileKind
from franchise.engine.modules import TWO_EIGHTS
from franchise.engine.walk import survey
from franchise.facts import BOARD, COLOURS, MILESTONES
from franchise.facts.loader import TILE_KINDS

BLOCKED = -1  # in place of the size of a location out of play (RULES 1.5)
UNSEEN = ("reach", "valued", "deeds", "veterans", "presence", "missing", "quiet")  # kept for speed, or internal
LETTERS = {1: "b", 4: "i", 8: "q"}  # format letters of the module struct, by the number of bytes
BY_REGION = ("spaces", "city_size")  # read with the locations of a region
KEPT = 1 << 14  # recently seen locations that are kept
NUMBERED = range(layout.REGIONS)
WITHIN = [sum(1 << place.id for place in BOARD.locations if place.region == region.id) for region in BOARD.regions]

# The locations of a region have consecutive numbers, and so have its cities among all cities.
PLACES = [
    [(place.id, place.name, place.is_city) for place in BOARD.locations if place.region == region.id]
    for region in BOARD.regions
]
RANKS = [[BOARD.cities.index(place) for place, _, is_city in places if is_city] for places in PLACES]
LOCATION_ROWS = [slice(places[0][0], places[-1][0] + 1) for places in PLACES]
CITY_ROWS = [slice(ranks[0], ranks[-1] + 1) for ranks in RANKS]
# The spaces of a town by seat, as those of a city are in the state; first without an owner, then for each one.
TOWN_SPACES = tuple(bytes(owner == seat + 1 for seat in range(layout.SEATS)) for owner in range(layout.SEATS + 1))

Situation = tuple[int, int, int, bool, bool, tuple[int, ...], int, tuple[str, ...]]  # what `region` takes
Places = tuple[int, int, bytes, bytes, bytes, int, tuple[str, ...]]  # what `locations` takes


def reading() -> tuple[struct.Struct, dict[str, int], dict[str, slice]]:
    """How to unpack the bytes of a state in one call, and where single numbers and lists are in the result."""
    form, single, lists, count, end = "=", dict[str, int](), dict[str, slice](), 0, 0
    for name in layout.STATE.names or ():
        dtype, offset = layout.STATE[name], layout.offset(name)
        if name in UNSEEN or name in BY_REGION:
            continue
        length = int(np.prod(dtype.shape, dtype=int))
        form += f"{offset - end}x{length}{LETTERS[dtype.base.itemsize]}"
        end = offset + dtype.itemsize
        if dtype.shape:
            lists[name] = slice(count, count + length)
        else:
            single[name] = count
        count += length
    return struct.Struct(f"{form}{layout.STATE.itemsize - end}x"), single, lists


def stretch(name: str, rows: slice) -> slice:
    """The bytes of a state that hold these rows of a field."""
    offset, size = layout.offset(name), layout.STATE[name].itemsize // layout.STATE[name].shape[0]
    return slice(offset + size * rows.start, offset + size * rows.stop)


READING, SINGLE, LISTS = reading()
SIZES = [stretch("city_size", rows) for rows in LOCATION_ROWS]
TAKEN = [stretch("spaces", rows) for rows in CITY_ROWS]


def view(
    rules: Records, states: Records, names: tuple[str, ...] = (), colours: tuple[str, ...] = COLOURS
) -> dict[str, Any]:
    """The whole public state; docs/view.md describes it field by field."""
    return View(rules, states, names, colours).data()


class View:
    """One state, read into plain numbers once."""

    def __init__(self, rules: Records, states: Records, names: tuple[str, ...], colours: tuple[str, ...]) -> None:
        self.names = names
        self.colours = colours
        self.rules_players: int = rules["players"].item()
        self.rules_in_play: int = rules["in_play"].item()
        self.rules_towns: int = rules["towns"].item()
        self.rules_boom: int = rules["boom"].item()
        self.rules_milestones: int = rules["milestones"].item()
        self.bytes = states.tobytes()
        values = READING.unpack(self.bytes)
        self.state: dict[str, Any] = {name: values[place] for name, place in SINGLE.items()}
        for name, places in LISTS.items():
            self.state[name] = values[places]
        incomes = np.zeros(layout.SEATS, np.int32)
        franchises = np.zeros((layout.REGIONS, layout.SEATS), np.int32)
        survey(rules, states, incomes, franchises)
        self.incomes: list[int] = incomes.tolist()
        self.franchises: list[list[int]] = franchises.tolist()
        self.seats = range(self.rules_players)
        self.blocked = blocked_regions(self.rules_in_play)

    def data(self) -> dict[str, Any]:
        state = self.state
        data: dict[str, Any] = {
            "players": [self.player(seat) for seat in self.seats],
            "locations": self.locations(),
            "regions": self.regions(),
            "track": [BOARD.regions[number].name for number in state["track"][: state["on_track"]]],
            "phase": PHASE_NAMES[state["phase"]],
            "current_player": state["active"],
            "turn": state["turn"],
            "over": state["phase"] == Phase.OVER,
            "centre": {
                BOARD.locations[place].name: 1 + (state["doubled"] >> place & 1) for place in members(state["centre"])
            },
            "markers": [BOARD.locations[place].name for place in state["marker"] if place >= 0],
            "bonus_used": bool(state["bonus_used"]),
        }
        if self.rules_boom:
            data["boom"] = BOARD.locations[state["boom"]].name if state["boom"] >= 0 else None
        if self.rules_milestones:
            data["milestones"] = [self.milestone(number) for number in members(self.rules_milestones)]
        special = self.special_tiles()
        if special:
            data["special_tiles"] = special
        if any(state["pool"]) or state["region_pool"]:
            data["draft"] = {
                "city_tiles": {str(size): count for size, count in enumerate(state["pool"]) if count},
                "region_tiles": [BOARD.tiles[tile].id for tile in members(state["region_pool"])],
            }
        return data

    def player(self, seat: int) -> dict[str, Any]:
        """One seat; income is what phase 1 would pay now."""
        state = self.state
        data = {
            "seat": seat,
            "name": player_name(seat, self.names, self.colours),
            "colour": self.colours[seat],
            "cash": state["cash"][seat],
            "influence": state["influence"][seat],
            "bonus_tiles": state["bonus"][seat],
            "supply": state["supply"][seat],
            "income": self.incomes[seat],
            "towns": popcount(state["held"][seat] & self.rules_towns),
            "empty_spaces": state["empty"][seat],
        }
        if self.rules_milestones:
            data["reserve"] = state["reserve"][seat]
            data["fresh_bonus_tiles"] = state["fresh"] if seat == state["active"] else 0
            data["eights"] = state["eights"][seat]
        return data

    def locations(self) -> Any:
        """All towns and cities."""
        entries = [item for places in self.places() for item in locations(*places).items()]
        return {name: data | {"spaces": data["spaces"].copy()} for name, data in entries}

    def places(self) -> list[Places]:
        """Everything that the view of each region's locations depends on."""
        data, in_play, vacant, owners = self.bytes, self.rules_in_play, self.state["vacant"], self.town_owners()
        return [
            (number, in_play, data[sizes], data[taken], owners[rows], vacant & within, self.colours)
            for number, sizes, taken, rows, within in zip(NUMBERED, SIZES, TAKEN, LOCATION_ROWS, WITHIN, strict=True)
        ]

    def town_owners(self) -> bytes:
        """For every location, 1 + the seat that holds the town; 0 for free towns and for cities."""
        owners = bytearray(layout.LOCATIONS)
        for seat in self.seats:
            for town in members(self.state["held"][seat] & self.rules_towns):
                owners[town] = 1 + seat
        return bytes(owners)

    def regions(self) -> Any:
        """All regions, each with its tile, its tie-breaker, the franchises there and what is missing to score it."""
        return {BOARD.regions[situation[0]].name: region(*situation) for situation in self.situations()}

    def situations(self) -> list[Situation]:
        """Everything that each region's view depends on."""
        done, vacant, blocked, players = self.state["done"], self.state["vacant"], self.blocked, self.rules_players
        by_region = zip(
            NUMBERED, self.state["region_tile"], self.state["tie_break"], self.franchises, WITHIN, strict=True
        )
        return [
            (
                number,
                tile,
                tie_break,
                number not in blocked and bool(done >> number & 1),
                number in blocked,
                tuple(franchises[:players]),
                vacant & within,
                self.colours,
            )
            for number, tile, tie_break, franchises, within in by_region
        ]

    def milestone(self, number: int) -> dict[str, Any]:
        """A milestone tile in play, who has marked it, and whose franchise beside it records a first $8 link."""
        return {
            "id": MILESTONES[number],
            "text": MILESTONE_TEXTS[MILESTONES[number]],
            "claimed": [self.colours[seat] for seat in self.seats if self.state["claimed"][seat] >> number & 1],
            "beside": [
                self.colours[seat] for seat in self.seats if number == TWO_EIGHTS and self.state["eight_mark"][seat]
            ],
        }

    def special_tiles(self) -> dict[str, dict[str, Any]]:
        """Road and expansion tile, if a region tile in play comes with them (RULES 8.5, 8.6)."""
        kinds = kinds_of(self.state["region_tile"], self.state["region_pool"], self.blocked)
        owners = {TileKind.EXPANSION: self.state["expansion"], TileKind.ROAD: self.state["road"]}
        return {
            kind.name.lower(): {"owner": self.colours[owner] if owner >= 0 else None, "used": owner == -2}
            for kind, owner in owners.items()
            if kind in kinds
        }


def locations(
    number: int, in_play: int, sizes: bytes, taken: bytes, owners: bytes, vacant: int, colours: tuple[str, ...]
) -> dict[str, Any]:
    """The towns and cities of a region, to be copied; sizes and spaces as in the state, owners as in `town_owners`."""
    found = {}
    start = 0
    for (place, name, is_city), size, owner in zip(PLACES[number], sizes, owners, strict=True):
        own = TOWN_SPACES[owner]
        if is_city:
            own = taken[start : start + layout.SEATS]
            start += layout.SEATS
        found[name] = location(place, size if in_play >> place & 1 else BLOCKED, own, vacant >> place & 1, colours)
    return found


@lru_cache
def blocked_regions(in_play: int) -> tuple[int, ...]:
    """The regions without a place in play (RULES 1.5)."""
    open_regions = {BOARD.locations[place].region for place in members(in_play)}
    return tuple(region.id for region in BOARD.regions if region.id not in open_regions)


@lru_cache(KEPT)
def location(place: int, size: int, taken: bytes, vacant: int, colours: tuple[str, ...]) -> dict[str, Any]:
    """A town or city, where every seat has taken some spaces; most are the same from one state to the next.

    A scored city keeps its franchises.
    """
    facts = BOARD.locations[place]
    blocked = size == BLOCKED
    spaces: list[str | None] = [None] * (facts.size if blocked else size)
    for seat, own in enumerate(taken):
        for space in members(own):
            spaces[space] = colours[seat]
    return {
        "kind": facts.kind,
        "region": BOARD.regions[facts.region].name,
        "size": len(spaces),
        "spaces": spaces,
        "scored": facts.is_city and not blocked and not vacant,
        "blocked": blocked,
    }


@lru_cache(KEPT)
def kinds_of(face_up: tuple[int, ...], pool: int, blocked: tuple[int, ...]) -> frozenset[int]:
    """The kinds of the region tiles in play."""
    tiles = [tile for number, tile in enumerate(face_up) if number not in blocked and tile >= 0] + members(pool)
    return frozenset(TILE_KINDS.index(BOARD.tiles[tile].kind) for tile in tiles)


def region(
    number: int,
    tile: int,
    tie_break: int,
    scored: bool,
    blocked: bool,
    franchises: tuple[int, ...],
    vacant: int,
    colours: tuple[str, ...],
) -> dict[str, Any]:
    """The current state of a region."""
    printed = BOARD.tiles[tile] if tile >= 0 else None
    return {
        "tile": printed.id if printed else None,
        "values": list(printed.values) if printed else None,
        "kind": printed.kind if printed else None,
        "marker": colours[tie_break] if tie_break >= 0 else None,
        "scored": scored,
        "blocked": blocked,
        "franchises": dict(zip(colours, franchises, strict=False)),
        "missing": [BOARD.locations[place].name for place in members(vacant)],
    }
