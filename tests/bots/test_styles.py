"""Characters play in their own way: what they like decides between turns; the draft is decided by what follows."""

import random
from dataclasses import fields

import pytest

from franchise import Game, Options
from franchise.bots import make
from franchise.bots.characters import CHARACTERS
from franchise.bots.drafting import best_tile
from franchise.bots.levels import LEVELS, LevelBot
from franchise.bots.protocol import BotError, Budget
from franchise.bots.registry import find
from franchise.bots.root_turns import RootTurn
from franchise.bots.styles import STYLED, STYLES, PlayingStyle, in_style, traits

pytestmark = pytest.mark.compiled_only


def midgame() -> Game:
    game = Game(3, options=Options(introductory=True))
    bot = make("casual", seed=3)
    while game.turn < 13:
        game.play(bot.choose(game))
    return game


@pytest.mark.parametrize("level", STYLED)
@pytest.mark.parametrize("trait", [field.name for field in fields(PlayingStyle)])
def test_a_turn_that_a_character_likes_enough_is_played(trait: str, level: str) -> None:
    game = midgame()
    seat = game.current_player
    bot = LevelBot(LEVELS[level], 1, Budget(None, 30), style=PlayingStyle(**{trait: 50.0}))
    turns = [turn for turn in bot.search(game) if turn.visits or not bot.simulations]

    def after(turn: RootTurn) -> int:
        then = game.copy()
        for move in turn.moves:
            then.play(move)
        return traits(then, seat)[trait]

    assert after(bot.pick(turns, game)) == max(map(after, turns))


def test_every_character_has_a_style_and_plays_to_the_end_in_it() -> None:
    assert list(STYLES) == list(CHARACTERS)
    assert len(set(STYLES.values())) == len(CHARACTERS)
    game = Game(5, 2, Options(expert="random", milestones=True, boom=True))
    bots = [make(in_style("casual", name), seed=1) for name in CHARACTERS]
    while not game.over:
        game.play(bots[game.current_player].choose(game))
    assert len(game.result().scores) == 5


def test_a_style_is_part_of_the_name_of_a_bot() -> None:
    assert in_style("regular", "Penny Pound") == "regular:penny-pound"
    assert in_style("expert", "Penny Pound") == "expert"
    assert in_style("regular", "Ada") == "regular"
    bot = make("regular:penny-pound", seed=1)
    assert isinstance(bot, LevelBot)
    assert (bot.level.name, bot.style) == ("regular", STYLES["Penny Pound"])
    for name in ("regular:ada", "expert:route-roy"):
        with pytest.raises(BotError, match="the styles of casual and regular are route-roy, penny-pound"):
            find(name)


def test_a_tile_of_the_draft_goes_where_it_promises_most() -> None:
    game = Game(2, 1, Options(expert="draft"))
    numbers = game.legal_numbers()
    wanted = numbers[len(numbers) // 2]
    bot = make("casual", seed=1)
    assert isinstance(bot, LevelBot)
    seat = game.current_player

    def turns_of(then: Game) -> list[RootTurn]:
        """As if everything hung on that one tile."""
        chance = float(then.actions[0].id == wanted)
        (turn, *_) = bot.turns_without_search(then)
        return [
            RootTurn(turn.moves, 0, chance, tuple(chance if s == seat else 1 - chance for s in range(2)), (), tuple)
        ]

    found = [best_tile(game, numbers, 1000, turns_of, random.Random(seed)) for seed in range(4)]
    tried = [wanted in random.Random(seed).sample(numbers, 16) for seed in range(4)]
    assert [number == wanted for number in found] == tried
    assert True in tried
