"""`franchise play` in a real terminal."""

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from terminal import tmux
from terminal.tmux import Terminal

Open = Callable[..., Terminal]


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Open]:
    """Open `franchise play` in a terminal."""
    if tmux.find() is None:
        if os.environ.get("FRANCHISE_TMUX") == "required":
            pytest.fail("no tmux, and FRANCHISE_TMUX=required: make tmux installs it", pytrace=False)
        pytest.skip("no tmux: tests in a real terminal skipped (make tmux installs it)")
    opened: list[Terminal] = []

    def start(arguments: str, columns: int = 80, rows: int = 24) -> Terminal:
        command = f"{sys.executable} -m franchise play {arguments}"
        opened.append(Terminal(tmp_path, command, columns, rows))
        return opened[-1]

    yield start
    for session in opened:
        session.end()


def test_a_person_plays_in_a_real_terminal(terminal: Open) -> None:
    table = terminal("-p 2 --bots newcomer --seed 1 --language en --pause 0")
    shown = table.until("Blue", "begin here", "NewY ········")
    rows = shown.splitlines()
    assert len(rows) == 24
    assert rows[0].startswith("Set-up  Region track")
    table.press("m", "e", "m")
    table.until("Memphis, town in Central: 1 free", "→ begin here")
    table.press("Enter")
    table.until("Memp ●", "2 Expand", "from Memphis")
    table.press("u")
    table.until("Set-up", "Memp ·")
    table.press("q")
    table.until("Leave the table?")
    table.press("Down", "Enter")
    table.until(gone="Region track")


def test_the_screen_follows_the_size_of_the_terminal(terminal: Open) -> None:
    table = terminal("-p 2 --humans 2 --seed 1 --language en", 120, 40)
    table.until("Salt Lake City", "Minneapolis")
    table.tmux("resize-window", "-x", "60", "-y", "20")
    table.until("80 columns and 24 rows")
    table.tmux("resize-window", "-x", "80", "-y", "24")
    table.until("Salt ·", "Enter choose")
