"""Places in words: a label says all that is drawn."""

import pytest

from drawing.svg_reading import Shown, described, mid_game, of_class, parsed, place, texts
from franchise import Game, Options


def chicago(**row: object) -> str:
    view = mid_game()
    view.update(centre={}, markers=[], current_player=2, boom=None)
    view.update({key: row.pop(key) for key in ("centre", "markers", "boom") if key in row})
    view["locations"]["Chicago"].update({"size": 7, "scored": False, "spaces": [None] * 7, **row})
    return described(place(parsed(Shown(view)), "Chicago"))


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({}, "nobody yet, 7 free"),
        ({"spaces": ["red", "blue", "red", *[None] * 4]}, "red 2, blue 1, 4 free"),
        ({"spaces": ["red", *[None] * 6], "scored": True}, "red 1, scored"),
        ({"boom": "Chicago"}, "nobody yet, 7 free, boom: empty spaces count double"),
        ({"markers": ["Chicago"]}, "nobody yet, 7 free, expansion marker of orange"),
        ({"centre": {"Chicago": 2}}, "nobody yet, 7 free, orange 2 waiting in the centre"),
    ],
)
def test_a_city_says_who_is_there_and_what_lies_on_it(row: dict[str, object], said: str) -> None:
    assert chicago(**row) == f"Chicago, city of 7 in Great Lakes: {said}"


def test_a_town_says_whose_it_is() -> None:
    game = Game(players=4, seed=1)
    game.play("start Reno")
    root = parsed(game)
    assert described(place(root, "Reno")) == "Reno, town in California: black 1"
    assert described(place(root, "Fargo")) == "Fargo, town in Montana: nobody yet"


@pytest.mark.clause("5.1")
def test_a_city_without_a_tile_shows_which_it_can_take() -> None:
    root = parsed(Game(players=4, seed=1, options=Options(expert="draft")))
    assert place(root, "Phoenix").get("aria-label") == "Phoenix: no tile yet"
    assert texts(place(root, "New York")) == ["?", "7–8"]
    assert texts(place(root, "Chicago")) == ["?", "7–8"]
    assert texts(place(root, "Jacksonville")) == ["?", "2–3"]
    assert not of_class(place(root, "New York"), "spaces")
