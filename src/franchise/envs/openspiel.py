"""Franchise for OpenSpiel: importing this registers `python_franchise(players=4, ...)`. docs/openspiel.md

Everything random is decided by the parameter `seed`, so the game has no chance nodes.
"""

from typing import Any, NamedTuple

import numpy as np
import pyspiel
from open_spiel.python.observation import IIGObserverForPublicInfoGame

from franchise.engine.actions import ACTIONS
from franchise.engine.bounds import bounds
from franchise.engine.observe import SIZE
from franchise.engine.setups import PLAYERS, Options
from franchise.envs import spaces
from franchise.envs.rendering import text
from franchise.envs.spaces import action_count, reward_number
from franchise.game import Game

NAME = "python_franchise"
DEFAULTS: dict[str, Any] = {
    "players": 4,
    "seed": 0,
    "introductory": False,
    "expert": "",  # draft or random
    "milestones": False,
    "boom": False,
    "regions": "",  # mixed or new
    "mini": False,
    "reward": "rank",  # or share
}


def game_type(reward: str) -> Any:
    """The description for OpenSpiel: returns by rank add up to 0, shares to 1."""
    utilities = pyspiel.GameType.Utility
    return pyspiel.GameType(
        short_name=NAME,
        long_name="Python Franchise",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=utilities.CONSTANT_SUM if reward == "share" else utilities.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=max(PLAYERS),
        min_num_players=min(PLAYERS),
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
        parameter_specification=DEFAULTS,
    )


class FranchiseGame(pyspiel.Game):  # type: ignore[misc]
    """A game of OpenSpiel: number of players, options and the seed of the set-up."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        chosen = DEFAULTS | (params or {})
        options = Options(
            introductory=chosen["introductory"],
            expert=chosen["expert"] or None,
            milestones=chosen["milestones"],
            boom=chosen["boom"],
            regions=chosen["regions"] or None,
            mini=chosen["mini"],
        )
        reward_number(chosen["reward"])
        self.reward: str = chosen["reward"]
        self.first = Game(chosen["players"], chosen["seed"], options)
        share = self.reward == "share"
        info = pyspiel.GameInfo(
            num_distinct_actions=action_count(options),
            max_chance_outcomes=0,
            num_players=chosen["players"],
            min_utility=0.0 if share else -1.0,
            max_utility=1.0,
            utility_sum=1.0 if share else 0.0,
            max_game_length=bounds(chosen["players"]).moves,
        )
        super().__init__(game_type(self.reward), info, params or {})

    def new_initial_state(self, state: Any = None) -> "FranchiseState":
        return FranchiseState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return Observer(params)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class PlayerAction(NamedTuple):
    """A move in the history, with the fields of pyspiel.PlayerAction, which Python cannot create."""

    player: int
    action: int


class FranchiseState(pyspiel.State):  # type: ignore[misc]
    """A position. OpenSpiel's history in C++ cannot be shortened, so methods that depend on it use our own."""

    def __init__(self, game: FranchiseGame) -> None:
        super().__init__(game)
        self.position = game.first.copy()
        self.reward = game.reward
        self.movers: list[int] = []  # seat of each move

    def current_player(self) -> int:
        if self.position.over:
            return int(pyspiel.PlayerId.TERMINAL)
        return self.position.current_player

    def _legal_actions(self, player: int) -> list[int]:
        return self.position.legal_numbers()

    def legal_actions(self, player: int | None = None) -> list[int]:
        """The legal actions for Python; going through C++ would copy the list twice."""
        if player is not None and player != self.current_player():
            return []
        return self.position.legal_numbers()

    def _apply_action(self, action: int) -> None:
        mover = self.position.current_player
        self.position.advance(action)
        self.movers.append(mover)

    def _action_to_string(self, player: int, action: int) -> str:
        return str(ACTIONS[action])

    def undo_action(self, player: int, action: int) -> None:
        """Undo the last move, which was that action of that player."""
        if not self.movers or (self.movers[-1], self.history()[-1]) != (player, action):
            raise ValueError(f"the last move is not {ACTIONS[action]} of player {player}")
        self.position.undo()
        self.movers.pop()

    def is_terminal(self) -> bool:
        return self.position.over

    def returns(self) -> list[float]:
        if not self.position.over:
            return [0.0] * self.position.players
        return spaces.rewards_at_end(self.position, self.reward)

    def __str__(self) -> str:
        return text(self.position)

    # --- the history, which undo shortens ---

    def history(self) -> list[int]:
        return [action.id for action in self.position.actions]

    def full_history(self) -> list["PlayerAction"]:
        return [PlayerAction(*pair) for pair in zip(self.movers, self.history(), strict=True)]

    def history_str(self) -> str:
        return " ".join(map(str, self.history()))

    def move_number(self) -> int:
        return len(self.movers)

    def is_initial_state(self) -> bool:
        return not self.movers


class Observer:
    """The vector of observe.FIELDS as a seat sees it, and the text of the position."""

    def __init__(self, params: Any) -> None:
        if params:
            raise ValueError(f"observations take no parameters, not {params}")
        self.tensor = np.zeros(SIZE, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: FranchiseState, player: int) -> None:
        self.tensor[:] = spaces.vector(state.position, player)

    def string_from(self, state: FranchiseState, player: int) -> str:
        return text(state.position)


pyspiel.register_game(game_type(DEFAULTS["reward"]), FranchiseGame)
