"""What a move would do, as data. Pure functions of a game, cheap enough to call for every legal move."""

from dataclasses import dataclass

import numpy as np

from franchise.engine import events, layout
from franchise.engine.actions import ACTIONS, TEXTS, Action
from franchise.engine.events import Event
from franchise.engine.walk import step, survey
from franchise.game import SCRATCH, Game
from franchise.insight.turn_bounds import before_next_turn, end_turn


@dataclass(frozen=True)
class Preview:
    """What a move does at once, and what would follow if the turn ended right after it."""

    move: str
    seat: int  # who would make it
    cash_before: int
    cash_after: int
    income_before: int  # of that seat next time, if the turn ended without the move
    income_after: int  # likewise, with the move
    supply_after: int  # franchises left in the supply, if the turn ended right after the move
    events: tuple[Event, ...]  # of the move itself; not the next player's income
    turn_end: tuple[Event, ...]  # of phases 4 and 5 and the end of the game, likewise
    scores: tuple[int, ...]  # influence gained by each seat in all of that


def preview(game: Game, action: Action | str) -> Preview:
    """What a move would do; raises IllegalAction like Game.play."""
    after = game.copy()
    after.play(action)
    return preview_of(game, after.actions[-1], income_without(game))


def previews(game: Game) -> list[Preview]:
    """What each legal move would do, in the order of legal_actions."""
    income = income_without(game)
    return [preview_of(game, action, income) for action in game.legal_actions()]


def turn_end(game: Game) -> tuple[Event, ...]:
    """What would happen if the turn ended now: phases 4 and 5, perhaps the end of the game."""
    return Trial(game).finish()


def income_without(game: Game) -> int:
    """What the player to move is paid next time if the turn ends now."""
    trial = Trial(game)
    trial.finish()
    return trial.income(game.current_player)


def preview_of(game: Game, action: Action, income_before: int) -> Preview:
    """What a legal move would do, compared with ending the turn without it."""
    seat = game.current_player
    trial = Trial(game)
    cash_before = trial.cash(seat)
    events = trial.play(action.id)
    cash_after = trial.cash(seat)
    following = trial.finish()
    gained: list[int] = (trial.state["influence"][0] - game.state["influence"][0]).tolist()
    return Preview(
        move=TEXTS[action.id],
        seat=seat,
        cash_before=cash_before,
        cash_after=cash_after,
        income_before=income_before,
        income_after=trial.income(seat),
        supply_after=int(trial.state["supply"][0, seat]),
        events=events,
        turn_end=following,
        scores=tuple(gained[: game.players]),
    )


class Trial:
    """The state of a game to try moves on until the turn ends. It has no history, so copies are cheap."""

    def __init__(self, game: Game) -> None:
        self.rules = game.rules
        self.state = game.state.view(np.int32).copy().view(layout.STATE)  # NumPy would copy a record field by field
        self.turn = game.turn

    def play(self, action: int) -> tuple[Event, ...]:
        """Carry out a legal action; its events up to the next turn."""
        if not step(self.rules, self.state, action, SCRATCH.out, SCRATCH.log):
            raise ValueError(f"{ACTIONS[action]} is not legal now")
        return before_next_turn(events.read(SCRATCH.log))

    def finish(self) -> tuple[Event, ...]:
        """End the turn if it has not ended yet."""
        return end_turn(self, self.turn)

    def cash(self, seat: int) -> int:
        return int(self.state["cash"][0, seat])

    def income(self, seat: int) -> int:
        """What phase 1 would pay the seat."""
        incomes = np.zeros(layout.SEATS, np.int32)
        survey(self.rules, self.state, incomes, np.zeros((layout.REGIONS, layout.SEATS), np.int32))
        return int(incomes[seat])
