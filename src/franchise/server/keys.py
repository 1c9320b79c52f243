"""The secrets that hold seats. Only their hashes are kept."""

import secrets
from hashlib import sha256


def new_key() -> str:
    """A secret nobody can guess: the token of a seat, or the key of a browser."""
    return secrets.token_urlsafe(24)


def new_id() -> str:
    """The name of a table, hard to guess: whoever knows it may watch."""
    return secrets.token_urlsafe(9)


def hashed(key: str) -> str:
    return sha256(key.encode()).hexdigest()
