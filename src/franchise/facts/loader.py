"""Reads board.toml and new_regions.toml once and checks that they describe the printed game."""

import tomllib
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from typing import Any

COLOURS = ("blue", "red", "orange", "black", "beige")  # by seat, RULES 1.1
PRICES = (0, 1, 3, 5, 8)  # of a link in dollars, RULES 1.2
MILESTONES = ("a", "b", "c", "d", "e", "f", "g")  # RULES 6.3
TILE_COUNTS = {2: 4, 3: 3, 4: 8, 5: 5, 6: 2, 7: 2, 8: 1}  # city tiles by size, RULES 1.3
TILE_CLASSES = ((2, 3), (4, 5, 6), (7, 8))  # city tiles by back, RULES 5.1
TILE_KINDS = ("plain", "dollars", "bonus", "count", "expansion", "road")  # RULES 8.2-8.6


class FactsError(ValueError):
    """The facts contradict themselves or the rules."""


@dataclass(frozen=True)
class Location:
    """A town (one space) or a city (the spaces of its printed tile)."""

    id: int
    name: str
    kind: str  # "town" | "city"
    size: int  # 1 for a town
    region: int
    lat: float
    lon: float

    @property
    def is_city(self) -> bool:
        return self.kind == "city"


@dataclass(frozen=True)
class Region:
    """A region; its printed tile has the same number and name."""

    id: int
    name: str
    states: tuple[str, ...]


@dataclass(frozen=True)
class Tile:
    """A region tile: what first place, second place and everyone else present earn."""

    id: str
    kind: str
    values: tuple[int, int, int]


@dataclass(frozen=True)
class Link:
    """A priced line between two locations."""

    ends: tuple[int, int]
    price: int


@dataclass(frozen=True)
class Board:
    """Everything printed: ids are indices into these tuples, which are in board order."""

    locations: tuple[Location, ...]
    regions: tuple[Region, ...]
    links: tuple[Link, ...]
    tiles: tuple[Tile, ...]  # the ten printed region tiles, then the twenty of New Regions
    income: dict[int, tuple[int, ...]]  # by players: first sum of empty spaces that pays $2, $3, ...
    starting_money: dict[int, tuple[int, ...]]
    bonus_tiles: dict[int, int]
    milestone_tiles: dict[int, int]
    out_of_play: dict[int, tuple[int, ...]]  # regions, by players
    region_track: tuple[int, ...]
    red_zone_from: int  # 1-based
    introductory: dict[int, tuple[tuple[int, ...], ...]]  # towns, by players and seat

    @cached_property
    def location_ids(self) -> dict[str, int]:
        return {location.name: location.id for location in self.locations}

    @cached_property
    def region_ids(self) -> dict[str, int]:
        return {region.name: region.id for region in self.regions}

    @cached_property
    def tile_ids(self) -> dict[str, int]:
        return {tile.id: number for number, tile in enumerate(self.tiles)}

    @cached_property
    def towns(self) -> tuple[int, ...]:
        return tuple(location.id for location in self.locations if not location.is_city)

    @cached_property
    def cities(self) -> tuple[int, ...]:
        return tuple(location.id for location in self.locations if location.is_city)

    @cached_property
    def pairs(self) -> tuple[tuple[int, int], ...]:
        """Every (price, target) an expansion can name, by price, then in board order."""
        return tuple(sorted({(link.price, end) for link in self.links for end in link.ends}))

    def blocked(self, players: int) -> tuple[int, ...]:
        """The locations out of play with that many players (RULES 1.5)."""
        regions = self.out_of_play.get(players, ())
        return tuple(location.id for location in self.locations if location.region in regions)


def tile_class(size: int) -> int:
    """The back of a city tile of that size (RULES 5.1)."""
    return next(number for number, sizes in enumerate(TILE_CLASSES) if size in sizes)


def read(board: dict[str, Any], new_regions: dict[str, Any]) -> Board:
    """The board from its parsed files; FactsError says what is wrong."""
    try:
        facts = _build(board, new_regions)
    except KeyError as error:
        raise FactsError(f"the board files are wrong: {error} is missing or unknown") from None
    check(facts)
    return facts


def _build(board: dict[str, Any], new_regions: dict[str, Any]) -> Board:
    region_ids = {row["name"]: number for number, row in enumerate(board["region"])}
    location_ids = {row["name"]: number for number, row in enumerate(board["location"])}
    charts = board["charts"]
    by_players = {
        name: {int(players): value for players, value in charts[name].items()}
        for name in ("income", "starting_money", "bonus_tiles", "milestone_tiles", "out_of_play")
    }
    printed = [Tile(row["name"], "plain", tuple(row["values"])) for row in board["region"]]
    new = [Tile(row["id"], row["kind"], tuple(row["values"])) for row in new_regions["tile"]]
    return Board(
        locations=tuple(
            Location(n, row["name"], row["kind"], row.get("size", 1), region_ids[row["region"]], row["lat"], row["lon"])
            for n, row in enumerate(board["location"])
        ),
        regions=tuple(Region(n, row["name"], tuple(row["states"])) for n, row in enumerate(board["region"])),
        links=tuple(Link((location_ids[a], location_ids[b]), price) for a, b, price in board["links"]),
        tiles=(*printed, *new),
        income={players: tuple(value) for players, value in by_players["income"].items()},
        starting_money={players: tuple(value) for players, value in by_players["starting_money"].items()},
        bonus_tiles=by_players["bonus_tiles"],
        milestone_tiles=by_players["milestone_tiles"],
        out_of_play={
            players: tuple(region_ids[name] for name in names) for players, names in by_players["out_of_play"].items()
        },
        region_track=tuple(charts["region_track"]),
        red_zone_from=charts["red_zone_from"],
        introductory={
            int(players): tuple(tuple(location_ids[town] for town in towns) for towns in seats)
            for players, seats in board["introductory"].items()
        },
    )


def check(board: Board) -> None:
    """Raise FactsError unless the facts are those of the rules (RULES 1.2-1.6, 8.7)."""

    def demand(holds: bool, what: str) -> None:
        if not holds:
            raise FactsError(f"the board files are wrong: expected {what}")

    cities, towns = board.cities, board.towns
    demand(len(board.location_ids) == 45 and len(cities) == 25 and len(towns) == 20, "25 cities and 20 towns")
    demand(len(board.region_ids) == len(board.region_track) == 10, "ten regions and ten track spaces")
    demand(Counter(board.locations[city].size for city in cities) == TILE_COUNTS, f"city tiles {TILE_COUNTS}")
    demand(len(board.links) == 107, "107 links")
    demand(len({(frozenset(link.ends), link.price) for link in board.links}) == 107, "every link once")
    for link in board.links:
        allowed = PRICES[:2] if any(end in towns for end in link.ends) else PRICES[2:]
        demand(link.price in allowed, f"a price among {allowed}, not a link of ${link.price}")
    demand(len(board.tile_ids) == 30, "thirty region tiles with different names")
    demand(
        Counter(tile.kind for tile in board.tiles[10:])
        == {"plain": 10, "dollars": 3, "bonus": 2, "count": 3, "expansion": 1, "road": 1},
        "the kinds of the twenty new region tiles",
    )
    for players in range(2, 6):
        demand(len(board.starting_money[players]) == players, f"starting money for {players}")
        demand(list(board.income[players]) == sorted(board.income[players]), f"income chart for {players}")
        starts = [town for seat in board.introductory[players] for town in seat]
        demand(
            len(set(starts)) == 2 * players and set(starts) <= set(towns) - set(board.blocked(players)),
            f"introductory towns for {players}",
        )


def load() -> Board:
    """The board of this package."""
    folder = files("franchise.facts")
    board, new_regions = (
        tomllib.loads(folder.joinpath(name).read_text(encoding="utf-8")) for name in ("board.toml", "new_regions.toml")
    )
    return read(board, new_regions)


BOARD = load()
