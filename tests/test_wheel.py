"""The wheel, installed as users install it: into an empty environment, with what playing needs and nothing else."""

import os
import random
import re
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import httpx
import pytest

from server.running_servers import PATIENCE

ROOT = Path(__file__).parents[1]


def run(*command: str | Path, **settings: str) -> "subprocess.CompletedProcess[str]":
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | settings
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=600)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of commands of an empty environment in which the wheel was installed with [play]."""
    folder = tmp_path_factory.mktemp("wheel")
    built = run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder)
    assert built.returncode == 0, built.stderr
    (wheel,) = folder.glob("franchise-*.whl")
    home = folder / "home"
    uv = shutil.which("uv", path=os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]))
    venv.create(home, with_pip=uv is None)
    python = home / "bin" / "python"
    install = [uv, "pip", "install", "-q", "--python", python] if uv else [python, "-m", "pip", "install", "-q"]
    pinned = run(*install, "-r", "requirements.txt")
    if pinned.returncode:
        pytest.skip(f"the pinned requirements cannot be had here: {pinned.stderr.strip().splitlines()[-1]}")
    # Without an index: the pins are all that the extra may need.
    wheel_alone = run(*install, "--no-index", f"franchise[play] @ {wheel.as_uri()}")
    assert wheel_alone.returncode == 0, wheel_alone.stderr
    return home / "bin"


@pytest.mark.slow
def test_the_wheel_with_play_serves_a_whole_game_over_http(installed: Path, tmp_path: Path) -> None:
    assert (
        run(installed / "franchise", "--version").stdout == run(sys.executable, "-m", "franchise", "--version").stdout
    )
    server = subprocess.Popen(
        [
            installed / "franchise",
            "serve",
            "--no-browser",
            "--port",
            "0",
            "--database",
            f"sqlite:///{tmp_path / 'f.db'}",
        ],
        stdout=subprocess.PIPE,
        text=True,
        env={
            **os.environ,
            "FRANCHISE_CACHE_DIR": str(tmp_path / "cache"),
            "FRANCHISE_DATABASE": f"sqlite:///{tmp_path / 'franchise.db'}",
        },
        cwd=tmp_path,
    )
    try:
        assert server.stdout is not None
        line = server.stdout.readline()
        address = re.search(r"http://\S+", line)
        assert address, line
        with httpx.Client(base_url=address[0], timeout=PATIENCE) as client:
            assert "Franchise" in client.get("/").text
            seats = [{"kind": "human", "name": "Ann"}, {"kind": "human", "name": "Ben"}]
            table = client.post("/api/tables", json={"seats": seats, "seed": 7}).json()
            path, tokens, chance, made = f"/api/tables/{table['id']}", table["tokens"], random.Random(7), 0
            state = table
            while not state["over"]:
                bearer = {"Authorization": f"Bearer {tokens[str(state['current_player'])]}"}
                if not state.get("legal"):
                    state = client.get(path, headers=bearer).json()
                order = {"version": state["version"], "move": chance.choice(state["legal"]), "move_id": f"m{made}"}
                answer = client.post(f"{path}/moves", json=order, headers=bearer)
                assert answer.status_code == 200, answer.text
                state, made = answer.json(), made + 1
            assert "result" in client.get(f"{path}/record").text
    finally:
        server.terminate()
        server.communicate(timeout=PATIENCE)
    assert server.returncode == 0
