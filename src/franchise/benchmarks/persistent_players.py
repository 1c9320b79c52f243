"""Scripted players who continue whatever happens to the servers: unanswered requests are repeated with the same id.

Each table keeps what was acknowledged, to be compared with the database afterwards.
"""

import asyncio
import json
import random
import time
from collections.abc import Mapping, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import SplitResult

from franchise.benchmarks.http_client import Answer, Connection
from franchise.benchmarks.server_process import LoadError
from franchise.game import Game
from franchise.record import RecordError, read

ANSWER_S = 30.0  # after which an answer counts as lost
AGAIN_S = 0.2  # before a request is sent again
GIVE_UP_S = 240.0  # without any answer, after which the table is given up
BOT_S = 0.2  # between requests while a bot is to move
UNAVAILABLE = (502, 503, 504)  # a server answered that it cannot do it now


@dataclass
class RequestCounts:
    """What happened to requests."""

    acknowledged: int = 0  # moves
    lost: int = 0  # attempts without an answer or a connection
    unavailable: int = 0  # answers that asked to retry
    longest_s: float = 0.0  # from the first attempt to the answer
    broken: int = 0  # streams that ended and were resumed


@dataclass(frozen=True)
class Acknowledged:
    """A move that a server has acknowledged."""

    version: int
    seat: int
    move: str
    move_id: str
    answer: Mapping[str, Any]


class PersistentClient:
    """Asks any of the servers until one answers."""

    def __init__(self, servers: Sequence[SplitResult], chance: random.Random, tally: RequestCounts) -> None:
        self.connections = [Connection(server) for server in servers]
        self.chance = chance
        self.tally = tally

    async def ask(self, method: str, path: str, token: str | None = None, body: Any = None) -> Answer:
        """The answer to a request, which may be sent several times; LoadError if none comes."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        content = b"" if body is None else json.dumps(body).encode()
        if body is not None:
            headers["Content-Type"] = "application/json"
        began = time.perf_counter()
        while time.perf_counter() - began < GIVE_UP_S:
            connection = self.chance.choice(self.connections)
            try:
                async with asyncio.timeout(ANSWER_S):
                    answer = await connection.ask(method, path, headers, content)
                if answer.status not in UNAVAILABLE:
                    self.tally.longest_s = max(self.tally.longest_s, time.perf_counter() - began)
                    return answer
                self.tally.unavailable += 1
            except (OSError, EOFError, TimeoutError):  # it was killed, or is not back yet
                self.tally.lost += 1
                await connection.close()
            await asyncio.sleep(AGAIN_S)
        raise LoadError(f"{method} {path} was not answered for {GIVE_UP_S:g} s")

    async def close(self) -> None:
        for connection in self.connections:
            await connection.close()


@dataclass
class ContestedTable:
    """A table with scripted players, and perhaps a bot."""

    caller: PersistentClient
    id: str
    tokens: Mapping[int, str]
    game: Game
    acknowledged: list[Acknowledged] = field(default_factory=list)
    sent: dict[str, str] = field(default_factory=dict)  # every move_id that was ever sent, with its move
    followed: list[int] = field(default_factory=list)  # versions in the order received

    @classmethod
    async def open(cls, caller: PersistentClient, bot: bool) -> "ContestedTable":
        """Create a table; if the answer is lost, that table stays empty and another one is created."""
        seats = [{"kind": "human"}, {"kind": "bot", "level": "casual"} if bot else {"kind": "human"}]
        seed = caller.chance.randrange(2**31)
        clock = {"kind": "live", "minutes": 20, "increment": 0}  # which does not run out during the test
        answer = await caller.ask("POST", "/api/tables", body={"seats": seats, "seed": seed, "clock": clock})
        if answer.status != 201:
            raise LoadError(f"a new table was answered with {answer.status}: {answer.content[:200].decode()}")
        made = json.loads(answer.content)
        return cls(caller, made["id"], {int(seat): token for seat, token in made["tokens"].items()}, Game(2, seed))

    @property
    def path(self) -> str:
        return f"/api/tables/{self.id}"

    async def step(self) -> None:
        """Make one move of a person, after the bot's moves."""
        began = time.perf_counter()
        while not self.game.over and self.game.current_player not in self.tokens:
            if time.perf_counter() - began > GIVE_UP_S:
                raise LoadError(f"the bot of table {self.id} has not moved for {GIVE_UP_S:g} s")
            await asyncio.sleep(BOT_S)
            self.game = await self.record()
        if self.game.over:
            return
        version, seat = len(self.game.actions), self.game.current_player
        move, move_id = str(self.caller.chance.choice(self.game.legal_actions())), f"m{version}"
        self.sent[move_id] = move
        body = {"version": version, "move": move, "move_id": move_id}
        answer = await self.caller.ask("POST", f"{self.path}/moves", self.tokens[seat], body)
        state = json.loads(answer.content) if answer.status == 200 else {}
        if (state.get("version"), state.get("move")) != (version + 1, move):
            text = answer.content[:200].decode()
            raise LoadError(f"the move {move} at table {self.id} was answered with {answer.status}: {text}")
        self.acknowledged.append(Acknowledged(version + 1, seat, move, move_id, state))
        self.caller.tally.acknowledged += 1
        self.game.play(move)

    async def record(self) -> Game:
        """The game on the server; LoadError if its record does not verify."""
        answer = await self.caller.ask("GET", f"{self.path}/record")
        try:
            return read(answer.content.decode())
        except RecordError as error:
            raise LoadError(f"the record of table {self.id} does not verify: {error}") from None

    async def play(self, pace: float, enough: asyncio.Event) -> None:
        """Make moves until the game is over or `enough` is set."""
        while not self.game.over and not enough.is_set():
            await self.step()
            await asyncio.sleep(self.caller.chance.uniform(0, 2 * pace))

    async def follow(self) -> None:
        """Hold a stream of the table open at one of the servers; when it ends, resume it at any of them."""
        while True:
            connection = Connection(self.caller.chance.choice(self.caller.connections).address)
            after, connected = self.followed[-1] if self.followed else 0, asyncio.Event()
            try:
                stream = connection.events(f"{self.path}/events?after={after}", connected)
                async with aclosing(stream):
                    async for version, _ in stream:
                        self.followed.append(version)
            except (OSError, EOFError):
                pass  # it was killed, or is not back yet
            finally:
                await connection.close()
            self.caller.tally.broken += connected.is_set()
            await asyncio.sleep(AGAIN_S)

    async def repeat(self) -> bool:
        """Whether the last acknowledged move, sent again, gets the same answer."""
        if not self.acknowledged:
            return True
        last = self.acknowledged[-1]
        body = {"version": last.version - 1, "move": last.move, "move_id": last.move_id}
        answer = await self.caller.ask("POST", f"{self.path}/moves", self.tokens[last.seat], body)
        return answer.status == 200 and json.loads(answer.content) == last.answer

    async def delivered(self, version: int, seconds: float) -> bool:
        """Whether the stream delivers every version once and in order within the given time."""
        versions = list(range(1, version + 1))
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while len(self.followed) < version:
                    await asyncio.sleep(0.05)
        return self.followed[:version] == versions and self.followed == sorted(set(self.followed))
