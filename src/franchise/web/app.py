"""The whole site: the server's JSON API with the pages over it."""

from pathlib import Path

from fastapi import FastAPI
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from franchise.server import app as server
from franchise.server.settings import Settings
from franchise.web import analysis, errors, learn, pages, tables

FOR_EVER = "public, max-age=31536000, immutable"
STATIC = Path(__file__).parent / "static"


def create_app(settings: Settings | None = None) -> FastAPI:
    """The API and the pages in one application."""
    site = server.create_app(settings, records=["/look", "/tables"])
    for room in (pages, tables, analysis, learn):
        site.include_router(room.router)
    site.mount("/static", Files(directory=STATIC), name="static")
    errors.install(site)
    return site


class Files(StaticFiles):
    """Static files; those asked for by the digest of their content never change."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        response.headers["Cache-Control"] = FOR_EVER if scope["query_string"] else "no-cache"
        return response
