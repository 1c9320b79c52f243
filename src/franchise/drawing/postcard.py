"""A postcard of a finished game: the last map in a white frame, and the result in a line. For sharing."""

from franchise.drawing.board import Viewed, board_svg
from franchise.drawing.board_words import Words
from franchise.drawing.markup import tag, text
from franchise.drawing.theme import THEMES

WIDTH, HEIGHT = 1200.0, 800.0
MARGIN = 30.0
FOOT = 118.0  # the strip below the map
PAPER, INK, FAINT, SIGN = "#fffdf6", "#22262b", "#5d564a", "#8f1a13"
DISPLAY = "Righteous,'Gill Sans','Trebuchet MS','Liberation Sans','DejaVu Sans',sans-serif"
SANS = "'Gill Sans','Trebuchet MS','Liberation Sans','DejaVu Sans',sans-serif"
LONGEST = 64  # characters of a line, so that it fits


def postcard_svg(game: Viewed, result: str, greeting: str, players: str, words: Words | None = None) -> str:
    """The picture; the sender provides the three lines, in their language."""
    board = board_svg(game, panels=False, words=words)
    frame = {"x": MARGIN, "y": MARGIN, "width": WIDTH - 2 * MARGIN, "height": HEIGHT - MARGIN - FOOT}
    size = " ".join(f'{name}="{value}"' for name, value in frame.items())
    nested = board.replace("<svg ", f'<svg {size} preserveAspectRatio="xMidYMid meet" ', 1)  # the whole map, on water
    foot = HEIGHT - FOOT
    return tag(
        "svg",
        tag("rect", width=WIDTH, height=HEIGHT, fill=PAPER),
        tag("rect", **frame, fill=THEMES["classic"].water),
        nested,
        line(result, foot + 54, 40, SIGN, x=MARGIN, text_anchor="start", font_family=DISPLAY),
        line(players, foot + 92, 22, FAINT, x=MARGIN, text_anchor="start", font_family=SANS),
        line(greeting, foot + 54, 26, INK, x=WIDTH - MARGIN, text_anchor="end", font_family=DISPLAY),
        line("Franchise", foot + 92, 22, FAINT, x=WIDTH - MARGIN, text_anchor="end", font_family=DISPLAY),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {WIDTH:.0f} {HEIGHT:.0f}",
    )


def line(words: str, y: float, size: float, fill: str, *, x: float, text_anchor: str, font_family: str) -> str:
    shown = words if len(words) <= LONGEST else words[: LONGEST - 1] + "…"
    return text(shown, x, y, size, fill, text_anchor=text_anchor, font_family=font_family)
