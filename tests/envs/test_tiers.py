"""The tiers: what their versions pin, and the outside suites at each of them."""

import random
from typing import Any

import gymnasium
import numpy as np
import pyspiel
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

import franchise.envs.gymnasium
import franchise.envs.openspiel
from franchise.envs import franchise_v2, spaces
from franchise.envs.tiers import TIERS, Tier

pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
]
CYCLES = 12
ALL_TIERS = pytest.mark.parametrize("tier", TIERS.values(), ids=TIERS)
SIZES = {"mini": (2, 321, 909), "duel": (2, 321, 909), "classic": (4, 321, 909), "full": (4, 1000, 909)}


@ALL_TIERS
def test_a_tier_means_what_its_version_pins(tier: Tier) -> None:
    """If this fails, what changed needs a new version of the tier."""
    assert tier.meaning() == tier.pinned
    assert (tier.players, tier.actions, tier.observations) == SIZES[tier.name]
    assert tier.full_name == f"{tier.name}-v1"


@ALL_TIERS
def test_the_suites_of_pettingzoo_gymnasium_and_openspiel_pass(tier: Tier) -> None:
    made = {"players": tier.players, "options": tier.options}
    api_test(franchise_v2.env(**made), num_cycles=CYCLES)
    seed_test(lambda: franchise_v2.env(**made), num_cycles=CYCLES)
    check_env(gymnasium.make(franchise.envs.gymnasium.tier_id(tier)).unwrapped, skip_render_check=True)
    pyspiel.random_sim_test(pyspiel.load_game(tier.openspiel()), num_sims=1, serialize=True, verbose=False)


@pytest.mark.compiled_only
@ALL_TIERS
def test_a_random_game_is_the_same_through_every_interface(tier: Tier) -> None:
    """State by state: Game, PettingZoo, Gymnasium's vector, OpenSpiel and a batch."""
    seed = 3
    game = tier.game(seed)
    env: Any = franchise_v2.raw_env(players=tier.players, options=tier.options)
    env.reset(seed=seed)
    spiel = pyspiel.load_game(tier.openspiel().replace(")", f",seed={seed})")).new_initial_state()
    batch = tier.batch(2, seed - 1)
    answers: Any = batch.buffers("masks", "observations", "scores", "dones")
    batch.reset(answers)
    chance = random.Random(seed)
    while not game.over:
        numbers = game.legal_numbers()
        seen = spaces.vector(game, game.current_player)
        assert env.game.state.tobytes() == spiel.position.state.tobytes() == game.state.tobytes()
        assert batch.states[1:2].tobytes() == game.state.tobytes()
        assert numbers == spiel.legal_actions() == np.flatnonzero(env.mask).tolist()
        assert numbers == np.flatnonzero(answers.masks[1]).tolist()
        assert np.array_equal(seen, env.observe(env.agent_selection)["observation"])
        assert np.array_equal(seen, answers.observations[1])
        assert np.array_equal(seen, batch.vector(1, game.current_player))
        move = chance.choice(numbers)
        game.advance(move)
        env.step(move)
        spiel.apply_action(move)
        moves = batch.random_actions()
        moves[1] = move
        batch.step(moves, answers)
    assert env.game == spiel.position == game
    assert answers.dones[1]
    assert tuple(answers.scores[1]) == game.result().scores
    assert env.infos["player_0"]["places"] == list(game.places())
    assert spiel.returns() == spaces.rewards_at_end(game, "rank")
