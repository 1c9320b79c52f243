"""Servers for tests: inside the test's event loop, and as processes of their own."""

import asyncio
import json
import os
import re
import sqlite3
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, closing
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import Any, Self

import httpx
from sqlalchemy import create_engine, select

from franchise.server.app import create_app
from franchise.server.live.broadcast import Broadcast
from franchise.server.settings import Settings
from franchise.server.storage import schema
from franchise.server.storage.sql_store import opened
from franchise.server.tables.service import Tables
from franchise.server.tables.table import Table
from franchise.server.wiring import store_of, tables_of
from server.reserved_port import ReservedPort
from waiting import PATIENCE, wait_until


class InProcessServer:
    """An application that runs in the test's event loop."""

    def __init__(self, tables: Tables, client: httpx.AsyncClient) -> None:
        self.tables = tables
        self.client = client

    async def create(self, *kinds: str, **more: Any) -> "ApiPlayer":
        """A table with these seats: human, open, or the level of a bot."""
        seats = [{"kind": kind} if kind in ("human", "open") else {"kind": "bot", "level": kind} for kind in kinds]
        answer = await self.client.post("/api/tables", json={"seats": seats, "seed": 7, **more})
        assert answer.status_code == 201, answer.text
        return ApiPlayer(self.client, answer.json())


class ApiPlayer:
    """Somebody with the tokens of a table."""

    def __init__(self, client: httpx.AsyncClient, created: dict[str, Any]) -> None:
        self.client = client
        self.created = created
        self.id: str = created["id"]
        self.path = f"/api/tables/{self.id}"
        self.tokens = {int(seat): token for seat, token in created["tokens"].items()}
        self.made = 0

    def bearer(self, seat: int | None) -> dict[str, str]:
        return {} if seat is None else {"Authorization": f"Bearer {self.tokens[seat]}"}

    async def get(self, seat: int | None = None) -> dict[str, Any]:
        answer = await self.client.get(self.path, headers=self.bearer(seat))
        assert answer.status_code == 200
        state: dict[str, Any] = answer.json()
        return state

    async def post(self, what: str, seat: int | None, **body: Any) -> httpx.Response:
        return await self.client.post(f"{self.path}/{what}", json=body, headers=self.bearer(seat))

    async def move(self, move: str | None = None, **more: Any) -> httpx.Response:
        """A move of the seat to move: the first legal one, if not said otherwise."""
        state = await self.get()
        seat = more.pop("seat", state["current_player"])
        if move is None:
            move = (await self.get(seat))["legal"][0]
        self.made += 1
        order = {"version": state["version"], "move": move, "move_id": f"m{self.made}", **more}
        return await self.post("moves", seat, **order)

    async def play(self, *moves: str) -> dict[str, Any]:
        """Moves that are legal, one after the other."""
        for move in moves:
            answer = await self.move(move)
            assert answer.status_code == 200, answer.text
        return await self.get()


async def until(tables: Tables, table_id: str, wanted: Callable[[Table], bool]) -> Table:
    """The table at the first of its versions that is as wanted, as soon as there is one."""
    heard = asyncio.Event()
    leave = tables.bus.subscribe(lambda notice: heard.set(), table_id)
    seen = 0
    try:
        while True:
            heard.clear()
            table = await tables.get(table_id)
            for version in (*table.since(seen), table):
                if wanted(version):
                    return version
            seen = table.version
            await heard.wait()
    finally:
        leave()


class FollowingClient:
    """A client that follows a table, and reads only when it is asked for what it was sent."""

    def __init__(
        self, broadcast: Broadcast, table: str, after: int | None, room: int = 0, reseated: int | None = None
    ) -> None:
        self.sent: asyncio.Queue[bytes] = asyncio.Queue(room)  # as much as a connection takes; 0 for anything
        self.task = asyncio.ensure_future(broadcast.follow(table, after, self.sent.put, reseated))

    async def read(self) -> bytes:
        reading = asyncio.ensure_future(self.sent.get())
        await asyncio.wait([reading, self.task], return_when=asyncio.FIRST_COMPLETED)
        if not reading.done():
            reading.cancel()
            self.task.result()
        return await reading

    async def told(self, last: str) -> list[str]:
        """The ids and names of events up to one of them."""
        found: list[str] = []
        while last not in found:
            found += re.findall(r"^(?:id|event): (\w+)$", (await self.read()).decode(), re.MULTILINE)
        return found

    async def leave(self) -> None:
        self.task.cancel()
        await asyncio.wait([self.task])


@asynccontextmanager
async def running_server(database: str, **settings: Any) -> AsyncIterator[InProcessServer]:
    """A server over a database."""
    app = create_app(Settings(database=database, bot_threads=2, **settings))
    transport = httpx.ASGITransport(app, raise_app_exceptions=True)
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url="http://table") as client,
    ):
        yield InProcessServer(app.state.tables, client)


@asynccontextmanager
async def running_tables(database: str, now: "ManualClock") -> AsyncIterator[Tables]:
    """Tables over a database, without routes."""
    async with opened(store_of(database)) as store:
        tables = tables_of(store, Settings(database=database, bot_threads=1), now)
        try:
            await tables.start()
            yield tables
        finally:
            await tables.close()


def upgrade(database: str) -> None:
    """Make a database current."""
    subprocess.run([sys.executable, "-m", "franchise", "db", "upgrade", "--database", database], check=True)


def contents(database: str) -> str:
    """Everything that is written down."""
    engine = create_engine(database.replace("postgresql:", "postgresql+psycopg:"))
    with engine.connect() as connection:
        rows = [connection.execute(select(table)).all() for table in schema.metadata.sorted_tables]
    engine.dispose()
    return str(rows)


class ManualClock:
    """The time, which passes only when a test lets it: else a busy machine would use up what is counted.

    Every look at it is a microsecond later, so that what happens has an order.
    """

    def __init__(self) -> None:
        self.now = datetime.now(UTC)

    def __call__(self) -> datetime:
        self.now += timedelta(microseconds=1)
        return self.now

    def forward(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)


# --- processes ---


class ServerProcess:
    """`franchise serve` on a free port."""

    program: tuple[str, ...] = ("-m", "franchise")
    command: tuple[str, ...] = ("serve", "--no-browser", "--port", "0")
    ready = "Franchise is at "

    def __init__(self, database: str, *arguments: str, **environment: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, *self.program, *self.command, "--database", database, *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1", **environment},
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()  # said when it is ready
        assert self.ready in line, line + self.stop()[1]
        self.address = line.partition(self.ready)[2].split()[0].rstrip("/")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop(9)  # if it still runs: the test has failed

    def stop(self, signal: int = 15) -> tuple[int, str]:
        """End the process; its exit code and what it complained about."""
        if self.process.poll() is None:
            self.process.send_signal(signal)
        _, complaint = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, complaint


class WorkerProcess(ServerProcess):
    """`franchise worker`."""

    command = ("worker",)
    ready = "The worker is ready "


class ShiftedServer(ServerProcess):
    """`franchise serve` over a file in a folder, by a clock that a test puts forward."""

    notice_delay = 900  # seconds: longer than any test takes, so that time passes for notices only when it is let pass

    def __init__(self, folder: Path, *arguments: str, **environment: str) -> None:
        self.shift = folder / "shift"
        self.file = folder / "franchise.db"
        self.passed = 0.0
        self.forward(0)
        self.program = (str(Path(__file__).with_name("shifted_time.py")), str(self.shift))
        environment = {"FRANCHISE_NOTICE_DELAY": str(self.notice_delay), **environment}
        super().__init__(f"sqlite:///{self.file}", *arguments, **environment)

    def forward(self, seconds: float) -> None:
        """Let so much time pass."""
        self.passed += seconds
        new = self.shift.with_suffix(".new")
        new.write_text(str(self.passed))
        new.replace(self.shift)  # at once: the server may read it at any moment

    def notices_due(self, *table_ids: str) -> None:
        """Let the notices of turns at these tables become due, once all are noted: one noted later would wait again."""
        with closing(sqlite3.connect(self.file)) as database:

            def noted() -> bool:
                rows = database.execute("SELECT table_id FROM notices WHERE state = 'waiting'")
                return set(table_ids) <= {table_id for (table_id,) in rows}

            wait_until(noted, "a notice of every turn")
        self.forward(self.notice_delay)


class RestartableServer:
    """`franchise serve` over one file and at one address, however often it is started."""

    def __init__(self, database: str, **environment: str) -> None:
        self.database = database
        self.environment = environment
        self.port = ReservedPort()
        self.start()
        self.address = self.process.address

    def start(self) -> None:
        self.process = ServerProcess(self.database, "--port", str(self.port.number), **self.environment)

    def stop(self, signal: int = 15) -> None:
        self.process.stop(signal)

    def end(self) -> None:
        """Stop it for good."""
        self.stop(9)
        self.port.close()


def create(client: httpx.Client, address: str, *kinds: str) -> dict[str, Any]:
    """A table at a server, with its path: seats are human, or the level of a bot."""
    seats = [{"kind": "human"} if kind == "human" else {"kind": "bot", "level": kind} for kind in kinds]
    answer = client.post(f"{address}/api/tables", json={"seats": seats, "seed": 7})
    assert answer.status_code == 201
    table: dict[str, Any] = answer.json()
    return table | {"path": f"/api/tables/{table['id']}"}


def move(
    client: httpx.Client, address: str, table: dict[str, Any], seat: int, version: int, text: str, move_id: str = ""
) -> httpx.Response:
    """A move through a server."""
    return client.post(
        f"{address}{table['path']}/moves",
        json={"version": version, "move": text, "move_id": move_id or f"{version} {text}"},
        headers={"Authorization": f"Bearer {table['tokens'][str(seat)]}"},
    )


def read_events(client: httpx.Client, path: str, number: int, **headers: str) -> list[dict[str, Any]]:
    """The first events of a stream: id, event and data."""
    with client.stream("GET", path, headers=headers, timeout=PATIENCE) as answer:
        assert answer.status_code == 200
        return list(islice(parsed(answer.iter_lines()), number))


def parsed(lines: Iterator[str]) -> Iterator[dict[str, Any]]:
    """Server-sent events from their lines, for as long as a test waits."""
    fields: dict[str, Any] = {}
    began = time.monotonic()
    for line in lines:
        assert time.monotonic() - began < PATIENCE, "no event came"
        if not line and "data" in fields:
            yield fields | {"data": json.loads(fields["data"])}
        if not line:
            fields = {}
        name, _, value = line.partition(":")
        if name:
            fields[name] = value.removeprefix(" ")
