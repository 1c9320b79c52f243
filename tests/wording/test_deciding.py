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
        assert last.gain == parts["towns"] + left
        assert not last.title.startswith("$0")
        assert ("for what was left" in last.text) == (left > 0)
