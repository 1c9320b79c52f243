"""Libraries that belong to extras of this package: imported late, missed in one line."""

from importlib import import_module
from importlib.util import find_spec
from typing import Any

from franchise.arena.run import ArenaError


def require(library: str, extra: str) -> None:
    """Refuse before any work is done; quick, because it does not import."""
    if find_spec(library) is None:
        raise ArenaError(f"this needs {library}; install it with: pip install 'franchise[{extra}]'")


def load(module: str, extra: str) -> Any:
    """The module, imported; ArenaError says how to get it."""
    require(module.partition(".")[0], extra)
    return import_module(module)
