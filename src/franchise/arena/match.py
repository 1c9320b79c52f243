"""One game between bots. Whatever a bot does, the game is played to the end.

A bot that fails forfeits: its seat comes last, whoever plays it afterwards.
"""

import logging
from pathlib import Path

from franchise.arena.outcome import CityScored, Forfeit, Outcome, RegionScored
from franchise.arena.run import Run
from franchise.bots.protocol import Bot
from franchise.engine.actions import Action
from franchise.engine.events import Event
from franchise.engine.layout import EventKind
from franchise.game import Game, checked_names, places

PASSES = ("end", "done", "stay")  # a seat nobody plays makes the first of these that is legal
REASON_LIMIT = 300
logger = logging.getLogger(__name__)


def play(run: Run, number: int) -> Outcome:
    """Play game `number` of a run."""
    seating = run.seating(number)
    game = Game(run.players, run.game_seed(number), run.options, names=seat_names(seating))
    seats = [MatchSeat(run, number, seat) for seat in range(run.players)]
    course = GameCourse(game)
    try:
        while not game.over:
            course.note(seats[game.current_player].move(game))
    finally:
        for seat in seats:
            seat.leave()
    if run.records is not None:
        path = Path(run.records) / f"game-{run.game_seed(number)}.franchise"
        path.write_text(game.to_text(), encoding="utf-8")
    forfeits = [forfeit for seat in seats for forfeit in seat.forfeits]
    lost = {forfeit.seat for forfeit in forfeits}
    influence = game.state["influence"][0, : run.players].tolist()
    scores = [0 if seat in lost else score for seat, score in enumerate(influence)]
    standings = list(zip(scores, course.towns, strict=True))  # RULES 4.4
    ranking = places([(-1, 0) if seat in lost else standing for seat, standing in enumerate(standings)])
    return Outcome(
        game=number,
        seed=run.game_seed(number),
        seating=seating,
        scores=tuple(scores),
        places=ranking,
        winners=tuple(seat for seat in range(run.players) if ranking[seat] == 1 and seat not in lost),
        turns=game.turn,
        moves=len(game.actions),
        forfeits=tuple(sorted(forfeits, key=lambda forfeit: forfeit.move)),
        cities=tuple(course.cities),
        regions=tuple(course.regions),
        influence=tuple(course.influence),
        cash=tuple(course.cash),
    )


def seat_names(seating: tuple[str, ...]) -> tuple[str, ...]:
    """The seats are named after their bots if a record can store the names."""
    try:
        return checked_names(seating, len(seating))
    except ValueError:
        return ()


class MatchSeat:
    """A bot at its seat. When it fails, the run's stand-in plays on; if there is none, the seat passes."""

    def __init__(self, run: Run, game: int, seat: int) -> None:
        self.run = run
        self.game = game
        self.seat = seat
        self.name = run.seating(game)[seat]
        self.bot: Bot | None = None
        self.forfeits: list[Forfeit] = []

    def move(self, game: Game) -> list[Event]:
        """Let the bot or its stand-in move."""
        while self.name:
            try:
                if self.bot is None:
                    self.bot = self.run.bot(self.name, self.game, self.seat)
                return game.play(self.bot.choose(game.copy()))
            except Exception as error:  # noqa: BLE001 - a bot may be anyone's program
                self.forfeit(game, error)
        return game.play(passing(game))

    def forfeit(self, game: Game, error: Exception) -> None:
        """The game is lost for this seat; if the stand-in fails too, the seat passes."""
        self.leave()
        by = "" if self.forfeits else self.run.stand_in or ""
        self.forfeits.append(Forfeit(self.seat, self.name, by, game.turn, len(game.actions), reason_of(error)))
        self.name = by

    def leave(self) -> None:
        """Close the bot; an error here does not stop the game, but is reported as a warning."""
        bot, self.bot = self.bot, None
        if bot is not None:
            try:
                bot.close()
            except Exception as error:  # noqa: BLE001 - it does not play any more
                logger.warning("%s could not be closed in game %d: %s", self.name, self.game, reason_of(error))


def passing(game: Game) -> Action:
    """The legal move that does the least: the end of the turn if possible, otherwise the first legal move."""
    legal = game.legal_actions()
    by_text = {str(action): action for action in legal}
    return next((by_text[text] for text in PASSES if text in by_text), legal[0])


def reason_of(error: Exception) -> str:
    """An error in one short line."""
    return " ".join(f"{type(error).__name__}: {error}".split())[:REASON_LIMIT]


class GameCourse:
    """Collects the course of a game for an Outcome from its events."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.turn = game.turn
        self.towns = [0] * game.players
        self.cities: list[CityScored] = []
        self.regions: list[RegionScored] = []
        self.influence: list[tuple[int, ...]] = []
        self.cash: list[tuple[int, ...]] = []

    def note(self, events: list[Event]) -> None:
        """Record the events of a move."""
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
    """The values of the seats minus those amounts."""
    return tuple(value - part for value, part in zip(values, parts, strict=False))
