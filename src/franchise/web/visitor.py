"""The visitor of a page: the key to their seats, account, name, language and theme, stored in cookies."""

import secrets
from dataclasses import dataclass, replace
from urllib.parse import quote, unquote

from starlette.requests import Request
from starlette.responses import Response

from franchise.server.people.accounts import Account
from franchise.server.people.sessions import COOKIE, SignedIn, signed_in
from franchise.server.tables.seat_keys import BROWSER_KEY, Key, hashed
from franchise.server.wiring import People
from franchise.wording.language import LANGUAGES, Language, negotiate

KEY, NAME, LANGUAGE, THEME = BROWSER_KEY, "franchise_name", "franchise_language", "franchise_theme"
CUT, CUTS = "franchise_cut", ("L", "M", "S")
SHOWN_CUT = "franchise-cut"  # a header: the size of the map on the page that asks for changes
THEMES = ("auto", "light", "dark", "contrast")
YEAR_S = 365 * 24 * 3600
LONGEST_KEY = 64
LONGEST_NAME = 40


@dataclass(frozen=True)
class Visitor:
    """A person, with an account or without."""

    guest: str | None  # the secret of the browser; None until a first seat is taken without an account
    name: str
    language: Language
    theme: str
    signed_in: SignedIn | None = None
    cut: str = "L"  # the map's size that fits the screen; the script of the pages notes it

    @property
    def account(self) -> Account | None:
        return None if self.signed_in is None else self.signed_in.account

    @property
    def key(self) -> Key | None:
        """The key to their seats: those of the account, and those the browser had before."""
        if self.account is None:
            return self.guest
        own = self.account.holder
        return replace(own, hashes=(*own.hashes, *((hashed(self.guest),) if self.guest else ())))

    def seated(self, name: str = "") -> "tuple[Visitor, Key]":
        """The visitor with a key that can hold seats, perhaps under another name; and the key."""
        if self.account is not None:
            return self, self.key or ""
        guest = self.guest or secrets.token_urlsafe(24)
        return replace(self, guest=guest, name=cleaned(name) or self.name), guest


def visitor_of(request: Request) -> Visitor:
    """Read from the cookies; invalid content is never an error."""
    key = request.cookies.get(KEY, "")
    found = signed_in(request)
    name = cleaned(unquote(request.cookies.get(NAME, "")))
    chosen = request.query_params.get("lang") or request.cookies.get(LANGUAGE)
    theme = request.cookies.get(THEME, "auto")
    return Visitor(
        key if 16 <= len(key) <= LONGEST_KEY and key.isascii() else None,
        name if found is None else found.account.name,
        negotiate(chosen, request.headers.get("accept-language")),
        theme if theme in THEMES else "auto",
        found,
        cut if (cut := request.headers.get(SHOWN_CUT) or request.cookies.get(CUT, "")) in CUTS else first_cut(request),
    )


def first_cut(request: Request) -> str:
    """The size of the map until the browser has reported its screen: phones get the small one."""
    small = request.headers.get("sec-ch-ua-mobile") == "?1" or "Mobi" in request.headers.get("user-agent", "")
    return "S" if small else "L"


def cleaned(name: str) -> str:
    """A name that is valid in a record, as close to the given one as possible."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in name).split())[:LONGEST_NAME].strip()


def remember(request: Request, response: Response, visitor: Visitor) -> None:
    """Store key, name, language and theme in the browser."""
    secure = behind_tls(request)
    if visitor.guest:
        response.set_cookie(KEY, visitor.guest, max_age=YEAR_S, httponly=True, samesite="lax", secure=secure)
    if visitor.name and visitor.account is None:
        response.set_cookie(NAME, quote(visitor.name), max_age=YEAR_S, samesite="lax", secure=secure)


def choose_language(request: Request, response: Response, code: str) -> None:
    """Store a language if it is one of ours."""
    if code in LANGUAGES:
        response.set_cookie(LANGUAGE, code, max_age=YEAR_S, samesite="lax", secure=behind_tls(request))


def choose_theme(request: Request, response: Response, theme: str) -> None:
    """Store a theme if it is one of THEMES."""
    if theme in THEMES:
        response.set_cookie(THEME, theme, max_age=YEAR_S, samesite="lax", secure=behind_tls(request))


def behind_tls(request: Request) -> bool:
    """Whether the browser connects over TLS, to this server or to the proxy in front of it."""
    people: People = request.app.state.people
    return request.url.scheme == "https" or people.settings.secure


def keep_session(request: Request, response: Response, secret: str) -> None:
    """Store the secret of a session in the browser, inaccessible to scripts and other sites."""
    secure = behind_tls(request)
    response.set_cookie(COOKIE, secret, max_age=YEAR_S, httponly=True, samesite="lax", secure=secure)


def forget_session(request: Request, response: Response) -> None:
    response.delete_cookie(COOKIE, httponly=True, samesite="lax", secure=behind_tls(request))
