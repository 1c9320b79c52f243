"""Self-contained pages: their frame, tables, and charts."""

from collections.abc import Iterable, Sequence
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from franchise.arena.intervals import Estimate
from franchise.arena.run import ArenaError
from franchise.drawing.theme import REGIONS, blend

if TYPE_CHECKING:
    from franchise.arena.report_charts import Chart

PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<style>
{style}</style>
</head>
<body>
<main>
<header>
<h1>{heading}</h1>
<p>{summary}</p>
</header>
{body}
<footer>
<p>{footnote}</p>
</footer>
</main>
</body>
</html>
"""


def whole(title: str, heading: str, summary: str, sections: Iterable[str], footnote: str) -> str:
    """A page of sections; everything else is escaped here."""
    return PAGE.format(
        title=escape(title),
        style=files("franchise.arena").joinpath("report.css").read_text(encoding="utf-8"),
        heading=escape(heading),
        summary=escape(summary),
        body="\n".join(sections),
        footnote=escape(footnote),
    )


def write_page(path: Path, text: str) -> None:
    """Write a page; ArenaError if that fails."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise ArenaError(f"{path}: {error.strerror or error}") from None


def table(title: str, headings: Sequence[str], rows: Iterable[Sequence[str]], text: bool = False) -> str:
    """A section with a table; cells are escaped here."""
    head = "".join(f'<th scope="col">{escape(heading)}</th>' for heading in headings)
    body = "\n".join(
        f'<tr><th scope="row">{escape(row[0])}</th>'
        + "".join(f"<td>{cell_html(cell)}</td>" for cell in row[1:])
        + "</tr>"
        for row in rows
    )
    kind = ' class="words"' if text else ""
    return (
        f'<section>\n<h2>{escape(title)}</h2>\n<div class="scroll"><table{kind}>\n<thead><tr>{head}</tr></thead>\n'
        f"<tbody>\n{body}\n</tbody>\n</table></div>\n</section>"
    )


def cell_html(cell: str) -> str:
    """A cell; its second line, an interval, is smaller."""
    first, _, second = escape(cell).partition("\n")
    return f"{first}<br><small>{second}</small>" if second else first


def shares(estimate: Estimate) -> str:
    return f"{estimate.value:.1%}\n{100 * estimate.low:.1f}–{100 * estimate.high:.1f}"


def means(estimate: Estimate, digits: int) -> str:
    return f"{estimate.value:.{digits}f}\n{estimate.low:.{digits}f}–{estimate.high:.{digits}f}"


def gallery(charts: Iterable[tuple[str, str, "Chart"]]) -> str:
    """Charts with title and caption, in columns if the window is wide; made inside `in_style`."""
    shown = [
        f"<figure>\n<h2>{escape(title)}</h2>\n{chart.svg(f'p{number}', escape(title))}\n"
        f"<figcaption>{escape(caption)}</figcaption>\n</figure>"
        for number, (title, caption, chart) in enumerate(charts)
    ]
    return '<section class="pictures">\n' + "\n".join(shown) + "\n</section>"


def region_colour(region: str) -> str:
    return blend(REGIONS[region].strong, "#ffffff", 0.3)  # readable on light and dark pages
