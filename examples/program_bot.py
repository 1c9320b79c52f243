"""A bot for Franchise that knows no rules: it expands where that costs least, and grows when it cannot expand.

Try it: franchise arena 'program:python3 examples/program_bot.py' random. The protocol: docs/program-bots.md
"""

import random
import sys

ORDER = ["start", "expand", "grow", "again", "done", "end", "stay"]  # what to do first; any other move comes last
chance = random.Random()


def cost(move: str) -> tuple[int, int]:
    """The rank of the verb, then the price: `expand New York 5` costs 5, `expand New York 5 free` nothing."""
    words = move.split()
    rank = ORDER.index(words[0]) if words[0] in ORDER else len(ORDER)
    return rank, int(words[-1]) if words[-1].isdigit() else 0


def choose(moves: list[str]) -> str:
    cheapest = min(map(cost, moves))
    return chance.choice([move for move in moves if cost(move) == cheapest])


legal: list[str] = []
for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    if word == "franchise":
        print("ready", flush=True)
    elif word == "seed":
        chance.seed(int(rest))
    elif word == "legal":
        legal = rest.split("; ")
    elif word == "go":
        print("move", choose(legal), flush=True)
    elif word == "quit":
        break
    # new ... end and play are for programs that follow the game
