"""Wrong arguments give exactly one line and exit code 2; help starts without the heavy libraries."""

import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

import franchise
from franchise.cli import SECTIONS, SIMILAR
from franchise.cli.serve import open_browser
from franchise.terminal.text_map import BOOM, CHOOSE, EMPTY, HOLLOW, MOVED, NO_TILE, OUT_OF_PLAY, SCORED, SOLID

ROOT = Path(__file__).parents[2]

COMMANDS = tuple(name for section in SECTIONS.values() for name in section)
WRONG = {
    "an unknown command": (["frobnicate"], "No such command 'frobnicate'"),
    "an unknown option": (["simulate", "--fast"], "No such option: --fast"),
    "an unknown option of the command itself": (["--fast"], "No such option: --fast"),
    "too many players": (["simulate", "-p", "6"], "simulate: --players: must be between 2 and 5, not 6 (see"),
    "one player": (["perft", "-p", "1"], "--players: must be between 2 and 5, not 1"),
    "players as a word": (["play", "-p", "two"], "'two' is not a whole number"),
    "no games": (["simulate", "-n", "0"], "--number: must be at least 1, not 0 (see"),
    "a missing number": (["simulate", "-n"], "franchise simulate: Option '-n' requires an argument"),
    "a missing number of a command in a group": (
        ["db", "reports", "--delete"],
        "franchise db reports: Option '--delete'",
    ),
    "a word for seconds": (["play", "--pause", "long"], "'long' is not a number"),
    "a word for seconds without limits": (["simulate", "--seconds", "long"], "--seconds: 'long' is not a number"),
    "a table without its address": (["play", "--server", "127.0.0.1:9"], "Give the address of the table"),
    "one bot for any number of seats": (["arena", "random"], "franchise arena: name 2 to 5 bots, or set"),
    "a negative seed": (["simulate", "--seed", "-1"], "--seed: must be between 0 and"),
    "a seed no kernel can hold": (["simulate", "--seed", "9" * 30], "--seed: must be between 0 and"),
    "a superfluous argument": (["simulate", "12"], "franchise simulate: unexpected extra argument: 12 (see"),
    "an unknown game option": (["simulate", "--options", "bloom"], "--options does not know 'bloom'"),
    "a game option with a wrong value": (["perft", "--options", "expert=hard"], "does not know 'expert=hard'"),
    "a game option twice": (["play", "--options", "boom,Boom"], "--options names boom twice"),
    "chosen tiles after regions": (["play", "--options", "regions=new,chosen=N1"], "--options names chosen twice"),
    "too few chosen tiles": (["simulate", "--options", "chosen=N1+N2"], "choose ten region tiles, not 2"),
    "chosen tiles that do not exist": (
        ["simulate", "--options", "chosen=N1+N2+N3+N4+N5+N6+N7+N8+N9+N99"],
        "'N99' is not a region tile",
    ),
    "more people than seats": (["play", "-p", "2", "--humans", "3"], "--humans 3: there are 2 seats"),
    "too great a depth": (["perft", "--depth", "13"], "must be between 0 and 12, not 13"),
    "no time to measure": (["bench", "--seconds", "0"], "must be between 0.05 and 600, not 0.0"),
    "two things to measure": (["bench", "--web", "--service"], "choose one of them"),
    "no file to replay": (["replay"], "Missing argument 'file'"),
    "a file that is not there": (["replay", "no such file"], "franchise replay: 'no such file' does not exist (see"),
    "a folder to replay": (["replay", "."], "'.' is a directory"),
    "no file to verify": (["verify"], "Missing argument 'files'"),
    "an unknown bot in the arena": (["arena", "nobody", "random", "-n", "2"], "there is no bot 'nobody'"),
    "an unknown bot of a simulation": (["simulate", "-n", "1", "--bots", "nobody"], "there is no bot 'nobody'"),
    "an unknown bot at the table": (["play", "--bots", "nobody"], "there is no bot 'nobody'"),
    "no bots in the arena": (["arena"], "name the bots that play"),
    "a program that is not there": (["bench", "--beside", "no-such-program"], "there is no program no-such-program"),
    "a program with an unmatched quote": (["bench", "--beside", "'limit"], "--beside 'limit: No closing quotation"),
    "a negative time": (["arena", "random", "random", "--seconds", "-1"], "between 0 and 3600, not -1.0"),
}


@pytest.mark.parametrize("what", WRONG)
def test_one_line_and_exit_code_2_for(what: str, run: Any) -> None:
    arguments, message = WRONG[what]
    code, out, err = run(*arguments)
    assert code == 2
    assert out == ""
    assert err.startswith("franchise")
    assert err.endswith(" --help)\n")
    assert err.count("\n") == 1
    assert message in err


def test_records_into_a_file_are_refused_with_one_line(tmp_path: Path, run: Any) -> None:
    taken = tmp_path / "taken"
    taken.touch()
    code, _, err = run("simulate", "-n", 1, "--records", taken)
    assert (code, err.count("\n")) == (2, 1)
    assert "File exists" in err


def test_wrong_arguments_of_a_real_process_end_with_code_2() -> None:
    done = subprocess.run([sys.executable, "-m", "franchise", "simulate", "-p", "7"], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)


@pytest.mark.parametrize("flag", ["-h", "--help"])
def test_help_lists_every_command_in_its_section(flag: str, run: Any) -> None:
    code, out, err = run(flag)
    assert (code, err) == (0, "")
    listed = re.findall(r"^(?:(\w.*):|  (\w+) +\S.*)$", out[out.index("\nPlay:") :], re.MULTILINE)
    assert [title or name for title, name in listed] == [
        word for title, names in SECTIONS.items() for word in (title, *names)
    ]


@pytest.mark.parametrize("arguments", [["-h"], ["db", "-h"]])
def test_what_a_command_does_fits_on_its_line(arguments: list[str], run: Any) -> None:
    lines = run(*arguments).out.splitlines()
    assert not [line for line in lines if line.startswith("  ") and line.endswith("...")]


def test_no_command_opens_the_table(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    served: list[tuple[Any, ...]] = []
    monkeypatch.setattr("franchise.cli.serve.serve", lambda *arguments: served.append(arguments))
    assert run().code == 0
    assert served == [()]


@pytest.mark.parametrize(
    ("named", "opened"), [(None, []), ("DISPLAY", ["http://here/"]), ("BROWSER", ["http://here/"])]
)
def test_a_browser_opens_where_there_is_one(
    named: str | None, opened: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pages: list[str] = []
    monkeypatch.setattr("webbrowser.open", pages.append)
    monkeypatch.setattr(sys, "platform", "linux")
    for variable in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
        monkeypatch.delenv(variable, raising=False)
    if named is not None:
        monkeypatch.setenv(named, "something")
    open_browser("http://here/")
    assert pages == opened


def test_the_version_is_that_of_the_package(run: Any) -> None:
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    done = run("--version")
    assert (done.code, done.out, done.err) == (0, f"franchise {declared}\n", "")
    assert franchise.__version__ == declared


@pytest.mark.parametrize("command", ["serve --port 0", "worker", "db upgrade"])
def test_an_address_that_is_no_database_is_a_wrong_argument(command: str, run: Any) -> None:
    done = run(*command.split(), "--database", "foo")
    assert (done.code, done.err.count("\n")) == (2, 1)


def test_an_old_spelling_works_with_a_hint(run: Any) -> None:
    done = run("play", "--against=random", "-p", 2, "--seed", 1, "--humans", 0, "--plain")
    assert (done.code, done.err) == (0, "franchise play: --against is now --bots\n")


def test_a_pipe_that_closes_ends_the_command_quietly(record: Path) -> None:
    replay = shlex.join([sys.executable, "-m", "franchise", "replay", str(record)])
    line = f"{replay} | head -1; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=True)
    first, code = done.stdout.splitlines()
    assert first.startswith("A game for 3 players")
    assert int(code) in (0, 1)  # 0 where the pipe took everything before it closed
    assert done.stderr == ""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full on this system")
def test_a_full_disk_under_the_output_is_told_in_one_line(record: Path) -> None:
    with Path("/dev/full").open("w") as full:
        replay = [sys.executable, "-m", "franchise", "replay", str(record)]
        done = subprocess.run(replay, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "franchise replay: No space left on device\n")


def test_a_terminal_without_utf8_gets_similar_characters_or_question_marks(record: Path) -> None:
    record.write_text(record.read_text(encoding="utf-8").replace("Ann", "Łucja – “A”…▲▼"), encoding="utf-8")
    environment = {**os.environ, "PYTHONIOENCODING": "latin-1"}
    command = [sys.executable, "-m", "franchise", "replay", str(record)]
    done = subprocess.run(command, capture_output=True, env=environment)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b'?ucja - "A"...^v' in done.stdout


def test_german_and_french_can_be_read_without_accents() -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    command = [sys.executable, "-m", "franchise", "play", "--plain", "-p", "2", "--seed", "3", "--bots", "newcomer"]
    for language, words in (("de", b"gross oder klein; ohne Preis gilt der gunstigste"), ("fr", b"coups possibles")):
        done = subprocess.run([*command, "--language", language], input=b"quit\n", capture_output=True, env=environment)
        assert done.returncode == 0, done.stderr
        assert words in done.stdout
        assert b"?" not in done.stdout


def test_a_scroll_bar_can_be_seen_without_utf8() -> None:
    assert set("▁▄▇█▌▐".translate(SIMILAR)) == {"|"}


def test_the_map_can_be_read_without_utf8() -> None:
    signs = [*SOLID.values(), EMPTY, OUT_OF_PLAY, SCORED, BOOM, NO_TILE, CHOOSE, MOVED, HOLLOW["circle"], "+"]
    shown = "".join(signs).translate(SIMILAR)
    assert shown.isascii()
    assert len(set(shown)) == len(signs)
    assert set("".join(HOLLOW.values()).translate(SIMILAR)) == {"o"}


def test_a_line_with_invalid_bytes_is_not_a_move() -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8:strict", "LC_ALL": "C"}
    command = [sys.executable, "-m", "franchise", "play", "--plain", "-p", "2", "--humans", "2", "--seed", "3"]
    done = subprocess.run(command, input=b"start N\xf6where\nquit\n", capture_output=True, env=environment)
    assert (done.returncode, done.stderr) == (0, b"")
    assert "There is no place called N�where." in done.stdout.decode()


@pytest.mark.parametrize(("typed", "offered"), [("si", ["simulate"]), ("play --b", ["--bots"]), ("db re", ["reports"])])
def test_a_shell_completes(typed: str, offered: list[str]) -> None:
    words = f"franchise {typed}"
    asked = {"_FRANCHISE_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": str(words.count(" "))}
    command = [sys.executable, "-m", "franchise"]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **asked})
    assert (done.returncode, done.stdout.split(), done.stderr) == (0, offered, "")


@pytest.mark.parametrize("what", ["--service", "--web", "--scale", "--growth"])
def test_many_missing_libraries_are_one_short_line(what: str, run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("franchise.extras.find_spec", lambda name: None)
    done = run("bench", what)
    assert done.code == 1
    listed = r"\w+, \w+, \w+ and \d+ more"
    assert re.fullmatch(
        rf"franchise bench: this needs {listed}; install them with: pip install 'franchise\[serve\]'\n", done.err
    )


@pytest.mark.parametrize("command", COMMANDS)
def test_help_describes(command: str, run: Any) -> None:
    code, out, err = run(command, "--help")
    assert (code, err) == (0, "")
    assert out.startswith(f"Usage: franchise {command}")


@pytest.mark.parametrize("arguments", [["--help"], ["simulate", "--help"]], ids=" ".join)
def test_help_imports_no_heavy_library(arguments: list[str]) -> None:
    code = f"""
import sys
from franchise.cli import main
sys.argv = ["franchise", *{arguments!r}]
try:
    main()
except SystemExit as end:
    print(sorted({{"numba", "numpy", "rich", "pydantic"}} & set(sys.modules)), end.code)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[0].startswith("Usage: franchise")
    assert done.stdout.splitlines()[-1] == "[] 0"
