"""From options and a seed to a Setup in which nothing is random, and from a Setup to RULES and the first STATE."""

import random
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from franchise.engine import layout
from franchise.engine.layout import Records
from franchise.engine.tables import board_rules, mask
from franchise.engine.walk import begin
from franchise.facts import BOARD, MILESTONES
from franchise.facts.loader import TILE_CLASSES, tile_class

PLAYERS = (2, 3, 4, 5)
EXPERT = ("draft", "random", "arranged")
REGIONS = ("mixed", "new", "chosen")
MINI_PLAYERS = 2
MINI_REGIONS = ("California", "Grand Canyon", "Upper West")  # the corner of the map that `mini` is played in
PRINTED_TILES = tuple(tile.id for tile in BOARD.tiles[: len(BOARD.regions)])
NEW_TILES = tuple(tile.id for tile in BOARD.tiles[len(BOARD.regions) :])


class SetupError(ValueError):
    """Options that contradict each other or the rules."""


@dataclass(frozen=True)
class Options:
    """The options of a game (RULES 1.8 and 5-8), and `mini`, a small game of our own for learning.

    `expert` is "draft", "random" or "arranged"; "arranged" takes `city_tiles` (size by city) and `region_tiles` (tile
    id by region). `regions` is "mixed", "new" or "chosen"; "chosen" takes `chosen_tiles` (ten tile ids).
    """

    introductory: bool = False
    expert: str | None = None  # "draft" | "random" | "arranged"
    milestones: bool = False
    boom: bool = False
    regions: str | None = None  # "mixed" | "new" | "chosen"
    city_tiles: Mapping[str, int] = field(default_factory=dict)  # with "arranged": size by city
    region_tiles: Mapping[str, str] = field(default_factory=dict)  # with "arranged": tile id by region
    chosen_tiles: Iterable[str] = ()  # with "chosen": ten tile ids
    mini: bool = False  # two players in three regions, until two of their tiles lie on the region track

    def __post_init__(self) -> None:
        for name in ("introductory", "milestones", "boom", "mini"):
            if not isinstance(getattr(self, name), bool):
                raise SetupError(f"option {name} is true or false, not {getattr(self, name)!r}")
        for name, allowed in (("expert", EXPERT), ("regions", REGIONS)):
            if getattr(self, name) not in (None, *allowed):
                raise SetupError(f"option {name} is one of {', '.join(allowed)}, not {getattr(self, name)!r}")
        if self.expert != "arranged" and (self.city_tiles or self.region_tiles):
            raise SetupError('city_tiles and region_tiles need expert="arranged"')
        if self.mini and (self.introductory or self.expert or self.milestones or self.boom or self.regions):
            raise SetupError("option mini cannot be combined with others")
        if self.regions != "chosen" and self.chosen_tiles:
            raise SetupError('chosen_tiles need regions="chosen"')

    @property
    def without_chance(self) -> bool:
        """Whether every seed gives the same set-up."""
        return not self.milestones and self.regions is None and self.expert != "random"

    def bare(self) -> "Options":
        """The choices without the arrangements, which a Setup holds in full."""
        return replace(self, city_tiles={}, region_tiles={}, chosen_tiles=())


@dataclass(frozen=True)
class Setup:
    """A set-up in which nothing is random, as a record stores it."""

    players: int
    options: Options
    milestones: tuple[str, ...]  # the milestone tiles drawn
    city_tiles: Mapping[str, int]  # size by city in play; empty before a draft
    region_tiles: Mapping[str, str]  # tile id by region; a draft leaves out the regions in play
    draft_tiles: tuple[str, ...]  # ids of the region tiles the draft places


# --- Resolving chance -------------------------------------------------------------------------------------------------


def resolve(players: int, options: Options, seed: int | None) -> Setup:
    """The set-up of a new game; the seed determines everything random. SetupError says what is wrong."""
    _check_players(players, options)
    if seed is not None and (isinstance(seed, bool) or not isinstance(seed, int)):
        raise SetupError(f"a seed is a whole number, not {seed!r}")
    rng = random.Random(seed)
    city_tiles = _city_tiles(players, options, rng)
    region_tiles = _region_tiles(players, options, rng)
    milestones = sorted(rng.sample(MILESTONES, BOARD.milestone_tiles[players])) if options.milestones else ()
    draft_tiles: list[str] = []
    if options.expert == "draft":
        city_tiles = {}
        draft_tiles = sorted(
            (region_tiles.pop(name) for name in regions_in_play(players)), key=BOARD.tile_ids.__getitem__
        )
    setup = Setup(players, options.bare(), tuple(milestones), city_tiles, region_tiles, tuple(draft_tiles))
    check(setup)
    return setup


def drawn_order(players: int, seed: int) -> list[int]:
    """For each seat the player who gets it, drawn from the seed independently of the set-up (RULES 1.1)."""
    return random.Random(f"seats {seed}").sample(range(players), players)


def regions_in_play(players: int, mini: bool = False) -> tuple[str, ...]:
    """Names of the regions in play (RULES 1.5)."""
    if mini:
        return MINI_REGIONS
    return tuple(region.name for region in BOARD.regions if region.id not in BOARD.out_of_play.get(players, ()))


def printed_sizes(players: int, mini: bool = False) -> dict[str, int]:
    """The printed city tiles in play (RULES 1.3, 1.5)."""
    regions = {BOARD.region_ids[name] for name in regions_in_play(players, mini)}
    cities = (BOARD.locations[city] for city in BOARD.cities)
    return {city.name: city.size for city in cities if city.region in regions}


def tiles_allowed(regions: str | None) -> tuple[str, ...]:
    """The region tiles a game may use (RULES 8.1)."""
    return {None: PRINTED_TILES, "new": NEW_TILES}.get(regions, PRINTED_TILES + NEW_TILES)


def _city_tiles(players: int, options: Options, rng: random.Random) -> dict[str, int]:
    """City tiles as printed, shuffled within their classes, or as the host arranged them (RULES 5.1, 5.2)."""
    sizes = printed_sizes(players, options.mini)
    if options.expert == "random":
        for number in range(len(TILE_CLASSES)):
            cities = [name for name, size in sizes.items() if tile_class(size) == number]
            tiles = rng.sample([sizes[name] for name in cities], len(cities))
            sizes.update(zip(cities, tiles, strict=True))
    return sizes | dict(options.city_tiles)


def _region_tiles(players: int, options: Options, rng: random.Random) -> dict[str, str]:
    """A tile for each of the ten regions (RULES 5.2, 8.1)."""
    chosen = dict(options.region_tiles)
    if options.regions is None:
        placed = dict(zip(PRINTED_TILES, PRINTED_TILES, strict=True))
        if options.expert == "random":
            movable = regions_in_play(players)
            placed.update(zip(movable, rng.sample(movable, len(movable)), strict=True))
        return placed | chosen
    pool = tuple(options.chosen_tiles) if options.regions == "chosen" else tiles_allowed(options.regions)
    if len(pool) < len(PRINTED_TILES) or (options.regions == "chosen" and len(pool) != len(PRINTED_TILES)):
        raise SetupError(f"chosen_tiles: choose ten region tiles, not {len(pool)}")
    for tile in chosen.values():
        if tile not in pool:
            raise SetupError(f"region_tiles: {tile!r} is not a tile this game can use")
    rest = iter([tile for tile in rng.sample(pool, len(PRINTED_TILES)) if tile not in chosen.values()])
    return chosen | {name: next(rest) for name in BOARD.region_ids if name not in chosen}


# --- Checking ---------------------------------------------------------------------------------------------------------


def check(setup: Setup) -> None:
    """Raise SetupError unless the rules allow the set-up; also used when reading records."""
    _check_players(setup.players, setup.options)
    _check_city_tiles(setup)
    _check_region_tiles(setup)
    number = BOARD.milestone_tiles[setup.players] if setup.options.milestones else 0
    drawn = setup.milestones
    if len(drawn) != number or any(milestone not in MILESTONES for milestone in drawn):
        raise SetupError(f"{number} of the milestones {' '.join(MILESTONES)} lie open, not {' '.join(drawn) or 'none'}")
    if list(drawn) != sorted(set(drawn)):
        raise SetupError(f"milestones are listed once and in order, not {' '.join(drawn)}")


def _check_players(players: int, options: Options) -> None:
    """RULES 1.1; 4.0 and True are equal to integers, but are not accepted."""
    if isinstance(players, bool) or not isinstance(players, int) or players not in PLAYERS:
        raise SetupError(f"Franchise is for 2 to 5 players, not {players!r}")
    if options.mini and players != MINI_PLAYERS:
        raise SetupError(f"option mini is for {MINI_PLAYERS} players, not {players}")


def _check_city_tiles(setup: Setup) -> None:
    """Each city tile of its city's class, and together exactly the printed set (RULES 5.1)."""
    printed = printed_sizes(setup.players, setup.options.mini)
    if setup.options.expert == "draft":
        if setup.city_tiles:
            raise SetupError("city tiles are placed in the draft, not at set-up")
        return
    for name, size in setup.city_tiles.items():
        if name not in printed:
            raise SetupError(f"{name!r} is not a city in play")
        if type(size) is not int or size not in TILE_CLASSES[tile_class(printed[name])]:
            sizes = ", ".join(map(str, TILE_CLASSES[tile_class(printed[name])]))
            raise SetupError(f"{name} takes a city tile of size {sizes}, not {size!r}")
        if setup.options.expert is None and size != printed[name]:
            raise SetupError(f"{name} has its printed tile {printed[name]}, not {size}, unless the set-up is expert")
    for name in printed:
        if name not in setup.city_tiles:
            raise SetupError(f"{name} has no city tile")
    surplus = Counter(setup.city_tiles.values()) - Counter(printed.values())
    if surplus:
        raise SetupError(f"there are not that many city tiles of size {min(surplus)}")


def _check_region_tiles(setup: Setup) -> None:
    """Every tile once, from those the game uses, on the regions that have one (RULES 1.5, 5.1, 8.1)."""
    in_play = regions_in_play(setup.players, setup.options.mini)
    drafting = setup.options.expert == "draft"
    for name in setup.region_tiles:
        if name not in BOARD.region_ids:
            raise SetupError(f"{name!r} is not a region")
        if drafting and name in in_play:
            raise SetupError(f"the tile of {name} is placed in the draft, not at set-up")
    for name in BOARD.region_ids:
        if name not in setup.region_tiles and not (drafting and name in in_play):
            raise SetupError(f"{name} has no region tile")
    if len(setup.draft_tiles) != (len(in_play) if drafting else 0):
        raise SetupError(f"{len(setup.draft_tiles)} region tiles to draft for {len(in_play)} regions in play")
    counts = Counter((*setup.region_tiles.values(), *setup.draft_tiles))
    for tile, count in counts.items():
        if tile not in tiles_allowed(setup.options.regions):
            raise SetupError(f"{tile!r} is not a region tile of this game")
        if count > 1:
            raise SetupError(f"region tile {tile} is there {count} times")
    if setup.options.regions is None:
        for name, tile in setup.region_tiles.items():
            if tile != name and (name not in in_play or setup.options.expert is None):
                raise SetupError(f"{name} keeps its printed region tile, not {tile}, in this game")


# --- Records ----------------------------------------------------------------------------------------------------------


def rules_of(setup: Setup) -> Records:
    """The RULES record of a set-up."""
    made = board_rules(setup.players, MINI_REGIONS if setup.options.mini else ()).copy()
    rules = made[0]
    rules.city_size = 1
    for city in BOARD.cities:
        rules.city_size[city] = setup.city_tiles.get(BOARD.locations[city].name, 0)
    if setup.options.expert == "draft":
        for size, count in Counter(printed_sizes(setup.players).values()).items():
            rules.pool[size] = count
    rules.region_tile = -1
    for name, tile in setup.region_tiles.items():
        rules.region_tile[BOARD.region_ids[name]] = BOARD.tile_ids[tile]
    rules.region_pool = mask(BOARD.tile_ids[tile] for tile in setup.draft_tiles)
    rules.introductory = -1
    if setup.options.introductory:
        rules.introductory[: setup.players] = BOARD.introductory[setup.players]
    rules.milestones = mask(MILESTONES.index(milestone) for milestone in setup.milestones)
    rules.boom = int(setup.options.boom)
    return made


def first_state(rules: Records, log: Records) -> Records:
    """The state before the first decision; the log holds the events up to there."""
    state = layout.new(layout.STATE)
    begin(rules, state, log)
    return state
