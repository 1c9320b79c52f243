"""The load of `franchise bench --web`: a server, and scripted players who play and watch there."""

import asyncio
import itertools
import json
import math
import os
import random
import re
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, urlencode

from franchise.benchmarks.http_client import Answer, Connection
from franchise.benchmarks.server_process import LoadError, Process
from franchise.game import Game

PAGES = 2  # connected to each table: one for each person
LATE_S = 10.0  # for events to arrive after the last move
AT_ONCE = 8  # tables opened at the same time
SETTLE_S = 60.0  # at most, after a start, while kernels are loaded
SETTLED = 0.05  # of a core; a server that uses less for some seconds has nothing left to load
QUIET_S = 3  # it also waits a moment for the first page before it loads

Tell = Callable[[str], None]


@dataclass(frozen=True)
class Server:
    """A running `franchise serve`."""

    address: SplitResult
    pid: int | None = None  # of a process started here

    @property
    def memory_mb(self) -> float | None:
        """The memory it uses; None if the system does not report it."""
        with suppress(OSError):
            for line in Path(f"/proc/{self.pid}/status").read_text(encoding="utf-8").splitlines():
                if line.startswith("VmRSS:"):
                    return round(int(line.split()[1]) / 1024, 1)
        return None

    @property
    def processor_s(self) -> float | None:
        """The processor time it has used; None if the system does not report it."""
        with suppress(OSError):
            fields = Path(f"/proc/{self.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
            return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        return None


@dataclass(frozen=True)
class Processors:
    """The processor time of this machine so far, in ticks."""

    all: int
    stolen: int  # by other machines on the same hardware

    @classmethod
    def now(cls) -> "Processors | None":
        """None if the system does not report it."""
        with suppress(OSError, IndexError):
            ticks = Path("/proc/stat").read_text(encoding="utf-8").split("\n", 1)[0].split()[1:9]
            return cls(sum(map(int, ticks)), int(ticks[7]))
        return None

    def stolen_since(self, before: "Processors") -> float:
        """The share of the time since then that other machines used, in percent."""
        return round(100 * (self.stolen - before.stolen) / max(1, self.all - before.all), 1)


@asynccontextmanager
async def serving(tell: Tell, database: str | None = None, **environment: str) -> AsyncIterator[Server]:
    """`franchise serve` as a separate process on a free port; without a database, over a temporary one."""
    tell("starting a server")
    with tempfile.TemporaryDirectory() as folder:
        kept = database or f"sqlite:///{folder}/franchise.db"
        command = ("serve", "--no-browser", "--port", "0", "--database", kept)
        process = Process(Path(folder), "server", *command, **environment)
        try:
            await process.start()
            assert process.address is not None
            yield Server(process.address, process.pid)
        finally:
            await process.stop()


async def settled(process: Server) -> None:
    """Wait until a server has loaded what it needs."""
    before, quiet = process.processor_s or 0.0, 0
    for _ in range(int(SETTLE_S)):
        await asyncio.sleep(1)
        after = process.processor_s or 0.0
        quiet = quiet + 1 if after - before < SETTLED else 0
        if quiet == QUIET_S:
            return
        before = after


# --- tables with scripted players ---


def random_game(players: int, seed: int, left: int) -> Game:
    """A game after some random moves, with at least so many left if it lasts that long."""
    game = Game(players, seed)
    moving = random.Random(seed)
    while not game.over:
        game.play(moving.choice(game.legal_actions()))
    return game.at(moving.randrange(max(1, len(game.actions) - left)))


@dataclass
class ScriptedTable:
    """A table with the tokens of all its seats and a copy of its game."""

    id: str
    tokens: dict[int, str]
    game: Game
    chance: random.Random
    version: int = 0
    sent: dict[int, float] = field(default_factory=dict)  # when a version's move was sent
    names: "itertools.count[int]" = field(default_factory=itertools.count)
    shown: dict[int, str] = field(default_factory=dict)  # seen by the page of each seat

    @classmethod
    async def open(cls, connection: Connection, game: Game, chance: random.Random) -> "ScriptedTable":
        """A table of people that continues a game."""
        order = {"seats": [{"kind": "human"}] * game.players, "record": game.to_text()}
        answer = await connection.ask(
            "POST", "/api/tables", {"Content-Type": "application/json"}, json.dumps(order).encode()
        )
        if answer.status != 201:
            raise LoadError(f"a new table was answered with {answer.status}: {answer.content[:200].decode()}")
        made = json.loads(answer.content)
        return cls(made["id"], {int(seat): token for seat, token in made["tokens"].items()}, game, chance)

    async def load_pages(self, connection: Connection) -> None:
        """Load the page of each seat, as a browser does before anybody can move in it."""
        for seat, token in self.tokens.items():
            answer = await connection.ask("GET", f"/t/{self.id}", {"Cookie": f"franchise_key={token}"})
            if answer.status != 200:
                raise LoadError(f"GET /t/{self.id} was answered with {answer.status}")
            self.shown[seat] = shown_in(answer)

    def order(self, page: bool) -> tuple[str, dict[str, str], bytes]:
        """The next move as a request of a program, or of the page: path, headers, body."""
        move, name = str(self.chance.choice(self.game.legal_actions())), f"move-{next(self.names)}"
        seat = self.game.current_player
        token = self.tokens[seat]
        self.game.play(move)
        if page:
            headers = {
                "Content-Type": "application/x-www-form-urlencoded",
                "Cookie": f"franchise_key={token}",
                "HX-Request": "true",
                "Franchise-Shown": self.shown.get(seat, ""),
            }
            form = {"version": self.version, "moves": move, "move_id": name}
            return f"/t/{self.id}/move", headers, urlencode(form).encode()
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
        body = {"version": self.version, "move": move, "move_id": name}
        return f"/api/tables/{self.id}/moves", headers, json.dumps(body).encode()


@dataclass
class FollowingPage:
    """A page that follows a table: when each version arrived, and whether there is something to load."""

    table: ScriptedTable
    seat: int
    connection: Connection
    connected: asyncio.Event = field(default_factory=asyncio.Event)
    stale: asyncio.Event = field(default_factory=asyncio.Event)
    arrived: list[tuple[int, float]] = field(default_factory=list)

    async def follow(self) -> None:
        """Hold the stream of the table's events open."""
        async for version, data in self.connection.events(
            f"/api/tables/{self.table.id}/events?after=0", self.connected
        ):
            self.arrived.append((version, time.perf_counter()))
            if json.loads(data)["seat"] != self.seat:
                self.stale.set()


class BusyTables:
    """Tables of two people with two connected pages each, at which random moves are made at a steady pace."""

    def __init__(self, server: Server, tables: int, seconds: float, pace: float, *, from_pages: bool) -> None:
        self.server = server
        self.number = tables
        self.seconds = seconds
        self.pace = pace
        self.from_pages = from_pages  # moves are made by pages, and the other page loads its parts after each
        self.tables: list[ScriptedTable] = []
        self.pages: list[FollowingPage] = []
        self.answers: list[float] = []  # milliseconds, like the rest
        self.scenes: list[float] = []
        self.delays: list[float] = []
        self.missing = 0
        self.took = seconds  # until the last answer
        self.memory: float | None = None
        self.processor: float | None = None  # seconds

    async def run(self, what: str, tell: Tell) -> None:
        """Open the tables, connect the pages, make the moves, and check what arrived."""
        tell(f"{what}: opening {self.number} tables")
        await self.open()
        tasks: list[asyncio.Task[None]] = []
        try:
            tasks += [asyncio.create_task(page.follow()) for page in self.pages]
            async with asyncio.timeout(LATE_S + self.number / 10):
                await gathered(page.connected.wait() for page in self.pages)
            if self.from_pages:
                tasks += [asyncio.create_task(self.reload(page)) for page in self.pages]
            before = self.server.processor_s
            ticker = asyncio.create_task(self.tick(what, tell))
            tasks.append(ticker)
            began = time.perf_counter()
            await gathered(self.play(table, began + self.seconds) for table in self.tables)
            self.took = time.perf_counter() - began
            if before is not None:
                self.processor = (self.server.processor_s or before) - before
            await self.settle()
            self.memory = self.server.memory_mb
            for task in tasks:
                if task.done() and not task.cancelled() and (error := task.exception()):
                    raise LoadError(f"a page lost its connection: {error}")
        except TimeoutError:
            raise LoadError(f"the server did not connect {len(self.pages)} pages in time") from None
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await gathered(page.connection.close() for page in self.pages)
        self.count()

    async def open(self) -> None:
        """Tables of two that continue a random game, so that boards and logs have all lengths.

        Whoever moves from a page has loaded it before.
        """
        gate = asyncio.Semaphore(AT_ONCE)
        left = math.ceil(2 * self.seconds / self.pace)
        games = [random_game(2, number, left) for number in range(self.number)]  # takes seconds: before any connection

        async def task(number: int) -> ScriptedTable:
            async with gate, Connection(self.server.address) as connection:
                table = await ScriptedTable.open(connection, games[number], random.Random(number))
                if self.from_pages:
                    await table.load_pages(connection)
                return table

        self.tables = await gathered(task(number) for number in range(self.number))
        self.pages = [
            FollowingPage(table, seat, Connection(self.server.address))
            for table in self.tables
            for seat in range(PAGES)
        ]

    async def play(self, table: ScriptedTable, until: float) -> None:
        """Make moves at a table at the average pace, but at random times; one at least, however busy the machine is."""
        connection = Connection(self.server.address)
        try:
            await asyncio.sleep(table.chance.uniform(0, min(self.pace, self.seconds / 2)))
            while not table.game.over and (not table.sent or time.perf_counter() < until):
                seat = table.game.current_player
                path, headers, body = table.order(self.from_pages)
                sent = time.perf_counter()
                answer = await connection.ask("POST", path, headers, body)
                took = time.perf_counter() - sent
                if answer.status != 200:
                    raise LoadError(f"POST {path} was answered with {answer.status}: {answer.content[:200].decode()}")
                table.shown[seat] = shown_in(answer)
                table.version += 1
                table.sent[table.version] = sent
                self.answers.append(took * 1000)
                await asyncio.sleep(max(0, table.chance.uniform(0.5, 1.5) * self.pace - took))
        finally:
            await connection.close()

    async def reload(self, page: FollowingPage) -> None:
        """Load the parts after the other player's moves like the page's script: the newest state, one at a time."""
        connection = Connection(self.server.address)
        headers = {"Cookie": f"franchise_key={page.table.tokens[page.seat]}", "HX-Request": "true"}
        try:
            while await page.stale.wait():
                page.stale.clear()
                shown = page.table.shown.get(page.seat, "")
                sent = time.perf_counter()
                answer = await connection.ask("GET", f"/t/{page.table.id}/scene", headers | {"Franchise-Shown": shown})
                self.scenes.append((time.perf_counter() - sent) * 1000)
                if answer.status != 200:
                    raise LoadError(f"GET /t/{page.table.id}/scene was answered with {answer.status}")
                page.table.shown[page.seat] = shown_in(answer)
        finally:
            await connection.close()

    async def tick(self, what: str, tell: Tell) -> None:
        """Report the progress."""
        for passed in itertools.count():
            tell(f"{what}: second {passed + 1} of {self.seconds:g}, {len(self.answers)} moves")
            await asyncio.sleep(1)

    async def settle(self) -> None:
        """Wait until every page has seen the last move, and some have loaded what it changed."""
        latest = time.perf_counter() + LATE_S
        while time.perf_counter() < latest and (
            any(len(page.arrived) < page.table.version for page in self.pages) or (self.from_pages and not self.scenes)
        ):
            await asyncio.sleep(0.05)

    def count(self) -> None:
        """Compare what arrived with what was sent: each version once, in order."""
        for page in self.pages:
            seen = dict(page.arrived)
            if [version for version, _ in page.arrived] != sorted(seen):
                raise LoadError(f"a page of table {page.table.id} was told of a version twice or out of order")
            for version, sent in page.table.sent.items():
                if version in seen:
                    self.delays.append((seen[version] - sent) * 1000)
                else:
                    self.missing += 1


def shown_in(answer: Answer) -> str:
    """The id of the state that a page shows, which it sends with its next request."""
    match = re.search(rb'data-shown="(\w+)"', answer.content)
    return match[1].decode() if match else ""


async def gathered(work: Iterable[Any]) -> list[Any]:
    """Run all of them concurrently; the first error cancels the rest."""
    tasks = [asyncio.ensure_future(task) for task in work]
    try:
        return list(await asyncio.gather(*tasks))
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
