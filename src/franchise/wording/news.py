"""What happened since a player's last turn, turn by turn, in a line or two each."""

from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import Markup, escape

from franchise.engine.events import Event
from franchise.engine.layout import EventKind
from franchise.game import Game
from franchise.wording.language import Language
from franchise.wording.log import LoggedTurn

E = EventKind
GAINS = (E.MAJORITY, E.FULL, E.RANK, E.TRACK, E.TOWNS, E.MONEY, E.BONUS_TILES)
OPENED = (E.EXPAND, E.AGAIN, E.FAR)


class NewsItem(NamedTuple):
    """One turn of somebody else."""

    seat: int
    text: Markup
    notes: str  # what was scored
    gain: int  # influence gained by the player whose turn it was
    place: str | None
    start: int  # number of moves made before it


def own_turn_end(turns: Sequence[LoggedTurn], mine: frozenset[int], current: int | None) -> int:
    """Index of the first turn after the last completed turn of one of these seats; 0 if there is none."""
    last = len(turns) - 1 if current is not None and turns and turns[-1].seat == current else len(turns)
    for index in range(last - 1, -1, -1):
        if turns[index].seat in mine:
            return index + 1
    return 0


def news(turns: Sequence[LoggedTurn], game: Game, language: Language) -> list[NewsItem]:
    """The turns in short; each player's last one also shows what they have gained since then."""
    shown = [turn for turn in turns if turn.number > 0]
    gained = gains(turns, game.players)
    last = {turn.seat: turn.number for turn in shown}
    return [
        in_short(turn, gained[turn.seat] if last[turn.seat] == turn.number else 0, game, language) for turn in shown
    ]


def in_short(turn: LoggedTurn, gain: int, game: Game, language: Language) -> NewsItem:
    """One turn in short: what was opened, what was scored."""
    opened = [event for event in turn.events if event.kind in OPENED]
    lines = [line for line in turn.lines if line.event is None] or turn.lines[:1]
    return NewsItem(
        turn.seat,
        opening(opened, game, language) if opened else escape(" ".join(line.text for line in lines)),
        " · ".join(notes(turn, game, language)),
        gain,
        opened[0].where if opened else next((line.place for line in lines if line.place), None),
        turn.start,
    )


def opening(opened: Sequence[Event], game: Game, language: Language) -> Markup:
    """Who opened what, and for how much."""
    bold = Markup("<b>{}</b>").format
    places = Markup(", ").join(
        language.text("{place}, {price}", place=bold(event.where), price=language.money(event.amount))
        for event in opened
    )
    return Markup(
        language.text("{player} opened {places}", player=bold(language.player(opened[0].seat, game)), places=places)
    )


def notes(turn: LoggedTurn, game: Game, language: Language) -> list[str]:
    """What was scored."""
    lines = []
    for event in turn.events:
        if event.kind in (E.MAJORITY, E.FULL):
            own = event.seat == turn.seat
            lines.append(
                language.text("{place} scored: +{amount}", place=event.where, amount=event.amount)
                if own
                else language.text(
                    "{place} scored: +{amount} for {player}",
                    place=event.where,
                    amount=event.amount,
                    player=language.player(event.seat, game),
                )
            )
        elif event.kind == E.REGION:
            lines.append(language.text("{region} region scored", region=event.where))
        elif event.kind == E.MILESTONE:
            lines.append(language.text("milestone reached"))
    return lines


def gains(turns: Sequence[LoggedTurn], players: int) -> list[int]:
    """The influence each seat has gained in these turns."""
    sums = [0] * players
    for turn in turns:
        for event in turn.events:
            if event.kind in GAINS:
                sums[event.seat] += event.amount
    return sums
