"""A postcard: the last map and the result, whatever people are called."""

from xml.etree import ElementTree

from franchise import Game
from franchise.drawing.postcard import postcard_svg


def test_a_postcard_shows_the_map_and_says_who_won() -> None:
    card = postcard_svg(Game(players=2, seed=1), "Ada wins, 73 to 72", "Greetings from turn 49", "Ada · Bob")
    texts = [node.text for node in ElementTree.fromstring(card).iter("{http://www.w3.org/2000/svg}text")]
    assert {"Ada wins, 73 to 72", "Greetings from turn 49", "Ada · Bob"} <= set(texts)
    assert "franchise-board" in card


def test_names_on_a_postcard_are_escaped_and_end_before_the_edge() -> None:
    card = postcard_svg(Game(players=2, seed=1), "<script>alert(1)</script>", "hello", "x" * 500)
    assert "<script>" not in card
    assert "x" * 64 not in card


def test_no_part_of_the_map_is_cut_off_on_a_postcard() -> None:
    card = ElementTree.fromstring(postcard_svg(Game(players=5, seed=1), "Ada wins", "hello", "Ada"))
    board = card.find("{http://www.w3.org/2000/svg}svg")
    assert board is not None
    assert board.get("preserveAspectRatio") == "xMidYMid meet"
