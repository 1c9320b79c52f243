"""What a picture is drawn with: a theme and the words; one object each, so that drawn parts can be kept by it."""

from dataclasses import dataclass
from functools import lru_cache

from franchise.drawing.board_words import WORDS, Words
from franchise.drawing.theme import Theme


@dataclass(frozen=True, eq=False)  # one object per choice: quick to look up
class Style:
    """Colours and language of a picture."""

    theme: Theme
    words: Words


@lru_cache(maxsize=32)
def kept(theme: Theme, words: tuple[tuple[str, str], ...]) -> Style:
    return Style(theme, dict(words))


def style(theme: Theme, words: Words | None = None) -> Style:
    """The style of a theme, with any of the words replaced."""
    return kept(theme, tuple({**WORDS, **(words or {})}.items()))
