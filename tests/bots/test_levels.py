"""The levels play every game to its end: legal moves, the same again with the same seed, within budget, until told."""

import random
import threading
from itertools import combinations
from typing import Any

import pytest

from franchise import Game, Options
from franchise.bots import make
from franchise.bots.levels import FIRST_SLICE, POINT, SLICE_S, LevelBot
from franchise.bots.protocol import Bot, Cancelled
from franchise.bots.root_turns import RootTurn
from franchise.bots.search import Tree
from franchise.engine.walk import champions
from text_positions import position

LEVELS = ("newcomer", "casual", "regular", "expert", "champion")
TABLES = {  # every option at least twice, alone and with others
    "base": Options(),
    "introductory": Options(introductory=True),
    "draft": Options(expert="draft"),
    "random tiles": Options(expert="random"),
    "milestones": Options(milestones=True),
    "boom": Options(boom=True),
    "mixed regions": Options(regions="mixed"),
    "new regions": Options(regions="new"),
    "everything, drafted": Options(expert="draft", milestones=True, boom=True, regions="mixed"),
    "everything, shuffled": Options(expert="random", milestones=True, boom=True, regions="new"),
    "everything, introductory": Options(introductory=True, expert="random", milestones=True, boom=True, regions="new"),
}
tables = pytest.mark.parametrize("options", TABLES.values(), ids=TABLES.keys())
players_2_to_5 = pytest.mark.parametrize("players", [2, 3, 4, 5])


def level(name: str, seed: int, simulations: int = 12) -> LevelBot:
    bot = make(name, seed=seed, simulations=simulations)
    assert isinstance(bot, LevelBot)
    return bot


def seated(players: int, seed: int) -> list[Bot]:
    """Bots of all levels around the table, not always in the same order."""
    return [level(LEVELS[(seat + seed) % len(LEVELS)], 10 * seed + seat) for seat in range(players)]


def move_checked(game: Game, bot: Bot) -> None:
    """Let the bot move; what it must not do, it has not done."""
    state, past = game.state.tobytes(), game.actions
    move = bot.choose(game)
    assert move in game.legal_actions()
    assert (game.state.tobytes(), game.actions) == (state, past), "choosing has changed the game"
    game.play(move)


def opened(players: int = 2, seed: int = 1, options: Options | None = None) -> Game:
    """A game whose set-up is over."""
    game = Game(players, seed, options)
    bot = level("casual", seed)
    while game.turn == 0:
        game.play(bot.choose(game))
    return game


def played_out(players: int, seed: int, options: Options | None = None) -> Game:
    game = Game(players, seed, options)
    bots = seated(players, seed)
    while not game.over:
        game.play(bots[game.current_player].choose(game))
    return game


# --- legal moves ------------------------------------------------------------------------------------------------------


@pytest.mark.compiled_only
@players_2_to_5
@tables
def test_bots_make_only_legal_moves_to_the_end_of_the_game(options: Options, players: int) -> None:
    game = Game(players, players, options)
    bots = seated(players, players)
    while not game.over:
        move_checked(game, bots[game.current_player])
    assert len(game.result().scores) == players


@pytest.mark.compiled_only
@tables
def test_bots_go_on_from_turns_that_others_have_begun(options: Options) -> None:
    for seed in range(4):
        chance = random.Random(seed)
        game = Game(2 + seed, seed, options)
        bots = seated(game.players, seed)
        while not game.over:
            move_checked(game, bots[game.current_player])
            if not game.over and chance.random() < 0.3:
                game.play(chance.choice(game.legal_actions()))


@pytest.mark.compiled_only
@tables
def test_bots_go_on_after_moves_have_been_taken_back(options: Options) -> None:
    chance = random.Random(5)
    game = Game(3, 5, options)
    bots = seated(3, 5)
    undone = 0
    while not game.over:
        move_checked(game, bots[game.current_player])
        if undone < 20 and chance.random() < 0.15:
            for _ in range(min(chance.randint(1, 7), len(game.actions))):
                game.undo()
            undone += 1
            game.play(chance.choice(game.legal_actions()))
    assert undone


def test_a_bot_finishes_the_turn_it_has_planned() -> None:
    game = opened()
    bot = level("regular", 1)
    seat, planned = game.current_player, bot.choose(game)
    rest = [planned.id]
    game.play(planned)
    while game.current_player == seat and not game.over:
        move = bot.choose(game)
        rest.append(move.id)
        game.play(move)
    assert len(rest) > 1
    assert bot.plan == [action.id for action in game.actions]


@pytest.fixture
def searches(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many moves had been made at every search."""
    counts: list[int] = []
    real = LevelBot.search

    def search(bot: LevelBot, game: Game) -> list[RootTurn]:
        counts.append(len(game.actions))
        return real(bot, game)

    monkeypatch.setattr(LevelBot, "search", search)
    return counts


def test_a_bot_thinks_anew_in_a_second_game_that_begins_like_the_first(searches: list[int]) -> None:
    """It once followed the plan of the first game."""
    bot = level("regular", 1)
    for _ in range(2):
        game = opened()
        for _ in range(3):
            game.play(bot.choose(game))
    assert searches.count(2) == 2


def test_a_bot_thinks_anew_after_moves_were_taken_back(searches: list[int]) -> None:
    game = opened()
    bot = level("regular", 1)
    for _ in range(3):
        bot.choose(game)
    assert searches[-4:] == [1, 2, 2, 2]


def test_a_single_legal_move_needs_no_search() -> None:
    game = opened()
    game.play("done")
    assert [str(action) for action in game.legal_actions()] == ["end"]  # a starting town alone cannot grow
    bot = level("expert", 1)
    assert str(bot.choose(game)) == "end"
    assert not bot.trees


@pytest.mark.compiled_only
@pytest.mark.parametrize("name", LEVELS)
def test_a_game_that_is_over_has_nothing_to_choose_or_analyse(name: str) -> None:
    game = played_out(2, 3)
    with pytest.raises(ValueError, match="the game is over: there is no move to choose"):
        level(name, 1).choose(game)
    with pytest.raises(ValueError, match="the game is over: there is nothing to analyse"):
        level(name, 1).analyse(game)


# --- the same again ---------------------------------------------------------------------------------------------------


@pytest.mark.compiled_only
@pytest.mark.parametrize(("players", "table"), [(2, "base"), (3, "everything, drafted"), (5, "everything, shuffled")])
def test_the_same_seed_and_simulations_give_the_same_game_move_for_move(players: int, table: str) -> None:
    first, second = (played_out(players, 4, TABLES[table]) for _ in range(2))
    assert first.actions == second.actions


@pytest.mark.compiled_only
@pytest.mark.parametrize("name", LEVELS)
def test_other_seeds_begin_in_other_towns_sooner_or_later(name: str) -> None:
    assert len({level(name, seed).choose(Game(2, 1)) for seed in range(40)}) > 1


@pytest.mark.compiled_only
@pytest.mark.parametrize(
    ("name", "simulations"), [("newcomer", 1), ("casual", 1), ("regular", 16), ("expert", 24), ("champion", 12)]
)
def test_a_level_seldom_plays_the_same_game_twice_from_the_same_starting_towns(name: str, simulations: int) -> None:
    games = []
    for seed in range(5):
        game = Game(2, options=Options(introductory=True))
        bots = [level(name, 2 * seed + seat, simulations) for seat in range(2)]
        while not game.over:
            game.play(bots[game.current_player].choose(game))
        games.append(game.actions)
    same = [first == second for first, second in combinations(games, 2)]
    assert sum(same) <= len(same) / 5


@pytest.mark.compiled_only
@pytest.mark.parametrize("players", [2, 5])  # with three and four, the first player sees one that is far better
def test_a_starting_town_is_the_likelier_the_more_it_promises(players: int) -> None:
    game = Game(players, 1)
    bot = level("expert", 1)
    turns = bot.search(game)
    best = max(turn.worth(game.current_player) for turn in turns)
    drawn = [bot.start(turns, game).worth(game.current_player) for _ in range(200)]
    assert sum(best - worth for worth in drawn) / len(drawn) < 2 * POINT / players * bot.level.start_temperature
    assert len(set(drawn)) > 1


def test_a_set_up_does_not_wait_for_the_search_to_be_compiled(
    searches: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("franchise.bots.levels.progress", lambda: 0.5)
    game = Game(2, 1, Options(expert="draft"))
    bot = level("regular", 1)
    while game.turn == 0:
        game.play(bot.choose(game))
    assert not searches
    assert not bot.trees


@pytest.mark.compiled_only
def test_analysing_again_with_the_same_seed_gives_the_same_numbers() -> None:
    game = opened(3)
    assert level("expert", 7, 60).analyse(game) == level("expert", 7, 60).analyse(game)


# --- budget -----------------------------------------------------------------------------------------------------------


class FakeClock:
    """A clock on which a simulation takes as long as the test says."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, simulation_s: float) -> None:
        self.now = 1000.0
        self.slices: list[int] = []
        real = Tree.simulate

        def simulate(tree: Tree, simulations: int) -> int:
            self.now += simulations * simulation_s
            self.slices.append(simulations)
            return real(tree, simulations)

        monkeypatch.setattr(Tree, "simulate", simulate)
        monkeypatch.setattr(LevelBot, "clock", staticmethod(lambda: self.now))


@pytest.mark.compiled_only
@pytest.mark.parametrize("simulation_s", [0.0002, 0.001, 0.004, 0.018])
@pytest.mark.parametrize("name", ["regular", "expert"])
def test_a_search_ends_when_its_seconds_are_over(
    name: str, simulation_s: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = FakeClock(monkeypatch, simulation_s)
    bot = make(name, seed=1, seconds=0.2)
    bot.choose(opened())
    spent = clock.now - 1000.0
    last = clock.slices[-1] * simulation_s
    assert 0.2 - SLICE_S < spent <= 0.2 * 1.2
    assert spent - last <= 0.2 - SLICE_S, "a slice was begun that could not end in time"
    assert clock.slices[0] == FIRST_SLICE
    assert all(piece == 1 or piece * simulation_s <= SLICE_S + 1e-9 for piece in clock.slices[1:])


@pytest.mark.compiled_only
@pytest.mark.parametrize(("name", "seconds"), [("regular", 0.3), ("expert", 2.0)])
def test_a_level_without_a_budget_has_its_own_seconds(
    name: str, seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = FakeClock(monkeypatch, 0.01)
    make(name, seed=1).choose(opened())
    assert seconds - SLICE_S < clock.now - 1000.0 <= seconds + SLICE_S


@pytest.mark.compiled_only
@pytest.mark.parametrize("simulations", [1, 7, 8, 9, 100])
@pytest.mark.parametrize("name", ["regular", "expert"])
def test_a_budget_of_simulations_is_spent_exactly(name: str, simulations: int, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = FakeClock(monkeypatch, 0.05)  # however slow: a budget of simulations alone knows no clock
    game = opened(4)
    assert level(name, 1, simulations).analyse(game).simulations == simulations
    assert sum(clock.slices) == simulations


@pytest.mark.compiled_only
@pytest.mark.parametrize("name", ["newcomer", "casual"])
def test_levels_that_look_at_their_own_turn_alone_run_no_simulations(name: str) -> None:
    assert level(name, 1, 100).analyse(opened()).simulations == 0


# --- cancellation -----------------------------------------------------------------------------------------------------


@pytest.mark.compiled_only
@pytest.mark.parametrize("task", ["choose", "analyse"])
@pytest.mark.parametrize("name", ["regular", "expert"])
def test_a_search_told_to_stop_by_another_thread_stops_and_the_bot_can_be_used_again(
    name: str, task: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    searching, stop_sent = threading.Event(), threading.Event()
    slices: list[int] = []
    real = Tree.simulate

    def simulate(tree: Tree, simulations: int) -> int:
        slices.append(simulations)
        searching.set()
        assert stop_sent.wait(60)
        return real(tree, simulations)

    game = opened()
    bot = level(name, 1, 100)
    outcome: list[Any] = []

    def think() -> None:
        try:
            outcome.append(getattr(bot, task)(game))
        except Cancelled as cancelled:
            outcome.append(cancelled)

    with monkeypatch.context() as patch:
        patch.setattr(Tree, "simulate", simulate)
        thread = threading.Thread(target=think)
        thread.start()
        assert searching.wait(60)
        bot.cancel()
        stop_sent.set()
        thread.join(60)
    assert not thread.is_alive()
    assert isinstance(outcome[0], Cancelled)
    assert str(outcome[0]) == f"{name} was told to stop"
    assert len(slices) == 1, "the search went on after it was told to stop"
    move_checked(game, bot)


@pytest.mark.parametrize("name", LEVELS)
def test_telling_an_idle_bot_to_stop_changes_nothing(name: str) -> None:
    game = opened()
    stopped, other = level(name, 1), level(name, 1)
    stopped.cancel()
    assert stopped.choose(game) == other.choose(game)


@pytest.mark.parametrize("name", LEVELS)
def test_a_bot_can_be_closed_before_and_after_it_has_thought(name: str) -> None:
    bot = level(name, 1)
    bot.close()
    bot.choose(opened())
    bot.close()
    assert not bot.trees


# --- analysis ---------------------------------------------------------------------------------------------------------


@pytest.mark.compiled_only
@players_2_to_5
@tables
def test_an_analysis_ranks_moves_with_chances_scores_and_a_line_that_can_be_played(
    options: Options, players: int
) -> None:
    chance = random.Random(players)
    game = Game(players, players, options)
    mover = level("casual", players)
    analyst = level(LEVELS[players % 4], players, 40)
    while not game.over:
        if chance.random() < 0.1:
            analysis = analyst.analyse(game, moves=4)
            assert analysis.seat == game.current_player
            assert 1 <= len(analysis.moves) <= 4
            actions = [move.action for move in analysis.moves]
            assert len(set(actions)) == len(actions)
            assert set(actions) <= set(game.legal_actions())
            visits = [move.visits for move in analysis.moves]
            assert visits == sorted(visits, reverse=True)
            assert sum(visits) <= analysis.simulations
            for move in analysis.moves:
                assert len(move.scores) == len(move.chances) == players
                assert sum(move.chances) == pytest.approx(1)
                assert min(move.chances) >= 0
                assert all(0 <= score < 400 for score in move.scores)
                assert move.line[0] == move.action
                line = game.copy()
                for action in move.line:
                    assert action in line.legal_actions()
                    line.play(action)
        game.play(mover.choose(game))


@pytest.mark.compiled_only
def test_the_best_move_of_an_analysis_is_the_one_chosen() -> None:
    game = opened(4)
    for _ in range(12):
        best = level("expert", 3, 80).analyse(game).moves[0].action
        assert level("expert", 3, 80).choose(game) == best
        game.play(best)


def test_an_analysis_has_as_many_moves_as_are_asked_for_at_most() -> None:
    game = Game(4, 1)
    for moves in (1, 3, 100):
        assert 1 <= len(level("casual", 1).analyse(game, moves=moves).moves) <= moves


@pytest.mark.clause("4.4")
@pytest.mark.parametrize("level", ["casual", "regular", "expert"])
def test_a_tie_that_towns_decide_is_seen_as_a_win(level: str) -> None:
    game = position(
        """
        Pittsburgh: blue scored
        New York: red blue red blue red blue blue
        Detroit: blue red
        Indianapolis: blue
        track 7
        blue influence 49
        red influence 58
        blue bonus 0
        red bonus 0
        blue cash 1
        red cash 0
        blue to expand
        """,
        players=2,
    )
    bot = make(level, seed=1, simulations=200)
    while not game.over and game.current_player == 0:
        game.play(bot.choose(game))
    assert champions(game.rules, game.state) == 0b01


def test_a_plan_is_for_its_own_table_only() -> None:
    options = Options(introductory=True, expert="random")
    for seed in range(5):
        used = make("regular", seed=1, simulations=20)
        used.choose(Game(2, seed, options))
        other = Game(2, seed + 100, options)
        assert used.choose(other) in other.legal_actions()
        assert used.table == other.setup
