"""Processes that are measured or killed: `franchise serve` and `franchise worker`."""

import asyncio
import os
import re
import sys
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import SplitResult, urlsplit

START_S = 180.0  # for a process to start, including compiling
STOP_S = 10.0  # for a process to stop


class LoadError(Exception):
    """There are no figures; the message says why in one line."""


class Process:
    """A `franchise` command that runs until it is stopped, and can be started again."""

    def __init__(self, folder: Path, name: str, *arguments: str, **environment: str) -> None:
        self.name = name
        self.complaints = folder / f"{name}.log"
        self.arguments = arguments
        self.environment = environment
        self.address: SplitResult | None = None  # of a server, once it has started; a restart keeps it
        self.process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        """Start it and wait until it prints that it is ready; raises LoadError."""
        port = ("--port", str(self.address.port)) if self.address is not None else ()
        with self.complaints.open("a") as errors:
            self.process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "franchise", *self.arguments, *port),  # the last --port counts
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=errors,
                start_new_session=True,  # Ctrl-C is for this process, which then stops it
                env=os.environ | {"FRANCHISE_LIMITS": "0"} | self.environment,  # all requests come from one address
            )
        assert self.process.stdout is not None
        line = b""
        with suppress(TimeoutError):
            line = await asyncio.wait_for(self.process.stdout.readline(), START_S)
        if not line:
            lines = self.complaints.read_text(encoding="utf-8").strip().splitlines() or ["it says nothing"]
            raise LoadError(f"the {self.name} did not start: {lines[-1]}")
        match = re.search(r"http://\S+", line.decode())
        self.address = urlsplit(match[0]) if match else None

    @property
    def pid(self) -> int | None:
        return None if self.process is None else self.process.pid

    async def kill(self) -> None:
        """Kill it."""
        if self.process is not None and self.process.returncode is None:
            self.process.kill()
            await self.process.wait()

    async def stop(self) -> None:
        """Stop it cleanly; kill it if that takes too long."""
        if self.process is None or self.process.returncode is not None:
            return
        self.process.terminate()
        try:
            await asyncio.wait_for(self.process.wait(), STOP_S)
        except TimeoutError:
            await self.kill()


def read_address(text: str) -> SplitResult:
    """The address of a server on this machine."""
    address = urlsplit(text)
    try:
        local = address.hostname == "localhost" or ip_address(address.hostname or "").is_loopback
        usable = local and address.scheme == "http" and address.port != 0
    except ValueError:
        usable = False
    if not usable:
        raise LoadError(f"{text!r} is not a server on this machine; write http://127.0.0.1:PORT")
    return address
