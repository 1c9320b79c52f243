"""The cards of the players beside the map, as values: one that is the same as before is not drawn again."""

from functools import lru_cache
from typing import NamedTuple

from franchise.facts import BOARD
from franchise.server.tables.table import ClockKind, Seat
from franchise.wording.language import Language

KEPT = 1024  # sentences about incomes


class PlayerCard(NamedTuple):
    """What a card shows of one player."""

    seat: int
    colour: str
    name: str
    you: bool  # whether the viewer holds the seat
    says_you: bool  # and the card says so
    active: bool
    sitting: Seat
    influence: int
    gain: int  # influence since the viewer's last turn
    ghost: int  # and what the end of this turn would bring
    cash: int
    income: int
    income_text: str
    supply: int
    towns: int
    bonus_tiles: int
    tiles: tuple[str, ...]  # special tiles that can still be used
    clock: ClockKind
    left: int | None  # seconds
    vacation: int  # seconds
    running: bool
    profile: str = ""  # the name of an account
    here: str = ""  # "now", or when they were last seen, in words
    rating: int | None = None  # at a rated table
    rating_change: int | None = None  # after the game


@lru_cache(KEPT)
def income_text(players: int, spaces: int, income: int, language: Language) -> str:
    """How the next income comes about (RULES 2.1, 2.2)."""
    sentence = language.plural(
        "{count} empty space in unscored cities pays {income}",
        "{count} empty spaces in unscored cities pay {income}",
        spaces,
        income=language.money(income),
    )
    following = next((first for first in BOARD.income[players] if first > spaces), None)
    if following is None:
        return sentence + ". " + language.text("That is the maximum.")
    return sentence + ". " + language.text("The next dollar comes at {count}.", count=following)
