"""What can be chosen now, over the board: rings with prices, tickets, bulbs, frames."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from franchise.drawing.board import Viewed
from franchise.drawing.board_words import Words
from franchise.drawing.boom import bulb_ring, planned, sign
from franchise.drawing.callout import callout
from franchise.drawing.cities import Spot, seat
from franchise.drawing.cuts import Cut, Place, cut_of
from franchise.drawing.geometry import Box, Point
from franchise.drawing.highlighted_links import lit_route, names_on, route
from franchise.drawing.markup import group, slug, tag, text, title
from franchise.drawing.notes import NotePart
from franchise.drawing.page_colours import PAGE
from franchise.drawing.piece_shapes import ghost
from franchise.drawing.place_names import written
from franchise.drawing.places import next_space, spot_of
from franchise.drawing.plates import plate_box
from franchise.drawing.shields import shield
from franchise.drawing.style import style
from franchise.drawing.theme import SANS
from franchise.drawing.tickets import ticket
from franchise.drawing.track import landing

REACH = 24.0  # radius of the touch area of any place, if there is room
BESIDE = 9.0  # around the disc of a big city
KINDS = ("expand", "grow", "boom")
KEPT = 2048  # drawn rings and frames that are kept


@dataclass(frozen=True)
class Target:
    """A place or a region that can be chosen; `data` becomes data- attributes."""

    place: str | None
    region: str | None
    price: str  # as shown on its sign; "" for none
    label: str
    data: Mapping[str, str] = field(default_factory=dict)
    hinted: bool = False  # highlighted by a hint
    kind: str = "expand"  # or "grow": rings and a ticket, or "boom": bulbs
    gain: str = ""  # what it would score, on the ticket of a city that can grow
    chosen: bool = False  # a choice that can be taken back
    link: int | None = None  # price of the link that leads there; the link is lit
    note: tuple[NotePart, ...] = ()  # what it would do, shown in one line beside it on hover
    urged: bool = False  # the one thing to press, in a lesson: more rings around it


def reach(place: Place, others: Sequence[Place]) -> float:
    """Radius of the circle that takes a click; it never overlaps that of another target."""
    wish = max(REACH, place.reach + BESIDE)
    rooms = (math.dist(place.at, other.at) - other.reach + place.reach for other in others if other is not place)
    return min((wish, *(room / 2 for room in rooms)))


def ring(at: Point, radius: float, **attributes: "str | float | None") -> str:
    return tag("circle", cx=at.x, cy=at.y, r=radius, **attributes)


@lru_cache(KEPT)
def glow(at: Point, radius: float) -> str:
    """Around a place that can be opened: a light gap, one strong ring, a soft edge."""
    return group(
        "glow",
        ring(at, radius + 8, fill="none", stroke=PAGE.glow, stroke_width=8.0, opacity=0.16),
        ring(at, radius + 6.6, fill="none", stroke=PAGE.glow, stroke_width=5.0, opacity=0.28),
        ring(at, radius + 2.6, fill="none", stroke=PAGE.paper, stroke_width=2.6),
        ring(at, radius + 4.8, fill="none", stroke=PAGE.glow, stroke_width=3.4, class_="ring"),
    )


@lru_cache(KEPT)
def ripple(at: Point, radius: float, chosen: bool) -> str:
    """Around a city that can grow: two thin rings; one broad ring once it is chosen."""
    if chosen:
        return group(
            "glow chosen",
            ring(at, radius + 2.4, fill="none", stroke=PAGE.paper, stroke_width=2.4),
            ring(at, radius + 6, fill="none", stroke=PAGE.grow, stroke_width=5.4, class_="ring"),
        )
    return group(
        "glow",
        ring(at, radius + 8, fill="none", stroke=PAGE.grow, stroke_width=12.0, opacity=0.16),
        ring(at, radius + 6.4, fill="none", stroke=PAGE.paper, stroke_width=9.0, opacity=0.72),
        ring(at, radius + 5, fill="none", stroke=PAGE.grow, stroke_width=3.0, class_="ring"),
        ring(at, radius + 11, fill="none", stroke=PAGE.grow, stroke_width=2.0),
    )


@lru_cache(KEPT)
def urging(at: Point, radius: float, colour: str) -> str:
    """Two more rings around the one thing to press, paler outwards."""
    rings = ((13.0, 0.6), (20.0, 0.35))
    return group(
        "urging",
        *(ring(at, radius + off, fill="none", stroke=colour, stroke_width=2.4, opacity=pale) for off, pale in rings),
    )


def on_place(cut: Cut, place: Place, target: Target, spot: Spot, colour: str | None, others: Sequence[Place]) -> str:
    """Hit circle, ring, the piece that would stand there, price."""
    radius = cut.radius(place, spot.size, spot.scored)
    parts = [ring(place.at, reach(place, others), class_="hit", fill="transparent")]
    if target.urged:
        grown = 6.0 if target.kind == "grow" else 0.0  # outside of its own rings
        parts.append(urging(place.at, radius + grown, PAGE.grow if grown else PAGE.glow))
    if target.kind == "boom":
        parts += (bulb_ring(place, radius, PAGE), planned(place, PAGE))
    elif target.kind == "grow":
        parts.append(ripple(place.at, radius, target.chosen))
        parts.append(ticket(target.price, target.gain, place.ticket, PAGE) if target.price else "")
    else:
        parts.append(glow(place.at, radius))
        if colour and None in spot.spaces:
            parts.append(ghost(colour, *seat(cut, place, next_space(spot), spot.size), PAGE))
        parts.append(shield(target.price, place.shield, PAGE) if target.price else "")
    if target.note:
        parts.append(callout(cut, place, radius, target.note, tuple(others), PAGE))
    return "".join(parts)


def framed(cut: Cut, region: str, class_: str, grown: float, **attributes: "str | float | None") -> str:
    """A rectangle around a plate."""
    box = plate_box(cut, region, False).grown(grown)
    return tag("rect", x=box.x, y=box.y, width=box.width, height=box.height, rx=7 + grown, class_=class_, **attributes)


def on_region(cut: Cut, region: str, target: Target) -> str:
    """The plate as a button."""
    box = cut.plates[region]
    return (
        framed(cut, region, "hit", 4.0, fill="transparent")
        + group("glow", framed(cut, region, "ring", 4.0, fill="none", stroke=PAGE.glow, stroke_width=3.4))
        + (shield(target.price, Point(box.right - 10, box.y), PAGE) if target.price else "")
    )


@lru_cache(KEPT)
def scoring(cut: Cut, region: str, words: str) -> str:
    """The plate of a region that will be scored at the end of the turn: a frame and a tag."""
    box = cut.plates[region]
    width = 7.0 * len(words) + 14
    label = Box(box.right - width + 6, box.bottom - 3, width, 19)
    if label.overlap(cut.legend):
        label = Box(box.x - 6, *label[1:])
    return group(
        "scoring",
        framed(cut, region, "ring", 4.5, fill="none", stroke=PAGE.grow, stroke_width=3.2),
        tag("rect", x=label.x, y=label.y, width=label.width, height=label.height, rx=9.5, fill=PAGE.grow),
        text(words, label.middle.x, label.y + 13.6, 12, PAGE.grow_ink, font_weight="bold"),
        data_region=region,
        aria_hidden="true",
    )  # fmt: skip


def button(target: Target, id_: str, *drawn: str) -> str:
    """A target as something to press."""
    if target.kind not in KINDS:
        raise ValueError(f"there is no kind of target {target.kind!r}; choose one of {', '.join(KINDS)}")
    state = "".join([" hinted" * target.hinted, " chosen" * target.chosen])
    return group(
        f"target {target.kind}{state}",
        title(target.label),
        *drawn,
        id=id_,
        role="button",
        tabindex=0,
        aria_label=target.label,
        aria_pressed="true" if target.chosen else None,
        data_place=target.place,
        data_region=target.region,
        **{f"data_{key}": value for key, value in target.data.items()},
    )


def targets_svg(
    game: Viewed,
    targets: Sequence[Target],
    words: Words | None = None,
    cut: str = "L",
    scores: Iterable[str] = (),
) -> str:
    """The layer of what can be chosen, in the order given; `scores` are regions scored at the end of the turn."""
    view, label = game.view(), style(PAGE, words).words["scores"]
    shown = cut_of(view, cut)
    colour = view["players"][view["current_player"]]["colour"] if view["players"] else None
    places = [shown.places[target.place] for target in targets if target.place]
    drawn, ways, lit = [], [], []
    for target in targets:
        if target.place:
            way = ""
            link = None if target.link is None or not colour else route(shown, view, colour, target.place, target.link)
            if link:
                ends = [(shown.places[end], spot_of(end, view)) for end in link.ends]
                first, last = (shown.radius(place, spot.size, spot.scored) + 1 for place, spot in ends)
                way = lit_route(link, first, last, PAGE)
                ways.append(way)
                lit.append(link)
            place = shown.places[target.place]
            shapes = on_place(shown, place, target, spot_of(target.place, view), colour, places)
            drawn.append(button(target, f"target-{slug(target.place)}", way, shapes))
        elif target.region:
            id_ = f"target-region-{slug(target.region)}"
            drawn.append(button(target, id_, on_region(shown, target.region, target)))
        else:
            raise ValueError("a target is a place or a region")
    coming = [region for region in scores if region in shown.plates]
    drawn += (scoring(shown, region, label) for region in coming)
    drawn.append(landing(shown, view, coming, PAGE))
    if lit and view.get("boom"):  # the sign again: routes run over it
        ways.append(group("boom", sign(shown.places[view["boom"]], PAGE), aria_hidden="true"))
    again = {place.name: place for place in (*places, *names_on(shown, lit))}  # names that rings or routes run over
    routes = group("routes", *ways, id="routes") if ways else ""  # below all targets; each draws its own again
    return group("targets", routes, *drawn, written(again.values(), PAGE), id="targets", font_family=SANS)
