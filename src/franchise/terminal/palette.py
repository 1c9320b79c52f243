"""The colours of the full screen: those of the drawn board, light and dark; the nearest of 256, and a few of 16."""

import os
from collections.abc import Callable
from functools import cache

from rich.color import Color, ColorType
from rich.segment import Segment
from rich.style import Style
from textual.color import Color as ScreenColor
from textual.filter import LineFilter
from textual.theme import Theme as ScreenTheme

from franchise.drawing.theme import CLASSIC, DARK, Theme, blend

BOARDS = {"light": CLASSIC, "dark": DARK}
PIECES_16 = {"blue": 12, "red": 9, "orange": 11, "black": 0, "beige": 15}  # of the 16 colours, which have no orange


def screen_theme(name: str) -> ScreenTheme:
    """A Textual theme from one of the board's."""
    board = BOARDS[name]
    return ScreenTheme(
        name=f"franchise-{name}",
        primary=board.active,
        secondary=board.hub,
        accent=board.glow,
        warning=board.red_zone,
        error=board.red_zone,
        success=board.roads[0].colour,
        foreground=board.ink,
        background=board.paper,
        surface=board.paper,
        panel=blend(board.paper, board.ink, 0.1),
        dark=name == "dark",
    )


def board_of(theme: str) -> Theme:
    """The board's colours for a theme of the screen."""
    return BOARDS[theme.removeprefix("franchise-")]


def terminal_theme() -> str:
    """The theme that fits the terminal if COLORFGBG is set, else the dark one."""
    ground = os.environ.get("COLORFGBG", "").rpartition(";")[2]
    return "light" if ground in ("7", "15") else "dark"


@cache
def nearest_256(colour: Color) -> Color:
    """The most similar of the 256 colours, without the first 16, which each terminal defines itself."""
    red, green, blue = colour.get_truecolor()

    def distance(number: int) -> float:
        other = Color.from_ansi(number).get_truecolor()
        mean = (red + other.red) / 2  # the eye is more sensitive to green, and in bright colours to red
        return (
            (2 + mean / 256) * (red - other.red) ** 2
            + 4 * (green - other.green) ** 2
            + (2 + (255 - mean) / 256) * (blue - other.blue) ** 2
        )

    return Color.from_ansi(min(range(16, 256), key=distance))


@cache
def piece_16(colour: Color) -> Color:
    """The colour of a player's pieces among 16, where red and orange have the same nearest one; others as they are."""
    for board in BOARDS.values():
        for name, piece in board.pieces.items():
            if colour.get_truecolor() == Color.parse(piece.fill).get_truecolor():
                return Color.from_ansi(PIECES_16[name])
    return colour


class Palette(LineFilter):
    """Replaces colours by those of a terminal that has few."""

    def __init__(self, replaced: Callable[[Color], Color]) -> None:
        super().__init__()
        self.replaced = replaced
        self.styles: dict[Style, Style] = {}  # as they are shown

    def apply(self, segments: list[Segment], background: ScreenColor) -> list[Segment]:
        return [Segment(text, self.shown(style) if style else style, control) for text, style, control in segments]

    def shown(self, style: Style) -> Style:
        """The style in the colours of the terminal."""
        if style not in self.styles:
            colours = {
                name: self.replaced(colour)
                for name, colour in (("color", style.color), ("bgcolor", style.bgcolor))
                if colour is not None and colour.type is ColorType.TRUECOLOR
            }
            self.styles[style] = style + Style(**colours)  # type: ignore[arg-type]
        return self.styles[style]


PALETTES = {"256": Palette(nearest_256), "standard": Palette(piece_16), "windows": Palette(piece_16)}
