"""The colours of the full screen: those of the drawn board, light and dark."""

import os

from textual.theme import Theme as ScreenTheme

from franchise.drawing.theme import CLASSIC, DARK, Theme, blend

BOARDS = {"light": CLASSIC, "dark": DARK}


def screen_theme(name: str) -> ScreenTheme:
    """A theme of textual's from one of the board's."""
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
    """What fits the terminal, where it says so (COLORFGBG); dark otherwise."""
    ground = os.environ.get("COLORFGBG", "").rpartition(";")[2]
    return "light" if ground in ("7", "15") else "dark"
