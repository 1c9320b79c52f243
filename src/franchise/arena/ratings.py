"""OpenSkill ratings (Plackett-Luce) of entrants over games in their order."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from franchise.arena.extras import load
from franchise.arena.intervals import Estimate, Z


class Rating(NamedTuple):
    """How strong an entrant is believed to be, and how sure that is."""

    mu: float
    sigma: float

    @property
    def interval(self) -> Estimate:
        return Estimate(self.mu, self.mu - Z * self.sigma, self.mu + Z * self.sigma)


def ratings(games: Iterable[tuple[Sequence[str], Sequence[int]]]) -> dict[str, Rating]:
    """Ratings after games given as seating and places (1 is best, equal places are ties).

    An entrant on several seats of a game moves by the mean of what these seats would have moved it.
    """
    model = load("openskill.models", "arena").PlackettLuce()
    found: dict[str, Rating] = {}
    for seating, places in games:
        before = [found.get(name) or Rating(model.mu, model.sigma) for name in seating]
        teams = [[model.create_rating(list(rating))] for rating in before]
        after = [team[0] for team in model.rate(teams, ranks=list(map(float, places)))]
        for name in set(seating):
            own = [new for new, other in zip(after, seating, strict=True) if other == name]
            mu = sum(new.mu for new in own) / len(own)
            found[name] = Rating(mu, sum(new.sigma for new in own) / len(own))
    return found
