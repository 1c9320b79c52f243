"""No game is endless, and how long the longest can be at most.

The proof. An expansion puts a franchise of a seat on a location where it has none (RULES 2.4, 3.2, 8.5), and from then
on the seat has one there for good: whoever gains the influence of a city keeps one franchise there, everyone else keeps
all (2.13), and towns are never left. So every expansion uses up a pair (seat, location). A town takes one franchise in
all, a city of size s franchises of at most min(players, s) seats, and every seat starts in a town. Therefore

    expansions <= towns - players + sum of min(players, size) over the cities in play.

A turn without an expansion is quiet, and `players` quiet turns in a row end the game (4.2). So at most players - 1
quiet turns come before each turn with an expansion, and at most `players` after the last one:

    turns <= players * (expansions + 1).

A turn has one `done`, one `end` and, with Boom, one move of the marker. Every other move of a turn puts a franchise on
a space of its own (a grown city is never the target of a marker of the same turn, so what lies in its centre is opened)
or uses up a bonus tile (cash, or a second franchise that goes back because the first one scored the city). Spaces are
filled once; bonus tiles come back only by the region tiles of the kind bonus, once each (8.3). Before the first turn
there are the draft, the starting franchises and the boom marker. Therefore

    moves <= draft + players + 1 + 3 * turns + spaces - players + players * bonus tiles + tiles of the kind bonus.

City tiles change places in an expert set-up, but they are the same tiles, so no option changes these sums.
"""

import random
from typing import NamedTuple

import numpy as np
import pytest

from franchise import Action, Game, Options
from franchise.engine import layout
from franchise.engine.jit import COMPILED
from franchise.engine.layout import EventKind, Kind
from franchise.engine.playout import random_games
from franchise.engine.setups import printed_sizes, regions_in_play
from franchise.facts import BOARD

ALL_PLAYERS = pytest.mark.parametrize("players", [2, 3, 4, 5])
EVERYTHING = Options(expert="draft", milestones=True, boom=True, regions="new")
TABLES = {
    "base": Options(),
    "introductory": Options(introductory=True),
    "random": Options(expert="random"),
    "everything": EVERYTHING,
    "everything introductory": Options(introductory=True, expert="random", milestones=True, boom=True, regions="mixed"),
}
ALL_TABLES = pytest.mark.parametrize("options", TABLES.values(), ids=TABLES)
EXPANSIONS = (EventKind.EXPAND, EventKind.AGAIN, EventKind.FAR)


class Bounds(NamedTuple):
    """What no game exceeds, whatever the options."""

    expansions: int
    turns: int
    moves: int


def bounds(players: int) -> Bounds:
    """The proof above in numbers."""
    sizes = printed_sizes(players).values()
    towns = len(BOARD.towns) - len(set(BOARD.towns) & set(BOARD.blocked(players)))
    expansions = towns - players + sum(min(players, size) for size in sizes)
    turns = players * (expansions + 1)
    draft = len(sizes) + len(regions_in_play(players))
    bonus = players * BOARD.bonus_tiles[players] + sum(tile.kind == "bonus" for tile in BOARD.tiles)
    moves = draft + players + 1 + 3 * turns + sum(sizes) + towns - players + bonus
    return Bounds(expansions, turns, moves)


def test_the_longest_game_there_can_be() -> None:
    """The numbers of the proof, for those who need a true maximum."""
    assert {players: tuple(bounds(players)) for players in (2, 3, 4, 5)} == {
        2: (48, 98, 425),
        3: (63, 192, 711),
        4: (105, 424, 1450),
        5: (114, 575, 1906),
    }


def test_the_memory_for_the_moves_of_a_game_holds_the_longest() -> None:
    assert max(bounds(players).moves for players in (2, 3, 4, 5)) <= layout.GAME


class Watch:
    """Follows a game and checks every step of the proof."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.pairs: set[tuple[int, int]] = set()  # seat and location of every start and expansion
        self.starts = 0
        self.quiet = 0
        self.enter(None)

    def enter(self, action: Action | None) -> None:
        """A move, or what happens at set-up."""
        expanding = bool(self.game.view()["markers"])
        for event in self.game.opening() if action is None else self.game.play(action):
            if event.kind in (*EXPANSIONS, EventKind.START):
                assert (event.seat, event.place) not in self.pairs
                self.pairs.add((event.seat, event.place))
                self.starts += event.kind == EventKind.START
        if action is not None and action.kind == Kind.END:
            self.quiet = 0 if expanding else self.quiet + 1
            assert self.quiet <= self.game.players
            if self.quiet == self.game.players:
                assert self.game.over

    def check(self) -> None:
        """After the end."""
        most = bounds(self.game.players)
        assert self.game.over
        assert self.starts >= self.game.players
        assert len(self.pairs) - self.starts <= most.expansions
        assert self.game.turn <= most.turns
        assert len(self.game.actions) <= most.moves
        held = self.game.state[0].held.tolist()
        assert all(held[seat] >> place & 1 for seat, place in self.pairs)  # nobody ever left a location


@pytest.mark.clause("4.2")
@ALL_PLAYERS
@ALL_TABLES
def test_every_expansion_uses_up_a_pair_of_seat_and_location_and_every_quiet_round_ends_the_game(
    players: int, options: Options
) -> None:
    for seed in range(8 if COMPILED else 1):
        game = Game(players, seed, options)
        rng = random.Random(seed)
        watch = Watch(game)
        while not game.over:
            watch.enter(rng.choice(game.legal_actions()))
        watch.check()


def dawdle(game: Game, rng: random.Random) -> Action:
    """Draw the game out: expand only where the quiet round would end the game, grow never, hoard the rest."""
    legal = game.legal_actions()
    if game.phase == "expand":
        expand = [action for action in legal if action.kind in (Kind.EXPAND, Kind.EXPAND_FREE, Kind.FAR)]
        if expand and game.state[0].quiet == game.players - 1:
            return rng.choice(expand)
        return next(action for action in legal if action.kind == Kind.DONE)
    return legal[-1] if game.phase == "grow" else rng.choice(legal)


@pytest.mark.clause("4.2")
@ALL_PLAYERS
@ALL_TABLES
def test_a_game_drawn_out_on_purpose_is_long_but_within_the_bound(players: int, options: Options) -> None:
    game = Game(players, 1, options)
    rng = random.Random(players)
    watch = Watch(game)
    while not game.over:
        watch.enter(dawdle(game, rng))
    watch.check()
    assert game.turn > 24 * players  # twice an ordinary game and more


@pytest.mark.compiled_only
@ALL_PLAYERS
@ALL_TABLES
def test_many_random_games_stay_within_the_bound(players: int, options: Options) -> None:
    game = Game(players, 1, options)
    rows = np.zeros((2_000, 3 + layout.SEATS), np.int32)
    moves, out = np.zeros(layout.GAME, np.int32), np.zeros(layout.MOVES, np.int32)
    random_games(game.rules, game.state, 1, rows, layout.new(layout.STATE), moves, out, layout.new(layout.LOG))
    most = bounds(players)
    assert 0 < rows[:, 0].max() <= most.moves
    assert players <= rows[:, 1].min()  # not before every seat has had a turn
    assert rows[:, 1].max() <= most.turns
