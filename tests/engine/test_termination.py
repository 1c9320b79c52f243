"""No game is endless, and none is longer than engine/bounds.py proves; here every step of the proof is watched."""

import random

import numpy as np
import pytest

from franchise import Action, Game, Options
from franchise.engine import layout
from franchise.engine.bounds import bounds
from franchise.engine.jit import COMPILED
from franchise.engine.layout import EventKind, Kind
from franchise.engine.playout import random_games

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


def test_the_longest_game_there_can_be() -> None:
    """The numbers of the proof, for those who need a true maximum."""
    assert {players: tuple(bounds(players)) for players in (2, 3, 4, 5)} == {
        2: (48, 98, 432),
        3: (63, 192, 718),
        4: (105, 424, 1460),
        5: (114, 575, 1916),
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
                assert self.game.over or self.game.phase == "score"

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
