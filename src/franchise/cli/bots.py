"""franchise bots: the list of bots."""

import json
from dataclasses import asdict

import typer

from franchise.cli.arguments import Json


def bots(as_json: Json = False) -> None:
    """List the bots by name. program:COMMAND runs any program that speaks the protocol."""
    from franchise.bots.registry import listings

    listed = listings()
    if as_json:
        typer.echo(json.dumps([asdict(listing) for listing in listed]))
        return
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table("name", "what it is", "source")
    for listing in listed:
        table.add_row(Text(listing.name), Text(listing.text), Text(listing.source))
    Console().print(table)
