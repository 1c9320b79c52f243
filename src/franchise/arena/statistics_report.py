"""The report of `franchise report`: what wins, in tables and charts, as one self-contained page."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from franchise.arena.report_page import gallery, region_colour, shares, table, whole, write_page
from franchise.arena.run_counts import average, quantile
from franchise.arena.statistics import Row, Statistics
from franchise.extras import require

if TYPE_CHECKING:
    from franchise.arena.report_charts import Chart

FOOTNOTE = (
    "Every game is one observation. “Won” is the share of games won by the players a row describes, with a 95% Wilson "
    "interval; shared victories are divided. “Fair” is the share they would win if it made no difference. ▲ and ▼ "
    "mark rows that win more or less often than is fair, by more than the interval and over at least ten games; of "
    "twenty rows without any effect, about one is marked by chance. Correlation is not causation."
)
USES = {
    "again": "expand a second time",
    "double": "double market share",
    "cash": "dollars",
    "kept": "kept to the end",
}
MARKS = {1: "▲", 0: "", -1: "▼"}
MOST = 40  # names shown


def write(path: Path, statistics: Statistics, title: str) -> None:
    """Write the page; ArenaError if that fails."""
    require("report", "matplotlib")
    write_page(path, page(statistics, title))


def sections(statistics: Statistics) -> Iterator[tuple[str, str, Sequence[Row]]]:
    """Every table: its title, the kind of its rows, and the rows."""
    for players, rows in statistics.by_seat().items():
        yield f"Seats at tables of {players}", "seat", rows
    yield "Regions: who comes first there", "region", statistics.by_region()
    yield "Starting towns: who begins there", "town", statistics.by_start()
    uses = [row._replace(name=USES[row.name]) for row in statistics.by_use()]
    yield "Bonus tiles: who uses one for this", "use", uses
    yield "Names", "name", statistics.by_player()[:MOST]


def summary(statistics: Statistics) -> list[str]:
    """What was counted, in a few words each."""
    parts = [f"{statistics.finished:,} finished game{'s' if statistics.finished != 1 else ''}"]
    if statistics.unfinished:
        parts.append(f"{statistics.unfinished:,} unfinished, not counted")
    if statistics.finished:
        tables = (f"{tallies[0].games:,} of {players}" for players, tallies in sorted(statistics.seats.items()))
        parts.append(f"players: {', '.join(tables)}")
        for what, counts in (("turns", statistics.turns), ("moves", statistics.moves)):
            span = f"{min(counts)}–{max(counts)}"
            parts.append(f"{what}: {average(counts):.1f} on average, median {quantile(counts, 0.5)}, {span}")
    return parts


def page(statistics: Statistics, title: str) -> str:
    """The page as text."""
    parts = []
    if statistics.finished:
        from franchise.arena.report_charts import in_style

        with in_style():
            parts.append(gallery(drawn(statistics)))
        for heading, what, rows in sections(statistics):
            if rows:
                cells = [
                    (row.name, shares(row.wins), f"{row.fair:.1%}", MARKS[row.verdict], f"{row.games:,}")
                    for row in rows
                ]
                parts.append(table(heading, (what, "won", "fair", "", "games"), cells))
    heading = f"What wins: {title}"
    return whole(heading, heading, " · ".join(summary(statistics)), parts, FOOTNOTE)


def drawn(statistics: Statistics) -> Iterator[tuple[str, str, "Chart"]]:
    """Each chart with its title and caption."""
    from franchise.arena import report_charts as draw

    caption = "Games won, with 95% intervals; the upright line is the fair share."
    for title, what, rows in sections(statistics):
        if rows and what != "name":
            colours = {row.name: region_colour(row.name) if what == "region" else draw.PLAIN for row in rows}
            won = [(row.name, row.wins) for row in rows]
            yield title, caption, draw.forest(won, colours, "games won", [row.fair for row in rows])
    yield "Length of games", "How many turns games have.", draw.lengths(statistics.turns)
