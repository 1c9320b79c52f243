"""Arguments that several commands share, and their reading."""

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from franchise.engine.setups import Options

OPTIONS_HELP = (
    "comma-separated: introductory, milestones, boom, expert=draft|random, regions=mixed|new, "
    "chosen=TILE+TILE+..., or mini"
)

Players = Annotated[int, typer.Option("-p", "--players", min=2, max=5, help="number of players")]
Seed = Annotated[int | None, typer.Option(min=0, max=2**62, help="seed for everything random; by default a new one")]
OptionList = Annotated[str, typer.Option("--options", help=OPTIONS_HELP)]
BotList = Annotated[
    str, typer.Option("--bots", help="one bot per seat, comma-separated, or one for all; by default random moves")
]
Json = Annotated[bool, typer.Option("--json", help="print JSON instead of text")]


def read_options(text: str) -> "Options":
    """The options of a table from their comma-separated list."""
    from franchise.engine.setups import Options, SetupError

    chosen: dict[str, object] = {}
    for word in filter(None, (word.strip() for word in text.split(","))):
        name, _, value = word.replace(":", "=").partition("=")
        name = name.casefold()
        if name in chosen or (name == "chosen" and "regions" in chosen):
            raise typer.BadParameter(f"--options names {name} twice")
        if name in ("introductory", "milestones", "boom", "mini") and not value:
            chosen[name] = True
        elif name == "expert" and value in ("", "draft", "random"):
            chosen[name] = value or "random"
        elif name == "regions" and value in ("", "mixed", "new"):
            chosen[name] = value or "mixed"
        elif name == "chosen" and value:
            chosen |= {"regions": "chosen", "chosen_tiles": value.split("+")}
        else:
            raise typer.BadParameter(f"--options does not know {word!r}; it is {OPTIONS_HELP}")
    try:
        return Options(**chosen)  # type: ignore[arg-type]
    except SetupError as error:
        raise typer.BadParameter(f"--options: {error}") from None


def check_setup(players: int, options: "Options") -> None:
    """Refuse options that do not fit together before any work is done."""
    from franchise.engine.setups import SetupError, resolve

    try:
        resolve(players, options, 0)
    except SetupError as error:
        raise typer.BadParameter(f"--options: {error}") from None


def drawn_seed(seed: int | None) -> int:
    """The given seed, or a new one that the results name."""
    import secrets

    return secrets.randbelow(2**31) if seed is None else seed


def require_libraries(command: str, extra: str, *libraries: str) -> None:
    """End the command with a one-line message if a library it needs is not installed."""
    from franchise.extras import MissingLibrary, require

    try:
        require(extra, *libraries)
    except MissingLibrary as error:
        typer.echo(f"franchise {command}: {error}", err=True)
        raise typer.Exit(1) from None
