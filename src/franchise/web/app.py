"""The whole site: the server's JSON API and the pages."""

import asyncio
import gc
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Any

from fastapi import FastAPI
from starlette.routing import BaseRoute

from franchise.bots import preparation
from franchise.engine.jit import compile_behind
from franchise.server import app as server
from franchise.server.http.late_routes import LateRoutes
from franchise.server.settings import Settings
from franchise.web import compile_progress, error_pages, lobby_page, picture_files, start_page, static_files
from franchise.web.hero import hero
from franchise.web.visitor import Visitor
from franchise.wording.language import LANGUAGES, language

CALM_S = 1.0  # for the first page; what else is loaded would only hold it up


def create_app(settings: Settings | None = None, at_once: bool = True) -> FastAPI:
    """The API and the pages in one application.

    If not everything is loaded at once, the start page is answered while the other pages and the API are being loaded.
    """
    site = server.create_app(settings, ["/look", "/tables"], pages, None if at_once else start_routes())
    error_pages.install(site)
    begin = site.router.lifespan_context

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[Mapping[str, Any] | None]:
        server_warm_up = partial(server.warm_up, quiet=app.state.settings.log_format == "json")
        steps = (server_warm_up, warm_up, gc.freeze)  # what is loaded by then stays
        async with begin(app) as state, later(*steps, routes=None if at_once else app.state.late_routes):
            yield state

    site.router.lifespan_context = lifespan  # type: ignore[assignment]
    return site


def start_routes() -> list[BaseRoute]:
    """The routes of the start page and of all that it shows."""
    parts = (start_page, lobby_page, static_files, picture_files, compile_progress)
    return [route for part in parts for route in part.router.routes]


def pages() -> list[BaseRoute]:
    """The routes of all pages, the most frequent first."""
    from franchise.web import (
        account_pages,
        analysis_page,
        api_page,
        hosting_pages,
        look_page,
        new_table_page,
        password_pages,
        profile_pages,
        rules_page,
        settings_form,
        share_page,
        statistics_page,
        table_pages,
        tutorial,
    )

    modules = (
        table_pages,
        start_page,
        look_page,
        settings_form,
        lobby_page,
        static_files,
        new_table_page,
        picture_files,
        compile_progress,
        hosting_pages,
        share_page,
        analysis_page,
        api_page,
        tutorial,
        rules_page,
        account_pages,
        password_pages,
        profile_pages,
        statistics_page,
    )
    routers = (table_pages.orders, *(module.router for module in modules))
    return [route for router in routers for route in router.routes]


@asynccontextmanager
async def later(*steps: Callable[[], None], routes: LateRoutes | None) -> AsyncIterator[None]:
    """Load the other routes and take the steps one by one in a thread, when the first page has been answered."""

    async def take() -> None:
        await asyncio.sleep(CALM_S)
        if routes is not None:
            await routes.loaded()
        for step in steps:
            await asyncio.to_thread(step)

    preparation.expect()
    taking = asyncio.create_task(take())
    try:
        with compile_behind():
            yield
    finally:
        preparation.stop()
        taking.cancel()
        with suppress(asyncio.CancelledError):
            await taking


def warm_up() -> None:
    """Draw and render everything once, before anybody has to wait for it."""
    from franchise.web import table_parts, tutorial
    from franchise.web.lessons import LESSONS, place_at

    nobody = Visitor(None, "", language("en"), "auto")
    for code in LANGUAGES:
        hero(language(code))
    for place in (place_at(2, 0), place_at(len(LESSONS), 0)):
        scene = tutorial.scene_of(place, language("en"))
        table_parts.whole(nobody, scene, ())
        table_parts.changes(nobody, scene, "")
