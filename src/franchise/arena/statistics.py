"""What wins: seats, regions, starting towns and uses of bonus tiles, counted over finished games of any kind."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from franchise.arena.intervals import Estimate, share
from franchise.arena.run_counts import Counts, average, quantile
from franchise.engine.layout import EventKind
from franchise.facts import BOARD
from franchise.game import Game

USES = {  # the uses of a bonus tile, as written in the notation
    EventKind.AGAIN: "again",
    EventKind.DOUBLE: "double",
    EventKind.CASH: "cash",
    EventKind.BONUS_TILES: "kept",
}
FEW = 10  # with fewer games there is no verdict


class Row(NamedTuple):
    """How often the players that something applies to win."""

    name: str
    games: int  # in which it applies to somebody
    wins: Estimate  # share of these games that they win; shared victories are divided
    fair: float  # the share they would have if it made no difference

    @property
    def verdict(self) -> int:
        """1 if they win more often than is fair, -1 if less often; 0 if the interval or too few games leave it open."""
        if self.games < FEW:
            return 0
        return (self.wins.low > self.fair) - (self.wins.high < self.fair)

    def data(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "games": self.games,
            "win_share": self.wins.data(4),
            "fair_share": round(self.fair, 4),
        }


@dataclass
class Tally:
    """Adds up a Row. A game is one observation, however many seats it concerns."""

    games: int = 0
    won: float = 0.0
    fair: float = 0.0

    def add(self, won: float, fair: float) -> None:
        self.games += 1
        self.won += won
        self.fair += fair

    def row(self, name: str) -> Row:
        return Row(name, self.games, share(self.won, self.games), self.fair / max(self.games, 1))


Tallies = defaultdict[str, Tally]


@dataclass
class Statistics:
    """Adds up games; unfinished games are only counted."""

    finished: int = 0
    unfinished: int = 0
    turns: Counts = field(default_factory=Counter)  # lengths of finished games
    moves: Counts = field(default_factory=Counter)
    seats: dict[int, list[Tally]] = field(default_factory=dict)  # by number of players, then by seat
    regions: Tallies = field(default_factory=lambda: defaultdict(Tally))  # of who comes first there
    starts: Tallies = field(default_factory=lambda: defaultdict(Tally))
    uses: Tallies = field(default_factory=lambda: defaultdict(Tally))
    players: Tallies = field(default_factory=lambda: defaultdict(Tally))  # by name
    scores: defaultdict[str, Counts] = field(default_factory=lambda: defaultdict(Counter))

    def add(self, game: Game) -> None:
        """Count a game."""
        if not game.over:
            self.unfinished += 1
            return
        self.finished += 1
        self.turns[game.turn] += 1
        self.moves[len(game.actions)] += 1
        result = game.result()
        won = result.shares
        tallies = self.seats.setdefault(game.players, [Tally() for _ in range(game.players)])
        for tally, part in zip(tallies, won, strict=True):
            tally.add(part, 1 / game.players)
        for name, seats in named(game).items():
            self.scores[name].update(result.scores[seat] for seat in seats)
        kinds = (self.players, self.regions, self.starts, self.uses)
        for tallies_of, seats_of in zip(kinds, (named(game), *happened(game)), strict=True):
            for name, seats in seats_of.items():
                tallies_of[name].add(sum(won[seat] for seat in seats), len(seats) / game.players)

    # --- what was counted ---

    def by_seat(self) -> dict[int, list[Row]]:
        """For each number of players the seats in turn; seat 0 is the first player."""
        return {
            players: [tally.row(f"seat {seat}") for seat, tally in enumerate(self.seats[players])]
            for players in sorted(self.seats)
        }

    def first_player(self) -> Row:
        """The first player at tables of any size."""
        whole = Tally()
        for tallies in self.seats.values():
            whole.games += tallies[0].games
            whole.won += tallies[0].won
            whole.fair += tallies[0].fair
        return whole.row("first player")

    def by_region(self) -> list[Row]:
        return ranked(self.regions)

    def by_start(self) -> list[Row]:
        return ranked(self.starts)

    def by_use(self) -> list[Row]:
        """Uses of bonus tiles, in the order of USES."""
        return [self.uses[name].row(name) for name in USES.values() if name in self.uses]

    def by_player(self) -> list[Row]:
        return ranked(self.players)

    def data(self) -> dict[str, Any]:
        """Everything as JSON-able data."""
        return {
            "finished": self.finished,
            "unfinished": self.unfinished,
            "players": {str(players): tallies[0].games for players, tallies in sorted(self.seats.items())},
            "turns": spread(self.turns),
            "moves": spread(self.moves),
            "first_player": self.first_player().data(),
            "seats": {str(players): [row.data() for row in rows] for players, rows in self.by_seat().items()},
            "regions": [row.data() for row in self.by_region()],
            "starts": [row.data() for row in self.by_start()],
            "bonus_tiles": [row.data() for row in self.by_use()],
            "names": [
                row.data() | {"mean_score": round(average(self.scores[row.name]), 2)} for row in self.by_player()
            ],
        }


def statistics(games: Iterable[Game]) -> Statistics:
    """The statistics of some games."""
    made = Statistics()
    for game in games:
        made.add(game)
    return made


def named(game: Game) -> dict[str, set[int]]:
    """The seats of each name; seats without a name are left out."""
    seats: dict[str, set[int]] = {}
    for seat, name in enumerate(game.names):
        if name:
            seats.setdefault(name, set()).add(seat)
    return seats


def happened(game: Game) -> tuple[dict[str, set[int]], ...]:
    """The seats that were first in each region, that began in each town, and that used bonus tiles in each way."""
    first: dict[str, set[int]] = {}
    began: dict[str, set[int]] = {}
    used: dict[str, set[int]] = {}
    for _, events in game.history():
        for event in events:
            if event.kind in (EventKind.RANK, EventKind.DOLLARS):
                first.setdefault(BOARD.regions[event.place].name, {event.seat})  # ranks come in order
            elif event.kind == EventKind.START:
                began.setdefault(BOARD.locations[event.place].name, set()).add(event.seat)
            elif event.kind in USES and (event.kind != EventKind.BONUS_TILES or event.amount):
                used.setdefault(USES[event.kind], set()).add(event.seat)
    return first, began, used


def ranked(tallies: Tallies) -> list[Row]:
    """The rows, the greatest advantage first."""
    rows = [tally.row(name) for name, tally in tallies.items()]
    return sorted(rows, key=lambda row: (row.fair - row.wins.value, row.name))


def spread(counts: Counts) -> dict[str, float] | None:
    """A distribution in a few numbers; None if it is empty."""
    if not counts:
        return None
    return {
        "least": min(counts),
        "median": quantile(counts, 0.5),
        "most": max(counts),
        "mean": round(average(counts), 2),
    }
