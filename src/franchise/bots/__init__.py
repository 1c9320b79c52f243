"""Bots: one protocol, one registry. `make("regular", seed=1).choose(game)` is a move."""

from franchise.bots.protocol import Analysis, Bot, Budget, Cancelled, RankedMove
from franchise.bots.registry import BotError, Listing, listings, make

__all__ = ["Analysis", "Bot", "BotError", "Budget", "Cancelled", "Listing", "RankedMove", "listings", "make"]
