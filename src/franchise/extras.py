"""Libraries that belong to extras of this package: imported late, missed in one line before any work is done."""

from importlib import import_module
from importlib.util import find_spec
from typing import Any


class MissingLibrary(Exception):  # noqa: N818 - nothing went wrong yet
    """A library that is not installed; the message says how to get it."""


def require(extra: str, *libraries: str) -> None:
    """Refuse where one of the libraries is not installed; quick, because it does not import them."""
    missing = [library for library in libraries if find_spec(library) is None]
    if missing:
        raise MissingLibrary(f"this needs {', '.join(missing)}; install it with: pip install 'franchise[{extra}]'")


def load(module: str, extra: str) -> Any:
    """The module, imported; MissingLibrary."""
    require(extra, module.partition(".")[0])
    return import_module(module)
