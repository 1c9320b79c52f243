"""Flat shapes, from which faces and landscapes are made."""

from franchise.drawing.markup import tag


def fill(d: str, colour: str, **more: float | str) -> str:
    """A filled shape."""
    return tag("path", d=d, fill=colour, **more)


def stroke(d: str, colour: str, width: float, **more: float | str) -> str:
    """A line with round ends."""
    return tag("path", d=d, fill="none", stroke=colour, stroke_width=width, stroke_linecap="round", **more)


def disc(x: float, y: float, radius: float, colour: str, **more: float | str) -> str:
    return tag("circle", cx=x, cy=y, r=radius, fill=colour, **more)
