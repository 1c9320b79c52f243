"""Cuts of the map: one for each size of picture, because positions scale with the picture but text does not.

scripts/cuts.py makes the cuts offline, with a spot for every name and price; this module reads them.
"""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from franchise.drawing.geometry import GEOMETRY, Box, Curve, Point
from franchise.facts import BOARD
from franchise.facts.loader import TILE_CLASSES, tile_class

SIZES = ("L", "M", "S")
SCORED = 0.82  # size of a scored city's disc, relative to an open one


@dataclass(frozen=True)
class Label:
    """A name beside its place, in one line or two, within a box."""

    lines: tuple[str, ...]
    anchor: str  # which end of the lines is at the disc
    size: float  # of the type
    box: Box


@dataclass(frozen=True, eq=False)  # one object per location: quick to look up
class Place:
    """Where a location, its name and what may be put beside it are drawn."""

    name: str
    is_city: bool
    at: Point
    reach: float  # radius of the largest disc that can be here
    label: Label
    shield: Point  # the price of expanding there
    ticket: Point  # the price of growing there
    boom: Point  # the tip of the boom sign
    boom_side: int  # 1: the sign lies to the right of its tip, -1: to the left


@dataclass(frozen=True, eq=False)  # one object per cut: quick to look up
class Cut:
    """Where everything is on a picture of one size, in pixels."""

    name: str
    size: Box
    window: Box  # the part of the map it shows, in the map's units
    closed: Point | None  # the sign on the land out of play
    radii: Mapping[int, float]  # of a city by the size of its tile
    town: float  # radius
    hub: float  # radius
    hub_type: float
    plates: Mapping[str, Box]
    track: Box
    legend: Box
    places: Mapping[str, Place]
    links: tuple[Curve, ...]

    @property
    def large(self) -> bool:
        """Whether plates and signs have their full size."""
        return self.size.width > 1100

    @property
    def scale(self) -> float:
        """Horizontal pixels per unit of the map."""
        return self.size.width / self.window.width

    def point(self, at: Point) -> Point:
        """A point of the map on the picture."""
        return Point(
            (at.x - self.window.x) * self.size.width / self.window.width,
            (at.y - self.window.y) * self.size.height / self.window.height,
        )

    def radius(self, place: Place, size: int, scored: bool = False) -> float:
        """The radius of a location's disc; that of a city without a tile fits the largest it may get."""
        if not place.is_city:
            return self.town
        return self.radii.get(size, place.reach) * (SCORED if scored else 1.0)


def largest(radii: Mapping[int, float], town: float, name: str) -> float:
    """The radius of the largest disc a location can have: a city may get any tile of its class (RULES 5.1)."""
    location = BOARD.locations[BOARD.location_ids[name]]
    return max(radii[size] for size in TILE_CLASSES[tile_class(location.size)]) if location.is_city else town


def key_of(curve: Curve) -> str:
    """A link by name."""
    return f"{'–'.join(curve.ends)} {curve.price}"


def bent(curve: Curve, first: float, second: float) -> Curve:
    """A link moved sideways, near its beginning and near its end."""
    across, down = curve.end.x - curve.start.x, curve.end.y - curve.start.y
    length = math.hypot(across, down)

    def aside(at: Point, far: float) -> Point:
        return Point(at.x - far * down / length, at.y + far * across / length)

    return Curve(
        curve.ends, curve.price, curve.start, aside(curve.first, first), aside(curve.second, second), curve.end
    )


def scaled(curve: Curve, cut: Cut, bends: Mapping[str, Sequence[float]]) -> Curve:
    """A link on the picture, bent around the names in its way."""
    flat = Curve(curve.ends, curve.price, *(cut.point(corner) for corner in curve.corners))
    return bent(flat, *bends[key_of(curve)]) if key_of(curve) in bends else flat


def read_cut(name: str, row: Mapping[str, Any]) -> Cut:
    """A cut from its parsed file."""
    radii = {int(size): radius for size, radius in row["radii"].items()}
    width, height = row["plate"]
    bare = Cut(
        name=name,
        size=Box(0, 0, *row["size"]),
        window=Box(*row["window"]),
        closed=Point(*row["closed"]) if row["closed"] else None,
        radii=radii,
        town=row["town"],
        hub=row["hub"],
        hub_type=row["hub_type"],
        plates={region: Box(x, y, width, height) for region, (x, y) in row["plates"].items()},
        track=Box(*row["track"]),
        legend=Box(*row["legend"]),
        places={},
        links=(),
    )
    places = {}
    for location, spots in row["places"].items():
        is_city = BOARD.locations[BOARD.location_ids[location]].is_city
        lines, anchor, *box = spots["label"]
        boom = spots.get("boom", (0, 0, 1))
        places[location] = Place(
            name=location,
            is_city=is_city,
            at=bare.point(GEOMETRY.places[location]),
            reach=largest(radii, bare.town, location),
            label=Label(tuple(lines), anchor, row["type"]["city" if is_city else "town"], Box(*box)),
            shield=Point(*spots["shield"]),
            ticket=Point(*spots.get("ticket", spots["shield"])),
            boom=Point(*boom[:2]),
            boom_side=boom[2],
        )
    links = tuple(scaled(curve, bare, row["bends"]) for curve in GEOMETRY.links if set(curve.ends) <= set(places))
    return Cut(**{**vars(bare), "places": places, "links": links})


@cache
def cuts() -> dict[str, Cut]:
    """All cuts by name: one per size, and one per size for the land in play with two or three players."""
    data = json.loads(files("franchise.drawing").joinpath("cuts.json").read_text(encoding="utf-8"))
    return {name: read_cut(name, row) for name, row in data.items()}


def cut_named(size: str, few: bool = False) -> Cut:
    """The cut of a size; `few` if two or three play. ValueError lists the sizes."""
    if size not in SIZES:
        raise ValueError(f"there is no cut {size!r}; choose one of {', '.join(SIZES)}")
    return cuts()[f"{size}-few" if few else size]


def cut_of(view: Mapping[str, Any], size: str) -> Cut:
    """The cut of a size for a game: with two or three players, the regions in play take all the room."""
    return cut_named(size, any(region["blocked"] for region in view["regions"].values()))
