"""A whole site inside the test's event loop, and people who visit it without a browser."""

import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import httpx
import pytest

from franchise.bots import preparation
from franchise.server.settings import Settings
from franchise.server.tables.service import Tables
from franchise.server.wiring import People
from franchise.web.app import create_app

SETTINGS: dict[str, Any] = {"bot_threads": 1, "password_memory": 64, "notice_delay": 0}
PASSWORD = "correct horse"
SQLITE_ONLY = pytest.mark.parametrize("database", ["sqlite"], indirect=True)  # where the database matters little


class InProcessSite:
    """The site with everybody who visits it."""

    def __init__(self, app: Any, stack: AsyncExitStack) -> None:
        self.app = app
        self.stack = stack

    @property
    def tables(self) -> Tables:
        tables: Tables = self.app.state.tables
        return tables

    @property
    def people(self) -> People:
        people: People = self.app.state.people
        return people

    def stop_limits_clock(self) -> None:
        """Keep the windows of the limits where they are, so that a slow machine counts like a quick one."""
        now = self.app.state.limits.now()
        self.app.state.limits.now = lambda: now

    async def visitor(self, base: str = "", address: str = "127.0.0.1") -> httpx.AsyncClient:
        """Somebody with a cookie jar."""
        base = base or self.people.settings.url or "http://table"
        transport = httpx.ASGITransport(self.app, raise_app_exceptions=True, client=(address, 1234))
        return await self.stack.enter_async_context(httpx.AsyncClient(transport=transport, base_url=base))

    async def member(self, name: str, **more: Any) -> httpx.AsyncClient:
        """Somebody with an account, signed in."""
        browser = await self.visitor(**more)
        answer = await browser.post("/register", data={"name": name, "password": PASSWORD})
        assert answer.status_code == 303, answer.text
        return browser


@asynccontextmanager
async def running_site(database: str, servers: int = 1, **settings: Any) -> AsyncIterator[Any]:
    """A site over a database; with several servers, the site as each of them sees it."""
    async with AsyncExitStack() as stack:
        sites = []
        for _ in range(servers):
            app = create_app(Settings(database=database, **SETTINGS | settings))
            await stack.enter_async_context(app.router.lifespan_context(app))
            sites.append(InProcessSite(app, stack))
        yield sites if servers > 1 else sites[0]
    preparation.allow()  # a site that stops before bots are loaded cancels them, also for the tests that follow


async def open_table(browser: httpx.AsyncClient, *seats: str, **fields: str) -> str:
    """A table as the form of the start page makes it, seats in the order as listed; its id."""
    chosen = {f"seat{number}": kind for number, kind in enumerate(seats)}
    form = {"players": str(len(seats)), "in_order": "1", **chosen, **fields}
    answer = await browser.post("/tables", data=form)
    assert answer.status_code == 303, notice(answer)
    return answer.headers["location"].removeprefix("/t/")


def notice(answer: httpx.Response) -> str:
    """What a page says has gone wrong."""
    found = re.search(r'class="notice" role="alert">([^<]*)', answer.text)
    return found[1] if found else answer.text[:200]


async def move(browser: httpx.AsyncClient, site: InProcessSite, table: str, *moves: str) -> httpx.Response:
    """Moves, one after the other; the answer to the last."""
    for text in moves:
        version = (await site.tables.get(table)).version
        answer = await browser.post(f"/t/{table}/move", data={"version": str(version), "moves": text})
        assert answer.status_code == 303, notice(answer)
    return answer
