"""OpenSkill ratings (Plackett-Luce) of people, which move with every game."""

from collections.abc import Sequence
from typing import NamedTuple

from franchise.extras import load


class Rating(NamedTuple):
    """How strong somebody is believed to be, and how sure that is."""

    mu: float
    sigma: float

    @property
    def shown(self) -> int:
        """One number for people: what is all but certain, 1000 for somebody new."""
        return round(1000 + 40 * (self.mu - 3 * self.sigma))


FIRST = Rating(25.0, 25.0 / 3.0)  # of somebody who has not played yet; the defaults of OpenSkill


def rated(before: Sequence[Rating], places: Sequence[int]) -> list[Rating]:
    """The ratings of everybody after a game between them."""
    model = load("openskill.models", "serve").PlackettLuce()
    teams = [[model.create_rating(list(rating))] for rating in before]
    return [Rating(team[0].mu, team[0].sigma) for team in model.rate(teams, ranks=list(map(float, places)))]
