"""franchise play: a pipe shows a game, a terminal plays one."""

import io
import os
import pty
import re
import select
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from franchise import Game
from franchise.record import read_file

PROMPT = re.compile(r"\w+ \(\$\d+, \d+ IP\) \w+> $")


def test_without_a_terminal_a_game_of_bots_is_shown(run: Any) -> None:
    code, out, err = run("play", "--seed", 3, "-p", 2)
    assert (code, err) == (0, "")
    assert out.startswith("A game for 2 players.\n  Red starts in ")
    assert "\nTurn 1: Blue.\n" in out
    assert re.search(r"\n(\w+ wins with \d+ influence|.* share the victory)\.\n$", out)
    assert out == run("play", "--seed", 3, "-p", 2, "--humans", 0).out


def test_a_game_of_bots_is_shown_in_the_language_that_was_asked_for(run: Any) -> None:
    game = ("play", "--seed", 3, "-p", 2, "--bots", "random", "--options", "milestones,boom")
    german, french = (run(*game, "--language", code).out for code in ("de", "fr"))
    assert german.startswith("Eine Partie für 2 Personen: Meilensteine, Boom.\n")
    assert french.startswith("Une partie à 2 joueurs\N{NO-BREAK SPACE}: Tuiles Étape, Boom.\n")
    for text in (german, french):
        assert not re.search(r"\b(Turn|starts|gains|wins|Blue|Red)\b", text)


# What the server's extra installs and `terminal` does not, and what both do: modules that are then not there.
ONLY_SERVE = (
    "cachetools",
    "fastapi",
    "jinja2",
    "markupsafe",
    "openskill",
    "orjson",
    "pydantic",
    "sqlalchemy",
    "uvicorn",
)
ONLY_EXTRAS = (*ONLY_SERVE, "babel", "httpx", "httpx_sse", "textual")
WITHOUT = "import sys; sys.modules.update(dict.fromkeys({names})); "


def test_lines_can_be_played_without_any_extra() -> None:
    play = WITHOUT.format(names=ONLY_EXTRAS) + "from franchise.__main__ import main; main()"
    command = [sys.executable, "-c", play, "play", "--plain", "-p", "2", "--seed", "3", "--bots", "newcomer"]
    done = subprocess.run(command, input="help\nstart Flagstaff\nquit\n", capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "starts in Flagstaff." in done.stdout


def test_the_full_screen_needs_nothing_but_the_extra_terminal() -> None:
    modules = "import franchise.terminal.screen, franchise.terminal.local_table, franchise.terminal.remote_table"
    command = [sys.executable, "-c", WITHOUT.format(names=ONLY_SERVE) + modules]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


class Terminal:
    """A person at `franchise play`: a real terminal, whose answers are awaited."""

    def __init__(self, *arguments: str) -> None:
        self.screen, other = pty.openpty()
        command = [sys.executable, "-m", "franchise", "play", *arguments]
        environment = os.environ | {"TERM": "dumb", "COLUMNS": "100"}
        self.process = subprocess.Popen(
            command, stdin=other, stdout=other, stderr=other, env=environment, start_new_session=True
        )
        os.close(other)

    def read(self, until: re.Pattern[str] | None) -> str:
        """What appears up to a pattern at its end, or up to the end."""
        seen = ""
        while until is None or not until.search(seen):
            assert select.select([self.screen], [], [], 60)[0], f"nothing more appears after {seen!r}"
            try:
                more = os.read(self.screen, 65536).decode()
            except OSError:  # the program has ended and closed the terminal
                more = ""
            if not more:
                assert until is None, f"ended after {seen!r}"
                break
            seen += more.replace("\r", "")
        return seen

    def enter(self, text: str) -> str:
        """Type a line; what appears up to the next prompt."""
        os.write(self.screen, f"{text}\n".encode())
        return self.read(PROMPT)

    def leave(self, keys: str, code: int = 0) -> str:
        """Press keys that end the program; the rest of what appears."""
        os.write(self.screen, keys.encode())
        rest = self.read(None)
        assert self.process.wait(60) == code
        return rest


@pytest.fixture
def terminal() -> Iterator[Callable[..., Terminal]]:
    opened: list[Terminal] = []

    def open_terminal(*arguments: str) -> Terminal:
        opened.append(Terminal(*arguments))
        return opened[-1]

    yield open_terminal
    for session in opened:
        if session.process.poll() is None:
            session.process.send_signal(signal.SIGKILL)
            session.process.wait()
        os.close(session.screen)


def test_a_person_plays_is_corrected_and_takes_moves_back(terminal: Callable[..., Terminal]) -> None:
    table = terminal("-p", "2", "--humans", "2", "--seed", "1")
    opening = table.read(PROMPT)
    assert "You are Blue, Red." in opening
    assert "Red, put your first franchise in a free town:\n  start Flagstaff, start Pueblo, " in opening
    assert opening.endswith("Red ($4, 0 IP) start> ")

    refused = table.enter("start Reno")
    assert "Not possible: Reno is out of play with this number of players.\n  Legal now: start Flagstaff, " in refused
    assert "That is not a move.\n  Legal now: start Flagstaff, " in table.enter("fly to the moon")
    assert "There is no place called Nowhere. Did you mean Montgomery?" in table.enter("start Nowhere")  # Reno is out
    assert "There is no place called Memfis. Did you mean Memphis?" in table.enter("start Memfis")
    assert "Chicago is a city: a chain begins in a town.\n  Legal now:" in table.enter("start chicago")
    assert "Reno is a town: it has one space only.\n  Legal now:" in table.enter("grow  Reno")
    assert "  Red starts in Memphis.\n\nBlue, put your first" in table.enter("START memphis")
    assert "start Memphis is taken back.\n\nRed, put" in table.enter("undo")
    assert "You have no move to take back." in table.enter("undo")
    table.enter("start Memphis")
    assert table.enter("start Indianapolis").endswith("Blue ($3, 0 IP) expand> ")

    assert "expand St. Louis 1, " in table.enter("moves")
    assert "Blue expands to St. Louis for $1." in table.enter("expand st. louis")
    table.enter("done")
    assert "St. Louis holds only your expansion marker of this turn." in table.enter("grow St. Louis")
    assert "Blue opens a franchise in St. Louis.\n  Turn 2: Red." in table.enter("end")
    shown = table.enter("table")
    assert "Blue: Influence 0, Cash $2, Next income $" in shown
    assert "St. Louis       Central      blue - -" in shown
    assert "players 2\nmoves\nstart Memphis; start Indianapolis\nexpand St. Louis 1; done; end\n" in table.enter(
        "record"
    )
    assert "take back your last move" in table.enter("help")
    assert table.leave("quit\n").endswith("expand St. Louis 1; done; end\n\n")


def test_seats_are_drawn_unless_the_order_is_asked_for(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    colours = {"--in-order": set(), "--plain": set()}
    for option, found in colours.items():
        for seed in range(6):
            monkeypatch.setattr(sys, "stdin", io.StringIO("quit\n"))
            out = run("play", "--plain", option, "-p", 2, "--bots", "random", "--seed", seed).out
            found.add(out.partition("\n")[0])
    assert colours == {"--in-order": {"You are Blue."}, "--plain": {"You are Blue.", "You are Red."}}


def test_moves_can_come_through_a_pipe(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("start Memphis\nstart Reno\nstart Indianapolis\nquit\n"))
    code, out, err = run("play", "--plain", "--humans", 2, "-p", 2, "--seed", 1)
    assert (code, err) == (0, "")
    assert "Red starts in Memphis." in out
    assert "Not possible: Reno is out of play" in out
    assert out.endswith("franchise 1\nplayers 2\nmoves\nstart Memphis; start Indianapolis\n\n")


def test_lines_speak_the_language_of_the_terminal(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "de_DE.UTF-8")
    monkeypatch.setattr(sys, "stdin", io.StringIO("start Memphis\nstart Reno\n"))
    out = run("play", "--plain", "--humans", 2, "-p", 2, "--seed", 1).out
    assert "Rot, setze deine erste Filiale in eine freie Kleinstadt:" in out
    assert "Rot beginnt in Memphis." in out
    monkeypatch.setattr(sys, "stdin", io.StringIO("start Memphis\n"))
    out = run("play", "--plain", "--humans", 2, "-p", 2, "--seed", 1, "--language", "fr").out
    assert "Rouge, placez votre première franchise dans une ville libre\N{NO-BREAK SPACE}:\n" in out


def test_a_record_goes_on_from_any_move(run: Any, record: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("quit\n"))
    out = run("play", record, "--plain", "--to", 4, "--humans", 3).out
    written = Game.from_text(out[out.index("franchise 1") :])
    assert written == read_file(record).at(4)
    assert "--to 9999: the game has" in run("play", record, "--to", 9999).err
    assert "--to needs a record" in run("play", "--to", 3).err


def test_undo_goes_back_to_the_persons_own_move(terminal: Callable[..., Terminal]) -> None:
    table = terminal("-p", "3", "--seed", "4", "--in-order")
    assert "You are Blue." in table.read(PROMPT)
    table.enter("start Memphis")
    table.enter("done")
    assert "Turn 2: Red." in table.enter("end")
    answer = table.enter("undo")
    assert "  end is taken back.\n\nBlue, grow in your cities" in answer
    assert answer.endswith("Blue ($3, 0 IP) grow> ")


@pytest.mark.parametrize(("key", "code"), [("\x04", 0), ("\x03", 130)], ids=["Ctrl-D", "Ctrl-C"])
def test_a_person_can_leave_with(key: str, code: int, terminal: Callable[..., Terminal]) -> None:
    table = terminal("-p", "2", "--humans", "2")
    table.read(PROMPT)
    if key == "\x03":
        table.process.send_signal(signal.SIGINT)  # what the terminal makes of Ctrl-C
        key = "\n"  # readline sleeps through a signal that comes just before it begins to wait
    assert table.leave(key, code).endswith("franchise 1\nplayers 2\nmoves\n\n")
