"""franchise draw: a record as a picture, or as a film."""

import signal
import sys
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from franchise.cli.arguments import require_libraries
from franchise.cli.records import RecordFile, To, read_game

if TYPE_CHECKING:
    from franchise.drawing.board_words import Words
    from franchise.game import Game
    from franchise.wording.language import Language

LIBRARIES = {
    ".svg": (),
    ".png": ("resvg_py",),
    ".gif": ("resvg_py", "PIL"),
    ".mp4": ("resvg_py", "PIL", "imageio_ffmpeg"),
}
FILMS = (".gif", ".mp4")


def draw(
    file: RecordFile,
    out: Annotated[Path, typer.Option("-o", "--out", help="file to write: .svg, .png, .gif or .mp4")],
    to: To = None,
    theme: Annotated[str, typer.Option(help="classic, dark, high-contrast or print")] = "classic",
    language: Annotated[str, typer.Option(help="language of the board: en, de or fr")] = "en",
    width: Annotated[
        int | None,
        typer.Option(min=200, max=8000, help="in pixels; 1600 for a .png, 960 for a film", show_default=False),
    ] = None,
    seconds: Annotated[float, typer.Option(min=0.1, max=60, help="how long a film shows a position")] = 0.7,
) -> None:
    """Draw a position of a record, or the whole game as a film."""
    ending = out.suffix.lower()
    if ending not in LIBRARIES:
        raise typer.BadParameter(f"-o {out}: the name must end with one of {', '.join(LIBRARIES)}")
    require_libraries("draw", "pictures", *LIBRARIES[ending])
    from franchise.drawing.picture import PictureError
    from franchise.drawing.theme import THEMES

    chosen("--theme", theme, THEMES)
    spoken = spoken_in(language)
    game = read_game(file, to)
    words = spoken.words if spoken else None
    if spoken:  # unnamed players are named by their colour
        game.names = tuple(spoken.player(seat, game) for seat in range(game.players))

    try:
        with written(out) as path:
            if ending in FILMS:
                shoot(game, path, ending, theme, words, width, seconds)
            else:
                paint(game, path, ending, theme, words, width)
    except PictureError as error:
        stop(str(error))
    except OSError as error:
        stop(f"{out}: {error.strerror or error}")


def stop(message: str) -> None:
    typer.echo(f"franchise draw: {message}", err=True)
    raise typer.Exit(1)


def chosen(option: str, value: str, choices: Collection[str]) -> None:
    if value not in choices:
        raise typer.BadParameter(f"{option} {value}: choose one of {', '.join(choices)}")


def spoken_in(code: str) -> "Language | None":
    """The words on the board in a language; None for English, the default."""
    if code == "en":
        return None
    from franchise.wording.language import LANGUAGES, language

    chosen("--language", code, LANGUAGES)
    require_libraries("draw", "terminal", "babel")
    return language(code)


@contextmanager
def written(out: Path) -> Iterator[Path]:
    """A temporary file that replaces the target when it is complete, and is deleted otherwise."""
    part = out.with_name(f".{out.name}.part")
    before = signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    try:
        yield part
        part.replace(out)
    finally:
        part.unlink(missing_ok=True)
        signal.signal(signal.SIGTERM, before)


def paint(game: "Game", path: Path, ending: str, theme: str, words: "Words | None", width: int | None) -> None:
    """One position."""
    from franchise.drawing import board_svg
    from franchise.drawing.picture import WIDTH, png

    svg = board_svg(game, theme=theme, words=words)
    path.write_bytes(png(svg, width or WIDTH) if ending == ".png" else svg.encode())


def shoot(
    game: "Game", path: Path, ending: str, theme: str, words: "Words | None", width: int | None, seconds: float
) -> None:
    """The whole game, with a progress bar if there is a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from franchise.drawing.film import WIDTH, Film, require_ffmpeg

    if ending == ".mp4":
        require_ffmpeg()
    console = Console(stderr=True)
    columns = (TextColumn("pictures"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        bar = progress.add_task("pictures")
        film = Film(
            game, theme=theme, words=words, width=width or WIDTH, seconds=seconds, tell=lambda: progress.advance(bar)
        )
        progress.update(bar, total=len(film.moments))
        film.write_mp4(path) if ending == ".mp4" else film.write_gif(path)
