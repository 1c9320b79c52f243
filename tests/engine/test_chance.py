"""The kernel draws set-ups exactly as Python does, for every seed."""

import random

import numpy as np
import pytest

from franchise import Options
from franchise.engine import chance, layout
from franchise.engine.jit import COMPILED
from franchise.engine.setups import NEW_TILES, resolve, rules_of

SEEDS = [*range(60 if COMPILED else 2), 2**32 - 1, 2**32, 2**40 + 17, 2**62 - 1]
TABLES = {
    "base": Options(),
    "random": Options(expert="random"),
    "milestones": Options(milestones=True),
    "mixed": Options(regions="mixed"),
    "new, drafted": Options(expert="draft", regions="new", milestones=True),
    "drafted": Options(expert="draft", milestones=True),
    "chosen": Options(regions="chosen", chosen_tiles=NEW_TILES[5:15]),
    "arranged": Options(expert="arranged", regions="mixed", region_tiles={"Texas": "N14", "Florida": "California"}),
    "everything": Options(expert="random", regions="mixed", milestones=True, boom=True),
}


def memory() -> tuple[chance.Twister, layout.Moves, layout.Moves]:
    return np.zeros(chance.WORDS + 1, np.int64), np.zeros(32, np.int32), np.zeros(32, np.int32)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("options", TABLES.values(), ids=TABLES)
def test_a_draw_is_what_resolve_draws(players: int, options: Options) -> None:
    recipe, rules = chance.recipe_of(players, options)
    twister, pool, drawn = memory()
    made = np.zeros(1, chance.DRAW)
    chance.take(rules[0], made[0])
    assert recipe[0].plain == options.without_chance
    for seed in SEEDS:
        if not recipe[0].plain:
            chance.draw(recipe[0], seed, twister, pool, drawn, made[0])
            chance.lay(made[0], rules[0])
        wanted = rules_of(resolve(players, options, seed))
        for name in wanted.dtype.names or ():
            assert np.array_equal(wanted[name], rules[name]), (name, seed)


@pytest.mark.parametrize("seed", [0, 1, 2**31, 2**62 - 1])
def test_the_generator_is_that_of_python_for_longer_than_its_memory(seed: int) -> None:
    twister, _, _ = memory()
    chance.sow(twister, seed)
    python = random.Random(seed)
    for _ in range(2 * chance.WORDS):
        assert chance.next_word(twister) == python.getrandbits(32)


def test_samples_are_those_of_python() -> None:
    twister, pool, drawn = memory()
    for seed in range(20):
        chance.sow(twister, seed)
        pool[:] = np.arange(32)
        chance.sample(twister, pool, 30, 10, drawn)
        assert drawn[:10].tolist() == random.Random(seed).sample(range(30), 10)
