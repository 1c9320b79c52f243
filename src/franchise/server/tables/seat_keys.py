"""The secrets that identify the holders of seats. Only their hashes are stored."""

import secrets
from dataclasses import dataclass
from hashlib import sha256

BROWSER_KEY = "franchise_key"  # the cookie in which a browser keeps the secret of its seats


@dataclass(frozen=True)
class Holder:
    """A person known by several hashes: all of them hold seats, and new seats are held by the first."""

    hashes: tuple[str, ...]
    account: str | None = None  # the id of the account the first hash belongs to
    name: str = ""


Key = str | Holder  # what a request shows: a secret, or who it has been found to come from


def new_key() -> str:
    """A random secret: the token of a seat, or the key of a browser."""
    return secrets.token_urlsafe(24)


def new_id() -> str:
    """The id of a table, hard to guess because anybody who knows it may watch."""
    return secrets.token_urlsafe(9)


def hashed(key: str) -> str:
    return sha256(key.encode(errors="surrogateescape")).hexdigest()


def hashes(key: Key | None) -> tuple[str, ...]:
    """What a key holds seats by."""
    if isinstance(key, Holder):
        return key.hashes
    return (hashed(key),) if key else ()
