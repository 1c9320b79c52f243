"""The whole site: the server's JSON API and the pages."""

import asyncio
import gc
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from franchise.bots import preparation
from franchise.engine.jit import compile_behind
from franchise.server import app as server
from franchise.server.settings import Settings
from franchise.web import (
    account_pages,
    analysis_page,
    api_page,
    error_pages,
    hosting_pages,
    lobby_page,
    new_table_page,
    password_pages,
    picture_files,
    preparing,
    profile_pages,
    rules_page,
    share_page,
    start_page,
    statistics_page,
    table_pages,
    table_parts,
    tutorial,
)
from franchise.web.hero import hero
from franchise.web.lessons import LESSONS, place_at
from franchise.web.visitor import Visitor
from franchise.wording.language import LANGUAGES, language

CALM_S = 1.0  # for the first page; what else is loaded would only hold it up
FOR_EVER = "public, max-age=31536000, immutable"
STATIC = Path(__file__).parent / "static"


def create_app(settings: Settings | None = None) -> FastAPI:
    """The API and the pages in one application."""
    modules = (
        table_pages,
        start_page,
        lobby_page,
        new_table_page,
        picture_files,
        preparing,
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
    site = server.create_app(
        settings, ["/look", "/tables"], [table_pages.orders, *(module.router for module in modules)]
    )
    site.mount("/static", Files(directory=STATIC), name="static")
    error_pages.install(site)
    begin = site.router.lifespan_context

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[Mapping[str, Any] | None]:
        async with begin(app) as state, later(server.warm_up, warm_up, gc.freeze):  # what is loaded by then stays
            yield state

    site.router.lifespan_context = lifespan  # type: ignore[assignment]
    return site


@asynccontextmanager
async def later(*steps: Callable[[], None]) -> AsyncIterator[None]:
    """Take the steps one by one in a thread, when whoever waited for the start has had a page; at the end stop."""

    async def take() -> None:
        await asyncio.sleep(CALM_S)
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
    nobody = Visitor(None, "", language("en"), "auto")
    for code in LANGUAGES:
        hero(language(code))
    for place in (place_at(2, 0), place_at(len(LESSONS), 0)):
        scene = tutorial.scene_of(place, language("en"))
        table_parts.whole(nobody, scene, ())
        table_parts.changes(nobody, scene, "")


class Files(StaticFiles):
    """Static files; those asked for by the digest of their content never change."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        response.headers["Cache-Control"] = FOR_EVER if scope["query_string"] else "no-cache"
        return response
