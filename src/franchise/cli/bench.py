"""franchise bench: the speed of the engine, of the environments (--envs) or of the web table (--web), in one run."""

import json
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from franchise.cli.arguments import Json

if TYPE_CHECKING:
    from franchise.benchmarks.engine_bench import Measure
    from franchise.benchmarks.figures import Figure
    from franchise.benchmarks.scripted_players import Tell

SECONDS, WEB_SECONDS = 2.0, 10.0  # for each figure


def bench(
    seconds: Annotated[
        float | None,
        typer.Option(
            min=0.05,
            max=600,
            help="how long each figure is measured; by default 2, or 10 for a server",
            show_default=False,
        ),
    ] = None,
    compiling: Annotated[
        bool, typer.Option("--compile", help="also time the start of a server and the first compile")
    ] = False,
    beside: Annotated[
        str,
        typer.Option(
            help="a program to compare with, run alternately with ours; called with the number of players and seconds, "
            "it prints JSON with players and games_per_s"
        ),
    ] = "",
    envs: Annotated[
        bool, typer.Option("--envs", help="measure the reinforcement learning environments instead")
    ] = False,
    web: Annotated[bool, typer.Option("--web", help="measure the web table instead, on its own server")] = False,
    service: Annotated[
        bool, typer.Option("--service", help="measure how many moves a second a server handles, with many followers")
    ] = False,
    scale: Annotated[
        bool, typer.Option("--scale", help="measure a server on a database with very many games instead")
    ] = False,
    growth: Annotated[
        bool, typer.Option("--growth", help="measure a server with 50, 200, 1,000 and 3,000 tables instead")
    ] = False,
    games: Annotated[int, typer.Option(min=0, max=100_000_000, help="with --scale: finished games")] = 1_000_000,
    running: Annotated[
        int, typer.Option(min=0, max=1_000_000, help="with --scale: games in progress, with a clock")
    ] = 10_000,
    streams: Annotated[int, typer.Option(min=0, max=5000, help="with --service: open event streams")] = 1000,
    rate: Annotated[
        float, typer.Option(min=1, max=10000, help="with --service: moves a second while answers are timed")
    ] = 825,
    tables: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=300,
            help="tables while answers are timed; by default 50, or 200 with --service",
            show_default=False,
        ),
    ] = None,
    crowd: Annotated[
        int, typer.Option(min=1, max=300, help="with --web: tables under full load, with two connected pages each")
    ] = 200,
    pace: Annotated[
        float, typer.Option(min=0.1, max=60, help="with --web: average seconds between two moves at a table")
    ] = 2.0,
    address: Annotated[
        str,
        typer.Option(
            help="with --web or --service: a running server on this machine, or with --service a comma-separated list; "
            "the tables it plays at stay in the database"
        ),
    ] = "",
    postgres: Annotated[
        bool,
        typer.Option("--postgres", help="with --service (one server, then two) or --scale: use a temporary PostgreSQL"),
    ] = False,
    markdown: Annotated[bool, typer.Option("--markdown", help="with --web: print a Markdown table")] = False,
    as_json: Json = False,
) -> None:
    """Measure speed. Compare ratios rather than figures, because other work on the machine slows everything down."""
    if envs + web + service + scale + growth > 1:
        raise typer.BadParameter("--envs, --web, --service, --scale and --growth: choose one of them")
    form = "json" if as_json else "markdown" if markdown else "table"
    if web or scale or growth or service:
        from franchise.cli.serve import require_server

        require_server("franchise bench")
    if web:
        from franchise.benchmarks import web_bench

        web_plan = web_bench.WebPlan(tables or 50, crowd, seconds or WEB_SECONDS, pace, address)
        show_figures("The web table", lambda tell: web_bench.measure(web_plan, tell), form)
    elif scale:
        from franchise.benchmarks import scale_bench

        scale_plan = scale_bench.ScalePlan(games, running, seconds or WEB_SECONDS, postgres)
        show_figures("A server with very many games", lambda tell: scale_bench.measure(scale_plan, tell), form)
    elif growth:
        from franchise.benchmarks import growth_bench

        growth_plan = growth_bench.GrowthPlan(seconds or WEB_SECONDS)
        show_figures("A server with more and more tables", lambda tell: growth_bench.measure(growth_plan, tell), form)
    elif service:
        from franchise.benchmarks import service_bench

        addresses = tuple(part for part in address.split(",") if part)
        plan = service_bench.ServicePlan(tables or 200, streams, seconds or WEB_SECONDS, rate, addresses, postgres)
        show_figures("A server under load", lambda tell: service_bench.measure(plan, tell), form)
    elif envs:
        from franchise.benchmarks import environment_bench

        measure_all(environment_bench.measures(), seconds or SECONDS, "Speed of the environments", as_json)
    else:
        from franchise.benchmarks import engine_bench

        check_program(beside)
        measure_all(engine_bench.measures(compiling, beside), seconds or SECONDS, "Speed of the engine", as_json)


def check_program(command: str) -> None:
    """Refuse a program that is not there before anything is measured."""
    import shlex
    import shutil

    try:
        words = shlex.split(command)
    except ValueError as error:
        raise typer.BadParameter(f"--beside {command}: {error}") from None
    if words and shutil.which(words[0]) is None:
        raise typer.BadParameter(f"--beside {command}: there is no program {words[0]}")


def show_figures(title: str, measure: "Callable[[Tell], list[Figure]]", form: str) -> None:
    """Measure a server and show the figures, each beside its limit."""
    import asyncio

    from rich.console import Console

    from franchise.benchmarks.figures import as_json, as_markdown, show_table
    from franchise.benchmarks.server_process import LoadError

    with Console(stderr=True).status("") as status:
        try:
            figures = measure(status.update)
        except LoadError as error:
            typer.echo(f"franchise bench: {error}", err=True)
            raise typer.Exit(1) from None
        except asyncio.CancelledError:  # terminated
            raise typer.Exit(143) from None
    if form == "json":
        typer.echo(as_json(figures))
    elif form == "markdown":
        typer.echo(as_markdown(figures))
    else:
        show_table(title, figures)


def measure_all(measures: "list[Measure]", seconds: float, title: str, as_json: bool) -> None:
    """Take the figures one after the other and show them."""
    from rich.console import Console

    from franchise.benchmarks.engine_bench import BesideError

    figures: dict[str, Any] = {}
    with Console(stderr=True).status("") as status:
        for name, measure in measures:
            status.update(f"measuring {name} ...")
            try:
                figures |= measure(seconds)
            except BesideError as error:
                typer.echo(f"franchise bench: {error}", err=True)
                raise typer.Exit(1) from None
    if as_json:
        typer.echo(json.dumps(figures))
    else:
        show(figures, title)


def show(figures: dict[str, Any], title: str) -> None:
    """The figures as a table, with what they were in the last release."""
    from rich.console import Console
    from rich.table import Table

    from franchise.benchmarks.engine_bench import last_release

    version, before = last_release()
    earlier = dict(rows(before))
    table = Table("figure", "value", f"in {version}", title=title)
    for name, value in rows(figures):
        table.add_row(name, f"{value:,}", f"{earlier[name]:,}" if name in earlier else "")
    Console().print(table)


def rows(figures: dict[str, Any]) -> "Iterator[tuple[str, float]]":
    """Each figure by its name; figures of several cases are listed separately."""
    for name, value in figures.items():
        if isinstance(value, dict):
            for case, part in value.items():
                yield f"{name}, {f'{case} players' if case.isdigit() else case}", part
        else:
            yield name, value
