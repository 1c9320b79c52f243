"""Archives old games in the background, a few at a time."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from datetime import timedelta

from franchise.server.tables.errors import Unavailable
from franchise.server.tables.interfaces import Store

AT_ONCE = 50  # games: a transaction of some milliseconds
PAUSE_S = 0.2  # between two such steps
LOOK_S = 600.0  # between looks for games that have become old
log = logging.getLogger(__name__)


@asynccontextmanager
async def archiving(store: Store, days: int) -> AsyncIterator[None]:
    """Archive games that ended that many days ago while this context is open; 0 for none."""
    work = asyncio.create_task(keep_archiving(store, timedelta(days=days))) if days else None
    try:
        yield
    finally:
        if work is not None:
            work.cancel()
            with suppress(asyncio.CancelledError):
                await work


async def keep_archiving(store: Store, age: timedelta) -> None:
    while True:
        try:
            while await store.archive(store.now() - age, AT_ONCE):
                await asyncio.sleep(PAUSE_S)
        except Unavailable:  # which is logged
            pass
        except Exception:
            log.exception("old games could not be archived; trying again in %s seconds", LOOK_S)
        await asyncio.sleep(LOOK_S)
