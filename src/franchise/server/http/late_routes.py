"""Routes that are loaded while the first page is already being shown."""

import asyncio
from collections.abc import Callable, Iterable

from starlette.routing import BaseRoute, Match, Router
from starlette.types import Scope


class LateRoutes:
    """Replaces the first routes of a router by all of them, on the first request for another one or on `loaded`.

    `load` imports the modules of all routes; it runs in a thread.
    """

    def __init__(self, router: Router, first: Iterable[BaseRoute], load: Callable[[], list[BaseRoute]]) -> None:
        self.router = router
        self.load = load
        self.complete = False
        self.loading: asyncio.Task[None] | None = None
        router.routes[:] = first

    async def wait(self, scope: Scope) -> None:
        """Wait until all routes are there, unless one of the first answers the request."""
        if not self.complete and not any(route.matches(scope)[0] is Match.FULL for route in self.router.routes):
            await self.loaded()

    async def loaded(self) -> None:
        """Wait until all routes are there."""
        if self.loading is None:
            self.loading = asyncio.create_task(self._replace())
        await asyncio.shield(self.loading)  # one client may disconnect while others wait

    async def _replace(self) -> None:
        self.router.routes[:] = await asyncio.to_thread(self.load)
        self.complete = True
