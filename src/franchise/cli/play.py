"""franchise play: a game in the terminal, line by line."""

import shutil
import sys
import textwrap
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated

import typer

from franchise.cli.choices import OptionList, Players, Seed, check_setup, drawn_seed, read_options

if TYPE_CHECKING:
    from franchise.engine.actions import Action
    from franchise.game import Game

HELP = """\
Enter a move as it is listed (any case; a price left out means the cheapest), or
  moves   list every legal move        table   show players and places
  undo    take your last move back     record  print the game as text
  help    show this                    quit    leave; prints the record
A turn: take income; expand to one new place and pay the link to it, then done;
grow in your cities for $1 each, then end. More than half of a city, or the last
space in it, scores it; a region scores when its towns are taken and its cities
scored. docs/rules.md has the rules."""
ADVICE = {  # by phase, what a newcomer is asked for
    "draft": "put one tile on the board",
    "start": "put your first franchise on a free town",
    "boom": "put the boom marker beside a city",
    "expand": "expand to a new place (the number is the price), then done",
    "grow": "grow in your cities for $1 each, then end",
}
SHOWN_MOVES = 30  # listed without being asked for
UNBROKEN = "\N{NO-BREAK SPACE}"  # within a move, so that it stays on one line


def play(
    players: Players = 4,
    seed: Seed = None,
    options: OptionList = "",
    humans: Annotated[int, typer.Option(min=0, max=5, help="people at the table; bots take the other seats")] = 1,
    against: Annotated[str, typer.Option(help="the bot in those seats, see franchise bots")] = "regular",
) -> None:
    """Play in the terminal. Without a terminal, or with --humans 0, watch a game of bots."""
    chosen = read_options(options)
    check_setup(players, chosen)
    if humans > players:
        raise typer.BadParameter(f"--humans {humans}: there are {players} seats")
    from franchise.bots import BotError, make
    from franchise.cli.records import replay_lines
    from franchise.game import Game

    seed = drawn_seed(seed)
    try:
        bots = [make(against, seed=seed + seat) for seat in range(players)]
    except BotError as error:
        raise typer.BadParameter(f"--against: {error}") from None
    game = Game(players, seed, chosen)
    if not sys.stdin.isatty():
        humans = 0
    if humans == 0:
        while not game.over:
            game.play(bots[game.current_player].choose(game))
        typer.echo("\n".join(replay_lines(game)))
        return
    with suppress(ImportError):
        import readline  # noqa: F401 - arrow keys and history while typing
    typer.echo(f"You are {'Blue' if humans == 1 else f'the first {humans} seats'}.\n{HELP}")
    advised = -1  # after how many moves the legal ones were listed
    while not game.over:
        if game.current_player >= humans:
            tell(game, bots[game.current_player].choose(game))
            continue
        if advised != len(game.actions):
            advised = len(game.actions)
            advise(game)
        if not ask(game, humans):
            typer.echo(game.to_text())
            return
    typer.echo("\n".join(replay_lines(game)[-players - 2 :]))


def tell(game: "Game", move: "Action | str") -> None:
    """Play a move and say what happened."""
    from franchise.engine.events import sentence

    for event in game.play(move):
        typer.echo("  " + sentence(event, game.names))


def advise(game: "Game") -> None:
    """What the player to move can do."""
    from franchise.engine.events import player_name

    typer.echo(f"\n{player_name(game.current_player, game.names)}, {ADVICE[game.phase]}:")
    show_moves(game, SHOWN_MOVES)


def show_moves(game: "Game", number: int) -> None:
    """The legal moves, up to a number."""
    moves = [str(action).replace(" ", UNBROKEN) for action in game.legal_actions()]
    more = f" and {len(moves) - number} more: enter moves" if len(moves) > number else ""
    show(", ".join(moves[:number]) + more)


def show(text: str) -> None:
    """Text in lines that fit the terminal."""
    width = max(40, shutil.get_terminal_size().columns - 1)
    lines = textwrap.fill(text, width, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False)
    typer.echo(lines.replace(UNBROKEN, " "))


def ask(game: "Game", humans: int) -> bool:
    """One answer of a person; False when they leave."""
    from franchise.game import IllegalAction

    player = game.view()["players"][game.current_player]
    try:
        answer = input(f"{player['name']} (${player['cash']}, {player['influence']} IP) {game.phase}> ").strip()
    except (EOFError, KeyboardInterrupt):
        typer.echo("")
        return False
    command = answer.casefold()
    if command in ("quit", "exit"):
        return False
    if command in ("", "help", "?"):
        typer.echo(HELP)
    elif command == "moves":
        show_moves(game, len(game.legal_actions()))
    elif command == "table":
        show_table(game)
    elif command == "record":
        typer.echo(game.to_text())
    elif command == "undo":
        take_back(game, humans)
    else:
        try:
            tell(game, answer)
        except IllegalAction as error:
            show(str(error))
    return True


def take_back(game: "Game", humans: int) -> None:
    """Undo the last move of a person, and those of the bots after it."""
    before = game.copy()
    while before.actions:
        move = before.undo()
        if before.current_player < humans:
            while game.actions != before.actions:
                game.undo()
            typer.echo(f"  {move} is taken back.")
            return
    typer.echo("  There is no move of yours to take back.")


def show_table(game: "Game") -> None:
    """The players, and the places with franchises."""
    view = game.view()
    for player in view["players"]:
        typer.echo(
            f"{player['name']:8} influence {player['influence']:<3} cash ${player['cash']:<3} "
            f"income ${player['income']:<2} bonus tiles {player['bonus_tiles']}  towns {player['towns']:<2} "
            f"supply {player['supply']}"
        )
    for name, place in view["locations"].items():
        if any(place["spaces"]):
            spaces = " ".join(colour or "-" for colour in place["spaces"])
            typer.echo(f"{name:15} {place['region']:12} {spaces}{'  (scored)' if place['scored'] else ''}")
    typer.echo(f"Region track: {', '.join(view['track']) or 'empty'}")
