"""Accounts: registering, signing in and out, and the account page."""

import json
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Form, Request
from pydantic import BaseModel, Field
from starlette.responses import JSONResponse, RedirectResponse, Response

from franchise.server.notices import messages
from franchise.server.people.sessions import SignedIn
from franchise.server.tables.account_names import name_key
from franchise.server.tables.errors import NotSignedIn, TableError
from franchise.server.wiring import People
from franchise.web.error_pages import refusal
from franchise.web.form_answers import FormOutcome, last_outcome, navigates, sent_on, shown_once
from franchise.web.start_page import SEE_OTHER, tables_of
from franchise.web.templating import page
from franchise.web.visitor import Visitor, forget_session, keep_session, visitor_of

router = APIRouter(include_in_schema=False)

Name = Annotated[str, Form(max_length=200)]
Password = Annotated[str, Form(max_length=1000)]
Text = Annotated[str, Form(max_length=1000)]


def people_of(request: Request) -> People:
    found: People = request.app.state.people
    return found


def owner(visitor: Visitor) -> SignedIn:
    """The account that is signed in; raises NotSignedIn."""
    if visitor.signed_in is None:
        raise NotSignedIn
    return visitor.signed_in


def inside(path: str) -> str:
    """The path to continue to if it is on this site, else the start page."""
    safe = path.startswith("/") and not path.startswith(("//", "/\\")) and path.isprintable() and "\\" not in path
    return path if safe and len(path) <= 200 else "/"


# --- signing in and out ---


@router.get("/register")
async def register_page(request: Request) -> Response:
    """A form for a new account."""
    return await entrance(request, visitor_of(request), "register.html")


@router.get("/sign-in")
async def sign_in_page(request: Request) -> Response:
    return await entrance(request, visitor_of(request), "sign_in.html")


async def entrance(
    request: Request, visitor: Visitor, template: str, error: str = "", status: int = 200, following: str = ""
) -> Response:
    """The page to register or sign in; it keeps its destination after a failed attempt."""
    following = inside(following or request.query_params.get("next", "/"))
    if error and navigates(request):
        return sent_on(request, f"{request.url.path}?{urlencode({'next': following})}", FormOutcome(error=error))
    values = {
        "error": error or last_outcome(request).error,
        "seats": await people_of(request).account_data.guest_seats(visitor.guest),
        "following": following,
        "resetting": "email" in people_of(request).subscriptions.channels,
    }
    return shown_once(request, page(visitor, template, status, **values))


@router.post("/register")
async def register(
    request: Request, name: Name = "", password: Password = "", claim: Text = "", following: Text = "/"
) -> Response:
    """Create an account and sign in; the guest's seats move to it."""
    visitor, people = visitor_of(request), people_of(request)
    try:
        account = await people.accounts.register(name, password, visitor.language.code)
    except TableError as error:
        return await entrance(
            request, visitor, "register.html", refusal(error, visitor.language), error.status, following
        )
    if claim and visitor.guest:
        await tables_of(request).look_again(await people.account_data.claim(account, visitor.guest))
    response = RedirectResponse(inside(following), SEE_OTHER)
    keep_session(request, response, await people.sessions.open(account, request.headers.get("user-agent", "")))
    return response


@router.post("/sign-in")
async def sign_in(request: Request, name: Name = "", password: Password = "", following: Text = "/") -> Response:
    """Start a session if the password is correct."""
    visitor, people = visitor_of(request), people_of(request)
    try:
        request.app.state.limits.sign_in(name_key(name), request)
        account = await people.accounts.sign_in(name, password)
    except TableError as error:
        return await entrance(
            request, visitor, "sign_in.html", refusal(error, visitor.language), error.status, following
        )
    if visitor.signed_in is not None:
        await people.sessions.end(visitor.signed_in.account, visitor.signed_in.session)
    response = RedirectResponse(inside(following), SEE_OTHER)
    keep_session(request, response, await people.sessions.open(account, request.headers.get("user-agent", "")))
    return response


@router.post("/account/sign-out")
async def sign_out(request: Request) -> Response:
    """End this session."""
    found = owner(visitor_of(request))
    await people_of(request).sessions.end(found.account, found.session)
    response = RedirectResponse("/", SEE_OTHER)
    forget_session(request, response)
    return response


@router.post("/account/sign-out-everywhere")
async def sign_out_everywhere(request: Request) -> Response:
    """End every session of the account, this one too."""
    await people_of(request).sessions.end_all(owner(visitor_of(request)).account)
    response = RedirectResponse("/", SEE_OTHER)
    forget_session(request, response)
    return response


# --- the account page ---


@router.get("/account")
async def account_page(request: Request) -> Response:
    visitor = visitor_of(request)
    if visitor.signed_in is None:
        return RedirectResponse("/sign-in?next=/account", SEE_OTHER)
    return shown_once(request, await account_view(request, visitor, last_outcome(request)))


async def account_view(request: Request, visitor: Visitor, outcome: FormOutcome, status: int = 200) -> Response:
    """The account page, with the outcome of the last form."""
    found, people = owner(visitor), people_of(request)
    account = await people.accounts.get(found.account.id)
    values: dict[str, Any] = {
        "account": account,
        "session": found.session,
        "sessions": await people.sessions.of(found.account),
        "tokens": await people.sessions.tokens(found.account),
        "seats": await people.account_data.guest_seats(visitor.guest),
        "channels": people.subscriptions.channels,
        "push_key": people.subscriptions.push_key,
        "browsers": len(await people.subscriptions.browsers(found.account)),
        "outcome": outcome,
    }
    return page(visitor, "account.html", status, **values)


async def attempt(
    request: Request, visitor: Visitor, error: TableError | None, done: str = "", token: str = ""
) -> Response:
    """The account page again, with the outcome of an attempt."""
    outcome = FormOutcome("" if error is None else refusal(error, visitor.language), done, token)
    if navigates(request):
        return sent_on(request, "/account#tokens" if token else "/account", outcome)
    return await account_view(request, visitor, outcome, 200 if error is None else error.status)


@router.post("/account/password")
async def change_password(request: Request, old: Password = "", new: Password = "") -> Response:
    """Change the password; every other session ends."""
    visitor, people = visitor_of(request), people_of(request)
    found = owner(visitor)
    try:
        request.app.state.limits.sign_in(name_key(found.account.name), request)
        await people.accounts.change_password(found.account, old, new)
    except TableError as error:
        return await attempt(request, visitor, error)
    await people.sessions.end_all(found.account, but=found.session)
    return await attempt(
        request, visitor, None, visitor.language.text("The password is changed; other sessions have ended.")
    )


@router.post("/account/sessions/{session}/end")
async def end_session(request: Request, session: str) -> Response:
    visitor = visitor_of(request)
    found = owner(visitor)
    await people_of(request).sessions.end(found.account, session)
    if session == found.session:
        return RedirectResponse("/", SEE_OTHER)
    return await attempt(request, visitor, None, visitor.language.text("That session has ended."))


@router.post("/account/claim")
async def claim(request: Request) -> Response:
    """Move the seats of this browser to the account."""
    visitor, people = visitor_of(request), people_of(request)
    found = owner(visitor)
    tables = await people.account_data.claim(found.account, visitor.guest) if visitor.guest else ()
    await tables_of(request).look_again(tables)
    return await attempt(request, visitor, None, visitor.language.text("The seats are yours on every device now."))


@router.post("/account/tokens")
async def create_token(request: Request, name: Name = "") -> Response:
    """Create a token for a program; it is shown only once."""
    visitor = visitor_of(request)
    try:
        token = await people_of(request).sessions.create_token(owner(visitor).account, name)
    except TableError as error:
        return await attempt(request, visitor, error)
    return await attempt(request, visitor, None, token=token)


@router.post("/account/tokens/{token}/revoke")
async def revoke_token(request: Request, token: str) -> Response:
    visitor = visitor_of(request)
    await people_of(request).sessions.revoke(owner(visitor).account, token)
    return await attempt(request, visitor, None, visitor.language.text("The token is revoked."))


@router.get("/account/export")
async def export(request: Request) -> Response:
    """Everything stored about the account, as a file."""
    found = owner(visitor_of(request))
    data = await people_of(request).account_data.export(found.account)
    headers = {"Content-Disposition": 'attachment; filename="franchise-account.json"', "Cache-Control": "no-store"}
    return Response(json.dumps(data, indent=2, ensure_ascii=False), media_type="application/json", headers=headers)


@router.post("/account/delete")
async def delete(request: Request, password: Password = "") -> Response:
    """Delete the account and its messages; bots take over its seats."""
    visitor, people = visitor_of(request), people_of(request)
    found = owner(visitor)
    try:
        request.app.state.limits.sign_in(name_key(found.account.name), request)
        await people.accounts.check_password(found.account, password)
    except TableError as error:
        return await attempt(request, visitor, error)
    await tables_of(request).look_again(await people.account_data.delete(found.account))
    people.sessions.forget()
    response = RedirectResponse("/", SEE_OTHER)
    forget_session(request, response)
    return response


# --- notifications ---


class Keys(BaseModel):
    p256dh: str = Field(max_length=200)
    auth: str = Field(max_length=100)


class Browser(BaseModel):
    """A browser's subscription to Web Push, as it describes it."""

    endpoint: str = Field(max_length=1000)
    keys: Keys


@router.post("/account/email")
async def choose_email(request: Request, email: Text = "") -> Response:
    visitor, people = visitor_of(request), people_of(request)
    found = owner(visitor)
    try:
        if email.strip():
            request.app.state.limits.letter(email.strip())
        await people.subscriptions.choose_email(found.account, email.strip(), messages.confirmation(visitor.language))
    except TableError as error:
        return await attempt(request, visitor, error)
    await people.accounts.change(found.account, language=visitor.language.code)
    sent = visitor.language.text("Check your mailbox: the link in our message confirms the address.")
    return await attempt(
        request, visitor, None, sent if email.strip() else visitor.language.text("No e-mail from now on.")
    )


@router.post("/account/email/test")
async def try_email(request: Request) -> Response:
    """Send a test message to the confirmed address."""
    visitor, people = visitor_of(request), people_of(request)
    account = owner(visitor).account
    try:
        request.app.state.limits.letter(account.email or "")
        await people.subscriptions.try_email(account, messages.trial(visitor.language))
    except TableError as error:
        return await attempt(request, visitor, error)
    sent = visitor.language.text("A test message is on its way to {address}.", address=account.email)
    return await attempt(request, visitor, None, sent)


@router.post("/account/webhook")
async def choose_webhook(request: Request, webhook: Text = "") -> Response:
    visitor, people = visitor_of(request), people_of(request)
    found = owner(visitor)
    try:
        await people.subscriptions.choose_webhook(found.account, webhook.strip())
    except TableError as error:
        return await attempt(request, visitor, error)
    await people.accounts.change(found.account, language=visitor.language.code)
    return await attempt(request, visitor, None, visitor.language.text("The webhook is saved."))


@router.post("/account/push")
async def add_browser(request: Request, browser: Browser) -> Response:
    """Notify this browser from now on."""
    visitor, people = visitor_of(request), people_of(request)
    found = owner(visitor)
    try:
        await people.subscriptions.add_browser(found.account, browser.endpoint, browser.keys.p256dh, browser.keys.auth)
    except TableError as error:
        return JSONResponse({"error": error.code, "detail": refusal(error, visitor.language)}, error.status)
    await people.accounts.change(found.account, language=visitor.language.code)
    return JSONResponse({"detail": visitor.language.text("Notifications are on in this browser.")})


@router.post("/account/push/end")
async def remove_browsers(request: Request) -> Response:
    """Stop notifying all browsers of the account."""
    visitor, people = visitor_of(request), people_of(request)
    found = owner(visitor)
    for browser in await people.subscriptions.browsers(found.account):
        await people.subscriptions.remove_browser(found.account, browser.endpoint)
    return await attempt(request, visitor, None, visitor.language.text("Notifications are off in all browsers."))


@router.get("/confirm/{token}")
async def confirm_page(request: Request, token: str) -> Response:
    """A page with a button, because mail scanners follow links."""
    visitor = visitor_of(request)
    words = (
        visitor.language.text("Notify this address when it is your turn?"),
        visitor.language.text("Confirm this address"),
    )
    return page(visitor, "link.html", title=words[0], button=words[1])


@router.post("/confirm/{token}")
async def confirm(request: Request, token: str) -> Response:
    visitor = visitor_of(request)
    if await people_of(request).subscriptions.confirm(token[:1000]):
        return page(visitor, "link.html", title=visitor.language.text("The address is confirmed."), button="")
    return page(visitor, "link.html", 404, title=visitor.language.text("This link is no longer valid."), button="")


@router.get("/unsubscribe/{token}")
async def unsubscribe_page(request: Request, token: str) -> Response:
    visitor = visitor_of(request)
    words = visitor.language.text("Stop messages of this kind?"), visitor.language.text("No more messages")
    return page(visitor, "link.html", title=words[0], button=words[1])


@router.post("/unsubscribe/{token}")
async def unsubscribe(request: Request, token: str) -> Response:
    """The link in every message; mail programs send it themselves."""
    visitor = visitor_of(request)
    if await people_of(request).subscriptions.unsubscribe(token[:1000]):
        return page(
            visitor, "link.html", title=visitor.language.text("You will not get these messages any more."), button=""
        )
    return page(visitor, "link.html", 404, title=visitor.language.text("This link is no longer valid."), button="")
