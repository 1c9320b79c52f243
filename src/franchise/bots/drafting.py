"""The draft of the expert set-up: a tile is placed where it leads to the best chances after the set-up.

Before the starting towns are chosen, seats differ only in their order, so a tile has little value by itself. It is
judged by playing out the rest of the draft several times and then giving everybody their best start.
"""

import random
from collections.abc import Callable, Sequence

from franchise.bots.root_turns import RootTurn
from franchise.game import Game

CANDIDATES = (2, 12)  # moves that are compared, at least and at most
FUTURES = 2  # continuations of the draft, the same ones for each move

TurnsOf = Callable[[Game], Sequence[RootTurn]]  # the turns of a position at first sight, best first


def best_tile(game: Game, numbers: Sequence[int], simulations: int, turns_of: TurnsOf, chance: random.Random) -> int:
    """The move after which the player to move has the best chances; more simulations compare more moves."""
    seat = game.current_player
    width = min(max(simulations // (2 * FUTURES), CANDIDATES[0]), CANDIDATES[1], len(numbers))
    tried = chance.sample(numbers, width)
    futures = [chance.getrandbits(32) for _ in range(FUTURES)]
    return max(tried, key=lambda number: sum(chance_after(game, number, seat, turns_of, seed) for seed in futures))


def chance_after(game: Game, number: int, seat: int, turns_of: TurnsOf, seed: int) -> float:
    """The seat's chance to win after a move of the draft and one continuation of the set-up."""
    then, chance = game.copy(), random.Random(seed)
    then.play(number)
    while then.phase == "draft":
        then.play(chance.choice(then.legal_numbers()))
    while True:  # the starting towns, and the boom marker where there is one
        best = turns_of(then)[0]
        then.play(best.moves[0])
        if then.turn > 0:
            return best.chances[seat]
