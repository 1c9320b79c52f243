"""Bots by name: built in, from other packages by entry point, and refusals."""

import sys
from pathlib import Path

import pytest

from franchise import Game
from franchise.bots import BotError, Listing, listings, make
from franchise.bots.registry import BUILT_IN

MODULE = """
class LastMove:
    name = "last"

    def __init__(self, seed, budget):
        self.seed, self.budget = seed, budget

    def choose(self, game):
        return game.legal_actions()[-1]
"""
METADATA = """Metadata-Version: 2.1
Name: franchise-last-move
Version: 1.0
"""
ENTRY_POINTS = """[franchise.bots]
last = last_move:LastMove
random = last_move:LastMove
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package that brings bots, as if it were installed."""
    (tmp_path / "last_move.py").write_text(MODULE, encoding="utf-8")
    folder = tmp_path / "franchise_last_move-1.0.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text(METADATA, encoding="utf-8")
    (folder / "entry_points.txt").write_text(ENTRY_POINTS, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "last_move", raising=False)


@pytest.mark.usefixtures("package")
def test_a_bot_of_another_package_is_made_by_its_name() -> None:
    bot = make("last", seed=7, seconds=0.5, simulations=30)
    game = Game(3, 1)
    assert bot.choose(game) == game.legal_actions()[-1]
    assert (bot.seed, bot.budget.seconds, bot.budget.simulations) == (7, 0.5, 30)  # type: ignore[attr-defined]


@pytest.mark.usefixtures("package")
def test_a_bot_of_another_package_is_listed_with_that_package() -> None:
    assert Listing("last", "last_move:LastMove", "franchise-last-move") in listings()


@pytest.mark.usefixtures("package")
def test_another_package_cannot_replace_a_bot_that_is_built_in() -> None:
    assert make("random").__class__.__name__ == "RandomBot"
    assert [listing.source for listing in listings() if listing.name == "random"] == ["built in"]


@pytest.mark.parametrize("name", BUILT_IN)
def test_every_bot_that_is_built_in_can_be_made_and_moves(name: str) -> None:
    game = Game(2, 1)
    bot = make(name, seed=1, simulations=10)
    assert bot.name == name
    assert bot.choose(game) in game.legal_actions()
    bot.close()


def test_every_listing_says_what_the_bot_is() -> None:
    assert [listing.name for listing in listings()][: len(BUILT_IN)] == list(BUILT_IN)
    assert all(listing.text for listing in listings())


@pytest.mark.parametrize("name", ["nobody", "", "Random", "x" * 1000])
def test_an_unknown_name_is_answered_with_the_names_there_are(name: str) -> None:
    with pytest.raises(BotError, match=r"there is no bot '.*'; choose from .*random.* program:COMMAND") as error:
        make(name)
    assert len(str(error.value)) < 300


@pytest.mark.parametrize(
    ("budget", "message"),
    [
        ({"seconds": 0.0}, "seconds must be between 0 and 3600, not 0.0"),
        ({"seconds": -1.0}, "seconds must be between 0 and 3600, not -1.0"),
        ({"seconds": float("nan")}, "seconds must be between 0 and 3600, not nan"),
        ({"seconds": float("inf")}, "seconds must be between 0 and 3600, not inf"),
        ({"simulations": 0}, "simulations must be between 1 and 100,000, not 0"),
        ({"simulations": 10_000_001}, "simulations must be between 1 and 100,000, not 10000001"),
    ],
)
def test_a_budget_that_is_none_is_refused(budget: dict[str, float], message: str) -> None:
    with pytest.raises(BotError, match=message):
        make("random", **budget)  # type: ignore[arg-type]


@pytest.mark.usefixtures("package")
def test_a_factory_of_a_module_is_named_as_such() -> None:
    bot = make("python:last_move:LastMove", seed=3)
    game = Game(2, 1)
    assert bot.choose(game) == game.legal_actions()[-1]


@pytest.mark.parametrize("name", ["python:", "python:random", "python:no_such_module:bot", "python:random:no_such_bot"])
def test_a_factory_that_is_not_there_is_refused(name: str) -> None:
    with pytest.raises(BotError, match=r"cannot be loaded: .*write python:MODULE:FACTORY"):
        make(name)
