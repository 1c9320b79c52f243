"""Processes of our own, started to be measured or to be killed: `franchise serve` and `franchise worker`."""

import asyncio
import os
import re
import sys
from contextlib import suppress
from pathlib import Path
from urllib.parse import SplitResult, urlsplit

START_S = 180.0  # for a process to start, kernels compiled if need be
STOP_S = 10.0  # for one to stop


class LoadError(Exception):
    """Why there are no figures; the message is one line."""


class Process:
    """A `franchise` command that runs until it is stopped, and can be started again."""

    def __init__(self, folder: Path, name: str, *arguments: str, **environment: str) -> None:
        self.name = name
        self.complaints = folder / f"{name}.log"
        self.arguments = arguments
        self.environment = environment
        self.address: SplitResult | None = None  # of a server, once it has answered; it keeps it
        self.process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        """Start it and wait until it says that it is ready; LoadError."""
        port = ("--port", str(self.address.port)) if self.address is not None else ()
        with self.complaints.open("a") as errors:
            self.process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "franchise", *self.arguments, *port),  # the last --port counts
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=errors,
                start_new_session=True,  # an interrupt is for us; we stop it then
                env=os.environ | {"FRANCHISE_LIMITS": "0"} | self.environment,  # all people come from one address
            )
        assert self.process.stdout is not None
        line = b""
        with suppress(TimeoutError):
            line = await asyncio.wait_for(self.process.stdout.readline(), START_S)
        if not line:
            said = self.complaints.read_text(encoding="utf-8").strip().splitlines() or ["it says nothing"]
            raise LoadError(f"the {self.name} did not start: {said[-1]}")
        found = re.search(r"http://\S+", line.decode())
        self.address = urlsplit(found[0]) if found else None

    @property
    def pid(self) -> int | None:
        return None if self.process is None else self.process.pid

    async def kill(self) -> None:
        """End it as a crash does."""
        if self.process is not None and self.process.returncode is None:
            self.process.kill()
            await self.process.wait()

    async def stop(self) -> None:
        """End it in good order; as a crash does where it takes too long."""
        if self.process is None or self.process.returncode is not None:
            return
        self.process.terminate()
        try:
            await asyncio.wait_for(self.process.wait(), STOP_S)
        except TimeoutError:
            await self.kill()
