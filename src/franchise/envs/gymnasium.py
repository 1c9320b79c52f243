"""Franchise for Gymnasium: you play one seat, bots play the others. docs/gymnasium.md

Importing this registers `franchise/Franchise-v2` and the tiers, `franchise/Mini-v1` and so on.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces as gym_spaces

from franchise.bots.protocol import Bot
from franchise.bots.registry import make
from franchise.engine.observe import SIZE
from franchise.engine.setups import Options
from franchise.envs import spaces
from franchise.envs.rendering import RENDER_MODES, checked_mode, render
from franchise.envs.spaces import Array, action_count, action_mask, options_of, reward_number
from franchise.envs.tiers import TIERS, Tier
from franchise.game import Game, IllegalAction

ID = "franchise/Franchise-v2"
SEEDS = 1 << 31
ILLEGAL = -1.0  # the reward of a move that is not legal, which ends the episode


class FranchiseEnv(gymnasium.Env[Array, Any]):
    """A game in which the opponents move by themselves; at every observation it is your turn to decide."""

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 2}  # noqa: RUF012 - Gymnasium declares it so

    def __init__(
        self,
        players: int = 4,
        options: "Options | Mapping[str, Any] | None" = None,
        opponents: "str | Sequence[str]" = "random",
        *,
        seat: int | None = 0,
        reward: str = "rank",
        shaping: float = 0.0,
        simulations: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        """`opponents`: one bot for all, or one for each other seat, clockwise from yours; `seat` None: random."""
        self.options = options_of(options)
        self.game = Game(players, 0, self.options)
        if seat is not None and not 0 <= seat < players:
            raise ValueError(f"{players} players have the seats 0 to {players - 1}, not {seat}")
        self.wanted_seat = seat
        self.names = [opponents] * (players - 1) if isinstance(opponents, str) else list(opponents)
        if len(self.names) != players - 1:
            raise ValueError(f"{players} players leave {players - 1} opponents, not {len(self.names)}")
        self.simulations = simulations
        self.reward = reward
        reward_number(reward)
        self.shaping = shaping
        self.render_mode = checked_mode(render_mode)
        self.seat = seat or 0
        self.bots: dict[int, Bot] = {}
        self.actions = action_count(self.options)
        self.action_space = gym_spaces.Discrete(self.actions)
        self.observation_space = gym_spaces.Box(np.zeros(SIZE, np.float32), spaces.HIGH, dtype=np.float32)
        self.finished = True

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Array, dict[str, Any]]:
        """Start a new game; the seed determines its set-up, your seat if it is drawn, and the bots."""
        super().reset(seed=seed)
        players = self.game.players
        drawn = seed if seed is not None else int(self.np_random.integers(SEEDS))
        self.game = Game(players, drawn, self.options)
        self.seat = int(self.np_random.integers(players)) if self.wanted_seat is None else self.wanted_seat
        self.close()
        for step, name in enumerate(self.names, 1):
            bot_seed = int(self.np_random.integers(SEEDS))
            self.bots[(self.seat + step) % players] = make(name, seed=bot_seed, simulations=self.simulations)
        self.finished = False
        self._let_bots_play()
        return self._observation(), self._info()

    def step(self, action: Any) -> tuple[Array, float, bool, bool, dict[str, Any]]:
        """Make your move and those of the others after it; an illegal move ends the episode with the reward -1."""
        if self.finished:
            raise gymnasium.error.ResetNeeded("the game is over: call reset")
        before = spaces.influence(self.game)[self.seat]
        try:
            self.game.play(int(action))
        except IllegalAction as error:
            self.finished = True
            return self._observation(), ILLEGAL, True, False, {**self._info(), "illegal": str(error)}
        self._let_bots_play()
        reward = self.shaping * (spaces.influence(self.game)[self.seat] - before)
        if self.game.over:
            self.finished = True
            reward += spaces.rewards_at_end(self.game, self.reward)[self.seat]
        if self.render_mode == "human":
            self.render()
        return self._observation(), reward, self.finished, False, self._info()

    def _let_bots_play(self) -> None:
        while not self.game.over and self.game.current_player != self.seat:
            self.game.play(self.bots[self.game.current_player].choose(self.game))

    def _observation(self) -> Array:
        return spaces.vector(self.game, self.seat)

    def _info(self) -> dict[str, Any]:
        info: dict[str, Any] = {"action_mask": action_mask(self.game, self.actions), "seat": self.seat}
        if self.game.over:
            info["scores"] = spaces.influence(self.game)
        return info

    def action_masks(self) -> Array:
        """The legal actions, in the form sb3-contrib's MaskablePPO expects."""
        return action_mask(self.game, self.actions).astype(np.bool_)

    def render(self) -> Any:
        return render(self.game, self.render_mode)

    def close(self) -> None:
        """Close the bots."""
        for bot in self.bots.values():
            bot.close()
        self.bots.clear()


def tier_id(tier: Tier) -> str:
    """The id of a tier, such as franchise/Mini-v1."""
    return f"franchise/{tier.full_name.capitalize()}"


for name, arguments in [
    (ID, {}),
    *((tier_id(tier), {"players": tier.players, "options": tier.options}) for tier in TIERS.values()),
]:
    gymnasium.register(
        id=name,
        entry_point=f"{__name__}:{FranchiseEnv.__name__}",
        vector_entry_point="franchise.envs.gymnasium_vector:FranchiseVectorEnv",
        kwargs=arguments,
    )
