"""Bots: one protocol, one registry. `make("regular", seed=1).choose(game)` returns a move."""

from franchise.bots.protocol import Analysis, Bot, BotError, BotFailure, Budget, Cancelled, RankedMove
from franchise.bots.registry import Listing, listings, make

__all__ = [
    "Analysis",
    "Bot",
    "BotError",
    "BotFailure",
    "Budget",
    "Cancelled",
    "Listing",
    "RankedMove",
    "listings",
    "make",
]
