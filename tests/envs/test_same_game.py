"""One game through every interface: the same states, moves, observations and results, move by move."""

from typing import Any

import numpy as np
import pyspiel
import pytest

import franchise.envs.openspiel  # noqa: F401 - registers the game
from envs.option_sets import TABLES_OF_TWO, played
from franchise import Action, Game, Options
from franchise.engine import layout, walk
from franchise.engine.actions import ACTIONS
from franchise.envs import Batch, franchise_v2, spaces
from franchise.envs.gymnasium import FranchiseEnv

SEED = 11
CASES = [(2, "base"), (3, "milestones"), (4, "base"), (5, "mixed"), (4, "everything"), (2, "random"), (2, "mini")]


class Course:
    """A game as its positions: what every interface is compared with."""

    def __init__(self, players: int, options: Options) -> None:
        self.options = options
        end = played(players, SEED, options)
        self.moves = [action.id for action in end.actions]
        game = end.at(0)
        self.positions = [game.copy()]
        for move in self.moves:
            game.play(move)
            self.positions.append(game.copy())
        self.end = game
        self.scores = game.result().scores
        self.rewards = spaces.rewards_at_end(game, "rank")

    def check(self, number: int, state: Any, legal: Any, seat: int) -> None:
        """Whether that is the position after so many moves."""
        game = self.positions[number]
        assert state.tobytes() == game.state.tobytes()
        assert list(legal) == game.legal_numbers()
        assert seat == game.current_player


@pytest.fixture(scope="module", params=CASES, ids=lambda case: f"{case[1]}-{case[0]}")
def course(request: pytest.FixtureRequest) -> Course:
    players, table = request.param
    return Course(players, TABLES_OF_TWO[table])


def test_through_the_kernel(course: Course) -> None:
    rules = course.end.rules
    state, log = layout.new(layout.STATE), layout.new(layout.LOG)
    out = np.zeros(layout.MOVES, np.int32)
    walk.begin(rules, state, log)
    for number, move in enumerate(course.moves):
        course.check(number, state, out[: walk.moves(rules, state, out)], state["active"][0])
        assert walk.step(rules, state, move, out, log)
    course.check(len(course.moves), state, [], state["active"][0])


def test_through_pettingzoo(course: Course) -> None:
    env = franchise_v2.env(players=course.end.players, options=course.options)
    env.reset(seed=SEED)
    table: Any = env.unwrapped
    number = 0
    rewards = {}
    for agent in env.agent_iter():
        seen, reward, over, _, info = env.last()
        if over:
            rewards[agent] = reward
            env.step(None)
            continue
        assert seen is not None
        course.check(number, table.game.state, np.flatnonzero(seen["action_mask"]), table.seats[agent])
        assert np.array_equal(info["action_mask"], seen["action_mask"])
        assert np.array_equal(seen["observation"], spaces.vector(course.positions[number], table.seats[agent]))
        env.step(course.moves[number])
        number += 1
    assert table.game == course.end
    assert list(rewards.values()) == pytest.approx([course.rewards[table.seats[agent]] for agent in rewards])
    assert len(rewards) == course.end.players


class Script:
    """An opponent that plays what was played, and checks that it is asked in the same position."""

    name = "script"

    def __init__(self, course: Course) -> None:
        self.course = course

    def choose(self, game: Game) -> Action:
        number = len(game.actions)
        self.course.check(number, game.state, game.legal_numbers(), game.current_player)
        return ACTIONS[self.course.moves[number]]

    def close(self) -> None:
        """Holds nothing."""


def test_through_gymnasium(course: Course, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("franchise.envs.gymnasium.make", lambda *_, **__: Script(course))
    for seat in range(course.end.players):
        env = FranchiseEnv(course.end.players, course.options, "script", seat=seat)
        seen, info = env.reset(seed=SEED)
        over = False
        while not over:
            number = len(env.game.actions)
            course.check(number, env.game.state, np.flatnonzero(env.action_masks()), seat)
            assert np.array_equal(info["action_mask"], env.action_masks())
            assert np.array_equal(seen, spaces.vector(course.positions[number], seat))
            seen, reward, over, _, info = env.step(course.moves[number])
        assert env.game == course.end
        assert reward == pytest.approx(course.rewards[seat])
        assert tuple(info["scores"]) == course.scores


def test_through_openspiel(course: Course) -> None:
    options = course.options
    words = {
        "introductory": options.introductory,
        "milestones": options.milestones,
        "boom": options.boom,
        "mini": options.mini,
    }
    names = {"expert": options.expert or "", "regions": options.regions or ""}
    game = pyspiel.load_game("python_franchise", {"players": course.end.players, "seed": SEED, **words, **names})
    state = game.new_initial_state()
    for number, move in enumerate(course.moves):
        course.check(number, state.position.state, state.legal_actions(), state.current_player())
        assert state.action_to_string(move) == str(ACTIONS[move])
        tensor = np.array(state.observation_tensor(), np.float32)
        assert np.array_equal(tensor, spaces.vector(course.positions[number], state.current_player()))
        state.apply_action(move)
    assert state.is_terminal()
    assert state.position == course.end
    assert state.returns() == pytest.approx(course.rewards)


def test_through_a_batch(course: Course) -> None:
    """In slot 1; the others play at random around it."""
    batch = Batch(3, course.end.players, SEED - 1, course.options)
    answers = batch.buffers()
    batch.reset(answers)
    assert answers.masks is not None
    assert answers.observations is not None
    assert answers.seats is not None
    for number, move in enumerate(course.moves):
        course.check(number, batch.states[1:2], np.flatnonzero(answers.masks[1]), answers.seats[1])
        seen = spaces.vector(course.positions[number], answers.seats[1])
        assert np.array_equal(answers.observations[1], seen)
        actions = batch.random_actions()
        actions[1] = move
        batch.step(actions, answers)
        assert answers.dones is not None
        assert answers.dones[1] == (number + 1 == len(course.moves))
    assert answers.rewards is not None
    assert answers.scores is not None
    assert tuple(answers.scores[1]) == course.scores
    assert answers.rewards[1] == pytest.approx(course.rewards)
    assert batch.seeds[1] == SEED + 3
    batch.close()
