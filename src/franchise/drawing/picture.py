"""The drawn board as pixels. Needs the extra `pictures`; no browser."""

from functools import cache
from importlib.resources import as_file, files

WIDTH = 1600  # pixels
NARROWEST, WIDEST = 200, 8000

LETTER = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">{}</svg>'


class PictureError(Exception):
    """A picture that cannot be made here; the message says what is missing."""


def png(svg: str, width: int = WIDTH) -> bytes:
    """An SVG picture as a PNG file of that width."""
    import resvg_py

    if not NARROWEST <= width <= WIDEST:
        raise ValueError(f"a picture is {NARROWEST} to {WIDEST} pixels wide, not {width}")
    if not can_write():
        raise PictureError("no font is installed; install one, for example DejaVu Sans")
    with as_file(files("franchise.drawing").joinpath("righteous.ttf")) as font:  # of prices, values and signs
        return bytes(resvg_py.svg_to_bytes(svg_string=svg, width=width, font_files=[str(font)]))


@cache
def can_write() -> bool:
    """Whether letters appear: without any font they are silently left out."""
    import resvg_py

    letter = '<text y="9" font-family="sans-serif">F</text>'
    written, blank = (bytes(resvg_py.svg_to_bytes(svg_string=LETTER.format(text))) for text in (letter, ""))
    return written != blank
