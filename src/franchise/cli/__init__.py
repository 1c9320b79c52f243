"""The `franchise` command. Heavy imports wait until a command needs them."""

import sys
from collections.abc import Callable
from typing import Any

import typer

from franchise.cli import (
    arena,
    bench,
    bots,
    db,
    draw,
    export,
    perft,
    play,
    records,
    report,
    serve,
    simulate,
    storm,
    vapid,
    worker,
)

app = typer.Typer(
    help="The board game Franchise: play, simulate, replay and measure.",
    add_completion=False,
    rich_markup_mode=None,  # help without importing rich
    pretty_exceptions_enable=False,
)
COMMANDS: tuple[Callable[..., Any], ...] = (
    play.play,
    serve.serve,
    worker.worker,
    vapid.vapid,
    simulate.simulate,
    arena.arena,
    export.export,
    bots.bots,
    records.replay,
    records.verify,
    draw.draw,
    report.report,
    perft.perft,
    bench.bench,
    storm.storm,
)
for command in COMMANDS:
    app.command()(command)
app.add_typer(db.db, name="db")

USAGE_ERROR, COMMAND_ERROR = typer.BadParameter.__mro__[1:3]  # the bases of all errors about arguments


def main() -> None:
    """Run the command line: wrong arguments give one line and exit code 2, an interrupt 130."""
    if len(sys.argv) == 1:
        sys.argv.append("--help")
    try:
        code = typer.main.get_command(app).main(prog_name="franchise", standalone_mode=False)
    except typer.Abort:
        sys.exit(130)
    except Exception as error:
        if not isinstance(error, COMMAND_ERROR):
            raise
        context = getattr(error, "ctx", None)
        where = context.command_path if context is not None else "franchise"
        lines = error.format_message().splitlines()  # type: ignore[attr-defined]
        print(f"{where}: {' '.join(lines) or 'nothing to do'} (see {where} --help)", file=sys.stderr)
        sys.exit(2 if isinstance(error, USAGE_ERROR) else 1)
    sys.exit(code or 0)
