"""franchise arena: bots against bots, with ratings and intervals."""

import json
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from franchise.cli.arguments import Json, OptionList, Seed, check_setup, drawn_seed, read_options

if TYPE_CHECKING:
    from franchise.arena.intervals import Estimate
    from franchise.arena.outcome import Forfeit, Outcome
    from franchise.arena.progress import Display
    from franchise.arena.run import Run
    from franchise.arena.standings import Standings

Workers = Annotated[int | None, typer.Option(min=1, help="games at the same time; by default one per core")]
Seconds = Annotated[float | None, typer.Option(help="seconds per decision for every bot, instead of its own limit")]
Simulations = Annotated[
    int | None, typer.Option(help="simulations per decision for every bot, which makes games repeatable")
]
StandIn = Annotated[
    str | None, typer.Option(help="takes over for a bot that fails, which still comes last; by default its seat passes")
]
Parquet = Annotated[Path | None, typer.Option(help="write the games to this Parquet file (extra: data)")]


def arena(
    names: Annotated[
        list[str] | None, typer.Argument(help="bots (see franchise bots); a name given twice takes two seats")
    ] = None,
    players: Annotated[
        int | None, typer.Option("-p", "--players", min=2, max=5, help="number of players; by default one per name")
    ] = None,
    number: Annotated[
        int, typer.Option("-n", "--number", min=1, help="games, rounded up to full rounds of seatings")
    ] = 400,
    bots: Annotated[str, typer.Option(help="the bots as one comma-separated list")] = "",
    options: OptionList = "",
    seed: Seed = None,
    workers: Workers = None,
    seconds: Seconds = None,
    simulations: Simulations = None,
    stand_in: StandIn = None,
    executor: Annotated[
        Literal["processes", "ray"], typer.Option(help="where games are played; ray needs the extra ray")
    ] = "processes",
    address: Annotated[str | None, typer.Option(help="address of a Ray cluster; by default a local Ray")] = None,
    results: Annotated[
        Path | None, typer.Option(help="store each game in this file; the same command then continues the run")
    ] = None,
    parquet: Parquet = None,
    report: Annotated[
        Path | None, typer.Option(help="write index.html with charts to this folder (extra: report)")
    ] = None,
    as_json: Json = False,
) -> None:
    """Let bots play each other, every seating equally often. Ctrl-C stops and shows the results so far.

    A bot that fails comes last in that game, and the command exits with status 1.
    """
    chosen = read_options(options)
    names = [*(names or ()), *filter(None, (name.strip() for name in bots.split(",")))]
    if not names:
        raise typer.BadParameter("name the bots that play, as in: franchise arena regular casual")
    if address is not None and executor != "ray":
        raise typer.BadParameter("--address needs --executor ray")
    players = number_of_seats(names, players)
    check_setup(players, chosen)
    with arena_errors("arena"):
        from franchise.arena.results import seed_of
        from franchise.arena.run import Run
        from franchise.arena.schedule import rounded_up
        from franchise.extras import require

        if report is not None:
            require("report", "matplotlib")
            make_folder(report, "--report")
        if seed is None and results is not None:
            seed = seed_of(results)
        try:
            run = Run(tuple(names), players, chosen, drawn_seed(seed), seconds, simulations, stand_in=stand_in)
        except ValueError as error:
            raise typer.BadParameter(str(error)) from None
        games = rounded_up(number, len(run.block))
        if games != number:
            typer.echo(f"{games} games instead of {number}, so that every seating is played equally often", err=True)
        display, interrupted = play_run(run, games, executor, workers, address, results, parquet, report)
    data = arena_data(run, games, display, interrupted=interrupted != 0)
    if as_json:
        typer.echo(json.dumps(data))
    else:
        show(display.standings, data)
        if report is not None:
            typer.echo(f"The report is in {report / 'index.html'}.")
    if interrupted:
        if results is not None:
            typer.echo(f"Interrupted; the same command continues from {results}.", err=True)
        raise typer.Exit(128 + interrupted)
    if display.standings.forfeits:
        raise typer.Exit(1)


def number_of_seats(names: list[str], players: int | None) -> int:
    """The number of players; by default the number of names."""
    if players is not None:
        return players
    if not 2 <= len(names) <= 5:
        raise typer.BadParameter("name 2 to 5 bots, or set the number of players with -p")
    return len(names)


def make_folder(folder: Path, option: str) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise typer.BadParameter(f"{option} {folder}: {error.strerror}") from None


@contextmanager
def arena_errors(command: str) -> Iterator[None]:
    """Print what stops a run in one line."""
    from franchise.arena.run import ArenaError
    from franchise.bots.protocol import BotError
    from franchise.engine.setups import SetupError
    from franchise.extras import MissingLibrary

    try:
        yield
    except (ArenaError, MissingLibrary) as error:
        typer.echo(f"franchise {command}: {error}", err=True)
        raise typer.Exit(1) from None
    except (BotError, SetupError) as error:
        raise typer.BadParameter(str(error)) from None


def play_run(
    run: "Run",
    games: int,
    kind: str = "processes",
    workers: int | None = None,
    address: str | None = None,
    file: Path | None = None,
    parquet: Path | None = None,
    report: Path | None = None,
    also: "Callable[[Outcome], None] | None" = None,
    policies: "Sequence[str]" = (),
) -> "tuple[Display, int]":
    """Play a run and write what is asked for; returns what it showed and the signal that stopped it, 0 for none."""
    from franchise.arena import parquet as columns
    from franchise.arena import tournament
    from franchise.arena.executors import executor
    from franchise.arena.progress import Display, interruptible
    from franchise.arena.results import Results
    from franchise.arena.standings import Standings

    if parquet is not None:
        columns.check(parquet)
    players = executor(kind, workers, address)
    tournament.prepare(run)
    with tempfile.TemporaryDirectory() as folder:
        path = file if file is not None else Path(folder) / "results.jsonl"
        display = Display(Standings(run.entrants, run.players), games, kind, also)
        with Results(path, run) as results:
            with interruptible() as stop, display:
                tournament.play(run, games, players, results, display, stop)
            if results.cut is not None:
                typer.echo(f"{path}, line {results.cut} was cut off: its game is played again", err=True)
            if parquet is not None:
                columns.convert(path, parquet)
            if report is not None:
                from franchise.arena.run_report import write

                write(report / "index.html", run, display.standings, results.outcomes(), policies)
    return display, stop.signal


def arena_data(run: "Run", games: int, display: "Display", interrupted: bool) -> dict[str, Any]:
    """Everything as JSON-able data."""
    standings = display.standings
    return {
        "run": run.data(),
        "games": standings.games,
        "asked": games,
        "seatings": len(run.block),
        "interrupted": interrupted,
        "seconds": round(display.seconds, 3),
        "games_per_s": round(display.speed, 3),
        "standings": [row.data() for row in standings.table()],
        "head_to_head": [duel.data() for duel in standings.duels()],
        "by_seat": [row.data() for row in standings.seats()],
        "forfeits": forfeit_data(standings.lost_seats()),
    }


def forfeit_data(lost: "list[tuple[int, Forfeit]]") -> list[dict[str, Any]]:
    from dataclasses import asdict

    return [{"game": game, **asdict(forfeit)} for game, forfeit in lost]


def show(standings: "Standings", data: dict[str, Any]) -> None:
    """The tables of a run."""
    from rich.console import Console

    from franchise.arena.progress import pace

    console = Console()
    title = f"{data['games']:,} games of {data['run']['players']}, seed {data['run']['seed']}"
    rows: list[tuple[str, ...]] = [
        (
            row.name,
            f"{row.rating.value:+.0f} ({row.rating.low:+.0f} to {row.rating.high:+.0f})" if row.rating else "",
            f"{100 * row.wins.value:.1f} ({percents(row.wins)})",
            f"{100 * row.fair:.1f}",
            f"{row.rank.value:.2f} ({row.rank.low:.2f}–{row.rank.high:.2f})",
            f"{row.score.value:.1f}",
            f"{row.games:,}",
            *([f"{row.forfeits:,}"] if standings.forfeits else []),
        )
        for row in standings.table()
    ]
    headings: tuple[str, ...] = ("entrant", "Elo (95%)", "wins % (95%)", "fair %", "mean rank (95%)", "score", "games")
    headings += ("forfeits",) if standings.forfeits else ()
    console.print(table(title + (" (interrupted)" if data["interrupted"] else ""), headings, rows))
    if duels := standings.duels():
        names = list(standings.by_name)
        ahead = {(duel.name, duel.other): f"{duel.ahead.value:.1%}\n({percents(duel.ahead)})" for duel in duels}
        rows = [(name, *(ahead.get((name, other), "–") for other in names)) for name in names]
        console.print(table("Head to head: ends ahead of", ("entrant", *names), rows))
    seats = {(row.name, row.seat): f"{row.wins.value:.1%}\n({percents(row.wins)})" for row in standings.seats()}
    rows = [
        (name or "all", *(seats.get((name, seat), "") for seat in range(standings.players)))
        for name in (*standings.by_name, None)
    ]
    console.print(table("Wins by seat", ("entrant", *(f"seat {seat}" for seat in range(standings.players))), rows))
    if data["games_per_s"]:
        console.print(pace(data["games_per_s"]), highlight=False)
    show_forfeits(standings.lost_seats())


def percents(estimate: "Estimate") -> str:
    return f"{100 * estimate.low:.1f}–{100 * estimate.high:.1f}"


def table(title: str, headings: tuple[str, ...], rows: list[Any]) -> Any:
    """A table of texts; names of bots are not read as markup."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    made = Table(title=Text(title), box=SIMPLE_HEAD, padding=(0, 1, 0, 0), title_justify="left")
    for number, heading in enumerate(headings):
        made.add_column(Text(heading), justify="right" if number else "left")
    for row in rows:
        made.add_row(*map(Text, row))
    return made


def show_forfeits(lost: "list[tuple[int, Forfeit]]") -> None:
    """The bots that forfeited seats, with the first game and the reason; equal reasons once."""
    reasons: dict[tuple[str, str, str], list[tuple[int, int]]] = {}
    for game, forfeit in lost:
        reasons.setdefault((forfeit.bot, forfeit.by, forfeit.reason), []).append((game, forfeit.turn))
    for (bot, by, reason), cases in reasons.items():
        times = "once," if len(cases) == 1 else f"{len(cases)} times, first"
        game, turn = cases[0]
        then = f"; {by} played on" if by else ""
        typer.echo(f"{bot} forfeited {times} in game {game}, turn {turn}{then}: {reason}", err=True)
