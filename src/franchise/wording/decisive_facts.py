"""What decided a game: countable facts from the point of view of one seat."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from franchise.engine.events import Event
from franchise.engine.layout import EventKind
from franchise.game import Game
from franchise.wording.ending import SCORING
from franchise.wording.language import Language
from franchise.wording.log import LoggedTurn

E = EventKind
CITIES = (E.MAJORITY, E.FULL)
TURNS = 2  # how many of the best turns are named
PLACES = 4  # places named per turn; if there are more, the cities are counted


@dataclass(frozen=True)
class Fact:
    """Influence, and where it came from."""

    gain: int
    title: str
    text: str


def places_of(events: Sequence[Event], language: Language) -> str:
    """Where influence came from: cities by their names, or how many they are, and regions."""
    cities = list(dict.fromkeys(event.where or "" for event in events if event.kind in CITIES))
    regions = [
        language.text("the {region} region", region=event.where or "") for event in events if event.kind == E.RANK
    ]
    if len(cities) + len(regions) > PLACES and len(cities) > 1:
        cities = [language.plural("{count} city", "{count} cities", len(cities))]
    named = language.listed([*cities, *dict.fromkeys(regions)])
    return named[:1].upper() + named[1:]


def facts(game: Game, turns: Sequence[LoggedTurn], seat: int, language: Language) -> list[Fact]:
    """The best turns of a seat, and what it kept until the end."""
    scored = []
    for turn in turns:
        during = [event for event in turn.events if event.seat == seat and event.kind in SCORING]
        if during:
            gain = sum(event.amount for event in during)
            scored.append(Fact(gain, language.text("Turn {turn}", turn=turn.number), places_of(during, language)))
    ranked = sorted(scored, key=lambda fact: -fact.gain)
    scores, winners = game.scores_and_winners()
    if ranked and seat not in winners:
        ranked[0] = replace(ranked[0], title=language.text("{turn}, your best", turn=ranked[0].title))
    rival = max((other for other in range(game.players) if other != seat), key=lambda other: scores[other])
    return [*ranked[:TURNS], *(kept(game, seat, rival, language) or ranked[TURNS : TURNS + 1])]


def kept(game: Game, seat: int, rival: int, language: Language) -> list[Fact]:
    """What was left at the end, where it was more than the strongest rival had."""
    parts, cash = game.result().breakdown[seat], [player["cash"] for player in game.view()["players"]]
    if not parts["money"] or cash[seat] <= cash[rival]:
        return []
    title = language.text("{cash} kept to the end", cash=language.money(cash[seat]))
    had = language.money(cash[rival])
    text = (
        language.text("Nobody else had as much.")
        if cash[seat] > max(cash[:seat] + cash[seat + 1 :])
        else language.text("{player} had {cash}.", player=language.player(rival, game), cash=had)
    )
    return [Fact(parts["money"], title, text)]
