"""What people are told that it is their turn by, in their language."""

from franchise.server.accounts import Account
from franchise.server.notices import Letter
from franchise.server.table import Table
from franchise.server.tables import Telling
from franchise.web.language import LANGUAGES, Language, language


def words(one: Account, table: Table, kind: Telling) -> Letter:
    """That it is somebody's turn, or still is."""
    spoken = language(one.language if one.language in LANGUAGES else "en")
    names = ", ".join(spoken.player(seat.number, table.game.names) for seat in table.seats)
    if kind == "turn":
        subject = spoken.text("Franchise: it is your turn")
        text = spoken.text("It is your turn at the table of {names}.", names=names)
    else:
        subject = spoken.text("Franchise: your time is up")
        text = spoken.text("Your time is up, and it is still your turn at the table of {names}.", names=names)
    return Letter(subject, text, spoken.text("To the table"), spoken.text("No more of these messages"))


def confirmation(spoken: Language) -> Letter:
    """Whether an e-mail address wants to be told."""
    return Letter(
        spoken.text("Franchise: confirm your e-mail address"),
        spoken.text("Somebody, probably you, wants to hear here when it is their turn. If it was not you, do nothing."),
        spoken.text("Confirm this address"),
        spoken.text("It was not me"),
    )
