"""A game as moving pictures: a GIF, or an MP4 if ffmpeg is installed. Needs the extra `pictures`."""

from collections.abc import Callable, Iterator
from io import BytesIO
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from franchise.drawing.board import drawn, framed, ground, movable, named_style
from franchise.drawing.board_words import Words
from franchise.drawing.cuts import cut_of
from franchise.drawing.land import defined
from franchise.drawing.page_colours import variables
from franchise.drawing.picture import PictureError, png
from franchise.drawing.theme import NONE
from franchise.game import Game

if TYPE_CHECKING:
    from PIL.Image import Image

WIDTH = 960  # pixels
SECONDS = 0.7  # for a position
REST_S = 4.0  # for the last one
FPS = 10  # of a video: a position is shown for several of its frames
COLOURS = 256

Tell = Callable[[], None]  # called for every picture drawn


class Film:
    """The positions of a game as pictures, drawn when needed."""

    def __init__(
        self,
        game: Game,
        *,
        theme: str = "classic",
        words: Words | None = None,
        width: int = WIDTH,
        seconds: float = SECONDS,
        tell: Tell = lambda: None,
    ) -> None:
        self.game = game
        self.style = named_style(theme, words)
        self.cut = cut_of(game.view(), "L")
        self.width = width
        self.moments = moments(game)
        self.seconds = [seconds] * (len(self.moments) - 1) + [max(REST_S, seconds)]
        self.tell = tell

    def pictures(self) -> Iterator["Image"]:
        """The positions in turn. The ground, most of the work, is drawn again only when a region is scored."""
        below, lying = None, ""
        for moment in self.moments:
            view = self.game.at(moment).view()
            flat = ground(view, self.cut, self.style)
            if below is None or flat != lying:
                below, lying = self.pixels(framed(self.cut, self.style, True, flat)), flat
            above = defined(self.style) + movable(view, self.cut, self.style, True)
            frame = below.copy()
            frame.alpha_composite(self.pixels(framed(self.cut, self.style, True, above)))
            self.tell()
            yield frame.convert("RGB")

    def pixels(self, svg: str) -> "Image":
        from PIL import Image

        with Image.open(BytesIO(png(svg, self.width))) as picture:
            return picture.convert("RGBA")

    def write_gif(self, path: Path) -> None:
        """One palette for all pictures, so that only what changes between them is stored."""
        from PIL import Image

        palette = self.palette()
        flat = (frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in self.pictures())
        times = [round(1000 * seconds) for seconds in self.seconds]
        next(flat).save(path, "GIF", save_all=True, append_images=flat, duration=times, loop=0)

    def palette(self) -> "Image":
        """The colours of the theme, which must be exact, and the most frequent mixtures of the last picture."""
        from PIL import Image

        own = sorted(set(variables(self.style.theme).values()) - {NONE})
        view = self.game.at(self.moments[-1]).view()
        last = self.pixels(drawn(view, self.cut, self.style, True)).convert("RGB")
        mixed = last.quantize(COLOURS - len(own)).getpalette() or []
        palette = Image.new("P", (1, 1))
        palette.putpalette([*(part for colour in own for part in bytes.fromhex(colour[1:])), *mixed])
        return palette

    def write_mp4(self, path: Path) -> None:
        """H.264, which every player supports; it needs an even width and height."""
        import imageio_ffmpeg

        pictures = self.pictures()
        first = next(pictures)
        size = (first.width // 2 * 2, first.height // 2 * 2)
        video = imageio_ffmpeg.write_frames(
            str(path), size, fps=FPS, codec="libx264", macro_block_size=2, output_params=["-f", "mp4"],
            ffmpeg_log_level="error",
        )  # fmt: skip
        try:
            next(video)
            for picture, seconds in zip(chain([first], pictures), self.seconds, strict=True):
                frame = picture.crop((0, 0, *size)).tobytes()
                for _ in range(max(1, round(seconds * FPS))):
                    video.send(frame)
        except OSError as error:
            raise PictureError(f"ffmpeg stopped: {error}".partition("\n")[0]) from None
        finally:
            video.close()


def moments(game: Game) -> list[int]:
    """The numbers of moves after which something new is on the board."""
    quiet = {"done", "stay"}
    seen = [number for number, action in enumerate(game.actions, start=1) if str(action) not in quiet]
    return [0, *seen]


def require_ffmpeg() -> None:
    """PictureError if no video can be made."""
    import imageio_ffmpeg

    try:
        imageio_ffmpeg.get_ffmpeg_exe()
    except RuntimeError:
        raise PictureError("an MP4 needs ffmpeg, which is not installed; a GIF does not") from None
