"""What decided a game, as the final screen says it."""

import pytest

from franchise.wording.decisive_facts import facts
from franchise.wording.language import language
from franchise.wording.log import turns
from recorded_games import game


@pytest.mark.parametrize("name", ["base-2", "base-3", "base-5"])
def test_money_is_told_where_it_was_more_than_the_strongest_rival_had(name: str) -> None:
    played, spoken = game(name), language("en")
    cash = [player["cash"] for player in played.view()["players"]]
    scores, _ = played.scores_and_winners()
    for seat, parts in enumerate(played.result().breakdown):
        others = [other for other in range(played.players) if other != seat]
        rival = max(others, key=lambda other: scores[other])
        found = [fact for fact in facts(played, turns(name, played, spoken), seat, spoken) if "kept" in fact.title]
        assert bool(found) == (parts["money"] > 0 and cash[seat] > cash[rival])
        for fact in found:
            assert fact.gain == parts["money"]
            assert fact.title.startswith(f"${cash[seat]} ")
            most = cash[seat] > max(cash[other] for other in others)
            beside = f"{spoken.player(rival, played)} had ${cash[rival]}."
            assert fact.text == ("Nobody else had as much." if most else beside)


def test_only_who_has_not_won_is_told_of_their_best_turn() -> None:
    played, spoken = game("base-5"), language("en")
    _, winners = played.scores_and_winners()
    for seat in range(played.players):
        first = facts(played, turns("base-5", played, spoken), seat, spoken)[0]
        assert first.title.endswith(", your best") == (seat not in winners)
