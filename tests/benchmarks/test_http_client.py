"""The HTTP client of the benchmarks, against a server that says what the test wants."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import SplitResult, urlsplit

import pytest

from franchise.benchmarks.http_client import Connection

CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
PLAIN = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"


@asynccontextmanager
async def answering(*answers: list[bytes], close: bool = False) -> AsyncIterator[tuple[SplitResult, list[bytes]]]:
    """A server with an answer to each request, sent piece by piece; and the requests. It may close after each."""
    asked: list[bytes] = []

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while len(asked) < len(answers) and (head := await reader.readuntil(b"\r\n\r\n")):
            asked.append(head)
            for piece in answers[len(asked) - 1]:
                writer.write(piece)
                await writer.drain()
            if close:
                break
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        yield urlsplit(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"), asked


async def test_an_answer_is_read_whole_in_whatever_pieces_it_comes() -> None:
    pieces = [CHUNKED[:9], CHUNKED[9:] + b"5\r\nhe", b"llo\r\n3;x=1\r\n", b" yo\r", b"\n0\r\n\r\n"]
    async with answering([PLAIN], pieces) as (address, asked), Connection(address) as connection:
        plain = await connection.ask("POST", "/a", {"X-Name": "x"}, b"")
        assert (plain.status, plain.content, plain.received) == (200, b"hi", len(PLAIN))
        chunked = await connection.ask("GET", "/b")
        assert (chunked.content, chunked.received) == (b"hello yo", len(b"".join(pieces)))
    assert asked[0].startswith(b"POST /a HTTP/1.1\r\nHost: 127.0.0.1:")
    assert b"\r\nX-Name: x\r\nContent-Length: 0\r\n\r\n" in asked[0]


async def test_a_connection_that_the_server_closed_is_opened_anew() -> None:
    async with answering([PLAIN], [PLAIN], close=True) as (address, asked), Connection(address) as connection:
        await connection.ask("GET", "/")
        assert connection.lost is not None
        await connection.lost
        assert (await connection.ask("GET", "/")).content == b"hi"
    assert len(asked) == 2


async def test_numbered_events_are_told_until_the_stream_ends() -> None:
    body = b": hello\n\nid: 1\nevent: move\ndata: a\n\nevent: chat\ndata: x\n\nid: 2\ndata: b\n\n"
    pieces = [CHUNKED, *(b"%x\r\n%b\r\n" % (len(part), part) for part in (body[:20], body[20:])), b"0\r\n\r\n"]
    begun = asyncio.Event()
    async with answering(pieces) as (address, _), Connection(address) as connection:
        assert [event async for event in connection.events("/events", begun)] == [(1, "a"), (2, "b")]
    assert begun.is_set()


@pytest.mark.parametrize(
    ("pieces", "said"),
    [
        ([CHUNKED, b"7\r\nid: 1\n\n\r\n"], "the server closed the connection"),
        ([b"HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n"], "GET /events was answered with 503"),
        ([b"SSH-2.0-OpenSSH\r\n\r\n"], "'SSH-2.0-OpenSSH' is not an HTTP/1.1 response"),
    ],
)
async def test_a_stream_that_is_cut_or_none_at_all_is_an_error(pieces: list[bytes], said: str) -> None:
    async with answering(pieces) as (address, _), Connection(address) as connection:
        with pytest.raises(ConnectionError, match=said):
            async for _ in connection.events("/events", asyncio.Event()):
                pass
