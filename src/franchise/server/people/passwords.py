"""Passwords: hashed with Argon2 in threads, so that the event loop never waits for it."""

import asyncio
import unicodedata
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from franchise.server.tables.errors import Refused

T = TypeVar("T")
SHORTEST, LONGEST = 8, 200  # characters
AT_ONCE = 2  # hashes; each takes its memory


class Passwords:
    """Makes and checks hashes. `memory` is what one hash takes, in KiB."""

    def __init__(self, memory: int) -> None:
        self.hasher = PasswordHasher(memory_cost=memory)
        self.threads = ThreadPoolExecutor(AT_ONCE, "password")
        self.nobody = ""  # a hash to check against where there is no account, so that it takes as long

    async def hash(self, password: str) -> str:
        return await self._run(self.hasher.hash, normal(password))

    async def fits(self, password: str, stored_hash: str | None) -> bool:
        """Whether a password matches the stored hash; takes as long if there is none."""
        if not self.nobody:
            self.nobody = await self.hash("nobody has this password")
        return await self._run(self._verify, stored_hash or self.nobody, normal(password)) and stored_hash is not None

    def _verify(self, stored_hash: str, password: str) -> bool:
        try:
            return self.hasher.verify(stored_hash, password)
        except (VerificationError, InvalidHashError):
            return False

    async def _run(self, function: Callable[..., T], *arguments: str) -> T:
        return await asyncio.get_running_loop().run_in_executor(self.threads, function, *arguments)

    def close(self) -> None:
        self.threads.shutdown(wait=False, cancel_futures=True)


def normal(password: str) -> str:
    """The normalised password, however accents were typed."""
    return unicodedata.normalize("NFKC", password[: 2 * LONGEST])


def check(password: str, name: str) -> None:
    """Refused says what is wrong with a new password."""
    if not SHORTEST <= len(password) <= LONGEST:
        raise Refused(f"The password must have {SHORTEST} to {LONGEST} characters.", "password_length")
    if password.casefold() == name.casefold():
        raise Refused("The password must not be the name.", "password_is_name")
