"""The influence road over the map: a mile for each point, a token for each player."""

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from franchise.drawing.geometry import Point
from franchise.drawing.markup import group, tag, text, title
from franchise.drawing.page_colours import PAGE
from franchise.drawing.piece_shapes import piece

MILES = 110  # then a second lap begins
MARGIN = 3.0  # percent of the width before the first mile and after the last
CLOSE = 3.2  # miles: nearer tokens change the lane
LANES = (25.0, 50.0)  # percent of the road's height
SIZE = 9.0  # pixels of a token's radius
KEPT = 4096  # tokens drawn before


class Token(NamedTuple):
    """A player on the road."""

    seat: int
    colour: str
    name: str
    influence: int
    mine: bool


def position(miles: int) -> str:
    """Where a mile lies, in percent of the width."""
    return f"{MARGIN + miles * (100 - 2 * MARGIN) / MILES:.2f}%"


def mile(influence: int) -> str:
    """The mile a token is at, within its lap."""
    return position(influence % MILES)


def lanes(tokens: Sequence[Token]) -> dict[int, int]:
    """The lane of each seat: the first free one at its mile."""
    last = [-99.0] * len(LANES)
    found = {}
    for token in sorted(tokens, key=lambda token: (token.influence % MILES, token.seat)):
        at = token.influence % MILES
        lane = next((lane for lane in range(len(LANES)) if at - last[lane] >= CLOSE), (token.seat + 1) % len(LANES))
        last[lane] = at
        found[token.seat] = lane
    return found


@lru_cache(KEPT)
def marked(token: Token, lane: int) -> str:
    """A token in its lane; the viewer's own has a ring."""
    lap = "" if token.influence < MILES else f"+{MILES * (token.influence // MILES)}"
    drawn = (
        tag("circle", r=SIZE + 3.2, class_="own") if token.mine else "",
        piece(token.colour, Point(0, 0), SIZE, PAGE, class_="token"),
        text(lap, 0, 4, 10, PAGE.ink, font_weight="bold") if lap else "",
    )
    return tag(
        "svg",
        title(f"{token.name} · {token.influence}"),
        group("seat", *drawn),
        id=f"token-{token.seat}",
        x=mile(token.influence),
        y=f"{LANES[lane]}%",
        overflow="visible",
        data_influence=token.influence,
    )


@lru_cache(KEPT)
def ghost(token: Token, influence: int, lane: int) -> str:
    """A token's possible next position."""
    drawn = piece(token.colour, Point(0, 0), SIZE - 1.5, PAGE, class_="ghost")
    return tag("svg", drawn, x=mile(influence), y=f"{LANES[lane]}%", overflow="visible", class_="ghost")


@lru_cache(KEPT)
def road_svg(tokens: tuple[Token, ...], gains: tuple[int, ...] = ()) -> str:
    """The road with its tokens, and where they would stand with these gains."""
    where = lanes(tokens)
    ghosts = [
        ghost(token, token.influence + gains[token.seat], where[token.seat])
        for token in tokens
        if gains and gains[token.seat]
    ]
    ordered = sorted(tokens, key=lambda token: token.mine)
    return "".join((asphalt(), *ghosts, *(marked(token, where[token.seat]) for token in ordered)))


@cache
def asphalt() -> str:
    """The road itself: lanes, and the miles."""
    marks = [tag("line", x1=mile(at), x2=mile(at), y1="76%", y2="90%") for at in range(5, MILES, 10)]
    numbers = [tag("text", str(at), x=position(at), y="93%") for at in range(0, MILES + 1, 10)]
    lane = tag("line", x1="0", x2="100%", y1="38%", y2="38%", class_="lane")
    kerb = tag("line", x1="0", x2="100%", y1="70%", y2="70%", class_="kerb")
    return lane + kerb + group("miles", *marks, *numbers)
