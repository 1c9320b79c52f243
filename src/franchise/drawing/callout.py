"""Callouts: what choosing a place would do, in one line beside it, where no other target lies."""

from collections.abc import Sequence
from functools import lru_cache

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


@lru_cache(KEPT)
def around(cut: Cut, place: Place) -> tuple[Box, ...]:
    """The discs and names that a callout for the place might hide."""
    reach = Box.around(place.at, 2 * (WIDEST + OFF + place.reach), 4 * HEIGHT)
    found = []
    for other in cut.places.values():
        disc = Box.around(other.at, 2 * other.reach, 2 * other.reach)
        found += [box for box in (disc, other.label.box) if other is not place and reach.overlap(box)]
    return tuple(found)


@lru_cache(KEPT)
def callout_box(cut: Cut, place: Place, radius: float, width: float, others: tuple[Place, ...]) -> tuple[Box, int]:
    """Where a callout hides least of the name and of the other targets, and on which side of its place."""
    taken = [Box.around(place.shield, 34, 30), place.label.box]
    for other in others:
        if other is not place:
            taken += (
                Box.around(other.at, 2 * other.reach + 10, 2 * other.reach + 10),
                Box.around(other.shield, 34, 30),
            )
    best: tuple[float, Box, int] | None = None
    for side in (1, -1):
        for down in (0.0, -18.0, 18.0, -30.0, 30.0):
            x = place.at.x + side * (radius + OFF) - (width if side < 0 else 0)
            box = Box(x, place.at.y - HEIGHT / 2 + down, width, HEIGHT)
            cost = sum(box.overlap(other) for other in taken) + abs(down) / 10
            cost += sum(box.overlap(other) for other in around(cut, place)) / 2 + (
                0 if cut.size.holds(box.grown(2)) else 500
            )
            if best is None or cost < best[0]:
                best = cost, box, side
    if best is None:
        raise ValueError("no side for a callout")
    return best[1], best[2]


def callout(
    cut: Cut, place: Place, radius: float, note: Sequence[NotePart], others: tuple[Place, ...], theme: Theme
) -> str:
    """The callout of a place; the style sheet shows it under the pointer."""
    line = shortened(note)
    box, side = callout_box(cut, place, radius, width_of(line), others)
    edge = box.x if side > 0 else box.right
    foot = min(max(place.at.y, box.y + 12), box.bottom - 12)
    tip = path(
        (Point(edge - side * TIP, (foot + place.at.y) / 2), Point(edge + side, foot - 6), Point(edge + side, foot + 6))
    )
    return group(
        "callout",
        tag("path", d=tip, fill=theme.callout),
        tag("rect", x=box.x, y=box.y, width=box.width, height=box.height, rx=10.0, fill=theme.callout),
        *written(line, Point(box.x + EDGE, box.middle.y), theme.callout_ink, theme),
        aria_hidden="true",
    )
