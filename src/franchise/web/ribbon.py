"""The ribbon of a replay: bands over the moves of a game, everybody's chance to win where a bot has reviewed it, else
everybody's share of the influence.
"""

from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

from franchise.drawing.markup import number, tag
from franchise.drawing.page_colours import PAGE
from franchise.game import Game
from franchise.insight.review import Review

HEIGHT = 40.0


class Shares(NamedTuple):
    """What everybody has after so many moves; together 1."""

    move: int
    shares: tuple[float, ...]


def chances(review: Review) -> tuple[Shares, ...]:
    """Everybody's chance to win at the beginning of every turn and at the end."""
    return tuple(Shares(moment.move, tuple(moment.chances)) for moment in review.moments)


def influence(game: Game) -> tuple[Shares, ...]:
    """Everybody's share of the influence after every turn; equal while nobody has any."""
    walk = game.at(0)
    found = [Shares(0, (1 / game.players,) * game.players)]
    for action in game.actions:
        turn = walk.turn
        walk.play(action)
        if walk.turn != turn or walk.over:
            points = [max(0, influence) for influence in walk.state["influence"][0, : game.players].tolist()]
            if any(points):
                found.append(Shares(len(walk.actions), tuple(own / sum(points) for own in points)))
    return tuple(found)


def ribbon_svg(course: Sequence[Shares], colours: Sequence[str], moves: int, last: int) -> str:
    """A band for each seat, the first one on top; what comes after `moves` is paler."""
    width = max(last, 1)
    whole = (*course, Shares(width, course[-1].shares))
    edges = [(0.0, *accumulate(point.shares)) for point in whole]
    bands = []
    for seat in range(len(course[0].shares)):
        above = [(point.move, edge[seat]) for point, edge in zip(whole, edges, strict=True)]
        below = [(point.move, edge[seat + 1]) for point, edge in zip(whole, edges, strict=True)]
        corners = "L".join(f"{move} {number(HEIGHT * share)}" for move, share in (*above, *reversed(below)))
        look = PAGE.pieces[colours[seat]]
        bands.append(
            tag(
                "path", d=f"M{corners}Z", fill=look.fill, stroke=PAGE.paper, stroke_width=1.0,
                vector_effect="non-scaling-stroke",
            )
        )  # fmt: skip
    future = tag("rect", x=moves, y=0, width=max(0, width - moves), height=HEIGHT, fill=PAGE.paper, opacity=0.6)
    return tag(
        "svg", *bands, future,
        viewBox=f"0 0 {width} {number(HEIGHT)}", preserveAspectRatio="none", aria_hidden="true",
    )  # fmt: skip
