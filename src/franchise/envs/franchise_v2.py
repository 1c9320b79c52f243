"""Franchise for PettingZoo: `env(players=4, options=None, render_mode=None)`, an AEC environment. docs/pettingzoo.md"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from gymnasium import spaces as gym_spaces
from gymnasium.utils import EzPickle
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from franchise.engine.layout import LOCATIONS
from franchise.engine.observe import PLANES, PLANES_AT, SIZE, planes
from franchise.engine.setups import Options
from franchise.envs import spaces
from franchise.envs.rendering import RENDER_MODES, checked_mode, render
from franchise.envs.spaces import Array, action_count, action_mask, options_of, reward_number
from franchise.game import Game

Observation = dict[str, Array]
OBSERVATIONS = ("vector", "planes")


class Snapshot(NamedTuple):
    """A position of an environment, to come back to."""

    game: Game
    agents: list[str]
    rewards: dict[str, float]
    cumulative: dict[str, float]
    terminations: dict[str, bool]
    truncations: dict[str, bool]
    agent_selection: str
    skipped: str | None


def env(**arguments: Any) -> Any:
    """The environment in PettingZoo's usual wrappers: an illegal move ends the game at the cost of a last place."""
    wrapped = wrappers.TerminateIllegalWrapper(raw_env(**arguments), illegal_reward=-1)
    wrapped = wrappers.AssertOutOfBoundsWrapper(wrapped)
    return wrappers.OrderEnforcingWrapper(wrapped)


class raw_env(AECEnv, EzPickle):  # type: ignore[misc]  # noqa: N801 - PettingZoo names it so
    """The environment without wrappers, for search; an illegal move raises IllegalAction and changes nothing."""

    def __init__(
        self,
        players: int = 4,
        options: "Options | Mapping[str, Any] | None" = None,
        render_mode: str | None = None,
        *,
        reward: str = "rank",
        shaping: float = 0.0,
        observation: str = "vector",
    ) -> None:
        EzPickle.__init__(self, players, options, render_mode, reward=reward, shaping=shaping, observation=observation)
        super().__init__()
        self.metadata = {
            "name": "franchise_v2",
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": False,
            "render_fps": 2,
        }
        self.render_mode = checked_mode(render_mode)
        self.options = options_of(options)
        self.game = Game(players, 0, self.options)
        self.reward = reward
        reward_number(reward)
        self.shaping = shaping
        if observation not in OBSERVATIONS:
            raise ValueError(f"observations are {' or '.join(OBSERVATIONS)}, not {observation!r}")
        self.as_planes = observation == "planes"
        self.actions = action_count(self.options)
        self.possible_agents = [f"player_{seat}" for seat in range(players)]
        self.seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.agents: list[str] = []
        self.state_space = box(0, SIZE)
        self.observation_spaces = {agent: self._observation_space() for agent in self.possible_agents}
        self.action_spaces = {agent: gym_spaces.Discrete(self.actions) for agent in self.possible_agents}

    def _observation_space(self) -> gym_spaces.Dict:
        parts: dict[str, gym_spaces.Space[Any]] = {"observation": box(0, SIZE)}
        if self.as_planes:
            parts = {"observation": box(PLANES_AT, SIZE, (PLANES, LOCATIONS)), "table": box(0, PLANES_AT)}
        return gym_spaces.Dict({**parts, "action_mask": gym_spaces.Box(0, 1, (self.actions,), np.int8)})

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """A new game; the seed decides everything random in its set-up."""
        self.game = Game(self.game.players, seed, self.options)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._skip_agent_selection: str | None = None
        self._select()

    def _select(self) -> None:
        """Whose turn it is, and what they may do."""
        self.agent_selection = self.possible_agents[self.game.current_player]
        self.mask = action_mask(self.game, self.actions)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.infos[self.agent_selection]["action_mask"] = self.mask

    def observe(self, agent: str) -> Observation:
        """The position as an agent sees it; only the one to move may do anything."""
        seat = self.seats[agent]
        mask = self.mask if seat == self.game.current_player else np.zeros(self.actions, np.int8)
        seen = spaces.vector(self.game, seat)
        if self.as_planes:
            return {"observation": planes(seen), "table": seen[:PLANES_AT], "action_mask": mask}
        return {"observation": seen, "action_mask": mask}

    def state(self) -> Array:
        """The position as the first player sees it, whoever is to move."""
        return spaces.vector(self.game, 0)

    def step(self, action: Any) -> None:
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        before = spaces.influence(self.game) if self.shaping else []
        self.game.play(action)
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._clear_rewards()
        if self.shaping:
            for agent, now, then in zip(self.possible_agents, spaces.influence(self.game), before, strict=True):
                self.rewards[agent] = self.shaping * (now - then)
        over = self.game.over
        if over:
            for agent, final in zip(self.possible_agents, spaces.rewards_at_end(self.game, self.reward), strict=True):
                self.rewards[agent] += final
            self.terminations = dict.fromkeys(self.agents, True)
        self._select()
        if over or self.shaping:
            self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> Any:
        return render(self.game, self.render_mode)

    def close(self) -> None:
        """Holds nothing."""

    def clone(self) -> Snapshot:
        """The position, to come back to with `restore`; some microseconds."""
        return Snapshot(
            self.game.copy(),
            self.agents.copy(),
            self.rewards.copy(),
            self._cumulative_rewards.copy(),
            self.terminations.copy(),
            self.truncations.copy(),
            self.agent_selection,
            self._skip_agent_selection,
        )

    def restore(self, snapshot: Snapshot) -> None:
        """Be where the snapshot was taken; it can be used again."""
        self.game = snapshot.game.copy()
        self.agents = snapshot.agents.copy()
        self.rewards = snapshot.rewards.copy()
        self._cumulative_rewards = snapshot.cumulative.copy()
        self.terminations = snapshot.terminations.copy()
        self.truncations = snapshot.truncations.copy()
        self._skip_agent_selection = snapshot.skipped
        self._select()
        self.agent_selection = snapshot.agent_selection


def box(first: int, last: int, shape: tuple[int, ...] | None = None) -> gym_spaces.Box:
    """The space of a part of the vector."""
    high = spaces.HIGH[first:last].reshape(shape if shape is not None else (last - first,))
    return gym_spaces.Box(np.zeros_like(high), high, dtype=np.float32)
