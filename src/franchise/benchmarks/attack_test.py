"""The attack of `franchise attack`: hostile requests to servers started on this machine.

One server, without limits, gets generated requests and forged forms for every route, by every kind of visitor; a
second one, with its limits, gets floods, slow clients and made-up names. Anything that must not happen is recorded.
"""

import asyncio
import random
import re
import secrets
import signal
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from fastapi.routing import APIRoute

from franchise.benchmarks.fuzzed_requests import METHODS, fuzzed_request
from franchise.benchmarks.server_process import LoadError, Process
from franchise.benchmarks.temporary_postgres import TemporaryPostgres
from franchise.server.http.connections import HEADERS_S
from franchise.server.http.limits import STREAMS_OF_ADDRESS
from franchise.server.http.middleware import BODY_LIMIT, RECORD_LIMIT, SAFE
from franchise.web.app import create_app

AT_ONCE = 8  # concurrent requests
ANSWER_S = 30.0  # timeout of an answer
GRACE_S = 60.0  # for a busy machine
GROWTH_MB = 48  # of memory that requests may leave behind in a server
SLOW = 50  # connections that never finish a request
PASSWORD = "correct horse battery"
CAREFUL = ("content-security-policy", "x-content-type-options", "x-frame-options")
OVERSIZED = "oversized bodies"
ALLOWED_5XX = (503,)  # it says when to retry
Tell = Callable[[str], None]


@dataclass(frozen=True)
class AttackPlan:
    """How much is tried."""

    requests: int
    seed: int
    postgres: bool


@dataclass
class AttackReport:
    """What was tried, and what failed."""

    tried: Counter[str] = field(default_factory=Counter)
    answers: Counter[int] = field(default_factory=Counter)
    memory: dict[str, float] = field(default_factory=dict)  # of the limiter
    seconds: float = 0.0
    fallen: list[str] = field(default_factory=list)

    def note_failure(self, what: str) -> None:
        if what not in self.fallen:
            self.fallen.append(what)

    def data(self) -> dict[str, Any]:
        return {
            "tried": dict(self.tried),
            "answers": {str(status): number for status, number in sorted(self.answers.items())},
            "memory": self.memory,
            "seconds": round(self.seconds, 1),
            "fallen": self.fallen,
        }

    def lines(self) -> list[str]:
        tried = [f"{number:,} {what}" for what, number in self.tried.items()]
        answers = ", ".join(f"{number:,} times {status}" for status, number in sorted(self.answers.items()))
        memory = ", ".join(f"{what} {value:,.0f}" for what, value in self.memory.items())
        good = "nothing failed: every request had an answer, no form of another site was taken, all limits held"
        return [
            f"tried in {self.seconds:.0f} s: {', '.join(tried)}",
            f"answers: {answers}",
            f"the limiter: {memory}",
            *(self.fallen or [good]),
        ]


async def run_attack(plan: AttackPlan, tell: Tell) -> AttackReport:
    """Attack servers started here; raises LoadError or NoPostgres if they cannot be started."""
    began = time.monotonic()
    report = AttackReport()
    running = asyncio.current_task()
    assert running is not None
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, running.cancel)  # so that no server keeps running
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        database = f"sqlite:///{folder / 'franchise.db'}"
        if plan.postgres:
            cluster = await asyncio.to_thread(TemporaryPostgres, "fsync=off")
            stack.push_async_callback(asyncio.to_thread, cluster.remove)
            database = cluster.create("attacked")
            upgrading = Process(folder, "upgrade", "db", "upgrade", "--database", database)
            with suppress(LoadError):  # it says nothing and ends
                await upgrading.start()
        servers = []
        for name, limits in (("server", "0"), ("limited server", "1")):
            arguments = ("serve", "--no-browser", "--port", "0", "--database", database)
            where = database if plan.postgres or limits == "0" else f"sqlite:///{folder / 'limited.db'}"
            server = Process(
                folder, name, *arguments[:-1], where, FRANCHISE_LIMITS=limits, FRANCHISE_PASSWORD_MEMORY="64"
            )
            stack.push_async_callback(server.stop)
            await server.start()
            servers.append(server)
        free, limited = servers
        slow = asyncio.create_task(slow_clients(limited, report))  # takes as long as the server's timeout
        tell("generated requests")
        await generated(free, plan, report)
        tell("forged forms")
        await forged_forms(free, report)
        tell("floods and slow clients")
        await limiter_memory(limited, plan, report)
        await stream_flood(limited, report)
        await slow
        for server in servers:
            await check_still_answers(server, report)
            await server.stop()
            complaints = server.complaints.read_text(encoding="utf-8")
            if "Traceback" in complaints:
                last = next(line for line in reversed(complaints.splitlines()) if re.match(r"\w+(\.\w+)*: ", line))
                report.note_failure(f"the {server.name} had an error of its own: {last}")
    report.seconds = time.monotonic() - began
    return report


# --- routes and visitors ---


def routes() -> list[tuple[str, str]]:
    """Every method and path of the site."""

    def walk(listed: Iterable[Any]) -> Iterator[tuple[str, str]]:
        for route in listed:
            if isinstance(route, APIRoute):
                yield from ((method, route.path) for method in sorted(route.methods or ()))
            elif hasattr(route, "original_router"):
                yield from walk(route.original_router.routes)

    return [*walk(create_app().routes), ("GET", "/openapi.json"), ("GET", "/static/table.css"), ("GET", "/people/")]


@dataclass(frozen=True)
class AttackVisitor:
    """Somebody who sends requests."""

    kind: str
    client: httpx.AsyncClient


@asynccontextmanager
async def visitors(server: Process) -> AsyncIterator[tuple[list[AttackVisitor], list[str]]]:
    """Every kind of visitor, and their tables: a stranger, a guest with a seat, an account, and its program."""
    assert server.address is not None
    base = server.address.geturl().rstrip("/")
    async with AsyncExitStack() as stack:

        async def client(**headers: str) -> httpx.AsyncClient:
            made = httpx.AsyncClient(base_url=base, timeout=ANSWER_S, headers=headers, trust_env=False)
            return await stack.enter_async_context(made)

        stranger, guest, member = await client(), await client(), await client()
        table = await open_table(guest)
        name = f"Ann {secrets.token_hex(4)}"
        await done(member.post("/register", data={"name": name, "password": PASSWORD}), 303)
        own = await open_table(member)
        shown = await done(member.post("/account/tokens", data={"name": "bot"}), 200)
        token = re.search(r"fa_[\w-]+", shown.text)
        if token is None:
            raise LoadError("the page shows no token for a program")
        program = await client(Authorization=f"Bearer {token[0]}")
        clients = [("stranger", stranger), ("guest", guest), ("account", member), ("program", program)]
        yield [AttackVisitor(kind, client) for kind, client in clients], [table, own]


async def open_table(client: httpx.AsyncClient) -> str:
    form = {"players": "2", "seat0": "me", "seat1": "guest"}
    return (await done(client.post("/tables", data=form), 303)).headers["location"].removeprefix("/t/")


async def done(sending: Awaitable[httpx.Response], status: int) -> httpx.Response:
    """The answer to a valid request; LoadError if it has another status."""
    answer = await sending
    if answer.status_code != status:
        raise LoadError(f"the server answers {answer.status_code} where {status} is meant")
    return answer


# --- generated requests ---


async def generated(server: Process, plan: AttackPlan, report: AttackReport) -> None:
    """Every route and method with odd values, by every visitor."""
    chance = random.Random(plan.seed)
    paths = routes()
    async with visitors(server) as (people, tables):
        requests = []
        for number in range(plan.requests):
            method, path = paths[number % len(paths)]
            if chance.random() < 0.1:
                method = chance.choice(METHODS)
            requests.append((chance.choice(people), *fuzzed_request(chance, method, path, tables)))
        await at_once(
            [lambda request=request: try_request(report, "generated requests", *request) for request in requests]  # type: ignore[misc]
        )


async def try_request(
    report: AttackReport, kind: str, visitor: AttackVisitor, method: str, path: str, more: dict[str, Any]
) -> int | None:
    """Send a request and record any failure."""
    report.tried[kind] += 1
    what = f"{method} {path[:80]} by a {visitor.kind}"
    try:
        async with asyncio.timeout(ANSWER_S), visitor.client.stream(method, path, **more) as answer:
            status, headers = answer.status_code, answer.headers
    except (httpx.InvalidURL, UnicodeEncodeError):  # it cannot even be sent
        return None
    except (httpx.HTTPError, TimeoutError) as error:
        if kind == OVERSIZED and isinstance(error, httpx.NetworkError):
            return None  # the server closed the connection during the request, which also refuses it
        report.note_failure(f"no answer to {what}: {type(error).__name__}")
        return None
    report.answers[status] += 1
    if status >= 500 and status not in ALLOWED_5XX:
        report.note_failure(f"{status} for {what}")
    if any(name not in headers for name in CAREFUL):
        report.note_failure(f"an answer without security headers to {what}")
    return status


async def at_once(jobs: Sequence[Callable[[], Awaitable[Any]]]) -> list[Any]:
    """Run jobs, several at a time."""
    free = asyncio.Semaphore(AT_ONCE)

    async def run(job: Callable[[], Awaitable[Any]]) -> Any:
        async with free:
            return await job()

    return await asyncio.gather(*map(run, jobs))


# --- forged forms ---


async def forged_forms(server: Process, report: AttackReport) -> None:
    """Every form of the site as another site's page would send it, with the cookies of that page's visitor."""
    origins = (
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site", "Origin": "https://evil.example"},
    )
    async with visitors(server) as (people, tables):
        cookies = [visitor for visitor in people if visitor.kind in ("guest", "account")]
        for method, path in routes():
            if method in SAFE:
                continue
            where = re.sub(r"{(\w+)}", lambda parameter: tables[0] if parameter[1] == "table_id" else "1", path)
            for visitor in cookies:
                for origin in origins:
                    more = {"data": {"version": "0", "moves": "done"}, "headers": dict(origin)}
                    status = await try_request(report, "forged forms", visitor, method, where, more)
                    if status != 403:
                        report.note_failure(f"a form of another site is answered with {status}: {method} {path}")
        oversized = b"x" * (RECORD_LIMIT + 1)
        for path in ("/tables", "/look", "/sign-in", "/api/tables"):
            content: Any
            short = () if path.endswith(("tables", "look")) else (oversized[: BODY_LIMIT + 1],)  # these take records
            for content in (oversized, *short, chunked(oversized)):
                form = {"Content-Type": "application/x-www-form-urlencoded"}
                status = await try_request(
                    report, OVERSIZED, people[0], "POST", path, {"content": content, "headers": form}
                )
                if status is not None and status < 400:
                    report.note_failure(f"a body that is too long is taken at {path}: {status}")


async def chunked(body: bytes) -> AsyncIterator[bytes]:
    """A body without a Content-Length."""
    for start in range(0, len(body), 8192):
        yield body[start : start + 8192]


# --- floods ---


async def limiter_memory(server: Process, plan: AttackPlan, report: AttackReport) -> None:
    """Many requests with made-up tables and long names: how much memory the server keeps for them."""
    before = await numbers(server)
    count = max(200, plan.requests // 4)
    async with visitors(server) as (people, _):
        stranger = people[0]

        def asked(number: int) -> Callable[[], Awaitable[Any]]:
            name = secrets.token_hex(8) if number % 4 else "x" * 30_000
            more = {"json": {"version": 0, "move": "done", "move_id": "x"}}
            return lambda: try_request(report, "made-up tables", stranger, "POST", f"/api/tables/{name}/moves", more)

        await at_once([asked(number) for number in range(count)])
    after = await numbers(server)
    stored = after["franchise_limit_counts"] - before["franchise_limit_counts"]
    grown = (after["process_resident_memory_bytes"] - before["process_resident_memory_bytes"]) / 2**20
    report.memory = {
        "requests": count,
        "counts before": before["franchise_limit_counts"],
        "counts after": after["franchise_limit_counts"],
        "megabytes more": max(0.0, grown),
    }
    if stored > count / 10:
        report.note_failure(f"the limiter keeps {stored:,.0f} counts of {count:,} requests with made-up names")
    if grown > GROWTH_MB:
        report.note_failure(f"{count:,} requests with made-up names leave {grown:,.0f} MB behind")


async def numbers(server: Process) -> dict[str, float]:
    """The metrics of a server that have no labels."""
    assert server.address is not None
    async with httpx.AsyncClient(base_url=server.address.geturl(), timeout=ANSWER_S, trust_env=False) as client:
        text = (await done(client.get("/metrics"), 200)).text
    return {name: float(value) for name, value in re.findall(r"^(\w+) (\S+)$", text, re.MULTILINE)}


async def stream_flood(server: Process, report: AttackReport) -> None:
    """More event streams from one address than are allowed."""
    assert server.address is not None
    async with AsyncExitStack() as stack:
        limits = httpx.Limits(max_connections=None)
        client = httpx.AsyncClient(base_url=server.address.geturl(), timeout=ANSWER_S, limits=limits, trust_env=False)
        await stack.enter_async_context(client)
        table = await open_table(client)
        opened = refused = 0
        reading: list[AsyncIterator[bytes]] = []  # kept, because a stream that is garbage-collected is closed
        for _ in range(STREAMS_OF_ADDRESS + 10):
            report.tried["event streams"] += 1
            answer = await stack.enter_async_context(client.stream("GET", f"/api/tables/{table}/events"))
            report.answers[answer.status_code] += 1
            if answer.status_code == 200:
                reading.append(answer.aiter_bytes())
                await anext(reading[-1])  # it has begun
                opened += 1
            elif answer.status_code == 429:
                refused += 1
        if opened > STREAMS_OF_ADDRESS or not refused:
            report.note_failure(f"one address has {opened} event streams")
        await check_still_answers(server, report)


async def slow_clients(server: Process, report: AttackReport) -> None:
    """Connections that never finish a request: each is closed, and meanwhile others are answered."""
    assert server.address is not None
    host, port = server.address.hostname, server.address.port
    begun = (b"", b"GET / HTTP/1.1\r\nHost: table\r\nX-Slow: ", b"POST /settings HTTP/1.1\r\nHost: ")

    async def send_slowly(number: int) -> None:
        report.tried["slow clients"] += 1
        reader, writer = await asyncio.open_connection(host, port)
        try:
            writer.write(begun[number % len(begun)])
            async with asyncio.timeout(HEADERS_S + GRACE_S):
                await reader.read()
        except TimeoutError:
            report.note_failure("a connection without headers is kept open")
        except ConnectionError:
            pass  # closed, as it should be
        finally:
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()

    waiting = [asyncio.create_task(send_slowly(number)) for number in range(SLOW)]
    await asyncio.sleep(0)
    await check_still_answers(server, report)
    await asyncio.gather(*waiting)


async def check_still_answers(server: Process, report: AttackReport) -> None:
    """Check that the server still answers a new visitor."""
    assert server.address is not None
    async with httpx.AsyncClient(base_url=server.address.geturl(), timeout=ANSWER_S, trust_env=False) as client:
        for path in ("/readyz", "/"):
            try:
                status: int | str = (await client.get(path)).status_code
            except httpx.HTTPError as error:
                status = type(error).__name__
            if status != 200:
                report.note_failure(f"the {server.name} answers {path} with {status}")
