"""Lines of the log in a few words: the same facts as the sentences."""

import pytest

from franchise.engine.events import MILESTONE_TEXTS, SENTENCES, Event
from franchise.engine.layout import EventKind
from franchise.wording.language import LANGUAGES, language
from franchise.wording.log import LogLine, turns
from franchise.wording.short_lines import WORDS, short_line
from recorded_games import GAMES, game

NAMES = sorted(path.stem for path in GAMES.glob("*.franchise"))
SPELT = {EventKind.TURN, EventKind.RED_ZONE, EventKind.STANDSTILL}  # a heading, and what ends a game
LONGEST = 26  # letters that have room beside an amount in the rail of a laptop
PLAIN = {  # the events of nearly every turn
    EventKind.INCOME,
    EventKind.EXPAND,
    EventKind.OPEN,
    EventKind.GROW,
    EventKind.MAJORITY,
    EventKind.FULL,
    EventKind.TAKE_BACK,
    EventKind.TIE_BREAK,
    EventKind.REGION,
    EventKind.RANK,
    EventKind.TRACK,
}


def line(event: Event, spoken: str = "") -> LogLine:
    return LogLine(spoken, 1, None, event.seat, event)


def test_every_event_has_a_few_words() -> None:
    assert set(WORDS) == set(EventKind) - SPELT


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("name", NAMES)
def test_places_and_amounts_are_those_of_the_sentence(name: str, code: str) -> None:
    words = language(code)
    for turn in turns(f"short {name}", game(name), words):
        for spoken in turn.lines:
            short = short_line(spoken, words)
            said = f"{short.text} {short.amount}"
            event = spoken.event
            assert "{" not in said
            if event is None or event.kind in SPELT:
                continue
            assert len(short.text) < len(spoken.text)
            if event.kind == EventKind.MILESTONE:
                assert words.text(MILESTONE_TEXTS[event.where or ""]) in short.text
            elif "{place}" in SENTENCES[event.kind] and event.kind != EventKind.EIGHT_MARK:  # the link says which
                assert event.where is not None
                assert event.where in short.text, said
            if "{amount}" in SENTENCES[event.kind]:
                assert str(event.amount) in said, said
            if event.kind in PLAIN:
                assert len(short.text) <= LONGEST + len(event.where or "") - len("Washington"), said


@pytest.mark.parametrize(
    ("kind", "amount", "shown"),
    [
        (EventKind.INCOME, 4, "+$4"),
        (EventKind.EXPAND, 5, "−$5"),
        (EventKind.EXPAND, 0, "$0"),
        (EventKind.GROW, 1, "−$1"),
        (EventKind.MAJORITY, 7, "+7"),
        (EventKind.TRACK, 3, "+3"),
        (EventKind.OPEN, 2, ""),
    ],
)
def test_what_an_event_brings_or_costs_has_its_sign(kind: EventKind, amount: int, shown: str) -> None:
    short = short_line(line(Event(kind, 0, 0, amount)), language("en"))
    assert short.amount == shown
    assert short.points == (kind in {EventKind.MAJORITY, EventKind.TRACK})


def test_a_turn_in_which_nothing_was_done_says_so() -> None:
    nothing = LogLine("Blue passes.", 5, None, 0)
    assert [short_line(nothing, language(code)).text for code in LANGUAGES] == ["Passes", "Passt", "Passe"]


def test_the_end_of_a_game_is_said_in_full() -> None:
    ended = line(Event(EventKind.STANDSTILL, 0, -1, 0), "Nobody has expanded for a whole round: the game ends.")
    assert short_line(ended, language("en")).text == ended.text
