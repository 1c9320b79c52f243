"""Put what you have learned into the arena: against bots of every level, every seat equally often.

Try it: python examples/train.py, then python examples/evaluate.py casual --games 48. On the command line:
PYTHONPATH=examples VALUES=values.npz franchise ladder python:evaluate:values_bot --tier duel
"""

import argparse
import os

import numpy as np
from train import Values, by_seat

from franchise import Options
from franchise.arena import Run
from franchise.arena.match import play
from franchise.arena.standings import Standings
from franchise.bots.registry import BotError, find
from franchise.envs.spaces import counts


class ValuesBot:
    """A bot is anything with a name that chooses a legal action for a game."""

    name = "values"

    def __init__(self, values) -> None:
        self.values = values

    def choose(self, game):
        """The move after which the player's chance to win is best."""
        actions = game.legal_actions()
        return actions[int(np.argmax([self.chance_after(game, action.id) for action in actions]))]

    def chance_after(self, game, action):
        """The chance to win of the player to move after an action; forced moves are made, as in training."""
        seat, trial = game.current_player, game.copy()
        trial.advance(action)
        while len(numbers := trial.legal_numbers()) == 1:
            trial.advance(numbers[0])
        if trial.over:
            return trial.result().shares[seat]
        viewer = np.array([trial.current_player])
        return by_seat(self.values.chances(counts(trial, trial.current_player)[None]), viewer)[0, seat]

    def cancel(self) -> None:
        """Never busy long enough."""

    def close(self) -> None:
        """Holds nothing."""


def values_bot(seed, budget):
    """What `python:evaluate:values_bot` calls for every seat of every game."""
    return ValuesBot(Values.load(os.environ.get("VALUES", "values.npz")))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("opponents", nargs="*", default=["newcomer"])
    parser.add_argument("--games", type=int, default=48)
    given = parser.parse_args()
    entrants = ("python:evaluate:values_bot", *given.opponents)
    try:
        for name in entrants:
            find(name)  # a bot that does not exist would lose every game
        values_bot(None, None)
    except BotError as error:
        parser.error(str(error))
    except FileNotFoundError as error:
        parser.error(
            f"there are no values in {error.filename}: learn some with train.py, or name another file in VALUES"
        )
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
