"""Callouts: what choosing a place would do, in one line beside it, where no other target lies."""

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
from operator import itemgetter

from franchise.drawing.cuts import Cut, Place
from franchise.drawing.geometry import Box, Point
from franchise.drawing.markup import group, path, tag
from franchise.drawing.notes import EDGE, NotePart, width_of, written
from franchise.drawing.theme import Theme

WIDEST = 210.0
HEIGHT = 30.0
OFF = 18.0  # distance from the rim
TIP = 8.0
KEPT = 4096
ASIDE = tuple(sorted((float(down) for down in range(-48, 49, 6)), key=abs))  # pixels from level with its place
SHARES = (0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8, 0.1, 0.9)  # of its width that lies left of its place

Side = tuple[int, int]  # right or left, below or above


def shortened(note: Sequence[NotePart]) -> tuple[NotePart, ...]:
    """What of a note fits on one line."""
    line = list(note)
    while len(line) > 1 and width_of(line) > WIDEST:
        line = [*line[: -2 if line[-1].text == "…" else -1], NotePart("…")]
    words = line[0].text
    while width_of(line) > WIDEST:
        words = words[:-1].rstrip()
        line[0] = NotePart(f"{words}…", line[0].colour)
    return tuple(line)


def nearby(place: Place) -> Box:
    """A box that holds every callout of a place."""
    return Box.around(place.at, 2 * (WIDEST + OFF + place.reach), 2 * (HEIGHT + OFF + place.reach + TIP))


@lru_cache(KEPT)
def around(cut: Cut, place: Place) -> tuple[Box, ...]:
    """The discs and names that a callout for the place might hide."""
    near = nearby(place)
    boxes = []
    for other in cut.places.values():
        disc = Box.around(other.at, 2 * other.reach, 2 * other.reach)
        boxes += [box for box in (disc, other.label.box) if other is not place and near.overlap(box)]
    return tuple(boxes)


def spots(place: Place, radius: float, width: float) -> Iterator[tuple[float, Box, Side]]:
    """Where a callout may lie: what it costs to be so far from beside its place, and on which side of it."""
    far = radius + OFF
    for side in (1, -1):
        for down in ASIDE:
            x = place.at.x + side * far - (width if side < 0 else 0)
            yield abs(down) / 10, Box(x, place.at.y - HEIGHT / 2 + down, width, HEIGHT), (side, 0)
    for side in (-1, 1):
        for share in SHARES:
            y = place.at.y + side * (far - TIP) - (HEIGHT if side < 0 else 0)
            yield 2 + abs(share - 0.5), Box(place.at.x - width * share, y, width, HEIGHT), (0, side)


@lru_cache(KEPT)
def callout_box(cut: Cut, place: Place, radius: float, width: float, others: tuple[Place, ...]) -> tuple[Box, Side]:
    """Where a callout hides least of the names and of the other targets, and on which side of its place."""
    near = nearby(place)
    hidden = [Box.around(place.shield, 34, 30), place.label.box, *around(cut, place)]
    for other in others:
        if other is not place:
            disc = Box.around(other.at, 2 * other.reach + 10, 2 * other.reach + 10)
            hidden += [box for box in (disc, Box.around(other.shield, 34, 30)) if near.overlap(box)]
    best, least = None, math.inf
    for away, box, side in sorted(spots(place, radius, width), key=itemgetter(0)):
        if away >= least:
            break  # no other is closer
        cost = away + sum(map(box.overlap, hidden)) + (0 if cut.size.holds(box.grown(2)) else 500)
        if cost < least:
            best, least = (box, side), cost
    assert best is not None
    return best


def tip(box: Box, side: Side, at: Point) -> tuple[Point, ...]:
    """The corner of a callout that points at its place."""
    if side[0]:
        edge = box.x if side[0] > 0 else box.right
        foot = min(max(at.y, box.y + 12), box.bottom - 12)
        ends = Point(edge + side[0], foot - 6), Point(edge + side[0], foot + 6)
        return (Point(edge - side[0] * TIP, (foot + at.y) / 2), *ends)
    edge = box.y if side[1] > 0 else box.bottom
    foot = min(max(at.x, box.x + 12), box.right - 12)
    ends = Point(foot - 6, edge + side[1]), Point(foot + 6, edge + side[1])
    return (Point((foot + at.x) / 2, edge - side[1] * TIP), *ends)


def callout(
    cut: Cut, place: Place, radius: float, note: Sequence[NotePart], others: tuple[Place, ...], theme: Theme
) -> str:
    """The callout of a place; the style sheet shows it under the pointer."""
    line = shortened(note)
    box, side = callout_box(cut, place, radius, width_of(line), others)
    return group(
        "callout",
        tag("path", d=path(tip(box, side, place.at)), fill=theme.callout),
        tag("rect", x=box.x, y=box.y, width=box.width, height=box.height, rx=10.0, fill=theme.callout),
        *written(line, Point(box.x + EDGE, box.middle.y), theme.callout_ink, theme),
        aria_hidden="true",
    )
