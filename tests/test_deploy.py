"""The examples for those who run a server: what they start exists, what they set is a setting."""

import os
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
    for copied in re.findall(r"^COPY (?!--from)(.*) \S+$", dockerfile, re.MULTILINE):
        assert all((ROOT / name).exists() for name in copied.split())


def test_the_containers_have_no_more_rights_than_they_need() -> None:
    for name in ("compose.yaml", "deploy/compose.sqlite.yaml"):
        services = yaml.safe_load((ROOT / name).read_text(encoding="utf-8"))["services"]
        for service in (service for service in services.values() if "build" in service):
            assert service["read_only"]
            assert service["tmpfs"] == ["/tmp"]
            assert service["cap_drop"] == ["ALL"]
            assert service["security_opt"] == ["no-new-privileges:true"]


def test_the_proxy_of_the_containers_uses_the_sample_for_caddy() -> None:
    proxy = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))["services"]["proxy"]
    sample = (ROOT / "deploy" / "Caddyfile").read_text(encoding="utf-8")
    assert proxy["volumes"] == ["./deploy/Caddyfile:/etc/caddy/Caddyfile:ro"]
    assert set(re.findall(r"\{\$(\w+):", sample)) == set(proxy["environment"]) == {"SITE", "SERVERS"}
    if shutil.which("caddy") is None:
        pytest.skip("there is no Caddy to read the sample")
    command = ["caddy", "adapt", "--config", str(ROOT / "deploy" / "Caddyfile")]
    done = subprocess.run(command, env={**os.environ, **proxy["environment"]}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert re.findall(r'"dial":"([^"]+)"', done.stdout) == ["one:8000", "two:8000"]


def test_the_small_compose_file_builds_the_same_image_for_one_sqlite_file() -> None:
    small = yaml.safe_load((ROOT / "deploy" / "compose.sqlite.yaml").read_text(encoding="utf-8"))
    (service,) = small["services"].values()
    assert (ROOT / "deploy" / service["build"]).resolve() == ROOT
    assert set(small["volumes"]) == {volume.partition(":")[0] for volume in service["volumes"]}
    assert {name for name in service["environment"] if name.startswith("FRANCHISE")} <= SETTINGS
    (subnet,) = small["networks"]["default"]["ipam"]["config"]
    assert service["environment"]["FORWARDED_ALLOW_IPS"] == subnet["gateway"]  # or all people would share their limits


def commands(text: str) -> list[list[str]]:
    """The calls of `franchise` among what a unit starts, in a shell or not."""
    started = [shlex.split(line) for line in re.findall(r"^ExecStart=(.*)$", text, re.MULTILINE)]
    inner = [
        shlex.split(re.sub(r"\$\(.*?\)", "NOW", words[2]).rpartition("exec ")[2]) if words[0] == "/bin/sh" else words
        for words in started
    ]
    return [words for words in inner if words[0].endswith("franchise")]


@pytest.mark.parametrize("name", ["franchise.service", "franchise-backup.service"])
def test_a_unit_calls_commands_and_settings_that_exist(name: str) -> None:
    text = (ROOT / "deploy" / name).read_text(encoding="utf-8")
    (words,) = commands(text)
    understood(words)
    assert set(re.findall(r"FRANCHISE_\w+", text)) <= SETTINGS


def test_the_backup_runs_as_the_server_does() -> None:
    units = [
        (ROOT / "deploy" / name).read_text(encoding="utf-8")
        for name in ("franchise.service", "franchise-backup.service")
    ]
    for setting in ("User", "DynamicUser", "StateDirectory", "EnvironmentFile", "Environment=FRANCHISE_DATABASE"):
        first, second = (re.search(rf"^{setting}=(.*)$", text, re.MULTILINE) for text in units)
        assert first is not None
        assert second is not None
        assert first[1] == second[1]


def test_the_server_may_open_many_files_and_lower_the_priority_of_bots() -> None:
    text = (ROOT / "deploy" / "franchise.service").read_text(encoding="utf-8")
    denied = re.findall(r"^SystemCallFilter=~(.*)$", text, re.MULTILINE)
    assert not any("@resources" in group for group in denied)  # setpriority, without which a bot's thread would die
    assert "\nSystemCallErrorNumber=EPERM\n" in text
    files = re.search(r"^LimitNOFILE=(\d+)$", text, re.MULTILINE)
    assert files is not None  # a stream is an open file; 1,024 are soon used up
    assert int(files[1]) >= 65536


def test_systemd_verifies_the_units_and_finds_them_safe(tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("there is no systemd-analyze to verify the units")
    units = []
    for source in sorted((ROOT / "deploy").glob("franchise*.*")):
        text = source.read_text(encoding="utf-8").replace("/usr/local/bin/franchise", "/bin/true")
        units.append(tmp_path / source.name)
        units[-1].write_text(text, encoding="utf-8")
    done = subprocess.run(["systemd-analyze", "verify", *map(str, units)], capture_output=True, text=True)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")
    for unit in (unit for unit in units if unit.suffix == ".service"):
        command = ["systemd-analyze", "security", "--offline=yes", "--threshold=40", str(unit)]  # 4.0 of 10: OK
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout
