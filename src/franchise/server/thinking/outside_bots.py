"""Bots of other packages: each thinks in a process that can be ended, and is kept for its next turn."""

import os
import sys
from collections import defaultdict

from franchise.bots.program import ProgramBot
from franchise.bots.protocol import Budget
from franchise.bots.registry import BUILT_IN

IDLE = 2  # processes of one bot that wait for a turn
PATIENCE_S = 3600.0  # for an answer; the caller has its own deadline
OURS = "FRANCHISE_"  # settings, of which some are secrets
SHARED = ("FRANCHISE_CACHE_DIR",)


class OutsideBots:
    """The processes of bots that are not our own."""

    def __init__(self) -> None:
        self.idle: defaultdict[str, list[ProgramBot]] = defaultdict(list)
        self.closed = False

    def take(self, name: str, seed: int) -> ProgramBot | None:
        """The bot in a process; None for one of ours, which needs none."""
        if name.partition(":")[0] in BUILT_IN:  # what follows is a style
            return None
        if self.idle[name]:
            bot = self.idle[name].pop()
            bot.reseed(seed)
            return bot
        words = [sys.executable, "-m", "franchise.bots.bot_process", name]
        return ProgramBot(words, seed, Budget(), name=name, patience=PATIENCE_S, environment=without_settings())

    def give_back(self, bot: ProgramBot) -> None:
        """Keep a bot that has made its turn."""
        if self.closed or len(self.idle[bot.name]) >= IDLE:
            bot.cancel()
        else:
            self.idle[bot.name].append(bot)

    def close(self) -> None:
        self.closed = True
        for bots in self.idle.values():
            for bot in bots:
                bot.cancel()
        self.idle.clear()


def without_settings() -> dict[str, str]:
    """The environment for programs of others: without passwords and keys of the server."""
    return {name: value for name, value in os.environ.items() if not name.startswith(OURS) or name in SHARED}
