"""OpenSpiel: its own test suite, playthroughs, undo."""

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from envs.option_sets import ALL_PLAYERS

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel has no wheel for this system")

import franchise.envs.openspiel  # noqa: E402, F401 - registers the game
from franchise.engine.actions import ACTIONS  # noqa: E402
from franchise.envs import spaces  # noqa: E402

OPTIONS = [
    "introductory=True",
    "expert=draft",
    "expert=random,seed=4",
    "milestones=True",
    "boom=True",
    "regions=mixed",
    "mini=True",
]
EVERYTHING = "python_franchise(players=3,expert=draft,milestones=True,boom=True,regions=new,reward=share)"


def load(parameters: str) -> Any:
    return pyspiel.load_game(f"python_franchise({parameters})")


@ALL_PLAYERS
def test_the_random_simulation_of_openspiel_passes(players: int) -> None:
    pyspiel.random_sim_test(load(f"players={players}"), num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("option", OPTIONS)
def test_the_random_simulation_passes_with(option: str) -> None:
    pyspiel.random_sim_test(load(f"players=2,{option}"), num_sims=1, serialize=True, verbose=False)


def test_the_random_simulation_passes_with_everything() -> None:
    pyspiel.random_sim_test(pyspiel.load_game(EVERYTHING), num_sims=1, serialize=True, verbose=False)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["python_franchise(players=2)", EVERYTHING])
def test_a_playthrough_can_be_generated_and_replayed(name: str, tmp_path: Path) -> None:
    from absl import flags
    from open_spiel.python.algorithms import generate_playthrough

    if not flags.FLAGS.is_parsed():
        flags.FLAGS(["test"])
    text = generate_playthrough.playthrough(name, None, seed=7)
    file = tmp_path / "playthrough.txt"
    file.write_text(text, encoding="utf-8")
    original, again = generate_playthrough.replay(str(file))
    assert original == again
    assert len(text) > 10_000


def middle(game: Any, moves: int = 60) -> Any:
    state = game.new_initial_state()
    chance = np.random.default_rng(1)
    for _ in range(moves):
        state.apply_action(int(chance.choice(state.legal_actions())))
    return state


def test_undo_takes_back_moves_one_by_one_and_the_history_follows() -> None:
    game = load("players=3,boom=True")
    state = game.new_initial_state()
    chance = np.random.default_rng(2)
    past = []
    for _ in range(80):
        past.append((str(state), state.history(), state.observation_tensor(0)))
        state.apply_action(int(chance.choice(state.legal_actions())))
    while past:
        last = state.full_history()[-1]
        state.undo_action(last.player, last.action)
        text, history, tensor = past.pop()
        assert (str(state), state.history()) == (text, history)
        assert state.observation_tensor(0) == tensor
        assert state.move_number() == len(history)
        assert state.history_str() == " ".join(map(str, history))
    assert state.is_initial_state()
    with pytest.raises(ValueError, match="the last move is not"):
        state.undo_action(0, 0)


def test_after_undo_another_move_leads_where_it_would_have_led() -> None:
    game = load("players=4")
    source, other = middle(game), middle(game)
    first, second = source.legal_actions()[:2]
    player = source.current_player()
    source.apply_action(first)
    source.undo_action(player, first)
    for state in (source, other):
        state.apply_action(second)
    for state in (
        source,
        source.clone(),
        pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, source))[1],
    ):
        assert state.history() == other.history()
        assert str(state) == str(other)
        assert [(move.player, move.action) for move in state.full_history()] == [
            (move.player, move.action) for move in other.full_history()
        ]


def test_clones_are_independent() -> None:
    state = middle(load("players=4"))
    before = str(state)
    copy = state.clone()
    copy.apply_action(copy.legal_actions()[0])
    assert str(state) == before
    assert len(copy.history()) == len(state.history()) + 1


def test_games_and_states_survive_pickling() -> None:
    state = middle(pyspiel.load_game(EVERYTHING))
    game = pickle.loads(pickle.dumps(state.get_game()))
    again = pickle.loads(pickle.dumps(state))
    assert str(game) == str(state.get_game())
    assert str(again) == str(state)
    assert again.history() == state.history()


def test_action_strings_are_our_notation_and_lead_back() -> None:
    state = middle(load("players=5"))
    for action in state.legal_actions():
        text = state.action_to_string(action)
        assert text == str(ACTIONS[action])
        assert state.string_to_action(text) == action


def test_observations_of_any_player_are_the_vector_from_their_seat() -> None:
    state = middle(load("players=4"))
    for player in range(4):
        seen = np.array(state.observation_tensor(player), np.float32)
        assert np.array_equal(seen, spaces.vector(state.position, player))


@pytest.mark.parametrize(("reward", "total"), [("rank", 0.0), ("share", 1.0)])
def test_returns_are_rewards_of_the_end(reward: str, total: float) -> None:
    game = load(f"players=3,reward={reward}")
    state = game.new_initial_state()
    chance = np.random.default_rng(3)
    while not state.is_terminal():
        assert state.returns() == [0.0] * 3
        state.apply_action(int(chance.choice(state.legal_actions())))
    assert sum(state.returns()) == pytest.approx(total)
    assert game.utility_sum() == total
    assert state.returns() == spaces.rewards_at_end(state.position, reward)
    assert len(state.history()) <= game.max_game_length()


def test_by_rank_the_game_is_zero_sum_so_that_alpha_beta_runs() -> None:
    from open_spiel.python.algorithms import minimax

    game = load("players=2,mini=True")
    assert game.get_type().utility == pyspiel.GameType.Utility.ZERO_SUM
    assert load("reward=share").get_type().utility == pyspiel.GameType.Utility.CONSTANT_SUM
    start = middle(game, 8)

    def lead(state: Any) -> float:
        ahead, behind = spaces.influence(state.position)
        return (ahead - behind) / 100

    value, action = minimax.alpha_beta_search(game, start, lead, maximum_depth=2, maximizing_player_id=0)
    assert -1 <= value <= 1
    assert action in start.legal_actions()
    assert start.legal_actions(1 - start.current_player()) == []
