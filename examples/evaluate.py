"""Put a policy of your own into the arena: against bots of every level, every seat equally often.

Try it: python examples/train.py, then python examples/evaluate.py random random casual --games 48. On the command line:
PYTHONPATH=examples franchise arena python:evaluate:policy_bot random casual newcomer
"""

import argparse
import os

import numpy as np
from train import Policy

from franchise import Options
from franchise.arena import Run
from franchise.arena.match import play
from franchise.arena.standings import Standings
from franchise.bots.registry import BotError, find
from franchise.engine.actions import ACTIONS
from franchise.engine.observe import SCALE
from franchise.envs.spaces import action_mask, vector


class PolicyBot:
    """A bot is anything with a name that chooses a legal action for a game."""

    name = "policy"

    def __init__(self, policy) -> None:
        self.policy = policy

    def choose(self, game):
        """The likeliest legal action."""
        counts = (vector(game, game.current_player) / SCALE).round()[None]
        masks = action_mask(game, self.policy.weights["act"].shape[1])[None] == 1
        return ACTIONS[int(np.argmax(self.policy.forward(counts, masks)[1]))]

    def cancel(self) -> None:
        """Never busy long enough."""

    def close(self) -> None:
        """Holds nothing."""


def policy_bot(seed, budget):
    """What `python:evaluate:policy_bot` calls for every seat of every game."""
    return PolicyBot(Policy.load(os.environ.get("POLICY", "policy.npz")))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("opponents", nargs="*", default=["random", "random", "random"])
    parser.add_argument("--games", type=int, default=48)
    given = parser.parse_args()
    entrants = ("python:evaluate:policy_bot", *given.opponents)
    try:
        for name in entrants:
            find(name)  # a bot that does not exist would lose every game
        policy_bot(None, None)
    except BotError as error:
        parser.error(str(error))
    except FileNotFoundError as error:
        parser.error(f"there is no policy in {error.filename}: make one with train.py, or name another file in POLICY")
    run = Run(entrants, players=len(entrants), options=Options(), seed=1)
    standings = Standings(run.entrants, run.players)
    for number in range(given.games):
        standings.add(play(run, number))
    for game, forfeit in standings.lost_seats():
        print(f"{forfeit.bot} forfeited game {game}: {forfeit.reason}")
    for row in standings.table():
        print(f"{row.name}: wins {row.wins.value:.1%} ({row.wins.low:.1%}–{row.wins.high:.1%}), fair {row.fair:.1%}")


if __name__ == "__main__":
    main()
