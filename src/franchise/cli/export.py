"""franchise export: games as Parquet files for DuckDB, pandas or Polars."""

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from franchise.cli.arena import Seconds, Simulations, Workers, arena_errors, make_folder, play_run
from franchise.cli.arguments import OptionList, Players, Seed, check_setup, drawn_seed, read_options
from franchise.cli.records import files_of

if TYPE_CHECKING:
    from franchise.engine.setups import Options


def export(
    records: Annotated[list[Path] | None, typer.Argument(help="records, or folders of them")] = None,
    out: Annotated[
        Path | None,
        typer.Option("-o", "--out", help="folder for games.parquet and moves.parquet; made if it is not there"),
    ] = None,
    number: Annotated[int, typer.Option("-n", "--number", min=1, help="without records: how many games to play")] = 100,
    players: Players = 4,
    seed: Seed = None,
    options: OptionList = "",
    bots: Annotated[str, typer.Option(help="who plays them: a bot for each seat, or one for all; else random")] = "",
    workers: Workers = None,
    seconds: Seconds = None,
    simulations: Simulations = None,
    observations: Annotated[bool, typer.Option("--observations", help="add what the player to move saw")] = False,
) -> None:
    """Write games as Parquet: one row for each move and one for each game (extra: data)."""
    chosen = read_options(options)
    check_setup(players, chosen)
    folder, records = destination(out, records or [])
    for record in records:
        if not record.exists():
            raise typer.BadParameter(f"{record} does not exist")
    make_folder(folder, "--out")
    with arena_errors("export"), tempfile.TemporaryDirectory() as played:
        from franchise.arena import dataset, parquet

        parquet.check(folder / "games.parquet")
        if records:
            sources = dataset.from_records(files_of(records))
        elif bots:
            play_bots(bots, number, players, drawn_seed(seed), chosen, workers, seconds, simulations, Path(played))
            sources = dataset.from_records(files_of([Path(played)]))
        else:
            sources = dataset.from_chance(number, players, drawn_seed(seed), chosen)
        games, moves = dataset.export(sources, folder, observations=observations)
    typer.echo(f"{games:,} games and {moves:,} moves are in {folder / 'games.parquet'} and {folder / 'moves.parquet'}.")


def destination(out: Path | None, paths: list[Path]) -> tuple[Path, list[Path]]:
    """The folder to write to, and the records; before 1.0 the folder was the first of the paths."""
    if out is not None:
        return out, paths
    if not paths:
        raise typer.BadParameter("say where the files go, as in: franchise export --out data")
    typer.echo(f"franchise export: write --out {paths[0]} for the folder", err=True)
    return paths[0], paths[1:]


def play_bots(
    bots: str,
    number: int,
    players: int,
    seed: int,
    options: "Options",
    workers: int | None,
    seconds: float | None,
    simulations: int | None,
    folder: Path,
) -> None:
    """Games between bots, their records in a folder."""
    from franchise.arena.run import Run
    from franchise.cli.simulate import read_bots

    run = Run(read_bots(bots, players), players, options, seed, seconds, simulations, fixed=True, records=str(folder))
    _, interrupted = play_run(run, number, workers=workers)
    if interrupted:
        raise typer.Exit(128 + interrupted)
