"""Collects every message that people read and updates the catalogues: `make messages`.

New messages are added without a translation, unused messages are removed; tests/wording/test_language.py fails while a
translation is missing.
"""

import ast
import inspect
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.frontend import parse_mapping_cfg
from babel.messages.pofile import read_po, write_po

from franchise.bots.registry import BUILT_IN
from franchise.drawing.board_words import WORDS
from franchise.engine import reasons
from franchise.engine.actions import FORMS
from franchise.engine.events import MILESTONE_TEXTS, SENTENCES
from franchise.facts import COLOURS
from franchise.wording.language import COUNTED, LANGUAGES, LOCALES, NOTATION

KEYWORDS = {"_": None, "text": None, "words": None, "N_": None, "plural": (1, 2)}
PACKAGE = LOCALES.parents[1]
ROOMS = tuple(PACKAGE / room for room in ("wording", "server", "web", "terminal"))
UNSTABLE = (
    b'"Project-Id-Version',
    b'"POT-Creation-Date',
    b'"PO-Revision-Date',
    b'"Last-Translator',
    b'"Generated-By',
    b'"Report-Msgid-Bugs',
)
HEADER = "# The web table of Franchise in {name}."

Message = tuple[str | tuple[str, str], str | None]  # the text or its singular and plural, and its context


def page_messages() -> Iterator[Message]:
    """The messages of the templates and modules of ROOMS."""
    with (LOCALES / "babel.cfg").open(encoding="utf-8") as mapping:
        methods, options = parse_mapping_cfg(mapping)  # type: ignore[no-untyped-call]
    for room in ROOMS:
        for _, _, message, _, context in extract_from_dir(room, methods, options, KEYWORDS):
            yield (message if isinstance(message, str) else (message[0], message[1])), context


def game_messages() -> Iterator[Message]:
    """The message keys of the packages below: the log, refusals, moves, the board, the bots."""
    for kind, sentence in SENTENCES.items():
        yield ((sentence, sentence) if kind in COUNTED else sentence), None
    for text in (*MILESTONE_TEXTS.values(), *reasons.PHASES.values(), *WORDS.values(), *COLOURS):
        yield text, None
    for key in reason_keys():
        yield key, None
    for form in FORMS.values():
        yield form, NOTATION
    for _, text in BUILT_IN.values():
        yield text, None


def reason_keys() -> list[str]:
    """The keys of every Reason the engine gives, read from its source."""
    calls = (node for node in ast.walk(ast.parse(inspect.getsource(reasons))) if isinstance(node, ast.Call))
    keys = [ast.literal_eval(call.args[0]) for call in calls if getattr(call.func, "id", None) == "Reason"]
    return sorted(set(keys))


def template() -> Catalog:
    """All messages, without translations."""
    catalogue = Catalog(project="Franchise")
    for message, context in (*game_messages(), *page_messages()):
        catalogue.add(message, context=context)
    return catalogue


def read(code: str) -> Catalog:
    """The current catalogue of a language; an empty one for a new language."""
    path = catalogue_path(code)
    if not path.exists():
        return Catalog(locale=code, project="Franchise", language_team="Franchise", fuzzy=False)
    with path.open("rb") as file:
        return read_po(file, locale=code)


def updated(code: str) -> Catalog:
    """The catalogue with exactly the current messages."""
    catalogue = read(code)
    catalogue.update(template(), no_fuzzy_matching=True)
    catalogue.header_comment = HEADER.format(name=LANGUAGES[code])
    catalogue.project, catalogue.fuzzy = "Franchise", False
    return catalogue


def write(code: str, catalogue: Catalog) -> None:
    """Write a catalogue so that only its messages affect the file: sorted, without dates and line numbers."""
    text = BytesIO()
    write_po(text, catalogue, width=0, no_location=True, sort_output=True, ignore_obsolete=True)
    lines = text.getvalue().splitlines(keepends=True)
    catalogue_path(code).write_bytes(b"".join(line for line in lines if not line.startswith(UNSTABLE)))


def missing(catalogue: Catalog) -> list[str]:
    """Messages of a catalogue without a translation."""
    return [str(entry.id) for entry in catalogue if entry.id and not translated(entry.string)]


def translated(text: str | list[str] | tuple[str, ...] | None) -> bool:
    """Whether every plural form is translated."""
    return bool(text) and (isinstance(text, str) or all(text or ()))


def catalogue_path(code: str) -> Path:
    return LOCALES / f"{code}.po"


def main() -> None:
    for code in LANGUAGES:
        if code != "en":
            catalogue = updated(code)
            write(code, catalogue)
            empty = missing(catalogue)
            print(f"{catalogue_path(code).name}: {len(catalogue)} messages, {len(empty)} to translate")
            for message in empty:
                print(f"    {message}")


if __name__ == "__main__":
    main()
