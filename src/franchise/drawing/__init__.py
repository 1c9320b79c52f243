"""The drawn board: SVG, a pure function of a game's view."""

from franchise.drawing.board import board_svg

__all__ = ["board_svg"]
