"""PettingZoo: its own test suite, and what it does not test."""

import pickle
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, render_test, seed_test

from envs.option_sets import ALL_PLAYERS, ALL_TABLES, TABLES
from franchise import IllegalAction, Options
from franchise.engine.layout import LOCATIONS
from franchise.engine.observe import PLANES, PLANES_AT, SIZE
from franchise.envs import franchise_v2, spaces

# PettingZoo's test keeps a list of its own games that may have a mask beside the observation; others it warns.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
]

CYCLES = 12  # of each agent in the suite of PettingZoo; whole games are in test_same_game.py


@ALL_PLAYERS
@ALL_TABLES
def test_the_api_test_of_pettingzoo_passes(players: int, options: Options) -> None:
    api_test(franchise_v2.env(players=players, options=options), num_cycles=CYCLES)


@pytest.mark.parametrize("arguments", [{"observation": "planes"}, {"reward": "share"}, {"shaping": 0.01}], ids=str)
def test_the_api_test_passes_with(arguments: dict[str, Any]) -> None:
    api_test(franchise_v2.env(**arguments), num_cycles=CYCLES)


@ALL_PLAYERS
@ALL_TABLES
def test_the_seed_test_of_pettingzoo_passes(players: int, options: Options) -> None:
    seed_test(lambda: franchise_v2.env(players=players, options=options), num_cycles=CYCLES)


@pytest.mark.slow
@pytest.mark.parametrize(("players", "table"), [(4, "base"), (2, "everything")])
def test_the_render_test_of_pettingzoo_passes(players: int, table: str) -> None:
    render_test(
        lambda render_mode: franchise_v2.env(players=players, options=TABLES[table], render_mode=render_mode),
        custom_tests={"svg": lambda picture: picture.startswith("<svg"), "ansi": lambda text: "Region track" in text},
    )


def test_the_performance_benchmark_of_pettingzoo_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """For a moment instead of its five seconds."""
    from pettingzoo.test import performance_benchmark

    module: Any = performance_benchmark.__globals__
    started = module["time"].time()
    times = iter(range(0, 10_000, 2))
    monkeypatch.setitem(module, "time", type("Clock", (), {"time": staticmethod(lambda: started + next(times))}))
    performance_benchmark(franchise_v2.env())


def finished(env: Any, seed: int = 0) -> dict[str, float]:
    """Play at random to the end; what each agent was given in all."""
    env.reset(seed=seed)
    env.action_space("player_0").seed(seed)
    total = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        seen, reward, over, _, _ = env.last()
        total[agent] += reward
        env.step(None if over else env.action_space("player_0").sample(seen["action_mask"]))
    return total


def test_rewards_are_given_once_at_the_end_by_rank_or_by_share() -> None:
    for reward in ("rank", "share"):
        env = franchise_v2.env(players=3, reward=reward)
        total = finished(env)
        assert list(total.values()) == pytest.approx(spaces.rewards_at_end(env.unwrapped.game, reward))


def test_shaped_rewards_add_the_influence_when_it_is_gained() -> None:
    env = franchise_v2.env(players=4, shaping=0.25)
    total = finished(env)
    game = env.unwrapped.game
    scores = game.result().scores
    wanted = [final + 0.25 * score for final, score in zip(spaces.rewards_at_end(game, "rank"), scores, strict=True)]
    assert list(total.values()) == pytest.approx(wanted)


def test_planes_and_table_are_the_vector_in_two_parts() -> None:
    vector, parts = (franchise_v2.env(players=5, observation=kind) for kind in ("vector", "planes"))
    for env in (vector, parts):
        env.reset(seed=1)
        env.step(4)
    whole, taken_apart = vector.last()[0], parts.last()[0]
    assert whole["observation"].shape == (SIZE,)
    assert taken_apart["observation"].shape == (PLANES, LOCATIONS)
    assert np.array_equal(np.append(taken_apart["table"], taken_apart["observation"]), whole["observation"])
    assert taken_apart["table"].shape == (PLANES_AT,)


def test_an_agent_that_is_not_to_move_sees_the_table_from_its_seat_and_may_do_nothing() -> None:
    env = franchise_v2.env(players=3)
    env.reset(seed=1)
    env.step(4)
    waiting = env.observe("player_0")
    assert not waiting["action_mask"].any()
    assert np.array_equal(waiting["observation"], spaces.vector(env.unwrapped.game, 0))
    assert np.array_equal(env.state(), waiting["observation"])
    assert env.unwrapped.state_space.contains(env.state())


def test_a_clone_brings_the_environment_back_as_often_as_one_likes() -> None:
    env = franchise_v2.raw_env(players=4, options={"boom": True}, shaping=0.5)
    env.reset(seed=3)
    chance = np.random.default_rng(3)
    while not env.game.turn > 20:
        env.step(int(chance.choice(np.flatnonzero(env.mask))))
    here = env.clone()
    record = env.game.to_text()
    ends = []
    for _ in range(2):
        chance = np.random.default_rng(4)
        while not env.game.over:
            env.step(int(chance.choice(np.flatnonzero(env.mask))))
        ends.append((env.game.to_text(), env.last()[1:4]))
        env.restore(here)
        assert env.game.to_text() == record
        assert env.agent_selection == f"player_{env.game.current_player}"
        assert not any(env.terminations.values())
    assert ends[0] == ends[1]


def test_a_clone_of_the_end_can_be_stepped_through_again() -> None:
    env = franchise_v2.raw_env(players=2)
    env.reset(seed=0)
    chance = np.random.default_rng(1)
    while not env.game.over:
        env.step(int(chance.choice(np.flatnonzero(env.mask))))
    end = env.clone()
    for _ in range(2):
        for _ in env.agent_iter():
            env.step(None)
        assert env.agents == []
        env.restore(end)
        assert len(env.agents) == 2


def test_an_illegal_move_raises_without_wrappers_and_loses_with_them() -> None:
    raw = franchise_v2.raw_env(players=2)
    raw.reset(seed=0)
    with pytest.raises(IllegalAction):
        raw.step(320)
    assert raw.game.actions == ()
    env = franchise_v2.env(players=2)
    env.reset(seed=0)
    agent = env.agent_selection
    env.step(320)
    assert env.unwrapped.rewards[agent] == -1
    assert all(env.terminations.values())


def test_arguments_that_do_not_exist_are_refused() -> None:
    for arguments in ({"reward": "money"}, {"observation": "picture"}, {"render_mode": "film"}, {"players": 6}):
        with pytest.raises(ValueError, match=r"rewards are|observations are|render_mode is|2 to 5 players"):
            franchise_v2.env(**arguments)


def test_an_environment_can_be_pickled() -> None:
    env = pickle.loads(pickle.dumps(franchise_v2.raw_env(players=3, options=TABLES["everything"], reward="share")))
    env.reset(seed=1)
    assert env.game.players == 3
    assert env.reward == "share"


def test_human_prints_the_position_after_each_move(capsys: pytest.CaptureFixture[str]) -> None:
    env = franchise_v2.env(players=2, render_mode="human")
    env.reset(seed=0)
    env.step(12)
    assert capsys.readouterr().out.startswith("Turn 0, start, Blue to move")
