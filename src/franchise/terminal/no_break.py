"""No-break spaces, as in French before a colon, where lines are wrapped by a library that would break at them."""

from rich.segment import Segment
from rich.text import Text
from textual.color import Color
from textual.filter import LineFilter
from textual.visual import VisualType
from textual.widgets import Static

SPACE = "\u00a0"
HELD = "\ue000"  # in its place while lines are wrapped: a character for private use, one cell wide


def without_breaks(text: Text) -> Text:
    """A copy of the text that is not wrapped at no-break spaces; HeldSpaces shows them."""
    copy = text.copy()
    copy.plain = text.plain.replace(SPACE, HELD)
    return copy


class Panel(Static):
    """A text on the screen."""

    def update(self, content: VisualType = "", *, layout: bool = True) -> None:
        super().update(without_breaks(content) if isinstance(content, Text) else content, layout=layout)


class HeldSpaces(LineFilter):
    """Shows held spaces as what they are, when lines are complete."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        return [
            segment._replace(text=segment.text.replace(HELD, SPACE)) if HELD in segment.text else segment
            for segment in segments
        ]
