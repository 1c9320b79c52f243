"""What the end of a game is worth."""

import numpy as np
import pytest

from franchise import Game
from franchise.engine.rewards import Reward, final_rewards


def rewards(kind: Reward, *standings: tuple[int, int]) -> list[float]:
    """Of seats with that influence and so many towns."""
    game = Game(len(standings), 1)
    towns = [place for place in range(45) if game.rules[0].towns >> place & 1]
    for seat, (influence, number) in enumerate(standings):
        game.state["influence"][0, seat] = influence
        game.state["held"][0, seat] = sum(1 << towns.pop() for _ in range(number))
    out = np.zeros(len(standings))
    final_rewards(game.rules, game.state, kind, out)
    return out.tolist()  # type: ignore[no-any-return]


def test_ranks_give_from_one_to_minus_one_in_even_steps() -> None:
    assert rewards(Reward.RANK, (50, 0), (60, 0), (40, 0)) == [0.0, 1.0, -1.0]
    assert rewards(Reward.RANK, (1, 0), (2, 0)) == [-1.0, 1.0]


@pytest.mark.clause("4.4")
def test_towns_break_ties_and_seats_that_still_tie_share_their_ranks() -> None:
    assert rewards(Reward.RANK, (50, 3), (50, 4)) == [-1.0, 1.0]
    assert rewards(Reward.RANK, (50, 3), (50, 3)) == [0.0, 0.0]
    assert rewards(Reward.RANK, (50, 3), (50, 3), (9, 0)) == [0.5, 0.5, -1.0]


def test_a_share_is_the_part_of_all_influence() -> None:
    assert rewards(Reward.SHARE, (30, 0), (10, 0)) == [0.75, 0.25]
    assert rewards(Reward.SHARE, (0, 0), (0, 0), (0, 0), (0, 0)) == [0.25] * 4
