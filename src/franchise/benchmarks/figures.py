"""The figures of a measurement: values with their limits, and how they are shown."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from franchise.benchmarks.server_process import LoadError

HEADINGS = ("figure", "measured (durations: median / p95 / max)", "limit")


@dataclass(frozen=True)
class Figure:
    """One figure: a number or a distribution of durations, and the limit for one of its values."""

    key: str
    text: str
    values: Mapping[str, float | None]  # None if the system does not report it
    unit: str = ""
    limit: float | None = None
    limited: str = "value"
    least: float | None = None  # the limit is a minimum

    @property
    def measured(self) -> str:
        numbers = [number for number in self.values.values() if number is not None]
        if not numbers:
            return "not available"
        texts = (f"{number:,.1f}" if isinstance(number, float) else f"{number:,}" for number in numbers)
        return f"{' / '.join(texts)} {self.unit}".rstrip()

    @property
    def bound(self) -> str:
        if self.least is not None:
            return f"at least {self.least:g} {self.unit}".rstrip()
        if self.limit is None:
            return ""
        which = "" if self.limited == "value" else f"{self.limited} "
        return f"{which}at most {self.limit:g} {self.unit}".rstrip()

    @property
    def kept(self) -> bool | None:
        """Whether the limit is met; None if there is no limit or no value."""
        if self.limit is None and self.least is None:
            return None
        value = self.values[self.limited]
        if value is None:
            return None
        return value <= self.limit if self.limit is not None else value >= (self.least or 0)


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest of the values that at least this share of them do not exceed."""
    if not values:
        raise LoadError("nothing was measured: give it more seconds or more tables")
    return sorted(values)[max(0, math.ceil(share * len(values)) - 1)]


def single(key: str, text: str, value: float | None, unit: str = "", limit: float | None = None) -> Figure:
    """A figure that is one number."""
    return Figure(key, text, {"value": value}, unit, limit)


def spread(key: str, text: str, values: Sequence[float], limit: float | None = None, limited: str = "p95") -> Figure:
    """Median, 95th percentile and maximum of durations in milliseconds."""
    values_of = {"median": percentile(values, 0.5), "p95": percentile(values, 0.95), "max": max(values, default=0)}
    return Figure(key, text, {name: round(value, 1) for name, value in values_of.items()}, "ms", limit, limited)


def as_json(figures: Sequence[Figure]) -> str:
    """Every figure by its key, with unit and limit."""
    rows = {
        figure.key: {**figure.values, "unit": figure.unit, "limit": figure.limit, "kept": figure.kept}
        for figure in figures
    }
    return json.dumps(rows)


def as_markdown(figures: Sequence[Figure]) -> str:
    """A table for a page of documentation."""
    rows = [HEADINGS, ("---", "---:", "---:"), *((figure.text, figure.measured, figure.bound) for figure in figures)]
    return "\n".join(f"| {' | '.join(row)} |".replace("|  |", "| |") for row in rows)


def show_table(title: str, figures: Sequence[Figure]) -> None:
    """The figures as a table; those that miss their limit stand out."""
    from rich.console import Console
    from rich.table import Table as Grid

    grid = Grid(*HEADINGS, "", title=title)
    for figure in figures:
        kept = {True: "kept", False: "missed", None: ""}[figure.kept]
        grid.add_row(figure.text, figure.measured, figure.bound, kept, style="bold red" if figure.kept is False else "")
    Console().print(grid)
