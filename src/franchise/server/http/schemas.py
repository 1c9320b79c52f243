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
    """An event of the game."""

    kind: str
    seat: int
    place: str | None = Field(description="a location, a region, or the letter of a milestone")
    amount: int
    text: str = Field(description="a sentence in English")


class SeatAnswer(BaseModel):
    """A seat."""

    seat: int
    kind: Literal["human", "bot"]
    name: str = Field(description="the player's name, or the colour")
    colour: str
    level: str | None = Field(description="the level of a bot; null for a person")
    taken: bool = Field(description="false for an open seat")
    away: bool = Field(description="whether a bot plays because the person ran out of time")
    resigned: bool = Field(description="whether the person has resigned; a bot plays to the end")


class SeatWithToken(SeatAnswer):
    """A seat of a new table."""

    token: str | None = Field(default=None, description="the secret token of the seat; shown only once")


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
    running: int | None = Field(description="the seat whose clock is running")
    vacation_left: list[float | None] = Field(description="seconds by seat, part of `remaining`; null if not daily")
    now: datetime


class ResultAnswer(BaseModel):
    """The result of a game, by seat."""

    scores: list[int]
    winners: list[int]
    breakdown: list[dict[str, int]]


class State(BaseModel):
    """A table as the client sees it."""

    id: str
    version: int
    over: bool
    ended_at: datetime | None = Field(description="when the game was ended early, or null")
    current_player: int
    phase: str
    turn: int
    seats: list[SeatAnswer]
    yours: list[int] = Field(description="the client's seats")
    legal: list[str] = Field(description="the moves the client can make now")
    may_undo: bool
    options: dict[str, Any]
    public: bool
    rated: bool
    hints: bool = Field(description="whether players may ask a bot for hints")
    seating: Seating = Field(
        description="given: in the requested order; undrawn: to be drawn once every seat is taken; drawn: at random"
    )
    clock: ClockAnswer
    result: ResultAnswer | None
    rematch: str | None = Field(description="the id of the next table, or null")
    created_at: datetime
    changed_at: datetime
    view: dict[str, Any] = Field(description="the complete position, as returned by Game.view()")


class Created(State):
    """A new table."""

    seats: list[SeatWithToken]  # type: ignore[assignment]
    tokens: dict[str, str] = Field(description="the secret token of each human seat, by seat number")


class Seated(State):
    """A table after taking a seat."""

    seat: int
    token: str | None = Field(description="the secret token of the seat; null if it belongs to an account")


class Moved(State):
    """A table right after a move or an undo."""

    kind: Literal["move", "undo"]
    seat: int
    move: str | None = Field(
        description="the move in canonical notation; for an undo, moves that were played again, or null"
    )
    took_back: int = Field(description="how many moves were undone")
    events: list[EventAnswer]


class PreviewAnswer(BaseModel):
    """What a move would do."""

    move: str
    seat: int
    cash_before: int
    cash_after: int
    income_before: int = Field(description="the next income if the turn ended without the move")
    income_after: int = Field(description="the next income if the turn ended right after the move")
    events: list[EventAnswer]
    turn_end: list[EventAnswer] = Field(description="events if the turn ends right after the move")
    scores: list[int] = Field(description="influence that each seat gains in both")


class MessageAnswer(BaseModel):
    """A chat message. The text is plain and must be escaped when it is shown."""

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
    """A table of the account in a list."""

    over: bool
    your_turn: bool


class Me(BaseModel):
    """An account and its tables, the most recently changed first."""

    name: str
    rating: int
    rated_games: int
    tables: list[OwnSummary]


class Leader(BaseModel):
    """An account with its rating."""

    name: str
    rating: int
    rated_games: int


class Leaders(BaseModel):
    leaders: list[Leader]


class Lists(BaseModel):
    """The public tables, newest first."""

    open: list[SummaryAnswer] = Field(description="tables with an open seat")
    live: list[SummaryAnswer] = Field(description="games in progress")


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
    """The same, with the current state of the table."""

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
