"""A chart of a training run: prediction loss, calibration of the chances, and the matches.

Needs matplotlib, so import it on use.
"""

from io import StringIO
from pathlib import Path
from typing import Any

from franchise.arena.report_charts import COLOURS, GRID, INK, Chart, in_style
from franchise.training.generations import figures


def draw(folder: Path) -> str:
    """A standalone SVG: the loss on held-out games by generation, and the reliability of the last one.

    The dotted line is the reliability of the linear evaluation.
    """
    run = figures(folder)
    players = sorted({number for row in run for number in row["held_out"]})
    with in_style():
        chart = Chart(3.6, columns=2, space=0.06)
        losses, reliability = chart.axes
        for number, colour in zip(players, COLOURS, strict=False):
            rows = [row for row in run if number in row["held_out"]]
            curve = [(row["generation"], relative(row["held_out"][number])) for row in rows]
            if number in rows[-1]["start"]:  # on the same games as the last generation
                curve.insert(0, (-1, relative(rows[-1]["start"][number])))
            label = f"{number} players"
            losses.plot(*zip(*curve, strict=True), "o-", color=colour, label=label)
            last = rows[-1]["held_out"][number]
            before, after = last["linear calibration"], last["calibration"]
            reliability.plot(after["announced"], after["happened"], "o-", color=colour, markersize=4, label=label)
            reliability.plot(before["announced"], before["happened"], ":", color=colour, linewidth=1)
        losses.axhline(1, color=INK, linewidth=1, linestyle=(0, (4, 3)))
        losses.set_xlabel("generation")
        losses.set_ylabel("log loss, linear evaluation = 1")
        started = any(row["start"] for row in run)
        losses.set_xticks([-1] * started + [row["generation"] for row in run])
        if started:
            losses.set_xticklabels(["start", *(str(row["generation"]) for row in run)])
        losses.legend()
        reliability.plot([0, 1], [0, 1], color=INK, linewidth=1, linestyle=(0, (4, 3)))
        reliability.set_xlabel("chance announced")
        reliability.set_ylabel("share of games won")
        chart.figure.set_facecolor("white")
        file = StringIO()
        chart.figure.savefig(file, format="svg", facecolor="white", metadata={"Date": None, "Creator": None})
    text = file.getvalue()
    return text[text.index("<svg") :].replace(INK, "#333333").replace(GRID, "#cccccc")


def relative(losses: dict[str, Any]) -> float:
    """The loss on held-out base games, over that of the linear evaluation on the same games."""
    return float(losses["base"] / losses["linear base"])
