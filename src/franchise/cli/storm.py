"""franchise storm: scripted players play while servers are killed, and nothing may be lost."""

from typing import Annotated

import typer


def storm(
    kills: Annotated[int, typer.Option(min=1, max=10000, help="number of kills")] = 25,
    tables: Annotated[int, typer.Option(min=1, max=300, help="number of tables")] = 12,
    pace: Annotated[float, typer.Option(min=0, max=60, help="average seconds between two moves at a table")] = 0.1,
    seed: Annotated[int, typer.Option(min=0, help="seed for the kills and the moves")] = 0,
    postgres: Annotated[
        bool, typer.Option("--postgres", help="two servers and two workers on a temporary PostgreSQL")
    ] = False,
) -> None:
    """Kill servers during games and check that nothing is lost."""
    from rich.console import Console

    from franchise.cli.serve import require_server

    require_server("franchise storm")
    import asyncio

    from franchise.benchmarks.kill_test import KillPlan, run_kill_test
    from franchise.benchmarks.server_process import LoadError
    from franchise.benchmarks.temporary_postgres import NoPostgres

    with Console(stderr=True).status("") as status:
        try:
            report = asyncio.run(run_kill_test(KillPlan(kills, tables, pace, seed, postgres), status.update))
        except (LoadError, NoPostgres) as error:
            typer.echo(f"franchise storm: {error}", err=True)
            raise typer.Exit(1) from None
        except asyncio.CancelledError:  # terminated
            raise typer.Exit(143) from None
    for line in report.lines():
        typer.echo(line)
    if report.problems:
        raise typer.Exit(1)
