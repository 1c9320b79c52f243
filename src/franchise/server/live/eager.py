"""Coroutines that seldom have to wait: begun at once by whoever is there, without a task of their own."""

from collections.abc import Coroutine, Generator
from typing import Any


class Rest:
    """What is left of a coroutine that has to wait, to be awaited by somebody."""

    def __init__(self, coroutine: Coroutine[Any, Any, None], awaited: Any) -> None:
        self.coroutine = coroutine
        self.awaited = awaited

    def __await__(self) -> Generator[Any, Any, None]:
        try:
            while True:
                yield self.awaited
                self.awaited = self.coroutine.send(None)
        except StopIteration:
            return
        finally:
            self.coroutine.close()

    def close(self) -> None:
        """Nobody will await it."""
        self.coroutine.close()


def begin(coroutine: Coroutine[Any, Any, None]) -> Rest | None:
    """Run a coroutine until it has to wait; what is left then, None where it has ended."""
    try:
        return Rest(coroutine, coroutine.send(None))
    except StopIteration:
        return None
