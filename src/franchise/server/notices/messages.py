"""The texts of notifications, in the language of the recipient."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Literal

from franchise.server.people.accounts import Account
from franchise.server.tables.clocks import times
from franchise.server.tables.table import Table
from franchise.wording.language import LANGUAGES, Language, language

TurnNotice = Literal["turn", "reminder", "nudge"]


@dataclass(frozen=True)
class NoticeText:
    """What a notice says."""

    subject: str
    text: str
    to_table: str  # names the link
    to_unsubscribe: str


def language_of(account: Account) -> Language:
    """The language somebody chose last."""
    return language(account.language if account.language in LANGUAGES else "en")


def deadline(table: Table, now: datetime, spoken: Language) -> str:
    """When the time of the seat to move is up; "" without a clock."""
    shown = times(table, now)
    left = None if shown.running is None else shown.remaining[shown.running]
    if left is None:
        return ""
    until = (now + timedelta(seconds=left)).astimezone(UTC)
    return f"{spoken.date(until)} {until:%H:%M} UTC"


def turn_message(account: Account, table: Table, kind: TurnNotice, now: datetime) -> NoticeText:
    """A message that it is (or still is) somebody's turn; the subject names the opponents and the deadline."""
    spoken = language_of(account)
    names = ", ".join(spoken.player(seat.number, table.game) for seat in table.seats)
    seat, until = table.to_move, deadline(table, now, spoken)
    others = ", ".join(
        spoken.player(other.number, table.game) for other in table.seats if seat is None or other.number != seat.number
    )
    if kind == "turn":
        subject = (
            spoken.text("Franchise: your turn against {names}, until {deadline}", names=others, deadline=until)
            if until
            else spoken.text("Franchise: your turn against {names}", names=others)
        )
        text = spoken.text("It is your turn at the table of {names}.", names=names)
    elif kind == "nudge":
        subject = spoken.text("Franchise: still your turn against {names}", names=others)
        text = spoken.text("It is your turn at the table of {names}.", names=names)
    else:
        subject = spoken.text("Franchise: your time against {names} is up", names=others)
        text = spoken.text("Your time is up, and it is still your turn at the table of {names}.", names=names)
    return NoticeText(subject, text, spoken.text("Go to the table"), spoken.text("Stop these messages"))


def digest_subject(account: Account, count: int) -> str:
    """The subject if several tables wait for somebody."""
    return language_of(account).plural(
        "Franchise: it is your turn at {count} table", "Franchise: it is your turn at {count} tables", count
    )


def trial(spoken: Language) -> NoticeText:
    """A test message."""
    return NoticeText(
        spoken.text("Franchise: a test"),
        spoken.text("This test message has arrived: you will be notified here when it is your turn."),
        spoken.text("Go to your account"),
        spoken.text("Stop these messages"),
    )


def new_password(spoken: Language, name: str) -> NoticeText:
    """A message with a link to choose a new password."""
    return NoticeText(
        spoken.text("Franchise: a new password"),
        spoken.text("Somebody wants a new password for the account {name}. If it was not you, do nothing.", name=name),
        spoken.text("Choose a new password"),
        "",
    )


def confirmation(spoken: Language) -> NoticeText:
    """A message that asks the owner of an e-mail address to confirm it."""
    return NoticeText(
        spoken.text("Franchise: confirm your e-mail address"),
        spoken.text(
            "Somebody, probably you, wants to be notified at this address when it is their turn."
            " If it was not you, do nothing."
        ),
        spoken.text("Confirm this address"),
        spoken.text("It was not me"),
    )
