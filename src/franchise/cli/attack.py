"""franchise attack: hostile requests to servers started for this purpose."""

import json
from typing import Annotated

import typer

from franchise.cli.arguments import Json


def attack(
    requests: Annotated[int, typer.Option(min=100, max=1_000_000, help="number of requests to generate")] = 4000,
    seed: Annotated[int, typer.Option(min=0, help="seed for the generated requests")] = 0,
    postgres: Annotated[bool, typer.Option("--postgres", help="use a temporary PostgreSQL")] = False,
    as_json: Json = False,
) -> None:
    """Send hostile requests to servers started for this purpose. Reports what was tried and what failed."""
    from rich.console import Console

    from franchise.cli.serve import require_server

    require_server("franchise attack")
    import asyncio

    from franchise.benchmarks.attack_test import AttackPlan, run_attack
    from franchise.benchmarks.server_process import LoadError
    from franchise.benchmarks.temporary_postgres import NoPostgres

    with Console(stderr=True).status("") as status:
        try:
            report = asyncio.run(run_attack(AttackPlan(requests, seed, postgres), status.update))
        except (LoadError, NoPostgres) as error:
            typer.echo(f"franchise attack: {error}", err=True)
            raise typer.Exit(1) from None
        except asyncio.CancelledError:  # terminated
            raise typer.Exit(143) from None
    if as_json:
        typer.echo(json.dumps(report.data()))
    else:
        for line in report.lines():
            typer.echo(line)
    if report.fallen:
        raise typer.Exit(1)
