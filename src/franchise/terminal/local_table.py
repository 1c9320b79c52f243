"""A table in this terminal, which the full screen and the line mode display."""

import threading
import time
from collections.abc import Mapping
from typing import Protocol

from franchise.bots.preparation import progress
from franchise.bots.protocol import Bot, BotFailure, Cancelled
from franchise.game import Game
from franchise.wording.language import N_, Language
from franchise.wording.prompt import Prompt, prompt_of
from franchise.wording.refusals import why_illegal

PARTS = {  # of a final score
    "cities": N_("Cities"),
    "regions": N_("Regions"),
    "track": N_("Region track"),
    "towns": N_("Towns"),
    "money": N_("Money"),
    "bonus_tiles": N_("Bonus tiles"),
}


class NotDone(Exception):  # noqa: N818 - an answer to a person, not an error of the program
    """A request was refused; the message says why, in the person's language."""


class TableLost(Exception):  # noqa: N818 - likewise
    """The game cannot continue here; the message says why."""


class TerminalTable(Protocol):
    """A game, and who sits where. `game` is never changed, only replaced, so other threads can keep reading it."""

    game: Game
    language: Language
    mine: frozenset[int]  # seats played from this terminal
    bots: frozenset[int]
    ended: bool  # early, because somebody's time ran out
    undrawn: bool  # seats are drawn when everybody is here; until then nobody moves

    @property
    def trouble(self) -> str:
        """What the game is waiting for: the connection, or bots that are not ready; empty if nothing."""
        ...

    def play(self, moves: str) -> None:
        """Make the person's moves, separated by semicolons, in one step; after NotDone nothing has changed."""
        ...

    def undo(self) -> None:
        """Take back the person's last step; NotDone if there is none."""
        ...

    def advance(self) -> bool:
        """Wait for another player's move; False if there is nothing to wait for. Raises TableLost."""
        ...

    def free(self, seat: int) -> bool:
        """Whether a seat is open."""
        ...

    def left(self, seat: int) -> float | None:
        """The seconds a seat has left; None where no clock runs for it."""
        ...

    def close(self) -> None:
        """Leave: a waiting `advance` returns."""
        ...


def prompt_at(table: TerminalTable, game: Game, live: bool) -> Prompt:
    """What can be done now, or who is to move; `game` is the position that is shown."""
    seat = game.current_player
    late = table.language.text("{player} has run out of time.", player=table.language.player(seat, game))
    return prompt_of(
        game,
        table.language,
        live=live,
        acts=live and not game.over and seat in table.mine,
        several=len(table.mine) > 1,
        is_bot=seat in table.bots,
        free=table.free(seat),
        undrawn="seating" if table.undrawn else "",
        ended=late if table.ended else "",
    )


def check(game: Game, moves: str, language: Language) -> None:
    """Raise NotDone with the reason if one of the moves is not possible."""
    reason = why_illegal(game, moves, language)
    if reason:
        raise NotDone(reason)


class LocalTable:
    """A game on this machine: people at one screen, and bots."""

    ended = False
    undrawn = False

    def __init__(self, game: Game, bots: Mapping[int, Bot], language: Language, pause: float = 0.0) -> None:
        self.game = game
        self.language = language
        self.makers = dict(bots)
        self.bots = frozenset(bots)
        self.mine = frozenset(range(game.players)) - self.bots
        self.steps = own_moves(game, self.mine)  # before each step of a person: how many moves there were
        self.pause = pause  # minimum seconds between two moves of bots
        self.changed = threading.Condition()
        self.closed = False
        self.moved_at = 0.0

    @property
    def trouble(self) -> str:
        """On the first start on a computer: how far the bots are compiled."""
        share = progress()
        if share is None or not self.bots:
            return ""
        return self.language.text("Preparing the bots, this first time only: {percent}%", percent=round(100 * share))

    def free(self, seat: int) -> bool:
        return False

    def left(self, seat: int) -> float | None:
        return None

    def play(self, moves: str) -> None:
        check(self.game, moves, self.language)
        game = self.game.copy()
        self.steps.append(len(game.actions))
        for move in moves.split(";"):
            game.play(move)
        self.replace(game)

    def undo(self) -> None:
        """Undo the last step of a person and the bots' moves after it."""
        if not self.steps:
            raise NotDone(self.language.text("You have no move to take back."))
        self.replace(self.game.at(self.steps.pop()))

    def replace(self, game: Game) -> None:
        """Set another position; a bot that is thinking about the old one stops."""
        with self.changed:
            self.game = game
            for bot in self.makers.values():
                bot.cancel()
            self.changed.notify_all()

    def advance(self) -> bool:
        while True:
            with self.changed:
                self.changed.wait_for(lambda: self.closed or self.waits_for_bot)
                if self.closed:
                    return False
                game = self.game
            if self.moved(game):
                return True

    def moved(self, game: Game) -> bool:
        """Let a bot think and move; False if the position has changed in the meantime."""
        try:
            move = self.makers[game.current_player].choose(game)
        except Cancelled:
            return False
        except BotFailure as error:
            raise TableLost(str(error)) from None
        following = game.copy()
        following.play(move)
        with self.changed:
            rest = self.moved_at + self.pause - time.monotonic()
            self.changed.wait_for(lambda: self.closed or self.game is not game, max(rest, 0))
            if self.closed or self.game is not game:
                return False
            self.game, self.moved_at = following, time.monotonic()
            return True

    @property
    def waits_for_bot(self) -> bool:
        return not self.game.over and self.game.current_player in self.bots

    def close(self) -> None:
        with self.changed:
            self.closed = True
            for bot in self.makers.values():
                bot.cancel()
            self.changed.notify_all()


def own_moves(game: Game, mine: frozenset[int]) -> list[int]:
    """How many moves there were before each move of these seats."""
    walk, numbers = game.at(0), []
    for number, action in enumerate(game.actions):
        if walk.current_player in mine:
            numbers.append(number)
        walk.play(action)
    return numbers
