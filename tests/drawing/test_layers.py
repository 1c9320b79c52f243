"""The layers of a page: the same board as the picture, in parts that keep still."""

import re
from collections import Counter
from xml.etree import ElementTree

import pytest

from drawing.svg_reading import TABLES, Shown, described, mid_game, of_class, played
from franchise import Game, Options
from franchise.drawing import board_svg
from franchise.drawing.cuts import SIZES, cut_named, cut_of
from franchise.drawing.layers import Target, anonymous, frame, ground_svg, pieces_svg
from franchise.drawing.page_colours import page_css
from franchise.drawing.targets import targets_svg
from franchise.facts import BOARD

GERMAN = {"scored": "gewertet", "link": "{a} bis {b}: {price} $", "track": "Regionenleiste"}


def layers(game: Game | Shown) -> ElementTree.Element:
    cut = cut_of(game.view(), "L")
    everything = targets_svg(game, [Target(name, None, "$1", name) for name in cut.places])
    everything += targets_svg(game, [Target(None, name, "", name) for name in cut.plates]).replace(
        'id="targets"', 'id="more-targets"'
    )
    return ElementTree.fromstring(f"<svg>{ground_svg(game)}{pieces_svg(game)}{everything}</svg>")


def by_id(game: Game | Shown) -> dict[str, str]:
    """What each part with an id looks like, those that only hold others left out."""
    parts = [part for part in ElementTree.fromstring(pieces_svg(game)).iter() if part.get("id")]
    held = {"pieces", "places", "plates", "extras"}
    return {part.get("id", ""): ElementTree.tostring(part, "unicode") for part in parts if part.get("id") not in held}


@pytest.mark.parametrize(("players", "options"), TABLES)
def test_ids_are_unique_and_every_colour_is_in_the_sheet(players: int, options: Options) -> None:
    known = set(re.findall(r"(--f-[\w-]+):", page_css()))
    for moves in (0, 20, 150, 400):
        game = played(players, options, moves)
        root = layers(game)
        ids = Counter(element.get("id") for element in root.iter() if element.get("id"))
        assert [name for name, count in ids.items() if count > 1] == []
        markup = ground_svg(game) + pieces_svg(game) + targets_svg(game, [Target("Omaha", None, "$1", "Omaha")])
        assert set(re.findall(r"var\((--f-[\w-]+)\)", markup)) <= known
        assert not re.search(r'#[0-9a-f]{6}| style=|<style|<script|href="[^#]|url\([^#]', markup)


def test_a_move_changes_only_what_it_touches() -> None:
    game = Game(players=4, seed=3)
    for move in ("start Reno", "start Fargo", "start Pueblo", "start Raleigh"):
        game.play(move)
    ground, before = ground_svg(game), by_id(game)
    game.play("expand Atlanta 0")
    after = by_id(game)
    changed = {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}
    assert changed == {"place-atlanta", "marker-atlanta"}
    assert ground_svg(game) is ground


def test_a_piece_keeps_its_id_from_space_to_scoring() -> None:
    view = mid_game()
    view["locations"]["Chicago"].update(spaces=["red", "blue", "red", *[None] * 4], size=7, scored=False)
    root = ElementTree.fromstring(pieces_svg(Shown(view)))
    pieces = {element.get("id"): element.get("data-colour") for element in of_class(root, "piece")}
    assert [pieces[f"piece-chicago-{space}"] for space in (1, 2, 3)] == ["red", "blue", "red"]
    view["locations"]["Chicago"].update(spaces=["red", "blue", None, *[None] * 4], scored=True)
    root = ElementTree.fromstring(pieces_svg(Shown(view)))
    kept = {element.get("id") for element in of_class(root, "piece") if "chicago" in element.get("id", "")}
    assert kept == {"piece-chicago-1", "piece-chicago-2"}


@pytest.mark.parametrize(("players", "options"), TABLES)
def test_the_layers_show_what_the_picture_shows(players: int, options: Options) -> None:
    game = played(players, options, 180)
    picture = ElementTree.fromstring(board_svg(game, panels=False).replace(' xmlns="http://www.w3.org/2000/svg"', ""))
    page = ElementTree.fromstring(f"<svg>{ground_svg(game)}{pieces_svg(game)}</svg>")
    for name in ("piece", "spaces", "value", "tie-break", "standing", "track-space", "marker", "boom", "link", "name"):
        drawn, layered = (of_class(root, name) for root in (picture, page))
        assert [(e.get("id"), e.get("data-colour"), e.text) for e in drawn] == [
            (e.get("id"), e.get("data-colour"), e.text) for e in layered
        ]


def test_every_place_and_region_can_be_found_and_is_spoken() -> None:
    root = ElementTree.fromstring(pieces_svg(played(4, Options(boom=True), 120)))
    for class_, key, names in (("place", "place", BOARD.location_ids), ("plate", "region", BOARD.region_ids)):
        elements = of_class(root, class_)
        assert [element.get(f"data-{key}") for element in elements] == list(names)
        for element in elements:
            name = element.get(f"data-{key}", "")
            assert element.get("id") == f"{key}-{name.lower().replace('.', '').replace(' ', '-')}"
            assert element.get("role") == "img"
            assert described(element).startswith(name)


def test_the_words_of_a_language_are_used_and_kept_apart() -> None:
    game = played(4, Options(), 160)
    english, german = pieces_svg(game), pieces_svg(game, GERMAN)
    assert ", scored" in english
    assert "gewertet" not in english
    assert ", gewertet" in german
    assert "Regionenleiste" in german
    assert "Seattle bis" in ground_svg(game, GERMAN)
    assert pieces_svg(game) == english


def test_regions_out_of_play_are_part_of_the_ground() -> None:
    three, four = (ground_svg(Game(players=players, seed=1)) for players in (3, 4))
    assert three.count('class="region blocked"') == 3
    assert four.count('class="region blocked"') == 0


@pytest.mark.parametrize("size", SIZES)
def test_the_frame_is_the_cut(size: str) -> None:
    assert [float(side) for side in frame(size).split()] == list(cut_named(size).size)


def test_a_second_board_on_a_page_is_not_found_by_scripts_and_keeps_what_it_draws_with() -> None:
    game = Game(players=4, seed=1)
    first, second = (anonymous(ground_svg(game) + pieces_svg(game), key) for key in ("one", "two"))
    used = set(re.findall(r'(?:href="|url\()#([\w-]+)', second))
    assert used
    assert set(re.findall(r' id="([^"]+)"', second)) >= used
    assert ' id="place-reno"' not in second
    assert not set(re.findall(r' id="([^"]+)"', first)) & set(re.findall(r' id="([^"]+)"', second))


def test_places_in_the_news_are_ringed() -> None:
    game = Game(players=4, seed=1)
    root = ElementTree.fromstring(pieces_svg(game, news=["Reno", "Denver"]))
    assert [mark.get("id") for mark in of_class(root, "news")] == ["news-reno", "news-denver"]
