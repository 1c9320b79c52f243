"""The server's errors. Each message says what to do next; `status` and `code` are used in the API's answer."""

# ruff: noqa: N818 - the names say what is the matter

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from franchise.server.tables.table import Table


class TableError(Exception):
    """A request that was refused; nothing has changed."""

    status = 422
    code = "refused"
    seconds: int | None = None  # after which it may be different


class Refused(TableError):
    """Something in the request is invalid."""

    def __init__(self, message: str, code: str = "refused") -> None:
        super().__init__(message)
        self.code = code


class NoSuchTable(TableError):
    status = 404
    code = "no_such_table"

    def __init__(self, table: str) -> None:
        super().__init__(f"There is no table {table[:40]!r}; check the address or start a new table.")


class NoSuchSeat(TableError):
    status = 404
    code = "no_such_seat"

    def __init__(self, seat: int, seats: int) -> None:
        super().__init__(f"There is no seat {seat}; the seats of this table are 0 to {seats - 1}.")


class NoKey(TableError):
    status = 401
    code = "no_token"

    def __init__(self) -> None:
        super().__init__("This needs the token of a seat; send it as 'Authorization: Bearer TOKEN'.")


class NotYourSeat(TableError):
    status = 403
    code = "not_your_seat"

    def __init__(self, message: str = "This token holds no seat at this table; take an open seat, or watch.") -> None:
        super().__init__(message)


class NotYourTurn(NotYourSeat):
    code = "not_your_turn"


class Resigned(TableError):
    status = 403
    code = "resigned"

    def __init__(self) -> None:
        super().__init__("You have resigned: a bot plays your seat to the end, and you can watch.")


class Conflicting(TableError):
    """The table is not in the state that the request expected; the current one is attached."""

    status = 409
    code = "conflict"

    def __init__(self, message: str, table: "Table") -> None:
        super().__init__(message)
        self.table = table


class Stale(Conflicting):
    code = "stale"

    def __init__(self, version: int, table: "Table") -> None:
        super().__init__(
            f"This was meant for version {version}, the table is at version {table.version}; look at it and try again.",
            table,
        )


class SeatTaken(Conflicting):
    code = "seat_taken"


class NotOver(Conflicting):
    code = "not_over"

    def __init__(self, table: "Table") -> None:
        super().__init__("A rematch can begin only after the game is over.", table)


class NotBegun(Conflicting):
    code = "not_begun"

    def __init__(self, table: "Table") -> None:
        super().__init__("Seats are drawn once every seat is taken; wait for the others.", table)


class Ended(Conflicting):
    code = "ended"

    def __init__(self, table: "Table") -> None:
        super().__init__("This game was ended early; start a new table or continue the record.", table)


class NeedsAccount(TableError):
    status = 403
    code = "needs_account"

    def __init__(self) -> None:
        super().__init__("A rated table is for people with accounts; sign in, or play at an unrated table.")


class NoHints(TableError):
    status = 403
    code = "no_hints"

    def __init__(self) -> None:
        super().__init__("There are no hints here: the table is rated or has no hints, or tiles are being placed.")


class NotSignedIn(TableError):
    status = 401
    code = "not_signed_in"

    def __init__(self) -> None:
        super().__init__("This is for people who have signed in; sign in, or send 'Authorization: Bearer TOKEN'.")


class WrongPassword(TableError):
    status = 403
    code = "wrong_password"

    def __init__(self) -> None:
        super().__init__("Wrong name or password; try again.")


class WrongOldPassword(WrongPassword):
    code = "wrong_old_password"

    def __init__(self) -> None:
        TableError.__init__(self, "This is not the password of the account; try again.")


class NameTaken(TableError):
    status = 409
    code = "name_taken"

    def __init__(self) -> None:
        super().__init__("Somebody else has that name; choose another one.")


class TooMany(TableError):
    status = 429
    code = "too_many"

    def __init__(self, seconds: int) -> None:
        super().__init__(f"Too many requests; wait {seconds} seconds and try again.")
        self.seconds = seconds


class Malformed(TableError):
    status = 400
    code = "malformed"


class TooSlow(TableError):
    status = 408
    code = "too_slow"

    def __init__(self, seconds: float) -> None:
        super().__init__(f"The request did not arrive within {seconds:g} seconds; send it again.")


class CrossOrigin(TableError):
    status = 403
    code = "cross_origin"

    def __init__(self) -> None:
        super().__init__("This request comes from a page of another site; send it from the table's own page.")


class TooLong(TableError):
    status = 413
    code = "too_long"

    def __init__(self, limit: int) -> None:
        super().__init__(f"This request is too long; send at most {limit // 1024} kB.")


class Busy(TableError):
    status = 503
    code = "busy"

    def __init__(self) -> None:
        super().__init__("Many games are waiting to be analysed; try again in a few minutes.")


class NothingToUndo(TableError):
    code = "nothing_to_undo"

    def __init__(self) -> None:
        super().__init__("There is no move in this turn to undo; a turn that has ended cannot be undone.")


class Unavailable(TableError):
    """The database is not available at the moment."""

    status = 503
    seconds = 2


class NotWritten(Unavailable):
    """The database cannot be written: its disk is full, it is read-only, or it does not answer."""

    code = "not_written"

    def __init__(self) -> None:
        super().__init__("The server cannot write to its database at the moment; repeat the request later.")


class NotRead(Unavailable):
    """The database does not answer."""

    code = "not_read"

    def __init__(self) -> None:
        super().__init__("The server cannot read its database at the moment; try again later.")


class Damaged(TableError):
    """The stored game of a table is damaged."""

    status = 500
    code = "damaged"

    def __init__(self, table: str) -> None:
        super().__init__(f"The table {table[:40]!r} is damaged and cannot be shown; tell the administrator.")


class DatabaseUnusable(Exception):
    """The database cannot be used; the message is one line."""


class BadDatabaseUrl(DatabaseUnusable):
    """The address of a database is invalid."""
