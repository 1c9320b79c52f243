"""What a position is worth: exact at the end, chances that add up, tables without holes."""

import random

import numpy as np
import pytest

from franchise import Game, Options
from franchise.bots import make
from franchise.bots.network import no_weights
from franchise.bots.turns import SearchMemory, new_search_memory, value_of
from franchise.bots.values import STAGES, VALUES, WORK, learned


def thinking(game: Game) -> SearchMemory:
    """A memory that has valued the position of the game."""
    memory = new_search_memory(game.rules, learned(), np.zeros(1, WORK), no_weights())
    value_of(memory, game.state[0])
    return memory


def test_the_tables_are_whole_and_have_a_place_for_every_number_of_players() -> None:
    tables = learned()
    assert tables.dtype == VALUES
    assert tables["race"].shape[:2] == tables["rank"].shape[:2] == tables["weight"].shape[:2] == (1, 4)
    assert tables["spread"].shape == (1, 4, STAGES)
    assert tables["start"].shape == (1, 4, 45)
    for name in VALUES.names or ():
        assert np.isfinite(tables[name]).all(), name
        assert tables[name].any(), name


def test_scores_are_taken_to_scatter_at_every_stage() -> None:
    assert (learned()["spread"] > 0).all()


def test_chances_of_ranks_are_chances() -> None:
    ranks = learned()["rank"]
    assert (ranks >= 0).all()
    assert (ranks <= 1 + 1e-6).all()


def test_a_city_race_never_promises_more_than_the_city() -> None:
    race = learned()["race"][0]
    for size in range(2, race.shape[1]):
        assert (race[:, size] >= 0).all()
        assert (race[:, size] <= size + 1e-6).all()


@pytest.mark.compiled_only
@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("options", [Options(), Options(milestones=True, boom=True, regions="new")])
def test_a_game_is_valued_from_start_to_end_exactly_when_it_is_over(players: int, options: Options) -> None:
    game = Game(players, 6, options)
    bot = make("newcomer", seed=players)
    while not game.over:
        scratch = thinking(game).scratch
        assert np.isfinite(scratch["expected"][0, :players]).all()
        assert scratch["chances"][0, :players].sum() == pytest.approx(1)
        assert (scratch["chances"][0, :players] >= 0).all()
        game.play(bot.choose(game))
    result = game.result()
    scratch = thinking(game).scratch
    assert scratch["expected"][0, :players].tolist() == list(result.scores)
    assert scratch["chances"][0, :players].sum() == pytest.approx(1)
    best = int(scratch["chances"][0, :players].argmax())
    assert result.scores[best] == max(result.scores)
    if result.scores.count(max(result.scores)) == 1:
        assert scratch["chances"][0, result.winners[0]] == pytest.approx(1)


@pytest.mark.compiled_only
def test_valuing_a_position_does_not_change_it() -> None:
    chance = random.Random(2)
    game = Game(4, 2, Options(boom=True, regions="mixed"))
    while not game.over:
        before = game.state.tobytes()
        thinking(game)
        assert game.state.tobytes() == before
        game.play(chance.choice(game.legal_actions()))


@pytest.mark.compiled_only
def test_more_influence_means_a_better_chance() -> None:
    game = Game(3, 1, Options(introductory=True))
    even = float(thinking(game).scratch["chances"][0, 1])
    ahead = game.copy()
    ahead.state["influence"][0, 1] += 10
    assert thinking(ahead).scratch["chances"][0, 1] > even
