"""A table on a server, over its JSON API and its event stream (docs/server.md).

The game is replayed here from its record, so that prompts, previews and reasons need no further request; the server
remains the authority: a move counts once it has answered.
"""

import json
import secrets
import socket
import threading
import time
from collections.abc import Generator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import httpx
from httpx_sse import ServerSentEvent, SSEError, connect_sse

from franchise.game import Game
from franchise.record import RecordError
from franchise.terminal.local_table import NotDone, TableLost, check
from franchise.wording.language import Language
from franchise.wording.refusals import refused, why_illegal

ANSWER_S = 10.0  # within which a server answers
SILENCE_S = 45.0  # after which a silent stream counts as dead; a server sends something every 15
RETRY_S = 1.0  # between two attempts to connect
TRIES = 3  # to send a move; the same id makes it count once


class ServerBusy(httpx.TransportError):
    """The server or its proxy cannot answer at the moment."""


@dataclass(frozen=True)
class Address:
    """A server, and a table on it if one is named."""

    server: str
    table: str | None

    @classmethod
    def read(cls, text: str) -> "Address":
        """From the address of a table, in the browser or in the API, or of a server; ValueError for others."""
        parts = urlsplit(text if "://" in text else f"http://{text}")
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"{text[:80]!r} is not the address of a server or a table")
        words = [word for word in parts.path.split("/") if word]
        table = None
        for before in (["t"], ["api", "tables"]):
            if words[: len(before)] == before and len(words) > len(before):
                table = words[len(before)]
        return cls(f"{parts.scheme}://{parts.netloc}", table)

    @property
    def page(self) -> str:
        return f"{self.server}/t/{self.table}"


class TableMissing(TableLost):
    """The address names a server but no table, and there is no token to find one by."""


class RemoteTable:
    """The seats of a token at a table on a server; without a token, the person watches."""

    def __init__(self, address: Address, token: str | None, language: Language, name: str | None = None) -> None:
        self.language = language
        self.token = token
        self.trouble = ""
        self.closed = threading.Event()
        self.changing = threading.RLock()  # the game and its version change together
        self.stream_socket: socket.socket | None = None
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        self.client = httpx.Client(base_url=address.server, headers=headers, timeout=ANSWER_S, follow_redirects=True)
        self.state: dict[str, Any] = {}
        self.received_at = 0.0
        self.changes = self.follow()
        try:
            self.address = address if address.table else self.find_table(address)
            self.path = f"/api/tables/{self.address.table}"
            if name is not None and token is None:
                self.sit(name)
            self.synchronise()
            if self.token and not self.mine:
                raise TableLost(language.text("This token holds no seat at this table."))
        except httpx.TransportError:
            self.close()
            raise TableLost(language.text("No server answers at {address}.", address=address.server)) from None
        except TableLost:
            self.close()
            raise

    @property
    def way_back(self) -> str:
        """How to return to the seat; empty for spectators, and after the end."""
        if self.token is None or self.game.over:
            return ""
        command = f"franchise play --server {self.address.page} --token {self.token}"
        return self.language.text("Come back with: {command}", command=command)

    # --- requests ---

    def get(self, path: str) -> httpx.Response:
        """The answer to a GET; raises TableLost with the reason, or ServerBusy if it may work later."""
        answer = self.client.get(path)
        if answer.is_success:
            return answer
        if answer.is_server_error:
            raise ServerBusy(f"{answer.status_code} {answer.reason_phrase}")
        raise TableLost(refused(str(self.read(answer).get("error")), self.language))

    def read(self, answer: httpx.Response) -> dict[str, Any]:
        """The JSON of an answer; TableLost if it is not one of ours."""
        try:
            data = answer.json()
        except ValueError:
            data = None
        if not isinstance(data, dict):
            words = self.language.text
            raise TableLost(words("The server at {address} is not a Franchise server.", address=self.client.base_url))
        return data

    def find_table(self, address: Address) -> Address:
        """The table for the token of an account: one where it is to move, else the latest running game."""
        words = self.language.text
        example = words(
            "Give the address of the table as shown in the browser: {address}", address=f"{address.server}/t/…"
        )
        if not self.token:
            raise TableMissing(example)
        answer = self.client.get("/api/me")
        own = [row for row in self.read(answer).get("tables", []) if not row["over"]]
        if not own:
            raise TableLost(example)
        chosen = next((row for row in own if row["your_turn"]), own[0])
        return Address(address.server, chosen["id"])

    def sit(self, name: str) -> None:
        """Take the first free seat, and keep its token."""
        seats = self.read(self.get(self.path))["seats"]
        for seat in (row["seat"] for row in seats if row["kind"] == "human" and not row["taken"]):
            answer = self.client.post(f"{self.path}/seats/{seat}", json={"name": name})
            if answer.is_success:
                self.token = self.read(answer)["token"]
                self.client.headers["Authorization"] = f"Bearer {self.token}"
                return
            if answer.status_code != httpx.codes.CONFLICT:
                raise TableLost(str(self.read(answer).get("detail")))
        raise TableLost(self.language.text("No seat is free at this table."))

    def synchronise(self) -> None:
        """Reload the table: its state, and the record of the same version."""
        state = self.read(self.get(self.path))
        while True:
            record = self.get(f"{self.path}/record").text
            again = self.read(self.get(self.path))
            if again.get("version") == state.get("version"):
                break
            state = again
        try:
            game = Game.from_text(record)
            game.colours = tuple(seat["colour"] for seat in state["seats"])
        except RecordError as error:
            raise TableLost(str(error)) from None
        with self.changing:
            self.adopt(state)
            self.game: Game = game
            self.version = int(state["version"])

    def adopt(self, state: dict[str, Any]) -> None:
        self.state = state
        self.received_at = time.monotonic()
        self.mine = frozenset(state["yours"])
        self.bots = frozenset(seat["seat"] for seat in state["seats"] if seat["kind"] == "bot")
        self.ended = state["ended_at"] is not None
        self.undrawn = state["seating"] == "undrawn"

    def free(self, seat: int) -> bool:
        return not self.state["seats"][seat]["taken"]

    def left(self, seat: int) -> float | None:
        clock = self.state["clock"]
        remaining: float | None = clock["remaining"][seat]
        if clock["kind"] == "none" or remaining is None:
            return None
        passed = time.monotonic() - self.received_at if clock["running"] == seat else 0.0
        return max(0.0, remaining - passed)

    # --- events ---

    def advance(self) -> bool:
        return next(self.changes, None) is not None

    def follow(self) -> Generator[bool, None, None]:
        """Yield whenever there is something new to show; reconnects until it works."""
        while not self.closed.is_set():
            try:
                timeout = httpx.Timeout(ANSWER_S, read=SILENCE_S)
                path = f"{self.path}/events"
                with connect_sse(self.client, "GET", path, params={"after": self.version}, timeout=timeout) as source:
                    self.stream_socket = source.response.extensions["network_stream"].get_extra_info("socket")
                    if not source.response.is_success:
                        self.get(self.path)
                    if self.trouble:
                        self.trouble = ""
                        self.synchronise()
                        yield True
                    for event in source.iter_sse():
                        if self.receive(event):
                            yield True
            except (httpx.TransportError, httpx.StreamError, SSEError):
                pass  # said below
            if self.closed.is_set():
                return
            if not self.trouble:
                self.trouble = self.language.text("The connection is lost; trying again…")
                yield True
            self.closed.wait(RETRY_S)

    def receive(self, event: ServerSentEvent) -> bool:
        """Handle an event of the stream; True if there is something new."""
        if not event.data or event.event == "chat":
            return False
        data = json.loads(event.data)
        with self.changing:
            if event.event != "message" or data["version"] > self.version + 1:
                self.synchronise()
                return True
            if data["version"] <= self.version:
                return False
            self.carry_out(data)
            if self.state["clock"]["kind"] != "none":
                self.adopt(self.read(self.get(self.path)))
            return True

    def carry_out(self, change: dict[str, Any]) -> None:
        """A change of the next version."""
        game = self.game.copy()
        for _ in range(change["took_back"]):
            game.undo()
        for move in (change["move"] or "").split(";"):
            if move:
                game.play(move)
        self.game, self.version = game, int(change["version"])

    def close(self) -> None:
        self.closed.set()
        if self.stream_socket is not None:
            with suppress(OSError):  # it may be closed already
                self.stream_socket.shutdown(socket.SHUT_RDWR)  # wakes the thread that reads
        with suppress(ValueError):  # that thread ends it by itself
            self.changes.close()
        self.client.close()

    # --- the person's moves ---

    def play(self, moves: str) -> None:
        check(self.game, moves, self.language)
        self.send("moves", {"move": moves, "move_id": secrets.token_urlsafe(9)})

    def undo(self) -> None:
        self.send("undo", {"move_id": secrets.token_urlsafe(9)})

    def send(self, what: str, order: dict[str, Any]) -> None:
        """Request a change; if the answer is lost, the request is repeated, which is safe."""
        version = self.version
        answer = self.post(what, order | {"version": version})
        data = self.read(answer)
        if answer.is_success:
            with self.changing:
                if self.version == version:
                    self.carry_out(data)
                    self.adopt(data)
            return
        code = str(data.get("error"))
        if answer.status_code == httpx.codes.CONFLICT:
            with suppress(httpx.TransportError):  # it arrives by the stream
                self.synchronise()
        if code == "illegal_move":
            raise NotDone(why_illegal(self.game, str(order.get("move")), self.language) or str(data.get("detail")))
        raise NotDone(refused(code, self.language))

    def post(self, what: str, order: dict[str, Any]) -> httpx.Response:
        for attempt in range(TRIES):
            with suppress(httpx.TransportError):
                answer = self.client.post(f"{self.path}/{what}", json=order)
                if not answer.is_server_error:
                    return answer
            if attempt + 1 < TRIES:
                self.closed.wait(RETRY_S)
        raise NotDone(self.language.text("No connection: that was not sent."))
