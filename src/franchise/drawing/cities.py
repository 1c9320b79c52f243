"""The discs of cities and towns: slices, pieces, hub."""

import math
from functools import cache
from typing import NamedTuple

from franchise.drawing.cuts import Cut, Place
from franchise.drawing.geometry import Point, on_circle
from franchise.drawing.land import ART
from franchise.drawing.markup import group, number, slug, tag, text
from franchise.drawing.piece_shapes import piece
from franchise.drawing.theme import DISPLAY, NONE, SHAPES, Theme
from franchise.facts import BOARD
from franchise.facts.loader import TILE_CLASSES, tile_class

HELD = {1: 0.46, 2: 0.40, 3: 0.36, 4: 0.32}  # radius of pieces gathered on a scored city, by their number
MOST_HELD = 0.28  # if there are more


class Spot(NamedTuple):
    """Everything that a drawn location depends on."""

    kind: str
    region: str
    size: int
    spaces: tuple[str | None, ...]
    scored: bool
    waiting: int  # franchises in the centre
    active: str | None  # colour of the player who has put something here this turn
    marked: bool  # by an expansion marker
    boom: bool


class PieceSpot(NamedTuple):
    """Where a piece stands and how big it is."""

    at: Point
    radius: float


@cache
def seat(cut: Cut, place: Place, space: int, size: int) -> PieceSpot:
    """Where a piece on a space stands."""
    if not place.is_city:
        return PieceSpot(place.at, cut.town * 0.62)
    outer, hub = cut.radius(place, size) - 1, hub_radius(cut, size)
    middle = (outer + hub) / 2 * (0.97 if size == 2 else 1)
    radius = min((outer - hub) / 2 - 0.3, middle * math.sin(math.pi / size) - 0.8)
    return PieceSpot(on_circle(place.at, middle, (space + 0.5) / size), radius)


def hub_radius(cut: Cut, size: int) -> float:
    return cut.hub - (0.9 if size == 2 else 0.0)


def gathered(cut: Cut, place: Place, size: int, count: int) -> list[PieceSpot]:
    """Where the pieces of a scored city stand: together in the middle."""
    radius = cut.radius(place, size, scored=True)
    if count == 1:
        return [PieceSpot(place.at, HELD[1] * radius)]
    away = radius * (0.46 if count == 2 else 0.52)
    first = {2: 0.375, 4: 0.125}.get(count, 0.0)
    return [
        PieceSpot(on_circle(place.at, away, i / count + first), HELD.get(count, MOST_HELD) * radius)
        for i in range(count)
    ]


def disc_shadow(at: Point, radius: float, below: float, theme: Theme, opacity: float) -> str:
    if theme.shadow == NONE:
        return ""
    return tag("circle", cx=at.x, cy=at.y + below, r=radius, fill=theme.shadow, opacity=opacity)


@cache
def slices(cut: Cut, place: Place, size: int, theme: Theme) -> str:
    """The empty plate of a city: spaces run clockwise from twelve o'clock, the first in a colour of its own."""
    (x, y), r = place.at, cut.radius(place, size)
    inner = number(r - 1)
    corners = [on_circle(place.at, r - 1, i / size) for i in range(size)]
    a, b = (f"{number(p.x)} {number(p.y)}" for p in corners[:2])
    middle = f"{number(x)} {number(y)}"
    lines = "".join(f"M{middle}L{number(p.x)} {number(p.y)}" for p in corners)
    return (
        disc_shadow(place.at, r + 0.6, 2.6, theme, 0.26)
        + tag("circle", cx=x, cy=y, r=r, fill=theme.space, stroke=theme.rim, stroke_width=2.0, class_="rim")
        + tag("path", d=f"M{middle}L{a}A{inner} {inner} 0 0 1 {b}Z", fill=theme.first_space, class_="first")
        + tag("path", d=lines, stroke=theme.space_line, stroke_width=1.1, class_="spaces", data_count=size)
    )


def hub(cut: Cut, place: Place, spot: Spot, theme: Theme) -> str:
    """The centre of a city: its value, on the piece that waits there to be opened if there is one."""
    (x, y), radius, key = place.at, hub_radius(cut, spot.size), f"centre-{slug(place.name)}"
    value = {"x": x, "y": y + cut.hub_type * 0.36, "size": cut.hub_type, "font_family": DISPLAY, "class_": "value"}
    if spot.waiting and spot.active:
        big = cut.hub + (2.6 if SHAPES[spot.active] == "circle" else 3.4)
        behind = [
            piece(spot.active, Point(x + 4.5 * i, y - 4.5 * i), big * 0.92, theme, class_="behind")
            for i in range(1, spot.waiting)
        ]
        return group(
            "centre waiting",
            tag("circle", cx=x, cy=y, r=big + 2, fill=theme.space),
            *reversed(behind),
            piece(spot.active, place.at, big, theme, class_="waiting-piece"),
            text(str(spot.size), fill=theme.pieces[spot.active].ink, **value),  # type: ignore[arg-type]
            id=key,
            data_count=spot.waiting,
            data_colour=spot.active,
        )
    return group(
        "centre",
        tag("circle", cx=x, cy=y, r=radius, fill=theme.hub, stroke=theme.space, stroke_width=1.2),
        text(str(spot.size), fill=theme.hub_ink, **value),  # type: ignore[arg-type]
        id=key,
    )


def open_city(cut: Cut, place: Place, spot: Spot, theme: Theme) -> str:
    """A city's plate, the pieces on its spaces, its hub."""
    key = slug(place.name)
    pieces = (
        piece(colour, *seat(cut, place, space, spot.size), theme, id=f"piece-{key}-{space + 1}")
        for space, colour in enumerate(spot.spaces)
        if colour
    )
    return slices(cut, place, spot.size, theme) + "".join(pieces) + hub(cut, place, spot, theme)


def scored_city(cut: Cut, place: Place, spot: Spot, theme: Theme) -> str:
    """A scored city: smaller, grey, hatched, without a hub."""
    (x, y), r, key = place.at, cut.radius(place, spot.size, scored=True), slug(place.name)
    owners = [(space, colour) for space, colour in enumerate(spot.spaces) if colour]
    pieces = (
        piece(colour, *where, theme, id=f"piece-{key}-{space + 1}")
        for (space, colour), where in zip(owners, gathered(cut, place, spot.size, len(owners)), strict=True)
    )
    return (
        disc_shadow(place.at, r, 1.6, theme, 0.18)
        + tag("circle", cx=x, cy=y, r=r, fill=theme.closed, stroke=theme.closed_rim, stroke_width=1.6, class_="rim")
        + tag("circle", cx=x, cy=y, r=r - 2.6, fill=f"url(#{ART}hatch)")
        + "".join(pieces)
    )


def untiled_city(cut: Cut, place: Place, theme: Theme) -> str:
    """A city that waits for its tile, and the sizes of the tiles it can take (RULES 5.1)."""
    (x, y), r = place.at, place.reach - 1
    sizes = TILE_CLASSES[tile_class(BOARD.locations[BOARD.location_ids[place.name]].size)]
    return (
        disc_shadow(place.at, r, 2.6, theme, 0.26)
        + tag(
            "circle", cx=x, cy=y, r=r, fill=theme.space, stroke=theme.rim, stroke_width=1.6, stroke_dasharray="4 3",
            class_="rim",
        )
        + text("?", x, y + 1, cut.hub_type + 2, theme.faint, font_family=DISPLAY)
        + text(f"{sizes[0]}–{sizes[-1]}", x, y + 15, 13, theme.faint, font_weight="bold", class_="tiles")
    )  # fmt: skip


def city(cut: Cut, place: Place, spot: Spot, theme: Theme) -> str:
    """A city's disc: open, scored, or still without a tile."""
    if spot.scored:
        return scored_city(cut, place, spot, theme)
    return open_city(cut, place, spot, theme) if spot.size else untiled_city(cut, place, theme)


def town(cut: Cut, place: Place, spot: Spot, theme: Theme) -> str:
    """A ring with a single space; a dot shows that it is free."""
    (x, y), r = place.at, cut.town
    owner = spot.spaces[0] if spot.spaces else None
    inside = (
        piece(owner, *seat(cut, place, 0, 1), theme, id=f"piece-{slug(place.name)}-1")
        if owner
        else tag("circle", cx=x, cy=y, r=r * 0.3, fill=theme.space_line, class_="free")
    )
    return (
        disc_shadow(place.at, r, 1.8, theme, 0.22)
        + tag("circle", cx=x, cy=y, r=r, fill=theme.space, stroke=theme.rim, stroke_width=1.8, class_="rim")
        + inside
    )
