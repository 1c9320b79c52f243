"""The search finds what is there: wins in one turn, cities about to be lost, and the best turns of small endgames."""

from dataclasses import replace

import pytest

from franchise import Game, Options
from franchise.bots import make
from franchise.bots.levels import CASUAL, EXPERT, NEWCOMER, LevelBot
from franchise.bots.network import trained
from franchise.bots.protocol import Budget
from franchise.bots.search import Tree
from franchise.engine.bits import members
from franchise.engine.setups import PRINTED_TILES
from franchise.engine.walk import champions
from franchise.facts import BOARD
from text_positions import TWO_REGIONS, play, position

# New York is the last open place of its region, whose tile would be the eighth on the track. Five of its eight spaces
# score it: 8 for the city, 4 for the region (red has more franchises left there: 6), 2 on the track.
LAST_CITY = """
    Pittsburgh: blue scored
    New York: red blue red blue red blue blue
    Detroit: blue red
    track 7
    blue influence 50
    red influence 57
    blue bonus 0
    red bonus 0
    blue cash 1
    red cash 0
    blue to expand
"""
DOUBLED = (
    LAST_CITY.replace("red blue blue", "red blue")
    .replace("blue bonus 0", "blue bonus 1")
    .replace("red influence 57", "red influence 56")
)
LAST_TOWN = """
    Pittsburgh: blue scored
    Minneapolis: blue scored
    Chicago: blue red scored
    Detroit: blue red scored
    New York: blue
    track 7
    blue influence 50
    red influence 54
    blue bonus 0
    red bonus 0
    blue cash 3
    red cash 0
    blue to expand
"""
# For three, with six spaces in Dallas too. Blue's growth fills both cities without a majority, and red, who stands
# first, gains 3 each time: either alone helps only red. Both together complete the region and end the game: 5 for blue,
# who has most franchises left there (4 for orange, 2 for red), and 2 on the track.
TWO_CITIES = """
    Houston: red orange blue red orange
    Dallas: red orange blue red orange
    Oklahoma City: blue blue blue scored
    El Paso: blue
    Texas marker blue
    track 7
    blue influence 50
    red influence 48
    orange influence 48
    blue bonus 0
    red bonus 0
    orange bonus 0
    blue cash 2
    red cash 0
    orange cash 0
    blue to expand
"""
SIX_SPACES = Options(expert="arranged", city_tiles={"Dallas": 6, "Washington": 5})
# With its bonus tile red can grow and double: five of eight, 8 points. One blue franchise more leaves a single space;
# then nobody gets a majority, and blue, who stands first, has no less than red.
RACE = """
    Pittsburgh: blue scored
    New York: blue red blue red blue red
    St. Louis: blue
    track 6
    blue influence 30
    red influence 30
    blue bonus 0
    red bonus 1
    blue cash 1
    red cash 1
    blue to expand
"""
WINS = {
    "the last city": (LAST_CITY, "done; grow New York; end"),
    "the last city with a bonus tile": (DOUBLED, "done; grow New York; double New York; end"),
    "the last town": (LAST_TOWN, "expand Indianapolis 1; done; end"),
}
wins = pytest.mark.parametrize(("text", "winning"), WINS.values(), ids=WINS.keys())
seeds = pytest.mark.parametrize("seed", range(4))


def take_turn(game: Game, name: str, seed: int, simulations: int) -> str:
    """Let a bot play the turn to its end; what it did."""
    bot = make(name, seed=seed, simulations=simulations)
    turn, past = game.turn, len(game.actions)
    while not game.over and game.turn == turn:
        game.play(bot.choose(game))
    return "; ".join(str(action) for action in game.actions[past:])


def winners(game: Game) -> list[int]:
    """Who has won; drawn positions have no past, and so no result() with its breakdown."""
    return members(champions(game.rules, game.state))


# --- wins in one turn -------------------------------------------------------------------------------------------------


@wins
def test_the_drawn_wins_are_wins(text: str, winning: str) -> None:
    game = position(text, players=2)
    play(game, winning)
    assert game.over
    assert winners(game) == [0]


@pytest.mark.compiled_only
@seeds
@pytest.mark.parametrize("name", ["casual", "regular", "expert"])
@wins
def test_a_win_in_one_turn_is_found(text: str, winning: str, name: str, seed: int) -> None:
    game = position(text, players=2)
    take_turn(game, name, seed, 100)
    assert game.over
    assert winners(game) == [0]


@pytest.mark.compiled_only
@seeds
@pytest.mark.parametrize("name", ["casual", "regular", "expert"])
def test_a_win_by_two_cities_is_found_although_either_alone_helps_only_another_player(name: str, seed: int) -> None:
    game = position(TWO_CITIES, 3, SIX_SPACES)
    for alone in ("Houston", "Dallas"):
        after = game.copy()
        play(after, f"done; grow {alone}; end")
        assert not after.over
        assert (after.state["influence"][0, :3] - game.state["influence"][0, :3]).tolist() == [0, 3, 0]
    take_turn(game, name, seed, 100)
    assert game.over
    assert winners(game) == [0]


@pytest.mark.compiled_only
@seeds
@pytest.mark.parametrize("name", ["casual", "regular", "expert"])
def test_the_last_city_is_left_alone_by_a_player_who_would_lose_by_it(name: str, seed: int) -> None:
    game = position(LAST_CITY.replace("red influence 57", "red influence 60"), players=2)
    ended = game.copy()
    play(ended, "done; grow New York; end")
    assert ended.over
    assert winners(ended) == [1]
    take_turn(game, name, seed, 100)
    assert not game.over


@pytest.mark.compiled_only
@pytest.mark.parametrize("name", ["regular", "expert"])
def test_a_win_in_one_turn_is_announced_as_certain(name: str) -> None:
    best = make(name, seed=1, simulations=100).analyse(position(LAST_CITY, players=2)).moves[0]
    assert best.chances == pytest.approx((1, 0), abs=0.01)
    assert "; ".join(str(action) for action in best.line) == "done; grow New York; end"
    assert best.scores == pytest.approx((64, 63), abs=0.5)


# --- a city about to be lost ------------------------------------------------------------------------------------------


def test_the_drawn_race_is_lost_by_waiting_and_saved_by_growing() -> None:
    waited = position(RACE, players=2)
    play(waited, "done; end; done; grow New York; double New York; end")
    assert waited.state["influence"][0, :2].tolist() == [30 + 6, 30 + 8 + 4 + 3]  # city, region, track
    grown = position(RACE, players=2)
    play(grown, "done; grow New York; end; done; grow New York")
    assert "double New York" not in [str(action) for action in grown.legal_actions()]
    grown.play("end")
    assert grown.state["influence"][0, :2].tolist() == [30 + 4 + 4, 30 + 6 + 3 + 4]  # red: region, track, bonus tile


@pytest.mark.compiled_only
@seeds
@pytest.mark.parametrize("name", ["regular", "expert"])
def test_a_space_is_taken_before_the_next_player_takes_the_city(name: str, seed: int) -> None:
    game = position(RACE, players=2)
    assert "grow New York" in take_turn(game, name, seed, 100)


# --- small endgames ---------------------------------------------------------------------------------------------------


class TooMany(Exception):  # noqa: N818 - not an error: another position is tried
    """An endgame with more positions than a test can look at."""


class Exhaustive:
    """The outcome of two-player endgames by looking at every move: the share of seat 0 in the victory, and its lead."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.known: dict[bytes, tuple[float, int]] = {}

    def outcome(self, game: Game) -> tuple[float, int]:
        if game.over:
            won = winners(game)
            ours, theirs = game.state["influence"][0, :2].tolist()
            return (0 in won) / len(won), ours - theirs
        key = game.state.tobytes()
        if key not in self.known:
            if len(self.known) == self.limit:
                raise TooMany
            self.known[key] = (0.5, 0)  # takes its place; no position comes again in a turn-based game that goes on
            outcomes = []
            for number in game.legal_numbers():
                after = game.copy()
                after.play(number)
                outcomes.append(self.outcome(after))
            self.known[key] = max(outcomes) if game.current_player == 0 else min(outcomes)
        return self.known[key]


def endgames(seed: int, limit: int) -> list[Game]:
    """The last turns of a game, as far back as every move can be looked at, each made as close as can be.

    The player to move wins by a single point with the best moves and not otherwise.
    """
    game = Game(2, seed)
    # without the network, so that these endgames stay the same whatever it learns
    levels = (replace(CASUAL, network=False, noise=0.002), replace(NEWCOMER, network=False))
    bots = [LevelBot(level, seed, Budget()) for level in levels]
    starts: dict[int, int] = {}
    while not game.over:
        starts.setdefault(game.turn, len(game.actions))
        game.play(bots[game.current_player].choose(game))
    found = []
    for start in reversed(starts.values()):
        ending = game.at(start)
        try:
            _, lead = Exhaustive(limit).outcome(ending)
        except TooMany:
            break
        seat = ending.current_player
        ending.state["influence"][0, :2] += 200
        ending.state["influence"][0, seat] += 1 - (lead if seat == 0 else -lead)
        found.append(ending)
    return found


@pytest.mark.compiled_only
@pytest.mark.parametrize("seed", range(10))
def test_the_turn_of_a_small_endgame_is_as_good_as_the_best_by_looking_at_every_move(seed: int) -> None:
    for ending in endgames(seed, 1500):
        seat = ending.current_player
        truth = Exhaustive(20_000)
        best = truth.outcome(ending)
        assert best == ((1.0, 1) if seat == 0 else (0.0, -1))
        analysis = make("expert", seed=seed, simulations=500).analyse(ending)
        after = ending.copy()
        moves = take_turn(after, "expert", seed, 500)
        assert truth.outcome(after) == best, f"{ending}: {moves}"
        assert analysis.moves[0].chances[seat] > 0.9


@pytest.mark.compiled_only
def test_there_are_endgames_in_which_a_move_can_lose() -> None:
    """What makes the test above say something."""
    losing = 0
    for seed in range(10):
        for ending in endgames(seed, 1500):
            truth = Exhaustive(20_000)
            best = truth.outcome(ending)
            for number in ending.legal_numbers():
                after = ending.copy()
                after.play(number)
                losing += truth.outcome(after) != best
    assert losing >= 10


# --- the tree ---------------------------------------------------------------------------------------------------------


@pytest.mark.compiled_only
def test_visits_of_the_turns_add_up_to_the_simulations() -> None:
    game = position(RACE, players=2)
    tree = Tree(game.rules, 300, trained(game.players))
    tree.start(game.rules, game.state, 1)
    for simulations in (1, 10, 300):
        assert tree.simulate(simulations - tree.simulations()) == simulations
        assert sum(tree.visits(edge) for edge in tree.root_edges()) == simulations


@pytest.mark.compiled_only
def test_a_tree_without_room_runs_no_more_simulations() -> None:
    game = Game(3, 1)
    tree = Tree(game.rules, 50, trained(game.players))
    tree.start(game.rules, game.state, 1)
    assert tree.simulate(50) == 50
    assert tree.simulate(10) == 50


@pytest.mark.compiled_only
def test_a_tree_planted_anew_forgets_what_grew_before() -> None:
    game = position(RACE, players=2)
    used, fresh = Tree(game.rules, 60, trained(game.players)), Tree(game.rules, 60, trained(game.players))
    other = Game(4, 1)
    used.start(other.rules, other.state, 9)
    used.simulate(60)
    for tree in (used, fresh):
        tree.start(game.rules, game.state, 3)
        tree.simulate(60)
    assert [(used.turn(edge), used.visits(edge), used.promise(edge, 2)) for edge in used.root_edges()] == [
        (fresh.turn(edge), fresh.visits(edge), fresh.promise(edge, 2)) for edge in fresh.root_edges()
    ]


@pytest.mark.compiled_only
def test_no_turn_is_tried_twice_with_its_moves_in_another_order() -> None:
    game = Game(4, 8)
    bot = make("casual", seed=8)
    while not game.over:
        tree = Tree(game.rules, 1, trained(game.players))
        tree.start(game.rules, game.state, 1)
        turns = [tuple(sorted(tree.turn(edge))) for edge in tree.root_edges()]
        assert len(set(turns)) == len(turns)
        game.play(bot.choose(game))


@pytest.mark.parametrize("name", ["casual", "regular"])
def test_the_order_of_regions_is_chosen_for_what_it_pays(name: str) -> None:
    """New York's tile counts the track, so that scoring Florida first makes it pay one more."""
    tiles = ("New York", "N16"), ("Florida", "N1")
    options = Options(regions="chosen", chosen_tiles=(*PRINTED_TILES[:8], "N16", "N1"))
    game = position(
        TWO_REGIONS,
        options=options,
    )
    for region, tile in tiles:
        game.state[0].region_tile[BOARD.region_ids[region]] = BOARD.tile_ids[tile]
    play(game, "grow Jacksonville; grow Pittsburgh; end")
    assert game.phase == "score"
    assert str(make(name, seed=1, simulations=60).choose(game)) == "score Florida"


def in_the_middle(players: int) -> Game:
    """A game after some turns of weak bots."""
    game, bot = Game(players, 3), make("casual", seed=3)
    while game.turn <= 4 * players:
        game.play(bot.choose(game))
    return game


def turns_of(tree: Tree, node: int) -> list[tuple[list[int], int, float]]:
    """The turns below a node, with their visits and values."""
    return [(tree.turn(edge), tree.visits(edge), tree.prior(edge)) for edge in tree.edges_of(node)]


@pytest.mark.parametrize("players", [2, 4])
def test_a_tree_goes_on_from_a_later_position_with_all_it_knows_about_it(players: int) -> None:
    game = in_the_middle(players)
    tree = Tree(game.rules, 90, trained(players))
    tree.start(game.rules, game.state, 1, seat=1)
    tree.simulate(60)
    for edge in sorted(tree.root_edges(), key=tree.visits)[-2:]:  # the last one is the most visited
        later, known = game.copy(), Tree(game.rules, 90, trained(players))
        known.start(game.rules, game.state, 1, seat=1)
        known.simulate(60)
        for number in tree.turn(edge):
            later.play(number)
        below = turns_of(tree, int(tree.arrays.edges["child"][edge]))
        assert known.follow(later.rules, later.state, 1)
        assert known.simulations() == tree.visits(edge) - 1
        assert turns_of(known, 0) == below
        assert known.main_line(known.root_edges()[0])
        assert known.simulate(20) == tree.visits(edge) - 1 + 20


def test_a_tree_does_not_go_on_from_a_position_it_does_not_know_or_for_another_seat() -> None:
    game = in_the_middle(2)
    tree = Tree(game.rules, 20, trained(2))
    tree.start(game.rules, game.state, 1, seat=1)
    tree.simulate(20)
    assert not tree.follow(game.rules, in_the_middle(2).at(0).state, 1)
    assert not tree.follow(game.rules, game.state, 0)
    assert not tree.follow(Game(2, 3, Options(boom=True)).rules, game.state, 1)
    assert tree.follow(game.rules, game.state, 1)
    assert tree.simulations() == 20


def test_what_was_thought_while_others_decided_is_used_for_the_next_turn() -> None:
    game = in_the_middle(2)
    seat = game.current_player
    bot = LevelBot(EXPERT, 1, Budget(None, 60))
    while game.current_player == seat:
        game.play(bot.choose(game))
    bot.think_ahead(game, seat)
    tree = bot.trees[0]
    assert tree.simulations() == 60
    reply = max(tree.root_edges(), key=tree.visits)
    known = tree.visits(reply)
    for number in tree.turn(reply):
        game.play(number)
    assert bot.trees_at(game)[0].simulations() == known - 1
    bot.cancel()
    bot.think_ahead(game, seat)  # stops at once
    assert bot.trees[0].simulations() < 60
