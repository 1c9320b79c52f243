"""Routes that are loaded while the first page is already being shown."""

import asyncio
from collections.abc import Callable, Iterable

from starlette.routing import BaseRoute, Router
from starlette.types import Receive, Scope, Send


class LateRoutes:
    """Replaces the first routes of a router by all of them, on the first request for another one or on `loaded`.

    `load` imports the modules of all routes; it runs in a thread. Until then this is the router's default, so requests
    that match none of the first routes wait for the others.
    """

    def __init__(self, router: Router, first: Iterable[BaseRoute], load: Callable[[], list[BaseRoute]]) -> None:
        self.router = router
        self.load = load
        self.loading: asyncio.Task[None] | None = None
        router.routes[:] = first
        router.default = self

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self.loaded()
        await self.router.app(scope, receive, send)

    async def loaded(self) -> None:
        """Wait until all routes are there."""
        if self.loading is None:
            self.loading = asyncio.create_task(self._replace())
        await asyncio.shield(self.loading)  # one client may disconnect while others wait

    async def _replace(self) -> None:
        routes = await asyncio.to_thread(self.load)
        self.router.default = self.router.not_found
        self.router.routes[:] = routes
