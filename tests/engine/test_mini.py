"""The small game for learners: two players in the west of the map."""

import random

import pytest

from franchise import Game, Options
from franchise.engine.bounds import bounds
from franchise.engine.events import Event
from franchise.engine.layout import EventKind
from franchise.engine.setups import MINI_REGIONS, SetupError
from franchise.facts import BOARD

MINI = Options(mini=True)


def test_it_is_played_in_three_regions_until_two_of_them_are_scored() -> None:
    game = Game(2, 1, MINI)
    west = {place.name for place in BOARD.locations if BOARD.regions[place.region].name in MINI_REGIONS}
    view = game.view()
    assert {name for name, region in view["regions"].items() if not region["blocked"]} == set(MINI_REGIONS)
    assert {name for name, place in view["locations"].items() if not place["blocked"]} == west
    assert view["track"] == []
    chance = random.Random(4)
    happened: list[Event] = []
    while not game.over:
        assert len(game.view()["track"]) < 2
        happened = game.play(chance.choice(game.legal_actions()))
    assert EventKind.RED_ZONE in {event.kind for event in happened}
    assert len(game.view()["track"]) == 2
    assert {action.place for action in game.actions if action.place >= 0} <= {BOARD.location_ids[name] for name in west}
    assert len(game.actions) <= bounds(2).moves
    best = max(game.result().scores)
    assert [place == 1 for place in game.places()] == [seat in game.result().winners for seat in range(2)]
    assert game.result().scores[game.places().index(1)] == best


def test_its_record_reads_again() -> None:
    game = Game(2, 1, MINI)
    game.play(game.legal_actions()[0])
    assert "option mini\n" in game.to_text()
    assert Game.from_text(game.to_text()) == game


def test_it_is_for_two_and_goes_without_other_options() -> None:
    with pytest.raises(SetupError, match="option mini is for 2 players, not 4"):
        Game(4, 1, MINI)
    with pytest.raises(SetupError, match="option mini cannot be combined with others"):
        Options(mini=True, boom=True)
