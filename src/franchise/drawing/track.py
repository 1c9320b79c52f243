"""The region track: the tiles of scored regions from the left, the bonuses that remain, the red zone."""

from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from typing import Any

from franchise.drawing.board_words import joined
from franchise.drawing.cuts import Cut
from franchise.drawing.geometry import Box
from franchise.drawing.land import ART
from franchise.drawing.markup import Value, board_sign, group, number, tag, text, title
from franchise.drawing.style import Style
from franchise.drawing.theme import DISPLAY, Theme
from franchise.facts import BOARD

Row = Mapping[str, Any]

GAP = 3.0  # between two spaces
ZONE = 6.0  # before the red zone
BULBS = (12, 5)  # along a long and a short side of the red zone
ALARM_FROM = BOARD.red_zone_from - 2  # from this many tiles on the track, the game may end this round
SHORT = {  # names of regions as they fit on a tile
    "California": "CAL", "Grand Canyon": "CANY", "Upper West": "WEST", "Montana": "MONT", "Great Lakes": "LAKE",
    "New York": "N.Y.", "Washington": "WASH", "Florida": "FLA", "Central": "CENT", "Texas": "TEX",
}  # fmt: skip


@cache
def track_spaces(cut: Cut) -> tuple[Box, ...]:
    """Where the spaces are."""
    box, count = cut.track, len(BOARD.region_track)
    top, room = (24.0, 32.0) if cut.large else (21.0, 27.0)
    width = (box.width - 16 - (count - 1) * GAP - ZONE) / count
    return tuple(
        Box(
            box.x + 8 + space * (width + GAP) + (ZONE if space + 1 >= BOARD.red_zone_from else 0),
            box.y + top,
            width,
            box.height - room,
        )
        for space in range(count)
    )


def track(cut: Cut, view: Row, style: Style) -> str:
    """The track with its tiles."""
    blocked = frozenset(name for name in view["track"] if view["regions"][name]["blocked"])
    return drawn_track(cut, tuple(view["track"]), blocked, style)


@lru_cache(maxsize=512)
def drawn_track(cut: Cut, tiles: tuple[str, ...], blocked: frozenset[str], style: Style) -> str:
    box, theme, words = cut.track, style.theme, style.words
    size, line = (12.5, box.y + 14.5) if cut.large else (11.2, box.y + 12.5)  # above the bulbs
    bold = {"font_weight": "bold"}
    over_bulbs: dict[str, Value] = {**bold, "stroke": theme.paper, "stroke_width": 3.4, "paint_order": "stroke"}
    parts = [
        board_sign(box, theme),
        lit_zone(cut, style.theme) if len(tiles) >= ALARM_FROM else "",
        text(words["track"], box.x + 10, line, size, theme.ink, text_anchor="start", **bold),
        text(words["red_zone_short"], box.right - 10, line, size, theme.red_zone, text_anchor="end", **over_bulbs),
    ]
    for space, cell in enumerate(track_spaces(cut)):
        name = tiles[space] if space < len(tiles) else None
        parts.append(track_space(cut, cell, space, name, name in blocked, space == len(tiles), style))
    return group("track", *parts, id="track")


def fitted(name: str, width: float) -> dict[str, Value]:
    """Attributes that make the short name of a region fit on a tile."""
    narrow = len(SHORT[name]) < 4 or not SHORT[name].isalpha()
    return {} if narrow else {"textLength": width, "lengthAdjust": "spacingAndGlyphs"}


def lit_zone(cut: Cut, theme: Theme) -> str:
    """The red zone framed with bulbs: the game may end this round."""
    cells = track_spaces(cut)[BOARD.red_zone_from - 1 :]
    left, right = cells[0].x, cells[-1].right
    box = Box(left, cells[0].y, right - left, cells[0].height).grown(4)
    across, down = (
        [start + length * i / count for i in range(count + 1)]
        for start, length, count in ((box.x, box.width, BULBS[0]), (box.y, box.height, BULBS[1]))
    )
    spots = [(x, y) for x in across for y in (box.y, box.bottom)]
    spots += [(x, y) for y in down[1:-1] for x in (box.x, box.right)]
    dots = "".join(f"M{number(x)} {number(y)}h0" for x, y in spots)
    return group(
        "alarm",
        tag("rect", x=box.x, y=box.y, width=box.width, height=box.height, rx=8.0, fill=theme.red_zone),
        tag("path", d=dots, stroke=theme.red_zone, stroke_width=6.4, stroke_linecap="round"),
        tag("path", d=dots, stroke=theme.bulb, stroke_width=4.4, stroke_linecap="round", class_="bulbs"),
    )


def landing(cut: Cut, view: Row, regions: Iterable[str], theme: Theme) -> str:
    """The tiles that the end of the turn will put on the track, dashed in their spaces."""
    taken = len(view["track"])
    drawn = []
    for cell, bonus, name in zip(track_spaces(cut)[taken:], BOARD.region_track[taken:], regions, strict=False):
        x, y, width, height = cell
        drawn.append(
            tag(
                "rect", x=x, y=y, width=width, height=height, rx=5.0, fill=theme.regions[name].strong,
                stroke=theme.plate_ink, stroke_width=2.0, stroke_dasharray="4 2.5",
            )
        )  # fmt: skip
        drawn.append(
            text(
                SHORT[name], cell.middle.x, cell.y + height * 0.86, 12 if cut.large else 11, theme.plate_ink,
                font_weight="bold", **fitted(name, width - 5),
            )
        )  # fmt: skip
        value = f"+{bonus}" if bonus else "0"
        drawn.append(text(value, cell.middle.x, cell.y + height * 0.46, 13, theme.plate_ink, font_family=DISPLAY))
    return group("landing", *drawn, aria_hidden="true") if drawn else ""


def track_space(cut: Cut, cell: Box, space: int, name: str | None, blocked: bool, is_next: bool, style: Style) -> str:
    """One space: its bonus, or the region whose tile is there, face down if it is out of play."""
    theme, words = style.theme, style.words
    bonus, red = BOARD.region_track[space], space + 1 >= BOARD.red_zone_from
    parts = (words["space"].format(space=space + 1, value=bonus), words["red_zone"] if red else "", name or "")
    label = joined([part for part in parts if part], words)
    middle = cell.middle.x

    def tile(fill: str, stroke: str | None = None, width: float = 1.2, inset: float = 0.0) -> str:
        x, y, across, down = cell.grown(-inset)
        return tag(
            "rect", x=x, y=y, width=across, height=down, rx=5.0 - inset * 0.66, fill=fill, stroke=stroke,
            stroke_width=width if stroke else None,
        )  # fmt: skip

    drawn = [title(label)]
    if name is None:
        fill = theme.first_space if is_next else theme.red_space if red else theme.paper
        ink = theme.ink if is_next or not red else theme.red_zone
        drawn.append(tile(fill, theme.red_zone if red else theme.rule, 2.2 if red else 2.0 if is_next else 1.2))
        size = 16 if cut.large else 14.5
        drawn.append(text(f"+{bonus}" if bonus else "0", middle, cell.middle.y + 6, size, ink, font_family=DISPLAY))
    elif blocked:
        drawn += (tile(theme.closed, theme.closed_rim), tile(f"url(#{ART}hatch)", inset=3))
    else:
        drawn.append(tile(theme.regions[name].strong, theme.red_zone if red else None, 2.2))
        drawn.append(text("✓", middle, cell.y + cell.height * 0.46, 13, theme.plate_ink, font_weight="bold"))
        drawn.append(
            text(
                SHORT[name], middle, cell.y + cell.height * 0.86, 12 if cut.large else 11, theme.plate_ink,
                font_weight="bold", **fitted(name, cell.width - 4),
            )
        )  # fmt: skip
    return group(
        "track-space red-zone" if red else "track-space", *drawn, id=f"track-{space + 1}", data_space=space + 1,
        data_region=name, role="img", aria_label=label,
    )  # fmt: skip
