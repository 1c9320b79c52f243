"""What all environments share: actions, observations and rewards.

The numbers of actions and the fields of observations are version 2 (observe.VERSION, the 2 in franchise_v2 and
Franchise-v2): tests/envs/test_spaces.py pins their sizes and their meaning, so that a change is a new version.
"""

import hashlib
from collections.abc import Mapping
from typing import Any

import numpy as np

from franchise.engine import observe
from franchise.engine.actions import ACTIONS, BASE_ACTIONS
from franchise.engine.observe import FIELDS, MOST, SCALE, SIZE, VIEW
from franchise.engine.rewards import Reward, final_rewards
from franchise.engine.setups import Options
from franchise.game import SCRATCH, Game

Array = np.ndarray[Any, np.dtype[Any]]

REWARDS = tuple(kind.name.lower() for kind in Reward)
HIGH = MOST * SCALE  # the largest possible value in an observation


def options_of(options: "Options | Mapping[str, Any] | None") -> Options:
    """The options, given as Options, as a mapping of their names, or not at all."""
    if isinstance(options, Options):
        return options
    return Options(**(options or {}))


def action_count(options: Options) -> int:
    """The size of the action space: that of the base game, or all actions if a module has moves of its own."""
    moves_of_modules = options.boom or options.regions is not None or options.expert == "draft"
    return len(ACTIONS) if moves_of_modules else BASE_ACTIONS


def reward_number(name: str) -> int:
    """The number of the reward with that name."""
    if name not in REWARDS:
        raise ValueError(f"rewards are by {' or '.join(REWARDS)}, not {name!r}")
    return REWARDS.index(name)


def vector(game: Game, seat: int) -> Array:
    """The position as a seat sees it; observe.FIELDS says what is where."""
    seen = np.empty(SIZE, np.float32)
    observe.look(game.rules, game.state, seat, np.empty(2, VIEW), seen)
    return seen


def counts(game: Game, seat: int) -> Array:
    """The same numbers before they are divided by their units, as uint8; used by batches and exports."""
    views = np.empty(2, VIEW)
    observe.look(game.rules, game.state, seat, views, np.empty(SIZE, np.float32))
    seen: Array = views["counts"][1]
    return seen


def action_mask(game: Game, actions: int) -> Array:
    """1 for every legal action."""
    mask = np.empty(actions, np.int8)
    observe.mark(game.rules, game.state, SCRATCH.out, mask)
    return mask


def rewards_at_end(game: Game, reward: str) -> list[float]:
    """Each seat's reward at the end of the game."""
    made = np.zeros(game.players, np.float64)
    final_rewards(game.rules, game.state, reward_number(reward), made)
    rewards: list[float] = made.tolist()
    return rewards


def influence(game: Game) -> list[int]:
    """Influence by seat, for shaped rewards."""
    now: list[int] = game.state["influence"][0, : game.players].tolist()
    return now


def places(game: Game) -> list[int]:
    """The place of each seat after the tie-break of the rules, 1 for the winner; tied seats share the better place."""
    return list(game.places())


def meaning() -> str:
    """A hash of what every action and every part of an observation means."""
    lines = [f"{action.id} {action}" for action in ACTIONS]
    lines += [f"{field.name} {field.shape} {field.unit} {field.text}" for field in FIELDS]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]
