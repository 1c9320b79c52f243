"""Lines of the log in a few words, with what they bring or cost in a column of its own.

The heading above them says whose turn it is, so that they need no subject.
"""

from typing import NamedTuple

from franchise.engine.events import MILESTONE_TEXTS, ON_MILESTONES
from franchise.engine.layout import EventKind
from franchise.facts import BOARD
from franchise.wording.ending import FINAL
from franchise.wording.language import N_, Language
from franchise.wording.log import LogLine

E = EventKind

WORDS = {
    **FINAL,
    E.CITY_TILE: N_("{place}: city tile {amount}"),
    E.REGION_TILE: N_("{place}: region tile {tile}"),
    E.START: N_("Starts in {place}"),
    E.BOOM: N_("Boom in {place}"),
    E.INCOME: N_("Income"),
    E.EXPAND: N_("Expands to {place}"),
    E.AGAIN: N_("Bonus tile: to {place}"),
    E.FAR: N_("Expansion tile: to {place}"),
    E.ROAD: N_("Saved by the road tile"),
    E.EIGHT: N_("$8 links so far"),
    E.EIGHT_MARK: N_("Marks the first $8 link"),
    E.CASH: N_("Bonus tile for money"),
    E.GROW: N_("Grows in {place}"),
    E.DOUBLE: N_("Bonus tile: doubles {place}"),
    E.OPEN: N_("Opens {place}"),
    E.MAJORITY: N_("Majority in {place}"),
    E.FULL: N_("{place} is full"),
    E.TAKE_BACK: N_("Takes back {amount} in {place}"),
    E.TIE_BREAK: N_("Breaks ties in {place}"),
    E.REGION: N_("Completes {place}"),
    E.RANK: N_("{place} region"),
    E.DOLLARS: N_("{place} region"),
    E.BONUS_BACK: N_("Bonus tile back: {place}"),
    E.ROAD_TILE: N_("Road tile for {place}"),
    E.EXPANSION_TILE: N_("Expansion tile for {place}"),
    E.TRACK: N_("Track for {place}"),
    E.MILESTONE: N_("Milestone: {place}"),
}
POINTS = (E.MAJORITY, E.FULL, E.RANK, E.TRACK, *FINAL)
PAID = (E.EXPAND, E.AGAIN, E.FAR, E.GROW)
EARNED = (E.INCOME, E.CASH, E.DOLLARS, E.ROAD)


class ShortLine(NamedTuple):
    """A line in a few words."""

    text: str
    amount: str = ""  # of influence or money, with its sign
    points: bool = False  # the amount is influence


def short_line(line: LogLine, language: Language) -> ShortLine:
    """The line in a few words; the few that end a game, which no heading explains, in full."""
    event = line.event
    if event is None:
        return ShortLine(language.text("Passes"))
    if event.kind not in WORDS:
        return ShortLine(line.text)
    place = event.where or ""
    text = language.text(
        WORDS[event.kind],
        place=language.text(MILESTONE_TEXTS[place]) if event.kind in ON_MILESTONES else place,
        amount=event.amount,
        tile=BOARD.tiles[event.amount].id if event.kind == E.REGION_TILE else "",
    )
    if event.kind in POINTS:
        return ShortLine(text, f"+{event.amount}", points=True)
    if event.kind in EARNED or event.kind in PAID:
        sign = "" if not event.amount else "−" if event.kind in PAID else "+"
        return ShortLine(text, sign + language.money(event.amount))
    return ShortLine(text, str(event.amount) if event.kind == E.EIGHT else "")
