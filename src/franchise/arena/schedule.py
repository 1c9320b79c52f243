"""The schedule of seatings, each played equally often."""

from collections import Counter
from collections.abc import Sequence
from itertools import permutations
from math import gcd, perm

SEATINGS = 100_000  # more than anyone can play through

Seating = tuple[str, ...]  # entrants by seat


def seatings(entrants: Sequence[str], players: int) -> list[Seating]:
    """One block of the schedule: every way to seat that many of the entrants, each equally often.

    A name given twice means two identical entrants, which makes blocks shorter. Rotations of a seating follow each
    other, so that a run that stops early is nearly balanced too.
    """
    if len(entrants) < players:
        raise ValueError(
            f"{len(entrants)} names for {players} seats; name a bot once for each seat it takes, as in: a b b b"
        )
    if perm(len(entrants), players) > SEATINGS:
        raise ValueError(f"{len(entrants)} entrants on {players} seats have more than {SEATINGS:,} seatings")
    ways = Counter(permutations(entrants, players))
    common = gcd(*ways.values())
    block: list[Seating] = []
    while ways:
        first = next(iter(ways))
        for turn in range(players):
            seating = first[turn:] + first[:turn]
            block += [seating] * (ways.pop(seating, 0) // common)
    return block


def rounded_up(games: int, block: int) -> int:
    """The next number of games that plays every seating equally often."""
    return -(-games // block) * block
