"""Forgotten passwords: the request for a message, and the page its link leads to."""

from typing import Annotated

from fastapi import APIRouter, Form, Request
from starlette.responses import RedirectResponse, Response

from franchise.server.notices import messages
from franchise.server.tables.account_names import name_key
from franchise.server.tables.errors import TableError, TooMany
from franchise.web.account_pages import Password, people_of
from franchise.web.error_pages import refusal
from franchise.web.form_answers import FormOutcome, last_outcome, navigates, sent_on, shown_once
from franchise.web.start_page import SEE_OTHER
from franchise.web.templating import page
from franchise.web.visitor import keep_session, visitor_of
from franchise.wording.language import LANGUAGES, language

router = APIRouter(include_in_schema=False)


@router.get("/forgotten")
async def forgotten_page(request: Request) -> Response:
    """A form for the name or the address."""
    outcome = last_outcome(request)
    return shown_once(request, page(visitor_of(request), "forgotten.html", outcome=outcome))


@router.post("/forgotten")
async def forgotten(request: Request, who: Annotated[str, Form(max_length=254)] = "") -> Response:
    """Send a message to the account with that name or address; the answer is the same if there is none."""
    visitor, people = visitor_of(request), people_of(request)
    request.app.state.limits.sign_in(name_key(who), request)
    for account in await people.password_reset.accounts_of(who):
        spoken = language(account.language if account.language in LANGUAGES else "en")
        try:
            request.app.state.limits.letter(account.email or "")
        except TooMany:
            continue  # do not flood a mailbox, and do not reveal that the account exists
        await people.password_reset.write(account, messages.new_password(spoken, account.name))
    outcome = FormOutcome(
        done=visitor.language.text("If that account has a confirmed address, a message is on its way.")
    )
    if navigates(request):
        return sent_on(request, "/forgotten", outcome)
    return page(visitor, "forgotten.html", outcome=outcome)


@router.get("/password/{token}")
async def new_password_page(request: Request, token: str) -> Response:
    """A form for a new password."""
    visitor = visitor_of(request)
    account = await people_of(request).password_reset.account(token[:1000])
    if account is None:
        title = visitor.language.text("This link is no longer valid.")
        return page(visitor, "link.html", 404, title=title, button="")
    outcome = last_outcome(request)
    return shown_once(request, page(visitor, "new_password.html", name=account.name, error=outcome.error))


@router.post("/password/{token}")
async def new_password(request: Request, token: str, password: Password = "") -> Response:
    """Set a new password: every session ends, and a new one begins here."""
    visitor, people = visitor_of(request), people_of(request)
    account = await people.password_reset.account(token[:1000])
    if account is None:
        title = visitor.language.text("This link is no longer valid.")
        return page(visitor, "link.html", 404, title=title, button="")
    try:
        await people.password_reset.change(account, password)
    except TableError as error:
        text = refusal(error, visitor.language)
        if navigates(request):
            return sent_on(request, request.url.path, FormOutcome(error=text))
        return page(visitor, "new_password.html", error.status, name=account.name, error=text)
    await people.sessions.end_all(account)
    response = RedirectResponse("/", SEE_OTHER)
    keep_session(request, response, await people.sessions.open(account, request.headers.get("user-agent", "")))
    return response
