"""What can be chosen now: a glowing ring or frame with its price, over the board."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from franchise.drawing.geometry import GEOMETRY, Box, Place, Point, on_circle
from franchise.drawing.markup import group, slug, tag, text, title
from franchise.drawing.places import BADGE as RIM
from franchise.drawing.places import badge_spots as rim_spots
from franchise.drawing.sheet import PAGE
from franchise.drawing.theme import SANS
from franchise.facts import BOARD

REACH = 24.0  # radius a finger finds on any place, where there is room
BESIDE = 7.0  # around the disc of a big city
BADGE = (25.0, 13.5)  # a price; longer ones grow
OVER = 4.0  # how far a badge may lie on its own disc
LETTER = 5.6  # width of a letter on a badge


@dataclass(frozen=True)
class Target:
    """A place or a region that can be chosen; `data` becomes data- attributes."""

    place: str | None
    region: str | None
    price: str
    label: str
    data: Mapping[str, str] = field(default_factory=dict)
    hinted: bool = False  # drawn so that it cannot be missed


def reach(place: Place, others: Sequence[Place]) -> float:
    """Radius of the circle that takes a click: never into the circle of another target."""
    wish = max(REACH, place.radius + BESIDE)
    rooms = (math.dist(place.at, other.at) - other.radius + place.radius for other in others if other is not place)
    return min((wish, *(room / 2 for room in rooms)))


@cache
def badge_spots() -> dict[str, Point]:
    """Where at each rim a price hides least of discs, names, plates, other prices and what may lie on a rim."""
    places = GEOMETRY.places.values()
    boxes = [place.label.box for place in places] + [region.plate for region in GEOMETRY.regions.values()]
    boxes += [GEOMETRY.track, GEOMETRY.legend]
    boxes += [around(at, (2 * RIM, 2 * RIM)) for place in places if is_city(place) for at in rim_spots(place)[:2]]
    spots = {}
    for place in places:
        spots[place.name] = min(
            (beside(place, turn / 24) for turn in (7, 6, 8, 5, 9, 4, 10, 3, *range(11, 24), 0, 1, 2)),
            key=lambda at: hidden(around(at, BADGE), place, boxes),
        )
        boxes.append(around(spots[place.name], BADGE))
    return spots


def beside(place: Place, turn: float) -> Point:
    """The middle of a badge that just reaches a disc in that direction."""
    across, down = abs(math.sin(2 * math.pi * turn)), abs(math.cos(2 * math.pi * turn))
    return on_circle(place.at, place.radius - OVER + (across * BADGE[0] + down * BADGE[1]) / 2, turn)


def around(at: Point, size: tuple[float, float]) -> Box:
    return Box(at.x - size[0] / 2, at.y - size[1] / 2, *size)


def hidden(box: Box, own: Place, boxes: Sequence[Box]) -> float:
    """How much a badge there would cover."""
    discs = (other.radius + 3 - box.distance(other.at) for other in GEOMETRY.places.values() if other is not own)
    off_canvas = 0.0 if inside(box, GEOMETRY.canvas) else 99.0
    return round(
        off_canvas + 2 * sum(max(0.0, deep) for deep in discs) + sum(covered(box, other) for other in boxes), 1
    )


def inside(box: Box, outer: Box) -> bool:
    return outer.x <= box.x and outer.y <= box.y and box.right <= outer.right and box.bottom <= outer.bottom


def is_city(place: Place) -> bool:
    return BOARD.locations[BOARD.location_ids[place.name]].is_city


def covered(one: Box, other: Box) -> float:
    """How deep two boxes lie in each other."""
    across = min(one.right, other.right) - max(one.x, other.x)
    down = min(one.bottom, other.bottom) - max(one.y, other.y)
    return min(across, down) if across > 0 and down > 0 else 0.0


def badge(price: str, at: Point) -> str:
    """A price on a small sign."""
    width, height = max(BADGE[0], LETTER * len(price) + 11), BADGE[1]
    return group(
        "badge",
        tag(
            "rect", x=at.x - width / 2, y=at.y - height / 2, width=width, height=height,
            rx=height / 2, fill=PAGE.badge, stroke=PAGE.badge_ink, stroke_width=1.2,
        ),
        text(price, at.x, at.y + 3.5, 10, PAGE.badge_ink, font_weight="bold"),
    )  # fmt: skip


def on_place(place: Place, target: Target, others: Sequence[Place]) -> str:
    """Hit circle, ring, price."""
    x, y = place.at
    return (
        tag("circle", cx=x, cy=y, r=reach(place, others), class_="hit", fill="transparent")
        + tag("circle", cx=x, cy=y, r=place.radius + 3, class_="glow", fill="none", stroke=PAGE.glow, stroke_width=3.2)
        + (badge(target.price, badge_spots()[place.name]) if target.price else "")
    )


def on_region(region: str, target: Target) -> str:
    """The plate as a button."""
    box = GEOMETRY.regions[region].plate
    frames = [
        tag(
            "rect", x=box.x - grown, y=box.y - grown, width=box.width + 2 * grown, height=box.height + 2 * grown,
            rx=5 + grown, class_=class_, fill=fill, stroke=stroke, stroke_width=3.2 if stroke else None,
        )
        for class_, grown, fill, stroke in (("hit", 4.0, "transparent", None), ("glow", 2.5, "none", PAGE.glow))
    ]  # fmt: skip
    return "".join(frames) + (badge(target.price, Point(box.right - 8, box.y)) if target.price else "")


def targets_svg(targets: Sequence[Target]) -> str:
    """The layer of what can be chosen, in the order given."""
    places = [GEOMETRY.places[target.place] for target in targets if target.place]
    drawn = []
    for target in targets:
        if target.place:
            shapes, id_ = on_place(GEOMETRY.places[target.place], target, places), f"target-{slug(target.place)}"
        elif target.region:
            shapes, id_ = on_region(target.region, target), f"target-region-{slug(target.region)}"
        else:
            raise ValueError("a target is a place or a region")
        data = {f"data_{key}": value for key, value in target.data.items()}
        drawn.append(
            group(
                "target hinted" if target.hinted else "target",
                title(target.label),
                shapes,
                id=id_,
                role="button",
                tabindex=0,
                aria_label=target.label,
                data_place=target.place,
                data_region=target.region,
                **data,
            )
        )
    return group("targets", *drawn, id="targets", font_family=SANS)
