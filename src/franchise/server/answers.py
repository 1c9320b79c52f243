"""What the API answers with: the shapes, and how a table becomes one."""

from datetime import datetime
from functools import lru_cache
from typing import Any, Literal

import orjson
from pydantic import BaseModel, Field

from franchise.engine.actions import TEXTS
from franchise.engine.events import Event, player_name, sentence
from franchise.engine.view import KEPT, View, locations, region
from franchise.facts import BOARD, COLOURS
from franchise.server.accounts import Account
from franchise.server.clocks import times
from franchise.server.opening import plain_options
from franchise.server.outlook import Outlook
from franchise.server.store import Message, Summary
from franchise.server.table import Change, ClockKind, Table, TimeOut
from franchise.server.tables import Update


class EventAnswer(BaseModel):
    """One thing that happened."""

    kind: str
    seat: int
    place: str | None = Field(description="a location, a region, or the letter of a milestone")
    amount: int
    text: str = Field(description="in plain English")


class SeatAnswer(BaseModel):
    """A seat."""

    seat: int
    kind: Literal["human", "bot"]
    name: str = Field(description="the colour where no name was given")
    colour: str
    level: str | None = Field(description="of a bot")
    taken: bool = Field(description="false for a seat that waits for somebody to sit down")
    away: bool = Field(description="the time ran out and a bot plays on")


class SeatWithToken(SeatAnswer):
    """A seat of a new table."""

    token: str | None = Field(default=None, description="the secret that holds the seat; only told once")


class ClockAnswer(BaseModel):
    """The clocks of a table."""

    kind: ClockKind
    minutes: int
    increment: int
    hours: int
    vacation: int
    time_out: TimeOut
    stand_in: str
    remaining: list[float | None] = Field(description="seconds by seat at the time `now`; null for bots")
    running: int | None = Field(description="the seat whose time runs")
    vacation_left: list[float | None] = Field(description="seconds by seat, part of `remaining`; null if not daily")
    now: datetime


class ResultAnswer(BaseModel):
    """The end of a game, by seat."""

    scores: list[int]
    winners: list[int]
    breakdown: list[dict[str, int]]


class State(BaseModel):
    """A table as the one who asks sees it."""

    id: str
    version: int
    over: bool
    ended_at: datetime | None = Field(description="when it was ended before its end, because a time had run out")
    current_player: int
    phase: str
    turn: int
    seats: list[SeatAnswer]
    yours: list[int] = Field(description="the seats of the one who asks")
    legal: list[str] = Field(description="the moves the one who asks can make now")
    may_undo: bool
    options: dict[str, Any]
    public: bool
    rated: bool
    hints: bool = Field(description="whether people may ask a bot what it would do")
    clock: ClockAnswer
    result: ResultAnswer | None
    rematch: str | None = Field(description="the table that follows")
    created_at: datetime
    changed_at: datetime
    view: dict[str, Any] = Field(description="the whole public state, as Game.view()")


class Created(State):
    """A new table."""

    seats: list[SeatWithToken]  # type: ignore[assignment]
    tokens: dict[str, str] = Field(description="the secret of each human seat, by its number")


class Seated(State):
    """A table somebody has sat down at."""

    seat: int
    token: str | None = Field(description="the secret that holds the seat; null where an account does")


class Moved(State):
    """A table right after a move or an undo."""

    kind: Literal["move", "undo"]
    seat: int
    move: str | None = Field(description="as the record writes it; null for an undo")
    took_back: int = Field(description="how many moves an undo took back")
    events: list[EventAnswer]


class Happening(BaseModel):
    """The data of a server-sent event."""

    kind: Literal["move", "undo", "seats", "chat", "clock", "rematch"]
    version: int
    seat: int | None
    move: str | None
    took_back: int
    events: list[EventAnswer]


class OutlookAnswer(BaseModel):
    """What a move would do."""

    move: str
    seat: int
    cash_before: int
    cash_after: int
    income_before: int = Field(description="next time, if the turn ended without the move")
    income_after: int
    events: list[EventAnswer]
    turn_end: list[EventAnswer] = Field(description="what follows if the turn ends right after the move")
    scores: list[int] = Field(description="influence each seat gains in all of that")


class MessageAnswer(BaseModel):
    """Something said at a table; plain text, to be escaped where it is shown."""

    id: int
    seat: int
    name: str
    text: str
    at: datetime


class Messages(BaseModel):
    messages: list[MessageAnswer]


class SummaryAnswer(BaseModel):
    """A table in a list."""

    id: str
    players: int
    names: list[str]
    open_seats: list[int]
    options: dict[str, Any]
    rated: bool
    turn: int
    changed_at: datetime


class OwnSummary(SummaryAnswer):
    """A table of one's own in a list."""

    over: bool
    your_turn: bool


class Me(BaseModel):
    """An account and its tables, the last changed first."""

    name: str
    rating: int
    rated_games: int
    tables: list[OwnSummary]


class Leader(BaseModel):
    """Somebody with a rating."""

    name: str
    rating: int
    rated_games: int


class Leaders(BaseModel):
    leaders: list[Leader]


class Lists(BaseModel):
    """The public tables, newest first."""

    open: list[SummaryAnswer] = Field(description="with a seat to take")
    live: list[SummaryAnswer] = Field(description="to watch")


class BotAnswer(BaseModel):
    name: str
    text: str
    source: str


class Bots(BaseModel):
    bots: list[BotAnswer]


class Problem(BaseModel):
    """Why a request was not carried out."""

    error: str
    detail: str


class ConflictProblem(Problem):
    """The same, with the table as it is now."""

    state: State


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
    mine = not over and player in held
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
        "view": view(game.rules, game.state, game.names).data(),
    }


def seats(table: Table) -> list[dict[str, Any]]:
    return [
        {
            "seat": seat.number,
            "kind": seat.kind,
            "name": player_name(seat.number, table.game.names),
            "colour": COLOURS[seat.number],
            "level": seat.level,
            "taken": seat.taken,
            "away": seat.away,
        }
        for seat in table.seats
    ]


def state(table: Table, held: frozenset[int], now: datetime) -> State:
    return State(**state_values(table, held, now))


def created(table: Table, tokens: dict[int, str], held: frozenset[int], now: datetime) -> Created:
    values = state_values(table, held, now)
    values["seats"] = [seat | {"token": tokens.get(seat["seat"])} for seat in values["seats"]]
    return Created(**values, tokens={str(seat): token for seat, token in tokens.items()})


def seated(table: Table, held: frozenset[int], now: datetime, seat: int, token: str | None) -> Seated:
    return Seated(**state_values(table, held, now), seat=seat, token=token)


def moved(table: Table, held: frozenset[int]) -> bytes:
    """A table right after its last change, told as of then: a repeated request gets the same answer. Moved as JSON."""
    change = table.changes[-1]
    return as_json(state_values(table, held, change.at, Encoded) | change_values(table, change))


def change_values(table: Table, change: Change | None) -> dict[str, Any]:
    """A change, and what it caused, which is JSON already."""
    undo = change is not None and change.kind == "undo"
    return {
        "kind": change.kind if change else None,
        "seat": change.seat if change else None,
        "move": change.text if change and not undo else None,
        "took_back": int(change.text) if change and undo else 0,
        "events": orjson.Fragment(encoded_events(change.events if change else (), table.game.names)),
    }


def events(happened: tuple[Event, ...], names: tuple[str, ...]) -> list[dict[str, Any]]:
    return [event.data() | {"text": sentence(event, names)} for event in happened]


@lru_cache(KEPT)
def encoded_event(event: Event, names: tuple[str, ...]) -> bytes:
    return orjson.dumps(events((event,), names))[1:-1]


def encoded_events(happened: tuple[Event, ...], names: tuple[str, ...]) -> bytes:
    """The same as JSON: for everybody who is told, and most of it was told before."""
    return b"[%s]" % b",".join([encoded_event(event, names) for event in happened])


def happening(update: Update) -> bytes:
    """Something that happened: Happening as JSON."""
    return as_json(change_values(update.table, update.change) | {"kind": update.kind, "version": update.version})


def as_json(values: dict[str, Any]) -> bytes:
    return orjson.dumps(values, option=orjson.OPT_UTC_Z)


def preview(outlook: Outlook, names: tuple[str, ...]) -> OutlookAnswer:
    values = vars(outlook) | {
        "events": events(outlook.events, names),
        "turn_end": events(outlook.turn_end, names),
        "scores": list(outlook.scores),
    }
    return OutlookAnswer(**values)


def message(said: Message) -> MessageAnswer:
    name = said.name or player_name(said.seat)
    return MessageAnswer(id=said.id, seat=said.seat, name=name, text=said.text, at=said.at)


def summary_values(table: Summary) -> dict[str, Any]:
    """The fields of SummaryAnswer."""
    return {
        "id": table.id,
        "players": table.players,
        "names": [player_name(seat, table.names) for seat in range(table.players)],
        "open_seats": list(table.open_seats),
        "options": plain_options(table.options),
        "rated": table.rated,
        "turn": table.turn,
        "changed_at": table.changed_at,
    }


def summary(table: Summary) -> SummaryAnswer:
    return SummaryAnswer(**summary_values(table))


def me(one: Account, tables: tuple[Summary, ...]) -> Me:
    own = [OwnSummary(**summary_values(table), over=table.over, your_turn=table.your_turn) for table in tables]
    return Me(name=one.name, rating=one.rating, rated_games=one.rated_games, tables=own)


def leader(one: Account) -> Leader:
    return Leader(name=one.name, rating=one.rating, rated_games=one.rated_games)
