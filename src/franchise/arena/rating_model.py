"""OpenSkill ratings (Plackett-Luce) of people, updated with every game."""

from collections.abc import Sequence
from typing import NamedTuple

from franchise.extras import load


class Rating(NamedTuple):
    """An estimate of somebody's strength, and its uncertainty."""

    mu: float
    sigma: float

    @property
    def shown(self) -> int:
        """The number shown to people: a lower bound of the strength, 1000 for a new player."""
        return round(1000 + 40 * (self.mu - 3 * self.sigma))


FIRST = Rating(25.0, 25.0 / 3.0)  # of somebody who has not played yet; the defaults of OpenSkill


def rated(before: Sequence[Rating], places: Sequence[int]) -> list[Rating]:
    """The ratings of everybody after a game between them."""
    model = load("openskill.models", "serve").PlackettLuce()
    teams = [[model.create_rating(list(rating))] for rating in before]
    return [Rating(team[0].mu, team[0].sigma) for team in model.rate(teams, ranks=list(map(float, places)))]
