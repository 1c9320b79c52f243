"""The land: sea, ten regions, the lines between them and between their states, and what is out of play."""

from collections import Counter
from functools import cache, lru_cache

from franchise.drawing.cuts import Cut
from franchise.drawing.geometry import GEOMETRY, Point
from franchise.drawing.markup import group, number, path, slug, tag, text
from franchise.drawing.scenery import compass, scenery, ships
from franchise.drawing.style import Style
from franchise.drawing.theme import DISPLAY, NONE, Theme

ART = "art-"  # prefix of every id that only the drawing itself refers to
STARS = 90
SHORES = (("shore", 40.0), ("wave", 25.0), ("shore", 22.6))  # lines along the coast, the widest below
NEON = ((22.0, 0.1), (14.0, 0.14), (8.0, 0.22), (4.4, 0.4))  # widths and strengths of the light around the coast
CLIFF = (3.0, 6.0)  # right and down: the shadow of the land on the sea
VEIL = 0.55  # over a scored region


@cache
def uses() -> dict[int, int]:
    """How many regions each arc borders: one along the coast and the frontier, two inland."""
    return Counter(max(arc, ~arc) for region in GEOMETRY.regions.values() for ring in region.rings for arc in ring)


def bordering(regions: int) -> tuple[int, ...]:
    """The arcs that border so many regions."""
    return tuple(arc for arc, count in uses().items() if count == regions)


def rounded(cut: Cut, at: Point) -> Point:
    """A point of the map on the picture; a tenth of a pixel is fine enough for land."""
    x, y = cut.point(at)
    return Point(round(x, 1), round(y, 1))


def outline(cut: Cut, region: str) -> str:
    """The `d` of a region."""
    rings = GEOMETRY.regions[region].rings
    return "".join(path(rounded(cut, corner) for corner in GEOMETRY.ring(ring)) for ring in rings)


@cache
def arcs(cut: Cut, numbers: tuple[int, ...]) -> str:
    """The `d` of some arcs."""
    return "".join(path((rounded(cut, at) for at in GEOMETRY.arcs[arc]), closed=False) for arc in numbers)


def shape_id(cut: Cut, what: str) -> str:
    return f"{ART}{slug(cut.name)}-{slug(what)}"


def shape_of(cut: Cut, what: str, **attributes: "str | float | None") -> str:
    """Draw one of the shapes of `shapes`."""
    return tag("use", href=f"#{shape_id(cut, what)}", **attributes)


def pattern(name: str, size: float, turn: int, *drawn: str, height: float | None = None) -> str:
    return tag(
        "pattern", *drawn, id=ART + name, width=size, height=height or size, patternUnits="userSpaceOnUse",
        patternTransform=f"rotate({turn})" if turn else None,
    )  # fmt: skip


def patterns(theme: Theme) -> str:
    """The patterns that surfaces are filled with."""
    waves = tag(
        "path", d="M10 14q5 -5 10 0t10 0M62 42q5 -5 10 0t10 0", fill="none", stroke=theme.wave, stroke_width=1.4,
        stroke_linecap="round",
    )  # fmt: skip
    dot = tag("circle", cx=1.3, cy=1.3, r=0.75, fill=theme.halftone, opacity=0.1)
    fine, wide = (
        tag("path", d=f"M0 0V{side}", stroke=theme.closed_rim, stroke_width=width, opacity=opacity)
        for side, width, opacity in ((5, 1.0, 0.45), (11, 2.2, 0.33))
    )
    return (
        pattern("waves", 104.0, 0, waves, height=56.0)
        + pattern("halftone", 5.0, 30, dot)
        + pattern("hatch", 5.0, 45, fine)
        + pattern("closed", 11.0, 45, wide)
    )


def defined(style: Style) -> str:
    """The patterns alone, for a picture without land."""
    return tag("defs", patterns(style.theme))


@cache
def shapes(cut: Cut) -> str:
    """The outlines, written once and drawn several times."""
    coast = bordering(1)
    regions = "".join(tag("path", id=shape_id(cut, region), d=outline(cut, region)) for region in GEOMETRY.regions)
    mass = tag("g", *(shape_of(cut, region) for region in GEOMETRY.regions), id=shape_id(cut, "mass"))
    line = tag(
        "path", id=shape_id(cut, "coast"), d=arcs(cut, coast), fill="none", stroke_linejoin="round",
        stroke_linecap="round",
    )  # fmt: skip
    return regions + mass + line


def sea(cut: Cut, theme: Theme) -> str:
    """Water with waves and the shore; at night also stars and light along the coast."""
    whole = {"width": cut.size.width, "height": cut.size.height}
    parts = [
        tag("rect", **whole, fill=theme.water, class_="water"),
        tag("rect", **whole, fill=f"url(#{ART}waves)"),
    ]
    if theme.stars != NONE:
        dots = "".join(
            f"M{number(round(i * 197.3 % cut.size.width))} {number(round((i * 88.7 + i % 7 * 61) % cut.size.height))}h0"
            for i in range(STARS)
        )
        parts.append(tag("path", d=dots, stroke=theme.stars, stroke_width=1.8, stroke_linecap="round", opacity=0.45))
    parts += (shape_of(cut, "coast", stroke=getattr(theme, colour), stroke_width=width) for colour, width in SHORES)
    if theme.neon != NONE:
        parts += (
            shape_of(cut, "coast", stroke=theme.neon, stroke_width=width, opacity=opacity) for width, opacity in NEON
        )
    if theme.cliff != NONE:
        parts.append(shape_of(cut, "mass", x=CLIFF[0], y=CLIFF[1], fill=theme.cliff))
    return "".join(parts)


def region(cut: Cut, name: str, blocked: bool, theme: Theme) -> str:
    return shape_of(
        cut,
        name,
        fill=theme.idle if blocked else theme.regions[name].land,
        class_="region blocked" if blocked else "region",
        id=f"land-{slug(name)}",
        data_region=name,
    )


def veil(cut: Cut, name: str, theme: Theme, opacity: float | None) -> str:
    """The grey veil over a scored region."""
    return shape_of(cut, name, fill=theme.closed, class_="veil", id=f"veil-{slug(name)}", opacity=opacity)


def closed_sign(cut: Cut, style: Style) -> str:
    """The wooden sign on the land that is out of play."""
    if cut.closed is None:
        return ""
    theme, size = style.theme, 1.0 if cut.large else 0.82
    wood, ink = theme.wood, theme.wood_ink
    return group(
        "closed-sign",
        tag("path", d="M-92 30V74M92 30V74", stroke=theme.rule, stroke_width=8.0),
        tag("rect", x=-130, y=-36, width=264, height=80, rx=9, fill=theme.shadow, opacity=0.22),
        tag("rect", x=-132, y=-40, width=264, height=80, rx=9, fill=wood),
        tag("path", d="M-132 -13H132M-132 14H132", stroke=theme.shadow, stroke_width=1.6, opacity=0.3),
        tag("rect", x=-126, y=-34, width=252, height=68, rx=6, fill="none", stroke=ink, stroke_width=1.8),
        text(
            style.words["closed"], 0, 1, 21, ink, font_family=DISPLAY, textLength=228, lengthAdjust="spacingAndGlyphs"
        ),
        text(style.words["opens"], 0, 23, 15, ink, font_weight="bold", textLength=216, lengthAdjust="spacingAndGlyphs"),
        transform=f"translate({number(cut.closed.x)} {number(cut.closed.y)}) rotate(-3) scale({size})",
    )


@lru_cache(maxsize=64)
def land(cut: Cut, style: Style, blocked: frozenset[str], scored: frozenset[str] | None) -> str:
    """Sea and land. Scored regions are veiled; None leaves that to a style sheet."""
    theme = style.theme
    parts = [tag("defs", patterns(theme), shapes(cut)), sea(cut, theme)]
    parts += (region(cut, name, name in blocked, theme) for name in GEOMETRY.regions)
    if theme.halftone != NONE:
        parts.append(shape_of(cut, "mass", fill=f"url(#{ART}halftone)"))
    parts += (
        veil(cut, name, theme, None if scored is None else VEIL)
        for name in GEOMETRY.regions
        if name not in blocked and (scored is None or name in scored)
    )
    parts += (scenery(cut, theme, blocked), ships(cut, theme), compass(cut, theme))
    states, borders = arcs(cut, GEOMETRY.state_lines), arcs(cut, bordering(2))
    line = {"fill": "none", "stroke_linejoin": "round"}
    parts.append(
        tag("path", d=states, **line, stroke=theme.state, stroke_dasharray="2 3", stroke_width=1.0, opacity=0.5)
    )
    parts.append(tag("path", d=borders, **line, stroke=theme.border, stroke_width=3.0))
    parts += (
        shape_of(cut, name, fill=f"url(#{ART}closed)", stroke=theme.closed_rim, stroke_width=1.4)
        for name in GEOMETRY.regions
        if name in blocked
    )
    parts.append(shape_of(cut, "coast", stroke=theme.coast, stroke_width=1.3))
    return group("land", *parts, closed_sign(cut, style), aria_hidden="true")
