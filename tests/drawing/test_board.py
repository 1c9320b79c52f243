"""The drawn board: valid, complete, the same every time, and told apart without colours."""

import copy
import math
import re
from collections import Counter
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from drawing.svg_reading import SVG, TABLES, Shown, mid_game, of_class, parsed, place, played, texts
from franchise import Game, Options
from franchise.drawing import board_svg
from franchise.drawing.board_words import WORDS
from franchise.drawing.cities import PieceSpot, seat
from franchise.drawing.cuts import SIZES, Cut, cut_named
from franchise.drawing.panels import LONGEST_NAME
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
            if row["blocked"]:
                continue
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


def test_spaces_run_clockwise_from_twelve_and_the_hub_says_how_many_there_are() -> None:
    view = mid_game()
    view["locations"]["Chicago"].update(spaces=["orange", "orange", "black", *[None] * 4], scored=False, size=7)
    chicago = place(parsed(Shown(view)), "Chicago")
    assert [spaces.get("data-count") for spaces in of_class(chicago, "spaces")] == ["7"]
    assert texts(chicago) == ["7"]
    pieces = [(piece.get("id"), piece.get("data-colour")) for piece in of_class(chicago, "piece")]
    assert pieces == [("piece-chicago-1", "orange"), ("piece-chicago-2", "orange"), ("piece-chicago-3", "black")]
    cut = cut_named("L")
    at = cut.places["Chicago"].at
    angles = [math.atan2(seat.at.x - at.x, at.y - seat.at.y) % math.tau for seat in seats(cut, "Chicago", 7)]
    assert angles == sorted(angles)
    assert angles[0] == pytest.approx(math.tau / 14)


def seats(cut: Cut, name: str, size: int) -> list[PieceSpot]:
    return [seat(cut, cut.places[name], space, size) for space in range(size)]


@pytest.mark.parametrize("size", SIZES)
def test_pieces_on_a_city_are_large_enough_and_do_not_touch(size: str) -> None:
    cut, least = cut_named(size), {"L": 6.0, "M": 5.5, "S": 5.0}[size]
    for name, spaces in (("New York", 8), ("Chicago", 7), ("Houston", 6), ("Denver", 4), ("Jacksonville", 2)):
        found = seats(cut, name, spaces)
        for point, other in pairwise([*found, found[0]]):
            assert math.dist(point.at, other.at) >= point.radius + other.radius
            assert point.radius >= least, (name, point.radius)


def test_a_scored_city_is_closed_and_keeps_its_pieces() -> None:
    view = mid_game()
    view["locations"]["Washington"].update(spaces=["red", None, None, "blue", None, None], scored=True)
    washington = place(parsed(Shown(view)), "Washington")
    assert "scored" in washington.get("class", "").split()
    assert not of_class(washington, "spaces")
    assert not of_class(washington, "centre")
    assert [piece.get("data-colour") for piece in of_class(washington, "piece")] == ["red", "blue"]


def test_land_out_of_play_is_closed_and_empty() -> None:
    root = parsed(Game(players=3, seed=1))
    blocked = {BOARD.regions[number].name for number in BOARD.out_of_play[3]}
    assert {e.get("data-region") for e in of_class(root, "region") if "blocked" in e.get("class", "")} == blocked
    assert not {e.get("data-region") for e in of_class(root, "plate")} & blocked
    names = {BOARD.locations[number].name for number in BOARD.blocked(3)}
    assert not {e.get("data-place") for e in of_class(root, "place")} & names
    assert not {end for e in of_class(root, "link") for end in (e.get("data-from"), e.get("data-to"))} & names
    assert [texts(sign) for sign in of_class(root, "closed-sign")] == [[WORDS["closed"], WORDS["opens"]]]
    assert not of_class(parsed(Game(players=4, seed=1)), "closed-sign")


@pytest.mark.clause("2.18")
def test_with_two_players_the_second_value_is_struck_out() -> None:
    for players, count in ((2, 7), (3, 0), (5, 0)):
        assert len(of_class(parsed(Game(players=players, seed=1)), "void")) == count


def test_a_scored_region_is_veiled() -> None:
    view = mid_game()
    for name, row in view["regions"].items():
        row["scored"] = name in ("Texas", "Florida")
    assert {veil.get("id") for veil in of_class(parsed(Shown(view)), "veil")} == {"veil-texas", "veil-florida"}


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
    assert [texts(space) for space in spaces[3:]] == [
        [f"+{bonus}" if bonus else "0"] for bonus in BOARD.region_track[3:]
    ]
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
    assert not re.search(r'href="[^#]|url\([^#]|@import|<style|<script|<image', svg)
    assert "http" not in svg.replace('xmlns="http://www.w3.org/2000/svg"', "")
    ids = set(re.findall(r' id="([^"]+)"', svg))
    assert set(re.findall(r'(?:href="|url\()#([\w-]+)', svg)) <= ids


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


def test_there_is_a_word_for_every_phase_kind_colour_and_milestone() -> None:
    needed = {"draft", "start", "boom_phase", "expand", "grow", "over", *COLOURS}
    needed |= {tile.kind for tile in BOARD.tiles} | {f"milestone_{milestone}" for milestone in MILESTONES}
    assert needed <= set(WORDS)
