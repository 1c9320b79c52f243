"""A small HTTP client that counts every byte. It is an asyncio protocol and nothing else, so that it costs little."""

import asyncio
import gzip
import re
import time
from collections.abc import AsyncGenerator, Callable, Generator, Mapping
from dataclasses import dataclass
from typing import cast
from urllib.parse import SplitResult

IDLE_S = 4.5  # after which a connection is reopened; servers close connections that are idle for some seconds


@dataclass(frozen=True)
class Answer:
    """What a server answered."""

    status: int
    headers: Mapping[str, str]
    body: bytes  # as received
    received: int  # bytes of status line, headers and body together

    @property
    def content(self) -> bytes:
        """The body, decompressed."""
        return gzip.decompress(self.body) if self.headers.get("content-encoding") == "gzip" else self.body


EventReceiver = Callable[[bytes], None]  # told of a whole server-sent event


def request_bytes(
    address: SplitResult, method: str, path: str, headers: Mapping[str, str] | None = None, body: bytes = b""
) -> bytes:
    """A request as it is sent."""
    lines = [f"{method} {path} HTTP/1.1", f"Host: {address.netloc}"]
    lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
    if method == "POST":
        lines.append(f"Content-Length: {len(body)}")
    return "\r\n".join([*lines, "", ""]).encode() + body


class Connection(asyncio.Protocol):
    """A persistent connection to a server: a request is sent when the last one was answered."""

    def __init__(self, address: SplitResult) -> None:
        self.address = address
        self.transport: asyncio.Transport | None = None
        self.lost: asyncio.Future[None] | None = None  # done when the transport is
        self.used = 0.0
        self.buffer = bytearray()
        self.reading: Generator[None, None, Answer] | None = None  # goes on whenever something received
        self.answer: asyncio.Future[Answer] | None = None

    # --- requests ---

    async def ask(self, method: str, path: str, headers: Mapping[str, str] | None = None, body: bytes = b"") -> Answer:
        """A request and its whole answer."""
        return await self.send(
            request_bytes(self.address, method, path, {"Accept-Encoding": "gzip"} | dict(headers or {}), body)
        )

    async def send(self, request: bytes) -> Answer:
        """The whole answer to a request that is written already."""
        await self.begin(request, self.whole_answer())
        assert self.answer is not None
        return await self.answer

    async def follow(self, path: str, receive: EventReceiver) -> None:
        """Receive every server-sent event of a stream; returns when it has begun. `ended` waits for its end."""
        begun = asyncio.get_running_loop().create_future()
        headers = {"Accept": "text/event-stream"}
        await self.begin(request_bytes(self.address, "GET", path, headers), self.stream(path, receive, begun))
        assert self.answer is not None
        self.answer.add_done_callback(lambda ended: ended.cancelled() or ended.exception())  # nobody has to ask
        await asyncio.wait([begun, self.answer], return_when=asyncio.FIRST_COMPLETED)
        if self.answer.done():
            self.answer.result()

    async def ended(self) -> None:
        """Wait for the end of what is read; ConnectionError where the server did not end it in good order."""
        assert self.answer is not None
        await self.answer

    async def events(self, path: str, connected: asyncio.Event) -> AsyncGenerator[tuple[int, str], None]:
        """The numbered server-sent events of a stream, id and data, until the server ends it."""
        queue: asyncio.Queue[bytes | None] = asyncio.Queue()
        await self.follow(path, queue.put_nowait)
        connected.set()
        assert self.answer is not None
        self.answer.add_done_callback(lambda _: queue.put_nowait(None))
        while (event := await queue.get()) is not None:
            fields = dict(line.split(": ", 1) for line in event.decode().split("\n") if ": " in line)
            if "id" in fields:
                yield int(fields["id"]), fields.get("data", "")
        await self.ended()

    async def begin(self, request: bytes, reading: Generator[None, None, Answer]) -> None:
        """Send a request, whose answer is read like this."""
        if self.transport is None or time.monotonic() - self.used > IDLE_S:
            await self.close()
            loop = asyncio.get_running_loop()
            await loop.create_connection(lambda: self, self.address.hostname or "", self.address.port or 80)
        assert self.transport is not None
        self.buffer.clear()
        self.reading = reading
        self.answer = asyncio.get_running_loop().create_future()
        self.used = time.monotonic()
        self.transport.write(request)

    async def close(self) -> None:
        if self.transport is not None and self.lost is not None:
            self.transport.close()
            await self.lost

    async def __aenter__(self) -> "Connection":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    # --- what the event loop tells ---

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)
        self.lost = asyncio.get_running_loop().create_future()

    def data_received(self, data: bytes) -> None:
        if self.reading is None:
            return  # nothing was asked
        self.buffer += data
        try:
            next(self.reading)
        except StopIteration as whole:
            self.end(whole.value)
        except ConnectionError as error:
            self.fail(error)

    def connection_lost(self, error: Exception | None) -> None:
        self.transport = None
        self.fail(error or ConnectionError("the server closed the connection"))
        if self.lost is not None and not self.lost.done():
            self.lost.set_result(None)

    def end(self, answer: Answer) -> None:
        self.reading, self.used = None, time.monotonic()
        if self.answer is not None and not self.answer.done():
            self.answer.set_result(answer)

    def fail(self, error: Exception) -> None:
        self.reading = None
        if self.answer is not None and not self.answer.done():
            self.answer.set_exception(error)

    # --- reading: each waits for more with `yield` ---

    def whole_answer(self) -> Generator[None, None, Answer]:
        status, headers, received = yield from self.head()
        if headers.get("transfer-encoding") == "chunked":
            pieces: list[bytes] = []
            received += yield from self.chunks(pieces.append)
            return Answer(status, headers, b"".join(pieces), received)
        body = yield from self.take(int(headers.get("content-length", 0)))
        return Answer(status, headers, body, received + len(body))

    def stream(self, path: str, receive: EventReceiver, begun: "asyncio.Future[None]") -> Generator[None, None, Answer]:
        status, headers, received = yield from self.head()
        if status != 200 or headers.get("transfer-encoding") != "chunked":
            raise ConnectionError(f"GET {path} was answered with {status}")
        rest = b""

        def take_piece(piece: bytes) -> None:
            nonlocal rest
            if not begun.done():
                begun.set_result(None)
            *whole, rest = (rest + piece).split(b"\n\n")
            for event in whole:
                receive(event)

        received += yield from self.chunks(take_piece)
        return Answer(status, headers, b"", received)

    def head(self) -> Generator[None, None, tuple[int, dict[str, str], int]]:
        """Status and headers, and their number of bytes."""
        text = yield from self.take_until(b"\r\n\r\n")
        first, *rest = text.decode("latin-1").rstrip().split("\r\n")
        if not re.fullmatch(r"HTTP/1\.1 \d{3}\b.*", first):
            raise ConnectionError(f"{first[:40]!r} is not an HTTP/1.1 response")
        pairs = (line.partition(":") for line in rest)
        return int(first.split()[1]), {name.lower(): value.strip() for name, _, value in pairs}, len(text)

    def chunks(self, took: Callable[[bytes], None]) -> Generator[None, None, int]:
        """A chunked body, piece by piece; returns its number of bytes."""
        received = 0
        while True:
            size = yield from self.take_until(b"\r\n")
            piece = yield from self.take(int(size.split(b";")[0], 16) + 2)
            received += len(size) + len(piece)
            if len(piece) == 2:
                return received
            took(piece[:-2])

    def take_until(self, mark: bytes) -> Generator[None, None, bytes]:
        while (at := self.buffer.find(mark)) < 0:
            yield
        return (yield from self.take(at + len(mark)))

    def take(self, number: int) -> Generator[None, None, bytes]:
        while len(self.buffer) < number:
            yield
        piece = bytes(self.buffer[:number])
        del self.buffer[:number]
        return piece
