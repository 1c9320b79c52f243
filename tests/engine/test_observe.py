"""Observations say what the view of a game says, from every seat."""

import random
from typing import Any

import numpy as np
import pytest

from franchise import Game, Options
from franchise.engine import layout, observe
from franchise.engine.jit import COMPILED
from franchise.engine.layout import PHASE_NAMES, Phase
from franchise.engine.observe import FIELDS, LOWEST_VALUE, SIZE, UNITS, VIEW
from franchise.engine.setups import NEW_TILES
from franchise.facts import BOARD, COLOURS, MILESTONES, PRICES
from franchise.facts.loader import TILE_KINDS
from franchise.game import SCRATCH

TABLES = [
    (2, Options()),
    (3, Options(milestones=True, boom=True)),
    (5, Options(expert="random", regions="mixed", milestones=True)),
    (4, Options(expert="draft", regions="chosen", chosen_tiles=NEW_TILES[10:], boom=True)),
]
EVERY = 5 if COMPILED else 40  # moves between two looks


def seen_by(game: Game, seat: int) -> dict[str, Any]:
    """The counts by field."""
    seen, vector = np.zeros(2, VIEW), np.zeros(SIZE, np.float32)
    observe.look(game.rules, game.state, seat, seen, vector)
    assert np.allclose(vector * UNITS, seen["counts"][1])
    return observe.fields(seen["counts"][1].astype(int))


@pytest.mark.parametrize(("players", "options"), TABLES)
def test_every_field_is_what_the_view_shows(players: int, options: Options) -> None:
    game = Game(players, 5, options)
    chance = random.Random(5)
    while True:
        if len(game.actions) % EVERY == 0 or game.over:
            for seat in range(players):
                check_table(game, seat)
                check_seats(game, seat)
                check_regions(game, seat)
                check_locations(game, seat)
        if game.over:
            break
        game.play(chance.choice(game.legal_actions()))


def check_table(game: Game, viewer: int) -> None:
    seen, view = seen_by(game, viewer), game.view()
    assert seen["players"].tolist() == [game.players == number for number in (2, 3, 4, 5)]
    assert PHASE_NAMES[Phase(int(np.flatnonzero(seen["phase"])[0]))] == view["phase"]
    assert seen["turn"][0] == min(view["turn"], 255)
    assert seen["bonus_used"][0] == view["bonus_used"]
    assert seen["on_track"][0] == len(view["track"])
    assert seen["boom"][0] == ("boom" in view)
    assert seen["quiet"][0] == game.state["quiet"][0]
    milestones = {row["id"] for row in view.get("milestones", [])}
    assert seen["milestones"].tolist() == [letter in milestones for letter in MILESTONES]
    draft = view.get("draft", {"city_tiles": {}, "region_tiles": []})
    assert seen["city_pool"].tolist() == [draft["city_tiles"].get(str(size), 0) for size in range(2, 9)]
    assert seen["region_pool"].tolist() == [tile.id in draft["region_tiles"] for tile in BOARD.tiles]


def check_seats(game: Game, viewer: int) -> None:
    seen, view = seen_by(game, viewer), game.view()
    for row in range(layout.SEATS):
        if row >= game.players:
            assert not any(part[row].any() for part in seen.values() if part.shape[0] == layout.SEATS)
            continue
        seat = (viewer + row) % game.players
        player = view["players"][seat]
        assert seen["plays"][row] == 1
        assert seen["to_move"][row] == (seat == game.current_player)
        assert seen["first"][row] == (seat == 0)
        for name in ("cash", "influence", "supply", "income", "empty_spaces", "bonus_tiles", "towns"):
            assert seen[name][row] == player[name], name
        if "milestones" in view:
            assert seen["reserve"][row] == player["reserve"]
            assert seen["eights"][row] == player["eights"]
            beside = [tile["beside"] for tile in view["milestones"]]
            assert seen["eight_mark"][row] == sum(player["colour"] in colours for colours in beside)
            claimed = [row["id"] for row in view["milestones"] if player["colour"] in row["claimed"]]
            assert seen["claimed"][row].tolist() == [letter in claimed for letter in MILESTONES]
            if seat == game.current_player:
                assert seen["fresh"][0] == player["fresh_bonus_tiles"]
        for name in ("road", "expansion"):
            owner = view.get("special_tiles", {}).get(name, {"owner": None})["owner"]
            assert seen[name][row] == (owner == player["colour"])
        state = game.state[0]
        for name in ("veterans", "presence", "missing"):
            assert seen[name][row] == state[name][seat]
        assert seen["deeds"][row].tolist() == [state.deeds[seat] >> bit & 1 for bit in (4, 5, 6)]
        franchises = [view["regions"][region.name]["franchises"][player["colour"]] for region in BOARD.regions]
        assert seen["in_region"][row].tolist() == franchises


def check_regions(game: Game, viewer: int) -> None:
    seen, view = seen_by(game, viewer), game.view()
    for region in BOARD.regions:
        shown = view["regions"][region.name]
        if shown["tile"] is None:
            assert not seen["tile_kind"][region.id].any()
            assert not seen["tile_values"][region.id].any()
        else:
            assert TILE_KINDS[int(np.flatnonzero(seen["tile_kind"][region.id])[0])] == shown["kind"]
            assert (seen["tile_values"][region.id] - LOWEST_VALUE).tolist() == shown["values"]
        space = view["track"].index(region.name) + 1 if region.name in view["track"] else 0
        assert seen["track_space"][region.id] == space
        assert seen["open_places"][region.id] == len(shown["missing"])
        marker = [COLOURS[(viewer + row) % game.players] == shown["marker"] for row in range(game.players)]
        assert seen["tie_break"][region.id].tolist() == marker + [False] * (layout.SEATS - game.players)


def check_locations(game: Game, viewer: int) -> None:
    seen, view = seen_by(game, viewer), game.view()
    for place in BOARD.locations:
        shown = view["locations"][place.name]
        assert seen["size"][0, place.id] == (0 if shown["blocked"] else shown["size"])
        closed = shown["blocked"] or shown["scored"]
        assert seen["empty"][0, place.id] == (0 if closed else shown["spaces"].count(None))
        for row in range(game.players):
            colour = COLOURS[(viewer + row) % game.players]
            own = shown["spaces"].count(colour)
            standing = 8 * own - shown["spaces"].index(colour) if own else 0
            assert seen["standing"][row, place.id] == standing
        markers = [name == place.name for name in view["markers"]]
        assert seen["marker"][0, place.id] == sum((2 - i) * here for i, here in enumerate(markers))
        assert seen["centre"][0, place.id] == view["centre"].get(place.name, 0)
        assert seen["boom_city"][0, place.id] == (view.get("boom") == place.name)
        assert seen["price"][0, place.id] == price(game, view, viewer, place.id)


def price(game: Game, view: dict[str, Any], viewer: int, target: int) -> int:
    """9 less the cheapest link from a franchise of the viewer, straight from the board."""
    shown = view["locations"]
    colour = COLOURS[viewer]
    there = shown[BOARD.locations[target].name]
    closed = there["blocked"] or there["scored"] or (there["kind"] == "town" and any(there["spaces"]))
    if closed or colour in there["spaces"]:
        return 0
    prices = [
        link.price
        for link in BOARD.links
        for near, other in (link.ends, link.ends[::-1])
        if other == target and colour in shown[BOARD.locations[near].name]["spaces"]
    ]
    return 9 - min(prices) if prices else 0


def test_fields_follow_one_another_and_fill_the_vector() -> None:
    taken = np.concatenate([part.ravel() for part in observe.fields(np.arange(SIZE)).values()])
    assert taken.tolist() == list(range(SIZE))
    assert len({field.name for field in FIELDS}) == len(FIELDS)
    assert PRICES[-1] < observe.DEAREST


def test_planes_are_the_end_of_vectors_also_of_many() -> None:
    vectors = np.arange(3 * SIZE).reshape(3, SIZE)
    assert observe.planes(vectors).shape == (3, observe.PLANES, layout.LOCATIONS)
    assert np.array_equal(observe.planes(vectors[1]), observe.planes(vectors)[1])
    assert observe.planes(vectors[0])[-1, -1] == SIZE - 1


def test_counts_are_held_at_255() -> None:
    game = Game(2, 1).copy()
    game.state["cash"][0, 1] = 1000
    assert seen_by(game, 0)["cash"].tolist() == [2, 255, 0, 0, 0]


def test_the_mask_marks_the_legal_actions() -> None:
    game = Game(3, 1)
    mask = np.ones(layout.MOVES, np.int8)
    count = observe.mark(game.rules, game.state, SCRATCH.out, mask)
    assert np.flatnonzero(mask).tolist() == game.legal_numbers()
    assert count == len(game.legal_numbers())


def test_equal_draws_of_a_draft_with_and_without_the_introductory_game_are_told_apart() -> None:
    without, given = (seen_by(Game(3, 1, Options(expert="draft", introductory=given)), 0) for given in (False, True))
    assert [name for name in without if not np.array_equal(without[name], given[name])] == ["introductory"]
