"""Small charts: influence, cash and income of every player over the turns, in the players' colours and shapes; shares
of games won with their intervals.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from franchise.arena.statistics import Row
from franchise.drawing.geometry import Point
from franchise.drawing.markup import group, number, tag, text, title
from franchise.drawing.piece_shapes import piece
from franchise.drawing.theme import Theme
from franchise.engine.layout import REGIONS, SEATS
from franchise.engine.walk import survey
from franchise.facts import COLOURS
from franchise.game import Game

WIDTH, HEIGHT = 360.0, 190.0
LEFT, RIGHT, TOP, BOTTOM = 30.0, 14.0, 12.0, 22.0
ROW, NAMES = 19.0, 112.0  # of intervals: the height of a row, the width of its name
STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)


@dataclass(frozen=True)
class ChartLines:
    """One number of every seat after each round of the game."""

    key: str
    turns: tuple[int, ...]
    values: tuple[tuple[int, ...], ...]  # by seat, then by turn
    colours: tuple[str, ...] = COLOURS  # by seat
    downward: bool = False  # less is better, and drawn above


def courses(game: Game) -> tuple[ChartLines, ...]:
    """Influence, cash and income at the end of every turn and at the end of the game."""
    walk = game.at(0)
    turns: list[int] = []
    rows: list[tuple[tuple[int, ...], ...]] = []

    incomes = np.zeros(SEATS, np.int32)
    standing = np.zeros((REGIONS, SEATS), np.int32)

    def note(turn: int) -> None:
        survey(walk.rules, walk.state, incomes, standing)
        turns.append(turn)
        shown = (walk.state["influence"][0], walk.state["cash"][0], incomes)
        rows.append(tuple(tuple(values[: game.players].tolist()) for values in shown))

    for action in game.actions:
        before = walk.turn
        walk.play(action)
        if walk.turn != before or walk.over:
            note(before)
    return tuple(
        ChartLines(key, tuple(turns), tuple(zip(*(row[i] for row in rows), strict=True)) if rows else (), game.colours)
        for i, key in enumerate(("influence", "cash", "income"))
    )


def step_of(most: int) -> int:
    """The distance between grid lines."""
    return next((step for step in STEPS if most <= 5 * step), STEPS[-1])


def chart_svg(
    course: ChartLines,
    label: str,
    theme: Theme,
    *,
    size: tuple[float, float] = (WIDTH, HEIGHT),
    marked: Mapping[int, str] | None = None,
    written: Callable[[int], str] = str,
) -> str:
    """The chart as SVG; each marked turn has a line with a sign."""
    width, height = size
    most = max((max(line) for line in course.values), default=1) or 1
    step = step_of(most)
    top = step * -(-most // step)
    last = max(course.turns, default=1) or 1
    left = LEFT + 4 * (len(written(top)) - len(str(top)))

    def at(turn: int, value: int) -> Point:
        x = left + (width - left - RIGHT) * turn / last
        return Point(x, height - BOTTOM - (height - TOP - BOTTOM) * value / top)

    grid = [
        tag("path", d=f"M{number(left)} {number(at(0, value).y)}H{number(width - RIGHT)}", stroke=theme.line,
            stroke_width=0.5, fill="none")
        + text(written(value), left - 5, at(0, value).y + 3.5, 10, theme.faint, text_anchor="end")
        for value in range(0, top + 1, step)
    ]  # fmt: skip
    every = max(1, step_of(last))
    ticks = [
        text(str(turn), at(turn, 0).x, height - 6, 10, theme.faint, text_anchor="middle")
        for turn in range(every, last + 1, every)
    ]
    signs = [
        tag("path", d=f"M{number(at(turn, 0).x)} {number(at(0, top).y)}V{number(at(0, 0).y)}", stroke=theme.ink,
            stroke_width=1, stroke_dasharray="3 3", fill="none")
        + tag("circle", cx=at(turn, 0).x, cy=TOP - 2, r=7, fill=theme.ink)
        + text(sign, at(turn, 0).x, TOP + 1.6, 10, theme.paper, text_anchor="middle", font_weight="bold")
        for turn, sign in (marked or {}).items()
    ]  # fmt: skip
    lines = []
    for colour, line in zip(course.colours, course.values, strict=False):
        points = [at(turn, value) for turn, value in zip(course.turns, line, strict=True)]
        path = "M" + "L".join(f"{number(point.x)} {number(point.y)}" for point in points)
        look = theme.pieces[colour]
        lines.append(
            group(
                "series",
                tag("path", d=path, stroke=look.edge, stroke_width=3.6, fill="none", stroke_linejoin="round"),
                tag("path", d=path, stroke=look.fill, stroke_width=2.2, fill="none", stroke_linejoin="round"),
                *(piece(colour, point, 4.2, theme) for point in marks(points)),
            )
        )
    return tag(
        "svg", title(label), *grid, *ticks, *signs, *lines,
        viewBox=f"0 0 {number(width)} {number(height)}", role="img", aria_label=label, class_="chart",
    )  # fmt: skip


def marks(points: Sequence[Point]) -> Sequence[Point]:
    """The points drawn with the player's shape: the last one, and some before it."""
    every = max(1, len(points) // 5)
    return [*points[every - 1 : -every : every], points[-1]] if points else []


def line_svg(course: ChartLines, label: str, theme: Theme) -> str:
    """One line, scaled to its smallest and largest value; for ranks, the first is at the top."""
    values = course.values[0]
    step = step_of(max(values) - min(values) or 1)
    low = step * (min(values) // step)
    high = max(low + step, step * -(-max(values) // step))
    first, last = course.turns[0], max(course.turns[-1], course.turns[0] + 1)

    def at(turn: int, value: int) -> Point:
        x = LEFT + 10 + (WIDTH - LEFT - RIGHT - 10) * (turn - first) / (last - first)
        up = (value - low) / (high - low)
        return Point(x, HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (1 - up if course.downward else up))

    grid = [
        tag("path", d=f"M{number(LEFT + 10)} {number(at(first, value).y)}H{number(WIDTH - RIGHT)}", stroke=theme.line,
            stroke_width=0.5, fill="none")
        + text(str(value), LEFT + 5, at(first, value).y + 3.5, 10, theme.faint, text_anchor="end")
        for value in range(low, high + 1, step)
    ]  # fmt: skip
    points = [at(turn, value) for turn, value in zip(course.turns, values, strict=True)]
    path = "M" + "L".join(f"{number(point.x)} {number(point.y)}" for point in points)
    look = theme.pieces[COLOURS[0]]
    drawn = [
        tag("path", d=path, stroke=look.fill, stroke_width=2.2, fill="none", stroke_linejoin="round"),
        *(piece(COLOURS[0], point, 4.2, theme) for point in marks(points)),
    ]
    return tag(
        "svg", title(label), *grid, *drawn,
        viewBox=f"0 0 {number(WIDTH)} {number(HEIGHT)}", role="img", aria_label=label, class_="chart",
    )  # fmt: skip


def intervals_svg(rows: Sequence[Row], label: str, theme: Theme, percent: Callable[[float], str]) -> str:
    """A line for each row: the share of games won, its interval, and a mark at the fair share."""
    most = max(max(row.wins.high, row.fair) for row in rows)
    step = 0.05 if most <= 0.25 else 0.1 if most <= 0.5 else 0.2
    right, bottom = step * -int(-most // step), TOP + ROW * len(rows)

    def at(share: float) -> float:
        return NAMES + (WIDTH - NAMES - RIGHT) * share / right

    ticks = [step * i for i in range(round(right / step) + 1)]
    grid = [
        tag("path", d=f"M{number(at(share))} {number(TOP - 4)}V{number(bottom)}", stroke=theme.line, stroke_width=0.5)
        + text(percent(share), at(share), bottom + 14, 9, theme.faint)
        for share in ticks
    ]
    look, drawn = theme.pieces[COLOURS[0]], []
    for i, row in enumerate(rows):
        y = TOP + ROW * (i + 0.5)
        drawn += [
            text(row.name, NAMES - 8, y + 3.6, 10.5, theme.ink, text_anchor="end"),
            tag("path", d=f"M{number(at(row.wins.low))} {number(y)}H{number(at(row.wins.high))}", stroke=look.fill,
                stroke_width=4.0, opacity=0.45),
            tag("path", d=f"M{number(at(row.fair))} {number(y - 7)}v14", stroke=theme.ink, stroke_width=1.6),
            piece(COLOURS[0], Point(at(row.wins.value), y), 4.6, theme),
        ]  # fmt: skip
    return tag(
        "svg", title(label), *grid, *drawn,
        viewBox=f"0 0 {number(WIDTH)} {number(bottom + 20)}", role="img", aria_label=label, class_="chart",
    )  # fmt: skip
