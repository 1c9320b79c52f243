"""A state as JSON-able data: everything a player at the table can see (there is no hidden information, RULES 1.9)."""

from functools import lru_cache
from typing import Any

import numpy as np

from franchise.engine import layout
from franchise.engine.bits import members, popcount
from franchise.engine.events import MILESTONE_TEXTS, player_name
from franchise.engine.layout import PHASE_NAMES, Phase, Records, TileKind
from franchise.engine.walk import survey
from franchise.facts import BOARD, COLOURS, MILESTONES
from franchise.facts.loader import TILE_KINDS

BLOCKED = -1  # in place of the size of a location out of play (RULES 1.5)
KEPT = 1 << 14  # locations as they were seen lately
PLACES = [[(p.id, p.name) for p in BOARD.locations if p.region == region.id] for region in BOARD.regions]

Standing = tuple[int, int, int, int]  # the location, its size, the spaces taken, whether it can still be scored


def view(rules: Records, states: Records, names: tuple[str, ...] = ()) -> dict[str, Any]:
    """The whole public state; docs/view.md describes it field by field."""
    return View(rules, states, names).data()


class View:
    """One state, read into plain numbers once."""

    def __init__(self, rules: Records, states: Records, names: tuple[str, ...]) -> None:
        self.names = names
        for field in ("players", "in_play", "towns", "boom", "milestones"):
            setattr(self, f"rules_{field}", rules[field][0].item())
        values = states[0].tolist()
        self.state: dict[str, Any] = {
            name: value.tolist() if isinstance(value, np.ndarray) else value
            for name, value in zip(states.dtype.names or (), values, strict=True)
        }
        incomes = np.zeros(layout.SEATS, np.int32)
        franchises = np.zeros((layout.REGIONS, layout.SEATS), np.int32)
        survey(rules, states, incomes, franchises)
        self.incomes: list[int] = incomes.tolist()
        self.franchises: list[list[int]] = franchises.tolist()
        self.seats = range(self.rules_players)

    rules_players: int
    rules_in_play: int
    rules_towns: int
    rules_boom: int
    rules_milestones: int

    def data(self) -> dict[str, Any]:
        state = self.state
        data: dict[str, Any] = {
            "players": [self.player(seat) for seat in self.seats],
            "locations": {place.name: self.location(place.id) for place in BOARD.locations},
            "regions": {region.name: self.region(region.id) for region in BOARD.regions},
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
            "name": player_name(seat, self.names),
            "colour": COLOURS[seat],
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

    def location(self, place: int) -> Any:
        """One town or city; a scored city keeps its remaining franchises where they stood."""
        data = location(*self.standing(place))
        return data | {"spaces": data["spaces"].copy()}

    def standing(self, place: int) -> Standing:
        """All that a location's view depends on."""
        state = self.state
        size = state["city_size"][place] if self.rules_in_play >> place & 1 else BLOCKED
        return place, size, state["spaces"][place], state["vacant"] >> place & 1

    def region(self, number: int) -> dict[str, Any]:
        """One region with its tile, its tie-breaker, who stands there and what is missing to score it."""
        state, blocked = self.state, self.blocked(number)
        tile, tie_break = state["region_tile"][number], state["tie_break"][number]
        printed = BOARD.tiles[tile] if tile >= 0 else None
        present = self.franchises[number]
        return {
            "tile": printed.id if printed else None,
            "values": list(printed.values) if printed else None,
            "kind": printed.kind if printed else None,
            "marker": COLOURS[tie_break] if tie_break >= 0 else None,
            "scored": not blocked and bool(state["done"] >> number & 1),
            "blocked": blocked,
            "franchises": {COLOURS[seat]: present[seat] for seat in self.seats},
            "missing": [name for place, name in PLACES[number] if state["vacant"] >> place & 1],
        }

    def blocked(self, number: int) -> bool:
        """Whether a region is out of play (RULES 1.5)."""
        return number in BOARD.out_of_play.get(self.rules_players, ())

    def milestone(self, number: int) -> dict[str, Any]:
        """A milestone tile in play and who has marked it."""
        return {
            "id": MILESTONES[number],
            "text": MILESTONE_TEXTS[MILESTONES[number]],
            "claimed": [COLOURS[seat] for seat in self.seats if self.state["claimed"][seat] >> number & 1],
        }

    def special_tiles(self) -> dict[str, dict[str, Any]]:
        """Road and expansion tile, where a region tile in play brings them (RULES 8.5, 8.6)."""
        face_up = [self.state["region_tile"][region] for region in range(layout.REGIONS) if not self.blocked(region)]
        tiles = [tile for tile in face_up if tile >= 0] + members(self.state["region_pool"])
        kinds = {TILE_KINDS.index(BOARD.tiles[tile].kind) for tile in tiles}
        owners = {TileKind.EXPANSION: self.state["expansion"], TileKind.ROAD: self.state["road"]}
        return {
            kind.name.lower(): {"owner": COLOURS[owner] if owner >= 0 else None, "used": owner == -2}
            for kind, owner in owners.items()
            if kind in kinds
        }


@lru_cache(KEPT)
def location(place: int, size: int, taken: int, vacant: int) -> dict[str, Any]:
    """A town or city as it stands, to be copied: most of them stay as they are from one state to the next."""
    facts = BOARD.locations[place]
    blocked = size == BLOCKED
    spaces: list[str | None] = [None] * (facts.size if blocked else size)
    for space in members(taken):
        spaces[space % 8] = COLOURS[space // 8]
    return {
        "kind": facts.kind,
        "region": BOARD.regions[facts.region].name,
        "size": len(spaces),
        "spaces": spaces,
        "scored": facts.is_city and not blocked and not vacant,
        "blocked": blocked,
    }
