"""Turns of a game: where each began, which moves belong to it, and how to end it."""

from collections.abc import Iterable
from typing import Any, Protocol

from franchise.engine.actions import FIRST_ID, Action
from franchise.engine.events import Event
from franchise.engine.layout import EventKind, Kind, Phase, Records
from franchise.engine.walk import moves
from franchise.game import SCRATCH, Game

ENDING = {
    int(Phase.BOOM_MOVE): FIRST_ID[Kind.STAY],
    int(Phase.EXPAND): FIRST_ID[Kind.DONE],
    int(Phase.GROW): FIRST_ID[Kind.END],
}
SCORE = int(Phase.SCORE)
TURN = EventKind.TURN  # looking a member up takes longer than comparing it


def ending_move(rules: Records, state: Records) -> int | None:
    """The move that leads towards the end of the turn; None during the set-up and after the game.

    If the order of regions matters, it scores the first one in board order.
    """
    phase = state["phase"].item()
    if phase == SCORE:
        moves(rules, state, SCRATCH.out)
        return int(SCRATCH.out[0])
    return ENDING.get(phase)


def play_noting_turn(game: Game, move: Action | str, starts: list[int]) -> list[Event]:
    """Play a move and append to `starts` when the turn it leads to began."""
    turn = (game.turn, game.current_player)
    events = game.play(move)
    same = turn == (game.turn, game.current_player)
    starts.append(starts[-1] if same else len(starts))
    return events


def turn_starts(game: Game) -> tuple[int, ...]:
    """For each number of moves, the number of moves at the start of that turn."""
    walk, starts = game.at(0), [0]
    for action in game.actions:
        play_noting_turn(walk, action, starts)
    return tuple(starts)


def own_turn(game: Game, line: Iterable[Action]) -> tuple[Action, ...]:
    """The moves of a line until the turn of the player to move is over."""
    walk, turn = game.copy(), []
    began = (game.turn, game.current_player)
    for action in line:
        if walk.over or (walk.turn, walk.current_player) != began:
            break
        walk.play(action)
        turn.append(action)
    return tuple(turn)


class Playable(Protocol):
    """A game, or a state to try moves on."""

    @property
    def rules(self) -> Any: ...

    @property
    def state(self) -> Any: ...

    def play(self, action: int, /) -> Iterable[Event]: ...


def end_turn(playable: Playable, turn: int) -> tuple[Event, ...]:
    """Make the moves that end the turn, if it has not ended yet; returns the events until the next turn begins."""
    events: tuple[Event, ...] = ()
    while playable.state["turn"].item() == turn:
        number = ending_move(playable.rules, playable.state)
        if number is None:
            break
        events += before_next_turn(playable.play(number))
    return events


def before_next_turn(events: Iterable[Event]) -> tuple[Event, ...]:
    """The events until the next turn begins."""
    turn: list[Event] = []
    for event in events:
        if event.kind is TURN:
            break
        turn.append(event)
    return tuple(turn)
