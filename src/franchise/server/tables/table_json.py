"""Tables and what happens at them as JSON: for the API's answers and for the events of a stream alike."""

from datetime import datetime
from functools import lru_cache
from typing import Any

import orjson

from franchise.engine.actions import TEXTS
from franchise.engine.events import Event, sentence
from franchise.engine.view import KEPT, View, locations, region
from franchise.facts import BOARD
from franchise.server.tables.clocks import times
from franchise.server.tables.new_table import plain_options
from franchise.server.tables.table import Change, Table


class Encoded(View):
    """A view whose locations and regions are JSON already: most stay as they are from one move to the next."""

    def locations(self) -> orjson.Fragment:
        return joined([encoded_locations(*places) for places in self.places()])

    def regions(self) -> orjson.Fragment:
        return joined([encoded_region(*situation) for situation in self.situations()])


def joined(members: list[bytes]) -> orjson.Fragment:
    """An object of members that are JSON already."""
    return orjson.Fragment(b"{%s}" % b",".join(members))


@lru_cache(KEPT)
def encoded_locations(*places: Any) -> bytes:
    return orjson.dumps(locations(*places))[1:-1]


@lru_cache(KEPT)
def encoded_region(number: int, *situation: Any) -> bytes:
    return orjson.dumps({BOARD.regions[number].name: region(number, *situation)})[1:-1]


def state_values(table: Table, held: frozenset[int], now: datetime, view: type[View] = View) -> dict[str, Any]:
    """The fields of State."""
    game, over = table.game, table.over
    player, shown = game.current_player, times(table, now)
    mine = table.to_move is not None and player in held
    result = game.result() if over and game.over else None
    return {
        "id": table.id,
        "version": table.version,
        "over": over,
        "ended_at": table.ended_at,
        "current_player": player,
        "phase": game.phase,
        "turn": game.turn,
        "seats": seats(table),
        "yours": sorted(held),
        "legal": [TEXTS[number] for number in game.legal_numbers()] if mine else [],
        "may_undo": mine and table.may_undo(player),
        "options": plain_options(game.setup.options),
        "public": table.public,
        "rated": table.rated,
        "hints": table.hints,
        "seating": table.seating,
        "clock": {
            **vars(table.clock),
            "remaining": [None if time is None else round(time, 1) for time in shown.remaining],
            "running": shown.running,
            "vacation_left": [None if time is None else round(time, 1) for time in shown.vacation],
            "now": now,
        },
        "result": None
        if result is None
        else {"scores": result.scores, "winners": result.winners, "breakdown": result.breakdown},
        "rematch": table.rematch,
        "created_at": table.created_at,
        "changed_at": table.changed_at,
        "view": view(game.rules, game.state, game.names, game.colours).data(),
    }


def seats(table: Table) -> list[dict[str, Any]]:
    return [
        {
            "seat": seat.number,
            "kind": seat.kind,
            "name": seat.name or seat.colour.capitalize(),
            "colour": seat.colour,
            "level": seat.level,
            "taken": seat.taken,
            "away": seat.away,
            "resigned": seat.resigned,
        }
        for seat in table.seats
    ]


def moved(table: Table, held: frozenset[int]) -> bytes:
    """A table right after its last change, told as of then: a repeated request gets the same answer. Moved as JSON."""
    change = table.changes[-1]
    return as_json(state_values(table, held, change.at, Encoded) | change_values(table, change))


def change_values(table: Table, change: Change | None) -> dict[str, Any]:
    """A change, and what it caused, which is JSON already."""
    caused = encoded_events(change.events if change else (), table.game.names, table.game.colours)
    return {
        "kind": change.kind if change else None,
        "seat": change.seat if change else None,
        "move": (change.moves or None) if change else None,
        "took_back": change.took_back if change else 0,
        "events": orjson.Fragment(caused),
    }


def events(caused: tuple[Event, ...], names: tuple[str, ...], colours: tuple[str, ...]) -> list[dict[str, Any]]:
    return [event.data() | {"text": sentence(event, names, colours)} for event in caused]


@lru_cache(KEPT)
def encoded_event(event: Event, names: tuple[str, ...], colours: tuple[str, ...]) -> bytes:
    return orjson.dumps(events((event,), names, colours))[1:-1]


def encoded_events(caused: tuple[Event, ...], names: tuple[str, ...], colours: tuple[str, ...]) -> bytes:
    """The same as JSON; most of it is cached, because all followers get the same events."""
    return b"[%s]" % b",".join([encoded_event(event, names, colours) for event in caused])


def event_json(kind: str, table: Table, change: Change | None = None) -> bytes:
    """Something that happened at a table: the data of a server-sent event."""
    return as_json(change_values(table, change) | {"kind": kind, "version": table.version})


def as_json(values: dict[str, Any]) -> bytes:
    return orjson.dumps(values, option=orjson.OPT_UTC_Z)
