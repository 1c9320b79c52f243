"""The course of a game in sentences, turn by turn."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from franchise.engine.actions import Action
from franchise.engine.events import ON_MILESTONES, Event
from franchise.engine.layout import EventKind
from franchise.game import Game
from franchise.wording.language import Language

KEPT = 1024  # games whose sentences are kept for the next move


@dataclass(frozen=True)
class LogLine:
    """One thing that happened."""

    text: str
    move: int  # how many moves had been made after it
    place: str | None  # location or region
    seat: int


@dataclass(frozen=True)
class LoggedTurn:
    """The lines of one turn; number 0 is the set-up."""

    number: int
    seat: int
    lines: tuple[LogLine, ...]


class Log:
    """A game read so far; reading on costs only the new moves."""

    def __init__(self, game: Game, language: Language) -> None:
        self.language = language
        self.walk = game.at(0)
        self.past: list[LoggedTurn] = []
        self.number, self.seat = 0, -1
        self.lines: list[LogLine] = []
        self.note(self.walk.opening())

    @property
    def actions(self) -> tuple[Action, ...]:
        return self.walk.actions

    def read(self, actions: Iterable[Action]) -> None:
        """Go on with more moves."""
        for action in actions:
            self.note(self.walk.play(action))

    def note(self, happened: Iterable[Event]) -> None:
        move = len(self.walk.actions)
        for event in happened:
            if event.kind == EventKind.TURN:
                self.past.append(self.turn)
                self.number, self.seat, self.lines = event.amount, event.seat, []
            else:
                text = self.language.sentence(event, self.walk.names)
                self.lines.append(LogLine(text, move, place_of(event), event.seat))

    @property
    def turn(self) -> LoggedTurn:
        """The turn that goes on."""
        return LoggedTurn(self.number, self.seat, tuple(self.lines))

    @property
    def turns(self) -> tuple[LoggedTurn, ...]:
        """Everything so far, the first turn first."""
        return tuple(turn for turn in (*self.past, self.turn) if turn.lines)


@lru_cache(maxsize=KEPT)
def kept(table: str, language: Language, names: tuple[str, ...]) -> list[Log]:
    """What has been read of a table's game: one log, or none yet."""
    return []


def turns(table: str, game: Game, language: Language) -> tuple[LoggedTurn, ...]:
    """The turns of the game at a table; what has been read before is not read again."""
    shelf = kept(table, language, game.names)
    actions = game.actions
    log = shelf.pop() if shelf else Log(game, language)
    if log.actions != actions[: len(log.actions)] or log.walk.setup != game.setup:
        log = Log(game, language)
    log.read(actions[len(log.actions) :])
    shelf.append(log)
    return log.turns


def place_of(event: Event) -> str | None:
    """Where a line belongs on the map."""
    return None if event.kind in ON_MILESTONES else event.where
