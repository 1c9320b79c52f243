"""What holds in every game, whatever the options, checked after every move of whole random games.

The checks are a second, slow reading of the rules: they know only `view()`, the facts and the events, and they work out
the legal moves, the income and the whole end of a turn anew. Examples are few and always the same, so that a failure
can be repeated; FRANCHISE_HYPOTHESIS=thorough plays twenty times as many, different ones every time.
"""

import os
import random
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from franchise import Action, Event, Game, IllegalAction, Options
from franchise.engine.actions import ACTIONS
from franchise.engine.jit import COMPILED
from franchise.engine.layout import EventKind, Kind
from franchise.engine.setups import EXPERT, NEW_TILES, PRINTED_TILES, printed_sizes
from franchise.engine.setups import REGIONS as REGION_CHOICES
from franchise.facts import BOARD, COLOURS, MILESTONES, PRICES
from franchise.facts.loader import TILE_CLASSES
from games.make import SPECIAL

E = EventKind
Row = tuple[EventKind, int, str | None, int | None]  # kind, seat, place, amount
THOROUGH = os.environ.get("FRANCHISE_HYPOTHESIS") == "thorough"
NAMES = [place.name for place in BOARD.locations]
CITIES = [NAMES[city] for city in BOARD.cities]
REGION_NAMES = [region.name for region in BOARD.regions]
REGION_OF = {place.name: REGION_NAMES[place.region] for place in BOARD.locations}
LINKS = [
    (NAMES[near], NAMES[other], link.price) for link in BOARD.links for near, other in (link.ends, link.ends[::-1])
]
SEEDS = (1, 2, 3)
GAMES = Path(__file__).parents[1] / "games"
LINKS_OF = {name: [(other, price) for near, other, price in LINKS if near == name] for name in NAMES}


def games(compiled: int, plain: int) -> settings:
    """Settings for so many whole games."""
    number = compiled if COMPILED else plain
    return settings(
        max_examples=20 * number if THOROUGH else number, derandomize=not THOROUGH, database=None, deadline=None
    )


# --- Random games -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Table:
    """A random game waiting to be played; `haste` is how often `done` and `end` are among the moves to choose from.

    With `seldom` the move is of a kind that was played least so far.
    """

    players: int
    options: Options
    seed: int
    haste: float
    seldom: bool = False

    def game(self) -> Game:
        return Game(self.players, self.seed, self.options)

    def choices(self) -> Iterator[tuple[Game, int]]:
        """The game before each of its moves, with the number of the move to be made; the caller plays it."""
        rng = random.Random(self.seed)
        game = self.game()
        played: Counter[Kind] = Counter()
        while not game.over:
            legal = game.legal_numbers()
            if self.seldom and rng.random() > self.haste:
                least = min(played[ACTIONS[number].kind] for number in legal)
                legal = [number for number in legal if played[ACTIONS[number].kind] == least]
            eager = [number for number in legal if ACTIONS[number].kind not in (Kind.DONE, Kind.END)]
            number = rng.choice(eager if eager and rng.random() > self.haste else legal)
            played[ACTIONS[number].kind] += 1
            yield game, number


def arrangement(rng: random.Random, players: int) -> dict[str, int]:
    """City tiles a host could have laid out."""
    sizes = printed_sizes(players)
    for group in TILE_CLASSES:
        cities = [name for name, size in sizes.items() if size in group]
        sizes.update(zip(cities, rng.sample([sizes[name] for name in cities], len(cities)), strict=True))
    return sizes


def options_of(
    seed: int, players: int, introductory: bool, expert: str | None, milestones: bool, boom: bool, regions: str | None
) -> Options:
    """Options with an arrangement or a choice of tiles where they need one."""
    rng = random.Random(seed)
    return Options(
        introductory=introductory,
        expert=expert,
        milestones=milestones,
        boom=boom,
        regions=regions,
        city_tiles=arrangement(rng, players) if expert == "arranged" else {},
        chosen_tiles=rng.sample(PRINTED_TILES + NEW_TILES, 10) if regions == "chosen" else (),
    )


@st.composite
def tables(draw: st.DrawFn) -> Table:
    """Every combination of options and numbers of players."""
    players, seed = draw(st.integers(2, 5)), draw(st.integers(0, 2**32 - 1))
    options = options_of(
        seed,
        players,
        draw(st.booleans()),
        draw(st.sampled_from((None, *EXPERT))),
        draw(st.booleans()),
        draw(st.booleans()),
        draw(st.sampled_from((None, *REGION_CHOICES))),
    )
    return Table(players, options, seed, draw(st.sampled_from((0.1, 0.5, 1.0))), draw(st.booleans()))


# --- A slow second reading of the rules -------------------------------------------------------------------------------


class Referee:
    """Reads one view of a game, as a person at the table would."""

    def __init__(self, view: dict[str, Any]) -> None:
        self.view = view
        self.seats = range(len(view["players"]))
        self.active = view["current_player"]
        self.spaces = {name: list(data["spaces"]) for name, data in view["locations"].items()}
        self.blocked = {name for name, data in view["locations"].items() if data["blocked"]}
        self.scored = {name for name, data in view["locations"].items() if data["scored"]}
        self.reserve = [player.get("reserve", 0) for player in view["players"]]
        self.claimed = {tile["id"]: set(tile["claimed"]) for tile in view.get("milestones", ())}
        self.markers = {name: data["marker"] for name, data in view["regions"].items()}
        self.track = list(view["track"])
        self.taken_back: list[int] = []  # seats that took a used bonus tile back

    def own(self, seat: int) -> set[str]:
        return {name for name in NAMES if COLOURS[seat] in self.spaces[name]}

    def empty(self, name: str) -> int:
        return self.spaces[name].count(None)

    def takes_franchises(self, name: str) -> bool:
        return name not in self.blocked and name not in self.scored and self.empty(name) > 0

    def income(self, seat: int) -> int:
        """RULES 2.1, 2.2, 7.3."""
        total = 0
        for name in self.own(seat) & set(CITIES) - self.scored:
            total += self.empty(name) * (2 if self.view.get("boom") == name else 1)
        return 1 + sum(total >= first for first in BOARD.income[len(self.seats)])

    # the legal moves

    def legal(self) -> set[str]:
        """The texts of the legal moves."""
        return getattr(self, f"legal_{self.view['phase']}")()

    def legal_over(self) -> set[str]:
        return set()

    def legal_draft(self) -> set[str]:
        left = self.view["draft"]
        if left["city_tiles"]:
            printed = printed_sizes(len(self.seats))
            groups = {name: next(group for group in TILE_CLASSES if size in group) for name, size in printed.items()}
            free = [name for name in printed if self.view["locations"][name]["size"] == 0]
            return {f"tile {size} {name}" for name in free for size in left["city_tiles"] if int(size) in groups[name]}
        free = [name for name, data in self.view["regions"].items() if data["tile"] is None]
        return {f"region {tile} on {name}" for tile in left["region_tiles"] for name in free}

    def legal_start(self) -> set[str]:
        return {f"start {name}" for name in NAMES if name not in CITIES and self.takes_franchises(name)}

    def legal_boom(self) -> set[str]:
        if self.view["turn"] == 0:
            return {f"boom {name}" for name in CITIES if name not in self.blocked}
        found, waiting, seen = set(), [self.view["boom"]], {self.view["boom"]}
        while waiting:
            for name, _ in LINKS_OF[waiting.pop()]:
                if name not in seen | self.blocked:
                    seen.add(name)
                    if name in CITIES:
                        found.add(f"boom {name}")
                    if name not in CITIES or name in self.scored:
                        waiting.append(name)
        return found | {"stay"}

    def bonus(self) -> bool:
        """RULES 3.1, 6.5."""
        player = self.view["players"][self.active]
        usable = player["bonus_tiles"] - player.get("fresh_bonus_tiles", 0)
        return usable > 0 and not self.view["bonus_used"] and self.view["turn"] > len(self.seats)

    def spare(self) -> int:
        return self.view["players"][self.active]["supply"] - len(self.view["markers"])

    def owns(self, tile: str) -> bool:
        owner = self.view.get("special_tiles", {}).get(tile, {}).get("owner")
        return owner == COLOURS[self.active]

    def legal_expand(self) -> set[str]:
        found = {"done"} | ({"cash"} if self.bonus() else set())
        markers, cash = self.view["markers"], self.view["players"][self.active]["cash"]
        if self.spare() <= 0 or len(markers) == 2 or (markers and not self.bonus()):
            return found
        verb = "again" if markers else "expand"
        own = self.own(self.active)
        targets = {name for name in NAMES if self.takes_franchises(name)} - own - set(markers)
        linked = {(other, price) for name in own for other, price in LINKS_OF[name] if other in targets}
        found |= {f"{verb} {name} {price}" for name, price in linked if price <= cash}
        if self.owns("road"):
            found |= {f"{verb} {name} {price} free" for name, price in linked if price > 0}
        if self.owns("expansion") and not markers:
            paid = dict.fromkeys(own, 0)  # the cheapest way, with all links paid and with one of them free
            free: dict[str, int] = {}
            for _ in NAMES:
                for near, other, price in LINKS:
                    if near in paid and not {near, other} & self.blocked:
                        paid[other] = min(paid.get(other, 999), paid[near] + price)
                        free[other] = min(free.get(other, 999), paid[near], free.get(near, 999) + price)
            for name in targets - {name for name, _ in linked}:
                if paid.get(name, 999) <= cash:
                    found.add(f"far {name}")
                if self.owns("road") and free.get(name, 999) <= cash and free[name] < paid[name]:
                    found.add(f"far {name} free")
        return found

    def legal_score(self) -> set[str]:
        return {f"score {region}" for region in self.waiting()}

    def legal_grow(self) -> set[str]:
        found = {"end"} | ({"cash"} if self.bonus() else set())
        centre = self.view["centre"]
        if self.spare() > 0:
            if self.view["players"][self.active]["cash"] >= 1:
                own = self.own(self.active) & set(CITIES)
                found |= {f"grow {name}" for name in own if self.takes_franchises(name) and name not in centre}
            if self.bonus():
                found |= {f"double {name}" for name in centre if self.empty(name) >= 2}
        return found

    # the end of a turn

    def end_of_turn(self) -> Iterator[Row]:
        """What phases 4 and 5 cause, in order (RULES 2.9-2.20, 6, 8), up to where the player chooses a region."""
        for name in self.view["markers"]:
            yield from self.open(name)
        for name in (name for name in NAMES if name in self.view["centre"]):
            for _ in range(self.view["centre"][name]):
                if name not in self.scored:
                    yield from self.open(name)
        yield from self.score_waiting()

    def waiting(self) -> list[str]:
        """The regions to be scored, in board order."""
        places = {region: [name for name in NAMES if REGION_OF[name] == region] for region in REGION_NAMES}
        return [
            region
            for region in REGION_NAMES
            if region not in self.track
            and all(name in self.scored if name in CITIES else self.empty(name) == 0 for name in places[region])
        ]

    def undecided(self) -> bool:
        """RULES 8.8."""
        waiting = self.waiting()
        return len(waiting) > 1 and any(self.view["regions"][region]["kind"] == "count" for region in waiting)

    def score_waiting(self) -> Iterator[Row]:
        while self.waiting() and not self.undecided():
            yield from self.score_region(self.waiting()[0])

    def chosen_region(self, region: str) -> Iterator[Row]:
        """What `score` causes."""
        yield from self.score_region(region)
        yield from self.score_waiting()

    def open(self, name: str) -> Iterator[Row]:
        space = self.spaces[name].index(None)
        self.spaces[name][space] = COLOURS[self.active]
        yield E.OPEN, self.active, name, space + 1
        large = False
        if name in CITIES:
            counts = Counter(filter(None, self.spaces[name]))
            size = len(self.spaces[name])
            if 2 * counts[COLOURS[self.active]] > size or None not in self.spaces[name]:
                yield from self.score_city(name, counts, size)
                large = size >= 6
        yield from self.claim({"e"} if large else set())

    def score_city(self, name: str, counts: Counter[str], size: int) -> Iterator[Row]:
        most = max(counts.values())
        majority = 2 * most > size
        winner = next(colour for colour in self.spaces[name] if colour and counts[colour] == most)
        seat = COLOURS.index(winner)
        yield (E.MAJORITY, seat, name, size) if majority else (E.FULL, seat, name, size // 2)
        if most > 1:
            yield E.TAKE_BACK, seat, name, most - 1
            first = self.spaces[name].index(winner)
            self.spaces[name] = [
                None if colour == winner and space != first else colour
                for space, colour in enumerate(self.spaces[name])
            ]
        self.scored.add(name)
        if self.markers[REGION_OF[name]] is None:
            self.markers[REGION_OF[name]] = COLOURS[self.active]
            yield E.TIE_BREAK, self.active, REGION_OF[name], 0

    def score_region(self, region: str) -> Iterator[Row]:
        data = self.view["regions"][region]
        yield E.REGION, self.active, region, None
        here = Counter(colour for name in NAMES if REGION_OF[name] == region for colour in self.spaces[name] if colour)
        first = COLOURS.index(self.markers[region])
        players = len(self.seats)
        ranking = sorted(here, key=lambda colour: (-here[colour], (COLOURS.index(colour) - first) % players))
        for rank, colour in enumerate(ranking):
            seat = COLOURS.index(colour)
            value = data["values"][0 if rank == 0 else 1 if rank == 1 and players > 2 else 2]
            if data["kind"] == "count":
                value = max(len(self.track) + value, 0)
            yield E.DOLLARS if data["kind"] == "dollars" else E.RANK, seat, region, value
            if rank == 0:
                player = self.view["players"][seat]
                unused = player["bonus_tiles"] + player.get("reserve", 0) + self.taken_back.count(seat)
                if data["kind"] == "bonus" and unused < BOARD.bonus_tiles[players]:
                    self.taken_back.append(seat)
                    yield E.BONUS_BACK, seat, region, 0
                if data["kind"] in ("expansion", "road"):
                    yield E[f"{data['kind'].upper()}_TILE"], seat, region, 0
        yield E.TRACK, self.active, region, BOARD.region_track[len(self.track)]
        self.track.append(region)
        yield from self.claim({"f"})

    def claim(self, deeds: set[str]) -> Iterator[Row]:
        """RULES 6.2-6.5: what is met now is claimed now or never, since the reserve does not grow."""
        for step in self.seats:
            seat = (self.active + step) % len(self.seats)
            own = self.own(seat)
            open_sizes = {len(self.spaces[name]) for name in own & set(CITIES) - self.scored}
            met = {
                "a": len(own - set(CITIES)) >= 4,
                "b": len({REGION_OF[name] for name in own}) >= 4,
                "c": sum(self.spaces[name].count(COLOURS[seat]) for name in own & self.scored) >= 5,
                "d": open_sizes >= {2, 3, 4},
                "g": self.view["players"][seat].get("eights", 0) >= 2,
            }
            for letter in MILESTONES:
                open_to = letter in self.claimed and COLOURS[seat] not in self.claimed[letter]
                if open_to and self.reserve[seat] > 0 and (met.get(letter) or (step == 0 and letter in deeds)):
                    self.reserve[seat] -= 1
                    self.claimed[letter].add(COLOURS[seat])
                    yield E.MILESTONE, seat, letter, 0


# --- The books --------------------------------------------------------------------------------------------------------

SPENT = (E.EXPAND, E.AGAIN, E.FAR, E.GROW)
EARNED = (E.INCOME, E.CASH, E.DOLLARS)
INFLUENCE = (E.MAJORITY, E.FULL, E.RANK, E.TRACK, E.TOWNS, E.MONEY, E.BONUS_TILES)


class Books:
    """Money, influence and bonus tiles of every seat, kept from the events alone."""

    def __init__(self, game: Game) -> None:
        self.cash = list(BOARD.starting_money[game.players])
        self.influence = [0] * game.players
        self.tiles = [BOARD.bonus_tiles[game.players]] * game.players  # in hand or in reserve
        self.enter(game.opening())

    def enter(self, events: list[Event]) -> None:
        for event in events:
            if event.kind in SPENT:
                self.cash[event.seat] -= event.amount
            if event.kind in EARNED:
                self.cash[event.seat] += event.amount
            if event.kind in INFLUENCE:
                self.influence[event.seat] += event.amount
            if event.kind in (E.AGAIN, E.DOUBLE, E.CASH):
                self.tiles[event.seat] -= 1
            if event.kind == E.BONUS_BACK:
                self.tiles[event.seat] += 1


def check_books(game: Game, books: Books, view: dict[str, Any]) -> None:
    """Money and pieces are conserved."""
    state = game.state[0]
    for seat, player in enumerate(view["players"]):
        assert player["cash"] == books.cash[seat] >= 0
        assert player["influence"] == books.influence[seat]
        assert player["bonus_tiles"] + player.get("reserve", 0) == books.tiles[seat] >= 0
        assert player["supply"] >= 0
        pieces = player["supply"] - int(state.missing[seat])
        pieces += sum(data["spaces"].count(player["colour"]) for data in view["locations"].values())
        pieces += sum(view["centre"].values()) if seat == view["current_player"] else 0
        pieces += [data["marker"] for data in view["regions"].values()].count(player["colour"])
        pieces += sum(player["colour"] in tile["claimed"] for tile in view.get("milestones", ()))
        pieces += sum(player["colour"] in tile["beside"] for tile in view.get("milestones", ()))
        assert pieces == 40
    unused = state.supply[game.players :].tolist() + state.cash[game.players :].tolist()
    assert not any(unused)


def mask(names: set[str]) -> int:
    return sum(1 << BOARD.location_ids[name] for name in names)


def check_counts(game: Game, view: dict[str, Any], scored: set[str]) -> None:
    """Spaces are filled in order, never too many, and every mask and count of the state agrees with the spaces."""
    state, referee = game.state[0], Referee(view)
    assert referee.scored == scored
    for name, spaces in referee.spaces.items():
        assert len(spaces) == (1 if name not in CITIES else view["locations"][name]["size"])
        taken = len(spaces) - spaces.count(None)
        if name in referee.blocked:
            assert taken == 0
        elif name in CITIES and name not in scored:
            assert spaces == [colour for colour in spaces if colour] + [None] * (len(spaces) - taken)
            assert taken < len(spaces) or not spaces  # a full city is scored; before the draft it has no spaces
            assert all(2 * spaces.count(COLOURS[seat]) <= len(spaces) for seat in referee.seats)
    open_places = {n for n in NAMES if n not in referee.blocked | scored and (n in CITIES or referee.empty(n))}
    assert state.vacant == mask(open_places)
    assert state.centre == mask(set(view["centre"]))
    for number, size in enumerate((2, 3, 4)):
        assert state.valued[number] == mask({n for n in CITIES if len(referee.spaces[n]) == size} - referee.blocked)
    for seat in referee.seats:
        own = referee.own(seat)
        in_cities = own & set(CITIES)
        assert state.held[seat] == mask(own)
        for number, price in enumerate(PRICES):
            linked = {other for name in own for other, cost in LINKS_OF[name] if cost == price}
            assert state.reach[seat, number] == mask(linked)
        assert state.empty[seat] == sum(referee.empty(name) for name in in_cities - scored)
        assert state.veterans[seat] == sum(referee.spaces[name].count(COLOURS[seat]) for name in own & scored)
        assert state.presence[seat] == len({REGION_OF[name] for name in own})
        assert view["players"][seat]["income"] == referee.income(seat)
        assert view["players"][seat]["towns"] == len(own - set(CITIES))
    out_of_play = {REGION_NAMES[region] for region in BOARD.out_of_play.get(game.players, ())}
    complete = {region for region in REGION_NAMES if not any(REGION_OF[n] == region for n in open_places)}
    waiting = set(referee.waiting())
    assert (len(waiting) > 1) == (view["phase"] == "score")
    assert set(view["track"]) == complete - waiting  # a region that is complete was scored at once
    assert len(view["track"]) == len(complete - waiting)
    assert {name for name, data in view["regions"].items() if data["scored"]} == complete - waiting - out_of_play
    for name, data in view["regions"].items():
        assert (data["marker"] is not None) == any(REGION_OF[city] == name for city in scored)


def check_end_of_turn(before: dict[str, Any], move: Action, events: list[Event]) -> None:
    """The events of phases 4 and 5 are exactly those the slow reading expects."""
    referee = Referee(before)
    expected = list(referee.end_of_turn() if move.kind == Kind.END else referee.chosen_region(move.where))
    found = [(event.kind, event.seat, event.where, event.amount) for event in events[: len(expected)]]
    assert [(*row[:3], None if row[0] == E.REGION else row[3]) for row in found] == expected
    if referee.undecided():
        assert len(events) == len(expected)
        return
    following = events[len(expected)].kind
    assert following in (E.TURN, E.RED_ZONE, E.STANDSTILL)
    assert (following == E.RED_ZONE) == (len(referee.track) >= 8)


def check_legal(game: Game, view: dict[str, Any]) -> None:
    """The legal moves are ascending and those of the slow reading."""
    numbers = game.legal_numbers()
    assert numbers == sorted(set(numbers))
    assert {str(action) for action in game.legal_actions()} == Referee(view).legal()


# --- The tests --------------------------------------------------------------------------------------------------------


def check_first_eight(before: dict[str, Any], view: dict[str, Any], events: list[Event]) -> None:
    """RULES 6.3: a franchise from the supply records the first $8 link while (g) is open, if one is to be spared."""
    seat = before["current_player"]
    was, now = before["players"][seat], view["players"][seat]
    marked = [event.seat for event in events if event.kind == E.EIGHT_MARK]
    first = was["eights"] == 0 and now["eights"] == 1
    in_use = any(tile["id"] == "g" for tile in before["milestones"])
    assert marked == [seat] * (first and in_use and was["reserve"] > 0 and was["supply"] > len(before["markers"]) + 1)
    for tile in view["milestones"]:
        assert not set(tile["beside"]) & set(tile["claimed"])
        assert tile["id"] == "g" or not tile["beside"]


@games(compiled=24, plain=4)
@given(tables())
def test_money_pieces_counts_and_legal_moves_agree_with_a_slow_reading_of_the_rules(table: Table) -> None:
    check_course(table.game(), table.choices())


@pytest.mark.parametrize("seed", SEEDS if COMPILED else SEEDS[:1])
@pytest.mark.parametrize("players", [2, 4])
def test_games_of_seldom_moves_agree_with_it_too(players: int, seed: int) -> None:
    """Every special tile is there, and what was played least is played first."""
    options = Options(milestones=True, boom=True, regions="chosen", chosen_tiles=SPECIAL)
    table = Table(players, options, seed, 0.05, seldom=True)
    assert Kind.BOOM in check_course(table.game(), table.choices())


@pytest.mark.compiled_only
def test_games_of_seldom_moves_have_the_moves_of_special_tiles_and_the_order_of_regions() -> None:
    options = Options(regions="chosen", chosen_tiles=SPECIAL)
    courses = [Table(4, options, seed, 0.05, seldom=True) for seed in SEEDS]
    kinds = set().union(*(check_course(table.game(), table.choices()) for table in courses))
    assert {Kind.FAR, Kind.EXPAND_FREE, Kind.SCORE} <= kinds


def again(game: Game) -> Iterator[tuple[Game, int]]:
    """A finished game before each of its moves, with the number of the move; the caller plays it."""
    walk = game.at(0)
    for action in game.actions:
        yield walk, action.id


@pytest.mark.compiled_only
@pytest.mark.parametrize("name", ["far-free-3", "score-4", "everything-4"])
def test_recorded_games_with_seldom_moves_agree_with_it_too(name: str) -> None:
    game = Game.from_text((GAMES / f"{name}.franchise").read_text(encoding="utf-8"))
    check_course(game.at(0), again(game))


def check_course(start: Game, choices: Iterable[tuple[Game, int]]) -> set[Kind]:
    """Play a game with every check after every move; returns the kinds of moves that were in it."""
    books, scored, kinds = Books(start), set(), set()
    quiet = 0
    for game, number in choices:
        kinds.add(ACTIONS[number].kind)
        before = game.view()
        check_legal(game, before)
        events = game.play(number)
        view = game.view()
        books.enter(events)
        scored |= {event.where for event in events if event.kind in (E.MAJORITY, E.FULL)}
        check_books(game, books, view)
        check_counts(game, view, scored)
        if before["turn"] and "milestones" in view:
            check_first_eight(before, view, events)
        if ACTIONS[number].kind == Kind.END:
            quiet = 0 if before["markers"] else quiet + 1
        if ACTIONS[number].kind in (Kind.END, Kind.SCORE):
            check_end_of_turn(before, ACTIONS[number], events)
            red = len(view["track"]) >= 8
            assert game.over == (game.phase != "score" and (red or quiet == game.players))
            assert (E.STANDSTILL in {event.kind for event in events}) == (game.over and not red)
        for event in events:
            if event.kind == E.INCOME and game.phase == "expand":
                assert event.amount == view["players"][event.seat]["income"]
    assert Referee(game.view()).legal() == set() == set(game.legal_actions())
    check_result(game, books)
    return kinds


def check_result(game: Game, books: Books) -> None:
    """RULES 4.3, 4.4 from the books."""
    result, players = game.result(), game.view()["players"]
    assert result.scores == tuple(books.influence)
    best = max((player["influence"], player["towns"]) for player in players)
    assert result.winners == tuple(
        seat for seat, player in enumerate(players) if (player["influence"], player["towns"]) == best
    )
    for seat, parts in enumerate(result.breakdown):
        assert sum(parts.values()) == result.scores[seat]
        assert parts["towns"] == players[seat]["towns"]
        assert parts["money"] == players[seat]["cash"] // 3
        assert parts["bonus_tiles"] == 4 * players[seat]["bonus_tiles"]


def mangled(text: str, rng: random.Random) -> str:
    """A move with a slip of the pen."""
    at = rng.randrange(len(text))
    slips = (
        text[:at] + text[at + 1 :],
        text[:at] + rng.choice("abcxyz0189 -;#é\n\0") + text[at + 1 :],
        text[:at] + rng.choice("abcxyz0189 -;#é") + text[at:],
        text + rng.choice((" free", " 8", " Chicago", "!", " " * 90)),
        text.replace(" ", rng.choice(("", "_", "\u00a0-"))),
        text[::-1],
        "",
    )
    return rng.choice(slips)


@games(compiled=16, plain=4)
@given(tables())
def test_whatever_is_not_legal_is_refused_and_changes_nothing(table: Table) -> None:
    rng = random.Random(table.seed)
    refused = 0
    for game, number in table.choices():
        if rng.random() < 0.15:
            before, legal = game.state.tobytes(), set(game.legal_numbers())
            texts = {str(ACTIONS[allowed]) for allowed in legal}
            numbers = [-1, len(ACTIONS), rng.randrange(-(2**40), 2**40), *rng.sample(range(len(ACTIONS)), 4)]
            for move in (*numbers, *(mangled(rng.choice(sorted(texts)), rng) for _ in range(3))):
                if move in legal or (isinstance(move, str) and understood(move, texts)):
                    continue
                with pytest.raises(IllegalAction, match="Legal now: "):
                    game.play(move)
                refused += 1
                assert game.state.tobytes() == before
        game.play(number)
    over = game.state.tobytes()
    for move in (0, "end", "done", ACTIONS[-1]):
        with pytest.raises(IllegalAction, match="No move is legal"):
            game.play(move)
    assert game.state.tobytes() == over
    assert refused > 5


def understood(text: str, legal: set[str]) -> bool:
    """Whether reading is forgiving enough for the text: any case and spacing, a price left out."""
    plain = " ".join(text.split()).casefold()
    known = {move.casefold() for move in legal}
    without_price = {" ".join(word for word in move.split() if not word.isdigit()) for move in known}
    return plain in known | without_price


@games(compiled=16, plain=4)
@given(tables())
def test_undo_restores_every_byte_and_copies_are_independent(table: Table) -> None:
    rng = random.Random(table.seed)
    states: list[bytes] = []
    for game, number in table.choices():
        states.append(game.state.tobytes())
        if rng.random() < (0.2 if COMPILED else 0.03):
            twin = game.copy()
            game.play(number)
            after = game.state.tobytes()
            assert twin.state.tobytes() == states[-1]
            assert int(game.undo()) == number
            assert game.state.tobytes() == states[-1]
            assert game == twin
            twin.play(number)
            assert twin.state.tobytes() == after
            assert game != twin
        game.play(number)
    for depth in (1, 2, 3):  # from the end back
        game.undo()
        assert game.state.tobytes() == states[-depth]
    for moves in rng.sample(range(len(states)), 3):
        assert game.at(min(moves, len(game.actions))).state.tobytes() == states[min(moves, len(game.actions))]


@games(compiled=24, plain=3)
@given(tables())
def test_a_record_reads_back_to_the_same_game_and_the_same_text(table: Table) -> None:
    rng = random.Random(table.seed)
    for game, number in table.choices():
        if rng.random() < 0.01:
            check_record(game)
        game.play(number)
    check_record(game)
    assert game.to_text().splitlines()[-1].split() == ["result", *map(str, game.result().scores)]


def check_record(game: Game) -> None:
    text = game.to_text()
    again = Game.from_text(text)
    assert again == game
    assert again.setup == game.setup
    assert again.state.tobytes() == game.state.tobytes()
    assert again.to_text() == text


@pytest.mark.slow
@pytest.mark.compiled_only
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_every_combination_of_options_plays_to_its_end(players: int) -> None:
    choices = product((False, True), (None, *EXPERT), (False, True), (False, True), (None, *REGION_CHOICES))
    combinations = 0
    for seed, (introductory, expert, milestones, boom, regions) in enumerate(choices):
        options = options_of(seed, players, introductory, expert, milestones, boom, regions)
        books = Books(Game(players, seed, options))
        for game, number in Table(players, options, seed, 0.7).choices():
            books.enter(game.play(number))
        check_books(game, books, game.view())
        assert Game.from_text(game.to_text()) == game
        assert game.result().scores == tuple(books.influence)
        combinations += 1
    assert combinations == 2 * 4 * 2 * 2 * 4
