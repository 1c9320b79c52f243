"""A web server of the test's own, for webhooks and Web Push."""

import asyncio

SILENT = 0  # a status: somebody who takes a message and never answers


class WebhookServer:
    """A web server that keeps what it is sent, and answers with the statuses it is given."""

    def __init__(self, *statuses: int) -> None:
        self.statuses = list(statuses)
        self.got: list[tuple[dict[str, str], bytes]] = []

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        headers = dict(line.split(": ", 1) for line in head.split("\r\n")[1:] if ": " in line)
        headers = {name.lower(): value for name, value in headers.items()}
        self.got.append((headers, await reader.readexactly(int(headers.get("content-length", "0")))))
        status = self.statuses.pop(0) if self.statuses else 204
        if status == SILENT:
            await reader.read()  # until whoever waits has gone
        more = "Location: http://127.0.0.1:1/\r\n" if 300 <= status < 400 else ""
        writer.write(f"HTTP/1.1 {status} X\r\n{more}Content-Length: 0\r\nConnection: close\r\n\r\n".encode())
        await writer.drain()
        writer.close()

    async def start(self) -> str:
        self.server = await asyncio.start_server(self.serve, "127.0.0.1", 0)
        return f"http://127.0.0.1:{self.server.sockets[0].getsockname()[1]}/hook"
