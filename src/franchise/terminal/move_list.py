"""The list of moves: which places begin with the typed letters, and how a line and the sign on the map read."""

from rich.text import Text

from franchise.terminal.text_map import CHOOSE
from franchise.wording.prompt import Button, PlaceChoice


def matches(name: str, typed: str) -> bool:
    """Whether a word of a name begins with the typed letters."""
    folded = name.casefold()
    return any(folded.startswith(typed, start) for start in word_starts(folded))


def word_starts(text: str) -> list[int]:
    return [0, *(number + 1 for number, letter in enumerate(text) if letter == " ")]


def sign(spot: PlaceChoice) -> str:
    """The letter before a place that can be chosen: the price in dollars, + for market share, else an arrow."""
    digits = "".join(letter for letter in spot.badge if letter.isdecimal())
    if "+" in spot.badge:
        return "+"
    return digits if len(digits) == 1 else CHOOSE


def row_text(number: int, row: Button | PlaceChoice) -> Text:
    """A line of the list of moves."""
    if isinstance(row, Button):
        text = line(f" {number} ", row.text)
        return text.append(f" · {' '.join(row.outlook)}" if row.outlook else "", "dim")
    first = row.choices[0]
    more = f" (+{len(row.choices) - 1})" if len(row.choices) > 1 else ""
    text = line(f"{row.badge or CHOOSE:>3}", row.name + more)
    return text.append(f" · {first.outlook or first.text}", "dim")


def line(sign: str, text: str) -> Text:
    return Text.assemble((sign, "reverse"), " ", (text, "bold"), no_wrap=True, overflow="ellipsis")
