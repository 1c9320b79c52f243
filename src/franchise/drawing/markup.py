"""SVG as text: every value is escaped here and nowhere else."""

import re
from collections.abc import Iterable
from functools import cache, lru_cache
from xml.sax.saxutils import escape, quoteattr

from franchise.drawing.geometry import Box
from franchise.drawing.theme import NONE, Theme

Value = str | float | None

HARMLESS = re.compile(r"[\w #.,:()'-]*", re.ASCII)  # most attributes: nothing to escape
# What XML 1.0 cannot hold, not even escaped.
FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@lru_cache(maxsize=8192)  # the same numbers occur in every picture
def number(value: float) -> str:
    """Two decimals at most, no trailing zeros."""
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


def content(text: str) -> str:
    """Text between tags."""
    return escape(FORBIDDEN.sub("\ufffd", text))


@lru_cache(maxsize=8192)
def quoted(value: str | float) -> str:
    """The value of an attribute."""
    if not isinstance(value, str):
        return f'"{number(value)}"'
    return f'"{value}"' if HARMLESS.fullmatch(value) else quoteattr(FORBIDDEN.sub("\ufffd", value))


@cache
def spelled(key: str) -> str:
    """A keyword as the name of an attribute."""
    return key.rstrip("_").replace("_", "-")


def tag(name: str, *children: str, **attributes: Value) -> str:
    """An element; `class_` is class, `data_place` is data-place, None leaves an attribute out."""
    written = "".join([f" {spelled(key)}={quoted(value)}" for key, value in attributes.items() if value is not None])
    return f"<{name}{written}>{''.join(children)}</{name}>" if children else f"<{name}{written}/>"


def group(class_: str, *children: str, **attributes: Value) -> str:
    return tag("g", *children, class_=class_, **attributes)


@cache
def slug(name: str) -> str:
    """A name as part of an id: st-louis."""
    return name.lower().replace(".", "").replace(" ", "-").replace("_", "-")


def title(text: str) -> str:
    """What a browser shows on hovering and a screen reader says."""
    return tag("title", content(text))


def text(words: str, x: float, y: float, size: float, fill: str, **attributes: Value) -> str:
    """One line of text, centred on x by default."""
    attributes = {"text_anchor": "middle", **attributes}
    return tag("text", content(words), x=x, y=y, font_size=size, fill=fill, **attributes)


def shadow(box: Box, radius: float, theme: Theme, below: float = 2.4) -> str:
    """The shadow of a sign on the ground."""
    if theme.shadow == NONE:
        return ""
    return tag(
        "rect", x=box.x, y=box.y + below, width=box.width, height=box.height, rx=radius, fill=theme.shadow,
        opacity=0.22,
    )  # fmt: skip


def board_sign(box: Box, theme: Theme) -> str:
    """A sign with round corners, to write on."""
    return shadow(box, 10.0, theme) + tag(
        "rect", x=box.x, y=box.y, width=box.width, height=box.height, rx=10.0, fill=theme.paper, stroke=theme.rule,
        stroke_width=1.4,
    )  # fmt: skip


def path(points: Iterable[tuple[float, float]], closed: bool = True) -> str:
    """The `d` of straight lines."""
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points) + ("Z" if closed else "")
