"""The names of the places, beside their discs."""

from collections.abc import Iterable
from functools import lru_cache

from franchise.drawing.cuts import Cut, Place
from franchise.drawing.markup import group, tag
from franchise.drawing.style import Style
from franchise.drawing.theme import Theme

LINE = 1.02  # line height
BASE = 0.84  # from the top of a line to its base


@lru_cache(maxsize=1024)
def name_of(place: Place, theme: Theme) -> str:
    """A place's name, with the same width in any font, so that it overlaps nothing around it."""
    label = place.label
    box, longest = label.box, max(label.lines, key=len)
    x = {"start": box.x + 1, "end": box.right - 1, "middle": box.middle.x}[label.anchor]
    return "".join(
        tag(
            "text", line, x=x, y=box.y + label.size * (BASE + LINE * i), class_="name", font_size=label.size,
            text_anchor=label.anchor, fill=theme.ink,
            textLength=box.width - 2 if line == longest else None,
            lengthAdjust="spacingAndGlyphs" if line == longest else None,
        )
        for i, line in enumerate(label.lines)
    )  # fmt: skip


def written(places: Iterable[Place], theme: Theme) -> str:
    """Some names, each with a halo."""
    return group(
        "names", *(name_of(place, theme) for place in places), pointer_events="none", aria_hidden="true",
        font_weight="bold", stroke=theme.halo, stroke_width=3.2, stroke_opacity=0.88, stroke_linejoin="round",
        paint_order="stroke",
    )  # fmt: skip


@lru_cache(maxsize=64)
def names(cut: Cut, style: Style) -> str:
    """The names of all places in play."""
    return written(cut.places.values(), style.theme)
