"""Gymnasium: its checker, its registry, and a seat among bots."""

import os
import subprocess
import sys
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.wrappers.vector import RecordEpisodeStatistics

from envs.option_sets import ALL_TABLES, TABLES
from franchise import Options
from franchise.engine.observe import fields
from franchise.envs import spaces
from franchise.envs.gymnasium import ID, FranchiseEnv
from franchise.envs.gymnasium_vector import FranchiseVectorEnv

BY_NAME = """
import gymnasium
made = gymnasium.make("franchise.envs.gymnasium:franchise/Franchise-v2", players=2)
"""
BY_ENTRY_POINT = """
from importlib.metadata import entry_points
import gymnasium
[point] = entry_points(group="gymnasium.envs", name="franchise")
point.load()
made = gymnasium.make("franchise/Franchise-v2", players=2)
"""


@pytest.mark.slow
@pytest.mark.parametrize("code", [BY_NAME, BY_ENTRY_POINT], ids=["by name", "by entry point"])
def test_a_program_that_imports_nothing_of_ours_can_make_it(code: str) -> None:
    """In a process of its own, because this one has imported the module."""
    shown = "made.reset(seed=1)\nprint(made.spec.id, made.action_space.n)"
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run([sys.executable, "-c", code + shown], env=environment, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "franchise/Franchise-v2 321\n"), done.stderr


@ALL_TABLES
def test_the_checker_of_gymnasium_passes(options: Options) -> None:
    check_env(gymnasium.make(ID, options=options).unwrapped, skip_render_check=True)


@pytest.mark.parametrize("players", [2, 3, 5])
def test_the_checker_passes_with_other_numbers_of_players(players: int) -> None:
    check_env(gymnasium.make(ID, players=players, seat=None).unwrapped, skip_render_check=True)


def test_the_checker_passes_with_every_render_mode() -> None:
    check_env(gymnasium.make(ID, players=2, render_mode="ansi").unwrapped)


def finished(env: Any, seed: int, chance: np.random.Generator | None = None) -> tuple[float, dict[str, Any]]:
    """Play at random to the end; the rewards in all, and the last info."""
    chance = chance or np.random.default_rng(seed)
    _, info = env.reset(seed=seed)
    total, over = 0.0, False
    while not over:
        _, reward, over, _, info = env.step(int(chance.choice(np.flatnonzero(info["action_mask"]))))
        total += reward
    return total, info


@pytest.mark.parametrize("seat", [0, 2])
def test_the_others_move_by_themselves_and_the_reward_is_that_of_the_seat(seat: int) -> None:
    env = FranchiseEnv(players=3, seat=seat, options={"milestones": True}, shaping=0.1)
    total, info = finished(env, 5)
    assert env.game.over
    assert info["scores"] == list(env.game.result().scores)
    wanted = spaces.rewards_at_end(env.game, "rank")[seat] + 0.1 * info["scores"][seat]
    assert total == pytest.approx(wanted)


def test_a_seed_decides_the_whole_game_and_the_seat_where_it_is_drawn() -> None:
    seats = set()
    for seed in range(12):
        env = FranchiseEnv(players=3, seat=None, options=TABLES["everything"])
        games = []
        for _ in range(2):
            finished(env, seed)
            games.append((env.seat, env.game.to_text()))
        assert games[0] == games[1]
        seats.add(env.seat)
    assert seats == {0, 1, 2}


def test_opponents_come_from_the_registry_of_bots_one_for_each_seat() -> None:
    env = FranchiseEnv(players=3, opponents=["casual", "random"], seat=1)
    env.reset(seed=1)
    assert {seat: bot.name for seat, bot in env.bots.items()} == {2: "casual", 0: "random"}
    env.close()
    assert env.bots == {}


def test_masks_are_those_of_the_game_as_sb3_contrib_asks_for_them() -> None:
    env = gymnasium.make(ID, players=2)
    env.reset(seed=0)
    table: Any = env.unwrapped
    masks = table.action_masks()
    assert masks.dtype == np.bool_
    assert np.flatnonzero(masks).tolist() == table.game.legal_numbers()
    assert env.get_wrapper_attr("action_masks")().tolist() == masks.tolist()


def test_an_illegal_move_ends_the_episode_with_a_loss_and_says_why() -> None:
    env = FranchiseEnv(players=2)
    env.reset(seed=0)
    _, reward, over, truncated, info = env.step(320)
    assert (reward, over, truncated) == (-1.0, True, False)
    assert info["illegal"].startswith("end: ")
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(320)


def test_arguments_that_do_not_fit_are_refused() -> None:
    for arguments in ({"seat": 4}, {"opponents": ["random"]}, {"reward": "money"}, {"render_mode": "film"}):
        with pytest.raises(ValueError, match=r"have the seats|leave 3 opponents|rewards are|render_mode is"):
            FranchiseEnv(**arguments)


def test_the_picture_is_an_array_of_pixels() -> None:
    env = FranchiseEnv(players=2, render_mode="rgb_array")
    env.reset(seed=0)
    picture = env.render()
    assert picture.dtype == np.uint8
    assert picture.shape[1:] == (800, 3)
    assert len(np.unique(picture.reshape(-1, 3), axis=0)) > 50


@pytest.mark.compiled_only
def test_a_vector_of_games_is_made_by_make_vec_and_repeats() -> None:
    """With rewards, last observations and last infos as Gymnasium's own wrappers read them."""
    ends = []
    for _ in range(2):
        made: Any = gymnasium.make_vec(
            ID, 6, "vector_entry_point", players=3, opponents=["casual", "random"], seat=None, options=TABLES["mixed"]
        )
        env = RecordEpisodeStatistics(made)
        seen, info = env.reset(seed=9)
        assert env.observation_space.contains(seen)
        chance = np.random.default_rng(1)
        ended = 0
        while ended < 8:
            assert np.array_equal(info["seat"], made.batch.seeds % 3)
            moves = np.array([chance.choice(np.flatnonzero(row)) for row in info["action_mask"]])
            seen, rewards, over, cut, info = env.step(moves)
            assert not cut.any()
            assert not rewards[~over].any()
            for slot in np.flatnonzero(over):
                scores, seat = info["final_info"]["scores"][slot], info["final_info"]["seat"][slot]
                assert (rewards[slot] == 1) <= (scores[seat] == scores.max())
                last = fields(info["final_obs"][slot])
                assert last["influence"][0] * 50 == pytest.approx(min(scores[seat], 255))
                assert last["phase"][-1] == 1
                assert info["episode"]["r"][slot] == rewards[slot]
            ended += int(over.sum())
        ends.append((seen.tobytes(), rewards.tobytes()))
        env.close()
    assert ends[0] == ends[1]


@pytest.mark.compiled_only
def test_an_illegal_move_in_a_vector_ends_that_game_only() -> None:
    env = FranchiseVectorEnv(3, players=2, seat=1)
    seen, info = env.reset(seed=0)
    moves = np.array([np.flatnonzero(row)[0] for row in info["action_mask"]])
    moves[1] = 320
    _, rewards, over, _, info = env.step(moves)
    assert over.tolist() == [False, True, False]
    assert rewards.tolist() == [0.0, -1.0, 0.0]
    assert info["final_info"]["illegal"].tolist() == [False, True, False]
    assert np.array_equal(fields(info["final_obs"][1])["cash"], fields(seen[1])["cash"])
    assert env.batch.seeds.tolist() == [0, 4, 2]
    assert info["action_mask"].any(axis=1).all()
    for arguments in ({"seat": 4}, {"opponents": ["random"]}, {"render_mode": "human"}):
        with pytest.raises(ValueError, match=r"have the seats|leave 3 opponents|cannot be rendered"):
            FranchiseVectorEnv(1, **arguments)
    with pytest.raises(ValueError, match="consecutive"):
        env.reset(seed=[5, 7, 9])


def test_the_checker_of_stable_baselines3_passes() -> None:
    checker = pytest.importorskip(
        "stable_baselines3.common.env_checker",
        reason="stable-baselines3 brings torch, which is not among the pins: its checker is run by hand",
    )
    checker.check_env(FranchiseEnv(players=4))
