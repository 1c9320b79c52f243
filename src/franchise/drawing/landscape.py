"""The landscape behind the pages: a desert road at sunset, and the same at night under neon. A picture that fills its
box from the bottom, so that a page of any shape shows the road and the hills.
"""

import math
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from franchise.drawing.flat_shapes import disc, fill, stroke
from franchise.drawing.geometry import Point
from franchise.drawing.markup import number, path, tag

WIDTH, HEIGHT = 1440.0, 640.0
HORIZON = 452.0
SUN = Point(1010.0, 330.0)
RAYS = 24
FAR = 1800.0  # further than every corner


@dataclass(frozen=True)
class Light:
    """The colours of a time of day."""

    sky: tuple[str, ...]  # from the top to the horizon
    sun: str
    ray: str
    mesas: str
    hills: tuple[str, str, str]  # the farthest first
    road: str
    dark: str  # poles and cacti
    diner: str
    windows: str
    neon: str
    car: str
    stars: bool = False


LIGHTS = {
    "day": Light(
        sky=("#f7c873", "#f6a96a", "#ec8560", "#d9694f"), sun="#fff0c2", ray="#ffffff", mesas="#b4564f",
        hills=("#8b3f4b", "#5b2b40", "#3a1f35"), road="#2a2230", dark="#2b1a2c", diner="#12575c", windows="#ffe2a0",
        neon="#ffb3be", car="#12a3a0",
    ),
    "night": Light(
        sky=("#141a4a", "#2b2370", "#5a2b86", "#b0417f"), sun="#8f3a86", ray="#ff6ec4", mesas="#3a1f66",
        hills=("#2a1852", "#1c1140", "#120b2c"), road="#0a0718", dark="#05030f", diner="#1c1850", windows="#ffd98a",
        neon="#ff6ec4", car="#c23a8a", stars=True,
    ),
}  # fmt: skip

STARS = ((70, 60), (180, 120), (265, 40), (360, 150), (470, 70), (590, 130), (690, 36), (770, 96), (860, 30),
         (1130, 60), (1240, 120), (1320, 40), (1400, 150), (30, 190), (520, 210), (1290, 230))  # fmt: skip


def at_angle(turn: float) -> tuple[float, float]:
    """A point far from the sun, at an angle given in turns from the top."""
    angle = turn * 2 * math.pi
    return SUN.x + FAR * math.sin(angle), SUN.y - FAR * math.cos(angle)


def sky(light: Light) -> str:
    steps = len(light.sky) - 1
    stops = "".join(tag("stop", offset=place / steps, stop_color=colour) for place, colour in enumerate(light.sky))
    rays = "".join(path([(SUN.x, SUN.y), at_angle(ray / RAYS), at_angle((ray + 0.5) / RAYS)]) for ray in range(RAYS))
    stars = "".join(disc(x, y, 1.5, "#fff", opacity=0.8) for x, y in STARS)
    return (
        tag("linearGradient", stops, id="sky", x1=0, x2=0, y1=0, y2=1)
        + tag("rect", width=WIDTH, height=HEIGHT, fill="url(#sky)")
        + fill(rays, light.ray, opacity=0.1)
        + (stars if light.stars else "")
        + disc(SUN.x, SUN.y, 164.0, light.sun, opacity=0.3)
        + disc(SUN.x, SUN.y, 140.0, light.sun)
    )


MESA = ((0, 0), (0.16, 0.46), (0.2, 1), (0.36, 1), (0.38, 0.86), (0.7, 0.86), (0.73, 1), (0.8, 1), (0.85, 0.46), (1, 0))


def mesa(x: float, width: float, height: float, colour: str) -> str:
    return fill(path((x + width * across, HORIZON - height * up) for across, up in MESA), colour)


def hill(heights: tuple[float, ...], colour: str) -> str:
    """A ridge through equally spaced points, filled down to the ground."""
    step = WIDTH / (len(heights) - 1)
    ridge = f"M0 {number(HORIZON + heights[0])}"
    for place, (before, after) in enumerate(pairwise(heights)):
        middle = (place + 0.5) * step
        ridge += f"C{number(middle)} {number(HORIZON + before)} {number(middle)} {number(HORIZON + after)} "
        ridge += f"{number((place + 1) * step)} {number(HORIZON + after)}"
    return fill(f"{ridge}V{number(HEIGHT)}H0Z", colour)


def pole(x: float, y: float, height: float, colour: str) -> str:
    arms = "".join(
        f"M{number(x - height * reach)} {number(y - height * up)}H{number(x + height * reach)}"
        for reach, up in ((0.16, 0.9), (0.12, 0.8))
    )
    return stroke(f"M{number(x)} {number(y)}V{number(y - height)}{arms}", colour, max(2.0, height * 0.03))


def cactus(x: float, y: float, size: float, colour: str) -> str:
    return tag(
        "g",
        stroke("M0 0V-92", colour, 15),
        stroke("M0 -34H-24V-64M0 -46H22V-78", colour, 11, stroke_linejoin="round"),
        transform=f"translate({number(x)} {number(y)}) scale({number(size)})",
    )


def road(light: Light) -> str:
    return fill("M740 462H748L1010 640H330Z", light.road) + fill(
        "M743 468H745L749 486H740ZM738 498H751L758 526H729ZM724 544H766L780 596H706ZM700 612H787L798 640H690Z",
        "#ffd23e",
    )


def diner(light: Light) -> str:
    """A rounded car with lit windows under a sign that says EAT."""
    windows = "".join(
        tag("rect", x=-116.0 + 34 * window, y=-46, width=26, height=24, rx=4, fill=light.windows) for window in range(7)
    )
    letters = "M35 -141H26V-123H35M26 -132H33M41 -123L48 -141L55 -123M43.5 -129H52.5M60 -141H74M67 -141V-123"
    return tag(
        "g",
        fill("M-132 0V-46Q-132 -66-112 -66H112Q132 -66 132 -46V0Z", light.diner),
        windows,
        stroke("M-132 -14H132M-132 -8H132", light.neon, 2.4),
        stroke("M-132 -56H132", light.neon, 3),
        stroke("M50 -66V-112", light.diner, 7),
        tag("rect", x=2, y=-152, width=96, height=40, rx=20, fill=light.diner, stroke=light.neon, stroke_width=3.4),
        stroke(letters, light.neon, 3.6, stroke_linejoin="round"),
        fill("M92 -136L116 -132L94 -122Z", light.neon),
        transform="translate(196 610) scale(.84)",
    )


def car(light: Light) -> str:
    """A long car from behind, fins up."""
    black = "#1a1420"
    lights = "".join(tag("ellipse", cx=x, cy=-6, rx=5, ry=9, fill="#ff3b30") for x in (-54, 54))
    return tag(
        "g",
        tag("ellipse", cx=0, cy=30, rx=70, ry=7, fill="#000", opacity=0.4),
        "".join(tag("rect", x=x, y=12, width=20, height=18, rx=4, fill=black) for x in (-54, 34)),
        fill("M-36 -8L-27 -30Q0 -36 27 -30L36 -8Z", black),
        fill("M-29 -10L-22 -26Q0 -31 22 -26L29 -10Z", "#bfe6e6"),
        fill("M-60 20L-63 -4L-55 -30L-45 -8Q0 -15 45 -8L55 -30L63 -4L60 20Q0 25-60 20Z", light.car),
        fill("M-63 -4L-55 -30L-49 -16L-52 0ZM63 -4L55 -30L49 -16L52 0Z", "#fff", opacity=0.28),
        lights,
        tag("rect", x=-62, y=10, width=124, height=8, rx=4, fill="#f4efe2"),
        tag("rect", x=-15, y=-4, width=30, height=12, rx=2, fill="#ffd23e"),
        stroke("M-10 0H10M-10 4H4", "#2a1c00", 1.6),
        transform="translate(826 566) scale(.98)",
    )


@cache
def roadside_svg(time: str) -> str:
    """The landscape by `day` or by `night`."""
    light = LIGHTS[time]
    far, middle, near = light.hills
    mesas = ((29.0, 250.0, 92.0), (432.0, 180.0, 60.0), (893.0, 160.0, 46.0), (1181.0, 300.0, 110.0))
    return tag(
        "svg",
        sky(light),
        "".join(mesa(*box, light.mesas) for box in mesas),
        hill((0, -26, -8, -12, -22, -10, -18), far),
        hill((34, 12, 26, 14, 22, 20), middle),
        hill((82, 62, 74, 64, 62), near),
        pole(612, 500, 96, light.dark) + pole(668, 484, 66, light.dark) + pole(700, 474, 48, light.dark),
        road(light),
        diner(light),
        cactus(1416, 590, 1.0, light.dark) + cactus(420, 556, 0.62, light.dark),
        car(light),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {number(WIDTH)} {number(HEIGHT)}",
        preserveAspectRatio="xMidYMax slice",
    )
