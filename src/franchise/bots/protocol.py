"""The protocol of a bot: it chooses a legal move for the player to move."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from franchise.engine.actions import Action
from franchise.game import Game

SIMULATIONS = 100_000  # the most for one decision; a tree of that size takes hundreds of megabytes
PROGRAM = "program:"  # followed by a command line: bots/program.py


class BotError(ValueError):
    """A bot that does not exist or cannot be made."""


class Cancelled(Exception):  # noqa: N818 - an order, not an error
    """`choose` or `analyse` was cancelled before it had an answer."""


class BotFailure(RuntimeError):  # noqa: N818 - it names what happened to the game, not a mistake of ours
    """An external bot misbehaved; the message is one sentence that names the bot and says how."""


@dataclass(frozen=True)
class Budget:
    """What a bot may spend on one decision; None means no limit."""

    seconds: float | None = None
    simulations: int | None = None

    def __post_init__(self) -> None:
        if self.seconds is not None and not 0 < self.seconds <= 3600:
            raise ValueError(f"a bot's seconds must be between 0 and 3600, not {self.seconds!r}")
        if self.simulations is not None and not 1 <= self.simulations <= SIMULATIONS:
            raise ValueError(f"a bot's simulations must be between 1 and {SIMULATIONS:,}, not {self.simulations!r}")


@dataclass(frozen=True)
class RankedMove:
    """A move, its expected outcome, and how the game might continue."""

    action: Action
    scores: tuple[float, ...]  # expected final influence by seat
    chances: tuple[float, ...]  # chance to win by seat, adding up to 1
    line: tuple[Action, ...]  # the main line, beginning with the move
    visits: int  # simulations that went through it


@dataclass(frozen=True)
class Analysis:
    """The moves of a position, best first for the player to move."""

    seat: int  # the player to move
    moves: tuple[RankedMove, ...]
    simulations: int  # of the whole search; 0 for bots that do not search


class Bot(Protocol):
    """A player. Bots keep no state between games that could change a decision, except their random numbers."""

    name: str  # as in the arena's results

    def choose(self, game: Game) -> Action:
        """Return a legal move for the player to move; never changes the game. Raises Cancelled after `cancel`.

        An external bot raises BotFailure if it cannot give such a move.
        """
        ...

    def analyse(self, game: Game, *, moves: int = 5) -> Analysis:
        """The best moves with their expected outcomes."""
        ...

    def cancel(self) -> None:
        """Make a `choose` or `analyse` running in another thread raise Cancelled soon."""
        ...

    def close(self) -> None:
        """Release the bot's resources (such as a program's process); it is not used afterwards."""
        ...


Factory = Callable[[int | None, Budget], Bot]  # seed and budget
