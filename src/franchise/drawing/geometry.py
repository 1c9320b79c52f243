"""The geometry of the drawn board: computed once by scripts/geometry.py, read here."""

import json
import math
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, NamedTuple

from franchise.facts import BOARD


class Point(NamedTuple):
    x: float
    y: float


def on_circle(centre: Point, radius: float, turn: float) -> Point:
    """The point after that share of a turn clockwise from twelve o'clock."""
    return Point(centre.x + radius * math.sin(2 * math.pi * turn), centre.y - radius * math.cos(2 * math.pi * turn))


class Box(NamedTuple):
    """A rectangle, given by its upper left corner and its size."""

    x: float
    y: float
    width: float
    height: float

    @classmethod
    def around(cls, at: Point, width: float, height: float) -> "Box":
        """The box of that size centred on a point."""
        return cls(at.x - width / 2, at.y - height / 2, width, height)

    @property
    def middle(self) -> Point:
        return Point(self.x + self.width / 2, self.y + self.height / 2)

    def distance(self, point: Point) -> float:
        """How far a point is outside; 0 inside."""
        across = max(self.x - point.x, 0, point.x - self.right)
        return math.hypot(across, max(self.y - point.y, 0, point.y - self.bottom))

    def overlap(self, other: "Box") -> float:
        """How deeply two boxes overlap; 0 if they do not."""
        x, y, width, height = self
        left, top, across, down = other
        across = min(x + width, left + across) - max(x, left)
        down = min(y + height, top + down) - max(y, top)
        return min(across, down) if across > 0 and down > 0 else 0.0

    def grown(self, margin: float) -> "Box":
        """The box with a margin around it."""
        return Box(self.x - margin, self.y - margin, self.width + 2 * margin, self.height + 2 * margin)

    def holds(self, other: "Box") -> bool:
        """Whether another box is inside."""
        return self.x <= other.x and self.y <= other.y and other.right <= self.right and other.bottom <= self.bottom

    @property
    def right(self) -> float:
        return self.x + self.width

    @property
    def bottom(self) -> float:
        return self.y + self.height


@dataclass(frozen=True)
class Outline:
    """A region: rings of arcs, where ~n is arc n walked backwards, and where the middle of its plate should be."""

    name: str
    rings: tuple[tuple[int, ...], ...]
    plate: Point


@dataclass(frozen=True, eq=False)  # one object per link: quick to look up
class Curve:
    """A link: a cubic curve from the middle of one disc to the middle of another."""

    ends: tuple[str, str]
    price: int
    start: Point
    first: Point  # control points
    second: Point
    end: Point

    @property
    def corners(self) -> tuple[Point, Point, Point, Point]:
        return self.start, self.first, self.second, self.end

    def at(self, t: float) -> Point:
        """The point of the curve at 0 <= t <= 1."""
        a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
        start, first, second, end = self.corners
        return Point(
            a * start.x + b * first.x + c * second.x + d * end.x, a * start.y + b * first.y + c * second.y + d * end.y
        )


@dataclass(frozen=True)
class Geometry:
    """The map in its own units and in board order; a cut says where it is on a picture."""

    arcs: tuple[tuple[Point, ...], ...]
    state_lines: tuple[int, ...]  # arcs between two states of one region
    regions: dict[str, Outline]
    places: dict[str, Point]
    links: tuple[Curve, ...]

    def ring(self, arcs: tuple[int, ...]) -> Iterator[Point]:
        """The corners of a ring, each once."""
        for arc in arcs:
            points = self.arcs[arc] if arc >= 0 else self.arcs[~arc][::-1]
            yield from points[:-1]


def points(numbers: list[float]) -> tuple[Point, ...]:
    return tuple(Point(x, y) for x, y in zip(numbers[::2], numbers[1::2], strict=True))


def read(data: dict[str, Any]) -> Geometry:
    """The geometry from its parsed file."""
    places = {name: Point(*at) for name, at in data["places"].items()}
    names = [location.name for location in BOARD.locations]
    links = []
    for link, numbers in zip(BOARD.links, data["links"], strict=True):
        a, b = (names[end] for end in link.ends)
        first, second = points(numbers)
        links.append(Curve((a, b), link.price, places[a], first, second, places[b]))
    return Geometry(
        arcs=tuple(points(arc) for arc in data["arcs"]),
        state_lines=tuple(data["states"]),
        regions={
            name: Outline(name, tuple(tuple(ring) for ring in row["rings"]), Point(*row["plate"]))
            for name, row in data["regions"].items()
        },
        places={name: places[name] for name in names},
        links=tuple(links),
    )


GEOMETRY = read(json.loads(files("franchise.drawing").joinpath("geometry.json").read_text(encoding="utf-8")))
