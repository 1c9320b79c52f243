import functools
import re
import string
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from babel.messages.catalog import Catalog, Message
from markupsafe import Markup

from franchise.bots.registry import BUILT_IN
from franchise.drawing import board_svg
from franchise.drawing.board_words import WORDS
from franchise.engine.actions import FORMS
from franchise.engine.events import MILESTONE_TEXTS, SENTENCES, Event, sentence
from franchise.engine.layout import EventKind
from franchise.engine.reasons import PHASES, Reason
from franchise.facts import BOARD, COLOURS
from franchise.game import Game
from franchise.wording.language import COUNTED, LANGUAGES, LOCALES, Language, language, negotiate
from franchise.wording.locales.catalogues import read, reason_keys, template, updated, write

FOREIGN = [code for code in LANGUAGES if code != "en"]
# Read when the first test needs them: every process of tests imports this module.
messages_used = functools.cache(template)
catalogue_of = functools.cache(read)
NAMES = ("Anna", "Ben", "Chloé", "Dörte", "Émile")
NAMED = Game(5, names=NAMES)


def entries(catalogue: Catalog) -> Iterator[Message]:
    return (entry for entry in catalogue if entry.id)


def keys(catalogue: Catalog) -> set[tuple[str | None, str | tuple[str, ...]]]:
    return {(entry.context, entry.id if isinstance(entry.id, str) else tuple(entry.id)) for entry in entries(catalogue)}


def ids(entry: Message) -> tuple[str, ...]:
    return (entry.id,) if isinstance(entry.id, str) else tuple(entry.id)


def forms(entry: Message) -> tuple[str, ...]:
    return (entry.string,) if isinstance(entry.string, str) else tuple(entry.string)


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


# --- The catalogues ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", FOREIGN)
def test_a_catalogue_has_exactly_the_messages_that_are_used(code: str) -> None:
    used, known = keys(messages_used()), keys(catalogue_of(code))
    assert not used - known, "run `make messages` and translate what is new"
    assert not known - used, "run `make messages`: nobody uses these any more"


@pytest.mark.parametrize("code", FOREIGN)
def test_every_message_is_translated(code: str) -> None:
    plural_forms = catalogue_of(code).num_plurals
    for entry in entries(catalogue_of(code)):
        assert all(text.strip() for text in forms(entry)), f"no text for {entry.id!r}"
        assert len(forms(entry)) == (1 if isinstance(entry.id, str) else plural_forms), entry.id


@pytest.mark.parametrize("code", FOREIGN)
def test_nothing_is_a_guess_or_a_leftover(code: str) -> None:
    assert not [entry.id for entry in catalogue_of(code) if entry.fuzzy]
    assert not catalogue_of(code).obsolete


@pytest.mark.parametrize("code", FOREIGN)
def test_translations_have_the_placeholders_of_their_message(code: str) -> None:
    for entry in entries(catalogue_of(code)):
        wanted = placeholders(ids(entry)[-1])
        for number, text in enumerate(forms(entry)):
            # a singular may say "one" where the plural says the number
            spared = {"count"} if number == 0 and len(forms(entry)) > 1 else set()
            assert wanted - spared <= placeholders(text) <= wanted, f"{entry.id!r}: {text!r}"


@pytest.mark.parametrize("code", FOREIGN)
def test_translations_begin_and_end_as_their_message(code: str) -> None:
    """A sentence stays a sentence, a label a label: same full stop, same spaces around."""
    for entry in entries(catalogue_of(code)):
        for text in forms(entry):
            assert text == text.strip(" ") or ids(entry)[0] != ids(entry)[0].strip(" "), entry.id
            assert text.endswith(".") == ids(entry)[0].endswith("."), f"{entry.id!r}: {text!r}"


def test_french_spaces_do_not_break() -> None:
    for entry in entries(catalogue_of("fr")):
        for text in forms(entry):
            assert not any(f" {mark}" in text for mark in ":;!?»$%"), text
            assert "« " not in text, text
            assert '"' not in text, text


def test_french_names_follow_no_word_that_would_be_elided() -> None:
    """« de Anna » would be wrong, and « d'Ben » too."""
    elided = re.compile(r"\b(de|que|le|la|se|ne|jusque|d'|qu'|l') ?\{(player|place|name|names|boom)\}")
    for entry in entries(catalogue_of("fr")):
        assert not [text for text in forms(entry) if elided.search(text)]


def test_money_is_written_as_each_language_does() -> None:
    assert [language(code).money(5) for code in LANGUAGES] == ["$5", "5\N{NO-BREAK SPACE}$", "5\N{NO-BREAK SPACE}$"]
    for code in FOREIGN:
        for entry in entries(catalogue_of(code)):
            assert not any(re.search(r"\$[0-9{]| [$%]", text) for text in forms(entry)), entry.id


def test_french_has_its_apostrophes_and_spaces() -> None:
    for entry in entries(catalogue_of("fr")):
        assert not any(re.search(r"'|[ \u202f][:;!?»]|\w[;!?](\s|$)| …", text) for text in forms(entry)), entry.id


def test_dates_and_shares_are_written_as_each_language_does() -> None:
    moment = datetime(2025, 11, 16, tzinfo=UTC)
    assert [language(code).date(moment) for code in LANGUAGES] == ["2025-11-16", "16.11.2025", "16/11/2025"]
    assert [language(code).percent(0.364, 0) for code in LANGUAGES] == ["36%", "36\xa0%", "36\xa0%"]


@pytest.mark.parametrize("code", FOREIGN)
def test_collecting_messages_again_changes_nothing(code: str, tmp_path, monkeypatch) -> None:
    before = (LOCALES / f"{code}.po").read_bytes()
    catalogue = updated(code)
    monkeypatch.setattr("franchise.wording.locales.catalogues.LOCALES", tmp_path)
    write(code, catalogue)
    assert (tmp_path / f"{code}.po").read_bytes() == before


def test_messages_are_collected_from_every_room() -> None:
    found = {text_id for entry in entries(messages_used()) for text_id in ids(entry)}
    assert found >= {*SENTENCES.values(), *MILESTONE_TEXTS.values(), *PHASES.values(), *WORDS.values(), *COLOURS}
    assert found >= set(FORMS.values())
    assert found >= {text for _, text in BUILT_IN.values()}
    assert "the town {place} is taken" in found  # a Reason
    assert "${amount}" in found  # Python under web/


# --- What the game says -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("kind", EventKind, ids=lambda kind: kind.name)
def test_every_event_is_a_sentence(code: str, kind: EventKind) -> None:
    text = language(code).sentence(Event(kind, 2, 3, 4), NAMED)
    assert "{" not in text
    assert text.endswith(".")
    assert (text == sentence(Event(kind, 2, 3, 4), NAMES)) == (code == "en")
    if "{player}" in SENTENCES[kind]:
        assert "Chloé" in text
    if "{amount}" in SENTENCES[kind]:
        assert "4" in text
    if "{tile}" in SENTENCES[kind]:
        assert BOARD.tiles[4].id in text
    if "{place}" in SENTENCES[kind] and kind != EventKind.MILESTONE:
        assert str(Event(kind, 2, 3, 4).where) in text


@pytest.mark.parametrize("code", FOREIGN)
@pytest.mark.parametrize("kind", COUNTED, ids=lambda kind: kind.name)
def test_sentences_that_count_have_a_singular(code: str, kind: EventKind) -> None:
    single, many = (language(code).sentence(Event(kind, 0, 1, amount), NAMED) for amount in (1, 2))
    assert single.replace("1", "2") != many


@pytest.mark.parametrize("amount", [1, 2])
def test_english_counts_links_in_words_that_fit_one_link_too(amount: int) -> None:
    text = language("en").sentence(Event(EventKind.EIGHT, 2, -1, amount), NAMED)
    assert text == f"Chloé’s $8 links so far: {amount}."


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_seat_without_a_name_is_called_by_its_colour(code: str) -> None:
    text = language(code).sentence(Event(EventKind.START, 0, BOARD.towns[0], 0), Game(3))
    assert text.startswith({"en": "Blue ", "de": "Blau ", "fr": "Bleu "}[code])


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("key", reason_keys())
def test_every_reason_is_said(code: str, key: str) -> None:
    phase = next(iter(PHASES.values()))
    values = {"form": FORMS["expand"], "then": phase, "now": phase, "prices": "$3, $5", "cash": 7, "price": 9}
    values |= {"place": "Reno", "boom": "Dallas", "size": 6, "tile": "N3"}
    wanted = placeholders(key)
    text = language(code).reason(Reason(key, {name: values[name] for name in wanted}))
    assert "{" not in text
    assert (text == str(Reason(key, values))) == (code == "en")
    for name in wanted & {"cash", "price", "place", "boom", "size", "tile"}:
        assert str(values[name]) in text


def test_a_refusal_is_translated_with_what_is_in_it() -> None:
    reason = Reason("{form} belongs to {then}; it is now {now}", {"form": FORMS["grow"], "then": "phase 3, increasing "
                    "market share", "now": "phase 2, expanding"})  # fmt: skip
    text = language("de").reason(reason)
    assert "grow STADT" in text
    assert "Phase 3, Marktanteil vergrößern" in text
    assert "Phase 2, Expandieren" in text
    prices = Reason("no ${price} link leads from one of your locations to {place}; your links there cost {prices}",
                    {"price": 1, "place": "Reno", "prices": "$3, $5"})  # fmt: skip
    assert "3\N{NO-BREAK SPACE}$, 5\N{NO-BREAK SPACE}$" in language("fr").reason(prices)


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_board_has_its_words(code: str) -> None:
    words = language(code).words
    assert words.keys() == WORDS.keys()
    for key, word in words.items():
        assert word.format(**dict.fromkeys(placeholders(WORDS[key]), "7")), key
        assert placeholders(word) == placeholders(WORDS[key]), key
    assert (words == WORDS) == (code == "en")
    assert hash(words) == hash(Language(code, "", language(code).catalogue).words)


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_board_is_drawn_in_each_language(code: str) -> None:
    words = language(code).words
    drawn = board_svg(Game(players=4, seed=1), words=words)
    for key in ("track", "links", "nobody"):
        assert words[key] in drawn
        assert (WORDS[key] in drawn) == (code == "en")


# --- Texts with values ------------------------------------------------------------------------------------------------


def test_a_text_without_values_keeps_its_braces() -> None:
    assert language("de").text("{as it is}") == "{as it is}"


def test_what_people_write_is_never_looked_up_or_formatted() -> None:
    text = language("de").text("{player} starts in {place}.", player="{place} scored", place="Reno")
    assert text == "{place} scored beginnt in Reno."


def test_markup_among_the_values_makes_markup_and_escapes_the_rest() -> None:
    text = language("fr").text("{player} starts in {place}.", player="<b>", place=Markup("<i>Reno</i>"))
    assert isinstance(text, Markup)
    assert text == "&lt;b&gt; commence à <i>Reno</i>."
    assert not isinstance(language("fr").text("{player} starts in {place}.", player="<b>", place="Reno"), Markup)


@pytest.mark.parametrize(
    ("code", "seats"),
    [("en", ["seats", "seat", "seats"]), ("de", ["Plätze", "Platz", "Plätze"]), ("fr", ["place", "place", "places"])],
)
def test_the_number_chooses_the_form(code: str, seats: list[str]) -> None:
    singular, plural = (f"Take over {{count}} {word} from this browser" for word in ("seat", "seats"))
    for count, word in enumerate(seats):
        assert f"{count} {word} " in language(code).plural(singular, plural, count)


def test_a_plural_counts() -> None:
    english = language("en")
    assert [english.plural("{count} {what}", "{count} {what}s", n, what="tile") for n in (1, 2)] == [
        "1 tile",
        "2 tiles",
    ]
    message = SENTENCES[EventKind.TOWNS]
    texts = [language("fr").plural(message, message, n, player="Ben", amount=n) for n in (0, 1, 2)]
    assert texts == [
        "Ben gagne 0 point d’influence pour ses villes.",
        "Ben gagne 1 point d’influence pour ses villes.",
        "Ben gagne 2 points d’influence pour ses villes.",
    ]


# --- Choosing ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("chosen", "header", "code"),
    [
        ("fr", "de", "fr"),
        ("xx", "de", "de"),
        ("", "de-AT,en;q=0.9", "de"),
        (None, None, "en"),
        (None, "", "en"),
        (None, "fr-CH, fr;q=0.9, en;q=0.8, de;q=0.7, *;q=0.5", "fr"),
        (None, "en;q=0.5, de;q=0.9", "de"),
        (None, "pt-BR, pt;q=0.9, fr;q=0.2", "fr"),
        (None, "es, *;q=0.5, de;q=0.1", "en"),
        (None, "DE_de", "de"),
        (None, "de;q=0, fr;q=0.1", "fr"),
        (None, "de ; q=0.3 , fr ; q=0.4", "fr"),
        (None, "de;q=nan, fr;q=inf, de;q=-1, fr;q=2", "en"),
        (None, ";;;q=,,=;q=x, \x00ÿ, ;q=1", "en"),
        (None, "," * 100_000 + "de", "en"),
        (None, "deutsch, french", "en"),
    ],
)
def test_the_choice_wins_then_the_browser_then_english(chosen: str | None, header: str | None, code: str) -> None:
    assert negotiate(chosen, header) is language(code)


def test_a_language_that_is_none_is_an_error() -> None:
    with pytest.raises(KeyError):
        language("../de")


@pytest.mark.parametrize("code", ["de", "fr"])
def test_the_picture_writes_money_and_semicolons_as_its_readers_do(code: str) -> None:
    drawn = board_svg(Game(players=4, seed=1), words=language(code).words)
    assert not re.search(r"\$\d", drawn)
    described = [label for label in re.findall(r'aria-label="([^"]*)"', drawn) if "; " in label]
    assert described
    assert all(("\u00a0; " in label) == (code == "fr") for label in described)
