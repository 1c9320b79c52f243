"""Tables the tests of the environments share: every option by itself, and all together."""

import random

import pytest

from franchise import Game, Options
from franchise.engine.setups import NEW_TILES

TABLES = {
    "base": Options(),
    "introductory": Options(introductory=True),
    "draft": Options(expert="draft"),
    "random": Options(expert="random"),
    "arranged": Options(expert="arranged", city_tiles={"Atlanta": 5, "Denver": 4}),
    "milestones": Options(milestones=True),
    "boom": Options(boom=True),
    "mixed": Options(regions="mixed"),
    "new": Options(regions="new"),
    "chosen": Options(regions="chosen", chosen_tiles=NEW_TILES[10:]),
    "everything": Options(expert="draft", milestones=True, boom=True, regions="new"),
}
MINI = Options(mini=True)  # for two players only
TABLES_OF_TWO = {**TABLES, "mini": MINI}
ALL_PLAYERS = pytest.mark.parametrize("players", [2, 3, 4, 5])
ALL_TABLES = pytest.mark.parametrize("options", TABLES.values(), ids=TABLES)


def played(players: int, seed: int, options: Options) -> Game:
    """A random game to its end."""
    game = Game(players, seed, options)
    chance = random.Random(seed)
    while not game.over:
        game.play(chance.choice(game.legal_actions()))
    return game
