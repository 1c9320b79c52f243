"""RULES 5: the expert set-up, drafted, random or arranged, with every number of players."""

import random
from collections import Counter

import pytest

from franchise import Game, Options, Setup, SetupError
from franchise.engine.layout import EventKind, Kind
from franchise.engine.setups import printed_sizes, regions_in_play
from franchise.facts import BOARD
from franchise.facts.loader import TILE_CLASSES, tile_class

ALL_PLAYERS = pytest.mark.parametrize("players", [2, 3, 4, 5])
PRINTED = [region.name for region in BOARD.regions]


def drafted(players: int, seed: int = 1, **options: object) -> Game:
    """A game whose draft was made at random, up to the first starting franchise."""
    game = Game(players, seed, Options(expert="draft", **options))
    rng = random.Random(seed)
    while game.phase == "draft":
        game.play(rng.choice(game.legal_actions()))
    return game


def sizes_of(game: Game) -> dict[str, int]:
    """The city tiles that lie on the board, by city in play."""
    places = game.view()["locations"].items()
    return {name: place["size"] for name, place in places if place["kind"] == "city" and not place["blocked"]}


def same_class(size: int, printed: int) -> bool:
    return any(size in sizes and printed in sizes for sizes in ({2, 3}, {4, 5, 6}, {7, 8}))


# --- 5.1 The tiles ----------------------------------------------------------------------------------------------------


@pytest.mark.clause("5.1")
def test_city_tiles_have_three_backs():
    assert TILE_CLASSES == ((2, 3), (4, 5, 6), (7, 8))
    assert [tile_class(size) for size in range(2, 9)] == [0, 0, 1, 1, 1, 2, 2]


@pytest.mark.clause("5.1")
@ALL_PLAYERS
def test_in_the_draft_each_city_takes_every_size_of_its_class_and_no_other(players):
    game = Game(players, 1, Options(expert="draft"))
    offered = {(BOARD.locations[action.place].name, action.size) for action in game.legal_actions()}
    printed = printed_sizes(players)
    assert offered == {(city, size) for city in printed for size in printed.values() if same_class(size, printed[city])}


@pytest.mark.clause("5.1")
@ALL_PLAYERS
@pytest.mark.parametrize("expert", ["draft", "random"])
def test_an_expert_board_holds_exactly_the_printed_city_tiles_each_on_a_space_of_its_class(expert, players):
    game = drafted(players) if expert == "draft" else Game(players, 1, Options(expert="random"))
    sizes, printed = sizes_of(game), printed_sizes(players)
    assert Counter(sizes.values()) == Counter(printed.values())
    assert all(same_class(sizes[city], printed[city]) for city in printed)
    assert sizes != printed


@pytest.mark.clause("5.1")
def test_in_the_draft_any_region_takes_any_of_the_region_tiles():
    game = Game(4, 1, Options(expert="draft"))
    while game.legal_actions()[0].kind == Kind.TILE:
        game.play(game.legal_actions()[0])
    offered = {(BOARD.tiles[action.tile].id, BOARD.regions[action.place].name) for action in game.legal_actions()}
    assert offered == {(tile, region) for tile in PRINTED for region in PRINTED}


@pytest.mark.clause("5.1")
@pytest.mark.clause("2.11")
def test_a_city_is_worth_the_tile_it_got():
    options = Options(expert="arranged", city_tiles={"Denver": 6, "Washington": 4})
    game = Game(4, 1, options)
    view = game.view()["locations"]
    assert view["Denver"]["spaces"] == [None] * 6
    assert view["Washington"]["spaces"] == [None] * 4


# --- 5.2 Draft --------------------------------------------------------------------------------------------------------


@pytest.mark.clause("5.2")
@ALL_PLAYERS
def test_the_draft_goes_clockwise_from_the_first_player_city_tiles_first_then_region_tiles(players):
    game = Game(players, 3, Options(expert="draft"))
    cities, regions = len(printed_sizes(players)), len(regions_in_play(players))
    for number in range(cities + regions):
        assert game.phase == "draft"
        assert game.current_player == number % players
        kinds = {action.kind for action in game.legal_actions()}
        assert kinds == ({Kind.TILE} if number < cities else {Kind.REGION})
        game.play(game.legal_actions()[-1])
    assert game.phase == "start"
    assert game.current_player == players - 1


@pytest.mark.clause("5.2")
@ALL_PLAYERS
def test_a_drafted_tile_and_its_space_are_gone(players):
    game = Game(players, 1, Options(expert="draft"))
    [event] = game.play("tile 8 Chicago")
    assert event == (EventKind.CITY_TILE, 0, BOARD.location_ids["Chicago"], 8)
    assert game.view()["locations"]["Chicago"]["size"] == 8
    legal = {str(action) for action in game.legal_actions()}
    assert not any(move.endswith(" Chicago") for move in legal)
    assert "tile 8 New York" not in legal  # there is one tile of 8
    assert "tile 7 New York" in legal
    while game.legal_actions()[0].kind == Kind.TILE:
        game.play(game.legal_actions()[0])
    game.play("region Texas on Florida")
    legal = {str(action) for action in game.legal_actions()}
    assert not any(move.startswith("region Texas ") or move.endswith(" on Florida") for move in legal)
    assert "region Florida on Texas" in legal
    assert game.view()["regions"]["Florida"]["values"] == [5, 4, 2]


@pytest.mark.clause("5.2")
@pytest.mark.clause("1.5")
@pytest.mark.parametrize("players", [2, 3])
def test_with_two_or_three_players_only_the_regions_in_play_are_drafted(players):
    game = drafted(players)
    places = {BOARD.regions[action.place].name for action in game.actions if action.kind == Kind.REGION}
    tiles = {BOARD.tiles[action.tile].id for action in game.actions if action.kind == Kind.REGION}
    assert places == tiles == set(PRINTED) - {"California", "Upper West", "Montana"}
    cities = {BOARD.locations[action.place].region for action in game.actions if action.kind == Kind.TILE}
    assert cities == {BOARD.region_ids[name] for name in places}
    assert game.view()["track"] == ["California", "Upper West", "Montana"]


@pytest.mark.clause("5.2")
def test_the_view_lists_what_is_left_to_draft_until_nothing_is():
    game = Game(4, 1, Options(expert="draft"))
    assert game.view()["draft"]["city_tiles"] == {"2": 4, "3": 3, "4": 8, "5": 5, "6": 2, "7": 2, "8": 1}
    assert game.view()["draft"]["region_tiles"] == PRINTED
    assert game.view()["locations"]["Chicago"]["spaces"] == []
    assert game.view()["regions"]["Texas"]["tile"] is None
    game.play("tile 2 Charlotte")
    assert game.view()["draft"]["city_tiles"]["2"] == 3
    assert "draft" not in drafted(4).view()


@pytest.mark.clause("5.2")
def test_a_game_goes_on_normally_after_the_draft():
    game = drafted(4)
    for town in ("Reno", "Boise", "Raleigh", "Memphis"):
        game.play(f"start {town}")
    assert game.phase == "expand"
    assert game.turn == 1
    assert game.current_player == 0


# --- 5.2 Random -------------------------------------------------------------------------------------------------------


@pytest.mark.clause("5.2")
@ALL_PLAYERS
def test_the_seed_decides_a_random_expert_board(players):
    setups = [Game(players, seed, Options(expert="random")).setup for seed in (1, 1, 2)]
    assert setups[0] == setups[1]
    assert setups[0].city_tiles != setups[2].city_tiles
    assert setups[0].region_tiles != setups[2].region_tiles


@pytest.mark.clause("5.2")
@ALL_PLAYERS
def test_a_random_board_shuffles_the_region_tiles_of_the_regions_in_play(players):
    tiles = Game(players, 1, Options(expert="random")).setup.region_tiles
    in_play = regions_in_play(players)
    assert sorted(tiles[region] for region in in_play) == sorted(in_play)
    assert any(tiles[region] != region for region in in_play)
    assert all(tiles[region] == region for region in PRINTED if region not in in_play)


@pytest.mark.clause("5.2")
def test_every_space_can_get_every_tile_of_its_class_at_random():
    setups = [Game(4, seed, Options(expert="random")).setup for seed in range(150)]
    for city in BOARD.cities:
        name = BOARD.locations[city].name
        seen = {setup.city_tiles[name] for setup in setups}
        assert seen == set(TILE_CLASSES[tile_class(BOARD.locations[city].size)])
    for region in PRINTED:
        assert {setup.region_tiles[region] for setup in setups} == set(PRINTED)


# --- 5.2 Arranged -----------------------------------------------------------------------------------------------------


@pytest.mark.clause("5.2")
@ALL_PLAYERS
def test_the_host_arranges_some_tiles_and_the_others_stay_as_printed(players):
    options = Options(
        expert="arranged",
        city_tiles={"Chicago": 8, "New York": 7},
        region_tiles={"Texas": "Florida", "Florida": "Texas"},
    )
    game = Game(players, 1, options)
    assert sizes_of(game) == printed_sizes(players) | {"Chicago": 8, "New York": 7}
    assert game.view()["regions"]["Texas"]["values"] == [10, 6, 3]
    assert game.view()["regions"]["Florida"]["values"] == [5, 4, 2]
    assert game.view()["regions"]["Central"]["tile"] == "Central"
    assert game.setup.options == Options(expert="arranged")


@pytest.mark.clause("5.2")
def test_an_arranged_board_needs_no_change_at_all():
    game = Game(4, 1, Options(expert="arranged"))
    assert sizes_of(game) == printed_sizes(4)
    assert game.legal_actions() == Game(4, 1).legal_actions()


WRONG = {
    "a tile of another class": (
        {"expert": "arranged", "city_tiles": {"Denver": 7}},
        "Denver takes a city tile of size 4, 5, 6, not 7",
    ),
    "a size there is not": (
        {"expert": "arranged", "city_tiles": {"Denver": 9}},
        "Denver takes a city tile of size 4, 5, 6, not 9",
    ),
    "more tiles than there are": (
        {"expert": "arranged", "city_tiles": {"New York": 7}},
        "there are not that many city tiles of size 7",
    ),
    "a town": (
        {"expert": "arranged", "city_tiles": {"Reno": 2}},
        "'Reno' is not a city in play",
    ),
    "no place at all": (
        {"expert": "arranged", "city_tiles": {"Gotham": 2}},
        "'Gotham' is not a city in play",
    ),
    "no region": (
        {"expert": "arranged", "region_tiles": {"Gotham": "Texas"}},
        "'Gotham' is not a region",
    ),
    "no region tile": (
        {"expert": "arranged", "region_tiles": {"Texas": "N99"}},
        "'N99' is not a region tile of this game",
    ),
    "a new region tile without the module": (
        {"expert": "arranged", "region_tiles": {"Texas": "N1"}},
        "'N1' is not a region tile of this game",
    ),
    "a region tile twice": (
        {"expert": "arranged", "region_tiles": {"Texas": "Florida"}},
        "region tile Florida is there 2 times",
    ),
    "an arrangement without the option": (
        {"city_tiles": {"Denver": 5}},
        'city_tiles and region_tiles need expert="arranged"',
    ),
    "an arrangement of a random board": (
        {"expert": "random", "region_tiles": {"Texas": "Florida", "Florida": "Texas"}},
        'city_tiles and region_tiles need expert="arranged"',
    ),
    "an unknown way to decide": (
        {"expert": "auction"},
        "option expert is one of draft, random, arranged, not 'auction'",
    ),
    "an option that is no yes or no": (
        {"boom": 1},
        "option boom is true or false, not 1",
    ),
}


@pytest.mark.clause("5.1")
@pytest.mark.parametrize(("options", "message"), WRONG.values(), ids=WRONG)
def test_an_arrangement_that_breaks_the_rules_is_refused_and_told_why(options, message):
    with pytest.raises(SetupError) as refusal:
        Game(4, 1, Options(**options))
    assert str(refusal.value) == message


@pytest.mark.clause("5.2")
@pytest.mark.clause("1.5")
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"city_tiles": {"Seattle": 5}}, "'Seattle' is not a city in play"),
        (
            {"region_tiles": {"Montana": "Texas", "Texas": "Montana"}},
            "Montana keeps its printed region tile, not Texas, in this game",
        ),
    ],
)
def test_with_three_players_what_is_out_of_play_cannot_be_arranged(options, message):
    with pytest.raises(SetupError) as refusal:
        Game(3, 1, Options(expert="arranged", **options))
    assert str(refusal.value) == message


@pytest.mark.clause("5.2")
def test_a_set_up_that_contradicts_its_own_options_is_refused():
    def refused(**changes: object) -> str:
        parts = {
            "players": 4,
            "options": Options(),
            "milestones": (),
            "city_tiles": printed_sizes(4),
            "region_tiles": dict(zip(PRINTED, PRINTED, strict=True)),
            "draft_tiles": (),
        }
        with pytest.raises(SetupError) as refusal:
            Game.from_setup(Setup(**(parts | changes)))
        return str(refusal.value)

    moved = printed_sizes(4) | {"Denver": 5, "Phoenix": 4}
    assert refused(city_tiles=moved) == "Phoenix has its printed tile 5, not 4, unless the set-up is expert"
    assert refused(city_tiles={"Denver": 4}) == "San Francisco has no city tile"
    assert refused(region_tiles={"Texas": "Texas"}) == "California has no region tile"
    swapped = dict(zip(PRINTED, PRINTED, strict=True)) | {"Texas": "Florida", "Florida": "Texas"}
    assert refused(region_tiles=swapped) == "Florida keeps its printed region tile, not Texas, in this game"
    assert refused(draft_tiles=("Texas",)) == "1 region tiles to draft for 10 regions in play"
    draft = Options(expert="draft")
    assert refused(options=draft) == "city tiles are placed in the draft, not at set-up"
    assert refused(options=draft, city_tiles={}) == "the tile of California is placed in the draft, not at set-up"
    assert (
        refused(options=draft, city_tiles={}, region_tiles={}, draft_tiles=tuple(PRINTED[:9]))
        == "9 region tiles to draft for 10 regions in play"
    )


@pytest.mark.clause("5.2")
@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("tile 8 Chicago", "tile 8 Chicago: Chicago already has its city tile"),
        ("tile 8 New York", "tile 8 New York: no city tile of size 8 is left"),
        ("tile 4 Seattle", "tile 4 Seattle: Seattle is out of play with this number of players"),
        (
            "region Texas on Florida",
            "region TILE on REGION belongs to the draft of region tiles; it is now the draft of city",
        ),
    ],
)
def test_a_draft_move_that_is_not_possible_is_refused_and_told_why(move, reason):
    game = Game(3, 1, Options(expert="draft"))
    game.play("tile 8 Chicago")
    with pytest.raises(ValueError, match="Legal now: tile") as refusal:
        game.play(move)
    assert reason in str(refusal.value)


@pytest.mark.clause("5.2")
@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("region Central on Florida", "Florida already has its region tile"),
        ("region Texas on Central", "the region tile Texas is not among those left to place"),
        ("region N1 on Central", "the region tile N1 is not among those left to place"),
    ],
)
def test_a_region_tile_that_cannot_be_placed_there_is_refused_and_told_why(move, reason):
    game = Game(3, 1, Options(expert="draft"))
    while game.legal_actions()[0].kind == Kind.TILE:
        game.play(game.legal_actions()[0])
    game.play("region Texas on Florida")
    with pytest.raises(ValueError, match=reason):
        game.play(move)


@pytest.mark.clause("5.2")
@pytest.mark.clause("8.1")
def test_with_new_regions_the_tiles_drawn_are_the_tiles_drafted():
    game = drafted(2, seed=5, regions="new")
    setup = game.setup
    assert len(setup.draft_tiles) == 7
    assert set(setup.region_tiles) == {"California", "Upper West", "Montana"}
    placed = {region: data["tile"] for region, data in game.view()["regions"].items()}
    assert set(placed.values()) == {*setup.draft_tiles, *setup.region_tiles.values()}
    assert len(set(placed.values())) == 10
    assert all(tile.startswith("N") for tile in placed.values())
