"""Counts over all games of a run, for the charts of a report."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from math import ceil

from franchise.arena.outcome import Outcome

Counts = Counter[int]


class RunCounts:
    """How often each length, score and turn of scoring came up. Memory does not grow with the number of games."""

    def __init__(self, outcomes: Iterable[Outcome] = ()) -> None:
        self.games = 0
        self.lengths: Counts = Counter()  # turns
        self.scores: defaultdict[str, Counts] = defaultdict(Counter)  # by entrant
        self.cities: defaultdict[str, Counts] = defaultdict(Counter)  # turn of scoring by city
        self.regions: defaultdict[str, Counts] = defaultdict(Counter)
        self.influence: defaultdict[str, list[Counts]] = defaultdict(list)  # by entrant and turn, from turn 1
        self.cash: defaultdict[str, list[Counts]] = defaultdict(list)
        for outcome in outcomes:
            self.add(outcome)

    def add(self, outcome: Outcome) -> None:
        """Count a game."""
        self.games += 1
        self.lengths[outcome.turns] += 1
        for city in outcome.cities:
            self.cities[city.name][city.turn] += 1
        for region in outcome.regions:
            self.regions[region.name][region.turn] += 1
        for seat, name in enumerate(outcome.seating):
            self.scores[name][outcome.scores[seat]] += 1
            for series, rows in ((self.influence[name], outcome.influence), (self.cash[name], outcome.cash)):
                while len(series) < len(rows):
                    series.append(Counter())
                for turn, row in enumerate(rows):
                    series[turn][row[seat]] += 1

    def usual_turns(self, share: float = 0.25) -> int:
        """The last turn that at least that share of the games reaches."""
        return quantile(self.lengths, 1 - share) if self.games else 0


def quantile(counts: Counts, share: float) -> int:
    """The smallest value that is not exceeded by at least that share of all values."""
    missing = max(1, ceil(share * counts.total() - 1e-9))
    for value in sorted(counts):
        missing -= counts[value]
        if missing <= 0:
            return value
    raise ValueError("there are no values")


def average(counts: Counts) -> float:
    """The mean of the values."""
    return sum(value * count for value, count in counts.items()) / counts.total()
