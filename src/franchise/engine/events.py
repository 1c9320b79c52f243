"""Events: rows of the log as `Event` objects and as sentences.

SENTENCES are the message keys other languages translate. {player} is the seat's name, {place} a location, a region or a
milestone, {amount} the number, {tile} a region tile.
"""

from typing import Any, NamedTuple

from franchise.engine.layout import EventKind, Records
from franchise.facts import BOARD, COLOURS, MILESTONES

E = EventKind

MILESTONE_TEXTS = {
    "a": "franchises in 4 towns",
    "b": "franchises in 4 regions",
    "c": "5 franchises in scored cities",
    "d": "franchises in unscored cities of value 2, 3 and 4",
    "e": "trigger the scoring of a city of value 6, 7 or 8",
    "f": "trigger the scoring of a region",
    "g": "use two $8 links",
}

SENTENCES = {
    E.CITY_TILE: "{player} puts a city tile of {amount} on {place}.",
    E.REGION_TILE: "{player} puts the region tile {tile} on {place}.",
    E.START: "{player} starts in {place}.",
    E.BOOM: "{player} puts the boom marker beside {place}.",
    E.TURN: "Turn {amount}: {player}.",
    E.INCOME: "{player} takes ${amount} of income.",
    E.EXPAND: "{player} expands to {place} for ${amount}.",
    E.AGAIN: "{player} uses a bonus tile and expands again, to {place} for ${amount}.",
    E.FAR: "{player} uses the expansion tile and expands to {place} for ${amount}.",
    E.ROAD: "{player} uses the road tile and saves ${amount}.",
    E.EIGHT: "{player}’s $8 links so far: {amount}.",
    E.EIGHT_MARK: "{player} puts a franchise beside the milestone ({place}): it records the first $8 link.",
    E.CASH: "{player} uses a bonus tile for ${amount}.",
    E.GROW: "{player} increases the market share in {place}.",
    E.DOUBLE: "{player} uses a bonus tile and doubles the increase in {place}.",
    E.OPEN: "{player} opens a franchise in {place}.",
    E.MAJORITY: "{player} has the absolute majority in {place} and gains {amount} influence.",
    E.FULL: "{place} is full without an absolute majority; {player} gains {amount} influence.",
    E.TAKE_BACK: "{player} takes back {amount} of the franchises in {place}.",
    E.TIE_BREAK: "{player} will break ties in {place}.",
    E.REGION: "{player} completes the region {place}.",
    E.RANK: "{player} gains {amount} influence in {place}.",
    E.DOLLARS: "{player} takes ${amount} for {place}.",
    E.BONUS_BACK: "{player} takes back a used bonus tile for {place}.",
    E.ROAD_TILE: "{player} takes the road tile for {place}.",
    E.EXPANSION_TILE: "{player} takes the expansion tile for {place}.",
    E.TRACK: "{player} gains {amount} influence from the region track for {place}.",
    E.MILESTONE: "{player} reaches a milestone ({place}) and takes a bonus tile.",
    E.RED_ZONE: "{amount} region tiles lie on the track: the red zone ends the game.",
    E.STANDSTILL: "Nobody has expanded for a whole round: the game ends.",
    E.TOWNS: "{player} gains {amount} influence for towns.",
    E.MONEY: "{player} gains {amount} influence for money.",
    E.BONUS_TILES: "{player} gains {amount} influence for unused bonus tiles.",
}

ON_REGIONS = (
    E.REGION_TILE,
    E.TIE_BREAK,
    E.REGION,
    E.RANK,
    E.DOLLARS,
    E.BONUS_BACK,
    E.ROAD_TILE,
    E.EXPANSION_TILE,
    E.TRACK,
)
ON_MILESTONES = (E.MILESTONE, E.EIGHT_MARK)
_KINDS = tuple(EventKind)


class Event(NamedTuple):
    """An event; EventKind says what place and amount mean."""

    kind: EventKind
    seat: int
    place: int
    amount: int

    @property
    def where(self) -> str | None:
        """The name of the location or region; the letter of the milestone; None for events without a place."""
        if self.place < 0:
            return None
        if self.kind in ON_MILESTONES:
            return MILESTONES[self.place]
        return (BOARD.regions if self.kind in ON_REGIONS else BOARD.locations)[self.place].name

    def data(self) -> dict[str, Any]:
        """The event as JSON-able data."""
        return {"kind": self.kind.name.lower(), "seat": self.seat, "place": self.where, "amount": self.amount}


def read(log: Records) -> list[Event]:
    """The events of the last apply."""
    rows = log["rows"][0, : log["length"][0]].tolist()
    return [Event(_KINDS[kind], seat, place, amount) for kind, seat, place, amount in rows]


def sentence(event: Event, names: tuple[str, ...] = (), colours: tuple[str, ...] = COLOURS) -> str:
    """The event in plain English; players are called by their names, or by their colours if they have none."""
    place = event.where or ""
    if event.kind in ON_MILESTONES:
        place = MILESTONE_TEXTS[place]
    return SENTENCES[event.kind].format(
        player=player_name(event.seat, names, colours),
        place=place,
        amount=event.amount,
        tile=BOARD.tiles[event.amount].id if event.kind == E.REGION_TILE else "",
    )


def player_name(seat: int, names: tuple[str, ...] = (), colours: tuple[str, ...] = COLOURS) -> str:
    """A seat's name, or its colour if it has none."""
    named = names[seat] if seat < len(names) else ""
    return named or colours[seat].capitalize()
