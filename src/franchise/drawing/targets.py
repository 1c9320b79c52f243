"""What can be chosen now: a glowing ring or frame with its price, over the board."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from franchise.drawing.geometry import GEOMETRY, Box, Place, Point, on_circle
from franchise.drawing.markup import group, slug, tag, text, title
from franchise.drawing.sheet import PAGE

REACH = 24.0  # radius a finger finds on any place, where there is room
BESIDE = 7.0  # around the disc of a big city
BADGE = Box(0, 0, 24.0, 13.0)  # of a price; longer ones grow
LETTER = 5.6  # width of a letter on a badge


@dataclass(frozen=True)
class Target:
    """A place or a region that can be chosen; `data` becomes data- attributes."""

    place: str | None
    region: str | None
    price: str
    label: str
    data: Mapping[str, str] = field(default_factory=dict)


def reach(place: Place, others: Sequence[Place]) -> float:
    """Radius of the circle that takes a click: never into the circle of another target."""
    wish = max(REACH, place.radius + BESIDE)
    rooms = (math.dist(place.at, other.at) - other.radius + place.radius for other in others if other is not place)
    return min((wish, *(room / 2 for room in rooms)))


@cache
def badge_at(place: Place) -> Point:
    """Where on the rim a price hides least: names and other discs first of all."""

    def hidden(turn: int) -> tuple[float, int]:
        at = on_circle(place.at, place.radius + 6, turn / 16)
        box = Box(at.x - BADGE.width / 2, at.y - BADGE.height / 2, BADGE.width, BADGE.height)
        discs = sum(max(0.0, other.radius + 1 - box.distance(other.at)) for other in GEOMETRY.places.values()
                    if other is not place)  # fmt: skip
        names = sum(covered(box, other.label.box) for other in GEOMETRY.places.values())
        return discs + names, min(abs(turn - 3), abs(turn - 13))

    return on_circle(place.at, place.radius + 6, min(range(16), key=hidden) / 16)


def covered(one: Box, other: Box) -> float:
    """How deep two boxes lie in each other."""
    across = min(one.right, other.right) - max(one.x, other.x)
    down = min(one.bottom, other.bottom) - max(one.y, other.y)
    return min(across, down) if across > 0 and down > 0 else 0.0


def badge(price: str, at: Point) -> str:
    """A price on a small sign."""
    width = max(BADGE.width, LETTER * len(price) + 11)
    return group(
        "badge",
        tag(
            "rect", x=at.x - width / 2, y=at.y - BADGE.height / 2, width=width, height=BADGE.height,
            rx=BADGE.height / 2, fill=PAGE.badge, stroke=PAGE.badge_ink, stroke_width=1.2,
        ),
        text(price, at.x, at.y + 3.5, 10, PAGE.badge_ink, font_weight="bold"),
    )  # fmt: skip


def on_place(place: Place, target: Target, others: Sequence[Place]) -> str:
    """Hit circle, ring, price."""
    x, y = place.at
    return (
        tag("circle", cx=x, cy=y, r=reach(place, others), class_="hit", fill="transparent")
        + tag("circle", cx=x, cy=y, r=place.radius + 3, class_="glow", fill="none", stroke=PAGE.glow, stroke_width=3.2)
        + (badge(target.price, badge_at(place)) if target.price else "")
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
                "target",
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
    return group("targets", *drawn, id="targets")
