"""The examples for those who run a server: what they start exists, what they set is a setting."""

import re
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import typer
import yaml

from franchise.cli import app
from franchise.server.settings import Settings

ROOT = Path(__file__).parents[1]
UNIT = ROOT / "deploy" / "franchise.service"
SETTINGS = {f"FRANCHISE_{name.upper()}" for name in Settings.model_fields} | {"FRANCHISE_CACHE_DIR"}


def understood(words: list[str]) -> None:
    """Refuse a command line that `franchise` would."""
    command: Any = typer.main.get_command(app)
    assert words[0].endswith("franchise")
    words = words[1:]
    context = command.make_context("franchise", words[:1])
    while hasattr(command, "resolve_command"):
        name, command, words = command.resolve_command(context, words)
        context = command.make_context(name, list(words), parent=context, resilient_parsing=False)


def test_the_containers_start_commands_and_set_settings_that_exist() -> None:
    services = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))["services"]
    ours = {name: service for name, service in services.items() if "build" in service}
    assert set(ours) == {"upgrade", "one", "two", "worker"}
    for service in ours.values():
        assert {name for name in service["environment"] if name.startswith("FRANCHISE")} <= SETTINGS
        if "command" in service:
            assert service["command"] in (["franchise", "db", "upgrade"], ["franchise", "worker"])
        assert service["environment"]["FORWARDED_ALLOW_IPS"] == services["proxy"]["networks"]["default"]["ipv4_address"]
    dockerfile = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    assert set(re.findall(r"FRANCHISE_\w+(?==)", dockerfile)) <= SETTINGS
    start = re.search(r"^CMD (\[.*\])$", dockerfile, re.MULTILINE)
    assert start is not None
    understood(yaml.safe_load(start[1]))
    for copied in re.findall(r"^COPY (.*) \S+$", dockerfile, re.MULTILINE):
        assert all((ROOT / name).exists() for name in copied.split())


def test_the_unit_starts_the_server(tmp_path: Path) -> None:
    text = UNIT.read_text(encoding="utf-8")
    start = re.search(r"^ExecStart=(.*)$", text, re.MULTILINE)
    assert start is not None
    understood(shlex.split(start[1]))
    assert set(re.findall(r"FRANCHISE_\w+", text)) <= SETTINGS
    files = re.search(r"^LimitNOFILE=(\d+)$", text, re.MULTILINE)
    assert files is not None  # a stream is an open file; 1,024 are soon used up
    assert int(files[1]) >= 65536
    if shutil.which("systemd-analyze") is None:
        pytest.skip("there is no systemd-analyze to verify the unit")
    unit = tmp_path / UNIT.name
    unit.write_text(text.replace(start[1].split()[0], "/bin/true"), encoding="utf-8")
    done = subprocess.run(["systemd-analyze", "verify", str(unit)], capture_output=True, text=True)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")
