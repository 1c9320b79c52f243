"""The start page is answered before the routes of everything else are loaded."""

import asyncio

import httpx
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import BaseRoute, Route

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
    app = Starlette()
    LateRoutes(app.router, [Route("/", say)], loader)
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


def test_no_first_route_hides_a_method_of_a_later_one() -> None:
    """A path that the first routes know only for GET would refuse a form although another route accepts it."""

    def methods(routes: list[BaseRoute]) -> dict[str, set[str]]:
        found: dict[str, set[str]] = {}
        for route in routes:
            found.setdefault(getattr(route, "path"), set()).update(getattr(route, "methods", None) or ())  # noqa: B009
        return found

    everything = methods(pages())
    assert all(everything[path] == known for path, known in methods(start_routes()).items())
