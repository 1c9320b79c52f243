"""Records and moves from anywhere: whatever is read, nothing but the errors that are defined for it comes out."""

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from franchise import Game, IllegalAction, RecordError
from franchise.engine.actions import NotationError, parse
from franchise.facts import BOARD

RECORDS = sorted((Path(__file__).parent / "games").rglob("*.franchise"))
LINES = sorted({line for path in RECORDS for line in path.read_text(encoding="utf-8").splitlines()})
WORDS = ["expand", "again", "far", "start", "grow", "double", "boom", "stay", "cash", "done", "end", "tile", "region",
         "on", "free", "0", "1", "-1", "99999999999999999999", "٣", "²", ";", "#", "$3", *BOARD.location_ids,
         *BOARD.region_ids]  # fmt: skip
BOUNDED = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])

records = st.sampled_from(RECORDS).map(lambda path: path.read_text(encoding="utf-8"))
pieces = st.one_of(st.sampled_from(LINES), st.text(max_size=30), st.sampled_from(WORDS))


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """A record with some lines changed, doubled, left out or cut."""
    lines = draw(records).splitlines()
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, max(0, len(lines) - 1)))
        how = draw(st.sampled_from(["replace", "insert", "remove", "double", "cut"]))
        if how == "replace" and lines:
            lines[at] = draw(pieces)
        elif how == "insert":
            lines.insert(at, draw(pieces))
        elif how == "remove" and lines:
            del lines[at]
        elif how == "double" and lines:
            lines.insert(at, lines[at])
        elif lines:
            lines[at] = lines[at][: draw(st.integers(0, len(lines[at])))]
    return draw(st.sampled_from(["\n", "\r\n", "\n\n"])).join(lines)


@pytest.mark.compiled_only
@BOUNDED
@given(mutated())
def test_a_changed_record_is_read_or_refused(text: str) -> None:
    with suppress(RecordError):
        game = Game.from_text(text)
        assert Game.from_text(game.to_text()).actions == game.actions


@BOUNDED
@given(st.text(max_size=200))
def test_any_text_is_a_record_or_refused(text: str) -> None:
    for whole in (
        text,
        f"franchise 1\n{text}",
        f"franchise 1\nplayers 2\n{text}",
        f"franchise 1\nplayers 2\nmoves\n{text}",
    ):
        with suppress(RecordError):
            Game.from_text(whole)


@pytest.mark.compiled_only
@BOUNDED
@given(st.one_of(st.text(max_size=60), st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join)))
def test_any_text_is_a_move_or_refused(text: str) -> None:
    game = Game(3, 7)
    before = game.to_text()
    with suppress(NotationError):
        parse(text, game.legal_numbers)
    try:
        game.play(text)
    except IllegalAction:
        assert game.to_text() == before
