"""The effects of a turn for its player, as facts of the game: the reasons given with a hint."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum, auto

from franchise.engine.actions import Action
from franchise.engine.bits import members
from franchise.engine.events import Event
from franchise.engine.layout import EventKind, Kind
from franchise.facts import BOARD
from franchise.game import Game
from franchise.insight.turn_bounds import before_next_turn, end_turn

E = EventKind


class EffectKind(StrEnum):
    """The kinds of effects, the most important first; COST is what a turn takes away."""

    WIN = auto()  # the game ends, and the player has won
    REGION = auto()  # place is completed; amount: influence the player gains there
    CITY = auto()  # place is scored; amount: influence the player gains
    MILESTONE = auto()  # one is reached
    PAID = auto()  # amount: income taken now; before: what it would have been with the boom marker where it was
    LEAD = auto()  # the player now has more franchises in the region than anybody else, but not before
    RACE = auto()  # the same in an unscored city
    INCOME = auto()  # the next income rises from before to amount
    REACH = auto()  # amount: places that can be reached over links now but not before
    SPACES = auto()  # amount: more empty spaces that count for income
    TOWN = auto()  # place: a town that will count at the end
    START = auto()  # amount: places linked with the starting town; before: the cheapest price
    SAVED = auto()  # amount: dollars left when the turn ends
    COST = auto()  # the next income falls from before to amount


@dataclass(frozen=True)
class Effect:
    """One fact; EffectKind says what the fields mean."""

    kind: EffectKind
    place: str = ""
    amount: int = 0
    before: int = 0


def effects(game: Game, turn: Sequence[Action]) -> tuple[Effect, ...]:
    """The effects of the moves for the player to move, compared with ending the turn at once; most important first."""
    after, events = played(game, turn)
    if game.turn == 0:
        return tuple(start(after, game.current_player, turn[0])) if turn[0].kind == Kind.START else ()
    idle, _ = played(game, ())
    listed = [*scored(after, game.current_player, events), *boom(game, turn), *standing(idle, after, game)]
    return tuple(sorted(listed, key=lambda effect: list(EffectKind).index(effect.kind)))


def played(game: Game, turn: Sequence[Action]) -> tuple[Game, list[Event]]:
    """The game after some moves and the end of the turn, with the events up to then."""
    after = game.copy()
    events: list[Event] = []
    for action in turn:
        events += before_next_turn(after.play(action))
    events += end_turn(after, game.turn)
    return after, events


def scored(after: Game, seat: int, events: Iterable[Event]) -> Iterable[Effect]:
    """What the turn scores."""
    if after.over and seat in after.result().winners:
        yield Effect(EffectKind.WIN)
    regions: dict[str, int] = {}
    for event in events:
        place = event.where or ""
        if event.kind == E.REGION:
            regions[place] = 0
        elif event.kind in (E.RANK, E.TRACK) and event.seat == seat and place in regions:
            regions[place] += event.amount
        elif event.kind in (E.MAJORITY, E.FULL) and event.seat == seat:
            yield Effect(EffectKind.CITY, place, event.amount)
        elif event.kind == E.MILESTONE and event.seat == seat:
            yield Effect(EffectKind.MILESTONE)
    for place, amount in regions.items():
        if amount:
            yield Effect(EffectKind.REGION, place, amount)


def boom(game: Game, turn: Sequence[Action]) -> Iterable[Effect]:
    """The immediate gain from moving the boom marker."""
    if turn[0].kind == Kind.BOOM:
        moved, stayed = (
            sum(event.amount for event in game.copy().play(move) if event.kind == E.INCOME)
            for move in (turn[0], "stay")
        )
        if moved > stayed:
            yield Effect(EffectKind.PAID, amount=moved, before=stayed)


def standing(idle: Game, after: Game, game: Game) -> Iterable[Effect]:
    """The player's position after the turn, compared with the position had it ended at once."""
    seat = game.current_player
    then, now = idle.view(), after.view()
    was, is_ = then["players"][seat], now["players"][seat]
    if after.over:
        return
    colour = game.colours[seat]
    for name, region in now["regions"].items():
        before = then["regions"][name]
        if not region["scored"] and leads(region["franchises"], colour) and not leads(before["franchises"], colour):
            yield Effect(EffectKind.LEAD, name)
    for name, place in now["locations"].items():
        before = then["locations"][name]
        here, earlier = counted(place["spaces"]), counted(before["spaces"])
        if place["kind"] == "city" and not place["scored"] and leads(here, colour) and not leads(earlier, colour):
            yield Effect(EffectKind.RACE, name)
        elif place["kind"] == "town" and colour in here and colour not in earlier:
            yield Effect(EffectKind.TOWN, name)
    gained = len(near(after, seat) - near(idle, seat))
    if gained:
        yield Effect(EffectKind.REACH, amount=gained)
    if is_["income"] != was["income"]:
        kind = EffectKind.INCOME if is_["income"] > was["income"] else EffectKind.COST
        yield Effect(kind, amount=is_["income"], before=was["income"])
    elif is_["empty_spaces"] > was["empty_spaces"]:
        yield Effect(EffectKind.SPACES, amount=is_["empty_spaces"] - was["empty_spaces"])
    yield Effect(EffectKind.SAVED, amount=is_["cash"])


def start(after: Game, seat: int, action: Action) -> Iterable[Effect]:
    """The links of a starting town."""
    prices = [
        int(after.rules["price"][0, kind])
        for kind in range(after.rules["price"].shape[1])
        if after.state["reach"][0, seat, kind] & after.state["vacant"][0]
    ]
    places = near(after, seat)
    if places:
        yield Effect(EffectKind.START, BOARD.locations[action.place].name, len(places), min(prices))


def near(game: Game, seat: int) -> set[int]:
    """The places linked to one of the seat's, where it could still open a franchise."""
    state = game.state
    reach = 0
    for mask in state["reach"][0, seat].tolist():
        reach |= mask
    return set(members(reach & int(state["vacant"][0]) & ~int(state["held"][0, seat])))


def leads(franchises: dict[str, int], colour: str) -> bool:
    """Whether a colour has more than any other; a single franchise does not count as a lead."""
    mine = franchises.get(colour, 0)
    return mine > max((1, *(count for other, count in franchises.items() if other != colour)))


def counted(spaces: Iterable[str | None]) -> dict[str, int]:
    """Franchises by colour."""
    counts: dict[str, int] = {}
    for colour in spaces:
        if colour is not None:
            counts[colour] = counts.get(colour, 0) + 1
    return counts
