"""Towns and cities: their spaces, pieces, centre, markers."""

import math
from collections import Counter
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Any, NamedTuple

from franchise.drawing.board_words import Words
from franchise.drawing.geometry import GEOMETRY, Label, Place, Point, on_circle
from franchise.drawing.markup import Value, group, number, path, slug, tag, text, title
from franchise.drawing.piece_shapes import piece, shape
from franchise.drawing.style import Style
from franchise.drawing.theme import Theme
from franchise.facts import BOARD
from franchise.facts.loader import TILE_CLASSES, tile_class

Row = Mapping[str, Any]

HUB = 0.3  # of a city's radius
BADGE = 9.5  # radius of what lies on a rim
KEPT = 8192  # drawn places remembered: between two moves nearly all stay as they are


class Spot(NamedTuple):
    """All that a drawn location depends on."""

    kind: str
    region: str
    size: int
    spaces: tuple[str | None, ...]
    scored: bool
    blocked: bool
    waiting: int  # franchises in the centre
    active: str | None  # colour of the player who has put something down here this turn
    marked: bool  # by an expansion marker
    boom: bool


def space_number(space: int, size: int) -> int:
    """What is printed on a space: they count down, so that the highest number still seen is what remains."""
    return size - space


@cache
def sector(place: Place, space: int, size: int) -> str:
    """The `d` of a space: a slice between hub and rim."""
    inner, outer = place.radius * HUB, place.radius
    turns = (space / size, (space + 1) / size)
    a, b = (on_circle(place.at, outer, turn) for turn in turns)
    d, c = (on_circle(place.at, inner, turn) for turn in turns)

    def arc(radius: float, sweep: int, to: Point) -> str:
        return f"A{number(radius)} {number(radius)} 0 0 {sweep} {number(to.x)} {number(to.y)}"

    return f"M{number(a.x)} {number(a.y)}{arc(outer, 1, b)}L{number(c.x)} {number(c.y)}{arc(inner, 0, d)}Z"


@cache
def seat_of(place: Place, space: int, size: int) -> tuple[Point, float]:
    """Where a piece on a space stands, and how big it may be."""
    middle = place.radius * (1 + HUB) / 2 * (1.0 if size > 2 else 0.94)
    room = place.radius * (1 - HUB) / 2 - 0.8
    beside = middle * math.sin(math.pi / size) - 0.7
    return on_circle(place.at, middle, (space + 0.5) / size), min(room, beside)


@cache
def slices(place: Place, size: int, theme: Theme) -> str:
    """The spaces of a city, empty; the first has a colour of its own."""
    drawn = (
        tag(
            "path", d=sector(place, space, size), class_="space", data_space=space + 1,
            fill=None if space else theme.first_space,
        )
        for space in range(size)
    )  # fmt: skip
    return group("spaces", *drawn, fill=theme.space, stroke=theme.line, stroke_width=0.8)


@cache
def space_text(place: Place, space: int, size: int, type_size: float) -> str:
    """The number of an empty space; the group around it has the colour."""
    at, _ = seat_of(place, space, size)
    return tag("text", str(space_number(space, size)), x=at.x, y=at.y + type_size * 0.35, class_="number")


def spaces(place: Place, spot: Spot, theme: Theme) -> str:
    """The spaces of a city clockwise from twelve o'clock: pieces, and numbers where none stands yet."""
    size, key = spot.size, slug(place.name)
    type_size = 9.0 if size < 7 else 8.2
    numbers, pieces = [], []
    for space, colour in enumerate(spot.spaces):
        if colour:
            pieces.append(piece(colour, *seat_of(place, space, size), theme, id=f"piece-{key}-{space + 1}"))
        else:
            numbers.append(space_text(place, space, size, type_size))
    return (
        slices(place, size, theme)
        + group("numbers", *numbers, font_size=type_size, fill=theme.ink, text_anchor="middle")
        + "".join(pieces)
    )


def hub(place: Place, spot: Spot, theme: Theme) -> str:
    """The centre of a city: its value, or what waits there to be opened."""
    radius, key = place.radius * HUB + 0.6, f"centre-{slug(place.name)}"
    if spot.waiting and spot.active:
        look = theme.pieces[spot.active]
        return group(
            "centre waiting",
            shape("circle", place.at, radius + 1.6, fill=look.fill, stroke=look.edge, stroke_width=1.1),
            text(f"+{spot.waiting}", place.at.x - 0.4, place.at.y + 3.2, 9, look.ink, font_weight="bold"),
            id=key,
            data_count=spot.waiting,
            data_colour=spot.active,
        )
    return group(
        "centre",
        shape("circle", place.at, radius, fill=theme.hub),
        text(str(spot.size), place.at.x, place.at.y + 3.2, 9, theme.hub_ink, font_weight="bold"),
        id=key,
    )


def city(place: Place, spot: Spot, theme: Theme) -> str:
    """A city's disc: open, closed by its scoring, or still without a tile."""
    x, y, r, key = place.at.x, place.at.y, place.radius, slug(place.name)
    if spot.scored:
        size = len(spot.spaces)
        held = (
            piece(owner, *seat_of(place, space, size), theme, id=f"piece-{key}-{space + 1}")
            for space, owner in enumerate(spot.spaces)
            if owner
        )
        return (
            tag("circle", cx=x, cy=y, r=r, fill=theme.closed, stroke=theme.ink, stroke_width=1.5, class_="rim")
            + tag("circle", cx=x, cy=y, r=r - 2.6, fill="none", stroke=theme.paper, stroke_width=0.9)
            + shape("cross", place.at, r * 0.2, fill=theme.paper, opacity=0.9)
            + "".join(held)
        )
    if not spot.size:
        return (
            tag(
                "circle", cx=x, cy=y, r=r, fill=theme.space, stroke=theme.line, stroke_width=1.5, stroke_dasharray="4 3"
            )
            + text("?", x, y + 1.5, 13, theme.faint, font_weight="bold")
            + text(tiles_for(place), x, y + 10.5, 8.2, theme.faint, class_="tiles")
        )
    rim = tag("circle", cx=x, cy=y, r=r, fill="none", stroke=theme.ink, stroke_width=1.5, class_="rim")
    return spaces(place, spot, theme) + rim + hub(place, spot, theme)


def tiles_for(place: Place) -> str:
    """The sizes of the tiles a city can take (RULES 5.1)."""
    sizes = TILE_CLASSES[tile_class(BOARD.locations[BOARD.location_ids[place.name]].size)]
    return f"{sizes[0]}–{sizes[-1]}"


def town(place: Place, spot: Spot, theme: Theme) -> str:
    """A ring; its only space takes one piece."""
    x, y, r = place.at.x, place.at.y, place.radius
    ring = tag("circle", cx=x, cy=y, r=r - 1, fill=theme.space, stroke=theme.ink, stroke_width=2.0, class_="rim")
    owner = spot.spaces[0] if spot.spaces else None
    return ring + (piece(owner, place.at, r * 0.6, theme, id=f"piece-{slug(place.name)}-1") if owner else "")


def out_of_play(place: Place, theme: Theme) -> str:
    """A location blocked by a neutral franchise."""
    return tag(
        "circle", cx=place.at.x, cy=place.at.y, r=place.radius - 0.8, fill=theme.idle, stroke=theme.idle_ink,
        stroke_width=1.2, stroke_dasharray="3 2.4",
    ) + shape("cross", place.at, place.radius * 0.4, fill=theme.idle_ink, class_="neutral")  # fmt: skip


@cache
def badge_spots(place: Place) -> tuple[Point, ...]:
    """Where on the rim something can lie without covering a name or another disc."""
    others = [other for other in GEOMETRY.places.values() if other is not place]
    spots = [on_circle(place.at, place.radius + 4, turn / 16) for turn in (2, 14, 6, 10, 1, 15, 3, 13, 5, 11, 7, 9)]
    return tuple(
        spot
        for spot in spots
        if all(other.label.box.distance(spot) > BADGE for other in GEOMETRY.places.values())
        and all(math.dist(spot, other.at) > BADGE + other.radius for other in others)
    )


@lru_cache(maxsize=512)
def marker(place: Place, colour: str, style: Style) -> str:
    """An expansion marker: a dashed halo and the player's shape on a badge."""
    theme = style.theme
    look = theme.pieces[colour]
    at = place.at if place.radius < 12 else badge_spots(place)[1]
    halo: dict[str, Value] = {"cx": place.at.x, "cy": place.at.y, "r": place.radius - 0.4, "fill": "none"}
    return group(
        "marker",
        title(style.words["marker"].format(name=place.name)),
        tag("circle", **halo, stroke=look.edge, stroke_width=3.8),
        tag("circle", **halo, stroke=look.fill, stroke_width=2.4, stroke_dasharray="6 2"),
        shape("circle", at, 7.0, fill=theme.paper, stroke=look.edge, stroke_width=1.2),
        piece(colour, at, 4.2, theme, class_="marker-piece"),
        id=f"marker-{slug(place.name)}",
        data_place=place.name,
        data_colour=colour,
    )


@lru_cache(maxsize=512)
def boom(place: Place, style: Style) -> str:
    """The boom marker on the rim: a burst whose city pays double."""
    at, theme = badge_spots(place)[0], style.theme
    burst = path(on_circle(at, BADGE if i % 2 == 0 else BADGE * 0.68, i / 20) for i in range(20))
    return group(
        "boom",
        title(style.words["boom"].format(name=place.name)),
        tag("path", d=burst, fill=theme.boom, stroke=theme.paper, stroke_width=1.0),
        text("×2", at.x, at.y + 2.8, 7.5, theme.boom_ink, font_weight="bold"),
        id="boom",
        data_place=place.name,
    )


def name_of(label: Label, theme: Theme, idle: bool) -> str:
    """A place's name; its width holds in any font, so that it stays clear of everything around it."""
    fill = theme.idle_ink if idle else theme.ink
    longest = max(len(line) for line in label.lines)
    return "".join(
        text(
            line, label.box.middle.x, label.box.y + label.size * (0.72 + 1.04 * i), label.size, fill, class_="name",
            text_anchor=None, textLength=label.box.width if len(line) == longest else None,
            lengthAdjust="spacingAndGlyphs" if len(line) == longest else None,
        )
        for i, line in enumerate(label.lines)
    )  # fmt: skip


@lru_cache(maxsize=64)
def names(style: Style, blocked: frozenset[str]) -> str:
    """The names of all places."""
    drawn = (name_of(place.label, style.theme, place.name in blocked) for place in GEOMETRY.places.values())
    return group(
        "names", *drawn, pointer_events="none", aria_hidden="true", text_anchor="middle", font_weight="bold",
        stroke=style.theme.halo, stroke_width=2.6, stroke_linejoin="round", paint_order="stroke",
    )  # fmt: skip


def described(place: Place, spot: Spot, words: Words) -> str:
    """A place in a sentence: who is there, what is free, and what lies on it."""
    if spot.blocked:
        parts = [words["blocked"]]
    elif not spot.size:
        parts = [words["no_tile"]]
    else:
        held = Counter(colour for colour in spot.spaces if colour)
        parts = [f"{words[colour]} {count}" for colour, count in held.items()] or [words["nobody"]]
        free = sum(colour is None for colour in spot.spaces)
        if spot.scored:
            parts.append(words["scored"])
        elif free and spot.kind == "city":
            parts.append(words["free"].format(count=free))
    if spot.active and spot.marked:
        parts.append(words["marker_of"].format(colour=words[spot.active]))
    if spot.active and spot.waiting:
        parts.append(words["waiting"].format(colour=words[spot.active], count=spot.waiting))
    if spot.boom:
        parts.append(words["boom_here"])
    pieces = ", ".join(parts)
    return words[spot.kind].format(name=place.name, region=spot.region, size=spot.size or "?", pieces=pieces)


@lru_cache(maxsize=KEPT)
def drawn_place(place: Place, spot: Spot, style: Style) -> str:
    """One location with its pieces."""
    if spot.blocked:
        disc = out_of_play(place, style.theme)
    elif spot.kind == "town":
        disc = town(place, spot, style.theme)
    else:
        disc = city(place, spot, style.theme)
    said = described(place, spot, style.words)
    state = "".join([" scored" * spot.scored, " blocked" * spot.blocked])
    return group(
        f"place {spot.kind}{state}",
        title(said),
        disc,
        id=f"place-{slug(place.name)}",
        data_place=place.name,
        data_region=spot.region,
        role="img",
        aria_label=said,
    )


def spot_of(name: str, row: Row, view: Row, active: str | None) -> Spot:
    """What a view says of a location."""
    waiting, marked = view["centre"].get(name, 0), name in view["markers"]
    return Spot(
        kind=row["kind"],
        region=row["region"],
        size=row["size"],
        spaces=tuple(row["spaces"]),
        scored=row["scored"],
        blocked=row["blocked"],
        waiting=waiting,
        active=active if waiting or marked else None,
        marked=marked,
        boom=view.get("boom") == name,
    )


def places(view: Row, style: Style) -> str:
    """All 45 locations, then what lies on them for the current player."""
    active = view["players"][view["current_player"]]["colour"] if view["players"] else None
    rows = view["locations"]
    drawn = [
        drawn_place(place, spot_of(name, rows[name], view, active), style) for name, place in GEOMETRY.places.items()
    ]
    extras = [marker(GEOMETRY.places[name], active, style) for name in view["markers"] if active]
    if view.get("boom"):
        extras.append(boom(GEOMETRY.places[view["boom"]], style))
    return group("places", *drawn, id="places") + group("extras", *extras, id="extras", aria_hidden="true")
