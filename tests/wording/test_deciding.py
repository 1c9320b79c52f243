"""What decided a game, as the final screen says it."""

import pytest

from franchise.wording.deciding import facts
from franchise.wording.language import language
from franchise.wording.log import turns
from recorded_games import game


@pytest.mark.parametrize("name", ["base-2", "base-3", "base-5"])
def test_nobody_is_told_of_money_or_points_they_do_not_have(name: str) -> None:
    played, spoken = game(name), language("en")
    for seat, parts in enumerate(played.result().breakdown):
        last = facts(played, turns(name, played, spoken), seat, spoken)[-1]
        left = parts["money"] + parts["bonus_tiles"]
        assert last.gain == (left or parts["towns"])
        assert not last.title.startswith("$0")
        assert ("kept to the end" in last.title + last.text) == (left > 0)


def test_money_is_told_beside_that_of_the_strongest_rival() -> None:
    played, spoken = game("base-5"), language("en")
    cash = [player["cash"] for player in played.view()["players"]]
    richest = cash.index(max(cash))
    for seat in range(played.players):
        last = facts(played, turns("base-5", played, spoken), seat, spoken)[-1]
        assert (last.text == "Nobody else had as much.") == (seat == richest), (seat, last)


def test_only_who_has_not_won_is_told_of_their_best_turn() -> None:
    played, spoken = game("base-5"), language("en")
    _, winners = played.scores_and_winners()
    for seat in range(played.players):
        first = facts(played, turns("base-5", played, spoken), seat, spoken)[0]
        assert first.title.endswith(", your best") == (seat not in winners)
