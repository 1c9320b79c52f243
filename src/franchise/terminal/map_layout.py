"""The layout of the map in a terminal of any size: a pure function of the size and the labels.

Every place has a label of one row or two. Labels never overlap; each stands as close to its place on the drawn map as
that allows. The most detailed style that fits is chosen.
"""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

from franchise.drawing.geometry import GEOMETRY, Point
from franchise.facts import BOARD

# The part of the drawn map that is shown: everything but the sea around it.
WEST, EAST, NORTH, SOUTH = 0.0, 925.0, 20.0, 560.0
CELL = 2.0  # a cell of a terminal is about twice as high as wide
PASSES = 6  # in which labels move closer to their places
REACH = (20, 6)  # columns and rows a label may stand away from its place
STRAY = 7.0  # columns a label may be away from its place before a less detailed style is used
PLATE_STRAY = 14.0
PLATE_WIDTH = 10

SHORT = {  # where the first four letters would be ambiguous
    "San Francisco": "SanF",
    "Los Angeles": "LosA",
    "Las Vegas": "LasV",
    "New York": "NewY",
    "Charlotte": "Chlt",
    "Charleston": "Chls",
    "Little Rock": "LRoc",
    "St. Louis": "StLo",
    "Kansas City": "KanC",
    "El Paso": "ElPa",
}


@dataclass(frozen=True)
class Look:
    """How much is written for each place."""

    names: bool  # in full; else four letters
    rows: int  # 2: the spaces stand below the name


LOOKS = (Look(True, 2), Look(True, 1), Look(False, 1))  # most detailed first


class LabelCells(NamedTuple):
    """A label's cells."""

    left: int
    top: int
    width: int
    height: int

    def covers(self, column: float, row: float) -> bool:
        return self.left <= column < self.left + self.width and self.top <= row < self.top + self.height

    @property
    def middle(self) -> tuple[float, float]:
        return self.left + self.width / 2, self.top + self.height / 2


@dataclass(frozen=True, eq=False)  # one object per size: quick to look up
class Layout:
    """A map of one size."""

    width: int
    height: int
    look: Look
    places: dict[str, LabelCells]
    plates: dict[str, LabelCells]  # of the regions, where there is room

    @cached_property
    def taken(self) -> frozenset[tuple[int, int]]:
        """The cells that are written on."""
        return frozenset(
            (column, row)
            for box in (*self.places.values(), *self.plates.values())
            for row in range(box.top, box.top + box.height)
            for column in range(box.left, box.left + box.width)
        )

    def cell(self, point: Point) -> tuple[float, float]:
        """The cell of a point of the drawn map."""
        return (point.x - WEST) / (EAST - WEST) * self.width, (point.y - NORTH) / (SOUTH - NORTH) * self.height

    def place_at(self, column: int, row: int) -> str | None:
        """The place whose label covers a cell."""
        return next((name for name, box in self.places.items() if box.covers(column, row)), None)

    def region_at(self, column: int, row: int) -> str | None:
        """The region whose plate covers a cell."""
        return next((name for name, box in self.plates.items() if box.covers(column, row)), None)


def short(name: str) -> str:
    """A name in at most four letters."""
    return SHORT.get(name, name[:4])


def label_size(name: str, size: int, look: Look) -> tuple[int, int]:
    """Width and height of a label: a mark, the name, a blank, the spaces."""
    written = len(name) if look.names else len(short(name))
    if look.rows == 2:
        return 1 + max(written, size), 2
    return 1 + written + 1 + size, 1


def plate_size(name: str, look: Look) -> tuple[int, int]:
    """Width and height of a region's plate: its name, its values, and the standing below them."""
    return max(len(name), PLATE_WIDTH), 1 + look.rows


def distance(box: LabelCells, at: tuple[float, float]) -> float:
    """The distance of a label from a point, in columns."""
    column, row = box.middle
    return math.hypot(column - at[0], CELL * (row - at[1]))


@lru_cache(maxsize=64)
def layout(width: int, height: int, sizes: tuple[int, ...]) -> Layout:
    """The map of a size, where `sizes` are the spaces of every place in board order."""
    for look in LOOKS[:-1]:
        arranged = Arrangement(width, height, look).arranged(sizes, STRAY)
        if arranged is not None:
            return arranged
    arranged = Arrangement(width, height, LOOKS[-1]).arranged(sizes, float("inf"))
    if arranged is None:
        raise ValueError(f"the map does not fit into {width} columns and {height} rows")
    return arranged


class Arrangement:
    """Labels being put on a grid of cells."""

    def __init__(self, width: int, height: int, look: Look) -> None:
        self.width, self.height = width, height
        self.look = look
        self.taken = [bytearray(width + 2) for _ in range(height)]

    def arranged(self, sizes: tuple[int, ...], stray: float) -> Layout | None:
        """Place every label; None if one does not fit or is too far away."""
        made = Layout(self.width, self.height, self.look, {}, {})
        labels = {
            place.name: (made.cell(GEOMETRY.places[place.name]), label_size(place.name, size, self.look))
            for place, size in zip(BOARD.locations, sizes, strict=True)
        }
        # The widest first: the others find room beside them.
        for name in sorted(labels, key=lambda name: -labels[name][1][0]):
            box = self.nearest(*labels[name])
            if box is None:
                return None
            self.put(box)
            made.places[name] = box
        for _ in range(PASSES):
            for name in labels:
                self.put(made.places[name], 0)
                made.places[name] = self.nearest(*labels[name]) or made.places[name]
                self.put(made.places[name])
        if any(distance(made.places[name], at) > stray for name, (at, _) in labels.items()):
            return None
        for name, outline in GEOMETRY.regions.items():
            at = made.cell(outline.plate)
            box = self.nearest(at, plate_size(name, self.look))
            if box is not None and distance(box, at) <= PLATE_STRAY:
                self.put(box)
                made.plates[name] = box
        return made

    def put(self, box: LabelCells, mark: int = 1) -> None:
        """Cover the cells of a label, and a column to its right that keeps labels apart."""
        for row in range(box.top, box.top + box.height):
            self.taken[row][box.left : box.left + box.width + 1] = bytes([mark]) * (box.width + 1)

    def nearest(self, at: tuple[float, float], size: tuple[int, int]) -> LabelCells | None:
        """The free cells nearest to a point."""
        width, height = size
        best, least = None, float("inf")
        for top, left, far in self.around(at, size):
            if far < least and all(
                not any(self.taken[row][left : left + width + 1]) for row in range(top, top + height)
            ):
                best, least = LabelCells(left, top, width, height), far
        return best

    def around(self, at: tuple[float, float], size: tuple[int, int]) -> Iterator[tuple[int, int, float]]:
        """The possible corners of a label, each with its distance from the label's place."""
        width, height = size
        left, top = at[0] - width / 2, at[1] - height / 2
        for row in self.span(top, REACH[1], self.height - height):
            for column in self.span(left, REACH[0], self.width - width):
                yield row, column, (column - left) ** 2 + (CELL * (row - top)) ** 2

    @staticmethod
    def span(start: float, reach: int, last: int) -> Iterable[int]:
        middle = min(max(round(start), 0), last)
        return range(max(0, middle - reach), min(last, middle + reach) + 1)
