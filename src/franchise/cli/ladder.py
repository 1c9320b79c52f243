"""franchise ladder: policies and baselines under one fixed protocol, so that results can be compared."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from franchise.cli.arena import Workers, arena_data, arena_errors, make_folder, play_run, show
from franchise.cli.arguments import Json

if TYPE_CHECKING:
    from franchise.envs.tiers import Tier

PROTOCOL = 1  # anything that changes the games needs a new one
BASELINES = ("random", "newcomer", "casual", "regular")
SEED = 1_000_000
SIMULATIONS = 40  # for every bot that searches, instead of a time limit
GAMES = 480


def ladder(
    policies: Annotated[
        list[str] | None,
        typer.Argument(help="python:MODULE:FACTORY, program:COMMAND, an .onnx file, or a bot; checkpoints in order"),
    ] = None,
    tier: Annotated[str, typer.Option(help="settings of the games: mini, duel, classic or full")] = "classic",
    out: Annotated[Path, typer.Option("-o", "--out", help="folder for index.html, ladder.json and results.jsonl")] = (
        Path("ladder")
    ),
    number: Annotated[
        int, typer.Option("-n", "--number", min=1, help="games, rounded up to full rounds of seatings")
    ] = GAMES,
    workers: Workers = None,
    as_json: Json = False,
) -> None:
    """Rate policies against baselines under a fixed protocol. Needs the extra report.

    The same command continues an interrupted run. It exits with status 1 if a policy forfeited a game.
    """
    with arena_errors("ladder"):
        from franchise.arena.run import Run
        from franchise.arena.schedule import rounded_up
        from franchise.envs.tiers import TIERS
        from franchise.extras import require

        if tier not in TIERS:
            raise typer.BadParameter(f"--tier {tier}: choose one of {', '.join(TIERS)}")
        require("report", "matplotlib")
        table = TIERS[tier]
        submitted = [entrant(name) for name in policies or ()]
        names = tuple(dict.fromkeys([*submitted, *BASELINES]))
        run = Run(names, table.players, table.options, SEED, simulations=SIMULATIONS)
        make_folder(out, "--out")
        games = rounded_up(number, len(run.block))
        display, interrupted = play_run(
            run, games, workers=workers, file=out / "results.jsonl", report=out, policies=submitted
        )
    data = {"protocol": protocol(table, games), **arena_data(run, games, display, interrupted=interrupted != 0)}
    (out / "ladder.json").write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    if as_json:
        typer.echo(json.dumps(data))
    else:
        show(display.standings, data)
        typer.echo(f"The page is {out / 'index.html'}, its figures are in {out / 'ladder.json'}.")
    if interrupted:
        raise typer.Exit(128 + interrupted)
    if display.standings.forfeits:
        raise typer.Exit(1)


def entrant(name: str) -> str:
    """The name of a bot; a file that ends in .onnx is one."""
    from franchise.bots.registry import ONNX

    return f"{ONNX}{name}" if name.endswith(".onnx") and not name.startswith(ONNX) else name


def protocol(tier: "Tier", games: int) -> dict[str, Any]:
    """The conditions of a result."""
    return {
        "version": PROTOCOL,
        "tier": tier.full_name,
        "hash": tier.pinned,
        "seed": SEED,
        "simulations": SIMULATIONS,
        "baselines": list(BASELINES),
        "games": games,
    }
