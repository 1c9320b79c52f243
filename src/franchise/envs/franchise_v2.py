"""Franchise for PettingZoo: `env(players=4, options=None, render_mode=None)`, an AEC environment. docs/pettingzoo.md"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
from gymnasium import spaces as gym_spaces
from gymnasium.utils import EzPickle
from pettingzoo import AECEnv
from pettingzoo.utils.env_logger import EnvLogger

from franchise.engine.layout import GAME, LOCATIONS
from franchise.engine.observe import PLANES, PLANES_AT, SIZE, planes
from franchise.engine.setups import Options
from franchise.envs import spaces
from franchise.envs.rendering import RENDER_MODES, checked_mode, render
from franchise.envs.spaces import Array, action_count, action_mask, options_of, reward_number
from franchise.game import Game

Observation = dict[str, Array]
OBSERVATIONS = ("vector", "planes")
ILLEGAL = -1.0  # the reward of a move that is not legal, which ends the game: that of a last place


class Snapshot(NamedTuple):
    """A position of an environment, to be restored."""

    game: Game
    agents: list[str]
    rewards: dict[str, float]
    cumulative: dict[str, float]
    terminations: dict[str, bool]
    truncations: dict[str, bool]
    agent_selection: str
    skipped: str | None


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
        max_cycles: int | None = None,
    ) -> None:
        """`max_cycles`: moves after which the game is truncated for all agents, without a final reward."""
        EzPickle.__init__(
            self,
            players,
            options,
            render_mode,
            reward=reward,
            shaping=shaping,
            observation=observation,
            max_cycles=max_cycles,
        )
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
        if max_cycles is not None and max_cycles < 1:
            raise ValueError(f"max_cycles must be at least 1, not {max_cycles}")
        self.max_cycles = max_cycles if max_cycles is not None else GAME
        self.moves = 0
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
        """Start a new game; the seed determines everything random in its set-up."""
        self.game = Game(self.game.players, seed, self.options)
        self.moves = 0
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._skip_agent_selection: str | None = None
        self._select()

    def _select(self) -> None:
        """Select the agent to move and its legal actions; at the end, set the results."""
        self.agent_selection = self.possible_agents[self.game.current_player]
        self.mask = action_mask(self.game, self.actions)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.infos[self.agent_selection]["action_mask"] = self.mask
        if self.game.over:
            scores, places = spaces.influence(self.game), spaces.places(self.game)
            for agent in self.agents:
                self.infos[agent] |= {"scores": scores, "places": places}

    def observe(self, agent: str) -> Observation:
        """The position as an agent sees it; only the agent to move has legal actions."""
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
        mover = self.agent_selection
        if self.terminations[mover] or self.truncations[mover]:
            self._was_dead_step(action)
            return
        before = spaces.influence(self.game) if self.shaping else []
        self.game.advance(self.game.action(action).id)
        self.moves += 1
        self._cumulative_rewards[mover] = 0.0
        if self.shaping:
            for agent, now, then in zip(self.possible_agents, spaces.influence(self.game), before, strict=True):
                self.rewards[agent] = self.shaping * (now - then)
        if self.game.over:
            for agent, final in zip(self.possible_agents, spaces.rewards_at_end(self.game, self.reward), strict=True):
                self.rewards[agent] += final
            self.terminations = dict.fromkeys(self.agents, True)
        elif self.moves >= self.max_cycles:
            self.truncations = dict.fromkeys(self.agents, True)
        self._select()
        if self.shaping or self.game.over:  # otherwise there are no rewards
            self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> Any:
        return render(self.game, self.render_mode)

    def close(self) -> None:
        """Nothing to release."""

    def __getstate__(self) -> dict[str, Any]:
        """Copied and pickled with its game, if there is one."""
        begun = self.clone() if self.agents or self.game.over else None
        return {**EzPickle.__getstate__(self), "begun": begun}

    def __setstate__(self, state: dict[str, Any]) -> None:
        begun = state.pop("begun")
        EzPickle.__setstate__(self, state)
        if begun is not None:
            self.restore(begun)

    def clone(self) -> Snapshot:
        """A snapshot of the position for `restore`; takes a few microseconds."""
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
        """Return to a snapshot, which can be used again."""
        self.game = snapshot.game.copy()
        self.agents = snapshot.agents.copy()
        self.rewards = snapshot.rewards.copy()
        self._cumulative_rewards = snapshot.cumulative.copy()
        self.terminations = snapshot.terminations.copy()
        self.truncations = snapshot.truncations.copy()
        self._skip_agent_selection = snapshot.skipped
        self.moves = len(self.game.actions)
        self._select()
        self.agent_selection = snapshot.agent_selection


class env(raw_env):  # noqa: N801 - PettingZoo names it so
    """The environment for training: an illegal move ends the game with the reward of last place.

    It does what PettingZoo's wrappers TerminateIllegal, AssertOutOfBounds and OrderEnforcing do, which would take most
    of the time per step.
    """

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.begun = False
        self.stepped = False

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        super().reset(seed, options)
        self.begun = self.stepped = True

    def restore(self, snapshot: Snapshot) -> None:
        super().restore(snapshot)
        self.begun = self.stepped = True

    def step(self, action: Any) -> None:
        if not self.begun:
            EnvLogger.error_step_before_reset()
        self.stepped = True
        if not self.agents:
            EnvLogger.warn_step_after_terminated_truncated()
            return
        mover = self.agent_selection
        if not (self.terminations[mover] or self.truncations[mover]):
            if not self.action_spaces[mover].contains(action):
                raise AssertionError("action is not in action space")
            if not self.mask[action]:
                self._end_by_illegal_move(mover)
                return
        super().step(action)

    def _end_by_illegal_move(self, mover: str) -> None:
        EnvLogger.warn_on_illegal_move()
        self._cumulative_rewards[mover] = 0.0
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self.rewards[mover] = ILLEGAL
        self._accumulate_rewards()
        self.terminations = dict.fromkeys(self.agents, True)
        self._deads_step_first()

    def observe(self, agent: str) -> Observation:
        if not self.begun:
            EnvLogger.error_observe_before_reset()
        return super().observe(agent)

    def state(self) -> Array:
        if not self.begun:
            EnvLogger.error_state_before_reset()
        return super().state()

    def render(self) -> Any:
        if not self.begun:
            EnvLogger.error_render_before_reset()
        return super().render()

    def agent_iter(self, max_iter: int = 2**63) -> Iterator[str]:
        """Yield the agent to move until none is left."""
        if not self.begun:
            EnvLogger.error_agent_iter_before_reset()
        for _ in range(max_iter):
            if not self.agents:
                return
            if not self.stepped:
                raise AssertionError("need to call step() or reset() in a loop over `agent_iter`")
            self.stepped = False
            yield self.agent_selection


def box(first: int, last: int, shape: tuple[int, ...] | None = None) -> gym_spaces.Box:
    """The space of a part of the vector."""
    high = spaces.HIGH[first:last].reshape(shape if shape is not None else (last - first,))
    return gym_spaces.Box(np.zeros_like(high), high, dtype=np.float32)
