"""Answers leave in one piece."""

import asyncio

from franchise.server.http.connections import JoinedWrites


async def test_an_answer_arrives_in_one_piece_and_the_head_of_a_stream_at_once() -> None:
    class Sent:
        """A transport that notes what it is given."""

        def __init__(self) -> None:
            self.pieces: list[bytes] = []

        def write(self, data: bytes) -> None:
            self.pieces.append(data)

        def close(self) -> None:
            self.pieces.append(b"(closed)")

    sent = Sent()
    writes = JoinedWrites(sent, asyncio.get_running_loop())  # type: ignore[arg-type]
    head, more = b"HTTP/1.1 200 OK\r\n\r\n", b"HTTP/1.1 100 Continue\r\n\r\n"
    writes.write(more)
    writes.write(head)
    assert sent.pieces == [more]
    writes.write(b"body")
    assert sent.pieces[1:] == [head + b"body"]
    writes.write(b"more")
    writes.write(head)  # of a stream, whose first event is still to happen
    await asyncio.sleep(0)
    assert sent.pieces[2:] == [b"more", head]
    writes.write(head)
    writes.close()
    assert sent.pieces[4:] == [head, b"(closed)"]
