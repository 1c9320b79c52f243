"""An upper bound on the length of a game.

The proof. An expansion puts a franchise of a seat on a location where it has none (RULES 2.4, 3.2, 8.5), and from then
on the seat has one there for good: whoever gains the influence of a city keeps one franchise there, everyone else keeps
all (2.13), and towns are never left. So every expansion uses up a pair (seat, location). A town takes one franchise in
all, a city of size s franchises of at most min(players, s) seats, and every seat starts in a town. Therefore

    expansions <= towns - players + sum of min(players, size) over the cities in play.

A turn without an expansion is quiet, and `players` quiet turns in a row end the game (4.2). So at most players - 1
quiet turns come before each turn with an expansion, and at most `players` after the last one:

    turns <= players * (expansions + 1).

A turn has one `done`, one `end` and, with Boom, one move of the marker. Every other move of a turn puts a franchise on
a space of its own (a grown city is never the target of a marker of the same turn, so what is in its centre is opened)
or uses up a bonus tile (cash, or a second franchise that goes back because the first one scored the city). Spaces are
filled once; bonus tiles come back only through region tiles of the kind bonus, once each (8.3). Before the first turn
there are the draft, the starting franchises and the boom marker. After a turn, every region is scored by at most one
`score`, once in the game (8.8). Therefore

    moves <= draft + players + 1 + 3 * turns + spaces - players + players * bonus tiles + tiles of the kind bonus
             + regions.

City tiles change places in an expert set-up, but they are the same tiles, so no option changes these sums.
"""

from typing import NamedTuple

from franchise.engine.setups import printed_sizes, regions_in_play
from franchise.facts import BOARD


class Bounds(NamedTuple):
    """Upper bounds for every game, whatever the options."""

    expansions: int
    turns: int
    moves: int


def bounds(players: int) -> Bounds:
    """The proof above in numbers."""
    sizes = printed_sizes(players).values()
    towns = len(BOARD.towns) - len(set(BOARD.towns) & set(BOARD.blocked(players)))
    expansions = towns - players + sum(min(players, size) for size in sizes)
    turns = players * (expansions + 1)
    regions = len(regions_in_play(players))
    draft = len(sizes) + regions
    bonus = players * BOARD.bonus_tiles[players] + sum(tile.kind == "bonus" for tile in BOARD.tiles)
    moves = draft + players + 1 + 3 * turns + sum(sizes) + towns - players + bonus + regions
    return Bounds(expansions, turns, moves)
