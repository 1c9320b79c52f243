"""The code in README.md runs as it stands, from top to bottom, in one folder."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

README = Path(__file__).parents[1] / "README.md"


class Block(NamedTuple):
    language: str
    line: int
    code: str


def blocks(text: str) -> list[Block]:
    fences = re.finditer(r"^```(\w+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return [Block(fence[1], text.count("\n", 0, fence.start(2)) + 1, fence[2]) for fence in fences]


def run_python(block: Block, names: dict[str, object]) -> None:
    # Blank lines in front give a traceback the line numbers of the README.
    exec(compile("\n" * (block.line - 1) + block.code, README.name, "exec"), names)


def run_command(command: str) -> None:
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(command, shell=True, capture_output=True, text=True, env={**os.environ, "PATH": path})
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"


@pytest.mark.compiled_only
def test_readme_runs_as_it_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "readme"}
    ran = set()
    for block in blocks(README.read_text(encoding="utf-8")):
        if block.language == "python":
            run_python(block, names)
            ran.add("python")
        elif block.language == "shell":
            for command in block.code.splitlines():
                if command.startswith("franchise "):
                    run_command(command)
                    ran.add("shell")
    assert ran == {"python", "shell"}
