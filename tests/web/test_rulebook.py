"""The rules in the app: every section in every language, with pictures; and true answers to "why not there?"."""

import random

import pytest

from franchise.engine.actions import ACTIONS
from franchise.engine.layout import Kind
from franchise.engine.setups import Options
from franchise.facts import BOARD
from franchise.game import Game
from franchise.web.language import LANGUAGES, language
from franchise.web.refusals import why_not_here
from franchise.web.rulebook import FOR_PHASE, IDS, SECTIONS, drawn

CHOOSES = {
    "start": (Kind.START,),
    "boom": (Kind.BOOM,),
    "draft": (Kind.TILE,),
    "expand": (Kind.EXPAND, Kind.AGAIN),
    "grow": (Kind.GROW,),
}


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section.id)
def test_every_section_is_there_in_every_language(section: object, code: str) -> None:
    for text in (section.title, *section.paragraphs):  # type: ignore[attr-defined]
        assert (language(code).text(text) == text) == (code == "en" or text == "Boom")
    picture = section.picture  # type: ignore[attr-defined]
    if picture is not None:
        svg = drawn(picture, language(code))
        assert ' id="' not in svg  # several stand on one page
        assert picture.places[0] in svg


def test_every_phase_has_its_section() -> None:
    assert set(FOR_PHASE) == {"draft", "start", "boom", "expand", "grow", "over"}
    assert set(FOR_PHASE.values()) <= set(IDS)


@pytest.mark.parametrize("players", [2, 4, 5])
@pytest.mark.parametrize("options", [Options(), Options(boom=True, milestones=True), Options(expert="draft")], ids=str)
def test_why_not_is_true_for_every_place_over_random_games(players: int, options: Options) -> None:
    english = language("en")
    chance = random.Random(players)
    game = Game(players, seed=players, options=options)
    asked = refused = 0
    while not game.over:
        kinds = CHOOSES[game.phase]
        open_now = {action.place for action in game.legal_actions() if action.kind in kinds}
        named = {action.place for action in ACTIONS if action.kind in kinds}
        if chance.random() < 0.15:
            for place in range(len(BOARD.locations)):
                answer = why_not_here(game, place, english)
                asked += 1
                if place in open_now:
                    assert answer == "You can choose it."
                else:
                    refused += 1
                    assert answer.startswith("Not possible: ") or place not in named
                    assert "{" not in answer
                    assert answer != "You can choose it."
        game.play(chance.choice(game.legal_actions()))
    assert asked > refused > 0
