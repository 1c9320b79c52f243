"""The tutorial: a scripted game in which the visitor makes the important moves.

Every lesson is a section of one record. The engine replays the record, and the numbers in the texts come from its
events, so that a lesson is always correct.
"""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from franchise.engine.events import Event
from franchise.engine.layout import EventKind, Kind
from franchise.game import Game
from franchise.wording.language import N_, Language
from franchise.wording.prompt import TILE_WORTH

RECORD = Path(__file__).parent / "static" / "lesson.franchise"
LEARNER = 0


@dataclass(frozen=True)
class Lesson:
    """A stretch of the record: from after `first` moves up to after `last` moves."""

    title: str
    before: str  # what to do and why
    after: str  # what happened
    first: int
    last: int
    text_events: tuple[EventKind, ...] = ()  # the event whose place and amount go into the texts


LESSONS = (
    Lesson(
        N_("A town to begin in"),
        N_(
            "You are blue, and the most influence at the end wins: you gain it in cities and regions. A chain begins "
            "with one franchise in a town, a white ring on the map. Choose {place}: it glows."
        ),
        N_("Your first franchise stands in {place}. A town holds only one franchise, and nobody can take it from you."),
        1,
        2,
        (EventKind.START,),
    ),
    Lesson(
        N_("Income, then one expansion"),
        N_(
            "A turn begins with income: you have just been paid. Then you may expand once, along a link from "
            "a place of yours. Its pattern shows the price: the link to {place} costs ${amount}."
        ),
        N_("Your expansion marker is in {place}. The franchise itself opens at the end of your turn."),
        2,
        3,
        (EventKind.EXPAND,),
    ),
    Lesson(
        N_("Franchises open at the end"),
        N_("There is nothing more to do in this turn. The bar with the button says what will happen. End your turn."),
        N_(
            "The marker has become a franchise in {place}. Cities have several spaces, and as long as a city "
            "where you have a franchise is unscored, its empty spaces count towards your income."
        ),
        3,
        5,
        (EventKind.OPEN,),
    ),
    Lesson(
        N_("A bonus tile for money"),
        N_(
            "Expand to Houston, then use a bonus tile for ${bonus_dollars}. You have a few of these tiles for the "
            "whole game; one can be used in a turn, from your second turn on."
        ),
        N_("A bonus tile brought you ${amount}. Tiles you still have at the end of the game are worth influence, too."),
        8,
        12,
        (EventKind.CASH,),
    ),
    Lesson(
        N_("A bonus tile to expand twice"),
        N_(
            "Money opens the long roads. Expand to Chicago over an $8 link, and then a second time, to "
            "Washington: the star on the price says that it takes a bonus tile."
        ),
        N_("Two franchises in one turn, far from home. From now on every link from there is yours to use."),
        16,
        20,
    ),
    Lesson(
        N_("Increase your market share"),
        N_(
            "After expanding comes growing: for $1 you add one franchise in a city where you already are, "
            "once in each city and turn. A bonus tile brings the money."
        ),
        N_(
            "You have two of the seven spaces in Chicago. Opening a first franchise and growing are different"
            " things: you expand along a link; you grow where you already are."
        ),
        24,
        29,
    ),
    Lesson(
        N_("The absolute majority"),
        N_(
            "Hold more than half of the spaces of a city and it scores at once, for as many influence points as it has "
            "spaces. In Chicago you have three of seven: you need one more."
        ),
        N_("{amount} influence for {place}! Influence is what wins the game."),
        44,
        48,
        (EventKind.MAJORITY,),
    ),
    Lesson(
        N_("What scoring costs"),
        N_(
            "Chicago is closed now: all but one of your franchises went back to your supply, and its empty spaces"
            " pay you nothing any more. Look at your next income before you score."
        ),
        N_(
            "Score too early and you are poor; score too late and others take the city. From now on you break "
            "ties in Great Lakes: your piece lies beside its region tile."
        ),
        52,
        56,
    ),
    Lesson(
        N_("Full without a majority"),
        N_(
            "A city that is full without an absolute majority scores too, but pays only half, to whoever has the "
            "most there; if several do, to the one who comes first, clockwise from the first space. Watch New York."
        ),
        N_("{place} was full: {amount} influence for red, half of its spaces. Half a city is better than none."),
        72,
        81,
        (EventKind.FULL,),
    ),
    Lesson(
        N_("Regions"),
        N_(
            "When all cities of a region are scored and its towns taken, the region is scored: the number of "
            "franchises there decides who is first, second and third."
        ),
        N_(
            "You completed {place}. Its tile pays the three numbers on it; if players are tied, the piece "
            "beside the tile decides. Whoever completes a region also gains the number on the region track."
        ),
        113,
        118,
        (EventKind.REGION,),
    ),
    Lesson(
        N_("The red zone"),
        N_(
            "The tile of every scored region moves to the region track. As soon as one lies in the red zone, "
            "the game ends after this turn."
        ),
        N_("{amount} region tiles lie on the track: the game is over."),
        152,
        156,
        (EventKind.RED_ZONE,),
    ),
    Lesson(
        N_("Final scoring"),
        N_(
            "At the end there is 1 influence for each town, 1 for every $3 and {bonus_influence} for every unused "
            "bonus tile. The most influence wins. See where the points came from."
        ),
        N_(
            "That is all there is to it. Now play a game of your own: the introductory game against newcomers is "
            "a good start."
        ),
        156,
        156,
    ),
)


@cache
def script() -> Game:
    """The whole scripted game; callers must not change it."""
    return Game.from_text(RECORD.read_text(encoding="utf-8"))


@dataclass(frozen=True)
class LessonPosition:
    """Where somebody is in the tutorial: a lesson, and how many moves of it are made."""

    number: int  # of the lesson, from 1
    made: int

    @property
    def lesson(self) -> Lesson:
        return LESSONS[self.number - 1]

    @property
    def game(self) -> Game:
        return script().at(self.lesson.first + self.made)

    @property
    def complete(self) -> bool:
        return self.lesson.first + self.made >= self.lesson.last

    @property
    def expected(self) -> str | None:
        """The next move of the script."""
        if self.complete:
            return None
        return str(script().actions[self.lesson.first + self.made])

    @property
    def before_last(self) -> int:
        """How many moves were made before the last that somebody chose."""
        made = max(self.made - 1, 0)
        while made and script().actions[self.lesson.first + made].kind == Kind.DONE:
            made -= 1
        return made

    def after(self, moves: list[str]) -> "LessonPosition | None":
        """The position after those moves; None if the script has different ones."""
        place = self
        for move in moves:
            if place.expected is None or place.expected != move:
                return None
            place = LessonPosition(place.number, place.made + 1)
        return place

    def text(self, language: Language) -> str:
        """The text of the lesson at this point."""
        message = self.lesson.after if self.complete and self.lesson.last > self.lesson.first else self.lesson.before
        return language.text(message, **self.values())

    def values(self) -> dict[str, Any]:
        """Place and amount of the lesson's event, and the value of a bonus tile."""
        event = lesson_event(self.number)
        values: dict[str, Any] = {} if event is None else {"place": event.where, "amount": event.amount}
        return values | TILE_WORTH


@cache
def lesson_event(number: int) -> Event | None:
    """The first event of the lesson's kind within its stretch."""
    lesson = LESSONS[number - 1]
    if not lesson.text_events:
        return None
    walk = script().at(lesson.first)
    for action in script().actions[lesson.first : lesson.last]:
        for event in walk.play(action):
            if event.kind in lesson.text_events:
                return event
    raise ValueError(f"the script has no such event in lesson {number}")


def place_at(number: int, made: int) -> LessonPosition:
    """The position in the tutorial nearest to the requested one."""
    number = min(max(number, 1), len(LESSONS))
    lesson = LESSONS[number - 1]
    return LessonPosition(number, min(max(made, 0), lesson.last - lesson.first))
