"""Regions as signs on two posts: what their ranks pay, what is open, who leads."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from franchise.drawing.board_words import Words, joined
from franchise.drawing.cuts import Cut
from franchise.drawing.geometry import Box, Point, on_circle
from franchise.drawing.markup import group, number, shadow, slug, tag, text, title
from franchise.drawing.piece_shapes import piece
from franchise.drawing.style import Style
from franchise.drawing.theme import DISPLAY, Theme
from franchise.drawing.tile_signs import tile_sign
from franchise.facts import BOARD

Row = Mapping[str, Any]

CORNER = 8.0
SHORTER = 20.0  # how much shorter the plate of a scored region is
COUNT = 13.0  # font size of counts
KEPT = 2048  # drawn plates that are kept


class RegionStanding(NamedTuple):
    """Everything that a drawn plate depends on."""

    kind: str
    values: tuple[int, ...] | None
    marker: str | None
    scored: bool
    franchises: tuple[tuple[str, int], ...]  # of those present, by rank
    missing: tuple[str, ...]
    two: bool  # with two players, the second value does not count (RULES 2.18)


class PlateSizes(NamedTuple):
    """The measures of a plate of one size."""

    head: float  # height of the coloured head
    name: float  # font size
    middle: float  # from the head to the middle of the values
    values: tuple[tuple[float, float], ...]  # position and font size of each value
    bars: tuple[float, float]  # between them
    tie_break: float
    foot: float  # from the bottom to the middle of the standings


LARGE = PlateSizes(18, 12, 11.5, ((18, 19), (46, 15.5), (69, 14)), (33, 58), 90, 9.8)
SMALL = PlateSizes(16.5, 11, 10.8, ((16, 17), (42, 14.5), (63, 13)), (30, 53), 80, 9.4)


def value_text(value: int, kind: str, words: Words) -> str:
    """A value as printed: influence, dollars, or what is added to the tiles on the track."""
    if kind == "dollars":
        return words["money"].format(amount=value).replace("\xa0", "")  # there is no room for a space
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
    return tuple(sorted(((c, franchises[c]) for c in clockwise if franchises[c]), key=lambda share: -share[1]))


def standing_of(row: Row) -> RegionStanding:
    """What a view says about a region."""
    return RegionStanding(
        kind=row["kind"] or "plain",
        values=tuple(row["values"]) if row["values"] else None,
        marker=row["marker"],
        scored=row["scored"],
        franchises=ranked(row["franchises"], row["marker"]),
        missing=tuple(row["missing"]),
        two=len(row["franchises"]) == 2,
    )


def plate_box(cut: Cut, name: str, scored: bool) -> Box:
    """Where a region's plate is."""
    box = cut.plates[name]
    return Box(box.x, box.y, box.width, box.height - SHORTER) if scored else box


@lru_cache(maxsize=KEPT)
def plate(cut: Cut, name: str, row: RegionStanding, style: Style) -> str:
    """A region's plate: name, values, tie-break piece, what is missing to score it, and who is there."""
    box, sizes, theme, key = plate_box(cut, name, row.scored), LARGE if cut.large else SMALL, style.theme, slug(name)
    label = described(name, row, style.words)
    strong = theme.regions[name].strong
    posts = "".join(f"M{number(box.x + box.width * share)} {number(box.bottom)}v7" for share in (0.24, 0.76))
    parts = [
        title(label),
        tag("path", d=posts, stroke=theme.rule, stroke_width=3.0),
        shadow(box, CORNER, theme, 2.0),
        tag(
            "rect", x=box.x, y=box.y, width=box.width, height=box.height, rx=CORNER, class_="board",
            fill=theme.closed if row.scored else theme.paper, stroke=strong, stroke_width=1.8,
        ),
        tag("path", d=rounded_top(box, sizes.head, CORNER), fill=strong),
        text(
            name.upper(), box.x + (6 if row.scored else 8), box.y + sizes.head - 5, sizes.name, theme.plate_ink,
            font_weight="bold", letter_spacing=0.0 if row.scored else 0.3, text_anchor="start", class_="head",
        ),
    ]  # fmt: skip
    if row.scored:
        parts.append(
            text("✓", box.right - 4, box.y + sizes.head - 4.6, sizes.name, theme.plate_ink, text_anchor="end",
                 font_weight="bold", class_="done")
        )  # fmt: skip
        middle = box.y + sizes.head + (box.height - sizes.head) / 2
    else:
        line = box.y + sizes.head + sizes.middle
        parts += (
            values(box, line, row, sizes, style),
            tie_break(Point(box.x + sizes.tie_break, line), key, row, theme),
        )
        parts.append(progress(Point(box.right - 15, line), name, row, theme))
        middle = box.bottom - sizes.foot
        rule = f"M{number(box.x + 6)} {number(middle - 9.6)}H{number(box.right - 6)}"
        parts.append(tag("path", d=rule, stroke=theme.line))
    parts.append(standings(box, middle, key, row, style))
    if row.kind != "plain" and not row.scored:
        parts.append(tile_sign(row.kind, Point(box.right - 3, box.y + 1), 12.0, theme))
    return group(
        "plate scored" if row.scored else "plate",
        *parts,
        id=f"region-{key}",
        data_region=name,
        data_kind=row.kind,
        role="img",
        aria_label=label,
    )


def values(box: Box, middle: float, row: RegionStanding, sizes: PlateSizes, style: Style) -> str:
    """The three values of the tile, or question marks if there is none yet."""
    theme = style.theme
    if row.values is None:
        return text("?  ?  ?", box.x + sizes.values[1][0], middle + 6, 17, theme.faint, font_family=DISPLAY)
    ink = {"dollars": theme.gain, "count": theme.active}.get(row.kind, theme.ink)
    written = []
    for value, (x, size) in zip(row.values, sizes.values, strict=True):
        fitting = min(size, 15.5) if row.kind == "dollars" else size
        written.append(
            tag("text", value_text(value, row.kind, style.words), x=box.x + x, y=middle + fitting * 0.36,
                font_size=fitting, class_="value")
        )  # fmt: skip
    bars = "".join(f"M{number(box.x + x)} {number(middle - 7)}v14" for x in sizes.bars)
    lines = tag("path", d=bars, stroke=theme.line, stroke_width=1.2)
    if row.two:
        x = box.x + sizes.values[1][0]
        strike = f"M{number(x - 9)} {number(middle + 6)}L{number(x + 10)} {number(middle - 6)}"
        lines += tag("path", d=strike, stroke=theme.red_zone, stroke_width=2.2, stroke_linecap="round", class_="void")
    return group("values", *written, fill=ink, text_anchor="middle", font_family=DISPLAY) + lines


def tie_break(at: Point, key: str, row: RegionStanding, theme: Theme) -> str:
    """The piece beside the tile, or the spot it will take."""
    if row.marker:
        return piece(row.marker, at, 5.6, theme, class_="tie-break", id=f"tie-{key}")
    return tag("circle", cx=at.x, cy=at.y, r=5.6, fill="none", stroke=theme.rule, stroke_dasharray="2 2")


def progress(at: Point, name: str, row: RegionStanding, theme: Theme) -> str:
    """A ring that closes as locations are done, around the number of those still open."""
    total = sum(BOARD.regions[location.region].name == name for location in BOARD.locations)
    done = 1 - len(row.missing) / total
    end = on_circle(at, 9, min(done, 0.999))
    arc = f"M{number(at.x)} {number(at.y - 9)}A9 9 0 {int(done > 0.5)} 1 {number(end.x)} {number(end.y)}"
    return group(
        "open",
        tag("circle", cx=at.x, cy=at.y, r=9, fill="none", stroke=theme.line, stroke_width=2.6),
        tag("path", d=arc, fill="none", stroke=theme.regions[name].ring, stroke_width=2.6) if done else "",
        text(str(len(row.missing)), at.x, at.y + 4.7, COUNT, theme.ink, font_weight="bold"),
        id=f"open-{slug(name)}",
        data_count=len(row.missing),
    )


def standings(box: Box, middle: float, key: str, row: RegionStanding, style: Style) -> str:
    """The foot of a plate: who has how many franchises in the region, leaders first."""
    theme, parts = style.theme, []
    if not row.franchises:
        parts.append(
            text(style.words["nobody"], box.middle.x, middle + 4, 12 if box.width > 120 else 11, theme.faint,
                 font_style="italic")
        )  # fmt: skip
    step = min(27.0, (box.width - 8) / max(4, len(row.franchises)))
    for rank, (colour, count) in enumerate(row.franchises):
        x = box.x + 12 + rank * step
        number_of = text(
            str(count), x + 7, middle + 4.6, COUNT, theme.ink, text_anchor="start", font_weight="bold", class_="count"
        )
        parts.append(
            group(
                "standing",
                piece(colour, Point(x, middle), 5.0, theme, class_="standing-piece", shadow=False),
                number_of,
                id=f"standing-{key}-{colour}",
                data_colour=colour,
            )
        )
    return group("standings", *parts, id=f"standings-{key}")


def described(name: str, row: RegionStanding, words: Words) -> str:
    """A region in a sentence: what it is worth, who is there, what is missing."""
    if row.values is None:
        parts = [words["no_tile"].format(name=name)]
    else:
        first, second, third = (value_text(value, row.kind, words) for value in row.values)
        parts = [words["region"].format(name=name, first=first, second=second, third=third) + f" {words[row.kind]}"]
    if row.marker:
        parts.append(words["tie_break"].format(colour=words[row.marker]))
    if row.franchises:
        standings = ", ".join(f"{words[colour]} {count}" for colour, count in row.franchises)
        parts.append(words["standings"].format(pieces=standings))
    if row.scored:
        parts.append(words["scored"])
    elif row.missing:
        parts.append(words["missing"].format(count=len(row.missing), names=", ".join(row.missing)))
    return joined(parts, words)


def plate_groups(
    cut: Cut, view: Row, style: Style, before: Row | None = None, drawn: Mapping[str, str] | None = None
) -> dict[str, str]:
    """The plates of all regions in play, each by its id.

    With what was `drawn` of the view `before`: regions whose rows are the very same objects look as they did there.
    """
    rows = view["regions"]
    if before is None or drawn is None:
        return {f"region-{slug(name)}": plate(cut, name, standing_of(rows[name]), style) for name in cut.plates}
    known = before["regions"]
    return {
        key: markup if rows[name] is known[name] else plate(cut, name, standing_of(rows[name]), style)
        for name, (key, markup) in zip(cut.plates, drawn.items(), strict=True)
    }


def plates(cut: Cut, view: Row, style: Style) -> str:
    """The plates of all regions in play."""
    return group("plates", *plate_groups(cut, view, style).values(), id="plates")
