"""franchise play: a game in the terminal, line by line."""

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from franchise.cli.choices import OptionList, Players, Seed, check_setup, drawn_seed, read_options

if TYPE_CHECKING:
    from franchise.game import Game

HELP = "a move as listed, or: moves (list them), table (show the table), undo, record, quit"


def play(
    players: Players = 4,
    seed: Seed = None,
    options: OptionList = "",
    humans: Annotated[int, typer.Option(min=0, max=5, help="people at the table; the others move at random")] = 1,
) -> None:
    """Play in the terminal. Without a terminal, or with --humans 0, watch a random game."""
    chosen = read_options(options)
    check_setup(players, chosen)
    if humans > players:
        raise typer.BadParameter(f"--humans {humans}: there are {players} seats")
    import random

    from franchise.cli.records import replay_lines
    from franchise.game import Game

    seed = drawn_seed(seed)
    chance = random.Random(seed)
    game = Game(players, seed, chosen)
    if not sys.stdin.isatty():
        humans = 0
    if humans == 0:
        while not game.over:
            game.play(chance.choice(game.legal_actions()))
        typer.echo("\n".join(replay_lines(game)))
        return
    typer.echo(f"You are {'Blue' if humans == 1 else 'the first ' + str(humans) + ' seats'}. Enter {HELP}.")
    while not game.over:
        if game.current_player >= humans:
            tell(game, game.legal_actions()[chance.randrange(len(game.legal_actions()))])
        elif not ask(game):
            typer.echo(game.to_text())
            return
    typer.echo("\n".join(replay_lines(game)[-players - 2 :]))


def tell(game: "Game", move: object) -> None:
    """Play a move and say what happened."""
    from franchise.engine.events import sentence

    for event in game.play(move):  # type: ignore[arg-type]
        typer.echo("  " + sentence(event, game.names))


def ask(game: "Game") -> bool:
    """One answer of a person; False when they leave."""
    from franchise.game import IllegalAction

    player = game.view()["players"][game.current_player]
    try:
        answer = input(f"{player['name']} (${player['cash']}, {player['influence']} IP) {game.phase}> ").strip()
    except (EOFError, KeyboardInterrupt):
        typer.echo("")
        return False
    if answer in ("quit", "exit"):
        return False
    if answer in ("", "help", "?"):
        typer.echo(f"Enter {HELP}.")
    elif answer == "moves":
        typer.echo(", ".join(map(str, game.legal_actions())))
    elif answer == "table":
        show_table(game)
    elif answer == "record":
        typer.echo(game.to_text())
    elif answer == "undo":
        if game.actions:
            typer.echo(f"  {game.undo()} is taken back.")
        else:
            typer.echo("There is no move to take back.")
    else:
        try:
            tell(game, answer)
        except IllegalAction as error:
            typer.echo(str(error))
    return True


def show_table(game: "Game") -> None:
    """The players, and the places with franchises."""
    view = game.view()
    for player in view["players"]:
        typer.echo(
            f"{player['name']:8} {player['influence']:3} IP  ${player['cash']:<3} income ${player['income']}  "
            f"{player['bonus_tiles']} bonus tiles  {player['towns']} towns  {player['supply']} in supply"
        )
    for name, place in view["locations"].items():
        if any(place["spaces"]):
            spaces = " ".join(colour or "-" for colour in place["spaces"])
            typer.echo(f"{name:15} {place['region']:12} {spaces}{'  (scored)' if place['scored'] else ''}")
