"""A review of a game by a bot: everybody's chance to win at every turn, and the turns that cost the most.

The chance at the start of a turn assumes that its player continues as the bot would, or as they did if that was better.
The cost of a turn is what its player has lost once it has been played. The most costly turns are searched again, more
deeply, both as played and with alternatives; the turning points are among them.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from franchise import bots
from franchise.bots import Bot, make
from franchise.engine.actions import Action
from franchise.game import Game
from franchise.insight.turn_bounds import own_turn, turn_starts

LEVEL = "expert"
SWEEP = 600  # simulations at every turn
DEEP = 2000  # at turns that may be turning points
SECONDS = 3.0  # the most for one position, on a busy machine
SUSPECTS = 8  # turns that are searched more deeply
ALTERNATIVES = 2  # turns each is compared with
TURNING = 3  # turning points
SWING = 0.02  # of somebody's chance to win, for a turning point
COST = 0.005  # of the player's own
LINE = 14  # moves kept of a line

Progress = Callable[[int, int], None]  # positions done, and their total


@dataclass(frozen=True)
class Moment:
    """A position at the start of a turn, or at the end of the game."""

    move: int  # number of moves made so far
    turn: int
    seat: int  # to move
    chances: tuple[float, ...]  # to win, by seat
    best: tuple[str, ...] = ()  # the moves of the best turn
    line: tuple[str, ...] = ()  # how the game might continue after it


@dataclass(frozen=True)
class TurningPoint:
    """A turn that cost its player something and changed the chances considerably."""

    move: int  # number of moves made before it
    turn: int
    seat: int
    before: tuple[float, ...]  # the chances to win with the better turn, by seat
    after: tuple[float, ...]  # with the one that was played
    played: tuple[str, ...]
    better: tuple[str, ...]
    line: tuple[str, ...]  # how the game might have continued after the better turn

    @property
    def swing(self) -> float:
        return swing(self.before, self.after)


@dataclass(frozen=True)
class Review:
    """A bot's evaluation of a whole game."""

    moments: tuple[Moment, ...]
    turning: tuple[TurningPoint, ...]

    def to_text(self) -> str:
        """The review as stored text."""
        moments = [asdict(replace(moment, best=(), line=())) for moment in self.moments]
        return json.dumps({"moments": moments, "turning": [asdict(point) for point in self.turning]})

    @classmethod
    def from_text(cls, text: str) -> "Review":
        stored = json.loads(text)
        return cls(
            tuple(Moment(**{key: frozen(value) for key, value in row.items()}) for row in stored["moments"]),
            tuple(TurningPoint(**{key: frozen(value) for key, value in row.items()}) for row in stored["turning"]),
        )


def frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


@cache
def edition() -> str:
    """Identifies what a review depends on besides the game: the bots and this module."""
    digest = sha256()
    for file in sorted((*Path(bots.__file__).parent.glob("*.py"), *Path(bots.__file__).parent.glob("*.npz"))):
        digest.update(file.read_bytes())
    digest.update(Path(__file__).read_bytes())
    return digest.hexdigest()[:16]


def name_of(game: Game) -> str:
    """The key under which the review of a game is stored: the same for the same moves, whoever made them."""
    nameless = game.copy()
    nameless.names = ()
    return sha256(f"{edition()}\n{nameless.to_text()}".encode()).hexdigest()


class Reviewer:
    """Reviews one game; `stop` from another thread makes that raise Cancelled soon."""

    def __init__(self, game: Game, progress: Progress = lambda done, all_: None) -> None:
        self.game = game
        self.progress = progress
        begun = {move: game.at(move) for move in sorted(set(turn_starts(game)))}
        self.starts = [move for move, then in begun.items() if then.turn and not then.over]
        self.done, self.all = 0, len(self.starts) + 1 + min(SUSPECTS, len(self.starts)) * (2 + ALTERNATIVES)
        self.firm: set[int] = set()  # turns that have been searched more deeply
        self.bot: Bot = make(LEVEL, seed=1, simulations=SWEEP, seconds=SECONDS)
        self.deep: Bot = make(LEVEL, seed=1, simulations=DEEP, seconds=SECONDS)

    def stop(self) -> None:
        self.bot.cancel()
        self.deep.cancel()

    def review(self) -> Review:
        """The whole game."""
        seen = [self.moment(self.game.at(move), self.bot) for move in self.starts]
        seen.append(self.moment(self.game, self.bot))
        for _ in range(SUSPECTS):
            moments = settled(seen)
            left = [number for number in costly(moments) if number not in self.firm]
            confirmed = [number for number in costly(moments) if number in self.firm][:TURNING]
            if not left or (
                len(confirmed) == TURNING and swing_of(moments, left[0]) < swing_of(moments, confirmed[-1])
            ):
                break
            self.look_again(seen, left[0])
        moments = settled(seen)
        worst = [number for number in costly(moments) if number in self.firm][:TURNING]
        self.progress(self.all, self.all)
        return Review(tuple(moments), tuple(self.point(moments, number) for number in sorted(worst)))

    def moment(self, game: Game, bot: Bot) -> Moment:
        """A bot's evaluation of a position; the result of a finished game is known."""
        self.done += 1
        self.progress(min(self.done, self.all), self.all)
        where = (len(game.actions), game.turn, game.current_player)
        if game.over:
            return Moment(*where, game.result().shares)
        best = bot.analyse(game, moves=1).moves[0]
        turn = own_turn(game, best.line)
        return Moment(*where, rounded(best.chances), texts(turn), texts(best.line[len(turn) :])[:LINE])

    def look_again(self, seen: list[Moment], number: int) -> None:
        """Search a turn more deeply: as played and with alternatives, each from the position it leads to."""
        then = seen[number]
        game, reached = self.game.at(then.move), self.game.at(seen[number + 1].move)
        if number + 1 not in self.firm:
            seen[number + 1] = self.moment(reached, self.deep)
        self.firm.add(number)
        self.done += 1
        others: list[Moment] = []
        for ranked in self.deep.analyse(game, moves=ALTERNATIVES).moves:
            turn = own_turn(game, ranked.line)
            after = game.copy()
            for action in turn:
                after.play(action)
            if after.state.tobytes() != reached.state.tobytes():
                led = self.moment(after, self.deep)
                others.append(replace(then, chances=led.chances, best=texts(turn), line=(*led.best, *led.line)[:LINE]))
        same = replace(then, chances=seen[number + 1].chances, best=(), line=())
        seen[number] = max(others, key=lambda moment: moment.chances[then.seat], default=same)

    def point(self, moments: Sequence[Moment], number: int) -> TurningPoint:
        then, following = moments[number], moments[number + 1]
        return TurningPoint(
            move=then.move,
            turn=then.turn,
            seat=then.seat,
            before=then.chances,
            after=following.chances,
            played=texts(self.game.actions[then.move : following.move]),
            better=then.best,
            line=then.line,
        )


def settled(seen: Sequence[Moment]) -> list[Moment]:
    """If the turn played proved better than those the bot considered, it counts as the best one known."""
    moments = [seen[-1]]
    for moment in reversed(seen[:-1]):
        following = moments[-1].chances
        better = following[moment.seat] > moment.chances[moment.seat]
        moments.append(replace(moment, chances=following, best=(), line=()) if better else moment)
    return moments[::-1]


def costly(moments: Sequence[Moment]) -> list[int]:
    """The turns that left their players worse off than the best one would have, the largest swings first."""
    swings = [
        (swing_of(moments, number), number)
        for number, moment in enumerate(moments[:-1])
        if moment.best and moments[number + 1].move > moment.move and cost(moments, number) >= COST
    ]
    return [number for large, number in sorted(swings, reverse=True) if large >= SWING]


def cost(moments: Sequence[Moment], number: int) -> float:
    """What a turn cost its player."""
    seat = moments[number].seat
    return moments[number].chances[seat] - moments[number + 1].chances[seat]


def swing_of(moments: Sequence[Moment], number: int) -> float:
    """By how much a turn changed the chances."""
    return swing(moments[number].chances, moments[number + 1].chances)


def swing(before: Sequence[float], after: Sequence[float]) -> float:
    """The largest change of anybody's chance."""
    return max(abs(earlier - other) for earlier, other in zip(before, after, strict=True))


def rounded(chances: Sequence[float]) -> tuple[float, ...]:
    return tuple(round(chance, 4) for chance in chances)


def texts(actions: Sequence[Action]) -> tuple[str, ...]:
    return tuple(map(str, actions))
