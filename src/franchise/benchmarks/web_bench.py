"""franchise bench --web: the figures of the web table, measured on a server of its own over the loopback interface."""

import asyncio
import gc
import itertools
import os
import random
import re
import secrets
import signal
import tempfile
import time
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from html.parser import HTMLParser
from typing import Any
from urllib.parse import SplitResult, urljoin, urlsplit

from franchise.benchmarks.figures import Figure, single, spread
from franchise.benchmarks.http_client import Answer, Connection
from franchise.benchmarks.scripted_players import BusyTables, ScriptedTable, Server, Tell, serving, settled
from franchise.benchmarks.server_process import LoadError, read_address
from franchise.bots import make
from franchise.engine.setups import Options
from franchise.game import Game

FIRST_LOAD_KB = 200.0
BOARD_MS = 10.0
ANSWER_MS = 40.0
PAGE_ANSWER_MS = 15.0
API_PROCESSOR_MS = 1.2  # for a move and its events
PAGE_PROCESSOR_MS = 3.0  # for a move from a page and the parts of the other page
DISK_WRITES = 100


@dataclass(frozen=True)
class WebPlan:
    """What to measure, and how busy the tables are meanwhile."""

    tables: int = 50  # while answers are timed
    crowd: int = 200  # tables under full load
    seconds: float = 10.0
    pace: float = 2.0  # seconds between two moves at a table, on average
    address: str = ""  # of a running server; by default one is started


def measure(plan: WebPlan, tell: Tell) -> list[Figure]:
    """All figures of the web table."""
    where = read_address(plan.address) if plan.address else None
    drawn = measure_drawing(tell)
    loaded, *played = asyncio.run(measure_server(plan, where, tell))
    return [*loaded, *drawn, *itertools.chain(*played)]


# --- the board, drawn in this process ---


def measure_drawing(tell: Tell) -> list[Figure]:
    """Processor time for the board, and for all parts of a page, after every move of whole games."""
    from starlette.requests import Request

    from franchise.server.app import warm_up
    from franchise.web.scene import Scene
    from franchise.web.table_pages import parts
    from franchise.web.visitor import visitor_of
    from franchise.wording.language import language

    warm_up()  # as a server does when it starts
    gc.freeze()  # likewise: what was loaded is not searched for garbage in the middle of a drawing
    request = Request({"type": "http", "method": "GET", "path": "/", "query_string": b"", "headers": []})
    visitor = visitor_of(request)
    board: list[float] = []
    whole: list[float] = []
    for options in (Options(), Options(milestones=True, boom=True, regions="mixed", expert="random")):
        game, bot = Game(4, 1, options), make("casual", seed=1)
        while not game.over:
            tell(f"drawing the board after every move: {len(board)} drawn")
            game.play(bot.choose(game))
            mine = frozenset([game.current_player])
            scene, other = (Scene(table_of(game), game, 0, True, mine, language("en")) for _ in range(2))
            board.append(processor_ms(lambda scene=scene: (scene.moment.ground("L"), scene.moment.pieces("L"))))  # type: ignore[misc]
            whole.append(processor_ms(lambda scene=other: parts(request, visitor, scene)))  # type: ignore[misc]
    return [
        spread("board", "board drawn on the server", board[1:], BOARD_MS, "max"),
        single("board_first", "the same: the first one of a process", round(board[0], 1), "ms"),
        spread("parts", "all parts of a page drawn, for the player to move", whole[1:]),
        single("parts_first", "the same: the first ones of a process", round(whole[0], 1), "ms"),
    ]


def table_of(game: Game) -> Any:
    """A table of people at which the game is played."""
    from datetime import UTC, datetime

    from franchise.insight.turn_bounds import turn_starts
    from franchise.server.tables.table import Clock, Seat, Table

    at = datetime.now(UTC)
    seats = tuple(Seat(number, "human", "", None, True) for number in range(game.players))
    moves = len(game.actions)
    return Table(secrets.token_hex(8), 0, game, seats, False, Clock(), at, at, moves, turn_starts(game))


def processor_ms(work: Callable[[], object]) -> float:
    """Milliseconds of this thread's processor time, which does not depend on other programs."""
    before = time.thread_time()
    work()
    return (time.thread_time() - before) * 1000


# --- a server ---


async def measure_server(plan: WebPlan, address: SplitResult | None, tell: Tell) -> list[list[Figure]]:
    """The figures that need a server: a new one, or the one at the address."""
    running = asyncio.current_task()
    assert running is not None
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, running.cancel)  # so that no server keeps running
    async with AsyncExitStack() as stack:
        server = Server(address) if address else await stack.enter_async_context(serving(tell))
        tell("waiting until the server has loaded everything")
        await settled(server)
        try:
            return [
                await measure_first_load(server, tell),
                measure_disk(),
                await measure_answers(server, plan, tell),
                await measure_crowd(server, plan, tell),
            ]
        except (OSError, EOFError) as error:
            raise LoadError(f"the server at {server.address.geturl()} does not answer as it should: {error}") from None


def measure_disk() -> list[Figure]:
    """What every move waits for in any case: a synchronous write to the disk of temporary files."""
    durations = []
    with tempfile.TemporaryFile() as file:
        for _ in range(DISK_WRITES):
            file.write(bytes(4096))
            file.flush()
            before = time.perf_counter()
            os.fsync(file.fileno())
            durations.append((time.perf_counter() - before) * 1000)
    return [spread("disk", "the disk alone: one write made safe (fsync)", durations)]


async def measure_answers(server: Server, plan: WebPlan, tell: Tell) -> list[Figure]:
    """How long a move takes: through the API, and from a page, when the other page loads its parts too.

    A request that does nothing, as often as there are moves, tells how much of that any request costs.
    """
    least = await measure_request(server, plan, tell)
    api = BusyTables(server, plan.tables, plan.seconds, plan.pace, from_pages=False)
    await api.run("moves through the API", tell)
    page = BusyTables(server, plan.tables, plan.seconds, plan.pace, from_pages=True)
    await page.run("moves from pages", tell)
    where = f"{plan.tables} tables with a move every {plan.pace:g} s"
    return [
        single("request_processor", "a request that does nothing, as often: processor time", least, "ms"),
        spread("move", f"move to answer through the API, {where}", api.answers, ANSWER_MS),
        *work("move", api, API_PROCESSOR_MS),
        spread("page_move", f"move to answer with the parts of the page, {where}", page.answers, PAGE_ANSWER_MS),
        spread("scene", "the same: parts for the other page", page.scenes),
        *work("page_move", page, PAGE_PROCESSOR_MS),
    ]


async def measure_request(server: Server, plan: WebPlan, tell: Tell) -> float | None:
    """Processor time of the server for a request that does nothing, as often as there are moves."""
    tell("requests that do nothing")
    chance, count = random.Random(1), max(1, round(plan.seconds * plan.tables / plan.pace))
    async with Connection(server.address) as connection:
        before = server.processor_s
        for _ in range(count):
            await asyncio.sleep(chance.uniform(0.5, 1.5) * plan.pace / plan.tables)
            await connection.ask("GET", "/healthz")
        after = server.processor_s
    return None if before is None or after is None else round(1000 * (after - before) / count, 2)


async def measure_crowd(server: Server, plan: WebPlan, tell: Tell) -> list[Figure]:
    """Full load: which events reach every page, how soon, and how much memory it takes."""
    before = server.memory_mb
    load = BusyTables(server, plan.crowd, plan.seconds, plan.pace, from_pages=False)
    await load.run("a full house", tell)
    return [
        spread("crowd_event", f"{plan.crowd} tables, {len(load.pages)} connected pages: move to event", load.delays),
        spread("crowd_move", "the same: move to answer", load.answers),
        *work("crowd", load),
        single("crowd_events", "the same: events that arrived", len(load.delays)),
        single("crowd_missing", "the same: events that did not", load.missing, limit=0),
        single("memory", "the same: memory of the server", load.memory, "MB"),
        single("memory_before", "memory of the server before", before, "MB"),
    ]


def work(key: str, load: BusyTables, most: float | None = None) -> list[Figure]:
    """How busy the tables were, and how busy that made the server."""
    used = load.processor
    share = None if used is None else round(100 * used / load.took, 1)
    each = None if used is None else round(1000 * used / max(1, len(load.answers)), 2)
    return [
        single(f"{key}_processor", "the same: processor time of the server for each move", each, "ms", most),
        single(f"{key}_per_s", "the same: moves a second", round(len(load.answers) / load.took, 1)),
        single(f"{key}_core", "the same: the server's share of one core", share, "%"),
    ]


# --- what a first visit loads ---


class References(HTMLParser):
    """What a page makes a browser load."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.addresses: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        if tag == "link" and {"stylesheet", "icon", "preload", "modulepreload"} & set((values["rel"] or "").split()):
            self.addresses.append(values["href"] or "")
        elif tag in ("script", "img") and values.get("src"):
            self.addresses.append(values["src"] or "")


def references(answer: Answer) -> list[str]:
    """What a page, a style sheet or a module refers to, as written."""
    kind = answer.headers.get("content-type", "")
    if "html" in kind:
        return References(answer.content.decode()).addresses
    if "css" in kind:
        return re.findall(r"""url\(\s*["']?(?!data:)([^"')]+)""", answer.content.decode())
    if "javascript" in kind:
        return re.findall(
            r"""^\s*(?:import|export)\b[^"';]*["'](\.{0,2}/[^"']+)["']""", answer.content.decode(), re.MULTILINE
        )
    return []


async def first_load(connection: Connection, path: str, headers: dict[str, str]) -> dict[str, int]:
    """The transferred bytes, with headers, of a page and of everything it loads, by URL."""
    sizes: dict[str, int] = {}
    waiting = [path]
    while waiting:
        address = waiting.pop()
        if address in sizes:
            continue
        answer = await connection.ask("GET", address, headers)
        if answer.status != 200:
            raise LoadError(f"GET {address} was answered with {answer.status}")
        sizes[address] = answer.received
        waiting += [urljoin(address, reference) for reference in references(answer) if not urlsplit(reference).netloc]
    return sizes


async def measure_first_load(server: Server, tell: Tell) -> list[Figure]:
    """The start page, and a table of four players at its last move, when its log is longest."""
    tell("loading the first pages")
    figures = []
    async with Connection(server.address) as connection:
        table = await ScriptedTable.open(connection, late_game(), random.Random(1))
        cookie = {"Cookie": f"franchise_key={table.tokens[table.game.current_player]}"}
        for key, text, path in (("start", "the start page", "/"), ("table", "a table", f"/t/{table.id}")):
            loaded = await first_load(connection, path, cookie)
            kilobytes = round(sum(loaded.values()) / 1000, 1)
            figures.append(single(f"first_load_{key}", f"first load of {text}", kilobytes, "kB", FIRST_LOAD_KB))
            figures.append(single(f"first_load_{key}_requests", "the same: requests", len(loaded)))
    return figures


def late_game() -> Game:
    """A game of four before its last move."""
    game, bot = Game(4, 1), make("casual", seed=1)
    while not game.over:
        game.play(bot.choose(game))
    return game.at(len(game.actions) - 1)
