"""The five characters bots appear as. A character is a name and a face (drawing/portraits.py), whatever the level."""

from collections.abc import Iterable

CHARACTERS = ("Route Roy", "Penny Pound", "Slick Vic", "Lucky Lou", "Miss Ledger")


def free_characters(taken: Iterable[str]) -> list[str]:
    """The characters whose names nobody at the table has; there are always enough for its bots."""
    names = set(taken)
    return [name for name in CHARACTERS if name not in names]


def character_of(name: str, seat: int) -> str:
    """The character a bot appears as: the one with its name, or one chosen by its seat."""
    return name if name in CHARACTERS else CHARACTERS[seat % len(CHARACTERS)]
