"""franchise replay and franchise verify: reading records."""

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from franchise.cli.arguments import Json

if TYPE_CHECKING:
    from franchise.engine.events import Event
    from franchise.game import Game

RecordFile = Annotated[
    Path,
    typer.Argument(exists=True, dir_okay=False, readable=True, allow_dash=True, help="a record; - for standard input"),
]
To = Annotated[int | None, typer.Option("--to", min=0, help="stop after this many moves")]


def read_record(file: Path) -> "Game":
    """The game of a record in a file or in standard input (-); raises RecordError or OSError."""
    from franchise.record import SIZE_LIMIT, read_bytes, read_file

    return read_bytes(sys.stdin.buffer.read(4 * SIZE_LIMIT)) if str(file) == "-" else read_file(file)


def read_game(file: Path, to: int | None) -> "Game":
    """The game in a record, up to a move; an invalid record ends the command with a one-line error."""
    from franchise.record import RecordError

    try:
        game = read_record(file)
    except RecordError as error:
        typer.echo(f"{file}: {error}", err=True)
        raise typer.Exit(1) from None
    if to is None:
        return game
    if to > len(game.actions):
        raise typer.BadParameter(f"--to {to}: the game has {len(game.actions)} moves")
    return game.at(to)


def files_of(paths: list[Path]) -> list[Path]:
    """The records among files and folders, in the order of their numbers."""
    files: list[Path] = []
    for path in paths:
        records = (
            sorted(path.glob("*.franchise"), key=lambda file: (len(file.name), file.name)) if path.is_dir() else []
        )
        files += records or [path]
        if path.is_dir() and not records:
            raise typer.BadParameter(f"{path}: there is no *.franchise file in this folder")
    return files


def replay(
    file: RecordFile,
    to: To = None,
    as_json: Json = False,
) -> None:
    """Print a game turn by turn in plain sentences."""
    game = read_game(file, to)
    if as_json:
        typer.echo(json.dumps(replay_data(game)))
    else:
        for line in replay_lines(game):
            typer.echo(line)


def replay_lines(game: "Game") -> list[str]:
    """The story of a game, a blank line before each turn."""
    from franchise.engine.events import player_name, sentence
    from franchise.engine.layout import EventKind

    lines: list[str] = []

    def tell(events: "list[Event]") -> None:
        for event in events:
            if event.kind == EventKind.TURN:
                lines.extend(("", sentence(event, game.names)))
            else:
                lines.append("  " + sentence(event, game.names))

    lines.append(heading(game))
    tell(game.opening())
    for _, events in game.history():
        tell(events)
    lines.append("")
    if game.over:
        result = game.result()
        for seat in sorted(range(game.players), key=lambda seat: -result.scores[seat]):
            parts = ", ".join(f"{part.replace('_', ' ')} {points}" for part, points in result.breakdown[seat].items())
            lines.append(f"{player_name(seat, game.names)}: {result.scores[seat]} ({parts})")
        won = " and ".join(player_name(seat, game.names) for seat in result.winners)
        lines.append(f"{won} {'wins' if len(result.winners) == 1 else 'share the victory'}.")
    else:
        to_move = player_name(game.current_player, game.names)
        lines.append(f"{to_move} is to move ({game.phase}), after {len(game.actions)} moves.")
    return lines


def heading(game: "Game") -> str:
    """The set-up in one sentence."""
    chosen = asdict(game.setup.options)
    words = [name if value is True else f"{name} {value}" for name, value in chosen.items() if value]
    drawn = f" ({' '.join(game.setup.milestones)})" if game.setup.milestones else ""
    options = ", ".join(words).replace("milestones", f"milestones{drawn}")
    return f"A game for {game.players} players{f' with {options}' if options else ''}."


def replay_data(game: "Game") -> dict[str, Any]:
    """Every move with its events, then the position."""
    data: dict[str, Any] = {
        "players": game.players,
        "opening": [event.data() for event in game.opening()],
        "moves": [
            {"move": str(action), "events": [event.data() for event in events]} for action, events in game.history()
        ],
        "view": game.view(),
    }
    if game.over:
        result = game.result()
        data["result"] = {"scores": result.scores, "winners": result.winners, "breakdown": result.breakdown}
    return data


def verify(
    files: Annotated[list[Path], typer.Argument(allow_dash=True, readable=False, help="records; - for standard input")],
    as_json: Json = False,
) -> None:
    """Check records: every move must be legal and the result correct. Exit code 1 if one is invalid."""
    results = []
    for file in files:
        result = verified(file)
        results.append(result)
        if as_json:
            continue
        if result["valid"]:
            end = "finished" if result["finished"] else "unfinished"
            typer.echo(f"{file}: valid, {result['players']} players, {result['moves']} moves, {end}")
        else:
            typer.echo(f"{file}: {result['reason']}", err=True)
    if as_json:
        typer.echo(json.dumps(results))
    failed = sum(not result["valid"] for result in results)
    if failed:
        typer.echo(f"{failed} of {len(files)} records {'is' if failed == 1 else 'are'} invalid", err=True)
        sys.exit(1)


def verified(file: Path) -> dict[str, Any]:
    """Whether the record in a file is valid, with its contents or the reason."""
    from franchise.record import RecordError

    try:
        game = read_record(file)
    except RecordError as error:
        return {"file": str(file), "valid": False, "reason": str(error)}
    except OSError as error:
        return {"file": str(file), "valid": False, "reason": error.strerror or str(error)}
    return {
        "file": str(file),
        "valid": True,
        "players": game.players,
        "moves": len(game.actions),
        "finished": game.over,
    }
