"""The `franchise` command. Heavy imports wait until a command needs them."""

import codecs
import errno
import os
import re
import sys
import unicodedata
from collections.abc import Callable
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from franchise.cli import (
    arena,
    attack,
    bench,
    bots,
    db,
    draw,
    export,
    ladder,
    perft,
    play,
    records,
    report,
    serve,
    simulate,
    storm,
    train,
    vapid,
    worker,
)

SECTIONS: dict[str, dict[str, Callable[..., Any] | typer.Typer]] = {
    "Play": {"play": play.play},
    "Records": {"replay": records.replay, "verify": records.verify, "draw": draw.draw, "report": report.report},
    "Bots and research": {
        "bots": bots.bots,
        "arena": arena.arena,
        "ladder": ladder.ladder,
        "simulate": simulate.simulate,
        "export": export.export,
        "train": train.train,
    },
    "Server": {"serve": serve.serve, "worker": worker.worker, "db": db.db, "vapid": vapid.vapid},
    "Developers": {"bench": bench.bench, "storm": storm.storm, "attack": attack.attack, "perft": perft.perft},
}
# Flags from before 1.0 that still work: the command, the old flag and the new one.
OLD_FLAGS = {("play", "--against"): "--bots"}
# Nobody reads the output any more, as in franchise report games | head -1; or its disk is full.
OUTPUT_LOST = (errno.EPIPE, errno.ENOSPC, errno.EDQUOT)
# What typer says, as patterns, and plainer words for it.
PLAINER = {
    r"Invalid value: ": "",
    r"Got unexpected extra argument(?:s|\(s\))? \((.+)\)$": r"unexpected extra argument: \1",
    r"Invalid value for (?:'-\w' / )?'(--[\w-]+)': ": r"\1: ",
    r"Invalid value for '\w+': (?:File|Path|Directory) ": "",
    r"is not a valid int(eger)?( range)?": "is not a whole number",
    r"is not a valid float( range)?": "is not a number",
    r"(\S+) is not in the range (\S+)<=x<=(\S+?)\.?$": r"must be between \2 and \3, not \1",
    r"(\S+) is not in the range x>=(\S+?)\.?$": r"must be at least \2, not \1",
    r"\.$": "",
}
# For terminals that cannot show these: punctuation; arrows, and what wins more or less often than is fair; shapes of
# players (a hollow one is the active player's); signs of the map; frames; ligatures and three dots; the dots of links;
# the blocks of scroll bars. Letters lose their accents.
SIMILAR: dict[int, int | str] = {
    **str.maketrans("–−·×’“”\xa0", '--.x\'"" '),
    **str.maketrans("←↑→↓▶▲▼", "<^>v>^v"),
    **str.maketrans("●▪◆⬟○▫△◇⬠", "O#&@ooooo"),
    **str.maketrans("✓»›", "*>~"),
    **str.maketrans("─│╭╮╰╯", "-|++++"),
    **{ord(sign): letters for sign, letters in (("…", "..."), ("ß", "ss"), ("œ", "oe"), ("Œ", "OE"))},
    **dict.fromkeys(range(0x2800, 0x2900), ":"),
    **dict.fromkeys(range(0x2580, 0x25A0), "|"),
}


class CommandSections(TyperGroup):
    """Lists the commands in sections."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        width = max(map(len, self.commands))
        for title, names in SECTIONS.items():
            with formatter.section(title):
                texts = (self.commands[name].get_short_help_str(formatter.width - width - 4) for name in names)
                formatter.write_dl([(name.ljust(width), text) for name, text in zip(names, texts, strict=True)])


app = typer.Typer(
    cls=CommandSections,
    help="The board game Franchise. Without a command, the table opens in your browser.",
    context_settings={"help_option_names": ["-h", "--help"]},
    rich_markup_mode=None,  # help without importing rich
    pretty_exceptions_enable=False,
)
for section in SECTIONS.values():
    for name, command in section.items():
        if isinstance(command, typer.Typer):
            app.add_typer(command, name=name)
        else:
            app.command(name)(command)


def show_version(requested: bool) -> None:
    if requested:
        from importlib.metadata import version

        typer.echo(f"franchise {version('franchise')}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def table(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """The board game Franchise. Without a command, the table opens in your browser."""
    if context.invoked_subcommand is None:
        serve.serve()


USAGE_ERROR, COMMAND_ERROR = typer.BadParameter.__mro__[1:3]  # the bases of all errors about arguments


def similar(error: UnicodeError) -> tuple[str, int]:
    """For characters that the terminal cannot show: something similar, or a question mark."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = error.object[error.start : error.end].translate(SIMILAR)
    letters = "".join(unicodedata.normalize("NFD", letter)[0] for letter in text)
    return letters.encode("ascii", "replace").decode(), error.end


def command_path(arguments: list[str]) -> str:
    """The command that arguments begin with, for errors that do not name it."""
    path = "franchise"
    group: Any = typer.main.get_command(app)
    for argument in arguments:
        group = getattr(group, "commands", {}).get(argument)
        if group is None:
            break
        path += f" {argument}"
    return path


def with_new_flags(arguments: list[str]) -> list[str]:
    """The arguments with old spellings replaced, each with a hint."""
    renewed = []
    for argument in arguments:
        flag, equals, value = argument.partition("=")
        new = OLD_FLAGS.get((arguments[0], flag))
        if new:
            print(f"franchise {arguments[0]}: {flag} is now {new}", file=sys.stderr)
        renewed.append(f"{new}{equals}{value}" if new else argument)
    return renewed


def main() -> None:
    """Run the command line: exit code 2 and one line for wrong arguments, 1 for what failed, 130 for Ctrl-C."""
    codecs.register_error("similar", similar)
    if hasattr(sys.stdin, "reconfigure"):
        sys.stdin.reconfigure(errors="replace")  # a line with invalid bytes is then no move, instead of an error
    for stream in (sys.stdout, sys.stderr):
        if (stream.encoding or "").lower().replace("-", "") != "utf8" and hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="similar")
    try:
        code = typer.main.get_command(app).main(
            with_new_flags(sys.argv[1:]), prog_name="franchise", standalone_mode=False
        )
        sys.stdout.flush()
    except OSError as error:
        if error.errno not in OUTPUT_LOST:
            raise
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):
            print(f"{command_path(sys.argv[1:])}: {error.strerror}", file=sys.stderr)
        sys.exit(1)
    except (typer.Abort, KeyboardInterrupt):
        sys.exit(130)
    except Exception as error:
        if not isinstance(error, COMMAND_ERROR):
            raise
        context = getattr(error, "ctx", None)
        where = context.command_path if context is not None else command_path(sys.argv[1:])
        message = " ".join(error.format_message().splitlines())  # type: ignore[attr-defined]
        for pattern, plainer in PLAINER.items():
            message = re.sub(pattern, plainer, message)
        print(f"{where}: {message or 'nothing to do'} (see {where} --help)", file=sys.stderr)
        sys.exit(2 if isinstance(error, USAGE_ERROR) else 1)
    sys.exit(code or 0)
