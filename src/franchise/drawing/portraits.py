"""Faces: five characters and the guide, as round enamel signs of flat shapes. Each has a silhouette of its own, so that
24 pixels are enough to tell them apart; the cream rim suits light and dark pages.
"""

from collections.abc import Callable
from functools import cache

from franchise.drawing.flat_shapes import disc, fill, stroke
from franchise.drawing.markup import slug, tag

SIDE = 64.0  # of the square they are drawn in
INK = "#2b1a16"
CREAM = "#fff1cf"
WHITE = "#fffaf0"
CHARCOAL = "#26262c"
RED = "#cf2e2a"
GOLD = "#f2b840"
YELLOW = "#ffd23e"
GUIDE = "guide"


def eyes(left: float, right: float, y: float, radius: float = 2.3) -> str:
    return disc(left, y, radius, INK) + disc(right, y, radius, INK)


def shoulders(colour: str) -> str:
    return fill("M7 66Q9 50 32 49Q55 50 57 66Z", colour)


def laugh(left: float, right: float, y: float, depth: float, lips: str = INK) -> str:
    """An open mouth with teeth."""
    middle = (left + right) / 2
    d = f"M{left} {y}Q{middle} {y + depth} {right} {y}Z"
    return fill(d, "#fff", stroke=lips, stroke_width=1.8, stroke_linejoin="round")


def route_roy() -> str:
    """A flyer of the highway: leather cap, goggles, a scarf in the wind."""
    lenses = "".join(disc(x, 22, 7, "#c9efef", stroke=INK, stroke_width=2.6) for x in (25, 39))
    return (
        shoulders("#6e3418")
        + fill("M46 49Q56 46 63 52Q57 55 61 60Q51 60 43 55Z", CREAM)
        + fill("M20 46Q32 57 44 46L47 53Q32 64 17 53Z", CREAM)
        + tag("ellipse", cx=32, cy=34, rx=13.5, ry=15.5, fill="#f2c39b")
        + fill("M16 36Q13 10 32 10Q51 10 48 36Q48 43 44 44L44.5 29Q32 22 19.5 29L20 44Q16 43 16 36Z", "#7a3b1f")
        + stroke("M15 23H49", INK, 4)
        + lenses
        + stroke("M21.5 21Q22.5 18 26 18M35.5 21Q36.5 18 40 18", "#fff", 2)
        + eyes(26.5, 37.5, 36)
        + laugh(25.5, 38.5, 42, 7)
    )


def penny_pound() -> str:
    """The saver: silver bun and pearls, round glasses, a coin at hand."""
    glasses = "".join(disc(x, 34, 6.4, "#fffbe6", stroke=INK, stroke_width=2.5) for x in (25, 39))
    pearls = "".join(disc(x, y, 2.3, "#fffdf6", stroke="#b9ab90", stroke_width=0.7)
                     for x, y in ((22, 51.5), (26.5, 54), (32, 55), (37.5, 54), (42, 51.5)))  # fmt: skip
    coin = disc(51, 51, 9, YELLOW, stroke="#6b4a00", stroke_width=2) + stroke(
        "M54 47.6Q51 45.4 48.6 47.3Q47.3 49.6 51 50.8Q54.9 52 53.4 54.4Q51 56.4 48 54.2M51 44.5V57.5", "#6b4a00", 1.8
    )
    return (
        disc(32, 9, 8.5, "#e9e4da", stroke="#b9b2a4", stroke_width=1)
        + shoulders("#5a3a78")
        + fill("M15 40Q10 12 32 12Q54 12 49 40Q48 45 44 45H20Q16 45 15 40Z", "#e9e4da")
        + fill("M19 36Q19 22 32 22Q45 22 45 36Q45 51 32 51Q19 51 19 36Z", "#f7d2ac")
        + fill("M18 35Q18 20 32 20Q46 20 46 35Q42 25 32 26Q22 25 18 35Z", "#f6f2ea")
        + stroke("M22 17Q28 13 34 14M24 7Q29 3.5 34 4.5", "#fff", 2)
        + glasses
        + stroke("M31.4 33.5H32.6", INK, 2.4)
        + eyes(25.5, 38.5, 34.8)
        + disc(21.5, 43, 2.4, "#e88d70", opacity=0.55)
        + disc(42.5, 43, 2.4, "#e88d70", opacity=0.55)
        + fill("M27.5 45Q32 43 36.5 45Q32 49 27.5 45Z", RED)
        + pearls
        + coin
    )


def slick_vic() -> str:
    """A tilted hat, one raised brow, a thin moustache."""
    hat = tag(
        "g",
        fill("M7 25Q32 17 57 25Q58 29.5 53 30Q32 24 11 30Q6 29.5 7 25Z", "#1c1c22"),
        fill("M17.5 23.5Q15 5 27 6.5Q32 9.5 37 6.5Q49 5 46.5 23.5Q32 19 17.5 23.5Z", CHARCOAL),
        fill("M17.2 18.5Q32 14 46.8 18.5V24Q32 19.4 17.2 24Z", GOLD),
        transform="rotate(-9 32 22)",
    )
    return (
        shoulders(CHARCOAL)
        + fill("M20 50L32 62 44 50 40 46H24Z", WHITE)
        + fill("M32 52L28.5 55 32 66 35.5 55Z", GOLD)
        + fill("M14 66L18 47 27 56ZM50 66L46 47 37 56Z", "#3c3c46")
        + tag("ellipse", cx=32, cy=35, rx=13, ry=15.5, fill="#e3a878")
        + fill("M19 33Q32 25 45 29V35Q32 31 19 38Z", "#000", opacity=0.28)
        + hat
        + stroke("M22.5 35.5H30.5M34 34.5H42M34.5 30Q39 26.5 43 30.5", INK, 2.2)
        + fill("M23.5 36Q26.5 39 29.5 36ZM35 35Q38 38.5 41 35Z", INK)
        + stroke("M24 43.5Q28 40.5 32 42.5Q36 40.5 40 43", INK, 2.2)
        + stroke("M28 47Q34 49.5 39.5 45.5", INK, 1.9)
    )


def lucky_lou() -> str:
    """Curls under a green eyeshade, a wink, and an ace."""
    hair = ((15, 34, 8), (49, 34, 8), (13, 24, 7), (51, 24, 7), (20, 14, 8), (44, 14, 8), (32, 10, 9), (16, 44, 7),
            (48, 44, 7))  # fmt: skip
    curls = "".join(disc(x, y, radius, "#c4541a") for x, y, radius in hair)
    ace = tag(
        "g",
        tag("rect", x=43, y=41, width=16, height=21, rx=2.6, fill="#fff", stroke=INK, stroke_width=1.6),
        fill(
            "M51 46Q57 51.5 54.5 54.5Q52.6 56 51.5 54.4L52.6 58H49.4L50.5 54.4Q49.4 56 47.5 54.5Q45 51.5 51 46Z",
            CHARCOAL,
        ),
        transform="rotate(14 51 51)",
    )
    return (
        shoulders(CREAM)
        + stroke("M12 60Q22 56 24 66M52 60Q42 56 40 66", RED, 3)
        + curls
        + tag("ellipse", cx=32, cy=36, rx=13.5, ry=15.5, fill="#f4c8a4")
        + fill("M17 19Q32 11 47 19V25Q32 17 17 25Z", "#0c5a30")
        + fill("M16 24Q32 15 48 24L56 33Q32 22 8 33Z", "#23b566")
        + stroke("M16 26Q32 17.5 45 23.5", "#fff", 1.8, opacity=0.6)
        + disc(26, 36.5, 2.5, INK)
        + stroke("M34.5 36.5Q38 33.5 41.5 36.5", INK, 2.3)
        + laugh(24, 40, 42, 11)
        + ace
    )


def miss_ledger() -> str:
    """A beehive, pointed glasses, a pencil behind the ear, squared paper behind her."""
    paper = "".join(f"M{at} 0V64M0 {at}H64" for at in range(6, 64, 9))
    glasses = "".join(
        fill(d, "#fffbe6", stroke=GOLD, stroke_width=2.6, stroke_linejoin="round")
        for d in (
            "M15 30.5Q24 30.5 30.5 34Q30.5 41 25 41Q18.5 41 15 30.5Z",
            "M49 30.5Q40 30.5 33.5 34Q33.5 41 39 41Q45.5 41 49 30.5Z",
        )
    )
    pencil = (
        tag("path", d="M45 20L58 34", stroke=YELLOW, stroke_width=4.4)
        + tag("path", d="M45 20L42.5 17.2", stroke=INK, stroke_width=3)
        + tag("path", d="M57 33L60 36.2", stroke="#ff9db3", stroke_width=4.4)
    )
    return (
        stroke(paper, "#fff", 1, opacity=0.22)
        + shoulders(YELLOW)
        + fill("M25 50L32 60 39 50Z", "#b97b50")
        + fill("M17 40Q10 2 32 2Q54 2 47 40Q47 46 43 48H21Q17 46 17 40Z", "#3a2016")
        + stroke("M19 22Q32 13 45 22M20 13Q32 5 44 13", "#6b4030", 2.4)
        + fill("M20 36Q20 25 32 25Q44 25 44 36Q44 52 32 52Q20 52 20 36Z", "#b97b50")
        + fill("M20 33Q21 24.5 33 24Q44 24 44 33Q40 27 32 29.5Q23 29 20 33Z", "#3a2016")
        + glasses
        + eyes(25, 39, 36, 2.2)
        + fill("M27 46Q32 43.8 37 46Q32 50.5 27 46Z", RED)
        + pencil
    )


def guide() -> str:
    """A waitress who has seen many chains come and go."""
    return (
        shoulders("#12a3a0")
        + fill("M22 51L32 61 42 51 47 56 40 66H24L17 56Z", WHITE)
        + fill("M14 40Q8 14 32 13Q56 14 50 40Q54 50 46 50H18Q10 50 14 40Z", "#8a3b1c")
        + fill("M19 36Q19 22 32 22Q45 22 45 36Q45 51 32 51Q19 51 19 36Z", "#f2c39b")
        + fill("M18 36Q17 22 34 22Q30 30 18 36ZM46 36Q47 24 34 22Q37 30 46 36Z", "#a84d22")
        + fill("M16 20Q32 5 48 20L45 25Q32 14 19 25Z", WHITE, stroke="#12a3a0", stroke_width=2)
        + eyes(26.5, 37.5, 37, 2.4)
        + stroke("M23 32Q26 30 29 32M35 32Q38 30 41 32", "#6b3014", 1.8)
        + disc(22.5, 42, 2.6, "#e88d70", opacity=0.6)
        + disc(41.5, 42, 2.6, "#e88d70", opacity=0.6)
        + laugh(25.5, 38.5, 42.5, 7.5, "#b3241c")
    )


FACES: dict[str, tuple[str, Callable[[], str]]] = {  # by name: the background colour, and the face
    "Route Roy": ("#12a3a0", route_roy),
    "Penny Pound": ("#2f6b45", penny_pound),
    "Slick Vic": ("#b3241c", slick_vic),
    "Lucky Lou": ("#6a45a8", lucky_lou),
    "Miss Ledger": ("#1c5fc0", miss_ledger),
    GUIDE: (GOLD, guide),
}


@cache
def portrait_svg(name: str) -> str:
    """A face as a separate picture; KeyError for a name without one."""
    behind, face = FACES[name]
    clip = f"face-{slug(name)}"
    centre = SIDE / 2
    return tag(
        "svg",
        tag("clipPath", disc(centre, centre, 29, "#000"), id=clip),
        disc(centre, centre, 31.5, "#2b2f36"),
        disc(centre, centre, 29.5, behind),
        tag("g", face(), clip_path=f"url(#{clip})"),
        disc(centre, centre, 28.6, "none", stroke=WHITE, stroke_width=1.8, opacity=0.9),
        stroke("M10 20Q17 8 30 5.5", "#fff", 2.4, opacity=0.5),
        xmlns="http://www.w3.org/2000/svg",
        viewBox="0 0 64 64",
    )
