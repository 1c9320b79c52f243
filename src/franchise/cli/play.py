"""franchise play: a game in the terminal, full-screen or line by line."""

import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, NoReturn

import typer

from franchise.cli.arguments import OptionList, Players, Seed, check_setup, drawn_seed, read_options
from franchise.cli.records import read_game

if TYPE_CHECKING:
    from franchise.game import Game
    from franchise.terminal.local_table import TerminalTable
    from franchise.wording.language import Language

PAUSE_S = 0.4  # between the moves of bots, so that a person can follow
EXTRA = "pip install 'franchise[terminal]'"
ENVIRONMENT = ("LC_ALL", "LC_MESSAGES", "LANG")  # variables with the language of a terminal, strongest first

RecordFile = Annotated[
    Path | None,
    typer.Argument(exists=True, dir_okay=False, readable=True, help="a record to continue or to view"),
]


def play(
    record: RecordFile = None,
    players: Players = 4,
    seed: Seed = None,
    options: OptionList = "",
    humans: Annotated[int, typer.Option(min=0, max=5, help="people at the table; bots take the other seats")] = 1,
    bots: Annotated[str, typer.Option(help="the bot for those seats, see franchise bots")] = "regular",
    in_order: Annotated[
        bool, typer.Option("--in-order", help="people take the first seats; by default seats are drawn at random")
    ] = False,
    to: Annotated[int | None, typer.Option("--to", min=0, help="continue after this many moves of the record")] = None,
    plain: Annotated[bool, typer.Option("--plain", help="line by line, for screen readers and pipes")] = False,
    language: Annotated[
        Literal["en", "de", "fr"] | None,
        typer.Option(help="language: en, de or fr; by default that of the terminal (LANG)"),
    ] = None,
    theme: Annotated[Literal["light", "dark"] | None, typer.Option(help="colours of the full screen")] = None,
    pause: Annotated[float, typer.Option(min=0, max=10, help="seconds between the moves of bots")] = PAUSE_S,
    server: Annotated[str | None, typer.Option(help="address of a table on a server, as shown in the browser")] = None,
    token: Annotated[
        str | None,
        typer.Option(envvar="FRANCHISE_TOKEN", help="token of your seat or account there; without one you watch"),
    ] = None,
    name: Annotated[str | None, typer.Option(help="take a free seat there under this name")] = None,
) -> None:
    """Play in the terminal. Without a terminal, or with --plain --humans 0, print a game between bots."""
    words, seed = find_language(language), drawn_seed(seed)
    if server is not None:
        join(server, token, name, words, plain, theme)
        return
    if token is not None and "FRANCHISE_TOKEN" not in os.environ:
        raise typer.BadParameter("--token needs --server")
    if name is not None:
        raise typer.BadParameter("--name needs --server")
    from franchise.terminal.local_table import LocalTable

    game = new_game(players, seed, options) if record is None else read_game(record, to)
    if to is not None and record is None:
        raise typer.BadParameter("--to needs a record")
    if humans > game.players:
        raise typer.BadParameter(f"--humans {humans}: there are {game.players} seats")
    from franchise.bots import BotError, make
    from franchise.engine.setups import drawn_order
    from franchise.extras import MissingLibrary

    people = 0 if not sys.stdin.isatty() and not plain else humans
    order = range(game.players) if in_order or record is not None else drawn_order(game.players, seed)
    try:
        opponents = {seat: make(bots, seed=seed + seat) for seat in sorted(order[people:])}
    except MissingLibrary as error:
        refuse(str(error))
    except BotError as error:
        raise typer.BadParameter(f"--bots: {error}") from None
    full = not plain and first_class_terminal()
    table = LocalTable(game, opponents, words, pause if full else 0)
    try:
        if full:
            show(table, theme)
        elif people:
            play_line_by_line(table)
        else:
            watch(table)
    finally:
        for bot in opponents.values():
            bot.close()


def join(
    server: str, token: str | None, name: str | None, language: "Language", plain: bool, theme: str | None
) -> None:
    """Play or watch at a table of a server."""
    from importlib.util import find_spec

    if find_spec("httpx") is None or find_spec("httpx_sse") is None:
        refuse(f"--server needs httpx and httpx-sse; install them with: {EXTRA}")
    from franchise.terminal.local_table import TableLost
    from franchise.terminal.remote_table import Address, RemoteTable, TableMissing

    try:
        address = Address.read(server)
    except ValueError as error:
        raise typer.BadParameter(f"--server: {error}") from None
    try:
        table = RemoteTable(address, token, language, name)
    except TableMissing as error:
        raise typer.BadParameter(f"--server: {error}") from None
    except TableLost as error:
        refuse(str(error))
    try:
        if not plain and first_class_terminal():
            show(table, theme)
        else:
            play_line_by_line(table)
    finally:
        table.close()
        if table.way_back:
            typer.echo(table.way_back, err=True)


def refuse(message: str) -> NoReturn:
    """Exit with one line that says why there is no table."""
    typer.echo(f"franchise play: {message}", err=True)
    raise typer.Exit(1)


def new_game(players: int, seed: int, options: str) -> "Game":
    chosen = read_options(options)
    check_setup(players, chosen)
    from franchise.game import Game

    return Game(players, seed, chosen)


def find_language(chosen: str | None) -> "Language":
    """The requested language, else that of the terminal, else English."""
    from franchise.wording.language import language, negotiate

    locale = next(filter(None, map(os.environ.get, ENVIRONMENT)), "")
    try:
        return negotiate(chosen, locale.partition(".")[0])
    except ImportError:
        if chosen:
            raise typer.BadParameter(f"--language {chosen} needs Babel; install it with: {EXTRA}") from None
        return language("en")


def first_class_terminal() -> bool:
    """Whether the terminal supports the full screen and its libraries are installed."""
    from importlib.util import find_spec

    if not (sys.stdin.isatty() and sys.stdout.isatty()) or os.environ.get("TERM", "dumb") in ("dumb", "unknown"):
        return False
    if find_spec("textual") is None:
        typer.echo(f"The full-screen table needs textual; install it with: {EXTRA}\n", err=True)
        return False
    return True


def show(table: "TerminalTable", theme: str | None) -> None:
    """Play on the full screen, then print the closing message."""
    from franchise.bots.preparation import prepared_behind
    from franchise.terminal.screen import TableApp

    app = TableApp(table, theme)
    with prepared_behind():
        message = app.run()
    if message:
        typer.echo(message, err=bool(app.return_code))
    if app.return_code:
        raise typer.Exit(app.return_code)


def play_line_by_line(table: "TerminalTable") -> None:
    """Play line by line; a local game that is left early is printed as a record."""
    from franchise.terminal.line_mode import LineMode
    from franchise.terminal.local_table import LocalTable, TableLost

    with suppress(ImportError):
        import readline  # noqa: F401 - arrow keys and history while typing
    lines = LineMode(table)
    try:
        if not lines.run() and isinstance(table, LocalTable):
            typer.echo(table.game.to_text())
    except TableLost as error:
        refuse(str(error))
    if lines.interrupted:
        raise KeyboardInterrupt


def watch(table: "TerminalTable") -> None:
    """Print a game between bots when it is over."""
    from franchise.terminal.line_mode import story_lines
    from franchise.terminal.local_table import TableLost

    try:
        while not table.game.over:
            table.advance()
    except TableLost as error:
        refuse(str(error))
    typer.echo("\n".join(story_lines(table.game, table.language)))
