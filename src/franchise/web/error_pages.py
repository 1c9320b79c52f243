"""Errors as pages for people; the API's answers stay JSON."""

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from franchise.server.app import allowed
from franchise.server.tables.errors import TableError
from franchise.web.templating import page
from franchise.web.visitor import visitor_of
from franchise.wording.language import N_, Language
from franchise.wording.refusals import refused

TITLES = {
    404: N_("Page not found"),
    403: N_("You are not allowed to do that"),
    401: N_("Please sign in"),
    422: N_("That is not valid"),
    429: N_("Too many requests"),
    500: N_("Something went wrong here"),
    503: N_("Just a moment"),
}


def refusal(error: TableError, language: Language) -> str:
    """Why the server refused something, in the visitor's language."""
    return refused(error.code, language)


def install(site: FastAPI) -> None:
    """Answer errors outside /api with a page."""
    site.state.refusal_page = error_page
    for kind in (HTTPException, RequestValidationError, TableError, Exception):
        before = site.exception_handlers.get(kind)

        async def handle(request: Request, error: Exception, before: object = before) -> Response:
            if request.url.path.startswith("/api") and callable(before):
                made: Response = await before(request, error)
                return made
            answer = error_page(request, error)
            if answer.status_code == 405:
                answer.headers["Allow"] = allowed(request)
            if isinstance(error, TableError) and error.seconds is not None:
                answer.headers["Retry-After"] = str(error.seconds)
            return answer

        site.add_exception_handler(kind, handle)


def error_page(request: Request, error: Exception) -> Response:
    """What went wrong and where to go."""
    visitor = visitor_of(request)
    if isinstance(error, TableError):
        status, text = error.status, refusal(error, visitor.language)
    elif isinstance(error, RequestValidationError):
        status, text = 422, visitor.language.text("The page sent something that cannot be read.")
    else:
        status = error.status_code if isinstance(error, HTTPException) else 500
        gone = N_("The address may be wrong, or what was here is gone.")
        text = visitor.language.text(gone if status < 500 else N_("The server has logged it. Please try again."))
    title = visitor.language.text(TITLES.get(status, TITLES[422]))
    return page(visitor, "error.html", status, title=title, text=text)
