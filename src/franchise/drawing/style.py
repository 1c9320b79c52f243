"""What a picture is drawn with: a theme and the words; one object each, so that drawn parts can be cached by it."""

from dataclasses import dataclass
from functools import lru_cache

from franchise.drawing.board_words import WORDS, FrozenWords, Words
from franchise.drawing.theme import Theme


@dataclass(frozen=True, eq=False)  # one object per choice: quick to look up
class Style:
    """Colours and language of a picture."""

    theme: Theme
    words: Words


@lru_cache(maxsize=32)
def kept(theme: Theme, words: FrozenWords) -> Style:
    return Style(theme, words)


@lru_cache(maxsize=32)
def completed(theme: Theme, words: FrozenWords) -> Style:
    """The style with these words; missing ones are the board's."""
    return kept(theme, FrozenWords({**WORDS, **words}))


def style(theme: Theme, words: Words | None = None) -> Style:
    """The style of a theme, with any of the words replaced."""
    return completed(theme, words if isinstance(words, FrozenWords) else FrozenWords(words or {}))
