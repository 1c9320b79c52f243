"""Waiting for what tells nobody that it has happened: a look every now and then, until it holds or patience ends."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any

PATIENCE = 300.0  # seconds until a test gives up: machines may be busy, and bots give way to everything else
GLANCE_S = 0.02  # between two looks


def wait_until(holds: Callable[[], Any], what: str = "it did not happen") -> None:
    """Return as soon as it holds; fail where it never does."""
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, what
        time.sleep(GLANCE_S)


async def eventually(holds: Callable[[], Any | Awaitable[Any]]) -> None:
    """The same in the event loop; the test itself has an end to its patience."""
    while True:
        held = holds()
        if await held if isinstance(held, Awaitable) else held:
            return
        await asyncio.sleep(GLANCE_S)
