"""What belongs to regions: the plate with a tile's three values, and the region track."""

from collections.abc import Mapping
from typing import Any

from franchise.drawing.geometry import GEOMETRY, Box, Point
from franchise.drawing.markup import group, number, tag, text, title
from franchise.drawing.pieces import piece
from franchise.drawing.theme import Theme
from franchise.drawing.words import Words
from franchise.facts import BOARD

Row = Mapping[str, Any]

BAND = 15.0  # height of the coloured head of a plate
SIGNS = {"dollars": "$", "bonus": "★", "count": "#", "expansion": "»", "road": "="}


def value_text(value: int, kind: str) -> str:
    """A value as printed: influence, dollars, or what is added to the tiles on the track."""
    if kind == "dollars":
        return f"${value}"
    if kind == "count":
        return f"{value:+d}".replace("-", "−") if value else "±0"
    return str(value)


def rounded_top(box: Box, height: float, radius: float) -> str:
    """The `d` of a band with two round corners."""
    x, y, width, r = (number(v) for v in (box.x, box.y + height, box.width - 2 * radius, radius))
    side = number(height - radius)
    return f"M{x} {y}v-{side}a{r} {r} 0 0 1 {r} -{r}h{width}a{r} {r} 0 0 1 {r} {r}v{side}z"


def plate(name: str, row: Row, theme: Theme, words: Words) -> str:
    """A region's plate: its name, the values of its tile, and the piece that breaks ties."""
    box = GEOMETRY.regions[name].plate
    blocked, kind, values = row["blocked"], row["kind"] or "plain", row["values"]
    strong = theme.idle_ink if blocked else theme.regions[name].strong
    sign = "✓" if row["scored"] else SIGNS.get(kind)
    state = "".join(f" {word}" for word in ("scored", "blocked") if row[word])
    parts = [
        title(described(name, row, words)),
        tag(
            "rect", x=box.x, y=box.y, width=box.width, height=box.height, rx=5.0, fill=theme.paper, stroke=strong,
            stroke_width=1.4,
        ),
        tag("path", d=rounded_top(box, BAND, 5.0), fill=strong),
        text(
            name.upper(), box.x + 6, box.y + 10.8, 7.8, theme.paper if blocked else theme.plate_ink, font_weight="bold",
            letter_spacing=0.2, text_anchor="start",
        ),
    ]  # fmt: skip
    if sign and not blocked:
        parts.append(text(sign, box.right - 9, box.y + 11.3, 10, theme.plate_ink, font_weight="bold", class_="sign"))
    middle = box.y + (BAND + box.height) / 2
    if blocked:
        parts.append(text(words["out_of_play"], box.middle.x, middle + 3.2, 9, theme.idle_ink, font_style="italic"))
    elif values is None:
        parts.append(text("?   ?   ?", box.middle.x - 9, middle + 4, 11, theme.faint, font_weight="bold"))
    else:
        for rank, value in enumerate(values):
            size = (13.5, 11.5, 10.0)[rank]
            x = box.x + (15, 38, 58)[rank]
            parts.append(
                text(
                    value_text(value, kind),
                    x,
                    middle + size * 0.36,
                    size,
                    theme.ink,
                    font_weight="bold",
                    class_="value",
                )
            )
        parts += (
            tag("path", d=f"M{number(box.x + x)} {number(middle - 6)}v12", stroke=theme.line, stroke_width=0.6)
            for x in (28, 48)
        )
    if not blocked:
        at = Point(box.right - 12, middle)
        if row["marker"]:
            parts.append(piece(row["marker"], at, 6.0, theme, class_="tie-break"))
        else:
            parts.append(tag("circle", cx=at.x, cy=at.y, r=6.0, fill="none", stroke=theme.line, stroke_dasharray="2 2"))
    opacity = 0.74 if row["scored"] or blocked else None
    return group(f"plate{state}", *parts, data_region=name, data_kind=kind, opacity=opacity)


def described(name: str, row: Row, words: Words) -> str:
    """A region in a sentence."""
    if row["blocked"]:
        return f"{name}: {words['out_of_play']}"
    if row["values"] is None:
        return f"{name}: {words['no_tile']}"
    first, second, third = (value_text(value, row["kind"] or "plain") for value in row["values"])
    parts = [
        words["region"].format(name=name, first=first, second=second, third=third) + f" {words[row['kind'] or 'plain']}"
    ]
    if row["marker"]:
        parts.append(words["tie_break"].format(colour=words[row["marker"]]))
    if row["scored"]:
        parts.append(words["scored"])
    return "; ".join(parts)


def plates(view: Row, theme: Theme, words: Words) -> str:
    return group("plates", *(plate(name, view["regions"][name], theme, words) for name in GEOMETRY.regions))


def track(view: Row, theme: Theme, words: Words) -> str:
    """The region track with its red zone; tiles fill it from the left."""
    box = GEOMETRY.track
    width = (box.width - 16) / len(BOARD.region_track)
    parts = [
        tag("rect", x=box.x, y=box.y, width=box.width, height=box.height, rx=9.0, fill=theme.paper, stroke=theme.line),
        text(
            words["track"], box.x + 10, box.y + 15.5, 11.5, theme.ink, font_weight="bold", letter_spacing=0.8,
            text_anchor="start",
        ),
    ]  # fmt: skip
    for space, bonus in enumerate(BOARD.region_track):
        cell = Box(box.x + 8 + space * width + 1.5, box.y + 22, width - 3, box.height - 30)
        red = space + 1 >= BOARD.red_zone_from
        name = view["track"][space] if space < len(view["track"]) else None
        parts.append(track_space(cell, space, bonus, red, name, view, theme, words))
    return group("track", *parts)


def track_space(
    cell: Box, space: int, bonus: int, red: bool, name: str | None, view: Row, theme: Theme, words: Words
) -> str:
    """One space: its bonus, or the region whose tile lies there."""
    frame = theme.red_zone if red else theme.line
    said = words["space"].format(space=space + 1, value=bonus)
    filled = [title(f"{said}; {name}" if name else said)]
    fill = theme.space
    if name:
        fill = theme.idle if view["regions"][name]["blocked"] else theme.regions[name].strong
    filled.append(
        tag(
            "rect", x=cell.x, y=cell.y, width=cell.width, height=cell.height, rx=4.0, fill=fill, stroke=frame,
            stroke_width=2.2 if red else 1.0,
        )
    )  # fmt: skip
    if name is None:
        ink = theme.red_zone if red else theme.ink
        filled.append(text(str(bonus), cell.middle.x, cell.middle.y + 5, 14, ink, font_weight="bold"))
    elif view["regions"][name]["blocked"]:
        filled.append(text("–", cell.middle.x, cell.middle.y + 5, 14, theme.idle_ink, font_weight="bold"))
    else:
        lines = name.split(" ")
        for i, line in enumerate(lines):
            y = cell.middle.y + 2.4 + (i - (len(lines) - 1) / 2) * 8
            squeezed = len(line) > 8
            filled.append(
                text(
                    line, cell.middle.x, y, 7, theme.plate_ink, font_weight="bold",
                    textLength=cell.width - 3 if squeezed else None,
                    lengthAdjust="spacingAndGlyphs" if squeezed else None,
                )
            )  # fmt: skip
    return group("track-space red-zone" if red else "track-space", *filled, data_space=space + 1, data_region=name)
