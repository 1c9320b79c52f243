"""franchise simulate: many games, random ones or between bots, summed up by seat."""

import json
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from franchise.cli.arena import (
    Parquet,
    Seconds,
    Simulations,
    StandIn,
    Workers,
    arena_errors,
    forfeit_data,
    make_folder,
    play_run,
    show_forfeits,
)
from franchise.cli.arguments import BotList, Json, OptionList, Players, Seed, check_setup, drawn_seed, read_options

if TYPE_CHECKING:
    import numpy as np

    from franchise.arena.outcome import Forfeit, Outcome
    from franchise.arena.run import Run
    from franchise.engine.setups import Options

    Rows = np.ndarray[Any, np.dtype[np.int32]]

CHUNK = 250  # games between two updates of the progress bar


def simulate(
    number: Annotated[int, typer.Option("-n", "--number", min=1, help="how many games")] = 1000,
    players: Players = 4,
    seed: Seed = None,
    options: OptionList = "",
    bots: BotList = "",
    workers: Workers = None,
    seconds: Seconds = None,
    simulations: Simulations = None,
    stand_in: StandIn = None,
    records: Annotated[Path | None, typer.Option(help="write the record of every game to this folder")] = None,
    parquet: Parquet = None,
    as_json: Json = False,
) -> None:
    """Play random games or games between bots and summarise them. Ctrl-C stops and shows the results so far."""
    chosen = read_options(options)
    check_setup(players, chosen)
    if records is not None:
        make_folder(records, "--records")
    if not bots and (workers, seconds, simulations, stand_in) != (None, None, None, None):
        raise typer.BadParameter("--workers, --seconds, --simulations and --stand-in need --bots")
    summary = SimulationSummary(players, drawn_seed(seed))
    with arena_errors("simulate"):
        if bots:
            summary.bots = read_bots(bots, players)
            run = fixed_run(summary, chosen, seconds, simulations, stand_in, records)
            interrupted = simulate_bots(summary, run, number, workers, parquet)
        else:
            interrupted = simulate_random(summary, chosen, number, records, parquet)
    if as_json:
        typer.echo(json.dumps(summary.data()))
    else:
        summary.show()
        show_forfeits(summary.forfeits)
    if interrupted:
        raise typer.Exit(128 + interrupted)
    if summary.forfeits:
        raise typer.Exit(1)


def read_bots(text: str, players: int) -> tuple[str, ...]:
    """One name for each seat."""
    names = [name.strip() for name in text.split(",")]
    if len(names) == 1:
        names *= players
    if len(names) != players or not all(names):
        raise typer.BadParameter(f"--bots {text}: give {players} names, or one for all seats")
    return tuple(names)


def fixed_run(
    summary: "SimulationSummary",
    options: "Options",
    seconds: float | None,
    simulations: int | None,
    stand_in: str | None,
    records: Path | None,
) -> "Run":
    """A run in which every bot keeps its seat."""
    from franchise.arena.run import Run

    folder = None if records is None else str(records)
    budget = (seconds, simulations)
    return Run(
        summary.bots, summary.players, options, summary.seed, *budget, fixed=True, stand_in=stand_in, records=folder
    )


def simulate_bots(
    summary: "SimulationSummary", run: "Run", number: int, workers: int | None, parquet: Path | None
) -> int:
    """Games between bots; returns the signal that stopped them, or 0."""
    display, interrupted = play_run(run, number, workers=workers, parquet=parquet, also=summary.count)
    summary.seconds = display.seconds
    summary.interrupted = interrupted != 0
    summary.forfeits = display.standings.lost_seats()
    return interrupted


def simulate_random(
    summary: "SimulationSummary", options: "Options", number: int, records: Path | None, parquet: Path | None
) -> int:
    """Uniformly random games on the kernel alone, much faster than bots; returns the signal that stopped them, or 0."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from franchise.arena.progress import pace
    from franchise.engine.jit import compiling
    from franchise.game import Game

    if parquet is not None:
        from franchise.arena import parquet as columns

        columns.check(parquet)
    with compiling():  # which is not part of the time
        next(play_all(1, summary.players, summary.seed, options, None))
        if records is not None:  # games are then replayed move by move
            game = Game(summary.players, summary.seed, options)
            game.play(game.legal_actions()[0])
    summary.started = time.perf_counter()
    chunks = []
    columns_shown = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[speed]}"), TimeRemainingColumn())
    console = Console(stderr=True)
    with Progress(*columns_shown, console=console, transient=True, disable=not console.is_terminal) as progress:
        bar = progress.add_task("games", total=number, speed="")
        try:
            for rows in play_all(number, summary.players, summary.seed, options, records):
                summary.add(rows)
                if parquet is not None:
                    chunks.append(rows)
                progress.update(bar, advance=len(rows), speed=pace(summary.speed()))
        except KeyboardInterrupt:
            summary.interrupted = True
    if parquet is not None:
        columns.write(random_rows(chunks, summary), parquet)
    return signal.SIGINT if summary.interrupted else 0


def random_rows(chunks: "list[Rows]", summary: "SimulationSummary") -> Iterator[dict[str, Any]]:
    """Random games as rows of a Parquet file, with what playout.random_games returns."""
    game = 0
    for rows in chunks:
        for moves, turns, winners, *scores in rows.tolist():
            yield {
                "game": game,
                "seed": summary.seed + game,
                "seating": ["random"] * summary.players,
                "scores": scores[: summary.players],
                "winners": [seat for seat in range(summary.players) if winners >> seat & 1],
                "turns": turns,
                "moves": moves,
            }
            game += 1


class SimulationSummary:
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
        self.bots: tuple[str, ...] = ()
        self.forfeits: list[tuple[int, Forfeit]] = []

    def count(self, outcome: "Outcome") -> None:
        """Count a game between bots."""
        import numpy as np

        winners = sum(1 << seat for seat in outcome.winners)
        self.add(np.array([[outcome.moves, outcome.turns, winners, *outcome.scores]], np.int32))

    def add(self, rows: "Rows") -> None:
        """Count games given as the rows of playout.random_games."""
        import numpy as np

        self.games += len(rows)
        self.moves += int(rows[:, 0].sum())
        self.turns += int(rows[:, 1].sum())
        shares = [(rows[:, 2] >> seat & 1) for seat in range(self.players)]
        winners = np.maximum(sum(shares), 1)  # nobody wins if every seat was forfeited
        for seat in range(self.players):
            self.scores[seat] += int(rows[:, 3 + seat].sum())
            self.best[seat] = max(self.best[seat], int(rows[:, 3 + seat].max()))
            self.wins[seat] += float((shares[seat] / winners).sum())
        self.seconds = time.perf_counter() - self.started

    def speed(self) -> float:
        return self.games / self.seconds if self.seconds else 0.0

    def data(self) -> dict[str, Any]:
        games = max(self.games, 1)
        between = {"bots": self.bots, "forfeits": forfeit_data(self.forfeits)} if self.bots else {}
        return {
            "games": self.games,
            "players": self.players,
            "seed": self.seed,
            "interrupted": self.interrupted,
            "seconds": round(self.seconds, 3),
            "games_per_s": round(self.speed(), 3),
            "moves": round(self.moves / games, 2),
            "turns": round(self.turns / games, 2),
            "mean_score": [round(total / games, 2) for total in self.scores],
            "best_score": self.best,
            "win_share": [round(won / games, 4) for won in self.wins],
            **between,
        }

    def show(self) -> None:
        from rich.console import Console
        from rich.table import Table
        from rich.text import Text

        from franchise.arena.progress import pace
        from franchise.facts import COLOURS

        data = self.data()
        console = Console()
        title = f"{data['games']:,} games of {self.players}, seed {self.seed}"
        table = Table(title=title + (" (interrupted)" if self.interrupted else ""))
        for heading in ("seat", "bot" if self.bots else "colour", "mean score", "best", "wins"):
            table.add_column(heading, justify="left" if heading in ("bot", "colour") else "right")
        for seat in range(self.players):
            table.add_row(
                str(seat),
                Text(self.bots[seat] if self.bots else COLOURS[seat]),
                f"{data['mean_score'][seat]:.1f}",
                str(data["best_score"][seat]),
                f"{data['win_share'][seat]:.1%}",
            )
        console.print(table)
        console.print(
            f"{pace(self.speed())}, {data['turns']:.1f} turns and {data['moves']:.1f} moves a game",
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
