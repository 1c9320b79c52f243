"""The answers of the API: their schemas, and how a table becomes one."""

from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, Field

from franchise.engine.events import player_name
from franchise.game import Game
from franchise.insight.preview import Preview
from franchise.server.people.accounts import Account
from franchise.server.tables.new_table import plain_options
from franchise.server.tables.stored import Message, TableSummary
from franchise.server.tables.table import ClockKind, Seating, Table, TimeOut
from franchise.server.tables.table_json import events, state_values


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
    resigned: bool = Field(description="whoever sat here has given the game up and a bot plays on to its end")


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
    ended_at: datetime | None = Field(description="when the game was ended early")
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
    seating: Seating = Field(
        description="given: in the order asked for; undrawn: drawn once every seat is taken, nobody moves before; drawn"
    )
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
    move: str | None = Field(description="as the record writes it; of an undo, what was played again; or null")
    took_back: int = Field(description="how many moves an undo took back")
    events: list[EventAnswer]


class PreviewAnswer(BaseModel):
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
    """A chat message; plain text, to be escaped where it is shown."""

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


def state(table: Table, held: frozenset[int], now: datetime) -> State:
    return State(**state_values(table, held, now))


def created(table: Table, tokens: dict[int, str], held: frozenset[int], now: datetime) -> Created:
    values = state_values(table, held, now)
    values["seats"] = [seat | {"token": tokens.get(seat["seat"])} for seat in values["seats"]]
    return Created(**values, tokens={str(seat): token for seat, token in tokens.items()})


def seated(table: Table, held: frozenset[int], now: datetime, seat: int, token: str | None) -> Seated:
    return Seated(**state_values(table, held, now), seat=seat, token=token)


def preview(found: Preview, game: Game) -> PreviewAnswer:
    values = vars(found) | {
        "events": events(found.events, game.names, game.colours),
        "turn_end": events(found.turn_end, game.names, game.colours),
        "scores": list(found.scores),
    }
    return PreviewAnswer(**values)


def message(said: Message, table: Table) -> MessageAnswer:
    name = said.name or player_name(said.seat, (), table.game.colours)
    return MessageAnswer(id=said.id, seat=said.seat, name=name, text=said.text, at=said.at)


def summary_values(table: TableSummary) -> dict[str, Any]:
    """The fields of SummaryAnswer."""
    return {
        "id": table.id,
        "players": table.players,
        "names": [seat.name or seat.colour.capitalize() for seat in table.seats],
        "open_seats": list(table.open_seats),
        "options": plain_options(table.options),
        "rated": table.rated,
        "turn": table.turn,
        "changed_at": table.changed_at,
    }


def summary(table: TableSummary) -> SummaryAnswer:
    return SummaryAnswer(**summary_values(table))


def me(account: Account, tables: tuple[TableSummary, ...]) -> Me:
    own = [OwnSummary(**summary_values(table), over=table.over, your_turn=table.your_turn) for table in tables]
    return Me(name=account.name, rating=account.rating, rated_games=account.rated_games, tables=own)


def leader(account: Account) -> Leader:
    return Leader(name=account.name, rating=account.rating, rated_games=account.rated_games)
