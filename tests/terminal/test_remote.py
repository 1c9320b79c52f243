"""`franchise play --server`: at a real server, from the full screen and line by line, over restarts and refusals."""

import asyncio
import io
import re
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest

from franchise.terminal.local_table import NotDone, TableLost
from franchise.terminal.remote_table import Address, RemoteTable
from franchise.wording.language import language
from server.running_servers import PATIENCE, RestartableServer
from terminal.conftest import seated

Sit = Callable[..., RemoteTable]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RestartableServer]:
    site = RestartableServer(f"sqlite:///{tmp_path_factory.mktemp('site') / 'franchise.db'}")
    yield site
    site.end()


class Other:
    """The others at a table: programs that speak JSON."""

    def __init__(self, site: RestartableServer, *kinds: str) -> None:
        self.client = httpx.Client(base_url=site.address, timeout=PATIENCE)
        seats = [{"kind": kind} if kind in ("human", "open") else {"kind": "bot", "level": kind} for kind in kinds]
        answer = self.client.post("/api/tables", json={"seats": seats, "seed": 7})
        assert answer.status_code == 201, answer.text
        self.made = answer.json()
        self.page = f"{site.address}/t/{self.made['id']}"

    def token(self, seat: int) -> str:
        return str(self.made["tokens"][str(seat)])

    def state(self) -> dict[str, Any]:
        state: dict[str, Any] = self.client.get(f"/api/tables/{self.made['id']}").json()
        return state

    def move(self, seat: int, text: str) -> None:
        version = self.state()["version"]
        answer = self.client.post(
            f"/api/tables/{self.made['id']}/moves",
            json={"version": version, "move": text, "move_id": f"other-{version}"},
            headers={"Authorization": f"Bearer {self.token(seat)}"},
        )
        assert answer.status_code == 200, answer.text


Meet = Callable[..., Other]


@pytest.fixture
def meet(site: RestartableServer) -> Iterator[Callable[..., Other]]:
    """A new table with others at it."""
    met: list[Other] = []

    def meet(*kinds: str) -> Other:
        met.append(Other(site, *kinds))
        return met[-1]

    yield meet
    for other in met:
        other.client.close()


@pytest.fixture
def sit() -> Iterator[Callable[..., RemoteTable]]:
    tables: list[RemoteTable] = []

    def sit(page: str, token: str | None = None, name: str | None = None, code: str = "en") -> RemoteTable:
        tables.append(RemoteTable(Address.read(page), token, language(code), name))
        return tables[-1]

    yield sit
    for table in tables:
        table.close()


async def test_the_full_screen_shows_the_others_sends_moves_and_survives_a_restart(
    site: RestartableServer, meet: Meet, sit: Sit
) -> None:
    other = meet("human", "human")
    table = sit(other.page, other.token(0))

    async with seated(table, (80, 24)) as me:
        assert "It is Red’s turn" in me.text
        other.move(1, "start Memphis")
        await me.until(lambda: "It is your turn" in me.text)
        assert "Memp ▪" in me.text
        await me.type("rale")
        await me.press("enter")
        assert "Rale ●" in me.text
        assert other.state()["version"] == 2
        await me.press("u")  # a turn that has ended stays as it is
        assert me.prompt == "There is nothing to take back in this turn."

        await asyncio.to_thread(site.stop)
        await me.until(lambda: "The connection is lost" in me.text)
        await me.type("wash")
        assert me.app.map_widget.cursor == "Washington"
        await me.press("enter")
        assert me.prompt == "No connection: that was not sent."
        await asyncio.to_thread(site.start)
        await me.until(lambda: "The connection is lost" not in me.text)
        await me.type("wash")
        await me.press("enter")
        assert "Wash ○·····" in me.text
        assert other.state()["view"]["markers"] == ["Washington"]
        await me.press("u")
        assert other.state()["view"]["markers"] == []
        await me.press("q")
        assert not me.app.is_running
    assert table.way_back == f"Come back with: franchise play --server {other.page} --token {other.token(0)}"


def test_a_move_whose_answer_is_lost_counts_once(meet: Meet, sit: Sit) -> None:
    other = meet("human", "human")
    table = sit(other.page, other.token(1))
    post, lost = table.client.post, threading.Event()

    def lossy(*values: Any, **more: Any) -> httpx.Response:
        answer = post(*values, **more)
        if not lost.is_set():
            lost.set()
            raise httpx.ReadError("the answer is lost")
        return answer

    table.client.post = lossy  # type: ignore[method-assign]
    table.play("start Memphis")
    assert lost.is_set()
    assert (table.version, other.state()["version"]) == (1, 1)
    assert [str(move) for move in table.game.actions] == ["start Memphis"]


def test_moves_that_go_together_are_one_change(meet: Meet, sit: Sit) -> None:
    other = meet("human", "human")
    red, blue = sit(other.page, other.token(1)), sit(other.page, other.token(0))
    red.play("start Memphis")
    assert blue.advance()
    blue.play("start Indianapolis")
    before = blue.game.actions
    blue.play("expand St. Louis; done")
    assert (blue.version, other.state()["version"], other.state()["phase"]) == (3, 3, "grow")
    assert red.advance()
    assert red.advance()
    assert red.game == blue.game
    blue.undo()
    assert (blue.version, blue.game.actions) == (4, before)
    for moves, reason in {
        "expand St. Louis; grow St. Louis": "Not possible: ",
        "done; end; expand Reno": "end ends your turn: nothing can follow it.",
    }.items():
        with pytest.raises(NotDone, match=reason):
            blue.play(moves)
        assert other.state()["version"] == 4  # none of them was made


def test_who_is_late_hears_of_the_table_as_it_stands(meet: Meet, sit: Sit) -> None:
    other = meet("human", "human")
    table = sit(other.page, other.token(1))
    other.move(1, "start Memphis")
    with pytest.raises(NotDone, match="The table has moved on"):
        table.play("start Raleigh")
    assert table.game.view() == other.state()["view"]
    with pytest.raises(NotDone, match="It is not your turn"):
        table.play("start Raleigh")
    with pytest.raises(NotDone, match="Memphis is taken"):
        table.play("start Memphis")


def test_a_bot_of_the_server_moves_and_a_free_seat_can_be_taken(meet: Meet, sit: Sit) -> None:
    other = meet("open", "newcomer")
    table = sit(other.page, name="Ann")
    assert table.mine == {0}
    assert table.game.names[0] == "Ann"
    while table.game.current_player != 0:
        assert table.advance()
    assert table.game.view() == other.state()["view"]
    with pytest.raises(TableLost, match="No seat is free"):
        sit(other.page, name="Bea")
    watching = sit(other.page)
    assert watching.mine == frozenset()
    with pytest.raises(NotDone, match="you are watching"):
        watching.play(str(watching.game.legal_actions()[0]))


def test_the_token_of_an_account_finds_the_table_where_it_is_its_turn(site: RestartableServer, sit: Sit) -> None:
    with httpx.Client(base_url=site.address, timeout=PATIENCE) as ann:
        assert ann.post("/register", data={"name": "Ann", "password": "correct horse"}).status_code == 303
        found = re.search(r"fa_[\w-]+", ann.post("/account/tokens", data={"name": "terminal"}).text)
        assert found is not None
        with pytest.raises(TableLost, match="Give the address of the table as shown in the browser"):
            sit(site.address, found[0])
        made = ann.post(
            "/api/tables",
            json={"seats": [{"kind": "human"}, {"kind": "human"}], "seed": 7},
            headers={"Authorization": f"Bearer {found[0]}"},
        )
    table = sit(site.address, found[0])
    assert (table.address.table, table.mine) == (made.json()["id"], {0, 1})
    table.play("start Memphis")
    assert table.version == 1


def test_what_cannot_be_reached_is_said_in_one_line(site: RestartableServer, meet: Meet, run: Any) -> None:
    other = meet("human", "human")
    wrong = {
        ("--server", "http://127.0.0.1:9/t/abc"): "No server answers at http://127.0.0.1:9.",
        ("--server", f"{site.address}/t/nowhere"): "There is no such table. Perhaps the link is not complete.",
        ("--server", other.page, "--token", "wrong"): "This token holds no seat at this table.",
        ("--server", other.page, "--name", "Ann"): "No seat is free at this table.",
    }
    for arguments, message in wrong.items():
        code, out, err = run("play", *arguments)
        assert (code, out, err.count("\n")) == (1, "", 1), arguments
        assert err.startswith(f"franchise play: {message}")
    no_table = {
        (
            "--server",
            site.address,
        ): f"--server: Give the address of the table as shown in the browser: {site.address}/t/…",
        ("--server", "ftp://there"): "--server: 'ftp://there' is not the address of a server or a table",
        ("--name", "Ann"): "--name needs --server",
    }
    for arguments, message in no_table.items():
        code, out, err = run("play", *arguments)
        assert (code, out, err.count("\n")) == (2, "", 1), arguments
        assert err.startswith(f"franchise play: {message}")


def test_lines_play_at_a_server_through_a_pipe(meet: Meet, run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    other = meet("human", "newcomer")
    monkeypatch.setattr(sys, "stdin", io.StringIO("start Reno\nstart Raleigh\ndone\nundo\nquit\n"))
    if other.state()["view"]["locations"]["Raleigh"]["spaces"] != [None]:
        pytest.fail("the bot has taken Raleigh: choose another seed")
    code, out, err = run("play", "--server", other.page, "--token", other.token(0), "--language", "en")
    assert code == 0
    assert "Not possible: Reno " in out
    assert "Blue starts in Raleigh." in out
    assert "done is taken back." in out
    assert err == f"Come back with: franchise play --server {other.page} --token {other.token(0)}\n"
    assert other.state()["view"]["locations"]["Raleigh"]["spaces"] == ["blue"]


@pytest.mark.parametrize(
    ("text", "server", "table"),
    [
        ("http://127.0.0.1:8000/t/abc", "http://127.0.0.1:8000", "abc"),
        ("https://play.example/t/abc?move=7#log", "https://play.example", "abc"),
        ("play.example/t/abc/", "http://play.example", "abc"),
        ("http://127.0.0.1:8000/api/tables/abc", "http://127.0.0.1:8000", "abc"),
        ("http://127.0.0.1:8000/", "http://127.0.0.1:8000", None),
    ],
)
def test_a_table_is_found_by_the_address_people_have(text: str, server: str, table: str | None) -> None:
    assert Address.read(text) == Address(server, table)


@pytest.mark.parametrize("text", ["", "ftp://there", "http:///t/abc"])
def test_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not the address"):
        Address.read(text)
