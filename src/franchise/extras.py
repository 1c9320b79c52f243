"""Libraries of the extras: imported on use; if one is missing, a one-line error says so before any work is done."""

from importlib import import_module
from importlib.util import find_spec
from typing import Any

SHOWN = 3  # missing libraries that a message names


class MissingLibrary(Exception):  # noqa: N818 - nothing went wrong yet
    """A library that is not installed; the message says how to install it."""


def require(extra: str, *libraries: str) -> None:
    """Raise MissingLibrary if one of the libraries is not installed; quick, because it does not import them."""
    missing = [library for library in libraries if find_spec(library) is None]
    if missing:
        named = ", ".join(missing[:SHOWN]) + (f" and {len(missing) - SHOWN} more" if len(missing) > SHOWN else "")
        them = "it" if len(missing) == 1 else "them"
        raise MissingLibrary(f"this needs {named}; install {them} with: pip install 'franchise[{extra}]'")


def load(module: str, extra: str) -> Any:
    """Import the module; raises MissingLibrary if it is not installed."""
    require(extra, module.partition(".")[0])
    return import_module(module)
