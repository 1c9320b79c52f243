"""The action and observation spaces of version 2. If a test here fails, what changed needs a new version."""

import hashlib

import numpy as np
import pytest

from envs.option_sets import TABLES, played
from franchise import Options
from franchise.engine.actions import ACTIONS, BASE_ACTIONS
from franchise.engine.observe import PLANES, PLANES_AT, SIZE, VERSION
from franchise.envs import spaces


def test_version_2_has_these_sizes_and_this_meaning() -> None:
    assert VERSION == 2
    assert (len(ACTIONS), BASE_ACTIONS) == (1000, 321)
    assert (SIZE, PLANES, PLANES_AT) == (909, 11, 414)
    assert spaces.meaning() == "bce168030a1afa7f"


def test_version_2_observes_these_numbers() -> None:
    """The texts of the fields could stay while the numbers change: so here are the numbers of some games."""
    digest = hashlib.sha256()
    for players, table in ((4, "base"), (2, "everything"), (3, "random"), (5, "mixed")):
        end = played(players, 3, TABLES[table])
        for number in range(0, len(end.actions) + 1, 7):
            game = end.at(number)
            for seat in range(players):
                digest.update(spaces.vector(game, seat).tobytes())
    assert digest.hexdigest()[:16] == "520c828005910518"


@pytest.mark.parametrize(("table", "count"), [("base", 321), ("milestones", 321), ("random", 321), ("boom", 1000)])
def test_a_table_has_the_actions_of_the_base_game_unless_a_module_has_moves(table: str, count: int) -> None:
    assert spaces.action_count(TABLES[table]) == count


@pytest.mark.parametrize("table", TABLES)
def test_the_actions_of_a_table_hold_every_move_of_its_games(table: str) -> None:
    options = TABLES[table]
    moves = [action.id for action in played(4, 1, options).actions]
    assert max(moves) < spaces.action_count(options)


def test_observations_stay_in_their_space() -> None:
    end = played(5, 2, TABLES["everything"])
    for number in range(0, len(end.actions) + 1, 9):
        seen = spaces.vector(end.at(number), 0)
        assert seen.dtype == np.float32
        assert (seen >= 0).all()
        assert (seen <= spaces.HIGH).all()


def test_options_are_given_as_such_or_as_a_mapping_or_left_out() -> None:
    assert spaces.options_of({"boom": True}) == Options(boom=True)
    assert spaces.options_of(None) == Options()
    assert spaces.options_of(Options(milestones=True)) == Options(milestones=True)
