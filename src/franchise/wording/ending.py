"""What the end of the turn would bring, in a few words: chips, and the influence of each seat."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from franchise.engine.events import Event
from franchise.engine.layout import EventKind
from franchise.game import Game
from franchise.insight.turn_bounds import end_turn
from franchise.wording.language import N_, Language

E = EventKind
SCORING = (E.MAJORITY, E.FULL, E.RANK, E.TRACK)
FINAL = {E.TOWNS: N_("Towns"), E.MONEY: N_("Money"), E.BONUS_TILES: N_("Bonus tiles")}


class Chip(NamedTuple):
    """A few words in a frame."""

    text: str
    gain: str = ""
    colour: str = ""  # whose
    strong: bool = False


class Step(NamedTuple):
    """A line of the scoring, in its order: who gains how much; or a region that is scored, before its ranks."""

    text: str
    gain: str = ""
    colour: str = ""  # whose
    region: str = ""
    rank: int = 0  # in the region, from 1


@dataclass(frozen=True)
class Ending:
    """The end of the turn, as it would be now."""

    chips: tuple[Chip, ...]  # for the bar: what is scored, or who wins
    order: tuple[Step, ...]  # everybody's scores, in the order in which they are scored
    final: tuple[Chip, ...]  # the viewer's own in the final scoring
    kept: int  # influence gained there
    gains: tuple[int, ...]  # influence of each seat
    regions: tuple[str, ...]  # that are scored
    over: bool  # the game ends
    events: tuple[Event, ...]  # in order

    def own(self, seat: int) -> int:
        return self.gains[seat]


def ending(game: Game, language: Language) -> Ending:
    """What would happen if the turn ended now."""
    after, events = ended(game)
    seat = game.current_player
    gains = [0] * game.players
    for event in events:
        if event.kind in SCORING:
            gains[event.seat] += event.amount
    regions = tuple(event.where or "" for event in events if event.kind == E.REGION)
    scores = tuple(chips_of(events, game, gains, language))
    chips = tuple(outcome(after, seat, language)) if after.over else scores
    final = tuple(
        Chip(language.text(FINAL[event.kind]), f"+{event.amount}")
        for event in events
        if event.kind in FINAL and event.seat == seat and event.amount
    )
    kept = sum(event.amount for event in events if event.kind in FINAL and event.seat == seat)
    return Ending(chips, tuple(steps(events, game, language)), final, kept, tuple(gains), regions, after.over, events)


def ended(game: Game) -> tuple[Game, tuple[Event, ...]]:
    """The game after the end of the turn, with the events up to then."""
    after = game.copy()
    return after, end_turn(after, game.turn)


def chips_of(events: Iterable[Event], game: Game, gains: Iterable[int], language: Language) -> Iterable[Chip]:
    """The viewer's own scores one by one in order, the others' as sums."""
    seat = game.current_player
    for event in events:
        if event.seat != seat:
            continue
        if event.kind in SCORING and not event.amount:
            continue
        if event.kind in (E.MAJORITY, E.FULL, E.RANK):
            yield Chip(event.where or "", f"+{event.amount}")
        elif event.kind == E.TRACK:
            yield Chip(language.text("Track"), f"+{event.amount}")
        elif event.kind == E.DOLLARS:
            yield Chip(event.where or "", f"+{language.money(event.amount)}")
        elif event.kind == E.MILESTONE:
            yield Chip(language.text("Milestone"), "★")
    for other, gain in enumerate(gains):
        if gain and other != seat:
            yield Chip("", f"+{gain}", game.colours[other])


def scored(events: Iterable[Event], game: Game, language: Language) -> Iterable[Chip]:
    """Who scores where, in order."""
    for event in events:
        if event.kind in SCORING and event.amount:
            where = language.text("Track") if event.kind == E.TRACK else event.where or ""
            yield Chip(where, f"+{event.amount}", game.colours[event.seat])


def steps(events: Iterable[Event], game: Game, language: Language) -> Iterable[Step]:
    """The scoring line by line; the ranks of a region are counted below its name."""
    rank = 0
    for event in events:
        where = event.where or ""
        if event.kind == E.REGION:
            rank = 0
            yield Step(where, region=where)
        elif event.kind in SCORING and event.amount:
            gain, colour = f"+{event.amount}", game.colours[event.seat]
            if event.kind == E.RANK:
                rank += 1
                yield Step(language.player(event.seat, game), gain, colour, where, rank)
            else:
                yield Step(language.text("Track") if event.kind == E.TRACK else where, gain, colour)


def outcome(game: Game, seat: int, language: Language) -> Iterable[Chip]:
    """Who would have won, and all final scores, the highest first."""
    scores, winners = game.scores_and_winners()
    best = max((score for other, score in enumerate(scores) if other not in winners), default=0)
    margin = scores[winners[0]] - best
    if len(winners) > 1:
        text = language.text("Shared win")
    elif winners[0] == seat and not margin:
        text = language.text("You win by more towns")
    elif winners[0] == seat:
        text = language.text("You win by {margin}", margin=margin)
    else:
        name = language.player(winners[0], game)
        if margin:
            text = language.text("{player} wins by {margin}", player=name, margin=margin)
        else:
            text = language.text("{player} wins by more towns", player=name)
    yield Chip(text, strong=True)
    for other in sorted(range(game.players), key=lambda other: -scores[other]):
        yield Chip("", str(scores[other]), game.colours[other])
