"""Highlighted links: those to what can be chosen, from rim to rim of their ends."""

from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from typing import Any

from franchise.drawing.cuts import Cut, Place
from franchise.drawing.geometry import Curve, Point
from franchise.drawing.links import cased, curve_path
from franchise.drawing.markup import group, tag
from franchise.drawing.theme import Theme

STEPS = 60  # steps in which a curve is searched for the rim
KEPT = 2048  # drawn routes that are kept
SAMPLES = 40  # points of a link that are compared with names


def route(cut: Cut, view: Mapping[str, Any], colour: str, target: str, price: int) -> Curve | None:
    """The link of that price by which a player reaches a place; None if it takes more than one link."""
    locations = view["locations"]
    links = (curve for source, curve in ways_to(cut, target, price) if colour in locations[source]["spaces"])
    return next(links, None)


@cache
def ways_to(cut: Cut, target: str, price: int) -> tuple[tuple[str, Curve], ...]:
    """The links of a price to a place, each with its other end."""
    links = (curve for curve in cut.links if curve.price == price and target in curve.ends)
    return tuple((curve.ends[0] if curve.ends[1] == target else curve.ends[1], curve) for curve in links)


def between(a: Point, b: Point, share: float) -> Point:
    return Point(a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share)


def after(corners: tuple[Point, ...], t: float) -> tuple[Point, ...]:
    """The part of a cubic curve after t (de Casteljau)."""
    rows = [corners]
    while len(rows[-1]) > 1:
        rows.append(tuple(between(a, b, t) for a, b in zip(rows[-1], rows[-1][1:], strict=False)))
    return tuple(row[-1] for row in reversed(rows))


def trimmed(curve: Curve, first: float, last: float) -> tuple[Point, ...]:
    """A link without the parts within these distances of its ends."""

    def cut_off(corners: tuple[Point, ...], radius: float) -> tuple[Point, ...]:
        probe = Curve(curve.ends, curve.price, *corners)
        start = corners[0]
        for step in range(STEPS // 2):
            at = probe.at(step / STEPS)
            if (at.x - start.x) ** 2 + (at.y - start.y) ** 2 >= radius * radius:
                return after(corners, step / STEPS)
        return after(corners, 0.5)

    corners = cut_off(curve.corners, first)
    return cut_off(corners[::-1], last)[::-1]


@lru_cache(KEPT)
def lit_route(curve: Curve, first: float, last: float, theme: Theme) -> str:
    """A link on offer, with a glow below it, between the rims of its ends."""
    d = curve_path(*trimmed(curve, first, last))
    bed = tag("path", d=d, class_="bed", fill="none", stroke=theme.glow_soft, stroke_width=10.0, opacity=0.5)
    return group("route", bed, cased(d, theme.roads[curve.price], theme))


@cache
def crossed_names(cut: Cut, curve: Curve) -> tuple[Place, ...]:
    """The places whose names a link runs through."""
    points = [curve.at(step / SAMPLES) for step in range(SAMPLES + 1)]
    left, right = min(point.x for point in points), max(point.x for point in points)
    top, bottom = min(point.y for point in points), max(point.y for point in points)
    crossed = []
    for place in cut.places.values():
        x, y, width, height = place.label.box.grown(4)
        if x > right or x + width < left or y > bottom or y + height < top:
            continue  # far away, as most names are
        if any(x <= point.x <= x + width and y <= point.y <= y + height for point in points):
            crossed.append(place)
    return tuple(crossed)


def names_on(cut: Cut, curves: Iterable[Curve]) -> list[Place]:
    """The places whose names must be written again over these links."""
    crossed = {place.name: place for curve in curves for place in crossed_names(cut, curve)}
    return list(crossed.values())
