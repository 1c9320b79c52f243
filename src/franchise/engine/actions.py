"""Moves as numbers, as `Action` and as text.

The numbers are indices into ACTIONS: first the moves of the base game, then those of the modules. The text is the
notation of docs/notation.md; `parse` is lenient, `str(action)` is canonical.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import NoReturn

from franchise.engine.layout import MOVES, Kind
from franchise.facts import BOARD
from franchise.facts.loader import TILE_CLASSES, tile_class

VERBS = {
    Kind.START: "start",
    Kind.EXPAND: "expand",
    Kind.AGAIN: "again",
    Kind.GROW: "grow",
    Kind.DOUBLE: "double",
    Kind.CASH: "cash",
    Kind.DONE: "done",
    Kind.END: "end",
    Kind.EXPAND_FREE: "expand",
    Kind.AGAIN_FREE: "again",
    Kind.FAR: "far",
    Kind.BOOM: "boom",
    Kind.STAY: "stay",
    Kind.TILE: "tile",
    Kind.REGION: "region",
    Kind.FAR_FREE: "far",
    Kind.SCORE: "score",
}
FORMS = {  # how each verb is written, for messages
    "start": "start TOWN",
    "expand": "expand LOCATION PRICE [free]",
    "again": "again LOCATION PRICE [free]",
    "grow": "grow CITY",
    "double": "double CITY",
    "cash": "cash",
    "done": "done",
    "end": "end",
    "far": "far LOCATION [free]",
    "boom": "boom CITY",
    "stay": "stay",
    "tile": "tile SIZE CITY",
    "region": "region TILE on REGION",
    "score": "score REGION",
}
WITH_PRICE = (Kind.EXPAND, Kind.AGAIN, Kind.EXPAND_FREE, Kind.AGAIN_FREE)
FREE = (Kind.EXPAND_FREE, Kind.AGAIN_FREE, Kind.FAR_FREE)
ON_REGIONS = (Kind.REGION, Kind.SCORE)
WITH_LOCATION = ("start", "expand", "again", "grow", "double", "far", "boom")  # moves that name a town or city
ONLY_CITIES = ("grow", "double", "boom")  # of these, moves that name a city
TEXT_LIMIT = 80  # characters; the longest move has 40
MISSPELLED = 0.75  # how alike a name and what was typed for it are, by difflib


class NotationError(ValueError):
    """A text that is not a move in any game."""


@dataclass(frozen=True, slots=True)
class Action:
    """One move. `place` is a location (a region for `region` and `score`), -1 for moves without one."""

    id: int
    kind: Kind
    place: int = -1
    price: int = -1  # dollars of the link
    size: int = -1  # size of the city tile
    tile: int = -1  # number of the region tile

    def __int__(self) -> int:
        return self.id

    __index__ = __int__

    @property
    def free(self) -> bool:
        """Whether the road tile is used instead of money."""
        return self.kind in FREE

    @property
    def verb(self) -> str:
        return VERBS[self.kind]

    @property
    def where(self) -> str:
        """The name of the location or region; nothing for moves without one."""
        if self.place < 0:
            return ""
        return (BOARD.regions if self.kind in ON_REGIONS else BOARD.locations)[self.place].name

    def __str__(self) -> str:
        if self.kind == Kind.REGION:
            return f"region {BOARD.tiles[self.tile].id} on {self.where}"
        words = [self.verb]
        if self.kind == Kind.TILE:
            words.append(str(self.size))
        if self.place >= 0:
            words.append(self.where)
        if self.kind in WITH_PRICE:
            words.append(str(self.price))
        if self.free:
            words.append("free")
        return " ".join(words)


def _numbered() -> tuple[Action, ...]:
    """All actions, in the order of Kind; within a kind by price and board order."""
    actions: list[Action] = []

    def add(kind: Kind, place: int = -1, price: int = -1, size: int = -1, tile: int = -1) -> None:
        actions.append(Action(len(actions), kind, place, price, size, tile))

    for kind in Kind:
        if kind == Kind.START:
            for town in BOARD.towns:
                add(kind, town)
        elif kind in WITH_PRICE:
            for price, target in BOARD.pairs:
                if price > 0 or kind in (Kind.EXPAND, Kind.AGAIN):
                    add(kind, target, price)
        elif kind in (Kind.GROW, Kind.DOUBLE, Kind.BOOM):
            for city in BOARD.cities:
                add(kind, city)
        elif kind in (Kind.FAR, Kind.FAR_FREE):
            for location in BOARD.locations:
                add(kind, location.id)
        elif kind == Kind.TILE:
            for city in BOARD.cities:
                for size in TILE_CLASSES[tile_class(BOARD.locations[city].size)]:
                    add(kind, city, size=size)
        elif kind == Kind.REGION:
            for tile in range(len(BOARD.tiles)):
                for region in BOARD.regions:
                    add(kind, region.id, tile=tile)
        elif kind == Kind.SCORE:
            for region in BOARD.regions:
                add(kind, region.id)
        else:
            add(kind)
    return tuple(actions)


ACTIONS = _numbered()
FIRST_ID = {kind: next(action.id for action in ACTIONS if action.kind == kind) for kind in Kind}
BASE_ACTIONS = FIRST_ID[Kind.EXPAND_FREE]  # how many numbers the base game uses
if len(ACTIONS) > MOVES:  # pragma: no cover - a guard for whoever adds moves
    raise AssertionError("layout.MOVES is too small")

TEXTS = tuple(str(action) for action in ACTIONS)
_BY_TEXT = {text.casefold(): action for text, action in zip(TEXTS, ACTIONS, strict=True)}
_AS_WRITTEN = dict(zip(TEXTS, ACTIONS, strict=True))
_SPACES = re.compile(r"\s+")
_PLACE_NAMES = {name.casefold(): name for name in (*BOARD.location_ids, *BOARD.region_ids, *BOARD.tile_ids)}


def _plain(text: str) -> str:
    return _SPACES.sub(" ", text.strip()).casefold().replace(" $", " ")


def parse(
    text: str, legal: Callable[[], Sequence[int]], prices: Callable[[int], Sequence[int]] = lambda place: ()
) -> Action:
    """The action a text means. Any case, `$3` like `3`; a price left out means the cheapest legal one.

    The legal actions, and the prices of the player's own links to a place, are requested only if a price is missing.
    Raises NotationError for a text that is not a move at all.
    """
    written = _AS_WRITTEN.get(text)
    if written is not None:
        return written
    if len(text) > TEXT_LIMIT:
        raise NotationError(f"a move has at most {TEXT_LIMIT} characters, this has {len(text)}")
    plain = _plain(text)
    action = _BY_TEXT.get(plain)
    if action is not None:
        return action
    verb, _, rest = plain.partition(" ")
    if verb in ("expand", "again"):
        free = rest.endswith(" free")
        place = BOARD.location_ids.get(_PLACE_NAMES.get(rest.removesuffix(" free"), ""))
        if place is not None:
            return _cheapest(verb, place, free, legal(), prices(place))
    _refuse(plain, verb, rest)


def _cheapest(verb: str, place: int, free: bool, legal: Sequence[int], prices: Sequence[int]) -> Action:
    """The cheapest legal expansion to a place; if none is legal, over one of the player's links, else over any link."""
    fitting = [a for a in ACTIONS if a.verb == verb and a.place == place and a.free == free]
    allowed = set(legal)
    return min(fitting, key=lambda action: (action.id not in allowed, action.price not in prices, action.price))


def misspelled_place(text: str) -> str | None:
    """The name in a move that is not a place on the board; None if something else is wrong with it."""
    verb, _, rest = _plain(text[:TEXT_LIMIT]).partition(" ")
    name = rest.removesuffix(" free").rstrip("0123456789").strip()
    return name if verb in WITH_LOCATION and name and _PLACE_NAMES.get(name) not in BOARD.location_ids else None


def nearest_place(name: str, verb: str = "", in_play: int = -1) -> str:
    """The place that was meant if it is misspelled; else the nearest in play (a mask) that such a move can name."""
    kind = "town" if verb == "start" else "city" if verb in ONLY_CITIES else None
    names = {place.name.casefold(): place for place in BOARD.locations}
    possible = [
        spelled
        for number, (spelled, place) in enumerate(names.items())
        if kind in (None, place.kind) and in_play >> number & 1
    ]
    typed = name.casefold()
    meant = get_close_matches(typed, names, 1, MISSPELLED) or get_close_matches(typed, possible, 1, 0.0)
    return names[meant[0]].name


def _refuse(plain: str, verb: str, rest: str) -> NoReturn:
    """Raise an error that says what is wrong with the text."""
    if not plain:
        raise NotationError("an empty text is not a move")
    if verb not in FORMS:
        raise NotationError(f"{verb[:20]!r} is not a move; moves begin with {', '.join(FORMS)}")
    form = FORMS[verb]
    if verb == "score" and rest:
        raise NotationError(f"{rest[:30]!r} is not a region of the board; write: {form}")
    if verb in WITH_LOCATION and rest:
        free = rest.endswith(" free")
        words = rest.removesuffix(" free").split(" ")
        price = words.pop() if len(words) > 1 and words[-1].isdigit() else None
        name = " ".join(words)
        if name not in _PLACE_NAMES or _PLACE_NAMES[name] not in BOARD.location_ids:
            problem = f"{name[:30]!r} is not a location of the board; write: {form}"
            raise NotationError(f"{problem}; the nearest name is {nearest_place(name, verb)}")
        if price is None and verb in ("start", *ONLY_CITIES):
            raise NotationError(f"{_PLACE_NAMES[name]} is not a {'town' if verb == 'start' else 'city'}; write: {form}")
        if price is not None and verb in ("expand", "again"):
            place = BOARD.location_ids[_PLACE_NAMES[name]]
            prices = [a.price for a in ACTIONS if a.verb == verb and a.place == place and a.free == free]
            tile = " for the road tile" if free else ""
            raise NotationError(
                f"no link to {_PLACE_NAMES[name]}{tile} costs ${price}; "
                f"its links{tile} cost {', '.join(f'${cost}' for cost in prices)}"
            )
    raise NotationError(f"{plain[:40]!r} is not a complete move; write: {form}")
