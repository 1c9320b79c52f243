"""What happened since somebody's last turn, turn by turn, in a line or two each."""

from collections.abc import Sequence
from dataclasses import dataclass

from franchise.engine.layout import EventKind
from franchise.wording.language import Language
from franchise.wording.log import LoggedTurn

E = EventKind
GAINS = (E.MAJORITY, E.FULL, E.RANK, E.TRACK, E.TOWNS, E.MONEY, E.BONUS_TILES)
OPENED = (E.EXPAND, E.AGAIN, E.FAR)


@dataclass(frozen=True)
class NewsItem:
    """One turn of somebody else."""

    seat: int
    text: str
    notes: str  # what was scored
    gain: int  # influence of whoever had the turn
    place: str | None
    start: int  # moves that had been made before it


def own_turn_end(turns: Sequence[LoggedTurn], mine: frozenset[int], current: int | None) -> int:
    """Index of the first turn after the last one that is over and belonged to one of these seats; 0 without one."""
    last = len(turns) - 1 if current is not None and turns and turns[-1].seat == current else len(turns)
    for index in range(last - 1, -1, -1):
        if turns[index].seat in mine:
            return index + 1
    return 0


def news(turns: Sequence[LoggedTurn], names: Sequence[str], language: Language) -> list[NewsItem]:
    """The turns in short."""
    return [told(turn, names, language) for turn in turns if turn.number > 0]


def told(turn: LoggedTurn, names: Sequence[str], language: Language) -> NewsItem:
    """One turn in short: what was opened, what was scored."""
    opened = [line for line in turn.lines if line.event is not None and line.event.kind in OPENED]
    said = opened or [line for line in turn.lines if line.event is None] or turn.lines[:1]
    return NewsItem(
        turn.seat,
        " ".join(line.text for line in said),
        " · ".join(notes(turn, names, language)),
        sum(event.amount for event in turn.events if event.kind in GAINS and event.seat == turn.seat),
        next((line.place for line in said if line.place), None),
        turn.start,
    )


def notes(turn: LoggedTurn, names: Sequence[str], language: Language) -> list[str]:
    """What was scored."""
    found = []
    for event in turn.events:
        if event.kind in (E.MAJORITY, E.FULL):
            own = event.seat == turn.seat
            found.append(
                language.text("{place} scored: +{amount}", place=event.where, amount=event.amount)
                if own
                else language.text(
                    "{place} scored: +{amount} for {player}",
                    place=event.where,
                    amount=event.amount,
                    player=language.player(event.seat, names),
                )
            )
        elif event.kind == E.REGION:
            found.append(language.text("{place} complete", place=event.where))
        elif event.kind == E.MILESTONE:
            found.append(language.text("milestone reached"))
    return found


def gains(turns: Sequence[LoggedTurn], players: int) -> list[int]:
    """The influence each seat has gained in these turns."""
    sums = [0] * players
    for turn in turns:
        for event in turn.events:
            if event.kind in GAINS:
                sums[event.seat] += event.amount
    return sums
