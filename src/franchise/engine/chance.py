"""Random set-ups inside a kernel: for every seed exactly what setups.resolve draws in Python.

A batch starts thousands of games a second, too many for Python. A DRAW holds the random parts of a set-up; a RECIPE
says how to draw them. The generator is Python's (Mersenne Twister), seeded as random.Random(seed) is, and `sample` is
random.sample for small sets. Numbers are int64 with 32 bits in use.
"""

from typing import Any, TypeAlias

import numpy as np

from franchise.engine import layout
from franchise.engine.bits import bit
from franchise.engine.jit import kernel
from franchise.engine.layout import CITIES, LOCATIONS, REGIONS, TILES, Records, Rules, record
from franchise.engine.setups import Options, printed_sizes, regions_in_play, resolve, rules_of, tiles_allowed
from franchise.facts import BOARD, MILESTONES
from franchise.facts.loader import TILE_CLASSES, tile_class

WORDS = 624
SHIFT = 397
LOW = 0xFFFFFFFF  # 32 bits
CLASSES = len(TILE_CLASSES)
MILESTONE_KINDS = len(MILESTONES)

Twister: TypeAlias = "np.ndarray[Any, np.dtype[np.int64]]"  # WORDS words and the position in them
Draw: TypeAlias = np.record

DRAW = record(
    ("region_tile", np.int32, (REGIONS,)),  # as in RULES
    ("region_pool", np.int32),
    ("milestones", np.int32),
    ("city_size", np.int8, (LOCATIONS,)),
)
RECIPE = record(
    ("plain", np.int32),  # 1 when there is nothing to draw
    ("still", np.int32),  # 1 when all games have the same tiles from the beginning
    ("shuffled", np.int32),  # 1 when city tiles change places within their classes
    ("cities", np.int32, (CLASSES, CITIES)),  # cities of each class, -1 after the last
    ("printed", np.int32, (LOCATIONS,)),  # sizes of the printed city tiles
    ("movable", np.int32, (REGIONS,)),  # regions whose printed tiles change places, -1 after the last
    ("tiles", np.int32, (TILES,)),  # region tiles to draw ten from, -1 after the last
    ("placed", np.int32, (REGIONS,)),  # tile the host has put on the region, or -1
    ("drafted", np.int32, (REGIONS,)),  # regions whose tiles are drafted, -1 after the last
    ("milestones", np.int32),  # how many
)


def recipe_of(players: int, options: Options) -> tuple[Records, Records]:
    """How to draw set-ups with these options, and their RULES, in which a DRAW replaces the random parts."""
    made = layout.new(RECIPE)
    recipe = made[0]
    rules = rules_of(resolve(players, options, 0))
    sizes = printed_sizes(players, options.mini)
    recipe.plain = options.without_chance
    recipe.still = options.without_chance and options.expert != "draft"
    recipe.shuffled = options.expert == "random"
    recipe.cities = -1
    for number in range(CLASSES):
        cities = [BOARD.location_ids[name] for name, size in sizes.items() if tile_class(size) == number]
        recipe.cities[number, : len(cities)] = cities
    for name, size in sizes.items():
        recipe.printed[BOARD.location_ids[name]] = size
    for name in ("movable", "tiles", "placed", "drafted"):
        recipe[name] = -1
    in_play = [BOARD.region_ids[name] for name in regions_in_play(players, options.mini)]
    if options.regions is not None:
        pool = options.chosen_tiles if options.regions == "chosen" else tiles_allowed(options.regions)
        numbers = [BOARD.tile_ids[tile] for tile in pool]
        recipe.tiles[: len(numbers)] = numbers
    elif options.expert == "random":
        recipe.movable[: len(in_play)] = in_play
    for name, tile in options.region_tiles.items():
        recipe.placed[BOARD.region_ids[name]] = BOARD.tile_ids[tile]
    if options.expert == "draft":
        recipe.drafted[: len(in_play)] = in_play
    recipe.milestones = BOARD.milestone_tiles[players] if options.milestones else 0
    return made, rules


# --- kernels ----------------------------------------------------------------------------------------------------------


@kernel
def sow(twister: Twister, seed: int) -> None:
    """Seed the generator as random.Random(seed) does, for seeds from 0 to 2**63 - 1."""
    twister[0] = 19650218
    for i in range(1, WORDS):
        twister[i] = (1812433253 * (twister[i - 1] ^ (twister[i - 1] >> 30)) + i) & LOW
    words = 1 if seed >> 32 == 0 else 2
    i = 1
    for step in range(WORDS):
        j = step % words
        mixed = (twister[i - 1] ^ (twister[i - 1] >> 30)) * 1664525 & LOW
        twister[i] = ((twister[i] ^ mixed) + (seed >> (32 * j) & LOW) + j) & LOW
        i += 1
        if i == WORDS:
            twister[0] = twister[WORDS - 1]
            i = 1
    for _ in range(WORDS - 1):
        mixed = (twister[i - 1] ^ (twister[i - 1] >> 30)) * 1566083941 & LOW
        twister[i] = ((twister[i] ^ mixed) - i) & LOW
        i += 1
        if i == WORDS:
            twister[0] = twister[WORDS - 1]
            i = 1
    twister[0] = 1 << 31
    twister[WORDS] = 0


@kernel
def next_word(twister: Twister) -> int:
    """The next 32 random bits."""
    i = twister[WORDS]
    mixed = (twister[i] & 0x80000000) | (twister[(i + 1) % WORDS] & 0x7FFFFFFF)
    word = twister[(i + SHIFT) % WORDS] ^ (mixed >> 1)
    if mixed & 1 != 0:
        word ^= 0x9908B0DF
    twister[i] = word
    twister[WORDS] = (i + 1) % WORDS
    word ^= word >> 11
    word ^= (word << 7) & 0x9D2C5680
    word ^= (word << 15) & 0xEFC60000
    return word ^ (word >> 18)  # type: ignore[no-any-return]


@kernel
def below(twister: Twister, limit: int) -> int:
    """A random number from 0 to limit - 1."""
    bits = 0
    while limit >> bits != 0:
        bits += 1
    number = next_word(twister) >> (32 - bits)
    while number >= limit:
        number = next_word(twister) >> (32 - bits)
    return number


@kernel
def sample(twister: Twister, pool: Any, size: int, number: int, out: Any) -> None:
    """Draw some of the first `size` items of a pool, which is consumed in the process."""
    for i in range(number):
        j = below(twister, size - i)
        out[i] = pool[j]
        pool[j] = pool[size - i - 1]


@kernel
def draw(recipe: Any, seed: int, twister: Twister, pool: Any, drawn: Any, made: Draw) -> None:
    """Draw a set-up in the order of setups.resolve: city tiles, region tiles, milestones."""
    sow(twister, seed)
    if recipe.shuffled != 0:
        for number in range(CLASSES):
            size = 0
            while size < CITIES and recipe.cities[number, size] >= 0:
                pool[size] = recipe.printed[recipe.cities[number, size]]
                size += 1
            sample(twister, pool, size, size, drawn)
            for i in range(size):
                made.city_size[recipe.cities[number, i]] = drawn[i]
    draw_regions(recipe, twister, pool, drawn, made)
    made.milestones = 0
    for milestone in range(MILESTONE_KINDS):
        pool[milestone] = milestone
    sample(twister, pool, MILESTONE_KINDS, recipe.milestones, drawn)
    for i in range(recipe.milestones):
        made.milestones |= 1 << drawn[i]


@kernel
def draw_regions(recipe: Any, twister: Twister, pool: Any, drawn: Any, made: Draw) -> None:
    """The tiles of the regions, and which of them are drafted instead (RULES 5.1, 5.2, 8.1)."""
    size = 0
    while size < REGIONS and recipe.movable[size] >= 0:
        pool[size] = recipe.movable[size]
        size += 1
    sample(twister, pool, size, size, drawn)
    for i in range(size):
        made.region_tile[recipe.movable[i]] = drawn[i]
    size = 0
    while size < TILES and recipe.tiles[size] >= 0:
        pool[size] = recipe.tiles[size]
        size += 1
    if size > 0:
        sample(twister, pool, size, REGIONS, drawn)
        i = 0
        for region in range(REGIONS):
            made.region_tile[region] = recipe.placed[region]
            if recipe.placed[region] < 0:
                while is_placed(recipe, drawn[i]):
                    i += 1
                made.region_tile[region] = drawn[i]
                i += 1
        made.region_pool = 0
        for i in range(REGIONS):
            if recipe.drafted[i] >= 0:
                region = recipe.drafted[i]
                made.region_pool |= bit(made.region_tile[region])
                made.region_tile[region] = -1


@kernel
def is_placed(recipe: Any, tile: int) -> bool:
    """Whether the host has put the tile on a region."""
    for region in range(REGIONS):
        if recipe.placed[region] == tile:
            return True
    return False


@kernel
def take(rules: Rules, made: Draw) -> None:
    """Read the draw from the RULES of a set-up."""
    made.region_pool = rules.region_pool
    made.milestones = rules.milestones
    for region in range(REGIONS):
        made.region_tile[region] = rules.region_tile[region]
    for place in range(LOCATIONS):
        made.city_size[place] = rules.city_size[place]


@kernel
def lay(made: Draw, rules: Rules) -> None:
    """Put a draw into RULES."""
    rules.region_pool = made.region_pool
    rules.milestones = made.milestones
    for region in range(REGIONS):
        rules.region_tile[region] = made.region_tile[region]
    for place in range(LOCATIONS):
        rules.city_size[place] = made.city_size[place]
