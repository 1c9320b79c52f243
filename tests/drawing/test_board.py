"""The drawn board: valid, complete, the same every time, and told apart without colours."""

import copy
from collections import Counter
from xml.etree import ElementTree

import pytest

from drawing.svg_reading import SVG, TABLES, Shown, mid_game, of_class, parsed, place, played, texts
from franchise import Game, Options
from franchise.drawing import board_svg
from franchise.drawing.board_words import WORDS
from franchise.drawing.geometry import GEOMETRY
from franchise.drawing.panels import LONGEST_NAME
from franchise.drawing.places import badge_spots, space_number
from franchise.drawing.theme import THEMES
from franchise.facts import BOARD, COLOURS, MILESTONES, PRICES


@pytest.mark.parametrize(("players", "options"), TABLES)
@pytest.mark.parametrize("theme", THEMES)
def test_the_board_is_valid_xml_from_the_first_move_to_the_end(players: int, options: Options, theme: str) -> None:
    for moves in (0, 10, 60, 200, 2000):
        root = parsed(played(players, options, moves), theme=theme)
        assert root.tag == f"{SVG}svg"
        assert len(root.get("viewBox", "").split()) == 4


@pytest.mark.parametrize(("players", "options"), TABLES)
def test_every_piece_in_the_view_is_drawn_and_no_other(players: int, options: Options) -> None:
    for moves in (40, 150, 300):
        game = played(players, options, moves)
        root = parsed(game)
        for name, row in game.view()["locations"].items():
            drawn = Counter(piece.get("data-colour") for piece in of_class(place(root, name), "piece"))
            assert drawn == Counter(colour for colour in row["spaces"] if colour), name


def test_all_places_regions_and_links_are_there_with_their_names() -> None:
    root = parsed(Game(players=4, seed=1))
    assert {element.get("data-place") for element in of_class(root, "place")} == set(BOARD.location_ids)
    assert {element.get("data-region") for element in of_class(root, "plate")} == set(BOARD.region_ids)
    assert len(of_class(root, "link")) == 107
    assert [element.get("data-price") for element in of_class(root, "price")] == [str(price) for price in PRICES]
    assert all(
        element.find(f"{SVG}title") is not None for element in (*of_class(root, "place"), *of_class(root, "link"))
    )


def test_spaces_run_clockwise_and_their_numbers_say_what_remains() -> None:
    view = mid_game()
    view["locations"]["Chicago"].update(spaces=["orange", "orange", "black", *[None] * 4], scored=False, size=7)
    chicago = place(parsed(Shown(view)), "Chicago")
    assert [space.get("data-space") for space in of_class(chicago, "space")] == list("1234567")
    assert [number.text for number in of_class(chicago, "number")] == ["4", "3", "2", "1"]
    assert [space_number(space, 7) for space in range(7)] == [7, 6, 5, 4, 3, 2, 1]


def test_a_scored_city_is_closed_and_keeps_its_pieces() -> None:
    view = mid_game()
    view["locations"]["Washington"].update(spaces=["red", None, None, "blue", None, None], scored=True)
    washington = place(parsed(Shown(view)), "Washington")
    assert "scored" in washington.get("class", "").split()
    assert not of_class(washington, "space")
    assert not of_class(washington, "number")
    assert [piece.get("data-colour") for piece in of_class(washington, "piece")] == ["red", "blue"]


def test_regions_out_of_play_look_so() -> None:
    root = parsed(Game(players=3, seed=1))
    blocked = {BOARD.regions[number].name for number in BOARD.out_of_play[3]}
    for kind in ("region", "plate"):
        assert {e.get("data-region") for e in of_class(root, kind) if "blocked" in e.get("class", "")} == blocked
    assert len(of_class(root, "neutral")) == len(BOARD.blocked(3))
    names = {BOARD.locations[number].name for number in BOARD.blocked(3)}
    for link in of_class(root, "link"):
        cut_off = bool({link.get("data-from"), link.get("data-to")} & names)
        assert ("blocked" in link.get("class", "").split()) == cut_off


def test_what_the_current_player_has_put_down_is_shown() -> None:
    view = mid_game()
    view.update(centre={"Chicago": 2}, markers=["Reno", "Dallas"], current_player=2, boom="Denver")
    view["locations"]["Chicago"].update(spaces=[None] * 7, scored=False)
    root = parsed(Shown(view))
    assert [(e.get("data-count"), e.get("data-colour")) for e in of_class(root, "waiting")] == [("2", "orange")]
    assert [(e.get("data-place"), e.get("data-colour")) for e in of_class(root, "marker")] == [
        ("Reno", "orange"),
        ("Dallas", "orange"),
    ]
    assert [e.get("data-place") for e in of_class(root, "boom")] == ["Denver"]


@pytest.mark.parametrize(
    ("kind", "values", "shown"),
    [
        ("plain", [10, 8, 5], ["10", "8", "5"]),
        ("dollars", [12, 8, 4], ["$12", "$8", "$4"]),
        ("count", [2, 0, -2], ["+2", "±0", "−2"]),
        ("bonus", [3, 4, 2], ["3", "4", "2"]),
        ("expansion", [5, 4, 2], ["5", "4", "2"]),
        ("road", [6, 4, 2], ["6", "4", "2"]),
    ],
)
def test_a_plate_shows_the_values_of_its_tile_and_the_tie_break(kind: str, values: list[int], shown: list[str]) -> None:
    view = mid_game()
    view["regions"]["Texas"].update(kind=kind, values=values, marker="beige", scored=False)
    plate = next(e for e in of_class(parsed(Shown(view)), "plate") if e.get("data-region") == "Texas")
    assert [value.text for value in of_class(plate, "value")] == shown
    assert [e.get("data-colour") for e in of_class(plate, "tie-break")] == ["beige"]
    assert len(of_class(plate, "sign")) == (kind != "plain")


def test_the_track_shows_its_tiles_in_order_and_the_bonuses_that_remain() -> None:
    view = mid_game()
    view["track"] = ["Florida", "Texas", "New York"]
    spaces = of_class(parsed(Shown(view)), "track-space")
    assert [space.get("data-region") for space in spaces] == ["Florida", "Texas", "New York", *[None] * 7]
    assert [texts(space) for space in spaces[3:]] == [[str(bonus)] for bonus in BOARD.region_track[3:]]
    assert ["red-zone" in space.get("class", "") for space in spaces] == [False] * 7 + [True] * 3


def test_milestones_and_special_tiles_are_shown_with_their_owners() -> None:
    view = mid_game()
    view["milestones"] = [{"id": "a", "claimed": ["red", "blue"]}, {"id": "g", "claimed": []}]
    view["special_tiles"] = {"road": {"owner": "black", "used": False}, "expansion": {"owner": None, "used": True}}
    root = parsed(Shown(view))
    assert [texts(e) for e in of_class(root, "milestone")] == [[WORDS["milestone_a"]], [WORDS["milestone_g"]]]
    assert Counter(e.get("data-colour") for e in of_class(root, "claim")) == {"red": 1, "blue": 1, "black": 1}
    assert len(of_class(root, "special")) == 2


def test_panels_show_each_player_and_can_be_left_out() -> None:
    game = played(4, Options(), 120)
    view, root = game.view(), parsed(game)
    cards = of_class(root, "player")
    assert [card.get("data-colour") for card in cards] == [player["colour"] for player in view["players"]]
    for card, player in zip(cards, view["players"], strict=True):
        assert {f"${player['cash']}", str(player["influence"]), player["name"]} <= set(texts(card))
        assert len(of_class(card, "bonus-tile")) == player["bonus_tiles"]
    assert [("active" in card.get("class", "")) for card in cards].index(True) == view["current_player"]
    bare = parsed(game, panels=False)
    assert not of_class(bare, "panels")
    assert len(of_class(bare, "place")) == 45
    assert float(bare.get("viewBox", "").split()[3]) < float(root.get("viewBox", "").split()[3])


@pytest.mark.parametrize(
    "name",
    [
        "</text><script>alert(1)</script>",
        "\"'&<>",
        "]]>",
        "&amp;",
        "a\x00b\x1b\ufffe",
        "\ud800",
        "Zoë 🍔",
        "x" * 500,
        "",
    ],
)
def test_a_hostile_name_is_only_text(name: str) -> None:
    view = mid_game()
    view["players"][0]["name"] = name
    svg = board_svg(Shown(view))
    root = ElementTree.fromstring(svg.encode("utf-8"))
    assert not list(root.iter(f"{SVG}script"))
    written = of_class(root, "player-name")[0].text or ""
    assert len(written) <= LONGEST_NAME
    if name.isprintable() and len(name) <= LONGEST_NAME:
        assert written == name


def test_the_picture_asks_for_nothing_from_outside() -> None:
    svg = board_svg(played(5, Options(milestones=True, boom=True, regions="mixed"), 100))
    for word in ("href", "url(", "@import", "<style", "<script", "<image", "http"):
        assert word not in svg.replace('xmlns="http://www.w3.org/2000/svg"', "")


def test_the_same_game_gives_the_same_picture_and_is_left_alone() -> None:
    game = played(4, Options(), 90)
    view = game.view()
    before = copy.deepcopy(view)
    assert board_svg(game) == board_svg(game.copy()) == board_svg(Shown(view))
    assert view == before
    assert board_svg(game, theme="dark") != board_svg(game)


def test_a_theme_that_does_not_exist_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="no theme 'neon'; choose one of classic, dark"):
        board_svg(Game(players=4, seed=1), theme="neon")


def test_words_can_be_replaced() -> None:
    assert "Regionenleiste" in texts(parsed(Game(players=4, seed=1), words={"track": "Regionenleiste"}))


def test_badges_on_a_rim_cover_no_name_and_no_other_disc() -> None:
    for name, spot in GEOMETRY.places.items():
        if BOARD.locations[BOARD.location_ids[name]].is_city:
            assert len(badge_spots(spot)) >= 2, name  # one for the boom marker, one for an expansion marker


def test_there_is_a_word_for_every_phase_kind_colour_and_milestone() -> None:
    needed = {"draft", "start", "boom_phase", "expand", "grow", "over", *COLOURS}
    needed |= {tile.kind for tile in BOARD.tiles} | {f"milestone_{milestone}" for milestone in MILESTONES}
    assert needed <= set(WORDS)
