"""A table: a game, who sits at it, and every change made to it. A value: changing it makes another one.

A table is the fold of its changes over the game it began with. Undoing is a change too, so nothing is ever deleted and
every version can be looked at again.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Literal, TypeVar

from franchise.engine.actions import TEXTS
from franchise.engine.events import Event
from franchise.facts import COLOURS
from franchise.game import Game, IllegalAction
from franchise.insight.turn_bounds import play_noting_turn
from franchise.server.tables.change_history import ChangeHistory

SeatKind = Literal["human", "bot"]
ChangeKind = Literal["move", "undo"]
ClockKind = Literal["none", "live", "daily"]
Seating = Literal["given", "undrawn", "drawn"]  # undrawn: who sits where is drawn once every seat is taken
TimeOut = Literal["remind", "bot", "end"]
Ending = Literal["time", "resigned", "agreed", "cancelled", "expired"]  # why a game ended early
Vote = Literal["abort", "bot"]  # for calling the game off; for a bot in place of whoever is to move
Value = TypeVar("Value", "Change", "Table")
STAND_IN = "regular"  # the level that plays for somebody whose time has run out, if the table names no other


@dataclass(frozen=True)
class Seat:
    """A place at the table."""

    number: int
    kind: SeatKind
    name: str  # "" where none was given: the colour is shown
    level: str | None  # of a bot
    taken: bool  # by a bot, or by a person who holds it
    away: bool = False  # the time has run out and a bot plays on, until the person is back
    taken_at: datetime | None = None
    out_at: datetime | None = None  # when the time last ran out
    back_at: datetime | None = None  # when the person last came back
    resigned_at: datetime | None = None  # when the person gave the game up: a bot plays on to its end
    stand_in: str = STAND_IN  # the level that plays on
    own_colour: str | None = None  # of the player, kept from another seat
    asked: bool = False  # reserved for a player who is invited to the rematch
    vote: Vote | None = None
    vote_at: int | None = None  # the turn it was said in; for a bot, the version
    nudged_at: datetime | None = None  # when the others last reminded the player

    @property
    def colour(self) -> str:
        return self.own_colour or COLOURS[self.number]

    @property
    def open(self) -> bool:
        """Whether it waits for anybody to sit down."""
        return self.kind == "human" and not self.taken and not self.asked

    @property
    def player(self) -> str | None:
        """The level of the bot that plays here now; None where a person does."""
        return self.level if self.kind == "bot" else self.stand_in if self.away or self.resigned else None

    @property
    def resigned(self) -> bool:
        """Whether the player has resigned and only watches."""
        return self.resigned_at is not None


@dataclass(frozen=True)
class Change:
    """One version of a table: one move or several that go together, or some moves taken back."""

    version: int  # of the table after it
    kind: ChangeKind
    seat: int
    text: str  # the moves, separated by semicolons; before them, where some were taken back, how many
    at: datetime
    move_id: str | None = None  # the client's name for it
    by_bot: bool = False
    events: tuple[Event, ...] = ()  # what happened; the fold fills it in

    @property
    def took_back(self) -> int:
        """How many moves were taken back."""
        return int(self.text.partition(";")[0]) if self.kind == "undo" else 0

    @property
    def moves(self) -> str:
        """The moves made, perhaps after some were taken back."""
        return self.text.partition("; ")[2] if self.kind == "undo" else self.text


@dataclass(frozen=True)
class Clock:
    """How much time the people at the table have."""

    kind: ClockKind = "none"
    minutes: int = 0  # for the whole game; live
    increment: int = 0  # seconds, with every turn; live
    hours: int = 0  # for every turn; daily
    vacation: int = 0  # days, used up by turns that take longer; daily
    time_out: TimeOut = "bot"  # what happens when the time is up
    stand_in: str = STAND_IN  # the level that plays on then


@dataclass(frozen=True)
class Table:
    """A table at one of its versions. `game` is never played on; copy it."""

    id: str
    version: int
    game: Game
    seats: tuple[Seat, ...]
    public: bool
    clock: Clock
    created_at: datetime
    changed_at: datetime
    base: int  # moves the table began with: those of the record it continues
    starts: tuple[int, ...]  # after each number of moves: how many there were when the turn began
    changes: ChangeHistory = field(default_factory=ChangeHistory)
    standing: tuple[int, ...] = ()  # for each move after the first `base` the version that made it
    rematch: str | None = None  # the table that follows this one
    rated: bool = False
    hints: bool = True  # people may ask a bot what it would do
    seating: Seating = "given"
    ended_at: datetime | None = None  # when it was ended early
    ending: Ending | None = None  # why it was
    ended_seat: int | None = None  # whose time was up, or who resigned

    @property
    def over(self) -> bool:
        return self.game.over or self.ended_at is not None

    @property
    def to_move(self) -> Seat | None:
        """The seat to move; None when the game is over, and before it is drawn who sits where."""
        return None if self.over or self.undrawn else self.seats[self.game.current_player]

    @property
    def undrawn(self) -> bool:
        """Whether the game has not begun: who sits where is drawn once every seat is taken (RULES 1.1)."""
        return self.seating == "undrawn"

    @property
    def winners(self) -> tuple[int, ...]:
        """Who has won a game that was played to its end: nobody who resigned, whatever a bot made of their seat."""
        scores, winners = self.game.scores_and_winners()
        playing = [seat.number for seat in self.seats if not seat.resigned]
        best = max((scores[seat] for seat in playing), default=0)
        won = tuple(seat for seat in winners if seat in playing)
        return won or tuple(seat for seat in playing if scores[seat] == best) or winners

    @property
    def long_enough(self) -> bool:
        """Whether everybody has had two turns: a game that ends earlier is not rated."""
        return self.game.over or self.game.turn > 2 * len(self.seats)

    @property
    def turn_start(self) -> int:
        """How many moves there were when the current player's turn began; those of the record stay."""
        return max(self.base, self.starts[-1])

    @property
    def turn_began(self) -> datetime:
        """When the current player's turn began."""
        before = self.turn_start - self.base  # moves
        return self.changes[self.standing[before - 1] - 1].at if before else self.created_at

    @property
    def made(self) -> int:
        """Moves of this turn, which can be taken back."""
        return 0 if self.over else len(self.starts) - 1 - self.turn_start

    @property
    def last_step(self) -> int:
        """Moves of this turn that were made by the last change: what an undo takes back."""
        own = self.standing[len(self.standing) - self.made :]
        return own.count(own[-1]) if own else 0

    def may_undo(self, seat: int) -> bool:
        """Whether the seat moves now and has made a move in this turn."""
        return self.made > 0 and seat == self.game.current_player

    def at(self, version: int) -> "Table":
        """The table as it was at a version."""
        if not 0 <= version <= self.version:
            raise ValueError(f"the table is at version {self.version}: there is no version {version} of it")
        if version == self.version:
            return self
        first = replace(
            self,
            version=0,
            game=self.game.at(self.base),
            changed_at=self.created_at,
            starts=self.starts[: self.base + 1],
            changes=ChangeHistory(),
            standing=(),
            ended_at=None,
            ending=None,
        )
        return fold(first, self.changes[:version])

    def since(self, version: int) -> Iterator["Table"]:
        """The table at each later version, one after the other."""
        if version == self.version - 1:
            yield self
        elif version < self.version:
            table = self.at(max(version, 0))
            for change in self.changes[max(version, 0) :]:
                table = fold(table, [change])
                yield table

    def after(self, before: "Table") -> Iterator["Table"]:
        """The table at each version after an earlier state of it."""
        if before.seats != self.seats:
            yield from self.since(before.version)
        elif before.version < self.version:
            for change in self.changes[before.version : -1]:
                before = fold(before, [change])
                yield before
            yield self


def fold(table: Table, changes: Iterable[Change]) -> Table:
    """The table after more changes; IllegalAction if a move is not legal."""
    game = table.game.copy()
    starts, standing = list(table.starts), list(table.standing)
    made: list[Change] = []
    for change in changes:
        if change.kind == "undo":
            count = change.took_back
            taken_back = list(
                zip(game.actions[len(game.actions) - count :], standing[len(standing) - count :], strict=True)
            )
            game = game.at(len(game.actions) - count)
            del starts[len(starts) - count :]
            del standing[len(standing) - count :]
            if change.moves:  # those that stay belong to the step they were made in
                play_change(game, altered(change, text=change.moves), starts)
                again = game.actions[len(game.actions) - len(change.moves.split(";")) :]
                earlier = iter(taken_back)
                standing += [next(version for action, version in earlier if action == move) for move in again]
        else:
            change = play_change(game, change, starts)
            standing += [change.version] * (len(starts) - 1 - table.base - len(standing))
        made.append(change)
    if not made:
        return table
    return altered(
        table,
        version=made[-1].version,
        game=game,
        changed_at=made[-1].at,
        starts=tuple(starts),
        changes=table.changes.followed_by(made),
        standing=tuple(standing),
    )


def play_change(game: Game, change: Change, starts: list[int]) -> Change:
    """Play the moves of a change on a game; the change with the moves as the record writes them and what they caused.

    IllegalAction if one of them is not legal; the game must not be used then.
    """
    turn = (game.turn, game.current_player)
    events: list[Event] = []
    made: list[str] = []
    for text in change.text.split(";"):
        if made and (game.over or (game.turn, game.current_player) != turn):
            raise IllegalAction(f"{made[-1]} ends the turn: send what comes after it when it is your turn again.")
        action = game.action(text)
        events += play_noting_turn(game, action, starts)
        made.append(TEXTS[action.id])
    return altered(change, text="; ".join(made), events=tuple(events))


def altered(value: Value, **fields: Any) -> Value:
    """What dataclasses.replace makes, several times faster: for values whose fields need no checking."""
    other: Value = object.__new__(type(value))
    other.__dict__.update(value.__dict__, **fields)
    return other


def names_of(seats: Iterable[Seat]) -> tuple[str, ...]:
    """The names for the game: none where no seat has one."""
    names = tuple(seat.name for seat in seats)
    return names if any(names) else ()
