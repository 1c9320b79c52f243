"""The arena: many games between bots, seat-balanced and in parallel, and what they prove.

`Run` says what is played, `tournament.play` plays it with an executor, `Standings` adds it up, `report` draws it.
"""

from franchise.arena.run import ArenaError, Run

__all__ = ["ArenaError", "Run"]
