"""Several servers and workers over one PostgreSQL: as processes, as on several machines."""

import signal
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any

import httpx
import psycopg
import pytest

from franchise.benchmarks.temporary_postgres import TemporaryPostgres
from franchise.game import Game
from server.running_servers import PATIENCE, ServerProcess, WorkerProcess, create, move, parsed
from waiting import wait_until

GAMES = Path(__file__).parents[1] / "games"
Row = tuple[Any, ...]


class Site:
    """Two servers that leave thinking to workers."""

    def __init__(self, database: str) -> None:
        self.database = database
        with ThreadPoolExecutor(2) as starters:
            self.this, self.other = starters.map(lambda _: self.start(), range(2))

    def start(self) -> ServerProcess:
        return ServerProcess(self.database, FRANCHISE_BOT_THREADS="0", FRANCHISE_LIMITS="0")

    def rows(self, statement: str, *values: object) -> list[Row]:
        with psycopg.connect(self.database, autocommit=True) as connection:
            done = connection.execute(statement, values)
            return done.fetchall() if done.description else []

    def cut(self) -> None:
        """End every connection to the database, once both servers have some again."""
        others = "FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        wait_until(lambda: len(self.rows(f"SELECT pid {others}")) > 4, "the servers do not connect again")
        self.rows(f"SELECT pg_terminate_backend(pid) {others}")


@pytest.fixture(scope="module")
def site(cluster: TemporaryPostgres) -> Iterator[Site]:
    made = Site(cluster.create("site", "current"))
    yield made
    complaints = [server.stop() for server in (made.this, made.other)]
    assert [code for code, _ in complaints] == [0, 0]
    assert "Traceback" not in "".join(complaint for _, complaint in complaints)


@pytest.fixture
def client() -> Iterator[httpx.Client]:
    with httpx.Client(timeout=PATIENCE) as client:
        yield client


@pytest.fixture
def worker(site: Site) -> Iterator[Callable[[], WorkerProcess]]:
    """Start workers; all are ended with the test."""
    started: list[WorkerProcess] = []

    def start() -> WorkerProcess:
        started.append(WorkerProcess(site.database, FRANCHISE_BOT_THREADS="1"))
        return started[-1]

    yield start
    for process in started:
        process.stop(9)


def script(length: int) -> list[tuple[int, str]]:
    """The first moves of the table `create` makes for two people, with the seats that make them."""
    game, moves = Game(2, 7), []
    while len(moves) < length:
        moves.append((game.current_player, str(game.legal_actions()[0])))
        game.play(moves[-1][1])
    return moves


def test_a_page_at_one_server_sees_what_happens_at_another(site: Site, client: httpx.Client) -> None:
    table = create(client, site.this.address, "human", "human")
    with (
        httpx.Client(timeout=PATIENCE) as this,
        httpx.Client(timeout=PATIENCE) as other,
        this.stream("GET", f"{site.this.address}{table['path']}/events?after=0") as here,
        other.stream("GET", f"{site.other.address}{table['path']}/events?after=0") as there,
    ):
        pages = [parsed(here.iter_lines()), parsed(there.iter_lines())]
        for version, (seat, text) in enumerate(script(12)):
            servers = (site.other, site.this) if version % 2 else (site.this, site.other)
            assert move(client, servers[0].address, table, seat, version, text).status_code == 200
            seen = next(pages[0 if version % 2 else 1])  # at the other server
            assert (seen["id"], seen["data"]["move"]) == (str(version + 1), text)
            assert next(pages[version % 2])["id"] == str(version + 1)


def test_of_two_moves_at_the_same_instant_one_is_made_and_the_other_refused(site: Site, client: httpx.Client) -> None:
    table = create(client, site.this.address, "human", "human")
    together = Barrier(2)

    def press(address: str, seat: int, version: int, text: str, move_id: str) -> httpx.Response:
        with httpx.Client(timeout=PATIENCE) as own:
            together.wait(PATIENCE)
            return move(own, address, table, seat, version, text, move_id)

    with ThreadPoolExecutor(2) as people:
        for version, (seat, text) in enumerate(script(10)):
            repeated = version % 2  # the same request through both servers, or two requests
            pressed = [
                people.submit(
                    press, server.address, seat, version, text, "" if repeated else f"{version} {server.address}"
                )
                for server in (site.this, site.other)
            ]
            answers = [asked.result(PATIENCE) for asked in pressed]
            if repeated:
                assert [answer.status_code for answer in answers] == [200, 200]
                assert answers[0].json() == answers[1].json()
            else:
                assert sorted(answer.status_code for answer in answers) == [200, 409]
                refused = next(answer.json() for answer in answers if answer.status_code == 409)
                assert (refused["error"], refused["state"]["version"]) == ("stale", version + 1)
    assert site.rows("SELECT count(*) FROM changes WHERE table_id = %s", table["id"]) == [(10,)]


def test_nothing_is_missed_when_connections_to_the_database_are_cut(site: Site, client: httpx.Client) -> None:
    table = create(client, site.this.address, "human", "human")
    moves = iter(enumerate(script(16)))
    with client.stream("GET", f"{site.this.address}{table['path']}/events?after=0") as answer:
        events = parsed(answer.iter_lines())
        with httpx.Client(timeout=PATIENCE) as people:
            for round_number in range(4):
                if round_number:
                    site.cut()
                for server in (site.other, site.this, site.other, site.other):
                    version, (seat, text) = next(moves)
                    assert move(people, server.address, table, seat, version, text).status_code == 200
            numbered: list[str] = []
            while len(numbered) < 16:
                event = next(events)  # and perhaps some that say: look again
                numbered += [event["id"]] if "id" in event else []
            assert numbered == [str(version) for version in range(1, 17)]
            headers = {"Authorization": f"Bearer {table['tokens']['0']}"}
            posted = people.post(
                f"{site.other.address}{table['path']}/chat", json={"text": "still here?"}, headers=headers
            )
            assert posted.status_code == 201
        while next(events).get("event") != "chat":
            pass


def halted(process: ServerProcess, holds: Callable[[], Any]) -> bool:
    """Halt a process where something holds, and it cannot change that any more; else it goes on."""
    process.process.send_signal(signal.SIGSTOP)
    if holds():
        return True
    process.process.send_signal(signal.SIGCONT)
    return False


def test_workers_play_for_the_bots_and_take_over_from_one_that_died(
    site: Site, client: httpx.Client, worker: Callable[[], WorkerProcess]
) -> None:
    table = create(client, site.this.address, "expert", "expert")
    held = "SELECT worker, until FROM jobs WHERE table_id = %s AND worker IS NOT NULL"
    version = "SELECT version FROM tables WHERE id = %s"
    assert site.rows(version, table["id"]) == [(0,)]
    nearly = Game.from_text((GAMES / "base-2.franchise").read_text(encoding="utf-8"))
    bots = [{"kind": "bot", "level": "random"}] * 2
    order = {"seats": bots, "record": nearly.at(len(nearly.actions) - 1).to_text()}
    ending = client.post(f"{site.this.address}/api/tables", json=order).json()["id"]
    first = worker()
    wait_until(lambda: site.rows("SELECT settled FROM tables WHERE id = %s", ending) == [(True,)])  # it ends there
    with client.stream("GET", f"{site.this.address}{table['path']}/events?after=0") as answer:
        events = parsed(answer.iter_lines())
        assert next(events)["id"] == "1"
        wait_until(lambda: halted(first, lambda: site.rows(held, table["id"])), "it never thinks about the table")
        first.stop(signal.SIGKILL)
    [(name, until)] = site.rows(held, table["id"])  # which nobody gave back
    [(stopped,)] = site.rows(version, table["id"])
    second = worker()
    with client.stream("GET", f"{site.other.address}{table['path']}/events?after={stopped}") as answer:
        events = parsed(answer.iter_lines())
        assert next(events)["id"] == str(stopped + 1)
    [(moved_at,)] = site.rows("SELECT at FROM changes WHERE table_id = %s AND number = %s", table["id"], stopped + 1)
    assert moved_at > until, "somebody moved while the lease was another's"
    assert name not in {row[0] for row in site.rows(held, table["id"])}
    assert second.stop(signal.SIGTERM) == (0, "")
    assert site.rows("SELECT * FROM jobs WHERE worker IS NOT NULL") == []  # given back
    assert worker().stop(signal.SIGINT) == (130, "")
