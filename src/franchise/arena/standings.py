"""Standings: who wins how often, from which seat, and against whom."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from franchise.arena.intervals import Estimate, mean_of_sums, share
from franchise.arena.outcome import Forfeit, Outcome
from franchise.arena.strengths import strengths
from franchise.game import shares


@dataclass(frozen=True)
class Standing:
    """An entrant over all its games. A game is one observation, however many seats the entrant has in it."""

    name: str
    games: int
    seats: int
    forfeits: int  # seats lost because the bot failed
    wins: Estimate  # share of games won from any of its seats; shared victories are divided
    fair: float  # the share it would have if all were equally strong
    rank: Estimate  # mean of the ranks of its seats; tied seats get the mean of their ranks
    score: Estimate
    rating: Estimate | None  # Elo points

    def data(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "games": self.games,
            "seats": self.seats,
            "forfeits": self.forfeits,
            "win_share": self.wins.data(4),
            "fair_share": round(self.fair, 4),
            "mean_rank": self.rank.data(3),
            "mean_score": self.score.data(2),
            "rating": self.rating and self.rating.data(1),
        }


@dataclass(frozen=True)
class Duel:
    """How often one entrant finishes ahead of another; ties count half."""

    name: str
    other: str
    games: int
    ahead: Estimate

    def data(self) -> dict[str, Any]:
        return {"name": self.name, "other": self.other, "games": self.games, "ahead": self.ahead.data(4)}


@dataclass(frozen=True)
class SeatRow:
    """An entrant (None: all of them) on one seat."""

    name: str | None
    seat: int
    games: int
    wins: Estimate
    rank: float
    score: float

    def data(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "seat": self.seat,
            "games": self.games,
            "win_share": self.wins.data(4),
            "mean_rank": round(self.rank, 3),
            "mean_score": round(self.score, 2),
        }


class Sums:
    """Numbers of games that add up."""

    def __init__(self) -> None:
        self.games = self.seats = self.forfeits = 0
        self.wins = self.fair = 0.0
        self.rank = self.rank_squares = 0.0
        self.score = self.score_squares = 0.0

    def add(self, won: float, rank: float, score: float, seats: int, players: int) -> None:
        """Count a game."""
        self.games += 1
        self.seats += seats
        self.wins += won
        self.fair += seats / players
        self.rank += rank
        self.rank_squares += rank * rank
        self.score += score
        self.score_squares += score * score

    @property
    def mean_rank(self) -> Estimate:
        return mean_of_sums(self.games, self.rank, self.rank_squares)

    @property
    def mean_score(self) -> Estimate:
        return mean_of_sums(self.games, self.score, self.score_squares)


class Standings:
    """The results of all entrants; accepts games in any order and keeps only what it needs."""

    def __init__(self, names: Iterable[str], players: int) -> None:
        self.players = players
        self.by_name = {name: Sums() for name in dict.fromkeys(names)}
        self.by_seat: defaultdict[tuple[str | None, int], Sums] = defaultdict(Sums)
        self.ahead: defaultdict[tuple[str, str], list[float]] = defaultdict(lambda: [0, 0.0])  # games, times ahead
        self.order: dict[int, tuple[tuple[str, ...], tuple[int, ...]]] = {}  # seating and places by game
        self.forfeits: list[tuple[int, Forfeit]] = []  # with their games

    @property
    def games(self) -> int:
        return len(self.order)

    def add(self, outcome: Outcome) -> None:
        """Count a game."""
        self.order[outcome.game] = outcome.seating, outcome.places
        self.forfeits += [(outcome.game, forfeit) for forfeit in outcome.forfeits]
        won = shares(outcome.winners, self.players)
        ranks = shared_ranks(outcome.places)
        seats_of: defaultdict[str, list[int]] = defaultdict(list)
        for seat, name in enumerate(outcome.seating):
            seats_of[name].append(seat)
            for key in ((name, seat), (None, seat)):
                self.by_seat[key].add(won[seat], ranks[seat], outcome.scores[seat], 1, self.players)
        for seat in outcome.forfeited:
            self.by_name[outcome.seating[seat]].forfeits += 1
        for name, seats in seats_of.items():
            rank = sum(ranks[seat] for seat in seats) / len(seats)
            score = sum(outcome.scores[seat] for seat in seats) / len(seats)
            self.by_name[name].add(sum(won[seat] for seat in seats), rank, score, len(seats), self.players)
            for other, others in seats_of.items():
                if other != name:
                    pairs = [(ranks[mine], ranks[theirs]) for mine in seats for theirs in others]
                    duel = self.ahead[name, other]
                    duel[0] += 1
                    duel[1] += sum((mine < theirs) + (mine == theirs) / 2 for mine, theirs in pairs) / len(pairs)

    def ratings(self) -> dict[str, Estimate]:
        """Ratings from all games at once; none before there is a game."""
        games = [self.order[game] for game in sorted(self.order)]
        return strengths(list(self.by_name), games) if games else {}

    def table(self, rated: bool = True) -> list[Standing]:
        """All entrants, sorted by their share of wins relative to the fair share."""
        ratings = self.ratings() if rated else {}
        rows = [
            Standing(
                name=name,
                games=sums.games,
                seats=sums.seats,
                forfeits=sums.forfeits,
                wins=share(sums.wins, sums.games),
                fair=sums.fair / max(sums.games, 1),
                rank=sums.mean_rank,
                score=sums.mean_score,
                rating=ratings.get(name),
            )
            for name, sums in self.by_name.items()
        ]
        return sorted(rows, key=lambda row: (-row.wins.value / row.fair if row.games else 1.0, row.name))

    def duels(self) -> list[Duel]:
        """Head to head, every pair that met, in both directions."""
        return [
            Duel(name, other, int(games), share(ahead, int(games)))
            for (name, other), (games, ahead) in sorted(self.ahead.items())
        ]

    def lost_seats(self) -> list[tuple[int, Forfeit]]:
        """Every forfeit with its game, in the order of games."""
        return sorted(self.forfeits, key=lambda pair: (pair[0], pair[1].move))

    def seats(self) -> list[SeatRow]:
        """Every entrant on every seat, then all entrants together."""
        rows = []
        for name in (*self.by_name, None):
            for seat in range(self.players):
                sums = self.by_seat.get((name, seat))
                if sums is not None:
                    wins = share(sums.wins, sums.games)
                    rows.append(SeatRow(name, seat, sums.games, wins, sums.mean_rank.value, sums.mean_score.value))
        return rows


def shared_ranks(places: tuple[int, ...]) -> list[float]:
    """Ranks from places; tied entrants get the mean of their ranks."""
    return [place + (places.count(place) - 1) / 2 for place in places]
