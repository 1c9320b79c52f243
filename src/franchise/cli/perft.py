"""franchise perft: the number of move sequences, a check of the rules in one number."""

import json
import time
from typing import Annotated

import typer

from franchise.cli.arguments import Json, OptionList, Players, check_setup, read_options


def perft(
    players: Players = 4,
    depth: Annotated[int, typer.Option(min=0, max=12, help="how many moves")] = 4,
    seed: Annotated[int, typer.Option(min=0, max=2**62, help="seed for the random parts of the set-up")] = 0,
    options: OptionList = "",
    as_json: Json = False,
) -> None:
    """Count the sequences of moves from the start, up to a given depth."""
    chosen = read_options(options)
    check_setup(players, chosen)
    from franchise.engine.walk import count_ways
    from franchise.game import Game

    game = Game(players, seed, chosen)
    count_ways(game.rules, game.state, 1)  # loads the kernel, which is not part of the time
    rows = []
    for level in range(depth + 1):
        started = time.perf_counter()
        count = count_ways(game.rules, game.state, level)
        rows.append({"depth": level, "count": count, "seconds": round(time.perf_counter() - started, 3)})
        if not as_json:
            typer.echo(f"depth {level:2}  {count:>20,}  {rows[-1]['seconds']:9.3f} s")
    if as_json:
        typer.echo(json.dumps(rows))
