"""A table at one moment in one language, as everybody sees it: computed once and cached."""

import json
from collections.abc import Callable, Hashable, Mapping
from datetime import datetime
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from cachetools import LRUCache
from markupsafe import Markup, escape

from franchise.drawing.cuts import cut_of
from franchise.drawing.highlighted_links import route
from franchise.drawing.layers import (
    LAND,
    PieceGroups,
    anonymous,
    ground_svg,
    miniature_svg,
    piece_groups,
    pieces_parts,
)
from franchise.drawing.scored import Gain
from franchise.engine.events import Event
from franchise.engine.layout import EventKind
from franchise.engine.view import View, locations, region
from franchise.facts import BOARD
from franchise.game import Game
from franchise.server.tables.table import Table
from franchise.web.ribbon import Shares, influence
from franchise.wording import log
from franchise.wording.ending import SCORING, Chip, scored
from franchise.wording.language import Language

KEPT = 1024  # moments: some for each table that is being played at
ROWS = 1 << 14  # of the views of regions and their locations
POINTS = (EventKind.MAJORITY, EventKind.FULL, EventKind.RANK, EventKind.TRACK)  # influence that flies to a token
DOLLARS = (EventKind.DOLLARS, EventKind.INCOME, EventKind.CASH)  # money that flies to a card
SOUNDS = {
    EventKind.EXPAND: "place",
    EventKind.AGAIN: "place",
    EventKind.FAR: "place",
    EventKind.START: "place",
    EventKind.GROW: "grow",
    EventKind.DOUBLE: "grow",
    EventKind.CASH: "pay",
    EventKind.MAJORITY: "city",
    EventKind.FULL: "city",
    EventKind.REGION: "region",
    EventKind.RED_ZONE: "end",
    EventKind.STANDSTILL: "end",
}


Part = tuple[str | Mapping[str, str], ...]  # markup, and elements by their ids


class Key(NamedTuple):
    """Everything that the shared view depends on."""

    table: str
    created_at: datetime
    version: int
    moves: int
    names: tuple[str, ...]
    colours: tuple[str, ...]
    kinds: tuple[str, ...]  # of those who sit there
    language: str


class LastMove(NamedTuple):
    """The last move of a game: who made it, in which turn and phase, and what it did."""

    seat: int
    turn: int
    phase: str
    events: list[Event]


class RegionLine(NamedTuple):
    """A region in play, as the lists beside the map show it."""

    name: str
    worth: tuple[int, ...]  # the values of its tile
    kind: str | None  # of the tile
    marker: str | None  # the colour that wins a tie
    scored: bool
    standing: tuple[tuple[str, int], ...]  # franchises by colour, most first
    missing: tuple[str, ...]  # places to be opened before it scores


class SharedRows(View):
    """A view for reading only: locations and regions that have not changed are the same objects as before."""

    def locations(self) -> dict[str, Any]:
        return {name: row for places in self.places() for name, row in known_locations(*places).items()}

    def regions(self) -> dict[str, Any]:
        return {BOARD.regions[situation[0]].name: known_region(*situation) for situation in self.situations()}


known_locations, known_region = lru_cache(ROWS)(locations), lru_cache(ROWS)(region)


class SharedMoment:
    """What every visitor sees of a game."""

    def __init__(self, table: Table, game: Game, language: Language) -> None:
        self.table_id = table.id
        self.game = game
        self.language = language
        self.parts: dict[Hashable, Part] = {}  # of the page, as far as they have been drawn
        self.groups: dict[str, PieceGroups] = {}  # of the map, by its size

    def part(self, name: Hashable, draw: Callable[[], Part]) -> Part:
        """A part of the page that is the same for everybody."""
        if name not in self.parts:
            self.parts[name] = draw()
        return self.parts[name]

    @cached_property
    def data(self) -> dict[str, Any]:
        """The public state, with the names of the players."""
        game = self.game
        data = SharedRows(game.rules, game.state, game.names, game.colours).data()
        for player in data["players"]:
            player["name"] = self.language.player(player["seat"], self.game)
        return data

    @cached_property
    def names(self) -> str:
        """The names of the players."""
        return ", ".join(player["name"] for player in self.data["players"])

    @cached_property
    def regions(self) -> list[RegionLine]:
        """The regions in play, unscored first."""
        rows = [
            RegionLine(
                name=name,
                worth=tuple(row["values"] or ()),
                kind=row["kind"],
                marker=row["marker"],
                scored=row["scored"],
                standing=tuple(sorted(row["franchises"].items(), key=lambda share: -share[1])),
                missing=tuple(row["missing"]),
            )
            for name, row in self.data["regions"].items()
            if not row["blocked"]
        ]
        return sorted(rows, key=lambda row: (row.scored, len(row.missing), row.name))

    def view(self) -> dict[str, Any]:
        """The public state, for drawing."""
        return self.data

    def ground(self, cut: str) -> str:
        """The parts of the map that do not change during the game."""
        return ground_svg(self, self.language.words, cut)

    def pieces(self, cut: str, opened: tuple[str, ...] = ()) -> tuple[str | dict[str, str], ...]:
        """The parts that a move may change, with marks at recently opened places."""
        if cut not in self.groups:
            key, words = (self.table_id, self.language.code, cut), self.language.words
            self.groups[cut] = _drawn[key] = piece_groups(self, words, cut, _drawn.get(key))
        return tuple(pieces_parts(self, self.groups[cut], self.language.words, cut, opened))

    @cached_property
    def last(self) -> LastMove | None:
        """The last move, if there is one."""
        if not self.game.actions:
            return None
        before = self.game.at(len(self.game.actions) - 1)
        return LastMove(before.current_player, before.turn, before.phase, before.play(self.game.actions[-1]))

    @property
    def last_events(self) -> list[Event]:
        """What the last move did."""
        return self.last.events if self.last is not None else []

    @cached_property
    def spoken(self) -> str:
        """The last move for a screen reader."""
        return " ".join(self.language.sentence(event, self.game) for event in self.last_events)

    @cached_property
    def flights(self) -> list[dict[str, Any]]:
        """The animations after the last move, in order: what moves, from where and to whom."""
        found: list[dict[str, Any]] = []
        points: dict[tuple[str | None, int], dict[str, Any]] = {}
        for event in self.last_events:
            colour = self.game.colours[event.seat] if 0 <= event.seat < self.game.players else ""
            flight: dict[str, Any] = {"place": event.where, "seat": event.seat, "colour": colour}
            if event.kind in POINTS and event.amount:
                known = points.setdefault((event.where, event.seat), flight | {"kind": "points", "amount": 0})
                if not known["amount"]:
                    found.append(known)
                known["amount"] += event.amount
                known["text"] = f"+{known['amount']}"
            elif event.kind in DOLLARS and event.amount:
                found.append(flight | {"kind": "money", "text": f"+{self.language.money(event.amount)}"})
            elif event.kind in log.EXPANSIONS:
                link = route(cut_of(self.data, "L"), self.data, colour, event.where or "", event.amount)
                found.append(
                    flight | {"kind": "expand", "link": list(link.ends) if link else [], "price": event.amount}
                )
                if event.amount:
                    found.append(flight | {"kind": "money", "text": f"−{self.language.money(event.amount)}"})
            elif event.kind == EventKind.GROW:
                found.append(flight | {"kind": "grow"})
            elif event.kind == EventKind.TAKE_BACK:
                found.append(flight | {"kind": "back", "count": event.amount})
            elif event.kind == EventKind.REGION:
                found.append(flight | {"kind": "tile"})
        return found

    @cached_property
    def chips(self) -> tuple[Chip, ...]:
        """What the last move scored."""
        return tuple(scored(self.last_events, self.game, self.language))

    @cached_property
    def gains(self) -> tuple[Gain, ...]:
        """Who has gained how much where by the last move; the region track counts for its region."""
        sums: dict[tuple[str, int], int] = {}
        for event in self.last_events:
            if event.kind in SCORING:
                key = event.where or "", event.seat
                sums[key] = sums.get(key, 0) + event.amount
        return tuple(Gain(where, self.game.colours[seat], amount) for (where, seat), amount in sums.items() if amount)

    @cached_property
    def gained(self) -> list[int]:
        """The influence that the last move has brought each seat."""
        sums = dict.fromkeys(self.game.colours[: self.game.players], 0)
        for gain in self.gains:
            sums[gain.colour] += gain.amount
        return list(sums.values())

    @cached_property
    def gain_chips(self) -> tuple[Chip, ...]:
        """The same in few words, most first."""
        found = [
            Chip("", f"{sum_:+d}", colour) for colour, sum_ in zip(self.game.colours, self.gained, strict=False) if sum_
        ]
        return tuple(sorted(found, key=lambda chip: -int(chip.gain)))

    @cached_property
    def sounds(self) -> list[str]:
        """The sounds of the last move, in order; a link that costs something sounds of a coin, too."""
        heard: list[str] = []
        for event in self.last_events:
            heard += [SOUNDS[event.kind]] if event.kind in SOUNDS else []
            heard += ["pay"] if event.kind in log.EXPANSIONS and event.amount else []
        return list(dict.fromkeys(heard))

    @cached_property
    def effects(self) -> Markup:
        """The animations, sounds and spoken text of the last move, as attributes for the scripts."""
        told = {
            "flights": json.dumps(self.flights),
            "touched": json.dumps(self.touched),
            "sounds": " ".join(self.sounds),
            "spoken": self.spoken,
        }
        return Markup(" ".join(f'data-{name}="{escape(value)}"' for name, value in told.items()))

    @cached_property
    def postcard(self) -> str:
        """A small picture of the board without ids, so that scripts do not find it."""
        drawn = anonymous(miniature_svg(self, self.language.words), "postcard")
        return f'<svg viewBox="{LAND}" aria-hidden="true">{drawn}</svg>'

    @cached_property
    def influence(self) -> tuple[Shares, ...]:
        """Everybody's share of the influence over the game."""
        return influence(self.game)

    @cached_property
    def touched(self) -> list[str]:
        """The places the last move was about."""
        places = (log.place_of(event) for event in self.last_events)
        return list(dict.fromkeys(place for place in places if place))

    @cached_property
    def log(self) -> tuple[log.LoggedTurn, ...]:
        return log.turns(self.table_id, self.game, self.language)


_moments: "LRUCache[Key, SharedMoment]" = LRUCache(KEPT)
_drawn: "LRUCache[tuple[str, str, str], PieceGroups]" = LRUCache(KEPT)  # last, by table, language and size of the map


def moment_of(table: Table, game: Game, version: int, language: Language) -> SharedMoment:
    """The moment, from the cache if possible."""
    kinds = tuple([seat.kind for seat in table.seats])
    key = Key(table.id, table.created_at, version, len(game.actions), game.names, game.colours, kinds, language.code)
    found = _moments.get(key)
    if found is None:
        found = _moments[key] = SharedMoment(table, game, language)
    return found
