"""franchise export: games as Parquet files for DuckDB, pandas or Polars."""

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from franchise.cli.arena import Seconds, Simulations, Workers, arena_errors, make_folder, play_run
from franchise.cli.arguments import BotList, OptionList, Players, Seed, check_setup, drawn_seed, read_options
from franchise.cli.records import files_of

if TYPE_CHECKING:
    from franchise.arena.dataset import DatasetWriter
    from franchise.arena.outcome import Outcome
    from franchise.arena.run import Run


def export(
    records: Annotated[list[Path] | None, typer.Argument(help="records, or folders of them")] = None,
    out: Annotated[
        Path | None,
        typer.Option("-o", "--out", help="folder for games.parquet and moves.parquet; created if necessary"),
    ] = None,
    number: Annotated[
        int, typer.Option("-n", "--number", min=1, help="number of games to play if no records are given")
    ] = 100,
    players: Players = 4,
    seed: Seed = None,
    options: OptionList = "",
    bots: BotList = "",
    rotate: Annotated[
        bool, typer.Option("--rotate", help="the bots take all seats in turn; there may be more bots than seats")
    ] = False,
    workers: Workers = None,
    seconds: Seconds = None,
    simulations: Simulations = None,
    observations: Annotated[
        bool, typer.Option("--observations", help="add the observation of the player to move")
    ] = False,
) -> None:
    """Write games to Parquet files, by game and by move (extra: data)."""
    chosen = read_options(options)
    check_setup(players, chosen)
    folder, records = destination(out, records or [])
    for record in records:
        try:
            record.stat()
        except OSError as error:
            raise typer.BadParameter(f"{record}: {error.strerror}") from None
    make_folder(folder, "--out")
    with arena_errors("export"):
        from franchise.arena import dataset
        from franchise.arena.run import Run
        from franchise.cli.simulate import read_bots

        if bots and not records:
            entrants = tuple(name.strip() for name in bots.split(",")) if rotate else read_bots(bots, players)
            try:
                run = Run(entrants, players, chosen, drawn_seed(seed), seconds, simulations, fixed=not rotate)
            except ValueError as error:
                raise typer.BadParameter(f"--bots {bots}: {error}") from None
            with dataset.DatasetWriter(folder, observations) as writer:
                play_bots(run, number, workers, writer)
        else:
            files = files_of(records)
            if records:
                sources, total = dataset.from_records(files), len(files)
            else:
                sources, total = dataset.from_chance(number, players, drawn_seed(seed), chosen), number
            with dataset.DatasetWriter(folder, observations) as writer, progress(total) as tell:
                for source in sources:
                    writer.add(source)
                    tell(writer.games)
    where = f"{folder / 'games.parquet'} and {folder / 'moves.parquet'}"
    typer.echo(f"{writer.games:,} games and {writer.moves:,} moves are in {where}.")


@contextmanager
def progress(total: int) -> Iterator[Callable[[int], None]]:
    """A progress bar on the terminal; yields a function to call with the number of games so far."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("games"), TimeRemainingColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("", total=total)
        yield lambda games: bar.update(task, completed=games)


def destination(out: Path | None, paths: list[Path]) -> tuple[Path, list[Path]]:
    """The folder to write to, and the records; before 1.0 the folder was the first of the paths."""
    if out is not None:
        return out, paths
    if not paths:
        raise typer.BadParameter("say where the files go, as in: franchise export --out data")
    typer.echo(f"franchise export: write --out {paths[0]} for the folder", err=True)
    return paths[0], paths[1:]


def play_bots(run: "Run", number: int, workers: int | None, writer: "DatasetWriter") -> None:
    """Games between bots; each is written as soon as it is over."""
    from dataclasses import replace

    from franchise.arena.dataset import Source
    from franchise.record import read_file

    with tempfile.TemporaryDirectory() as folder:

        def take(outcome: "Outcome") -> None:
            path = Path(folder) / f"game-{outcome.seed}.franchise"
            writer.add(Source(read_file(path), "bots", outcome.seed, outcome.game))
            path.unlink()

        _, interrupted = play_run(replace(run, records=folder), number, workers=workers, also=take)
    if interrupted:
        raise typer.Exit(128 + interrupted)
