"""The whole site: the server's JSON API with the pages over it."""

from pathlib import Path

from fastapi import FastAPI
from starlette.staticfiles import StaticFiles

from franchise.server import app as server
from franchise.server.settings import Settings
from franchise.web import analysis, errors, pages, tables

STATIC = Path(__file__).parent / "static"


def create_app(settings: Settings | None = None) -> FastAPI:
    """The API and the pages in one application."""
    site = server.create_app(settings, records=["/look", "/tables"])
    for room in (pages, tables, analysis):
        site.include_router(room.router)
    site.mount("/static", StaticFiles(directory=STATIC), name="static")
    errors.install(site)
    return site
