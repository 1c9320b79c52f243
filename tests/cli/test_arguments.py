"""Wrong arguments give exactly one line and exit code 2; help starts without the heavy libraries."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

COMMANDS = ("play", "simulate", "replay", "verify", "perft", "bench")
WRONG = {
    "an unknown command": (["frobnicate"], "No such command 'frobnicate'"),
    "an unknown option": (["simulate", "--fast"], "No such option: --fast"),
    "an unknown option of the command itself": (["--fast"], "No such option: --fast"),
    "too many players": (["simulate", "-p", "6"], "6 is not in the range 2<=x<=5"),
    "one player": (["perft", "-p", "1"], "1 is not in the range 2<=x<=5"),
    "players as a word": (["play", "-p", "two"], "'two' is not a valid"),
    "no games": (["simulate", "-n", "0"], "0 is not in the range x>=1"),
    "a missing number": (["simulate", "-n"], "requires an argument"),
    "a negative seed": (["simulate", "--seed", "-1"], "-1 is not in the range"),
    "a seed no kernel can hold": (["simulate", "--seed", "9" * 30], "is not in the range"),
    "a superfluous argument": (["simulate", "12"], "unexpected extra argument"),
    "an unknown game option": (["simulate", "--options", "bloom"], "--options does not know 'bloom'"),
    "a game option with a wrong value": (["perft", "--options", "expert=hard"], "does not know 'expert=hard'"),
    "a game option twice": (["play", "--options", "boom,Boom"], "--options names boom twice"),
    "chosen tiles after regions": (["play", "--options", "regions=new,chosen=N1"], "--options names chosen twice"),
    "too few chosen tiles": (["simulate", "--options", "chosen=N1+N2"], "choose ten region tiles, not 2"),
    "chosen tiles that do not exist": (
        ["simulate", "--options", "chosen=N1+N2+N3+N4+N5+N6+N7+N8+N9+N99"],
        "'N99' is no region tile",
    ),
    "more people than seats": (["play", "-p", "2", "--humans", "3"], "--humans 3: there are 2 seats"),
    "too great a depth": (["perft", "--depth", "13"], "13 is not in the range 0<=x<=12"),
    "no time to measure": (["bench", "--seconds", "0"], "0.0 is not in the range"),
    "no file to replay": (["replay"], "Missing argument 'file'"),
    "a file that is not there": (["replay", "no such file"], "'no such file' does not exist"),
    "a folder to replay": (["replay", "."], "'.' is a directory"),
    "no file to verify": (["verify"], "Missing argument 'files'"),
    "a file to verify that is not there": (["verify", "no such file"], "'no such file' does not exist"),
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


def test_no_arguments_show_the_help(run: Any) -> None:
    code, out, err = run()
    assert (code, err) == (0, "")
    assert all(f"\n  {command} " in out for command in COMMANDS)


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
