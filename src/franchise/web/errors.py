"""Errors as pages for people; the API's answers stay JSON."""

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from franchise.server.errors import TableError
from franchise.server.guard import HEADERS
from franchise.web.language import N_, Language
from franchise.web.rendering import page
from franchise.web.visitor import visitor

TITLES = {
    404: N_("There is nothing here"),
    403: N_("That is not yours to do"),
    401: N_("Please sign in"),
    422: N_("That did not fit"),
    429: N_("That was a lot at once"),
    500: N_("Something went wrong here"),
}

REFUSALS = {  # what the server refuses, by its code, in words for the page
    "no_such_table": N_("There is no such table. Perhaps the link is not complete."),
    "no_such_seat": N_("There is no such seat."),
    "no_token": N_("You have no seat at this table: you are watching."),
    "not_your_seat": N_("You have no seat at this table: you are watching."),
    "not_your_turn": N_("It is not your turn."),
    "stale": N_("The table has moved on: here is how it stands now."),
    "seat_taken": N_("Somebody else has taken that seat."),
    "not_over": N_("The game is not over yet."),
    "ended": N_("This game was ended when a time ran out."),
    "no_hints": N_("There are no hints at this table now."),
    "needs_account": N_("A rated table is for people with accounts: sign in first."),
    "not_signed_in": N_("This is for people who have signed in."),
    "wrong_password": N_("Name and password do not fit together."),
    "name_taken": N_("Somebody else has that name."),
    "name_length": N_("A name has 2 to 40 characters."),
    "name_letters": N_("A name has letters or digits, and no slashes."),
    "password_length": N_("A password has 8 to 200 characters."),
    "password_is_name": N_("A password is not the name."),
    "too_many_tokens": N_("An account has at most ten tokens: revoke one first."),
    "too_many": N_("Wait a moment and try again."),
    "bad_webhook": N_("A webhook is an address on the open internet that begins with https://."),
    "bad_email": N_("This is no e-mail address."),
    "bad_keys": N_("This browser cannot be told."),
    "no_email": N_("This server sends no e-mail."),
    "nothing_to_undo": N_("There is nothing to take back in this turn."),
    "refused": N_("That cannot be done here."),
}


def refusal(error: TableError, language: Language) -> str:
    """Why the server refused something, in the visitor's language."""
    return language.text(REFUSALS.get(error.code, REFUSALS["refused"]))


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
            answer.headers.update(HEADERS)  # where the error is one of ours, nothing else adds them
            return answer

        site.add_exception_handler(kind, handle)


def error_page(request: Request, error: Exception) -> Response:
    """What went wrong and where to go."""
    one = visitor(request)
    if isinstance(error, TableError):
        status, text = error.status, refusal(error, one.language)
    elif isinstance(error, RequestValidationError):
        status, text = 422, one.language.text("The page sent something that cannot be read.")
    else:
        status = error.status_code if isinstance(error, HTTPException) else 500
        gone = N_("The address may be wrong, or what was here is gone.")
        text = one.language.text(gone if status < 500 else N_("It is in the log of the server. Please try again."))
    title = one.language.text(TITLES.get(status, TITLES[422]))
    return page(one, "error.html", status, title=title, text=text)
