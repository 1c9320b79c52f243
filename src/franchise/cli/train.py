"""franchise train: train the bots' value network by self-play."""

import json
from pathlib import Path
from typing import Annotated

import typer

from franchise.cli.arguments import Seed, drawn_seed, require_libraries


def train(
    folder: Annotated[Path, typer.Argument(help="folder for games, networks and figures")],
    generations: Annotated[int, typer.Option(min=1, help="number of networks trained one after another")] = 3,
    games: Annotated[int, typer.Option(min=20, help="games per generation")] = 6000,
    match: Annotated[
        int, typer.Option(min=0, help="games against the previous network, for each number of players")
    ] = 120,
    simulations: Annotated[
        str, typer.Option(help="simulations per turn in self-play; each with equal probability")
    ] = "4,6,12",
    shares: Annotated[str, typer.Option(help="shares of games with 2, 3, 4 and 5 players")] = "0.3,0.2,0.3,0.2",
    first: Annotated[int, typer.Option(min=4, help="units of the first hidden layer")] = 64,
    second: Annotated[int, typer.Option(min=4, help="units of the second hidden layer")] = 32,
    epochs: Annotated[int, typer.Option(min=1, help="training passes over all positions")] = 4,
    start: Annotated[Path | None, typer.Option(help="an existing network to continue training from")] = None,
    seed: Seed = None,
    resume: Annotated[bool, typer.Option("--resume", help="continue the run in the folder")] = False,
    workers: Annotated[int | None, typer.Option(min=1, help="games at the same time; by default one per core")] = None,
    executor: Annotated[str, typer.Option(help="processes, or ray (extra: ray)")] = "processes",
    address: Annotated[str | None, typer.Option(help="address of a Ray cluster; by default a local Ray")] = None,
    picture: Annotated[
        Path | None, typer.Option(help="draw the training curve to this SVG file (extra: report)")
    ] = None,
) -> None:
    """Train the value network by self-play. Ctrl-C stops; --resume continues."""
    require_libraries("train", "train", "torch")
    if picture is not None:
        require_libraries("train", "report", "matplotlib")
    from franchise.arena.progress import interruptible
    from franchise.arena.run import ArenaError
    from franchise.engine.processors import cores
    from franchise.training.games import Mixture
    from franchise.training.generations import Pool, Stopped, Training, TrainingError, TrainingSettings, begin
    from franchise.training.pools import LocalPool, RayPool

    try:
        budgets = tuple(int(number) for number in numbers(simulations, "--simulations"))
        mixture = Mixture(numbers(shares, "--shares", 4), budgets)
        asked = TrainingSettings(drawn_seed(seed), games, match, mixture, first, second, epochs)
        settings = begin(folder, asked, resume, start)
        with interruptible() as stop:
            pool: Pool
            if executor == "ray":
                pool = RayPool(workers, address, stop)
            elif executor == "processes":
                pool = LocalPool(workers or cores(), stop)
            else:
                raise typer.BadParameter(f"--executor {executor}: choose processes or ray")
            run = Training(folder, settings, pool, lambda text: typer.echo(text, err=True), stop)
            for figures in run.run(generations):
                typer.echo(json.dumps(figures))
    except Stopped:
        typer.echo(f"Interrupted; franchise train {folder} --resume continues the run.", err=True)
        raise typer.Exit(128 + stop.signal) from None
    except (TrainingError, ArenaError) as error:
        typer.echo(f"franchise train: {error}", err=True)
        raise typer.Exit(1) from None
    if picture is not None:
        from franchise.training.curve import draw

        picture.write_text(draw(folder), encoding="utf-8")


def numbers(text: str, option: str, length: int = 0) -> tuple[float, ...]:
    """The numbers in a comma-separated list."""
    try:
        values = tuple(float(part) for part in text.split(","))
    except ValueError:
        raise typer.BadParameter(f"{option} must be a comma-separated list of numbers, not {text!r}") from None
    if (length and len(values) != length) or min(values) < 0 or not sum(values):
        expected = f"{length} numbers" if length else "numbers"
        raise typer.BadParameter(f"{option} {text}: give {expected} of at least 0, not all of them 0")
    return values
