"""franchise report: what wins, over any records."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from franchise.cli.arena import arena_errors, percents, table
from franchise.cli.arguments import Json
from franchise.cli.records import files_of

if TYPE_CHECKING:
    from franchise.arena.statistics import Row, Statistics


def report(
    records: Annotated[list[Path], typer.Argument(exists=True, readable=True, help="records, or folders of them")],
    out: Annotated[Path | None, typer.Option("-o", "--out", help="also write an .html page")] = None,
    as_json: Json = False,
) -> None:
    """Show what wins: seats, regions, starting towns, bonus tiles."""
    if out is not None and out.suffix.lower() not in (".html", ".htm"):
        raise typer.BadParameter(f"-o {out}: the name must end with .html")
    files = files_of(records)
    with arena_errors("report"):
        if out is not None:
            from franchise.extras import require

            require("report", "matplotlib")
        statistics, broken = read_all(files)
        if broken:
            verb = "is" if len(broken) == 1 else "are"
            typer.echo(f"{len(broken)} of {len(files)} records {verb} invalid and left out", err=True)
        if len(broken) == len(files):
            raise typer.Exit(1)
        if out is not None:
            from franchise.arena.statistics_report import write

            write(out, statistics, records[0].name if len(records) == 1 else f"{len(files):,} records")
    if as_json:
        typer.echo(json.dumps(statistics.data() | {"broken": [str(file) for file in broken]}))
    else:
        show(statistics)
        if out is not None:
            typer.echo(f"The page is {out}.")


def read_all(files: list[Path]) -> "tuple[Statistics, list[Path]]":
    """The statistics of the valid records, and the invalid ones, reported as they are found."""
    from rich.console import Console
    from rich.progress import track

    from franchise.arena.statistics import Statistics
    from franchise.record import RecordError, read_file

    statistics, broken = Statistics(), []
    console = Console(stderr=True)
    shown: Iterable[Path] = track(files, "records", console=console, transient=True, disable=not console.is_terminal)
    for file in shown:
        try:
            statistics.add(read_file(file))
        except (RecordError, OSError) as error:
            broken.append(file)
            typer.echo(f"{file}: {error}", err=True)
    return statistics, broken


def show(statistics: "Statistics") -> None:
    """The tables in the terminal."""
    from rich.console import Console

    from franchise.arena.statistics_report import FOOTNOTE, sections, summary

    console = Console()
    for line in summary(statistics):
        console.print(line, highlight=False)
    if not statistics.finished:
        return
    first = statistics.first_player()
    console.print(
        f"the first player wins {first.wins.value:.1%} ({percents(first.wins)}); fair would be {first.fair:.1%}\n",
        highlight=False,
    )
    for title, what, rows in sections(statistics):
        if rows:
            console.print(table(title, (what, "won % (95%)", "fair %", "", "games"), [cells(row) for row in rows]))
    console.print(FOOTNOTE, highlight=False)


def cells(row: "Row") -> tuple[Any, ...]:
    from franchise.arena.statistics_report import MARKS

    won = f"{100 * row.wins.value:.1f} ({percents(row.wins)})"
    return row.name, won, f"{100 * row.fair:.1f}", MARKS[row.verdict], f"{row.games:,}"
