"""OpenSpiel's MCTS at a table of Franchise: against random moves, or against a bot of Franchise.

Try it: python examples/openspiel_mcts.py --tier mini --games 10 --simulations 50 --against newcomer
"""

import argparse

import numpy as np
import pyspiel
from open_spiel.python.algorithms import mcts

import franchise as fr
import franchise.envs.openspiel  # registers the game
from franchise.envs.spaces import influence
from franchise.envs.tiers import TIERS


class Lead(mcts.Evaluator):
    """Who is ahead, by influence and income, instead of random games to their end."""

    def evaluate(self, state):
        game = state.position
        view = game.view()["players"]
        worth = np.array(influence(game)) + 2.0 * np.array([player["income"] for player in view])
        return np.tanh((worth - worth.mean()) / 20)

    def prior(self, state):
        legal = state.legal_actions()
        return [(action, 1 / len(legal)) for action in legal]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tier", choices=list(TIERS), default="mini")
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--simulations", type=int, default=50)
    parser.add_argument("--against", default="random", help="a bot of Franchise for the other seats")
    given = parser.parse_args()
    tier = TIERS[given.tier]
    won = 0.0
    for number in range(given.games):
        game = pyspiel.load_game(tier.openspiel().replace(")", f",seed={number})"))
        chance = np.random.RandomState(number)
        search = mcts.MCTSBot(game, 1.0, given.simulations, Lead(), random_state=chance)
        seat = number % tier.players
        others = fr.bots.make(given.against, seed=number)
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.current_player() == seat:
                state.apply_action(search.step(state))
            else:
                state.apply_action(others.choose(state.position).id)
        won += state.position.result().shares[seat]
        print(f"game {number + 1}: {influence(state.position)}, seat {seat}, wins so far {won:g}", flush=True)
    print(f"wins {won / given.games:.1%} of {given.games} games, fair is {1 / tier.players:.1%}")


if __name__ == "__main__":
    main()
