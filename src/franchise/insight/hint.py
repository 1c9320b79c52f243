"""A hint: the rest of a turn as a bot would play it, and its effects."""

import threading
from dataclasses import dataclass

from franchise.bots import Bot, Cancelled
from franchise.engine.actions import Action
from franchise.game import Game
from franchise.insight.turn_bounds import own_turn
from franchise.insight.turn_effects import Effect, effects


@dataclass(frozen=True)
class Hint:
    """The remaining moves of a turn, the next one first, and their effects."""

    turn: tuple[Action, ...]
    effects: tuple[Effect, ...]


def think(bot: Bot, game: Game, dropped: threading.Event) -> Hint:
    """The bot's turn with its effects; raises Cancelled if the hint is no longer wanted."""
    if dropped.is_set():
        raise Cancelled("the position has changed")
    if game.phase == "start":  # no search: starting towns are drawn by what they have earned
        turn: tuple[Action, ...] = (bot.choose(game),)
    else:
        turn = own_turn(game, bot.analyse(game, moves=1).moves[0].line)
    return Hint(turn, effects(game, turn))
