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

    kind: str = Field(description="what happened, such as expand, majority or income")
    seat: int = Field(description="the player concerned")
    place: str | None = Field(description="a location, a region, or the letter of a milestone")
    amount: int = Field(description="dollars, influence points or a count, depending on the kind")
    text: str = Field(description="a sentence in English")


class SeatAnswer(BaseModel):
    """A seat."""

    seat: int = Field(description="its number; seat 0 moves first")
    kind: Literal["human", "bot"]
    name: str = Field(description="the player's name, or the colour")
    colour: str = Field(description="the colour of the pieces")
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
    minutes: int = Field(description="live: minutes per person for the whole game")
    increment: int = Field(description="live: seconds gained with every turn")
    hours: int = Field(description="daily: hours per turn")
    vacation: int = Field(description="daily: days per person for turns that take longer")
    time_out: TimeOut = Field(description="what happens when somebody's time is up")
    stand_in: str = Field(description="the level of the bot that then plays, if time_out is bot")
    remaining: list[float | None] = Field(description="seconds by seat at the time `now`; null for bots")
    running: int | None = Field(description="the seat whose clock is running, or null")
    vacation_left: list[float | None] = Field(description="seconds by seat, part of `remaining`; null if not daily")
    now: datetime = Field(description="the time for which the other fields hold")


class ResultAnswer(BaseModel):
    """The result of a game, by seat."""

    scores: list[int] = Field(description="final influence points")
    winners: list[int] = Field(description="the seats that win; several share the victory")
    breakdown: list[dict[str, int]] = Field(description="where the points of each seat came from")


class State(BaseModel):
    """A table as the client sees it."""

    id: str = Field(description="the last part of the table's address")
    version: int = Field(description="the number of changes so far")
    over: bool = Field(description="whether the game has ended, also early")
    ended_at: datetime | None = Field(description="when the game was ended early, or null")
    current_player: int = Field(description="the seat to move; after the end, the seat that moved last")
    phase: str = Field(description="what the game waits for, as in Game.view()")
    turn: int = Field(description="the number of the turn, from 1; 0 during set-up")
    seats: list[SeatAnswer]
    yours: list[int] = Field(description="the client's seats")
    legal: list[str] = Field(description="the moves the client can make now")
    may_undo: bool = Field(description="whether the client can undo a move now")
    options: dict[str, Any] = Field(description="the options of the game that are in use")
    public: bool = Field(description="whether the table is listed")
    rated: bool = Field(description="whether the game is rated")
    hints: bool = Field(description="whether players may ask a bot for hints")
    seating: Seating = Field(
        description="given: in the requested order; undrawn: to be drawn once every seat is taken; drawn: at random"
    )
    clock: ClockAnswer
    result: ResultAnswer | None = Field(description="null until the game has been played to its end")
    rematch: str | None = Field(description="the id of the next table, or null")
    created_at: datetime = Field(description="when the table was created")
    changed_at: datetime = Field(description="when the table last changed")
    view: dict[str, Any] = Field(description="the complete position, as returned by Game.view()")


class Created(State):
    """A new table."""

    seats: list[SeatWithToken]  # type: ignore[assignment]
    tokens: dict[str, str] = Field(description="the secret token of each human seat, by seat number")


class Seated(State):
    """A table after taking a seat."""

    seat: int = Field(description="the seat that was taken; where seats are drawn, perhaps not the one asked for")
    token: str | None = Field(description="the secret token of the seat; null if it belongs to an account")


class Moved(State):
    """A table right after a move or an undo."""

    kind: Literal["move", "undo"]
    seat: int = Field(description="the seat that moved or undid a move")
    move: str | None = Field(
        description="the move in canonical notation; for an undo, moves that were played again, or null"
    )
    took_back: int = Field(description="how many moves were undone")
    events: list[EventAnswer] = Field(description="what the move caused, in order")


class PreviewAnswer(BaseModel):
    """What a move would do."""

    move: str = Field(description="the move in canonical notation")
    seat: int = Field(description="the seat to move")
    cash_before: int = Field(description="that player's dollars now")
    cash_after: int = Field(description="that player's dollars after the move")
    income_before: int = Field(description="the next income if the turn ended without the move")
    income_after: int = Field(description="the next income if the turn ended right after the move")
    events: list[EventAnswer] = Field(description="what the move itself causes")
    turn_end: list[EventAnswer] = Field(description="events if the turn ends right after the move")
    scores: list[int] = Field(description="influence that each seat gains in both")


class MessageAnswer(BaseModel):
    """A chat message. The text is plain and must be escaped when it is shown."""

    id: int
    seat: int = Field(description="the seat of its author")
    name: str = Field(description="the name of its author")
    text: str
    at: datetime = Field(description="when it was sent")


class Messages(BaseModel):
    """The chat messages of a table."""

    messages: list[MessageAnswer] = Field(description="the oldest first")


class SummaryAnswer(BaseModel):
    """A table in a list."""

    id: str = Field(description="the last part of the table's address")
    players: int = Field(description="the number of seats")
    names: list[str] = Field(description="the names by seat; the colour where a seat has none")
    open_seats: list[int] = Field(description="the seats that are free")
    options: dict[str, Any] = Field(description="the options of the game that are in use")
    rated: bool = Field(description="whether the game is rated")
    turn: int = Field(description="the number of the turn, from 1; 0 during set-up")
    changed_at: datetime = Field(description="when the table last changed")


class OwnSummary(SummaryAnswer):
    """A table of the account in a list."""

    over: bool = Field(description="whether the game has ended, also early")
    your_turn: bool = Field(description="whether a seat of the account is to move")


class Me(BaseModel):
    """The account of the token."""

    name: str
    rating: int = Field(description="as shown on the leaderboard; everybody starts at 1000")
    rated_games: int = Field(description="the number of rated games")
    tables: list[OwnSummary] = Field(description="the tables at which it has a seat, the most recently changed first")


class Leader(BaseModel):
    """An account on the leaderboard."""

    name: str
    rating: int = Field(description="everybody starts at 1000")
    rated_games: int = Field(description="the number of rated games")


class Leaders(BaseModel):
    """The leaderboard."""

    leaders: list[Leader] = Field(description="the highest rating first")


class Lists(BaseModel):
    """The public tables, newest first."""

    open: list[SummaryAnswer] = Field(description="tables with an open seat")
    live: list[SummaryAnswer] = Field(description="games in progress")


class BotAnswer(BaseModel):
    """A bot."""

    name: str = Field(description="its name, for the level of a seat")
    text: str = Field(description="how it plays; for a bot of another package, its entry point")
    source: str = Field(description="built in, or the package it comes from")


class Bots(BaseModel):
    """The bots that can take a seat."""

    bots: list[BotAnswer]


class Problem(BaseModel):
    """Why a request was not carried out."""

    error: str = Field(description="a code for programs; docs/server.md lists them")
    detail: str = Field(description="a sentence in English that says what to do")


class ConflictProblem(Problem):
    """Why a request does not fit the state of the table."""

    state: State = Field(description="the table as it is now")


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
