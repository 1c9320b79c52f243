"""franchise simulate: many random games, summed up."""

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from franchise.cli.choices import Json, OptionList, Players, Seed, check_setup, drawn_seed, read_options

if TYPE_CHECKING:
    import numpy as np

    from franchise.engine.setups import Options

    Rows = np.ndarray[Any, np.dtype[np.int32]]

CHUNK = 250  # games between two looks at the progress bar


def simulate(
    number: Annotated[int, typer.Option("-n", "--number", min=1, help="how many games")] = 1000,
    players: Players = 4,
    seed: Seed = None,
    options: OptionList = "",
    records: Annotated[Path | None, typer.Option(help="write the record of every game into this folder")] = None,
    as_json: Json = False,
) -> None:
    """Play random games and sum them up. Ctrl-C stops with what there is."""
    chosen = read_options(options)
    check_setup(players, chosen)
    if records is not None:
        try:
            records.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise typer.BadParameter(f"--records {records}: {error.strerror}") from None
    seed = drawn_seed(seed)
    summary = Summary(players, seed)
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[speed]}"), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        bar = progress.add_task("games", total=number, speed="")
        try:
            for rows in play_all(number, players, seed, chosen, records):
                summary.add(rows)
                progress.update(bar, advance=len(rows), speed=f"{summary.speed():,.0f} games/s")
        except KeyboardInterrupt:
            summary.interrupted = True
    if as_json:
        typer.echo(json.dumps(summary.data()))
    else:
        summary.show()
    if summary.interrupted:
        raise typer.Exit(130)


class Summary:
    """Counts over the games so far."""

    def __init__(self, players: int, seed: int) -> None:
        self.players = players
        self.seed = seed
        self.games = 0
        self.interrupted = False
        self.started = time.perf_counter()
        self.seconds = 0.0
        self.moves = 0
        self.turns = 0
        self.scores = [0] * players
        self.best = [0] * players
        self.wins = [0.0] * players

    def add(self, rows: "Rows") -> None:
        """Count games given as the rows of playout.random_games."""
        self.games += len(rows)
        self.moves += int(rows[:, 0].sum())
        self.turns += int(rows[:, 1].sum())
        shares = [(rows[:, 2] >> seat & 1) for seat in range(self.players)]
        winners = sum(shares)
        for seat in range(self.players):
            self.scores[seat] += int(rows[:, 3 + seat].sum())
            self.best[seat] = max(self.best[seat], int(rows[:, 3 + seat].max()))
            self.wins[seat] += float((shares[seat] / winners).sum())
        self.seconds = time.perf_counter() - self.started

    def speed(self) -> float:
        return self.games / self.seconds if self.seconds else 0.0

    def data(self) -> dict[str, Any]:
        games = max(self.games, 1)
        return {
            "games": self.games,
            "players": self.players,
            "seed": self.seed,
            "interrupted": self.interrupted,
            "seconds": round(self.seconds, 3),
            "games_per_s": round(self.speed(), 1),
            "moves": round(self.moves / games, 2),
            "turns": round(self.turns / games, 2),
            "mean_score": [round(total / games, 2) for total in self.scores],
            "best_score": self.best,
            "win_share": [round(won / games, 4) for won in self.wins],
        }

    def show(self) -> None:
        from rich.console import Console
        from rich.table import Table

        from franchise.facts import COLOURS

        data = self.data()
        console = Console()
        title = f"{data['games']:,} games of {self.players}, seed {self.seed}"
        table = Table(title=title + (" (interrupted)" if self.interrupted else ""))
        for heading in ("seat", "colour", "mean score", "best", "wins"):
            table.add_column(heading, justify="left" if heading == "colour" else "right")
        for seat in range(self.players):
            table.add_row(
                str(seat),
                COLOURS[seat],
                f"{data['mean_score'][seat]:.1f}",
                str(data["best_score"][seat]),
                f"{data['win_share'][seat]:.1%}",
            )
        console.print(table)
        console.print(
            f"{data['games_per_s']:,.0f} games/s, {data['turns']:.1f} turns and {data['moves']:.1f} moves a game",
            highlight=False,
        )


def play_all(number: int, players: int, seed: int, options: "Options", records: Path | None) -> "Iterator[Rows]":
    """Random games in chunks of rows (playout.random_games); game i has seed + i, for its set-up and its moves."""
    import numpy as np

    from franchise.engine import layout
    from franchise.engine.playout import random_games
    from franchise.game import SCRATCH, Game

    moves = np.zeros(layout.GAME, np.int32)
    state = layout.new(layout.STATE)

    def play(game: Game, first: int, rows: "Rows") -> None:
        random_games(game.rules, game.state, first, rows, state, moves, SCRATCH.out, SCRATCH.log)

    alike = records is None and options.without_chance
    common = Game(players, seed, options)
    for first in range(0, number, CHUNK):
        rows = np.zeros((min(CHUNK, number - first), 3 + layout.SEATS), np.int32)
        if alike:
            play(common, seed + first, rows)
        else:
            for i in range(len(rows)):
                game = Game(players, seed + first + i, options)
                play(game, seed + first + i, rows[i : i + 1])
                if records is not None:
                    for action in moves[: rows[i, 0]].tolist():
                        game.play(action)
                    path = records / f"game-{seed + first + i}.franchise"
                    path.write_text(game.to_text(), encoding="utf-8")
        yield rows
