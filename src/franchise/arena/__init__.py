"""The arena: many games between bots, seat-balanced and in parallel, with statistics.

`Run` describes what is played, `tournament.play` plays it, `Standings` adds it up, `run_report` writes the report.
"""

from franchise.arena.run import ArenaError, Run

__all__ = ["ArenaError", "Run"]
