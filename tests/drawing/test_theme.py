"""Colours and shapes: readable, and told apart by everyone."""

import math
from collections.abc import Callable
from itertools import combinations
from typing import Any

import pytest

from franchise.drawing.geometry import Point
from franchise.drawing.page_colours import variables
from franchise.drawing.piece_shapes import shape
from franchise.drawing.theme import NONE, SHAPES, THEMES
from franchise.facts import COLOURS, PRICES

APART = 25.0  # distance in CIELAB; about 2 can just be seen side by side
GREYS_APART = 24.0  # five greys between black and white cannot be further apart
# How dichromats see, in linear RGB (Machado, Oliveira and Fernandes 2009, severity 1).
SIGHTS = {
    "full": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
XYZ = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))
WHITE = (0.9505, 1.0, 1.089)

Triple = tuple[float, float, float]


def linear(colour: str) -> Triple:
    parts = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    r, g, b = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return r, g, b


def times(matrix: tuple[Triple, ...], colour: Triple) -> Triple:
    a, b, c = (sum(x * y for x, y in zip(row, colour, strict=True)) for row in matrix)
    return a, b, c


def contrast(first: str, other: str) -> float:
    """The ratio of WCAG 2."""
    light, dark = sorted((times(XYZ, linear(colour))[1] for colour in (first, other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def lab(colour: Triple) -> Triple:
    shares = (part / white for part, white in zip(times(XYZ, colour), WHITE, strict=True))
    x, y, z = (s ** (1 / 3) if s > 0.008856 else 7.787 * s + 16 / 116 for s in shares)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def seen(colour: str, sight: str) -> Triple:
    r, g, b = (min(1.0, max(0.0, part)) for part in times(SIGHTS[sight], linear(colour)))
    return lab((r, g, b))


def test_distance_and_contrast_are_measured_rightly() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)
    assert seen("#ffffff", "full") == pytest.approx((100, 0, 0), abs=0.1)
    assert math.dist(seen("#ff0000", "deuteranopia"), seen("#6b6b00", "deuteranopia")) < math.dist(
        seen("#ff0000", "full"), seen("#6b6b00", "full")
    )


def test_every_colour_has_a_shape_of_its_own() -> None:
    assert set(SHAPES) == set(COLOURS)
    assert len({shape(SHAPES[colour], Point(0, 0), 5) for colour in COLOURS}) == len(COLOURS)


@pytest.mark.parametrize("theme", THEMES.values(), ids=lambda theme: theme.name)
def test_prices_differ_by_colour_and_by_pattern_and_width(theme: Any) -> None:
    assert tuple(theme.roads) == PRICES
    assert len({road.colour for road in theme.roads.values()}) == len(PRICES)
    assert len({(road.dashes, road.stripe, road.ties) for road in theme.roads.values()}) == len(PRICES)
    solid = [road.width for road in theme.roads.values() if not road.dashes and not road.ties]
    assert max(solid) >= 2 * min(solid)


@pytest.mark.parametrize("sight", SIGHTS)
@pytest.mark.parametrize("theme", THEMES.values(), ids=lambda theme: theme.name)
def test_the_colours_of_players_are_told_apart(theme: Any, sight: str) -> None:
    for first, other in combinations(COLOURS, 2):
        fills = (seen(theme.pieces[colour].fill, sight) for colour in (first, other))
        assert math.dist(*fills) >= (GREYS_APART if theme.name == "print" else APART), (first, other)


def text_pairs(theme: Any) -> list[tuple[str, str]]:
    """Every ink with every ground it is written on."""
    grounds = (theme.paper, theme.halo, theme.space, theme.first_space, theme.closed, theme.shore)
    pairs = [(theme.ink, ground) for ground in (*grounds, *(tint.land for tint in theme.regions.values()))]
    pairs += [(theme.faint, theme.paper), (theme.faint, theme.space), (theme.hub_ink, theme.hub)]
    pairs += [(theme.plate_ink, tint.strong) for tint in theme.regions.values()]
    pairs += [(look.ink, look.fill) for look in theme.pieces.values()]
    pairs += [(theme.red_zone, theme.red_space), (theme.red_zone, theme.paper), (theme.boom_ink, theme.boom)]
    pairs += [(theme.boom, theme.paper), (theme.shield_ink, theme.shield), (theme.glow_ink, theme.glow)]
    pairs += [(theme.grow_ink, theme.grow), (theme.gain, theme.paper), (theme.active, theme.paper)]
    pairs += [(theme.idle_ink, theme.idle), (theme.wood_ink, theme.wood), (theme.callout_ink, theme.callout)]
    return pairs


@pytest.mark.parametrize("theme", THEMES.values(), ids=lambda theme: theme.name)
def test_text_stands_out_from_what_it_is_written_on(theme: Any) -> None:
    for ink, ground in text_pairs(theme):
        assert contrast(ink, ground) >= 4.5, (ink, ground)


def test_high_contrast_keeps_what_it_promises() -> None:
    theme = THEMES["high-contrast"]
    for ink, ground in text_pairs(theme):
        assert contrast(ink, ground) >= 7, (ink, ground)
    for tint in theme.regions.values():
        assert min(contrast(road.colour, tint.land) for road in theme.roads.values()) >= 4.5
        assert contrast(theme.border, tint.land) >= 7
    for look in theme.pieces.values():
        assert max(contrast(look.fill, theme.space), contrast(look.edge, theme.space)) >= 4.5


def test_print_needs_one_ink_and_little_of_it() -> None:
    theme = THEMES["print"]
    for name, colour in variables(theme).items():
        assert colour == NONE or colour[1:3] == colour[3:5] == colour[5:7], f"{name} is not grey"
    large = (theme.water, theme.shore, theme.paper, theme.space, *(tint.land for tint in theme.regions.values()))
    assert set(large) == {"#ffffff"}
    assert min(contrast(ground, "#000000") for ground in (theme.idle, theme.closed, theme.first_space)) >= 14


@pytest.mark.parametrize("theme", THEMES.values(), ids=lambda theme: theme.name)
def test_pieces_and_links_stand_out_from_what_they_lie_on(theme: Any) -> None:
    for look in theme.pieces.values():
        for ground in (theme.space, theme.closed, theme.paper):
            assert max(contrast(look.fill, ground), contrast(look.edge, ground)) >= 4.5, (look, ground)
    for road in theme.roads.values():
        for tint in theme.regions.values():
            assert contrast(road.colour, tint.land) >= 3, (road.colour, tint.land)


@pytest.mark.parametrize("theme", THEMES.values(), ids=lambda theme: theme.name)
def test_what_can_be_chosen_and_what_is_done_stand_out(theme: Any) -> None:
    for ground in (theme.water, theme.paper, *(tint.land for tint in theme.regions.values())):
        for ring in (theme.glow, theme.grow, theme.boom):
            assert contrast(ring, ground) >= 3, (ring, ground)
    assert min(contrast(tint.ring, theme.paper) for tint in theme.regions.values()) >= 3  # what is done, on a plate
    assert contrast(theme.hub, theme.space) >= 3


Pairs = Callable[[Any], list[tuple[str, str]]]
# The least contrasts of the design's table: light and dark.
TOKENS: dict[str, tuple[float, float, Pairs]] = {
    "names on land": (9.1, 9.9, lambda theme: [(theme.ink, tint.land) for tint in theme.regions.values()]),
    "names at sea": (9.4, 16.6, lambda theme: [(theme.ink, theme.water)]),
    "plate heads": (5.6, 6.4, lambda theme: [(theme.plate_ink, tint.strong) for tint in theme.regions.values()]),
    "shield": (11.5, 14.0, lambda theme: [(theme.shield_ink, theme.shield)]),
    "hub": (10.7, 15.0, lambda theme: [(theme.hub_ink, theme.hub)]),
    "grow ink": (5.6, 10.2, lambda theme: [(theme.grow_ink, theme.grow)]),
    "boom ink": (5.2, 9.6, lambda theme: [(theme.boom_ink, theme.boom)]),
    "gain": (6.6, 10.2, lambda theme: [(theme.gain, theme.paper)]),
    "active": (7.7, 10.2, lambda theme: [(theme.active, theme.paper)]),
    "red zone": (6.4, 5.7, lambda theme: [(theme.red_zone, theme.paper)]),
}


@pytest.mark.parametrize("name", TOKENS)
def test_the_colours_of_day_and_night_keep_the_contrasts_of_the_design(name: str) -> None:
    light, dark, pairs = TOKENS[name]
    for theme, least in ((THEMES["classic"], light), (THEMES["dark"], dark)):
        assert min(contrast(*pair) for pair in pairs(theme)) >= least - 0.06, theme.name
