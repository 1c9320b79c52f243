"""`franchise serve` as a process: streams, stops, restarts and sudden deaths, and clear words when it cannot start."""

import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from franchise import Game
from franchise.cli import main
from server.running_servers import PATIENCE, ServerProcess, create, move, parsed, read_events

Start = Callable[..., ServerProcess]


@pytest.fixture
def database(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'franchise.db'}"


@pytest.fixture
def client() -> Iterator[httpx.Client]:
    with httpx.Client(timeout=PATIENCE) as client:
        yield client


def test_a_stream_resumes_and_goes_on_live_and_does_not_keep_the_server_from_stopping(
    start: Start, client: httpx.Client
) -> None:
    server = start()
    table = create(client, server.address, "human", "human")
    for version, text in enumerate(("start Memphis", "start Raleigh", "done")):
        assert move(client, server.address, table, 1 - version if version < 2 else 0, version, text).status_code == 200
    path = f"{server.address}{table['path']}/events"
    missed = read_events(client, path, 2, **{"Last-Event-ID": "1"})
    assert [event["id"] for event in missed] == ["2", "3"]
    assert [event["data"]["move"] for event in missed] == ["start Raleigh", "done"]
    assert missed[0]["data"]["events"][0]["text"] == "Blue starts in Raleigh."
    assert [event["id"] for event in read_events(client, f"{path}?after=0", 3)] == ["1", "2", "3"]
    with client.stream("GET", path, headers={"Last-Event-ID": "3", "Accept-Encoding": "gzip"}) as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        assert "content-encoding" not in answer.headers
        events = parsed(answer.iter_lines())
        with httpx.Client(timeout=PATIENCE) as other:
            move(other, server.address, table, 0, 3, "end")
            headers = {"Authorization": f"Bearer {table['tokens']['0']}"}
            other.post(f"{server.address}{table['path']}/chat", json={"text": "hello"}, headers=headers)
        live = next(events)
        assert (live["id"], live["data"]["version"], live["data"]["move"]) == ("4", 4, "end")
        chat_event = next(events)
        assert (chat_event["event"], chat_event["data"]["kind"], "id" in chat_event) == ("chat", "chat", False)
    bots = create(client, server.address, "expert", "expert")
    with client.stream("GET", f"{server.address}{bots['path']}/events?after=0") as answer:
        events = parsed(answer.iter_lines())
        next(events)  # they play
        assert server.stop(signal.SIGTERM) == (0, "")
        list(events)  # the stream has an end


def test_a_restart_in_the_middle_of_a_turn_goes_on_with_people_and_bots(start: Start, client: httpx.Client) -> None:
    server = start()
    table = create(client, server.address, "human", "casual")
    read_events(client, f"{server.address}{table['path']}/events?after=0", 1)
    token = {"Authorization": f"Bearer {table['tokens']['0']}"}
    for _ in range(2):  # a starting town, an expansion
        state = client.get(f"{server.address}{table['path']}", headers=token).json()
        assert move(client, server.address, table, 0, state["version"], state["legal"][0]).status_code == 200
    before = client.get(f"{server.address}{table['path']}", headers=token).json()
    assert server.stop(signal.SIGINT) == (130, "")
    again = start()
    after = client.get(f"{again.address}{table['path']}", headers=token).json()
    del before["clock"]["now"], after["clock"]["now"]
    assert after == before
    assert after["may_undo"]
    assert move(client, again.address, table, 0, 3, "done").status_code == 200
    assert move(client, again.address, table, 0, 4, "end").status_code == 200
    events = read_events(client, f"{again.address}{table['path']}/events?after=5", 1)
    assert (events[0]["id"], events[0]["data"]["seat"]) == ("6", 1)


def test_a_sudden_death_loses_no_move_that_was_answered_and_bots_go_on(start: Start, client: httpx.Client) -> None:
    server = start()
    table = create(client, server.address, "human", "human")
    game = Game(2, 7)
    answers: list[dict[str, Any]] = []
    while len(answers) < 20:
        seat, text = game.current_player, str(game.legal_actions()[0])
        answer = move(client, server.address, table, seat, len(answers), text)
        assert answer.status_code == 200
        game.play(text)
        answers.append(answer.json())
    bots = create(client, server.address, "expert", "expert")  # a game that lasts
    followed = read_events(client, f"{server.address}{bots['path']}/events?after=0", 3)
    server.stop(signal.SIGKILL)
    again = start()
    state = client.get(f"{again.address}{table['path']}").json()
    assert (state["version"], state["view"]) == (20, game.view())
    assert client.get(f"{again.address}{table['path']}/record").text == game.to_text()
    last = answers[-1]
    assert move(client, again.address, table, last["seat"], 19, last["move"]).json() == last
    path = f"{again.address}{bots['path']}"
    assert read_events(client, f"{path}/events?after=0", 3) == followed
    version = client.get(path).json()["version"]
    events = read_events(client, f"{path}/events?after={version}", 2)
    assert [event["data"]["version"] for event in events] == [version + 1, version + 2]


# --- when it cannot start ---


@pytest.fixture
def refused(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """What the command says instead of starting: one line, with an exit code: 2 for a wrong argument or setting."""

    def refused(*arguments: str, code: int = 1) -> str:
        monkeypatch.setattr(sys, "argv", ["franchise", "serve", "--no-browser", *arguments])
        with pytest.raises(SystemExit) as end:
            main()
        out, err = capsys.readouterr()
        assert (end.value.code, out, err.count("\n")) == (code, "", 1), err
        assert err.startswith("franchise serve: ")
        return err

    return refused


def test_a_port_in_use_is_named(refused: Any, database: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        message = refused("--port", str(port), "--database", database)
    assert f"cannot listen on 127.0.0.1 port {port}" in message
    assert "--port" in message


def test_a_host_that_is_not_ours_is_named(refused: Any, database: str) -> None:
    assert "cannot listen on 192.0.2.1" in refused("--host", "192.0.2.1", "--port", "0", "--database", database)


def test_a_database_that_cannot_be_used_is_named(refused: Any, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "text").write_text("no database" * 100)
    wrong = {
        f"sqlite:///{tmp_path / 'folder'}": "unable to open database file",
        f"sqlite:///{tmp_path / 'text'}": "file is not a database",
        f"sqlite:///{tmp_path / 'text' / 'below'}": str(tmp_path / "text"),
        "mysql://localhost/franchise": "'mysql' are not supported; write sqlite:///FILE",
        "postgresql://me:secret@127.0.0.1:1/franchise": "postgresql://me:***@127.0.0.1:1/franchise: connection failed",
        "franchise.db": "is not a database URL; write sqlite:///FILE",
        "sqlite://": "name a file",
    }
    for url, message in wrong.items():
        code = 1 if url.startswith(("sqlite:///", "postgresql:")) else 2
        assert message in refused("--port", "0", "--database", url, code=code), url


def test_the_environment_names_the_database_too(refused: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FRANCHISE_DATABASE", "mysql://localhost/franchise")
    assert "'mysql' are not supported" in refused("--port", "0", code=2)
    monkeypatch.setenv("FRANCHISE_BOT_THREADS", "many")
    assert "FRANCHISE_BOT_THREADS" in refused("--port", "0", code=2)


def test_a_missing_library_is_named_with_what_brings_it() -> None:
    code = """
import sys
sys.modules["uvicorn"] = None
from franchise.cli import main
sys.argv = ["franchise", "serve", "--port", "0"]
main()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 1
    assert done.stderr == "franchise serve: this needs uvicorn; install it with: pip install 'franchise[serve]'\n"
