"""OpenSkill ratings (Plackett-Luce) of entrants over games in their order."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from franchise.arena.intervals import Estimate, Z
from franchise.extras import load


class Rating(NamedTuple):
    """How strong an entrant is believed to be, and how sure that is."""

    mu: float
    sigma: float

    @property
    def interval(self) -> Estimate:
        return Estimate(self.mu, self.mu - Z * self.sigma, self.mu + Z * self.sigma)

    @property
    def shown(self) -> int:
        """One number for people: what is all but certain, 1000 for somebody new."""
        return round(1000 + 40 * (self.mu - 3 * self.sigma))


FIRST = Rating(25.0, 25.0 / 3.0)  # of somebody who has not played yet; the defaults of OpenSkill


def rated(before: Sequence[Rating], places: Sequence[int]) -> list[Rating]:
    """The ratings of everybody after a game between them."""
    model = load("openskill.models", "arena").PlackettLuce()
    teams = [[model.create_rating(list(rating))] for rating in before]
    return [Rating(team[0].mu, team[0].sigma) for team in model.rate(teams, ranks=list(map(float, places)))]


def ratings(games: Iterable[tuple[Sequence[str], Sequence[int]]]) -> dict[str, Rating]:
    """Ratings after games given as seating and places (1 is best, equal places are ties).

    An entrant on several seats of a game moves by the mean of what these seats would have moved it.
    """
    found: dict[str, Rating] = {}
    for seating, places in games:
        after = rated([found.get(name) or FIRST for name in seating], places)
        for name in set(seating):
            own = [new for new, other in zip(after, seating, strict=True) if other == name]
            mu = sum(new.mu for new in own) / len(own)
            found[name] = Rating(mu, sum(new.sigma for new in own) / len(own))
    return found
