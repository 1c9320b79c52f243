"""The report of a run: one self-contained page."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from franchise.arena.outcome import Outcome
from franchise.arena.report_page import gallery, means, region_colour, shares, table, whole, write_page
from franchise.arena.run import Run, options_data
from franchise.arena.run_counts import Counts, RunCounts
from franchise.arena.standings import Standings
from franchise.extras import require
from franchise.facts import BOARD

if TYPE_CHECKING:
    from franchise.arena.report_charts import Chart

FOOTNOTE = (
    "Intervals hold with 95% confidence: Wilson’s for shares (shared victories are divided, which makes it slightly "
    "wider than necessary), Student’s for means; a rating is Bradley and Terry’s in Elo points, bootstrapped over "
    "games. A game is one observation. The fair share is what an entrant would win if all were equally strong. Tied "
    "seats share the mean of their ranks."
)


def write(
    path: Path, run: Run, standings: Standings, outcomes: Iterable[Outcome], policies: Sequence[str] = ()
) -> None:
    """Write the page; ArenaError if that fails. `policies`: entrants whose ratings are drawn as a curve."""
    require("report", "matplotlib")
    write_page(path, page(run, standings, RunCounts(outcomes), policies))


def page(run: Run, standings: Standings, run_counts: RunCounts, policies: Sequence[str] = ()) -> str:
    """The page as text."""
    sections = [standings_table(standings)] if run_counts.games else []
    if run_counts.games:
        sections += [charts(standings, run_counts, policies), duels_table(standings), seats_table(standings)]
    if standings.forfeits:
        sections.append(forfeits_table(standings))
    return whole(
        f"Arena: {run_counts.games:,} games", " · ".join(run.names), summary(run, run_counts), sections, FOOTNOTE
    )


def summary(run: Run, run_counts: RunCounts) -> str:
    """What was played."""
    parts = [f"{run_counts.games:,} games of {run.players} players", f"seed {run.seed}"]
    chosen = options_data(run.options)
    words = [name if value is True else f"{name} {value}" for name, value in chosen.items()]
    parts.append(", ".join(words) if words else "base game")
    if run.seconds is not None:
        parts.append(f"{run.seconds:g} s a decision")
    if run.simulations is not None:
        parts.append(f"{run.simulations:,} simulations a decision")
    parts.append(f"{len(run.block):,} seating{'s' if len(run.block) > 1 else ''} in turn")
    return " · ".join(parts)


# --- Tables -----------------------------------------------------------------------------------------------------------


def standings_table(standings: Standings) -> str:
    rows = [
        (
            row.name,
            f"{row.rating.value:+.0f}\n({row.rating.low:+.0f} to {row.rating.high:+.0f})" if row.rating else "",
            shares(row.wins),
            f"{row.fair:.1%}",
            means(row.rank, 2),
            means(row.score, 1),
            f"{row.games:,}",
        )
        for row in standings.table()
    ]
    return table("Standings", ("entrant", "Elo", "wins", "fair share", "mean rank", "mean score", "games"), rows)


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


def forfeits_table(standings: Standings, most: int = 50) -> str:
    lost = standings.lost_seats()
    rows = [
        (forfeit.bot, str(game), str(forfeit.turn), str(forfeit.seat), forfeit.by or "–", forfeit.reason)
        for game, forfeit in lost[:most]
    ]
    title = f"Forfeited seats: {len(lost):,}" + (f", the first {most} are" if len(lost) > most else "")
    return table(title, ("bot", "game", "turn", "seat", "stand-in", "reason"), rows, text=True)


# --- Pictures ---------------------------------------------------------------------------------------------------------


def charts(standings: Standings, run_counts: RunCounts, policies: Sequence[str]) -> str:
    """All charts, in columns if the window is wide."""
    from franchise.arena.report_charts import in_style

    with in_style():
        return gallery(drawn(standings, run_counts, policies))


def drawn(standings: Standings, run_counts: RunCounts, policies: Sequence[str]) -> Iterator[tuple[str, str, "Chart"]]:
    """Each chart with its title and caption."""
    from franchise.arena import report_charts as draw

    colours = draw.palette(list(standings.by_name))
    rows = [row for row in standings.table() if row.games]
    rated = [(row.name, row.rating) for row in rows if row.rating]
    yield "Ratings", "Elo points from all games at once, with their 95% intervals.", draw.forest(rated, colours, "Elo")
    if curve := [(name, rating) for policy in policies for name, rating in rated if name == policy]:
        levels = {name: rating.value for name, rating in rated if name not in policies}
        caption = "Ratings of the policies in the order given, with their 95% intervals, beside the baselines."
        yield "Policies", caption, draw.checkpoints(curve, levels, colours)
    won = [(row.name, row.wins) for row in rows]
    caption = "Games won, with 95% intervals; the upright line is the fair share."
    yield "Share of wins", caption, draw.forest(won, colours, "games won", [row.fair for row in rows])
    scores = {row.name: run_counts.scores[row.name] for row in rows}
    caption = "How final scores are distributed; the line is the mean."
    yield "Scores", caption, draw.distributions(scores, colours)
    caption = "Share of wins from each seat, with 95% intervals; the dashed line is an even share."
    yield "Wins by seat", caption, draw.by_seat(standings.seats(), colours, standings.players)
    yield "Length of games", "How many turns games have.", draw.lengths(run_counts.lengths)
    turns = run_counts.usual_turns()
    series = {row.name: run_counts.influence[row.name] for row in rows}
    caption = (
        "Mean at the end of each turn, without final scoring, as far as a quarter of the games go. Shaded: middle half."
    )
    yield "Influence over the turns", caption, draw.over_turns(series, colours, turns, "influence")
    series = {row.name: run_counts.cash[row.name] for row in rows}
    caption = "Mean dollars at the end of each turn. Shaded: middle half."
    yield "Cash over the turns", caption, draw.over_turns(series, colours, turns, "dollars")
    caption = "How often each region is scored, and when: median turn, middle half, middle four fifths."
    yield "Regions", caption, draw.scored(region_rows(run_counts), run_counts.games)
    yield "Cities", "The same for cities, region by region.", draw.scored(city_rows(run_counts), run_counts.games)


def region_rows(run_counts: RunCounts) -> list[tuple[str, Counts, str]]:
    """Regions that were scored, the most frequent first."""
    rows = [(name, counts, region_colour(name)) for name, counts in run_counts.regions.items()]
    return sorted(rows, key=lambda row: (-row[1].total(), row[0]))


def city_rows(run_counts: RunCounts) -> list[tuple[str, Counts, str]]:
    """Cities that were scored, region by region."""
    rows = []
    for region in BOARD.regions:
        for city in BOARD.cities:
            place = BOARD.locations[city]
            if place.region == region.id and place.name in run_counts.cities:
                rows.append((place.name, run_counts.cities[place.name], region_colour(region.name)))
    return rows
