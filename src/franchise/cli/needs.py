"""Libraries that belong to extras of this package: missed in one line, before any work is done."""

from importlib.util import find_spec

import typer


def require(command: str, extra: str, *libraries: str) -> None:
    """End the command where one of the libraries is not installed."""
    missing = [library for library in libraries if find_spec(library) is None]
    if missing:
        typer.echo(
            f"franchise {command}: this needs {', '.join(missing)}; install it with: pip install 'franchise[{extra}]'",
            err=True,
        )
        raise typer.Exit(1)
