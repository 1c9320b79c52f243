"""The charts of a report, as inline SVG. Needs matplotlib, so import it on use.

Text and lines have the colours of the page; entrants have the same colour in every chart.
"""

import re
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from io import StringIO
from typing import Any

import matplotlib
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.ticker import MaxNLocator, PercentFormatter

from franchise.arena.intervals import Estimate
from franchise.arena.run_counts import Counts, average, quantile
from franchise.arena.standings import SeatRow

WIDTH = 6.6  # inches; all charts of a page have the same width
INK, GRID = "#010203", "#030201"  # placeholders for the colours of the page
COLOURS = ("#2e86d1", "#e0772b", "#2a9d70", "#c94f8a", "#8a6fd1", "#b5912a", "#d14b4b", "#5f9ea8")
PLAIN = "#5b8fa8"
STYLE: Any = {
    "svg.fonttype": "none",
    "svg.hashsalt": "franchise",
    "text.parse_math": False,  # a name may contain dollar signs
    "font.size": 11,
    "figure.facecolor": "none",
    "savefig.facecolor": "none",
    "axes.facecolor": "none",
    "axes.edgecolor": GRID,
    "axes.axisbelow": True,
    "axes.grid": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.spines.left": False,
    "grid.color": GRID,
    "grid.linewidth": 0.8,
    "text.color": INK,
    "axes.labelcolor": INK,
    "xtick.color": GRID,
    "ytick.color": GRID,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "ytick.major.size": 0,
    "xtick.major.size": 0,
    "legend.frameon": False,
}
NAME_LIMIT = 24
LINE = 72  # characters per line of a legend

Palette = Mapping[str, str]


def palette(names: Sequence[str]) -> dict[str, str]:
    """A colour for each entrant."""
    return {name: COLOURS[number % len(COLOURS)] for number, name in enumerate(names)}


def shortened(name: str) -> str:
    return name if len(name) <= NAME_LIMIT else name[: NAME_LIMIT - 1] + "…"


def in_style() -> AbstractContextManager[None]:
    """Charts are drawn and written inside this context."""
    return matplotlib.rc_context(STYLE)


class Chart:
    """A figure with its axes; `svg` is its text."""

    def __init__(self, height: float, rows: int = 1, columns: int = 1, space: float = 0.02, **settings: Any) -> None:
        self.figure = Figure(figsize=(WIDTH, height), layout=ConstrainedLayoutEngine(wspace=space))
        self.axes: list[Any] = self.figure.subplots(rows, columns, squeeze=False, **settings).ravel().tolist()

    def svg(self, key: str, title: str) -> str:
        """The chart as SVG, with ids that begin with the key and no external references."""
        file = StringIO()
        self.figure.savefig(file, format="svg", metadata={"Date": None, "Creator": None})
        text = file.getvalue()
        text = text[text.index("<svg") :]
        text = re.sub(r"<metadata>.*?</metadata>|<style.*?</style>|<!--.*?-->", "", text, flags=re.DOTALL)
        box = re.search(r'viewBox="([^"]*)"', text)
        if box is None:
            raise ValueError("matplotlib wrote a drawing without a viewBox")
        text = f'<svg viewBox="{box[1]}" role="img" aria-label="{title}">' + text[text.index(">") + 1 :]
        text = re.sub(r'\bid="', f'id="{key}-', text)
        text = re.sub(r'(?:xlink:)?href="#', f'href="#{key}-', text).replace("url(#", f"url(#{key}-")
        text = re.sub(r"font-family: [^;\"]*; ", "", text)  # the font of the page
        return text.replace(INK, "currentColor").replace(GRID, "var(--grid)").strip()


def bare(axes: Any, keep: str) -> None:
    """Keep the grid lines of one axis only."""
    axes.grid(visible=False, axis="y" if keep == "x" else "x")


def forest(rows: Sequence[tuple[str, Estimate]], colours: Palette, label: str, fair: Sequence[float] = ()) -> Chart:
    """Values with their intervals, one line each; `fair` marks the fair value."""
    chart = Chart(0.75 + 0.42 * len(rows))
    axes = chart.axes[0]
    bare(axes, "x")
    for line, (name, estimate) in enumerate(rows):
        axes.plot([estimate.low, estimate.high], [line, line], color=colours[name], linewidth=5, alpha=0.4)
        axes.plot([estimate.value], [line], "o", color=colours[name], markersize=9)
    for line, share in enumerate(fair):
        axes.plot([share, share], [line - 0.32, line + 0.32], color=INK, linewidth=1.4)
    axes.set_yticks(range(len(rows)), [shortened(name) for name, _ in rows])
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.set_xlabel(label)
    if fair:
        axes.xaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    return chart


def checkpoints(rows: Sequence[tuple[str, Estimate]], levels: Mapping[str, float], colours: Palette) -> Chart:
    """Ratings of policies in the given order, with their intervals; baselines are horizontal lines."""
    chart = Chart(3.6)
    axes = chart.axes[0]
    where = range(len(rows))
    low, high = [estimate.low for _, estimate in rows], [estimate.high for _, estimate in rows]
    axes.fill_between(where, low, high, color=PLAIN, alpha=0.2, linewidth=0)
    axes.plot(where, [estimate.value for _, estimate in rows], "o-", color=PLAIN, lw=2.2, label="policies")
    for name, value in levels.items():
        axes.axhline(value, color=colours[name], linewidth=1.6, linestyle=(0, (4, 3)), label=shortened(name))
    axes.set_xticks(where, [shortened(name) for name, _ in rows], rotation=20, ha="right")
    axes.set_ylabel("Elo")
    legend(chart, ["policies", *levels])
    return chart


def distributions(scores: Mapping[str, Counts], colours: Palette) -> Chart:
    """A histogram of final scores for each entrant, one above the other."""
    chart = Chart(0.7 + 0.95 * len(scores), rows=len(scores), sharex=True)
    low = min(min(counts) for counts in scores.values())
    high = max(max(counts) for counts in scores.values())
    width = max(1, -(-(high - low + 1) // 40))
    edges = range(low, high + width + 1, width)
    for axes, (name, counts) in zip(chart.axes, scores.items(), strict=True):
        bare(axes, "x")
        axes.hist(list(counts), weights=list(counts.values()), bins=edges, color=colours[name], alpha=0.85)
        axes.axvline(average(counts) + 0.5, color=INK, linewidth=1.4)
        axes.set_yticks([])
        axes.set_title(f"{shortened(name)}, mean {average(counts):.1f}", loc="left", fontsize=11)
    chart.axes[-1].set_xlabel("final score")
    return chart


def by_seat(rows: Sequence[SeatRow], colours: Palette, players: int) -> Chart:
    """Share of wins from each seat, entrants side by side."""
    chart = Chart(3.4)
    axes = chart.axes[0]
    bare(axes, "y")
    names = [name for name in colours if any(row.name == name for row in rows)]
    for number, name in enumerate(names):
        own = [row for row in rows if row.name == name]
        step = 0.7 / len(names)
        where = [row.seat + (number - (len(names) - 1) / 2) * step for row in own]
        axes.vlines(
            where, [row.wins.low for row in own], [row.wins.high for row in own], colours[name], lw=4, alpha=0.4
        )
        axes.plot(where, [row.wins.value for row in own], "o", color=colours[name], markersize=7, label=shortened(name))
    axes.axhline(1 / players, color=INK, linewidth=1.2, linestyle=(0, (4, 3)))
    axes.set_xticks(range(players), [f"seat {seat}" for seat in range(players)])
    axes.set_xlim(-0.5, players - 0.5)
    axes.set_ylim(bottom=0)
    axes.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    legend(chart, names)
    return chart


def scored(rows: Sequence[tuple[str, Counts, str]], games: int) -> Chart:
    """How often places are scored, and when: median, middle half and middle four fifths of the turns."""
    chart = Chart(0.9 + 0.26 * len(rows), columns=2, space=0.08, sharey=True, width_ratios=(2, 3))
    often, when = chart.axes
    for axes in chart.axes:
        bare(axes, "x")
    for line, (_, counts, colour) in enumerate(rows):
        often.barh(line, counts.total() / games, color=colour, height=0.62)
        if counts:
            for low, high, width in ((0.1, 0.9, 1.6), (0.25, 0.75, 5)):
                span = [quantile(counts, low), quantile(counts, high)]
                when.plot(span, [line, line], color=colour, linewidth=width, alpha=0.75)
            when.plot([quantile(counts, 0.5)], [line], "o", color=colour, markersize=7)
    often.set_yticks(range(len(rows)), [name for name, _, _ in rows])
    often.set_ylim(len(rows) - 0.4, -0.6)
    often.set_xlim(0, 1)
    often.set_xticks((0, 0.5, 1))
    often.xaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    often.set_xlabel("games that score it")
    when.set_xlim(left=0)
    when.set_xlabel("turn")
    return chart


def over_turns(series: Mapping[str, list[Counts]], colours: Palette, turns: int, label: str) -> Chart:
    """The mean at the end of each turn, and the middle half of the values."""
    chart = Chart(3.4)
    axes = chart.axes[0]
    for name, counts in series.items():
        shown = [(turn, sample) for turn, sample in enumerate(counts[:turns], 1) if sample]
        where = [turn for turn, _ in shown]
        low, high = ([quantile(sample, share) for _, sample in shown] for share in (0.25, 0.75))
        axes.fill_between(where, low, high, color=colours[name], alpha=0.13, linewidth=0)
        axes.plot(where, [average(sample) for _, sample in shown], color=colours[name], lw=2.2, label=shortened(name))
    axes.set_xlabel("turn")
    axes.set_ylabel(label)
    axes.set_ylim(bottom=0)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    legend(chart, list(series))
    return chart


def lengths(counts: Counts) -> Chart:
    """How many turns games have."""
    chart = Chart(2.6)
    axes = chart.axes[0]
    bare(axes, "y")
    total = counts.total()
    axes.bar(list(counts), [count / total for count in counts.values()], color=PLAIN, width=0.9)
    axes.set_xlabel("turns")
    axes.yaxis.set_major_formatter(PercentFormatter(1, decimals=None))
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    return chart


def legend(chart: Chart, names: Sequence[str]) -> None:
    """Names above the chart, as many per line as fit."""
    longest = max(len(shortened(name)) for name in names)
    columns = max(1, min(len(names), LINE // (longest + 4)))
    chart.figure.legend(loc="outside upper left", ncols=columns, handlelength=1.4, columnspacing=1.4)
