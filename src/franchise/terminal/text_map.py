"""The map as text: a pure function of a game's view, a layout and what is marked.

A place is its name and its spaces; a space is the shape of the player who holds it, on the player's colour, so
either is enough. Land has the tint of its region, links are thin lines in the colour of their price.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from rich.segment import Segment
from rich.style import Style

from franchise.drawing.geometry import GEOMETRY, Curve, Point
from franchise.drawing.theme import SHAPES, Theme, blend
from franchise.facts import BOARD
from franchise.terminal.map_layout import EAST, NORTH, SOUTH, WEST, LabelCells, Layout, layout, short

SOLID = {"circle": "●", "square": "▪", "triangle": "▲", "diamond": "◆", "pentagon": "⬟"}
HOLLOW = {"circle": "○", "square": "▫", "triangle": "△", "diamond": "◇", "pentagon": "⬠"}
EMPTY, OUT_OF_PLAY, SCORED, BOOM, NO_TILE = "·", "×", "✓", "!", "?"
CHOOSE, MOVED = "»", "›"  # before a name: can be chosen, if it has no price; part of the last move
DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))  # of a Braille letter, by row and column
BRAILLE = 0x2800
FAINT = 0.55  # how far links away from the cursor fade into the land

Cell = tuple[str, Style]


def piece(colour: str) -> str:
    """The shape of a player."""
    return SOLID[SHAPES[colour]]


def marker(colour: str) -> str:
    """The shape of a player where a franchise is about to open."""
    return HOLLOW[SHAPES[colour]]


@lru_cache(maxsize=4096)
def style(fore: str, back: str, bold: bool = False) -> Style:
    return Style(color=fore, bgcolor=back, bold=bold)


@dataclass(frozen=True)
class Marks:
    """What is highlighted on the map."""

    cursor: str | None = None  # the place under the cursor
    targets: Mapping[str, str] = field(default_factory=dict)  # places that can be chosen: the sign before the name
    regions: Mapping[str, str] = field(default_factory=dict)  # the same for regions
    touched: Collection[str] = ()  # places the last move was about
    money: str = "${amount}"  # how amounts are written


def layout_of(view: Mapping[str, Any], width: int, height: int) -> Layout:
    """The layout for a position: while city tiles are drafted, there is room for the printed ones."""
    rows = view["locations"]
    return layout(width, height, tuple(max(rows[place.name]["size"], 1) for place in BOARD.locations))


def lines(view: Mapping[str, Any], made: Layout, marks: Marks, theme: Theme) -> list[list[Segment]]:
    """The map, row by row."""
    return [joined(row) for row in MapDrawing(view, made, marks, theme).drawn()]


def joined(row: list[Cell]) -> list[Segment]:
    """Cells of one style as one segment."""
    segments: list[Segment] = []
    for letter, look in row:
        if segments and segments[-1].style is look:
            segments[-1] = Segment(segments[-1].text + letter, look)
        else:
            segments.append(Segment(letter, look))
    return segments


class MapDrawing:
    """A map being drawn."""

    def __init__(self, view: Mapping[str, Any], made: Layout, marks: Marks, theme: Theme) -> None:
        self.view, self.layout, self.marks, self.theme = view, made, marks, theme
        land = grounds(made.width, made.height)
        self.blocked = {name for name, region in view["regions"].items() if region["blocked"]}
        tints = {name: theme.idle if name in self.blocked else theme.regions[name].land for name in theme.regions}
        self.ground = [[tints[name] if name else theme.water for name in row] for row in land]
        self.cells: list[list[Cell]] = [[(" ", style(theme.ink, back)) for back in row] for row in self.ground]

    def drawn(self) -> list[list[Cell]]:
        if self.layout.look.names:  # on a small map there is no room for them
            self.links([curve for curve in GEOMETRY.links if self.marks.cursor not in curve.ends], FAINT)
        self.links([curve for curve in GEOMETRY.links if self.marks.cursor in curve.ends], 0.0)
        for name, box in self.layout.plates.items():
            self.plate(name, box)
        for name, box in self.layout.places.items():
            self.place(name, box)
        self.prices()
        return self.cells

    def write(self, column: int, row: int, text: str, look: Style) -> int:
        """Write text from a cell to the edge of the map at most; returns the next column."""
        for letter in text:
            if 0 <= column < self.layout.width and 0 <= row < self.layout.height:
                self.cells[row][column] = (letter, look)
            column += 1
        return column

    # --- links ---

    def links(self, curves: list[Curve], fade: float) -> None:
        """Links as dots, eight to a cell; where two cross, the later one gives the colour."""
        dots: dict[tuple[int, int], tuple[int, int]] = {}
        for curve in curves:
            for column, row in walk(self.layout, curve):
                cell = int(column), int(row)
                if 0 <= cell[0] < self.layout.width and 0 <= cell[1] < self.layout.height:
                    dot = DOTS[int(row * 4) % 4][int(column * 2) % 2]
                    dots[cell] = dots.get(cell, (0, 0))[0] | dot, curve.price
        for (column, row), (pattern, price) in dots.items():
            back = self.ground[row][column]
            colour = blend(self.theme.roads[price].colour, back, fade)
            self.cells[row][column] = (chr(BRAILLE + pattern), style(colour, back, fade == 0.0))

    def prices(self) -> None:
        """The prices of the links of the place under the cursor."""
        taken = self.layout.taken
        for curve in GEOMETRY.links:
            if self.marks.cursor in curve.ends:
                way = ((int(column), int(row)) for column, row in walk(self.layout, curve))
                free = [cell for cell in way if cell not in taken]
                if free:
                    ink = style(self.theme.paper, self.theme.roads[curve.price].colour, True)
                    self.write(*free[len(free) // 2], str(curve.price), ink)

    # --- regions ---

    def plate(self, name: str, box: LabelCells) -> None:
        """A region: its name, what it is worth, and who stands there."""
        region = self.view["regions"][name]
        ink = style(self.theme.plate_ink, self.theme.regions[name].strong, True)
        if region["blocked"]:
            ink = style(self.theme.idle_ink, self.theme.idle)
        rows = [self.marks.regions.get(name, "") + name, worth(region, self.marks.money)]
        for number in range(box.height):
            text = rows[number] if number < len(rows) else ""
            self.write(box.left, box.top + number, text[: box.width].ljust(box.width), ink)
        if box.height > 2 and not region["blocked"]:
            column = box.left
            for colour, count in region["franchises"].items():
                if count and column + 2 <= box.left + box.width:
                    column = self.write(column, box.top + 2, piece(colour), self.piece_style(colour))
                    column = self.write(column, box.top + 2, f"{count}", ink)

    # --- places ---

    def piece_style(self, colour: str) -> Style:
        look = self.theme.pieces[colour]
        return style(look.ink, look.fill, True)

    def place(self, name: str, box: LabelCells) -> None:
        """A place: a sign where it can be chosen, its name, its spaces."""
        row = self.view["locations"][name]
        theme, marks = self.theme, self.marks
        ground = theme.idle if row["blocked"] else theme.regions[row["region"]].land
        ink = style(theme.idle_ink if row["blocked"] else theme.ink, ground, name in marks.touched)
        if name in marks.targets:
            ink = style(theme.glow, ground, True)
        if name == marks.cursor:
            ink = style(theme.paper, theme.ink, True)
        for number in range(box.height):
            self.write(box.left, box.top + number, " " * box.width, style(theme.ink, ground))
        written = name if self.layout.look.names else short(name)
        sign = marks.targets.get(name, MOVED if name in marks.touched else " ")
        badge = (
            style(theme.shield_ink, theme.shield, True) if name in marks.targets else style(theme.glow, ground, True)
        )
        column = self.write(box.left, box.top, sign[:1] or CHOOSE, badge)
        column = self.write(column, box.top, written, ink)
        if self.view.get("boom") == name:
            column = self.write(column, box.top, BOOM, style(theme.boom_ink, theme.boom, True))
        below = self.layout.look.rows == 2
        start = box.left + 1 if below else box.left + 2 + len(written)
        for letter, look in self.spaces(name, row, ground):
            start = self.write(start, box.top + below, letter, look)

    def spaces(self, name: str, row: Mapping[str, Any], ground: str) -> list[Cell]:
        """The spaces of a place, in the order in which they are filled."""
        theme = self.theme
        plain = style(theme.idle_ink if row["blocked"] else theme.ink, ground)
        if row["blocked"]:
            return [(OUT_OF_PLAY, plain)]
        if not row["size"]:
            return [(NO_TILE, plain)]
        filled = [(piece(colour), self.piece_style(colour)) for colour in row["spaces"] if colour]
        if row["scored"]:
            return [*filled, (SCORED, plain)][: row["size"]] or [(SCORED, plain)]
        active = self.view["players"][self.view["current_player"]]["colour"]
        coming = (name in self.view["markers"]) + self.view["centre"].get(name, 0)
        filled += [(marker(active), self.piece_style(active))] * min(coming, row["size"] - len(filled))
        empty = style(theme.ink, theme.space)
        return filled + [(EMPTY, empty)] * (row["size"] - len(filled))


def worth(region: Mapping[str, Any], money: str) -> str:
    """What a region tile brings, in few letters."""
    if region["blocked"]:
        return OUT_OF_PLAY
    if not region["values"]:
        return NO_TILE
    signed = region["kind"] == "count"
    values = "/".join(f"{value:+d}" if signed and value else str(value) for value in region["values"]).replace("-", "−")
    if region["kind"] == "dollars":
        values = money.format(amount=values).replace("\xa0", "")  # there is no room for a space
    return f"{values} {SCORED}" if region["scored"] else values


@lru_cache(maxsize=16)
def grounds(width: int, height: int) -> tuple[tuple[str | None, ...], ...]:
    """The region of every cell; None is water."""
    rows: list[list[str | None]] = [[None] * width for _ in range(height)]
    for name, outline in GEOMETRY.regions.items():
        for ring in outline.rings:
            corners = list(GEOMETRY.ring(ring))
            for row in range(height):
                level = NORTH + (row + 0.5) / height * (SOUTH - NORTH)
                cuts = crossings(corners, level)
                for start, end in zip(cuts[::2], cuts[1::2], strict=True):
                    first = round((start - WEST) / (EAST - WEST) * width)
                    last = round((end - WEST) / (EAST - WEST) * width)
                    for column in range(max(first, 0), min(last, width)):
                        rows[row][column] = name
    return tuple(tuple(row) for row in rows)


def crossings(corners: list[Point], level: float) -> list[float]:
    """Where a ring crosses a parallel, from west to east."""
    crossed = []
    for a, b in zip(corners, corners[1:] + corners[:1], strict=True):
        if (a.y <= level) != (b.y <= level):
            crossed.append(a.x + (level - a.y) / (b.y - a.y) * (b.x - a.x))
    return sorted(crossed)


@lru_cache(maxsize=2048)
def walk(made: Layout, curve: Curve) -> tuple[tuple[float, float], ...]:
    """The path of a link between two labels, which may be beside their places."""
    a, b = (made.places[end] for end in curve.ends)
    steps = 4 * (abs(a.left - b.left) + 2 * abs(a.top - b.top)) + 8
    start, end = made.cell(curve.start), made.cell(curve.end)
    way = []
    for step in range(steps + 1):
        t = step / steps
        column, row = made.cell(curve.at(t))
        column += (1 - t) * (a.middle[0] - start[0]) + t * (b.middle[0] - end[0])
        row += (1 - t) * (a.middle[1] - start[1]) + t * (b.middle[1] - end[1])
        way.append((column, row))
    return tuple(way)
