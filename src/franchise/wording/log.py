"""The course of a game in sentences, turn by turn."""

from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, replace

from franchise.engine.actions import Action
from franchise.engine.events import ON_MILESTONES, Event
from franchise.engine.layout import EventKind
from franchise.game import Game
from franchise.wording.ending import FINAL
from franchise.wording.language import Language

EXPANSIONS = (EventKind.EXPAND, EventKind.AGAIN, EventKind.FAR)
DONE = {  # events in which a player does something
    *EXPANSIONS,
    EventKind.CASH,
    EventKind.GROW,
    EventKind.DOUBLE,
    EventKind.BOOM,
}
KEPT = 1024  # games whose sentences are kept


@dataclass(frozen=True)
class LogLine:
    """One thing that happened."""

    text: str
    move: int  # number of moves made up to and including it
    place: str | None  # location or region
    seat: int
    event: Event | None = None  # None if nothing was done


@dataclass(frozen=True)
class LoggedTurn:
    """The lines of one turn; number 0 is the set-up."""

    number: int
    seat: int
    lines: tuple[LogLine, ...]
    start: int = 0  # number of moves made before it

    def __hash__(self) -> int:
        """Hashes only what distinguishes the turns of a game: pages look up every turn they have drawn."""
        return hash((self.number, self.seat, self.start, len(self.lines)))

    @property
    def events(self) -> tuple[Event, ...]:
        """Its events."""
        return tuple(line.event for line in self.lines if line.event is not None)


@dataclass(frozen=True)
class LogSoFar:
    """The log up to the beginning of a turn, from which it is continued, also after an undo."""

    game: Game  # at that moment; never played on
    past: tuple[LoggedTurn, ...]
    turn: LoggedTurn  # the one that begins


# The least recently kept first; no library, so that the terminal needs only its own.
_kept: OrderedDict[tuple[str, str, tuple[str, ...], tuple[str, ...]], LogSoFar] = OrderedDict()


def turns(table: str, game: Game, language: Language) -> tuple[LoggedTurn, ...]:
    """The turns of a game in order; what was read before is not read again."""
    key = (table, language.code, game.names, game.colours)
    kept = _kept.get(key)
    actions = game.actions
    if kept is not None and kept.game.setup == game.setup:
        read = kept.game.actions
        if read == actions[: len(read)]:
            log, last = read_on(kept, actions[len(read) :], language)
            keep(key, log)
            return eventful((*log.past, last))
        if actions == read[: len(actions)]:  # somebody is looking back: more than this is kept
            return eventful(until(turn, len(actions)) for turn in (*kept.past, kept.turn))
    log, last = read_on(beginning(game, language), actions, language)
    keep(key, log)
    return eventful((*log.past, last))


def keep(key: tuple[str, str, tuple[str, ...], tuple[str, ...]], log: LogSoFar) -> None:
    """Keep the log of a game, and forget the one that has not been read for longest."""
    _kept[key] = log
    _kept.move_to_end(key)
    if len(_kept) > KEPT:
        _kept.popitem(last=False)


def beginning(game: Game, language: Language) -> LogSoFar:
    """A game before its first move."""
    first = game.at(0)
    past, last = noted((), LoggedTurn(0, -1, ()), first, first.opening(), language)
    return LogSoFar(first, past, last)


def read_on(log: LogSoFar, actions: Iterable[Action], language: Language) -> tuple[LogSoFar, LoggedTurn]:
    """The log after more moves, up to the current turn; and that turn."""
    game, past, turn = log.game.copy(), log.past, log.turn
    for action in actions:
        before = len(past)
        past, turn = noted(past, turn, game, game.play(action), language)
        if len(past) > before:
            log = LogSoFar(game.copy(), past, turn)
    return log, turn


def noted(
    past: tuple[LoggedTurn, ...], turn: LoggedTurn, game: Game, events: Iterable[Event], language: Language
) -> tuple[tuple[LoggedTurn, ...], LoggedTurn]:
    """Past turns and the current one, after these events."""
    move = len(game.actions)
    for event in events:
        if event.kind == EventKind.TURN:
            past, turn = (*past, passed(turn, game, language)), LoggedTurn(event.amount, event.seat, (), move)
        elif event.amount or event.kind not in FINAL:  # nobody wants to read who gains nothing at the end
            line = LogLine(language.sentence(event, game), move, place_of(event), event.seat, event)
            turn = replace(turn, lines=(*turn.lines, line))
    return past, turn


def passed(turn: LoggedTurn, game: Game, language: Language) -> LoggedTurn:
    """A turn that is over; if nothing was done in it, it says so."""
    if turn.number == 0 or any(event.kind in DONE for event in turn.events):
        return turn
    text = language.text("{player} passes.", player=language.player(turn.seat, game))
    return replace(turn, lines=(*turn.lines, LogLine(text, len(game.actions), None, turn.seat)))


def until(turn: LoggedTurn, move: int) -> LoggedTurn:
    """The part of a turn after that many moves."""
    if not turn.lines or turn.lines[-1].move <= move:
        return turn
    return replace(turn, lines=tuple(line for line in turn.lines if line.move <= move))


def eventful(turns: Iterable[LoggedTurn]) -> tuple[LoggedTurn, ...]:
    """The turns in which something happened."""
    return tuple(turn for turn in turns if turn.lines)


def place_of(event: Event) -> str | None:
    """Where a line belongs on the map."""
    return None if event.kind in ON_MILESTONES else event.where
