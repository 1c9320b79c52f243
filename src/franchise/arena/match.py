"""One game between bots. Whatever a bot does, the game is played to its end."""

import logging
from functools import cache
from pathlib import Path

from franchise.arena.outcome import CityScored, Outcome, RegionScored, Substitution
from franchise.arena.run import Run
from franchise.bots.protocol import Bot
from franchise.bots.registry import listings
from franchise.engine.events import Event
from franchise.engine.layout import EventKind
from franchise.game import Game, checked_names

SUBSTITUTES = ("casual", "random")  # the first there is; the next where that one fails too
REASON_LIMIT = 300
logger = logging.getLogger(__name__)


def play(run: Run, number: int) -> Outcome:
    """Play game `number` of a run."""
    seating = run.seating(number)
    game = Game(run.players, run.game_seed(number), run.options, names=seat_names(seating))
    seats = [Seat(run, number, seat) for seat in range(run.players)]
    diary = Diary(game)
    try:
        while not game.over:
            diary.note(seats[game.current_player].move(game))
    finally:
        for seat in seats:
            seat.leave()
    if run.records is not None:
        path = Path(run.records) / f"game-{run.game_seed(number)}.franchise"
        path.write_text(game.to_text(), encoding="utf-8")
    scores = game.state["influence"][0, : run.players].tolist()
    ranking = places(list(zip(scores, diary.towns, strict=True)))  # RULES 4.4
    substitutions = [one for seat in seats for one in seat.substitutions]
    return Outcome(
        game=number,
        seed=run.game_seed(number),
        seating=seating,
        scores=tuple(scores),
        places=ranking,
        winners=tuple(seat for seat in range(run.players) if ranking[seat] == 1),
        turns=game.turn,
        moves=len(game.actions),
        substitutions=tuple(sorted(substitutions, key=lambda one: one.move)),
        cities=tuple(diary.cities),
        regions=tuple(diary.regions),
        influence=tuple(diary.influence),
        cash=tuple(diary.cash),
    )


def places(standings: list[tuple[int, int]]) -> tuple[int, ...]:
    """The place of each seat, 1 for the highest standing; equal ones share the better place."""
    return tuple(1 + sum(other > own for other in standings) for own in standings)


def seat_names(seating: tuple[str, ...]) -> tuple[str, ...]:
    """The seats are called by their bots where a record can hold that."""
    try:
        return checked_names(seating, len(seating))
    except ValueError:
        return ()


@cache
def substitutes() -> tuple[str, ...]:
    """Who can take a seat, in this order."""
    known = {listing.name for listing in listings()}
    return tuple(name for name in SUBSTITUTES if name in known)


class Seat:
    """A bot at its seat, replaced for the rest of the game when it fails."""

    def __init__(self, run: Run, game: int, seat: int) -> None:
        self.run = run
        self.game = game
        self.seat = seat
        self.name = run.seating(game)[seat]
        self.bot: Bot | None = None
        self.substitutions: list[Substitution] = []

    def move(self, game: Game) -> list[Event]:
        """Let the bot move, or the one that takes its seat."""
        while True:
            try:
                if self.bot is None:
                    self.bot = self.run.bot(self.name, self.game, self.seat)
                return game.play(self.bot.choose(game.copy()))
            except Exception as error:  # noqa: BLE001 - a bot may be anyone's program
                self.replace(game, error)

    def replace(self, game: Game, error: Exception) -> None:
        """Give the seat to the next substitute."""
        self.leave()
        bench = substitutes()[len(self.substitutions) :]
        if not bench:
            raise RuntimeError(f"the substitute {self.name} failed as well") from error
        by = bench[0]
        self.substitutions.append(
            Substitution(self.seat, self.name, by, game.turn, len(game.actions), reason_of(error))
        )
        self.name = by

    def leave(self) -> None:
        """Close the bot; one that fails at that does not stop the game, but a warning says so."""
        bot, self.bot = self.bot, None
        if bot is not None:
            try:
                bot.close()
            except Exception as error:  # noqa: BLE001 - it does not play any more
                logger.warning("%s could not be closed in game %d: %s", self.name, self.game, reason_of(error))


def reason_of(error: Exception) -> str:
    """An error in one short line."""
    return " ".join(f"{type(error).__name__}: {error}".split())[:REASON_LIMIT]


class Diary:
    """What an Outcome tells of the course of a game, gathered from its events."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.turn = game.turn
        self.towns = [0] * game.players
        self.cities: list[CityScored] = []
        self.regions: list[RegionScored] = []
        self.influence: list[tuple[int, ...]] = []
        self.cash: list[tuple[int, ...]] = []

    def note(self, events: list[Event]) -> None:
        """Write down what a move caused."""
        turn = self.turn
        income, final = [0] * self.game.players, [0] * self.game.players
        for kind, seat, place, amount in events:
            if kind in (EventKind.MAJORITY, EventKind.FULL):
                self.cities.append(CityScored(self.where(kind, place), turn, seat, amount))
            elif kind == EventKind.REGION:
                self.regions.append(RegionScored(self.where(kind, place), turn, seat, len(self.regions) + 1))
            elif kind == EventKind.INCOME:
                income[seat] = amount
            elif kind in (EventKind.TOWNS, EventKind.MONEY, EventKind.BONUS_TILES):
                final[seat] += amount
                if kind == EventKind.TOWNS:
                    self.towns[seat] = amount
        self.turn = self.game.turn
        if turn and (self.turn > turn or self.game.over):  # the income of the next turn does not belong to this one
            state = self.game.state
            self.influence.append(less(state["influence"][0].tolist(), final))
            self.cash.append(less(state["cash"][0].tolist(), income))

    @staticmethod
    def where(kind: EventKind, place: int) -> str:
        return Event(kind, 0, place, 0).where or ""


def less(values: list[int], parts: list[int]) -> tuple[int, ...]:
    """The values of the seats without those parts."""
    return tuple(value - part for value, part in zip(values, parts, strict=False))
