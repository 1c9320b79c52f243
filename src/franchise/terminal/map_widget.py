"""The map as a widget: shows a position, moves a cursor among its places, and says which one was clicked."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from textual import events
from textual.geometry import Size
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from franchise.drawing.geometry import GEOMETRY
from franchise.terminal.map_layout import CELL, Layout
from franchise.terminal.palette import board_of
from franchise.terminal.text_map import Marks, layout_of, lines

DIRECTIONS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}
LEAST = (60, 10)  # columns and rows below which there is no map
SIDEWAYS = 2.5  # how much more a step sideways counts than a step ahead


class MapWidget(Widget, can_focus=True):
    """The map of a table."""

    class Looked(Message):
        """The cursor has moved to another place."""

    class Chosen(Message):
        """Enter on the place under the cursor at that moment, or a click on a place or on the plate of a region."""

        def __init__(self, name: str | None = None, on_region: bool = False) -> None:
            super().__init__()
            self.name, self.on_region = name, on_region

    def __init__(self, view: Mapping[str, Any]) -> None:
        super().__init__(id="map")
        self.view = view
        self.marks = Marks(cursor=next(iter(GEOMETRY.places)))
        self.strips: list[Strip] = []

    @property
    def cursor(self) -> str:
        return self.marks.cursor or next(iter(GEOMETRY.places))

    def show(self, view: Mapping[str, Any], marks: Marks) -> None:
        """Show another position."""
        self.view, self.marks = view, marks
        self.draw()

    def look_at(self, place: str) -> None:
        """Move the cursor."""
        if place != self.marks.cursor:
            self.marks = replace(self.marks, cursor=place)
            self.draw()
            self.post_message(self.Looked())

    @property
    def arrangement(self) -> Layout:
        return layout_of(self.view, max(self.size.width, 1), max(self.size.height, 1))

    def draw(self) -> None:
        if self.size.width >= LEAST[0] and self.size.height >= LEAST[1]:
            drawn = lines(self.view, self.arrangement, self.marks, board_of(self.app.theme))
            self.strips = [Strip(row, self.size.width) for row in drawn]
            self.refresh()

    def render_line(self, y: int) -> Strip:
        return self.strips[y] if y < len(self.strips) else Strip.blank(self.size.width)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return container.height

    def on_resize(self) -> None:
        self.draw()

    # --- keys and mouse ---

    def on_key(self, event: events.Key) -> None:
        if event.key in DIRECTIONS:
            event.stop()
            self.look_at(self.neighbour(*DIRECTIONS[event.key]))
        elif event.key == "enter":
            event.stop()
            self.post_message(self.Chosen())

    def neighbour(self, right: int, down: int) -> str:
        """The nearest place in a direction; the same place if there is none."""
        places = self.arrangement.places
        column, row = places[self.cursor].middle
        best, least = self.cursor, float("inf")
        for name, box in places.items():
            across, along = box.middle[0] - column, (box.middle[1] - row) * CELL
            ahead = across * right + along * down
            aside = abs(across * down) + abs(along * right)
            if ahead > 0 and ahead >= aside / SIDEWAYS and ahead + SIDEWAYS * aside < least:
                best, least = name, ahead + SIDEWAYS * aside
        return best

    def on_click(self, event: events.Click) -> None:
        place, region = self.arrangement.place_at(event.x, event.y), self.arrangement.region_at(event.x, event.y)
        if place is not None:
            self.look_at(place)
            self.post_message(self.Chosen(place))
        elif region is not None:
            self.post_message(self.Chosen(region, on_region=True))

    def on_mouse_move(self, event: events.MouseMove) -> None:
        place = self.arrangement.place_at(event.x, event.y)
        if place is not None:
            self.look_at(place)
