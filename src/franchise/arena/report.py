"""The report of a run: one page that needs nothing else, neither files nor the network."""

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from franchise.arena.course import Counts, Course
from franchise.arena.extras import require
from franchise.arena.intervals import Estimate
from franchise.arena.outcome import Outcome
from franchise.arena.run import ArenaError, Run, options_data
from franchise.arena.standings import Standings
from franchise.drawing.theme import REGIONS, blend
from franchise.facts import BOARD

if TYPE_CHECKING:
    from franchise.arena.pictures import Picture

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
FOOTNOTE = (
    "Intervals hold with 95% confidence: Wilson’s for shares (shared victories count in parts, which makes it a little "
    "wider than it need be), Student’s for means; a rating is OpenSkill’s (Plackett–Luce), μ ± 1.96 σ. A game is one "
    "observation. The fair share is what an entrant would win if all played alike. Tied seats share the mean of their "
    "ranks."
)


def write(path: Path, run: Run, standings: Standings, outcomes: Iterable[Outcome]) -> None:
    """Write the page; ArenaError where that cannot be."""
    require("matplotlib", "report")
    text = page(run, standings, Course(outcomes))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise ArenaError(f"{path}: {error.strerror or error}") from None


def page(run: Run, standings: Standings, course: Course) -> str:
    """The page as text."""
    sections = [standings_table(standings)] if course.games else []
    if course.games:
        sections += [pictures(standings, course), duels_table(standings), seats_table(standings)]
    if standings.substitutions:
        sections.append(substitutions_table(standings))
    return PAGE.format(
        title=f"Arena: {course.games:,} games",
        style=files("franchise.arena").joinpath("report.css").read_text(encoding="utf-8"),
        heading=" · ".join(map(escape, run.names)),
        summary=summary(run, course),
        body="\n".join(sections),
        footnote=FOOTNOTE,
    )


def summary(run: Run, course: Course) -> str:
    """What was played."""
    parts = [f"{course.games:,} games of {run.players} players", f"seed {run.seed}"]
    chosen = options_data(run.options)
    words = [name if value is True else f"{name} {value}" for name, value in chosen.items()]
    parts.append(", ".join(words) if words else "base game")
    if run.seconds is not None:
        parts.append(f"{run.seconds:g} s a decision")
    if run.simulations is not None:
        parts.append(f"{run.simulations:,} simulations a decision")
    parts.append(f"{len(run.block):,} seating{'s' if len(run.block) > 1 else ''} in turn")
    return escape(" · ".join(parts))


# --- Tables -----------------------------------------------------------------------------------------------------------


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
    """A cell; its second line, an interval, is the lesser one."""
    first, _, second = escape(cell).partition("\n")
    return f"{first}<br><small>{second}</small>" if second else first


def shares(estimate: Estimate) -> str:
    return f"{estimate.value:.1%}\n{100 * estimate.low:.1f}–{100 * estimate.high:.1f}"


def means(estimate: Estimate, digits: int) -> str:
    return f"{estimate.value:.{digits}f}\n{estimate.low:.{digits}f}–{estimate.high:.{digits}f}"


def standings_table(standings: Standings) -> str:
    rows = [
        (
            row.name,
            f"{row.rating.mu:.2f}\n± {row.rating.interval.high - row.rating.mu:.2f}" if row.rating else "",
            shares(row.wins),
            f"{row.fair:.1%}",
            means(row.rank, 2),
            means(row.score, 1),
            f"{row.games:,}",
        )
        for row in standings.table()
    ]
    return table("Standings", ("entrant", "rating", "wins", "fair share", "mean rank", "mean score", "games"), rows)


def duels_table(standings: Standings) -> str:
    names = list(standings.by_name)
    ahead = {(duel.name, duel.other): shares(duel.ahead) for duel in standings.duels()}
    if not ahead:
        return ""
    rows = [(name, *(ahead.get((name, other), "–") for other in names)) for name in names]
    return table("Head to head: how often the row ends ahead of the column", ("entrant", *names), rows)


def seats_table(standings: Standings) -> str:
    cells = {(row.name, row.seat): shares(row.wins) for row in standings.seats()}
    seats = range(standings.players)
    rows = [
        (name if name is not None else "all entrants", *(cells.get((name, seat), "–") for seat in seats))
        for name in (*standings.by_name, None)
    ]
    return table("Wins by seat", ("entrant", *(f"seat {seat}" for seat in seats)), rows)


def substitutions_table(standings: Standings, most: int = 50) -> str:
    lost = standings.lost_seats()
    rows = [(one.bot, str(game), str(one.turn), str(one.seat), one.by, one.reason) for game, one in lost[:most]]
    title = f"Seats lost to substitutes: {len(lost):,}" + (f", the first {most} are" if len(lost) > most else "")
    return table(title, ("bot", "game", "turn", "seat", "substitute", "reason"), rows, text=True)


# --- Pictures ---------------------------------------------------------------------------------------------------------


def pictures(standings: Standings, course: Course) -> str:
    """All pictures, in columns where the window is wide."""
    from franchise.arena.pictures import in_style

    with in_style():
        shown = [
            f"<figure>\n<h2>{escape(title)}</h2>\n{picture.svg(f'p{number}', escape(title))}\n"
            f"<figcaption>{escape(caption)}</figcaption>\n</figure>"
            for number, (title, caption, picture) in enumerate(drawn(standings, course))
        ]
    return '<section class="pictures">\n' + "\n".join(shown) + "\n</section>"


def drawn(standings: Standings, course: Course) -> Iterator[tuple[str, str, "Picture"]]:
    """Each picture with its title and caption."""
    from franchise.arena import pictures as draw

    colours = draw.palette(list(standings.by_name))
    rows = [row for row in standings.table() if row.games]
    rated = [(row.name, row.rating.interval) for row in rows if row.rating]
    yield "Ratings", "OpenSkill ratings with their 95% intervals.", draw.forest(rated, colours, "rating")
    won = [(row.name, row.wins) for row in rows]
    caption = "Games won, with 95% intervals; the upright line is the fair share."
    yield "Share of wins", caption, draw.forest(won, colours, "games won", [row.fair for row in rows])
    scores = {row.name: course.scores[row.name] for row in rows}
    caption = "How final scores are distributed; the line is the mean."
    yield "Scores", caption, draw.distributions(scores, colours)
    caption = "Share of wins from each seat, with 95% intervals; the broken line is an even share."
    yield "Wins by seat", caption, draw.by_seat(standings.seats(), colours, standings.players)
    yield "Length of games", "How many turns games have.", draw.lengths(course.lengths)
    turns = course.usual_turns()
    series = {row.name: course.influence[row.name] for row in rows}
    caption = (
        "Mean at the end of each turn, without final scoring, as far as a quarter of the games go. Shaded: middle half."
    )
    yield "Influence over the turns", caption, draw.over_turns(series, colours, turns, "influence")
    series = {row.name: course.cash[row.name] for row in rows}
    caption = "Mean dollars at the end of each turn. Shaded: middle half."
    yield "Cash over the turns", caption, draw.over_turns(series, colours, turns, "dollars")
    caption = "How often each region is scored, and when: median turn, middle half, middle four fifths."
    yield "Regions", caption, draw.scored(region_rows(course), course.games)
    yield "Cities", "The same for cities, region by region.", draw.scored(city_rows(course), course.games)


def region_colour(region: str) -> str:
    return blend(REGIONS[region].strong, "#ffffff", 0.3)  # readable on light and dark pages


def region_rows(course: Course) -> list[tuple[str, Counts, str]]:
    """Regions that were scored, the most frequent first."""
    rows = [(name, counts, region_colour(name)) for name, counts in course.regions.items()]
    return sorted(rows, key=lambda row: (-row[1].total(), row[0]))


def city_rows(course: Course) -> list[tuple[str, Counts, str]]:
    """Cities that were scored, region by region."""
    rows = []
    for region in BOARD.regions:
        for city in BOARD.cities:
            place = BOARD.locations[city]
            if place.region == region.id and place.name in course.cities:
                rows.append((place.name, course.cities[place.name], region_colour(region.name)))
    return rows
