"""What was scored, over the map of a replay."""

from xml.etree import ElementTree

import pytest

from drawing.svg_reading import of_class
from franchise import Game
from franchise.drawing.cuts import SIZES, cut_named
from franchise.drawing.geometry import Box
from franchise.drawing.scored import Gain, scored_svg

GAME = Game(players=5, seed=1)
COLOURS = ("blue", "red", "orange", "black", "beige")


def test_a_city_and_a_region_say_who_gained_how_much() -> None:
    gains = [Gain("Denver", "black", 2), Gain("Denver", "blue", 4), Gain("Texas", "blue", 8), Gain("Texas", "red", -1)]
    root = ElementTree.fromstring(scored_svg(GAME, gains))
    assert root.get("id") == "targets"  # in place of what can be chosen
    city, region = of_class(root, "gains")
    assert (city.get("data-place"), region.get("data-region")) == ("Denver", "Texas")
    assert [text.text for text in city.iter("text")] == ["+2", "+4"]
    assert [part.get("data-colour") for part in of_class(city, "piece")] == ["black", "blue"]
    assert [text.text for text in region.iter("text")] == ["+8", "−1"]


@pytest.mark.parametrize("size", SIZES)
def test_signs_of_gains_lie_on_the_picture(size: str) -> None:
    cut = cut_named(size)
    for where in (*cut.places, *cut.plates):
        root = ElementTree.fromstring(scored_svg(GAME, [Gain(where, colour, 12) for colour in COLOURS], size))
        sign = next(part for part in reversed(list(root.iter("rect"))) if part.get("stroke-width") == "2")
        box = Box(*(float(sign.get(side, "0")) for side in ("x", "y", "width", "height")))
        assert cut.size.holds(box), where
