"""franchise bench --service: how fast a server answers, and how many moves a second it makes while many follow.

People are scripted: whole games are played before anything is measured, so that nothing but sending, receiving and
counting is left to do, and the server can have the machine.
"""

import asyncio
import json
import math
import random
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field
from urllib.parse import SplitResult

from franchise.benchmarks.figures import Figure, percentile, single
from franchise.benchmarks.http_client import Answer, Connection, request_bytes
from franchise.benchmarks.scripted_players import Processors, ScriptedTable, Server, Tell, gathered, serving
from franchise.benchmarks.server_process import LoadError, read_address
from franchise.benchmarks.temporary_postgres import NoPostgres, TemporaryPostgres
from franchise.game import Game
from franchise.server.wiring import store_of

MOVES_PER_S = 800.0
P99_MS = 150.0
MEMORY_MB = 500.0
START_S = 1.2
STARTS = 5
AT_ONCE = 8  # tables opened, and streams connected, at the same time
LATE_S = 10.0  # for the last events to arrive
PLAYERS = 4
WARM_S = 1.0  # warm-up
LEAST_S = 1.0  # measured: a server may play its games to the end before the time is up
MOST_MOVES = 200  # of a game: most random games are longer


@dataclass(frozen=True)
class ServicePlan:
    """What is measured."""

    tables: int = 200
    streams: int = 1000
    seconds: float = 10.0
    rate: float = 825.0  # moves a second at which the time to an answer is measured
    addresses: tuple[str, ...] = ()  # of running servers that share their tables; by default one is started
    postgres: bool = False  # one server, then two, over a temporary PostgreSQL


def measure(plan: ServicePlan, tell: Tell) -> list[Figure]:
    """The figures of the service."""
    run = asyncio.run
    with suppress(ImportError):
        import uvloop

        run = uvloop.run
    try:
        return run(measured(plan, tell))
    except (OSError, EOFError) as error:
        where = " or ".join(plan.addresses) or "of this run"
        raise LoadError(f"a server ({where}) does not answer as it should: {error}") from None


async def measured(plan: ServicePlan, tell: Tell) -> list[Figure]:
    if plan.postgres:
        return await measure_over_postgres(plan, tell)
    figures: list[Figure] = []
    async with AsyncExitStack() as stack:
        servers = [Server(read_address(address)) for address in plan.addresses]
        if not servers:
            figures.append(await measure_start(tell))
            servers = [await stack.enter_async_context(serving(tell))]
        steady = ServiceLoad(servers, plan, plan.rate / plan.tables)
        await steady.run(tell)
        flat_out = ServiceLoad(servers, plan, None)
        await flat_out.run(tell)
    figures += steady.figures("steady", f"{plan.rate:g} moves a second asked for")
    return [*figures, *flat_out.figures("rush", "flat out")]


async def measure_start(tell: Tell, starts: int = STARTS) -> Figure:
    """From the start of a server over a new SQLite file to its first page; an earlier start fills the caches."""
    seconds: list[float] = []
    for _ in range(1 + starts):
        began = time.perf_counter()
        async with serving(tell) as server, Connection(server.address) as connection:
            answer = await connection.ask("GET", "/")
            if answer.status != 200:
                raise LoadError(f"GET / was answered with {answer.status}")
            seconds.append(time.perf_counter() - began)
    counted = seconds[1:]
    values = {"min": min(counted), "median": percentile(counted, 0.5), "max": max(counted)}
    return Figure(
        "start",
        "start to the first page, kernels in the cache (min / median / max)",
        {name: round(value, 2) for name, value in values.items()},
        "s",
        START_S,
        "median",
    )


async def measure_over_postgres(plan: ServicePlan, tell: Tell) -> list[Figure]:
    """Measure one server and two servers over one database."""
    tell("starting PostgreSQL")
    try:
        cluster = await asyncio.to_thread(TemporaryPostgres)
    except NoPostgres as missing:
        raise LoadError(str(missing)) from None
    figures: list[Figure] = []
    try:
        database = await asyncio.to_thread(cluster.create, "bench")
        store = store_of(database)
        try:
            await store.upgrade()  # type: ignore[union-attr]
        finally:
            await store.close()
        for number, name in enumerate(("one", "two"), 1):
            async with AsyncExitStack() as stack:
                servers = [await stack.enter_async_context(serving(tell, database)) for _ in range(number)]
                steady, flat_out = ServiceLoad(servers, plan, plan.rate / plan.tables), ServiceLoad(servers, plan, None)
                await steady.run(tell)
                await flat_out.run(tell)
            who = f"PostgreSQL, {name} server{'s' * (number > 1)}"
            figures += steady.figures(f"{name}_steady", f"{who}, {plan.rate:g} moves a second asked for")
            figures += flat_out.figures(f"{name}_rush", f"{who}, flat out")
    finally:
        await asyncio.to_thread(cluster.remove)
    return figures


# --- games prepared in advance ---


def long_game(seed: int, moves: int) -> Game:
    """A random game that lasts at least so long."""
    while True:
        game, moving = Game(PLAYERS, seed), random.Random(seed)
        while not game.over and len(game.actions) < moves:
            game.play(moving.choice(game.legal_actions()))
        if len(game.actions) >= moves:
            return game
        seed += 100_003


def requests(table: ScriptedTable, moves: Sequence[tuple[int, str]], address: SplitResult) -> Iterator[bytes]:
    """The bytes that are sent for every move of a table, with its seat's token, the version, a name."""
    for version, (seat, move) in enumerate(moves):
        body = json.dumps({"version": version, "move": move, "move_id": f"m{version}"}).encode()
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {table.tokens[seat]}"}
        yield request_bytes(address, "POST", f"/api/tables/{table.id}/moves", headers, body)


def moves_by_seat(game: Game) -> list[tuple[int, str]]:
    """The moves of a game with the seats that made them."""
    walk, moves = game.at(0), []
    for action in game.actions:
        moves.append((walk.current_player, str(action)))
        walk.play(action)
    return moves


@dataclass
class MovingTable:
    """A table at which scripted players play at a given speed."""

    table: ScriptedTable
    requests: Iterator[bytes]
    connections: list[Connection]  # one to each server
    made: int = 0


class FollowedTable:
    """The stream of a table, whose events are counted."""

    def __init__(self, address: SplitResult) -> None:
        self.connection = Connection(address)
        self.events = 0

    def count(self, event: bytes) -> None:
        self.events += event.startswith(b"id: ") or b"\nid: " in event


@dataclass
class ServiceLoad:
    """Tables at which moves are made, and those who follow them."""

    servers: Sequence[Server]
    plan: ServicePlan
    rate: float | None  # moves a second at each table; None for as many as possible
    moving: list[MovingTable] = field(default_factory=list)
    followed: list[FollowedTable] = field(default_factory=list)
    answers: list[float] = field(default_factory=list)  # milliseconds
    under_way: list[int] = field(default_factory=list)  # requests at each server
    missing: int = 0
    began: float = 0.0  # counting
    until: float = 0.0
    last: float = 0.0  # answer
    took: float = 0.0
    processor_before: float | None = None
    machine_before: Processors | None = None
    memory: float | None = None
    processor: float | None = None
    stolen: float | None = None  # percent of the machine's processors

    async def run(self, tell: Tell) -> None:
        what = "flat out" if self.rate is None else "at a steady rate"
        self.under_way = [0] * len(self.servers)
        tell(f"{what}: opening {self.plan.tables} tables")
        await self.open()
        try:
            tell(f"{what}: connecting {self.plan.streams} streams")
            await self.listen()
            tell(f"{what}: playing for {self.plan.seconds:g} s")
            await self.play()
            await self.settle()
            self.memory = self.sum_over_servers(lambda server: server.memory_mb)
        finally:
            connections = [table.connection for table in self.followed]
            connections += [connection for moving in self.moving for connection in moving.connections]
            await gathered(connection.close() for connection in connections)

    async def open(self) -> None:
        moves = MOST_MOVES if self.rate is None else round((WARM_S + self.plan.seconds) * 2 * self.rate)
        # All before the first connection: a server closes one that waits for its request while games are made up.
        games = [long_game(number, min(moves, MOST_MOVES)) for number in range(self.plan.tables)]
        orders = [moves_by_seat(game) for game in games]
        gate = asyncio.Semaphore(AT_ONCE)

        async def seated(number: int) -> MovingTable:
            address = self.servers[number % len(self.servers)].address
            async with gate, Connection(address) as connection:
                table = await ScriptedTable.open(connection, games[number].at(0), random.Random(number))
            connections = [Connection(server.address) for server in self.servers]
            return MovingTable(table, requests(table, orders[number], address), connections)

        self.moving = await gathered(seated(number) for number in range(self.plan.tables))

    async def listen(self) -> None:
        gate = asyncio.Semaphore(AT_ONCE * 4)

        async def follow(number: int) -> FollowedTable:
            table = self.moving[number % len(self.moving)].table
            followed = FollowedTable(self.servers[number // len(self.moving) % len(self.servers)].address)
            async with gate:
                await followed.connection.follow(f"/api/tables/{table.id}/events?after=0", followed.count)
            return followed

        self.followed = await gathered(follow(number) for number in range(self.plan.streams))

    async def play(self) -> None:
        began = time.perf_counter()
        self.until = math.inf  # until the measured seconds have begun
        counting = asyncio.get_running_loop().call_later(WARM_S, self.begin)
        try:
            await gathered(self.make_moves(moving, number, began) for number, moving in enumerate(self.moving))
        finally:
            counting.cancel()
        self.took = self.last - self.began
        if self.processor_before is not None:
            self.processor = (self.sum_over_servers(lambda server: server.processor_s) or 0) - self.processor_before
        now = Processors.now()
        if self.machine_before is not None and now is not None:
            self.stolen = now.stolen_since(self.machine_before)

    def begin(self) -> None:
        """Start counting."""
        self.began = time.perf_counter()
        self.until = self.began + self.plan.seconds
        self.processor_before = self.sum_over_servers(lambda server: server.processor_s)
        self.machine_before = Processors.now()
        self.answers.clear()

    async def make_moves(self, moving: MovingTable, number: int, began: float) -> None:
        """Make one move after another, as soon as the last is answered or at a steady rate, until a game is over."""
        chance = random.Random(number)
        due = began + chance.random() / (self.rate or 1e9)
        for request in moving.requests:
            now = time.perf_counter()
            if self.rate is not None:
                if due > now:
                    await asyncio.sleep(due - now)
                due = max(due + chance.uniform(0.5, 1.5) / self.rate, time.perf_counter())
            sent = time.perf_counter()
            if sent >= self.until:
                return
            answer = await self.balanced(moving, request)
            if answer.status != 200:
                raise LoadError(f"a move was answered with {answer.status}: {answer.content[:400].decode()}")
            moving.made += 1
            self.last = time.perf_counter()
            self.answers.append((self.last - sent) * 1000)
        self.until = min(self.until, time.perf_counter())
        if not self.began or self.until < self.began + LEAST_S:
            raise LoadError("the games were over before anything could be measured; take more tables")

    async def balanced(self, moving: MovingTable, request: bytes) -> Answer:
        """Send a request to the server with the fewest open requests, as a load balancer does."""
        server = min(range(len(self.servers)), key=self.under_way.__getitem__)
        self.under_way[server] += 1
        try:
            return await moving.connections[server].send(request)
        finally:
            self.under_way[server] -= 1

    async def settle(self) -> None:
        """Wait until every follower has received every move."""
        latest = time.perf_counter() + LATE_S
        while self.undelivered() and time.perf_counter() < latest:
            await asyncio.sleep(0.05)
        self.missing = self.undelivered()

    def undelivered(self) -> int:
        return sum(
            self.moving[number % len(self.moving)].made - table.events for number, table in enumerate(self.followed)
        )

    def sum_over_servers(self, figure: Callable[[Server], float | None]) -> float | None:
        values = [figure(server) for server in self.servers]
        return None if None in values else sum(value for value in values if value is not None)

    def figures(self, key: str, text: str) -> list[Figure]:
        rate = len(self.answers) / self.took
        times = {"median": 0.5, "p99": 0.99, "max": 1.0}
        spread = {name: round(percentile(self.answers, share), 1) for name, share in times.items()}
        steady = self.rate is not None
        each = None if self.processor is None else round(1000 * self.processor / len(self.answers), 2)
        return [
            Figure(
                f"{key}_moves_per_s",
                f"{self.plan.tables} tables, {self.plan.streams} streams, {text}: acknowledged moves a second",
                {"value": round(rate, 1)},
                least=MOVES_PER_S if steady else None,
            ),
            Figure(
                f"{key}_answer",
                "the same: move to answer (median / p99 / max)",
                spread,
                "ms",
                P99_MS if steady else None,
                "p99",
            ),
            single(f"{key}_processor", "the same: the server's processor time for each move", each, "ms"),
            single(f"{key}_stolen", "the same: processor time that other machines took away", self.stolen, "%"),
            single(f"{key}_missing", "the same: events that did not arrive", self.missing, limit=0),
            single(
                f"{key}_memory", "the same: memory of the servers", self.memory, "MB", MEMORY_MB * len(self.servers)
            ),
        ]
