"""Towns and cities: their spaces, pieces, centre, markers."""

import math
from collections import Counter
from collections.abc import Mapping
from functools import cache
from typing import Any

from franchise.drawing.geometry import GEOMETRY, Label, Place, Point, on_circle
from franchise.drawing.markup import Value, group, number, path, tag, text, title
from franchise.drawing.pieces import piece, shape
from franchise.drawing.theme import THEMES, Theme
from franchise.drawing.words import Words

Row = Mapping[str, Any]

HUB = 0.3  # of a city's radius
BADGE = 9.5  # radius of what lies on a rim


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


def spaces(place: Place, row: Row, theme: Theme) -> str:
    """The spaces of a city clockwise from twelve o'clock: pieces, and numbers where none stands yet."""
    size = row["size"]
    slices, contents = [], []
    for space, colour in enumerate(row["spaces"]):
        at, room = seat_of(place, space, size)
        slices.append(
            tag(
                "path", d=sector(place, space, size), class_="space", data_space=space + 1,
                fill=theme.first_space if space == 0 else theme.space, stroke=theme.line, stroke_width=0.8,
            )
        )  # fmt: skip
        if colour:
            contents.append(piece(colour, at, room, theme))
        else:
            type_size = 9.0 if size < 7 else 8.2
            contents.append(
                text(
                    str(space_number(space, size)), at.x, at.y + type_size * 0.35, type_size, theme.ink, class_="number"
                )
            )
    return "".join(slices + contents)


def hub(place: Place, row: Row, waiting: int, colour: str | None, theme: Theme, words: Words) -> str:
    """The centre of a city: its value, or what waits there to be opened."""
    radius = place.radius * HUB + 0.6
    if waiting and colour:
        look = theme.pieces[colour]
        return group(
            "centre waiting",
            title(words["centre"].format(count=waiting, name=place.name)),
            shape("circle", place.at, radius + 1.6, fill=look.fill, stroke=look.edge, stroke_width=1.1),
            text(f"+{waiting}", place.at.x - 0.4, place.at.y + 3.2, 9, look.ink, font_weight="bold"),
            data_count=waiting,
            data_colour=colour,
        )
    return group(
        "centre",
        shape("circle", place.at, radius, fill=theme.hub),
        text(str(row["size"]), place.at.x, place.at.y + 3.2, 9, theme.hub_ink, font_weight="bold"),
    )


def city(place: Place, row: Row, waiting: int, colour: str | None, theme: Theme, words: Words) -> str:
    """A city's disc: open, closed by its scoring, or still without a tile."""
    x, y, r = place.at.x, place.at.y, place.radius
    rim = tag("circle", cx=x, cy=y, r=r, fill="none", stroke=theme.ink, stroke_width=1.5, class_="rim")
    if row["scored"]:
        size = len(row["spaces"])
        held = (piece(owner, *seat_of(place, space, size), theme) for space, owner in enumerate(row["spaces"]) if owner)
        return (
            tag("circle", cx=x, cy=y, r=r, fill=theme.closed, stroke=theme.ink, stroke_width=1.5, class_="rim")
            + tag("circle", cx=x, cy=y, r=r - 2.6, fill="none", stroke=theme.paper, stroke_width=0.9)
            + shape("cross", place.at, r * 0.2, fill=theme.paper, opacity=0.9)
            + "".join(held)
        )
    if not row["size"]:
        return tag(
            "circle", cx=x, cy=y, r=r, fill=theme.space, stroke=theme.line, stroke_width=1.5, stroke_dasharray="4 3"
        ) + text("?", x, y + 5, 14, theme.faint, font_weight="bold")
    return spaces(place, row, theme) + rim + hub(place, row, waiting, colour, theme, words)


def town(place: Place, row: Row, theme: Theme) -> str:
    """A ring; its only space takes one piece."""
    x, y, r = place.at.x, place.at.y, place.radius
    ring = tag("circle", cx=x, cy=y, r=r - 1, fill=theme.space, stroke=theme.ink, stroke_width=2.0, class_="rim")
    owner = row["spaces"][0] if row["spaces"] else None
    return ring + (piece(owner, place.at, r * 0.6, theme) if owner else "")


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


def marker(place: Place, colour: str, theme: Theme, words: Words) -> str:
    """An expansion marker: a dashed halo and the player's shape on a badge."""
    look = theme.pieces[colour]
    at = place.at if place.radius < 12 else badge_spots(place)[1]
    halo: dict[str, Value] = {"cx": place.at.x, "cy": place.at.y, "r": place.radius - 0.4, "fill": "none"}
    return group(
        "marker",
        title(words["marker"].format(name=place.name)),
        tag("circle", **halo, stroke=look.edge, stroke_width=3.8),
        tag("circle", **halo, stroke=look.fill, stroke_width=2.4, stroke_dasharray="6 2"),
        shape("circle", at, 7.0, fill=theme.paper, stroke=look.edge, stroke_width=1.2),
        piece(colour, at, 4.2, theme, class_="marker-piece"),
        data_place=place.name,
        data_colour=colour,
    )


def boom(place: Place, theme: Theme, words: Words) -> str:
    """The boom marker on the rim: a burst whose city pays double."""
    at = badge_spots(place)[0]
    burst = path(on_circle(at, BADGE if i % 2 == 0 else BADGE * 0.68, i / 20) for i in range(20))
    return group(
        "boom",
        title(words["boom"].format(name=place.name)),
        tag("path", d=burst, fill=theme.boom, stroke=theme.paper, stroke_width=1.0),
        text("×2", at.x, at.y + 2.8, 7.5, theme.boom_ink, font_weight="bold"),
        data_place=place.name,
    )


def name_of(label: Label, theme: Theme, idle: bool) -> str:
    """A place's name; its width holds in any font, so that it stays clear of everything around it."""
    fill = theme.idle_ink if idle else theme.ink
    longest = max(len(line) for line in label.lines)
    return "".join(
        text(
            line, label.box.middle.x, label.box.y + label.size * (0.72 + 1.04 * i), label.size, fill, class_="name",
            font_weight="bold", textLength=label.box.width if len(line) == longest else None,
            lengthAdjust="spacingAndGlyphs" if len(line) == longest else None,
            stroke=theme.halo, stroke_width=2.6, stroke_linejoin="round", paint_order="stroke",
        )
        for i, line in enumerate(label.lines)
    )  # fmt: skip


@cache
def names(theme_name: str, blocked: frozenset[str]) -> str:
    """The names of all places."""
    drawn = (name_of(place.label, THEMES[theme_name], place.name in blocked) for place in GEOMETRY.places.values())
    return group("names", *drawn, pointer_events="none")


def described(place: Place, row: Row, words: Words) -> str:
    """A place in a sentence."""
    if row["blocked"]:
        pieces = words["blocked"]
    elif not row["size"]:
        pieces = words["no_tile"]
    else:
        held = Counter(colour for colour in row["spaces"] if colour)
        parts = [f"{words[colour]} {count}" for colour, count in held.items()] or [words["nobody"]]
        free = sum(colour is None for colour in row["spaces"])
        if row["scored"]:
            parts.append(words["scored"])
        elif free and row["kind"] == "city":
            parts.append(words["free"].format(count=free))
        pieces = ", ".join(parts)
    return words[row["kind"]].format(name=place.name, region=row["region"], size=row["size"], pieces=pieces)


def places(view: Row, theme: Theme, words: Words) -> str:
    """All 45 locations, then what lies on them for the current player."""
    active = view["players"][view["current_player"]]["colour"] if view["players"] else None
    centre, drawn = view.get("centre") or {}, []
    for place in GEOMETRY.places.values():
        row = view["locations"][place.name]
        state = "".join(f" {word}" for word in ("scored", "blocked") if row[word])
        if row["blocked"]:
            disc = out_of_play(place, theme)
        elif row["kind"] == "town":
            disc = town(place, row, theme)
        else:
            disc = city(place, row, centre.get(place.name, 0), active, theme, words)
        drawn.append(
            group(
                f"place {row['kind']}{state}",
                title(described(place, row, words)),
                disc,
                data_place=place.name,
                data_region=row["region"],
            )
        )
    extras = [marker(GEOMETRY.places[name], active, theme, words) for name in view.get("markers") or () if active]
    if view.get("boom"):
        extras.append(boom(GEOMETRY.places[view["boom"]], theme, words))
    return group("places", *drawn) + group("extras", *extras)
