"""The part of the RULES record that depends on the board and the number of players."""

from collections.abc import Iterable
from functools import lru_cache

import numpy as np

from franchise.engine import layout
from franchise.engine.actions import ACTIONS, FIRST_ID
from franchise.engine.layout import Kind, Records, Rules
from franchise.facts import BOARD, PRICES
from franchise.facts.loader import TILE_KINDS, tile_class


def mask(places: Iterable[int]) -> int:
    """The set of some locations."""
    return sum(1 << place for place in places)


MINI_RED_ZONE = 2


@lru_cache(maxsize=5)
def board_rules(players: int, corner: tuple[str, ...] = ()) -> Records:
    """A RULES record for that many players, without options and tiles; copy it before filling those in.

    If the game is played in a `corner`, all other regions are blocked and their tiles are not used.
    """
    made = layout.new(layout.RULES)
    rules: Rules = made[0]
    outside = [region.id for region in BOARD.regions if region.name not in corner]
    regions = outside if corner else BOARD.out_of_play.get(players, ())
    blocked = {location.id for location in BOARD.locations if location.region in regions}
    rules.players = players
    rules.towns = mask(BOARD.towns)
    rules.cities = mask(BOARD.cities)
    rules.in_play = mask(location.id for location in BOARD.locations if location.id not in blocked)
    rules.price = PRICES
    for link in BOARD.links:
        for start, end in (link.ends, link.ends[::-1]):
            rules.links[start, PRICES.index(link.price)] |= 1 << end
    rules.direct = direct_connections(blocked)
    rules.far = ways(blocked)
    rules.income = [1 + sum(total >= first for first in BOARD.income[players]) for total in range(layout.CHART)]
    rules.starting_money[:players] = BOARD.starting_money[players]
    rules.bonus_tiles = BOARD.bonus_tiles[players]
    rules.track = BOARD.region_track
    rules.red_zone = MINI_RED_ZONE if corner else BOARD.red_zone_from
    rules.out_of_play[:] = -1
    if not corner:
        rules.out_of_play[: len(regions)] = regions
    rules.tile_class[2:] = [tile_class(size) for size in range(2, 9)]
    for location in BOARD.locations:
        rules.region_of[location.id] = location.region
        rules.region_mask[location.region] |= 1 << location.id
        rules.city_class[location.id] = tile_class(location.size) if location.is_city else -1
        rules.place_rank[location.id] = (BOARD.cities if location.is_city else BOARD.towns).index(location.id)
    for number, tile in enumerate(BOARD.tiles):
        rules.tile_kind[number] = TILE_KINDS.index(tile.kind)
        rules.tile_values[number] = tile.values
    number_actions(rules)
    return made


def number_actions(rules: Rules) -> None:
    """The tables that say what each action number means."""
    for action in ACTIONS:
        rules.action_kind[action.id] = action.kind
        rules.action_place[action.id] = action.place
        price = PRICES.index(action.price) if action.price >= 0 else -1
        rules.action_detail[action.id] = max(price, action.size, action.tile)
        if action.kind == Kind.TILE:
            rules.tile_rank[action.place, action.size] = action.id - FIRST_ID[Kind.TILE]
    for rank, (cost, target) in enumerate(BOARD.pairs):
        rules.pair_rank[PRICES.index(cost), target] = rank
    without_price = sum(cost == 0 for cost, _ in BOARD.pairs)
    for kind in Kind:
        # the road tile is for links that cost something, so its moves leave out the first pairs
        skipped = without_price if kind in (Kind.EXPAND_FREE, Kind.AGAIN_FREE) else 0
        rules.first_id[kind] = FIRST_ID[kind] - skipped


def direct_connections(blocked: set[int]) -> list[int]:
    """For every location the cities one link away, or several with only towns in between (RULES 7.2)."""
    neighbours = {location.id: set[int]() for location in BOARD.locations}
    for link in BOARD.links:
        if not blocked & set(link.ends):
            for start, end in (link.ends, link.ends[::-1]):
                neighbours[start].add(end)
    connections = []
    for place in neighbours:
        reached = {place}
        edge = {place}
        while edge:
            edge = set().union(*(neighbours[near] for near in edge)) - reached
            reached |= edge
            edge &= set(BOARD.towns)
        connections.append(mask(reached & set(BOARD.cities) - {place}))
    return connections


def ways(blocked: set[int]) -> "np.ndarray[tuple[int, ...], np.dtype[np.int32]]":
    """The cheapest route between any two locations in play, without and with the road tile (RULES 8.5, 8.6).

    Ties go to the route with the fewest $8 links. A link used for free still counts as one.
    """
    table = np.full((layout.LOCATIONS, layout.LOCATIONS), layout.UNREACHABLE, np.int32)
    np.fill_diagonal(table, 0)
    for link in BOARD.links:
        if not blocked & set(link.ends):
            code = link.price * layout.FAR + (link.price == PRICES[-1])
            for start, end in (link.ends, link.ends[::-1]):
                table[start, end] = min(table[start, end], code)
    for via in range(layout.LOCATIONS):
        table = np.minimum(table, table[:, via, None] + table[None, via, :])
    free = table.copy()
    for link in BOARD.links:
        if not blocked & set(link.ends):
            for start, end in (link.ends, link.ends[::-1]):
                free = np.minimum(free, table[:, start, None] + (link.price == PRICES[-1]) + table[None, end, :])
    return np.minimum([table, free], layout.UNREACHABLE)
