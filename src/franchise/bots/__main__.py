"""python -m franchise.bots: compile everything the bots need, by letting each level make a move."""

from franchise.bots.registry import BUILT_IN, make
from franchise.game import Game

if __name__ == "__main__":
    for name in BUILT_IN:
        make(name, seed=0, simulations=1).choose(Game(4))
