"""The course of a game in sentences, turn by turn."""

from dataclasses import dataclass

from franchise.engine.events import Event
from franchise.engine.layout import EventKind
from franchise.game import Game
from franchise.web.language import Language


@dataclass(frozen=True)
class Line:
    """One thing that happened."""

    text: str
    move: int  # how many moves had been made after it
    place: str | None  # location or region
    seat: int


@dataclass(frozen=True)
class Turn:
    """The lines of one turn; number 0 is the set-up."""

    number: int
    seat: int
    lines: tuple[Line, ...]


def turns(game: Game, language: Language) -> tuple[Turn, ...]:
    """Everything so far, the first turn first."""
    found: list[Turn] = []
    number, seat = 0, -1
    lines: list[Line] = []
    for move, happened in enumerate([game.opening(), *(events for _, events in game.history())]):
        for event in happened:
            if event.kind == EventKind.TURN:
                found.append(Turn(number, seat, tuple(lines)))
                number, seat, lines = event.amount, event.seat, []
            else:
                lines.append(Line(language.sentence(event, game.names), move, place_of(event), event.seat))
    found.append(Turn(number, seat, tuple(lines)))
    return tuple(turn for turn in found if turn.lines)


def place_of(event: Event) -> str | None:
    """Where a line belongs on the map."""
    return None if event.kind == EventKind.MILESTONE else event.where
