"""Positions are drawn as they are read, and a failed test shows its own."""

from pathlib import Path

import pytest

from franchise import Options
from text_positions import drawn, position

pytest_plugins = ["pytester"]
TEXT = """
    Chicago: red blue
    New York: red scored
    Reno: blue
    New York marker red
    blue cash 7
    blue eights 1
    red reserve 2
    boom Denver
    turn 21
    red to boom
"""


def test_a_drawn_position_reads_back() -> None:
    options = Options(milestones=True, boom=True)
    game = position(TEXT, options=options)
    shown = drawn(game)
    assert {line.strip() for line in TEXT.strip().splitlines()} <= set(shown.splitlines())
    assert position(shown, options=options).view() == game.view()


def test_a_failed_test_shows_the_position(pytester: pytest.Pytester) -> None:
    pytester.makeconftest(Path(__file__).with_name("conftest.py").read_text(encoding="utf-8"))
    pytester.makepyfile(
        "from text_positions import position\n"
        "def test_it():\n"
        "    game = position('Chicago: red blue')\n"
        "    assert game.over\n"
    )
    pytester.runpytest_inprocess("-p", "no:cacheprovider", "-p", "no:playwright").stdout.fnmatch_lines(
        ["*position*", "Chicago: red blue"]
    )
