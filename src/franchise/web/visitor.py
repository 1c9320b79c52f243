"""Who looks at a page: the key that holds their seats, their name, language and theme, all kept in cookies."""

import secrets
from dataclasses import dataclass
from urllib.parse import quote, unquote

from starlette.requests import Request
from starlette.responses import Response

from franchise.web.language import LANGUAGES, Language, negotiate

KEY, NAME, LANGUAGE, THEME = "franchise_key", "franchise_name", "franchise_language", "franchise_theme"
THEMES = ("auto", "light", "dark")
YEAR_S = 365 * 24 * 3600
LONGEST_KEY = 64
LONGEST_NAME = 40


@dataclass(frozen=True)
class Visitor:
    """A person without an account."""

    key: str | None  # None until a first seat is taken
    name: str
    language: Language
    theme: str

    def seated(self, name: str = "") -> "tuple[Visitor, str]":
        """The same with a key to hold seats by, perhaps under another name; and the key."""
        key = self.key or secrets.token_urlsafe(24)
        return Visitor(key, cleaned(name) or self.name, self.language, self.theme), key


def visitor(request: Request) -> Visitor:
    """Read from the cookies; whatever they hold, nothing of it is an error."""
    key = request.cookies.get(KEY, "")
    name = cleaned(unquote(request.cookies.get(NAME, "")))
    chosen = request.query_params.get("lang") or request.cookies.get(LANGUAGE)
    theme = request.cookies.get(THEME, "auto")
    return Visitor(
        key if 16 <= len(key) <= LONGEST_KEY and key.isascii() else None,
        name,
        negotiate(chosen, request.headers.get("accept-language")),
        theme if theme in THEMES else "auto",
    )


def cleaned(name: str) -> str:
    """A name a record can hold, as near to the given one as possible."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in name).split())[:LONGEST_NAME].strip()


def remember(request: Request, response: Response, one: Visitor) -> None:
    """Keep key, name, language and theme in the browser."""
    secure = request.url.scheme == "https"
    if one.key:
        response.set_cookie(KEY, one.key, max_age=YEAR_S, httponly=True, samesite="lax", secure=secure)
    if one.name:
        response.set_cookie(NAME, quote(one.name), max_age=YEAR_S, samesite="lax", secure=secure)


def choose_language(request: Request, response: Response, code: str) -> None:
    """Keep a language, where it is one of ours."""
    if code in LANGUAGES:
        response.set_cookie(LANGUAGE, code, max_age=YEAR_S, samesite="lax", secure=request.url.scheme == "https")


def choose_theme(request: Request, response: Response, theme: str) -> None:
    """Keep a theme, where it is one of THEMES."""
    if theme in THEMES:
        response.set_cookie(THEME, theme, max_age=YEAR_S, samesite="lax", secure=request.url.scheme == "https")
