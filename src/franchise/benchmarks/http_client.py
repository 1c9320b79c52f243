"""A small HTTP client that counts every byte. It uses asyncio only, so that it costs little."""

import asyncio
import gzip
import re
import time
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import SplitResult

IDLE_S = 4.5  # after which a connection is reopened; servers close connections that are idle for some seconds
HEAD_LIMIT = 1 << 20  # bytes


@dataclass(frozen=True)
class Answer:
    """What a server answered."""

    status: int
    headers: Mapping[str, str]
    body: bytes  # as received
    wire: int  # bytes of status line, headers and body together

    @property
    def content(self) -> bytes:
        """The body, decompressed."""
        return gzip.decompress(self.body) if self.headers.get("content-encoding") == "gzip" else self.body


class Connection:
    """A persistent connection to a server."""

    def __init__(self, address: SplitResult) -> None:
        self.address = address
        self.streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self.used = 0.0
        self.came = 0  # bytes of the answer that is being read

    async def send(self, method: str, path: str, headers: Mapping[str, str], body: bytes) -> asyncio.StreamReader:
        """Send a request; returns the reader of its answer."""
        if self.streams is None or time.monotonic() - self.used > IDLE_S:
            await self.close()
            self.streams = await asyncio.open_connection(
                self.address.hostname, self.address.port or 80, limit=HEAD_LIMIT
            )
        self.used = time.monotonic()
        lines = [f"{method} {path} HTTP/1.1", f"Host: {self.address.netloc}", "Accept-Encoding: gzip"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        if method == "POST":
            lines.append(f"Content-Length: {len(body)}")
        reader, writer = self.streams
        writer.write("\r\n".join([*lines, "", ""]).encode() + body)
        await writer.drain()
        return reader

    async def head(self, reader: asyncio.StreamReader) -> tuple[int, dict[str, str]]:
        """Status and headers."""
        text = await reader.readuntil(b"\r\n\r\n")
        self.came = len(text)
        first, *rest = text.decode("latin-1").rstrip().split("\r\n")
        if not re.fullmatch(r"HTTP/1\.1 \d{3}\b.*", first):
            raise ConnectionError(f"{first[:40]!r} is no answer of HTTP/1.1")
        pairs = (line.partition(":") for line in rest)
        return int(first.split()[1]), {name.lower(): value.strip() for name, _, value in pairs}

    async def chunks(self, reader: asyncio.StreamReader) -> AsyncIterator[bytes]:
        """A chunked body, piece by piece."""
        while True:
            size = await reader.readuntil(b"\r\n")
            piece = await reader.readexactly(int(size.split(b";")[0], 16) + 2)
            self.came += len(size) + len(piece)
            if len(piece) == 2:
                return
            yield piece[:-2]

    async def ask(self, method: str, path: str, headers: Mapping[str, str] | None = None, body: bytes = b"") -> Answer:
        """A request and its whole answer."""
        reader = await self.send(method, path, headers or {}, body)
        status, found = await self.head(reader)
        if found.get("transfer-encoding") == "chunked":
            content = b"".join([piece async for piece in self.chunks(reader)])
        else:
            content = await reader.readexactly(int(found.get("content-length", 0)))
            self.came += len(content)
        self.used = time.monotonic()
        return Answer(status, found, content, self.came)

    async def events(self, path: str, connected: asyncio.Event) -> AsyncGenerator[tuple[int, str], None]:
        """The numbered server-sent events of a stream, id and data, until the server ends it."""
        reader = await self.send("GET", path, {"Accept": "text/event-stream"}, b"")
        status, found = await self.head(reader)
        if status != 200 or found.get("transfer-encoding") != "chunked":
            raise ConnectionError(f"GET {path} was answered with {status}")
        rest = b""
        async for piece in self.chunks(reader):
            connected.set()
            *whole, rest = (rest + piece).split(b"\n\n")
            for event in whole:
                fields = dict(line.split(": ", 1) for line in event.decode().split("\n") if ": " in line)
                if "id" in fields:
                    yield int(fields["id"]), fields.get("data", "")

    async def __aenter__(self) -> "Connection":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        if self.streams is not None:
            writer = self.streams[1]
            self.streams = None
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()
