"""Tables, seats and messages as a store keeps them, and the changes it is given to write."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from hmac import compare_digest
from typing import Any, TypeVar

from franchise.engine.setups import Options
from franchise.server.tables.table import Change, Clock, Ending, Seat, Seating

Found = TypeVar("Found")


class Conflict(Exception):  # noqa: N818 - not an error of ours
    """Another change came first."""


@dataclass(frozen=True)
class StoredSeat:
    """A seat with the hashes of the secrets that hold it."""

    seat: Seat
    token_hash: str | None = None
    holder_hash: str | None = None

    def held_by(self, shown: Sequence[str]) -> bool:
        """Whether one of these hashes holds it, in a time that does not tell how much of one fits."""
        token, holder = self.token_hash, self.holder_hash
        for shown_hash in shown:
            if token is not None and compare_digest(shown_hash, token):
                return True
            if holder is not None and compare_digest(shown_hash, holder):
                return True
        return False


@dataclass(frozen=True, slots=True)
class Due:
    """When a table needs the server to act: a bot is to move, or a clock runs out."""

    bot: datetime | None = None  # since when
    deadline: datetime | None = None


NOT_DUE = Due()


@dataclass(frozen=True)
class StoredTable:
    """A table as it is stored."""

    id: str
    record: str
    version: int
    revision: int
    public: bool
    options: dict[str, Any]
    seed: int
    clock: Clock
    turn: int
    to_move: int | None
    rematch: str | None
    created_at: datetime
    changed_at: datetime
    seats: tuple[StoredSeat, ...]
    changes: tuple[Change, ...] = ()
    rated: bool = False
    hints: bool = True
    ended_at: datetime | None = None
    ending: Ending | None = None
    ended_seat: int | None = None
    settled: bool = False
    seating: Seating = "given"
    due: Due = NOT_DUE


@dataclass(frozen=True)
class News:
    """What is new at a table."""

    revision: int
    changes: tuple[Change, ...]


@dataclass(frozen=True)
class Message:
    """Something said at a table."""

    id: int
    seat: int
    name: str
    text: str
    at: datetime


@dataclass(frozen=True)
class TableSummary:
    """A table in a list."""

    id: str
    players: int
    names: tuple[str, ...]  # "" where a seat has none
    seats: tuple[Seat, ...]
    open_seats: tuple[int, ...]
    options: Options
    clock: Clock
    public: bool
    turn: int
    over: bool
    to_move: int | None
    your_turn: bool
    changed_at: datetime
    created_at: datetime
    rated: bool = False
    holders: tuple[str | None, ...] = ()  # by what the seats are held, never told


@dataclass(frozen=True, slots=True)
class Entry:
    """A change to be written down."""

    table: str
    change: Change
    turn: int  # of the game after it
    to_move: int | None
    back: bool  # the person of that seat is back
    due: Due = NOT_DUE


@dataclass(frozen=True, slots=True)
class Probe:
    """A heartbeat of a server, written like a change."""


Outcome = int | Exception  # the new revision of the table, or why it was not written


def settle(waited: "asyncio.Future[Found]", outcome: Found | Exception) -> None:
    """Set the result of a future unless it was cancelled."""
    if waited.done():
        return
    if isinstance(outcome, Exception):
        waited.set_exception(outcome)
    else:
        waited.set_result(outcome)
