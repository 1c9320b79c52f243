"""What a turn does for the one who plays it, as facts of the game: the reasons a hint gives."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum, auto

from franchise.engine.actions import Action
from franchise.engine.bits import members
from franchise.engine.events import Event
from franchise.engine.layout import EventKind, Kind
from franchise.facts import BOARD, COLOURS
from franchise.game import Game
from franchise.server.outlook import NEXT

E = EventKind


class Fact(StrEnum):
    """The kinds of facts, the weightiest first; COST is the other side of the coin."""

    WIN = auto()  # the game ends, and the player has won
    REGION = auto()  # place is completed; amount: influence the player gains there
    CITY = auto()  # place is scored; amount: influence the player gains
    MILESTONE = auto()  # one is reached
    PAID = auto()  # amount: income taken now; before: what it would have been with the boom marker where it was
    LEAD = auto()  # the player has more franchises in the region than anybody else, and had not before
    RACE = auto()  # the same in an unscored city
    INCOME = auto()  # the next income rises from before to amount
    REACH = auto()  # amount: places that can be reached over links now and could not be before
    SPACES = auto()  # amount: more empty spaces that count for income
    TOWN = auto()  # place: a town that will count at the end
    START = auto()  # amount: places linked with the starting town; before: the cheapest price
    SAVED = auto()  # amount: dollars left when the turn ends
    COST = auto()  # the next income falls from before to amount


@dataclass(frozen=True)
class Motive:
    """One fact; Fact says what the fields mean."""

    fact: Fact
    place: str = ""
    amount: int = 0
    before: int = 0


def own_turn(game: Game, line: Iterable[Action]) -> tuple[Action, ...]:
    """The moves of a line until the turn of the player to move is over."""
    walk, turn = game.copy(), []
    began = (game.turn, game.current_player)
    for action in line:
        if walk.over or (walk.turn, walk.current_player) != began:
            break
        walk.play(action)
        turn.append(action)
    return tuple(turn)


def motives(game: Game, turn: Sequence[Action]) -> tuple[Motive, ...]:
    """What the moves do for the player to move, compared with ending the turn at once; the weightiest first."""
    after, happened = played(game, turn)
    if game.turn == 0:
        return tuple(start(after, game.current_player, turn[0])) if turn[0].kind == Kind.START else ()
    idle, _ = played(game, ())
    found = [*scored(after, game.current_player, happened), *boom(game, turn), *standing(idle, after, game)]
    return tuple(sorted(found, key=lambda motive: list(Fact).index(motive.fact)))


def played(game: Game, turn: Sequence[Action]) -> tuple[Game, list[Event]]:
    """The game after some moves and the end of the turn, and what happened until then."""
    after, happened = game.copy(), []
    for action in turn:
        happened += own(after.play(action))
    while game.turn and not after.over and after.turn == game.turn:
        happened += own(after.play(NEXT[int(after.state["phase"][0])]))
    return after, happened


def own(events: Iterable[Event]) -> list[Event]:
    """The events before the next turn begins."""
    told = []
    for event in events:
        if event.kind == E.TURN:
            break
        told.append(event)
    return told


def scored(after: Game, seat: int, happened: Iterable[Event]) -> Iterable[Motive]:
    """What the turn scores."""
    if after.over and seat in after.result().winners:
        yield Motive(Fact.WIN)
    regions: dict[str, int] = {}
    for event in happened:
        place = event.where or ""
        if event.kind == E.REGION:
            regions[place] = 0
        elif event.kind in (E.RANK, E.TRACK) and event.seat == seat and place in regions:
            regions[place] += event.amount
        elif event.kind in (E.MAJORITY, E.FULL) and event.seat == seat:
            yield Motive(Fact.CITY, place, event.amount)
        elif event.kind == E.MILESTONE and event.seat == seat:
            yield Motive(Fact.MILESTONE)
    for place, amount in regions.items():
        if amount:
            yield Motive(Fact.REGION, place, amount)


def boom(game: Game, turn: Sequence[Action]) -> Iterable[Motive]:
    """What moving the boom marker brings at once."""
    if turn[0].kind == Kind.BOOM:
        moved, stayed = (
            sum(event.amount for event in game.copy().play(move) if event.kind == E.INCOME)
            for move in (turn[0], "stay")
        )
        if moved > stayed:
            yield Motive(Fact.PAID, amount=moved, before=stayed)


def standing(idle: Game, after: Game, game: Game) -> Iterable[Motive]:
    """How the player stands when the turn has ended, beside how they would stand without its moves."""
    seat = game.current_player
    then, now = idle.view(), after.view()
    was, is_ = then["players"][seat], now["players"][seat]
    if after.over:
        return
    colour = COLOURS[seat]
    for name, region in now["regions"].items():
        before = then["regions"][name]
        if not region["scored"] and leads(region["franchises"], colour) and not leads(before["franchises"], colour):
            yield Motive(Fact.LEAD, name)
    for name, place in now["locations"].items():
        before = then["locations"][name]
        here, earlier = counted(place["spaces"]), counted(before["spaces"])
        if place["kind"] == "city" and not place["scored"] and leads(here, colour) and not leads(earlier, colour):
            yield Motive(Fact.RACE, name)
        elif place["kind"] == "town" and colour in here and colour not in earlier:
            yield Motive(Fact.TOWN, name)
    gained = len(near(after, seat) - near(idle, seat))
    if gained:
        yield Motive(Fact.REACH, amount=gained)
    if is_["income"] != was["income"]:
        fact = Fact.INCOME if is_["income"] > was["income"] else Fact.COST
        yield Motive(fact, amount=is_["income"], before=was["income"])
    elif is_["empty_spaces"] > was["empty_spaces"]:
        yield Motive(Fact.SPACES, amount=is_["empty_spaces"] - was["empty_spaces"])
    yield Motive(Fact.SAVED, amount=is_["cash"])


def start(after: Game, seat: int, action: Action) -> Iterable[Motive]:
    """What a starting town is linked with."""
    prices = [
        int(after.rules["price"][0, kind])
        for kind in range(after.rules["price"].shape[1])
        if after.state["reach"][0, seat, kind] & after.state["vacant"][0]
    ]
    places = near(after, seat)
    if places:
        yield Motive(Fact.START, BOARD.locations[action.place].name, len(places), min(prices))


def near(game: Game, seat: int) -> set[int]:
    """The places a link leads to from one of the seat's, where it could still open a franchise."""
    state = game.state
    reach = 0
    for mask in state["reach"][0, seat].tolist():
        reach |= mask
    return set(members(reach & int(state["vacant"][0]) & ~int(state["held"][0, seat])))


def leads(franchises: dict[str, int], colour: str) -> bool:
    """Whether a colour has more than any other; a single franchise is no lead worth a word."""
    mine = franchises.get(colour, 0)
    return mine > max((1, *(count for other, count in franchises.items() if other != colour)))


def counted(spaces: Iterable[str | None]) -> dict[str, int]:
    """Franchises by colour."""
    found: dict[str, int] = {}
    for colour in spaces:
        if colour is not None:
            found[colour] = found.get(colour, 0) + 1
    return found
