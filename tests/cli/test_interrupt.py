"""Ctrl-C ends a command quietly with exit code 130, SIGTERM a server with 0, from its first moment on."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

INSTALLED = Path(sys.executable).with_name("franchise")
BLOCKING = """
import sys

print("loading", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def blocked(tmp_path: Path) -> "dict[str, str]":
    """An environment in which the import of one of these libraries prints a line and then waits."""
    for library in ("typer", "numpy", "fastapi"):
        (tmp_path / library).mkdir()
        (tmp_path / library / f"{library}.py").write_text(BLOCKING, encoding="utf-8")
    return {**os.environ, "FOLDER": str(tmp_path)}


def interrupted(
    command: list[str], library: str, environment: "dict[str, str]", by: signal.Signals = signal.SIGINT
) -> tuple[int, str, str]:
    """Exit code, output and errors of a command that gets a signal while it imports a library."""
    folder = str(Path(environment["FOLDER"]) / library)
    with subprocess.Popen(
        command,
        env={**environment, "PYTHONPATH": folder},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "loading\n"
        process.send_signal(by)
        out, err = process.communicate(timeout=60)
    return process.returncode, out, err


@pytest.mark.parametrize(
    "command", [[str(INSTALLED)], [sys.executable, "-m", "franchise"]], ids=["installed", "module"]
)
@pytest.mark.parametrize("by", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_while_the_command_line_is_loaded_ends_it_quietly(
    command: list[str], by: signal.Signals, blocked: "dict[str, str]"
) -> None:
    if not Path(command[0]).exists():
        pytest.skip("the command is not installed beside this Python")
    assert interrupted([*command, "--version"], "typer", blocked, by) == (128 + by, "", "")


def test_ctrl_c_while_a_command_loads_what_it_needs_ends_quietly(blocked: "dict[str, str]") -> None:
    command = [sys.executable, "-m", "franchise", "simulate", "-n", "1"]
    assert interrupted(command, "numpy", blocked) == (130, "", "")


@pytest.mark.parametrize(
    ("command", "database"),
    [("serve --no-browser --port 0", "sqlite:///{}/franchise.db"), ("worker", "postgresql://nobody@127.0.0.1:1/{}")],
)
@pytest.mark.parametrize(("by", "code"), [(signal.SIGTERM, 0), (signal.SIGINT, 130)])
def test_a_server_stops_while_it_is_still_being_loaded(
    command: str, database: str, by: signal.Signals, code: int, blocked: "dict[str, str]"
) -> None:
    blocked["FRANCHISE_DATABASE"] = database.format(blocked["FOLDER"])
    words = [sys.executable, "-m", "franchise", *command.split()]
    assert interrupted(words, "fastapi", blocked, by) == (code, "", "")


def test_a_shell_may_have_ctrl_c_ignored() -> None:
    code = "import signal, sys; signal.signal(signal.SIGINT, signal.SIG_IGN); sys.argv = ['franchise', '--version']\n"
    code += "from franchise.__main__ import main\ntry: main()\nfinally: print(signal.getsignal(signal.SIGINT))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout.endswith(f"{signal.SIG_IGN!s}\n"), done
