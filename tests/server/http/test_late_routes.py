"""The start page is answered before the routes of everything else are loaded."""

import asyncio
import threading

import httpx
import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import BaseRoute, Route
from starlette.types import Scope

from franchise.server.http import middleware
from franchise.server.http.late_routes import LateRoutes
from franchise.web.app import pages, start_routes


async def say(request: Request) -> PlainTextResponse:
    return PlainTextResponse(request.url.path)


class Loader:
    """Loads the routes, and counts how often."""

    loads = 0

    def __call__(self) -> list[BaseRoute]:
        self.loads += 1
        return [Route("/", say), Route("/late", say)]


def visitor(loader: Loader) -> httpx.AsyncClient:
    async def wait(scope: Scope) -> None:
        await late.wait(scope)

    app = Starlette(middleware=[Middleware(middleware.RequestDeadline, before=wait)])
    late = LateRoutes(app.router, [Route("/", say)], loader)
    return httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://table")


async def test_the_first_page_does_not_wait_for_the_other_routes() -> None:
    loader = Loader()
    async with visitor(loader) as browser:
        assert (await browser.get("/")).text == "/"
        assert loader.loads == 0


async def test_requests_for_other_routes_wait_until_they_are_loaded_once() -> None:
    loader = Loader()
    async with visitor(loader) as browser:
        answers = await asyncio.gather(browser.get("/late"), browser.get("/late"), browser.get("/nowhere"))
        assert [answer.status_code for answer in answers] == [200, 200, 404]
        assert (await browser.get("/late")).status_code == 200
        assert (await browser.get("/nowhere")).status_code == 404
        assert loader.loads == 1


async def test_the_time_for_an_answer_begins_when_the_routes_are_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a slow machine the first request for a table was answered with 503 while its page was being imported."""
    loading, go_on = threading.Event(), threading.Event()

    class SlowLoader(Loader):
        def __call__(self) -> list[BaseRoute]:
            loading.set()
            go_on.wait()
            return super().__call__()

    monkeypatch.setattr(middleware, "ANSWER_S", 0.0)
    async with visitor(SlowLoader()) as browser:
        asking = asyncio.create_task(browser.get("/late"))
        await asyncio.to_thread(loading.wait)
        for _ in range(10):  # a request whose time had begun would be refused in the next round of the event loop
            await asyncio.sleep(0)
        monkeypatch.setattr(middleware, "ANSWER_S", 60.0)
        go_on.set()
        assert (await asking).text == "/late"


def test_no_first_route_hides_a_method_of_a_later_one() -> None:
    """A path that the first routes know only for GET would refuse a form although another route accepts it."""

    def methods(routes: list[BaseRoute]) -> dict[str, set[str]]:
        found: dict[str, set[str]] = {}
        for route in routes:
            found.setdefault(getattr(route, "path"), set()).update(getattr(route, "methods", None) or ())  # noqa: B009
        return found

    everything = methods(pages())
    assert all(everything[path] == known for path, known in methods(start_routes()).items())
