"""The form for language and theme, on every page."""

from typing import Annotated
from urllib.parse import urlsplit

from fastapi import APIRouter, Form, Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Match

from franchise.server.wiring import People
from franchise.web.start_page import SEE_OTHER
from franchise.web.visitor import choose_language, choose_theme, visitor_of
from franchise.wording.language import LANGUAGES

router = APIRouter(include_in_schema=False)


def back_of(request: Request) -> str:
    """The previous page as a path of this site; the start page if unknown."""
    try:
        back = urlsplit(request.headers.get("referer", "/"))
    except ValueError:
        return "/"
    if not back.path.startswith("/") or back.path.startswith("//"):
        return "/"
    path = back.path
    while not readable(request, path):  # it only takes forms; their outcome is shown on the page above it
        path = path.rpartition("/")[0] or "/"
    return path + (f"?{back.query}" if back.query and path == back.path else "")


def readable(request: Request, path: str) -> bool:
    """Whether there is a page at a path."""
    asked = {**request.scope, "method": "GET", "path": path}
    return path == "/" or any(route.matches(asked)[0] is Match.FULL for route in request.app.routes)


@router.post("/settings")
async def settings(
    request: Request, language: Annotated[str, Form()] = "", theme: Annotated[str, Form()] = ""
) -> Response:
    """Set language and theme, then return to the previous page."""
    response, account = RedirectResponse(back_of(request), SEE_OTHER), visitor_of(request).account
    choose_language(request, response, language)
    if account is not None and language in LANGUAGES and language != account.language:  # messages are sent in it
        people: People = request.app.state.people
        await people.accounts.change(account, language=language)
    choose_theme(request, response, theme)
    return response
