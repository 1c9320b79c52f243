"""The outcome of a game: one line of a results file."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any


@dataclass(frozen=True, slots=True)
class Forfeit:
    """A bot that failed: the game is lost for its seat."""

    seat: int
    bot: str
    by: str  # the stand-in that plays on; "" if there is none and the seat passes
    turn: int
    move: int  # moves played before
    reason: str


@dataclass(frozen=True, slots=True)
class CityScored:
    name: str
    turn: int
    seat: int  # who gains the points
    points: int


@dataclass(frozen=True, slots=True)
class RegionScored:
    name: str
    turn: int
    seat: int  # who completes it
    order: int  # 1 is the first of the game


@dataclass(frozen=True, slots=True)
class Outcome:
    """A finished game. Lists by turn hold the state at the end of turn 1, 2, ..., each by seat."""

    game: int
    seed: int
    seating: tuple[str, ...]
    scores: tuple[int, ...]  # 0 for a forfeited seat, whatever its stand-in scored
    places: tuple[int, ...]  # 1 is best; equal places share (RULES 4.4); forfeited seats share the last one
    winners: tuple[int, ...]  # nobody if every seat was forfeited
    turns: int
    moves: int
    forfeits: tuple[Forfeit, ...]
    cities: tuple[CityScored, ...]
    regions: tuple[RegionScored, ...]
    influence: tuple[tuple[int, ...], ...]  # without final scoring
    cash: tuple[tuple[int, ...], ...]

    @property
    def forfeited(self) -> set[int]:
        """The seats whose bots failed."""
        return {forfeit.seat for forfeit in self.forfeits}

    def data(self) -> dict[str, Any]:
        """As JSON-able data; by hand, because one process does this for all workers."""
        data = {field.name: getattr(self, field.name) for field in fields(self)}
        for name in ("forfeits", "cities", "regions"):
            data[name] = [asdict(entry) for entry in data[name]]
        return data

    @classmethod
    def from_data(cls, data: Any) -> "Outcome":
        """The outcome of a line; ValueError says what is wrong with it."""
        names = {field.name for field in fields(cls)}
        if not isinstance(data, Mapping) or set(data) != names:
            raise ValueError(f"a game has the fields {', '.join(sorted(names))}")
        try:
            outcome = cls(
                game=integer(data["game"]),
                seed=integer(data["seed"]),
                seating=tuple(map(text, data["seating"])),
                scores=integers(data["scores"]),
                places=integers(data["places"]),
                winners=integers(data["winners"]),
                turns=integer(data["turns"]),
                moves=integer(data["moves"]),
                forfeits=tuple(part(Forfeit, entry) for entry in data["forfeits"]),
                cities=tuple(part(CityScored, entry) for entry in data["cities"]),
                regions=tuple(part(RegionScored, entry) for entry in data["regions"]),
                influence=tuple(map(integers, data["influence"])),
                cash=tuple(map(integers, data["cash"])),
            )
        except TypeError as error:
            raise ValueError(f"a field of the game has a wrong shape ({error})") from None
        seats = range(len(outcome.seating))
        if not len(outcome.scores) == len(outcome.places) == len(seats) or set(outcome.winners) - set(seats):
            raise ValueError("scores, places and winners do not fit the seating")
        lost = outcome.forfeited
        if (
            bool(outcome.winners) == (len(lost) == len(seats))
            or lost & set(outcome.winners)
            or any(outcome.places[seat] != 1 for seat in outcome.winners)
        ):
            raise ValueError("winners and places contradict each other")
        for name in ("influence", "cash"):
            rows = getattr(outcome, name)
            if len(rows) != outcome.turns or any(len(row) != len(seats) for row in rows):
                raise ValueError(f"{name} is not a list by turn and seat")
        return outcome


def integer(value: Any) -> int:
    if type(value) is not int:
        raise ValueError(f"{value!r:.40} is not a whole number")
    return value


def integers(values: Any) -> tuple[int, ...]:
    return tuple(map(integer, values))


def text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{value!r:.40} is not a text")
    return value


def part(kind: Any, data: Any) -> Any:
    """A CityScored, RegionScored or Forfeit."""
    made = kind(**data)
    for field in fields(kind):
        (text if field.type is str else integer)(getattr(made, field.name))
    return made
