"""The texts of notices, in the language of whoever gets them."""

from dataclasses import dataclass
from typing import Literal

from franchise.server.people.accounts import Account
from franchise.server.tables.table import Table
from franchise.wording.language import LANGUAGES, Language, language

TurnNotice = Literal["turn", "reminder"]


@dataclass(frozen=True)
class NoticeText:
    """What a notice says."""

    subject: str
    text: str
    to_table: str  # names the link
    to_unsubscribe: str


def turn_message(account: Account, table: Table, kind: TurnNotice) -> NoticeText:
    """It is somebody's turn, or still is."""
    spoken = language(account.language if account.language in LANGUAGES else "en")
    names = ", ".join(spoken.player(seat.number, table.game.names) for seat in table.seats)
    if kind == "turn":
        subject = spoken.text("Franchise: it is your turn")
        text = spoken.text("It is your turn at the table of {names}.", names=names)
    else:
        subject = spoken.text("Franchise: your time is up")
        text = spoken.text("Your time is up, and it is still your turn at the table of {names}.", names=names)
    return NoticeText(subject, text, spoken.text("To the table"), spoken.text("No more of these messages"))


def confirmation(spoken: Language) -> NoticeText:
    """Asks the owner of an e-mail address whether they want notices."""
    return NoticeText(
        spoken.text("Franchise: confirm your e-mail address"),
        spoken.text("Somebody, probably you, wants to hear here when it is their turn. If it was not you, do nothing."),
        spoken.text("Confirm this address"),
        spoken.text("It was not me"),
    )
