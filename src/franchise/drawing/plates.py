"""What belongs to regions: the plate with a tile's three values, and the region track."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from franchise.drawing.board_words import Words
from franchise.drawing.geometry import GEOMETRY, Box, Point, on_circle
from franchise.drawing.markup import group, number, sign, slug, tag, text, title
from franchise.drawing.piece_shapes import piece
from franchise.drawing.style import Style
from franchise.drawing.theme import Theme
from franchise.facts import BOARD

Row = Mapping[str, Any]

BAND = 15.0  # height of the coloured head of a plate
FOOT = 17.0  # height of the standings
KEPT = 2048  # drawn plates remembered


class RegionStanding(NamedTuple):
    """All that a drawn plate depends on."""

    kind: str
    values: tuple[int, ...] | None
    marker: str | None
    scored: bool
    blocked: bool
    franchises: tuple[tuple[str, int], ...]  # of those present, by rank
    missing: tuple[str, ...]


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


def ranked(franchises: Mapping[str, int], marker: str | None) -> tuple[tuple[str, int], ...]:
    """Who is present in a region, most first; ties from the owner of the tie-break piece clockwise (RULES 2.19)."""
    seats = list(franchises)
    first = seats.index(marker) if marker in seats else 0
    clockwise = seats[first:] + seats[:first]
    return tuple(sorted(((c, franchises[c]) for c in clockwise if franchises[c]), key=lambda held: -held[1]))


def standing_of(row: Row) -> RegionStanding:
    """What a view says of a region."""
    return RegionStanding(
        kind=row["kind"] or "plain",
        values=tuple(row["values"]) if row["values"] else None,
        marker=row["marker"],
        scored=row["scored"],
        blocked=row["blocked"],
        franchises=ranked(row["franchises"], row["marker"]),
        missing=tuple(row["missing"]),
    )


@lru_cache(maxsize=KEPT)
def plate(name: str, row: RegionStanding, style: Style) -> str:
    """A region's plate: name, values, tie-break piece, what is missing to score it, and who stands there."""
    box, theme, key = GEOMETRY.regions[name].plate, style.theme, slug(name)
    strong = theme.idle_ink if row.blocked else theme.regions[name].strong
    ink = theme.paper if row.blocked else theme.plate_ink
    body = theme.idle if row.blocked else theme.closed if row.scored else theme.paper
    said = described(name, row, style.words)
    parts = [
        title(said),
        tag(
            "rect", x=box.x, y=box.y, width=box.width, height=box.height, rx=5.0, fill=body, stroke=strong,
            stroke_width=1.4,
        ),
        tag("path", d=rounded_top(box, BAND, 5.0), fill=strong),
        text(
            name.upper(), box.x + 6, box.y + 10.8, 8.2, ink, font_weight="bold", letter_spacing=0.2,
            text_anchor="start",
        ),
    ]  # fmt: skip
    if row.kind in SIGNS and not row.blocked:
        parts.append(text(SIGNS[row.kind], box.right - 9, box.y + 11.3, 10, ink, font_weight="bold", class_="sign"))
    if row.blocked:
        middle = box.y + (BAND + box.height) / 2
        parts.append(text(style.words["out_of_play"], box.middle.x, middle + 3.2, 10, theme.ink, font_style="italic"))
    else:
        middle = (box.y + BAND + box.bottom - FOOT) / 2
        parts += (values(box, middle, row, theme), tie_break(Point(box.x + 67, middle), key, row, theme))
        parts += (progress(Point(box.right - 11.5, middle), name, row, theme), standings(box, key, row, style))
    state = "".join([" scored" * row.scored, " blocked" * row.blocked])
    return group(
        f"plate{state}",
        *parts,
        id=f"region-{key}",
        data_region=name,
        data_kind=row.kind,
        role="img",
        aria_label=said,
    )


def values(box: Box, middle: float, row: RegionStanding, theme: Theme) -> str:
    """The three values of the tile, or that there is none yet."""
    if row.values is None:
        return text("?   ?   ?", box.x + 32, middle + 4, 11, theme.faint, font_weight="bold")
    written = [
        tag(
            "text", value_text(value, row.kind), x=box.x + x, y=middle + size * 0.36, font_size=size, class_="value"
        )
        for value, x, size in zip(row.values, (14, 33.5, 50), (13.5, 11.5, 10.0), strict=True)
    ]  # fmt: skip
    lines = "".join(f"M{number(box.x + x)} {number(middle - 6)}v12" for x in (24.5, 42.0))
    return group("values", *written, fill=theme.ink, font_weight="bold", text_anchor="middle") + tag(
        "path", d=lines, stroke=theme.line, stroke_width=0.6
    )


def tie_break(at: Point, key: str, row: RegionStanding, theme: Theme) -> str:
    """The piece beside the tile, or the spot it will take."""
    if row.marker:
        return piece(row.marker, at, 5.8, theme, class_="tie-break", id=f"tie-{key}")
    return tag("circle", cx=at.x, cy=at.y, r=5.8, fill="none", stroke=theme.line, stroke_dasharray="2 2")


def progress(at: Point, name: str, row: RegionStanding, theme: Theme) -> str:
    """A ring that closes as locations are done, around the number of those still open."""
    strong, key = theme.regions[name].strong, f"open-{slug(name)}"
    if row.scored or not row.missing:
        mark = text("✓", at.x, at.y + 3.8, 11, theme.plate_ink, font_weight="bold")
        return group("open", tag("circle", cx=at.x, cy=at.y, r=7.6, fill=strong), mark, id=key, data_count=0)
    total = sum(BOARD.regions[location.region].name == name for location in BOARD.locations)
    done = 1 - len(row.missing) / total
    end = on_circle(at, 7.4, done)
    arc = f"M{number(at.x)} {number(at.y - 7.4)}A7.4 7.4 0 {int(done > 0.5)} 1 {number(end.x)} {number(end.y)}"
    return group(
        "open",
        tag("circle", cx=at.x, cy=at.y, r=7.4, fill=theme.space, stroke=theme.line, stroke_width=0.9),
        tag("path", d=arc, fill="none", stroke=theme.hub, stroke_width=2.6) if done else "",
        text(str(len(row.missing)), at.x, at.y + 3.2, 9, theme.ink, font_weight="bold"),
        id=key,
        data_count=len(row.missing),
    )


def standings(box: Box, key: str, row: RegionStanding, style: Style) -> str:
    """The foot of a plate: who has how many franchises in the region, leaders first."""
    theme, middle = style.theme, box.bottom - FOOT / 2
    parts = [tag("path", d=f"M{number(box.x + 5)} {number(box.bottom - FOOT)}h{number(box.width - 10)}",
                 stroke=theme.line, stroke_width=0.6)]  # fmt: skip
    if not row.franchises:
        parts.append(text(style.words["nobody"], box.middle.x, middle + 2.6, 8, theme.faint, font_style="italic"))
    step = (box.width - 8) / max(4, len(row.franchises))
    for rank, (colour, count) in enumerate(row.franchises):
        x = box.x + 10 + rank * step
        number_of = text(
            str(count), x + 5.4, middle + 3.1, 8.8, theme.ink, text_anchor="start", font_weight="bold", class_="count"
        )
        parts.append(
            group(
                "standing",
                piece(colour, Point(x, middle), 4.0, theme, class_="standing-piece"),
                number_of,
                id=f"standing-{key}-{colour}",
                data_colour=colour,
            )
        )
    return group("standings", *parts, id=f"standings-{key}")


def described(name: str, row: RegionStanding, words: Words) -> str:
    """A region in a sentence: what it is worth, who stands there, what is missing."""
    if row.blocked:
        return f"{name}: {words['out_of_play']}"
    if row.values is None:
        parts = [f"{name}: {words['no_tile']}"]
    else:
        first, second, third = (value_text(value, row.kind) for value in row.values)
        parts = [words["region"].format(name=name, first=first, second=second, third=third) + f" {words[row.kind]}"]
    if row.marker:
        parts.append(words["tie_break"].format(colour=words[row.marker]))
    if row.franchises:
        held = ", ".join(f"{words[colour]} {count}" for colour, count in row.franchises)
        parts.append(words["standings"].format(pieces=held))
    if row.scored:
        parts.append(words["scored"])
    elif row.missing:
        parts.append(words["missing"].format(count=len(row.missing), names=", ".join(row.missing)))
    return "; ".join(parts)


def plates(view: Row, style: Style) -> str:
    drawn = (plate(name, standing_of(view["regions"][name]), style) for name in GEOMETRY.regions)
    return group("plates", *drawn, id="plates")


def track(view: Row, style: Style) -> str:
    """The region track with its red zone; tiles fill it from the left."""
    blocked = frozenset(name for name in view["track"] if view["regions"][name]["blocked"])
    return drawn_track(tuple(view["track"]), blocked, style)


@lru_cache(maxsize=512)
def drawn_track(tiles: tuple[str, ...], blocked: frozenset[str], style: Style) -> str:
    box, theme, words = GEOMETRY.track, style.theme, style.words
    width = (box.width - 16) / len(BOARD.region_track)
    parts = [
        sign(box, theme.paper, theme.line),
        text(
            words["track"], box.x + 10, box.y + 15.5, 11.5, theme.ink, font_weight="bold", letter_spacing=0.8,
            text_anchor="start",
        ),
    ]  # fmt: skip
    parts.append(
        text(
            words["red_zone"], box.right - 10, box.y + 15.2, 9.5, theme.red_zone, font_weight="bold", text_anchor="end",
        )
    )  # fmt: skip
    for space, bonus in enumerate(BOARD.region_track):
        cell = Box(box.x + 8 + space * width + 1.5, box.y + 22, width - 3, box.height - 30)
        red = space + 1 >= BOARD.red_zone_from
        name = tiles[space] if space < len(tiles) else None
        parts.append(track_space(cell, space, bonus, red, name, name in blocked, theme, words))
    return group("track", *parts, id="track")


def track_space(
    cell: Box,
    space: int,
    bonus: int,
    red: bool,
    name: str | None,
    blocked: bool,
    theme: Theme,
    words: Words,
) -> str:
    """One space: its bonus, or the region whose tile lies there."""
    frame = theme.red_zone if red else theme.line
    said = words["space"].format(space=space + 1, value=bonus)
    said += (f"; {words['red_zone']}" if red else "") + (f"; {name}" if name else "")
    filled = [title(said)]
    fill = theme.space
    if name:
        fill = theme.idle if blocked else theme.regions[name].strong
    filled.append(
        tag(
            "rect", x=cell.x, y=cell.y, width=cell.width, height=cell.height, rx=4.0, fill=fill, stroke=frame,
            stroke_width=2.2 if red else 1.0,
        )
    )  # fmt: skip
    if name is None:
        ink = theme.red_zone if red else theme.ink
        filled.append(text(str(bonus), cell.middle.x, cell.middle.y + 5, 14, ink, font_weight="bold"))
    elif blocked:
        filled.append(text("–", cell.middle.x, cell.middle.y + 5, 14, theme.ink, font_weight="bold"))
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
    class_ = "track-space red-zone" if red else "track-space"
    return group(
        class_, *filled, id=f"track-{space + 1}", data_space=space + 1, data_region=name, role="img", aria_label=said
    )
