"""Many games for Gymnasium at once: a VectorEnv over a batch, made by `gymnasium.make_vec`. docs/gymnasium.md"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium import spaces as gym_spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from franchise.engine.observe import SIZE
from franchise.engine.setups import Options
from franchise.envs import spaces
from franchise.envs.batch import Batch
from franchise.envs.spaces import Array

SEEDS = 1 << 31
ILLEGAL = -1.0  # the reward of a move that is not legal, which ends the episode


class FranchiseVectorEnv(VectorEnv[Array, Array, Array]):
    """You play one seat of each game, compiled bots the others; when a game ends, the next one begins."""

    metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012 - as Gymnasium has it

    def __init__(
        self,
        num_envs: int = 1,
        players: int = 4,
        options: "Options | Mapping[str, Any] | None" = None,
        opponents: "str | Sequence[str]" = "random",
        *,
        seat: int | None = 0,
        reward: str = "rank",
        shaping: float = 0.0,
        simulations: int | None = None,
        skip_forced: bool = False,
        threads: int | None = None,
        copy: bool = True,
        render_mode: str | None = None,
    ) -> None:
        """As FranchiseEnv; `seat` None takes the seats in turn. Without `copy`, a step overwrites observations."""
        if render_mode is not None:
            raise ValueError("a vector of games cannot be rendered: render a single game of franchise/Franchise-v2")
        bots: str | Sequence[str] | dict[int, str] = opponents
        if seat is not None:
            if not 0 <= seat < players:
                raise ValueError(f"{players} players have the seats 0 to {players - 1}, not {seat}")
            names = [opponents] * (players - 1) if isinstance(opponents, str) else list(opponents)
            if len(names) != players - 1:
                raise ValueError(f"{players} players leave {players - 1} opponents, not {len(names)}")
            bots = {(seat + step) % players: name for step, name in enumerate(names, 1)}
        self.batch = Batch(
            num_envs,
            players,
            options=options,
            reward=reward,
            shaping=shaping,
            auto_reset=False,
            skip_forced=skip_forced,
            opponents=bots,
            simulations=simulations,
            threads=threads,
        )
        self.num_envs = num_envs
        self.copy = copy
        self.into: Any = self.batch.buffers()
        self.rows = np.arange(num_envs)
        self.single_action_space = gym_spaces.Discrete(self.batch.actions)
        self.single_observation_space = gym_spaces.Box(np.zeros(SIZE, np.float32), spaces.HIGH, dtype=np.float32)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)

    def reset(
        self, *, seed: "int | Sequence[int | None] | None" = None, options: dict[str, Any] | None = None
    ) -> tuple[Array, dict[str, Any]]:
        """Start new games; game i has the seed `seed + i`."""
        first = seed if isinstance(seed, int) or seed is None else seed[0]
        if not (seed is None or isinstance(seed, int)) and list(seed) != [int(first or 0) + i for i in self.rows]:
            raise ValueError("the seeds of a vector are consecutive: give only the first")
        super().reset(seed=first)
        self.batch.reset(self.into, seed=first if first is not None else int(self.np_random.integers(SEEDS)))
        return self._observations(), self._infos()

    def step(self, actions: Array) -> tuple[Array, Array, Array, Array, dict[str, Any]]:
        """Make your moves and those of the bots after them; when a game ends, the next one begins."""
        moves = np.asarray(actions)
        own = self.into.seats.astype(np.int64)
        legal = (moves >= 0) & (moves < self.batch.actions)
        legal &= self.into.masks[self.rows, np.where(legal, moves, 0)]
        if not legal.all():
            self.batch.abandon(np.flatnonzero(~legal))
        self.batch.step(np.where(legal, moves, -1), self.into)
        rewards = np.where(legal, self.into.rewards[self.rows, own], np.float32(ILLEGAL))
        ended = self.into.dones.copy()
        final: dict[str, Any] = {}
        if ended.any():
            final = self._final(ended, own, ~legal)
            self.batch.renew(self.into)
        return self._observations(), rewards, ended, np.zeros(self.num_envs, np.bool_), {**self._infos(), **final}

    def _final(self, ended: Array, own: Array, illegal: Array) -> dict[str, Any]:
        """The final observations and infos of games that ended, as AutoresetMode.SAME_STEP requires."""
        seen = np.full(self.num_envs, None, object)
        for slot in np.flatnonzero(ended):
            seen[slot] = self.batch.vector(int(slot), int(own[slot]))
        info = {"scores": self.into.scores.copy(), "seat": own, "illegal": illegal}
        info |= {f"_{name}": ended.copy() for name in ("scores", "seat", "illegal")}
        return {"final_obs": seen, "_final_obs": ended.copy(), "final_info": info, "_final_info": ended.copy()}

    def _observations(self) -> Array:
        seen: Array = self.into.observations
        return seen.copy() if self.copy else seen

    def _infos(self) -> dict[str, Any]:
        everywhere = np.ones(self.num_envs, np.bool_)
        masks = self.into.masks.copy() if self.copy else self.into.masks
        seats = self.into.seats.astype(np.int64)
        return {"action_mask": masks, "_action_mask": everywhere, "seat": seats, "_seat": everywhere}

    def action_masks(self) -> Array:
        """The legal actions, in the form sb3-contrib's MaskablePPO expects."""
        masks: Array = self.into.masks
        return masks

    def close_extras(self, **kwargs: Any) -> None:
        """Stop the threads."""
        self.batch.close()
