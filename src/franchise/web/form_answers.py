"""Answers to forms: the browser is redirected to a page that shows the outcome once, so that nothing is sent twice.

Reloading, going back or changing the language then never repeats the form. Clients that do not navigate (programs) get
the page with its status directly.
"""

import json
from dataclasses import asdict, dataclass
from urllib.parse import quote, unquote

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from franchise.web.start_page import SEE_OTHER
from franchise.web.visitor import behind_tls

COOKIE = "franchise_said"
KEPT_S = 120
LONGEST = 600  # characters of a text


@dataclass(frozen=True)
class FormOutcome:
    """The outcome of a form."""

    error: str = ""
    done: str = ""
    token: str = ""  # a new one, shown this once

    def __bool__(self) -> bool:
        return bool(self.error or self.done or self.token)


NOTHING = FormOutcome()


def navigates(request: Request) -> bool:
    """Whether the request is a browser's navigation, not a script or a program that wants data."""
    return request.headers.get("sec-fetch-mode") == "navigate"


def sent_on(request: Request, path: str, outcome: FormOutcome) -> Response:
    """Redirect to a page of this site that shows the outcome of the form."""
    response = RedirectResponse(path, SEE_OTHER)
    fields = {name: text[:LONGEST] for name, text in asdict(outcome).items() if text}
    response.set_cookie(
        COOKIE, quote(json.dumps(fields)), KEPT_S, httponly=True, samesite="lax", secure=behind_tls(request)
    )
    return response


def last_outcome(request: Request) -> FormOutcome:
    """The outcome of the form before this page; empty if the cookie is invalid."""
    try:
        found = json.loads(unquote(request.cookies.get(COOKIE, "{}")))
        return FormOutcome(**{name: str(found[name])[:LONGEST] for name in asdict(NOTHING) if name in found})
    except (ValueError, TypeError):
        return NOTHING


def shown_once(request: Request, response: Response) -> Response:
    """The page; its message is deleted, so that it is shown only once."""
    if COOKIE in request.cookies:
        response.delete_cookie(COOKIE, httponly=True, samesite="lax", secure=behind_tls(request))
    return response
