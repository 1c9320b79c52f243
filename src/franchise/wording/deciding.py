"""What decided a game: countable facts from the point of view of one seat."""

from collections.abc import Sequence
from dataclasses import dataclass

from franchise.engine.events import Event
from franchise.engine.layout import EventKind
from franchise.game import Game
from franchise.wording.language import Language
from franchise.wording.log import LoggedTurn
from franchise.wording.news import GAINS

E = EventKind
FINAL = (E.TOWNS, E.MONEY, E.BONUS_TILES)
TURNS = 2  # how many of the best turns are named
PLACES = 4  # places named per turn; if there are more, one fewer and the number of others


@dataclass(frozen=True)
class Fact:
    """Influence, and where it came from."""

    gain: int
    title: str
    text: str


def place_of(event: Event, language: Language) -> str:
    """Where influence came from: a city by its name, a region marked as a region."""
    where = event.where or ""
    return language.text("the {region} region", region=where) if event.kind == E.RANK else where


def facts(game: Game, turns: Sequence[LoggedTurn], seat: int, language: Language) -> list[Fact]:
    """The best turns of a seat, and what it kept until the end."""
    scored = []
    for turn in turns:
        events = [event for event in turn.events if event.seat == seat and event.kind in GAINS]
        during = [event for event in events if event.kind not in FINAL]
        if during:
            places = list(dict.fromkeys(place_of(event, language) for event in during if event.kind != E.TRACK))
            if len(places) > PLACES:
                others = len(places) - PLACES + 1
                places = [*places[: PLACES - 1], language.plural("{count} more", "{count} more", others)]
            named = language.listed(places)
            gain = sum(event.amount for event in during)
            scored.append(Fact(gain, language.text("Turn {turn}", turn=turn.number), named[:1].upper() + named[1:]))
    best = sorted(scored, key=lambda fact: -fact.gain)[:TURNS]
    last = [event for turn in turns for event in turn.events if event.seat == seat and event.kind in FINAL]
    kept = sum(event.amount for event in last)
    cash = game.view()["players"][seat]["cash"]
    if kept:
        towns = sum(event.amount for event in last if event.kind == E.TOWNS)
        text = (
            language.text("{towns} for towns, {rest} for what was left", towns=towns, rest=kept - towns)
            if kept > towns
            else language.text("{towns} for towns", towns=towns)
        )
        title = language.text("At the end")
        if cash:
            title = language.text("{cash} kept to the end", cash=language.money(cash))
        best.append(Fact(kept, title, text))
    return best
