"""The languages of everything people read: the web table, the terminal, messages.

A message is its English text; German and French are looked up in `locales/`. Values are inserted by str.format, so
people's own text (names, chat) is a value and never a message. `make messages` (locales/catalogues.py)
collects new messages.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache, cached_property, lru_cache
from gettext import NullTranslations
from io import BytesIO
from pathlib import Path
from typing import Any

from franchise.drawing.board_words import WORDS, FrozenWords
from franchise.engine.events import MILESTONE_TEXTS, ON_MILESTONES, SENTENCES, Event
from franchise.engine.layout import EventKind
from franchise.engine.reasons import Reason
from franchise.facts import BOARD
from franchise.game import Game

LANGUAGES = {"en": "English", "de": "Deutsch", "fr": "Français"}
PERCENT = {"en": "0.0%", "de": "0.0\xa0%", "fr": "0.0\xa0%"}
DATES = {"en": "yyyy-MM-dd", "de": "dd.MM.yyyy", "fr": "dd/MM/yyyy"}
LOCALES = Path(__file__).parent / "locales"
NOTATION = "notation"  # the context of FORMS in a catalogue: `end` there is a move, whatever it means on a page
AMOUNTS = 1024  # amounts of money kept in memory
MESSAGES = 4096  # more than there are
LONGEST_WISH = 300  # characters of an Accept-Language header that are considered
MOST_WISHES = 20  # languages in it
BROWSERS = 256  # different headers kept in memory

# Sentences that count something: one key, but a singular and a plural in a catalogue.
COUNTED = frozenset(
    {
        EventKind.EIGHT,
        EventKind.MAJORITY,
        EventKind.FULL,
        EventKind.TAKE_BACK,
        EventKind.RANK,
        EventKind.TRACK,
        EventKind.RED_ZONE,
        EventKind.TOWNS,
        EventKind.MONEY,
        EventKind.BONUS_TILES,
    }
)


def N_(message: str) -> str:  # noqa: N802 - gettext's own name for it
    """Marks a message that is translated later."""
    return message


@dataclass(frozen=True)
class Language:
    """One of LANGUAGES; `text` is `_` in templates."""

    code: str
    name: str
    catalogue: NullTranslations = field(repr=False, compare=False)

    def text(self, message: str, /, **values: Any) -> str:
        """The message in this language with its values; without values, braces stay as they are."""
        found = self.translated(message)
        return filled(found, values) if values else found

    def plural(self, singular: str, plural: str, count: int, /, **values: Any) -> str:
        """The form that fits the count, which is {count} in both."""
        return filled(self.catalogue.ngettext(singular, plural, count), {"count": count} | values)

    def money(self, dollars: int) -> str:
        """An amount as this language writes it."""
        return written_amount(self.code, dollars)

    def percent(self, share: float, decimals: int = 1) -> str:
        """A fraction as a percentage, with one decimal or none."""
        from babel.numbers import format_percent

        pattern = PERCENT[self.code] if decimals else PERCENT[self.code].replace(".0", "")
        return format_percent(share, pattern, locale=self.code)

    def listed(self, parts: Sequence[str]) -> str:
        """A list of things, with "and" before the last."""
        from babel.lists import format_list

        return format_list(parts, locale="en_GB" if self.code == "en" else self.code)

    def labelled(self, name: object, what: object) -> str:
        """A label, a colon and a text; French puts a space before the colon."""
        return self.text("{name}: {what}", name=name, what=what)

    def date(self, moment: datetime) -> str:
        """A day in numbers, as this language writes it; English writes it as ISO 8601 does."""
        from babel.dates import format_date

        return format_date(moment, DATES[self.code], locale=self.code)

    def decimal(self, value: float) -> str:
        """A number with one decimal."""
        from babel.numbers import format_decimal

        return format_decimal(value, "#,##0.0", locale=self.code)

    def ago(self, moment: datetime, now: datetime) -> str:
        """Roughly how long ago that was, in minutes, hours or days: `3 hours ago`."""
        from babel.dates import format_timedelta

        return format_timedelta(moment - now, "minute", add_direction=True, locale=self.code)

    def player(self, seat: int, game: Game) -> str:
        """A seat's name, or its colour if it has none."""
        named = game.names[seat] if game.names else ""
        return named or self.text(game.colours[seat]).capitalize()

    def sentence(self, event: Event, game: Game) -> str:
        """An event as a sentence, as in engine.events.sentence."""
        place = event.where or ""
        values = {
            "player": self.player(event.seat, game),
            "place": self.text(MILESTONE_TEXTS[place]) if event.kind in ON_MILESTONES else place,
            "amount": event.amount,
            "tile": BOARD.tiles[event.amount].id if event.kind == EventKind.REGION_TILE else "",
        }
        message = SENTENCES[event.kind]
        if event.kind in COUNTED:
            return self.plural(message, message, event.amount, **values)
        return self.text(message, **values)

    def reason(self, reason: Reason) -> str:
        """Why a move is not legal; phases, moves and prices in it are translated too."""
        values = dict(reason.values)
        for name in ("then", "now"):
            if name in values:
                values[name] = self.text(values[name])
        if "form" in values:
            values["form"] = self.catalogue.pgettext(NOTATION, values["form"])
        if "prices" in values:
            values["prices"] = ", ".join(self.money(int(price.lstrip("$"))) for price in values["prices"].split(", "))
        return self.text(reason.key, **values)

    @cached_property
    def words(self) -> FrozenWords:
        """The words on the board."""
        return FrozenWords({key: self.text(word) for key, word in WORDS.items()})

    @cached_property
    def translated(self) -> Callable[[str], str]:
        """Looks a message up; a page asks for the same ones again and again."""

        def look_up(message: str) -> str:
            return self.catalogue.gettext(message) if message else ""  # "" would return the header of the catalogue

        return lru_cache(MESSAGES)(look_up)


def filled(text: str, values: Mapping[str, Any]) -> str:
    """The text with its values; if a value is markup, the result is markup and everything else is escaped."""
    for value in values.values():
        if hasattr(value, "__html__"):
            from markupsafe import escape  # a terminal has no markup

            return escape(text).format(**values)
    return text.format(**values)


@lru_cache(AMOUNTS)
def written_amount(code: str, dollars: int) -> str:
    """An amount in a language, cached because pages repeat the same few."""
    return language(code).text("${amount}", amount=dollars)


def read_catalogue(code: str) -> NullTranslations:
    """The catalogue of a language; that of English is empty, because messages are English texts."""
    path = LOCALES / f"{code}.po"
    if not path.exists():
        return NullTranslations()
    from babel.messages.mofile import write_mo  # English does not need these
    from babel.messages.pofile import read_po
    from babel.support import Translations

    compiled = BytesIO()
    with path.open("rb") as file:
        write_mo(compiled, read_po(file, locale=code))
    compiled.seek(0)
    return Translations(compiled)


@cache
def language(code: str) -> Language:
    """The language with that code; KeyError if it is not one of LANGUAGES."""
    return Language(code, LANGUAGES[code], read_catalogue(code))


def negotiate(chosen: str | None, accept_language: str | None) -> Language:
    """The language somebody chose, else one their browser asks for, else English. Invalid text is never an error."""
    return language(chosen) if chosen in LANGUAGES else asked_for((accept_language or "")[:LONGEST_WISH])


@lru_cache(BROWSERS)
def asked_for(accept_language: str) -> Language:
    """The language a browser asks for."""
    for wish in wishes(accept_language):
        code = wish.partition("-")[0]
        if code in LANGUAGES:
            return language(code)
        if wish == "*":
            break
    return language("en")


def wishes(accept_language: str) -> list[str]:
    """The language tags of an Accept-Language header in order of preference; invalid ones are left out."""
    found: list[tuple[float, str]] = []
    for part in accept_language.split(",")[:MOST_WISHES]:
        tag, _, parameters = part.strip().lower().partition(";")
        weight = parameters.strip().removeprefix("q=") if parameters else "1"
        try:
            quality = float(weight)
        except ValueError:
            continue
        if tag and 0 < quality <= 1:
            found.append((quality, tag.strip().replace("_", "-")))
    return [tag for _, tag in sorted(found, key=lambda wish: -wish[0])]
