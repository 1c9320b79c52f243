"""Why a move is not legal, in the words of the rules."""

import random

import pytest

from franchise import Game, IllegalAction, Options
from franchise.engine.actions import ACTIONS, FORMS
from franchise.engine.jit import COMPILED
from franchise.engine.layout import Kind, Phase
from franchise.engine.reasons import PHASES, Reason, why_not
from franchise.facts import BOARD
from text_positions import play, position

OPTIONS = [
    Options(),
    Options(introductory=True, boom=True),
    Options(milestones=True, boom=True, regions="new"),
    Options(expert="draft", milestones=True, boom=True, regions="mixed"),
    Options(
        milestones=True,
        boom=True,
        regions="chosen",
        chosen_tiles=("N1", "N11", "N12", "N14", "N15", "N16", "N17", "N18", "N19", "N20"),
    ),
]


def assert_reasons_agree_with_the_rules(game: Game) -> None:
    """Nothing speaks against a legal move, and something against every other."""
    allowed = set(game.legal_numbers())
    rules, state = game.rules[0], game.state[0]
    wrong = [str(action) for action in ACTIONS if (why_not(rules, state, action) is None) != (action.id in allowed)]
    assert wrong == [], f"{game!r}"


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("options", OPTIONS, ids=["base", "boom", "new", "draft", "chosen"])
def test_every_illegal_move_has_a_reason_and_no_legal_one_has(players: int, options: Options) -> None:
    rng = random.Random(players)
    game = Game(players, players, options)
    sample = 0.1 if COMPILED else 0.03
    checked = 0
    while not game.over:
        moves = game.legal_actions()
        # taking part in everything a turn offers leads deeper into the rules than leaving it early
        busy = [action for action in moves if action.verb not in ("done", "end", "stay")]
        game.play(rng.choice(busy if busy and rng.random() < 0.7 else moves))
        if rng.random() < sample:
            assert_reasons_agree_with_the_rules(game)
            checked += 1
    assert_reasons_agree_with_the_rules(game)
    assert checked


@pytest.mark.parametrize("cash", [0, 4, 60])
@pytest.mark.parametrize("supply", [0, 1, 2])
@pytest.mark.parametrize("bonus", [0, 1])
@pytest.mark.parametrize("turn", [2, 41])
def test_reasons_agree_with_the_rules_for_the_owner_of_road_and_expansion_tile(
    cash: int, supply: int, bonus: int, turn: int
) -> None:
    game = position(f"""
        Detroit: blue red
        Chicago: red
        New York: blue scored
        Charlotte: red blue
        Omaha: scored
        Reno: red
        blue cash {cash}
        blue supply {supply}
        blue bonus {bonus}
        turn {turn}
        road 0
        expansion 0
    """)
    assert_reasons_agree_with_the_rules(game)
    moves = [action for action in game.legal_actions() if action.verb in ("expand", "far")]
    for move in random.Random(cash).sample(moves, min(len(moves), 4)):
        after = game.copy()
        after.play(move)
        assert_reasons_agree_with_the_rules(after)
        after.play("done")
        assert_reasons_agree_with_the_rules(after)


def refusal(game: Game, move: str) -> str:
    """Why the move is refused, without the list of legal moves."""
    with pytest.raises(IllegalAction) as refused:
        game.play(move)
    text = str(refused.value)
    assert text.startswith(f"{move}: ")
    return text.removeprefix(f"{move}: ").partition(". Legal now: ")[0].partition(". No move")[0]


EXPANDING = """
    Detroit: blue red
    Chicago: red
    Indianapolis: red
    St. Louis: red scored
    Pittsburgh: blue
    blue cash 4
"""


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("expand Detroit 3", "you already have a franchise in Detroit"),
        ("expand Indianapolis 1", "the town Indianapolis is taken"),
        ("expand St. Louis 5", "St. Louis has been scored and has no spaces left"),
        ("expand Denver 1", "Denver is not linked to any of your locations"),
        ("expand Chicago 8", "no $8 link leads from one of your locations to Chicago; your links there cost $3, $5"),
        ("expand New York 5", "the link to New York costs $5, but you have $4"),
        ("expand Chicago 3 free", "you do not have the road tile"),
        ("again Chicago 3", "a second expansion must follow a first one in the same turn"),
        ("far Denver", "you do not have the expansion tile"),
        (
            "grow Detroit",
            "grow CITY belongs to phase 3, increasing market share; it is now phase 2, expanding: first write done",
        ),
        (
            "end",
            "end belongs to phase 3, increasing market share; it is now phase 2, expanding: first write done",
        ),
        (
            "start Reno",
            "start TOWN belongs to the set-up, where everyone puts a starting franchise; it is now phase 2, expanding",
        ),
        (
            "boom Denver",
            "boom CITY belongs to the set-up, where the first player puts the boom marker; it is now phase 2, "
            "expanding",
        ),
    ],
)
def test_why_an_expansion_is_refused(move: str, reason: str) -> None:
    assert refusal(position(EXPANDING), move) == reason


def test_why_a_second_expansion_is_refused() -> None:
    game = position(EXPANDING)
    game.play("expand Chicago 3")
    assert refusal(game, "expand New York 3") == (
        "you have expanded this turn; a second expansion is written `again` and takes a bonus tile"
    )
    game.state[0].bonus[0] = 0
    assert refusal(game, "expand New York 3") == (
        "you have expanded this turn; a second expansion would take a bonus tile"
    )
    game.state[0].turn = 1
    assert refusal(game, "expand New York 3") == (
        "you have expanded; on a player's first turn there is no second expansion"
    )
    game.state[0].bonus[0] = 3
    assert refusal(game, "expand New York 3") == (
        "you have expanded; on a player's first turn there is no second expansion"
    )
    game.state[0].turn = 41
    assert refusal(game, "again Chicago 5") == "your expansion marker is already in Chicago"
    assert refusal(game, "again New York 3") == "the link to New York costs $3, but you have $1"
    assert refusal(game, "again Minneapolis 3 free") == "you do not have the road tile"


def test_why_a_blocked_location_is_refused() -> None:
    blocked = "San Francisco is out of play with this number of players"
    game = position("Salt Lake City: blue\nblue cash 9", players=3)
    assert refusal(game, "expand San Francisco 1") == blocked
    game.play("done")
    assert refusal(game, "grow San Francisco") == blocked
    assert refusal(Game(2), "start Reno") == "Reno is out of play with this number of players"
    draft = Game(2, options=Options(expert="draft"))
    assert refusal(draft, "tile 4 San Francisco") == blocked
    boom = position("boom Chicago\nblue to boom", players=2, options=Options(boom=True))
    assert refusal(boom, "boom San Francisco") == blocked


@pytest.mark.parametrize("move", ["grow San Francisco", "expand San Francisco 1", "far San Francisco free"])
def test_out_of_play_comes_before_any_other_reason(move: str) -> None:
    """The phase, the tile and the end of the game could be told instead."""
    game = position("Salt Lake City: blue\nblue cash 9", players=3)
    assert refusal(game, move) == "San Francisco is out of play with this number of players"
    game.state[0].phase = Phase.OVER
    assert refusal(game, move) == "San Francisco is out of play with this number of players"
    assert refusal(game, "score California") == "California is out of play with this number of players"


def test_an_expansion_without_a_price_is_refused_with_the_price_of_the_cheapest_own_link() -> None:
    game = position("New York: blue\nblue cash 2")
    with pytest.raises(IllegalAction, match=r"^expand Detroit 5: the link to Detroit costs \$5, but you have \$2\."):
        game.play("expand Detroit")  # over another player's link it would be $1
    with pytest.raises(IllegalAction, match="Seattle is not linked to any of your locations"):
        game.play("expand Seattle")


@pytest.mark.parametrize(("phase", "onward"), [("expand", "done"), ("boom", "stay")])
def test_a_long_list_of_legal_moves_names_the_way_on(phase: str, onward: str) -> None:
    scored = "".join(f"{BOARD.locations[city].name}: red scored\n" for city in BOARD.cities[:12])  # to be passed
    own = "".join(f"{city}: blue\n" for city in ("Dallas", "Atlanta", "Omaha", "Washington"))
    text = f"{scored}{own}boom Denver\nroad 0\nexpansion 0\nblue cash 60\nblue to {phase}"
    with pytest.raises(IllegalAction, match=f" more, including {onward}"):
        position(text, options=Options(boom=True)).play("start Reno")


def test_before_the_boom_marker_is_decided_a_bonus_tile_has_to_wait() -> None:
    text = "Denver: blue\nboom Chicago\nblue to boom"
    game = position(text, options=Options(boom=True))
    assert refusal(game, "cash") == "cash is possible in phases 2 and 3: first write boom CITY or stay"
    assert refusal(game, "end") == (
        "end belongs to phase 3, increasing market share; it is now the start of the turn, where the boom marker may "
        "move: first write boom CITY or stay"
    )
    first = position(f"{text}\nturn 1", options=Options(boom=True))
    assert refusal(first, "cash") == "bonus tiles cannot be used on a player's first turn"


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("grow Omaha", "you have no franchise in Omaha"),
        ("grow New York", "New York has been scored and has no spaces left"),
        ("grow Chicago", "Chicago holds only your expansion marker of this turn"),
        ("double Detroit", "Detroit can be doubled only after you increase your market share there this turn"),
        ("expand Omaha 5", "expand LOCATION PRICE [free] belongs to phase 2, expanding; it is now phase 3, increasing "
         "market share"),
    ],
)  # fmt: skip
def test_why_growth_is_refused(move: str, reason: str) -> None:
    game = position("""
        Detroit: blue
        New York: blue scored
        blue cash 9
    """)
    play(game, "expand Chicago 3; done")
    assert refusal(game, move) == reason


def test_why_a_starting_town_is_refused() -> None:
    game = Game(4)
    game.play("start Reno")
    assert refusal(game, "start Reno") == "the town Reno is taken"
    assert refusal(game, "done") == (
        "done belongs to phase 2, expanding; it is now the set-up, where everyone puts a starting franchise"
    )


def test_why_the_boom_marker_is_refused() -> None:
    game = position(
        """
        Denver: blue scored
        boom Chicago
        blue to boom
    """,
        options=Options(boom=True),
    )
    assert refusal(game, "boom Chicago") == "the boom marker is already in Chicago; write stay"
    assert refusal(game, "boom Seattle") == "Seattle has no direct connection to Chicago"


def test_why_an_expansion_tile_is_refused() -> None:
    game = position("""
        Detroit: blue
        blue cash 4
        expansion 0
    """)
    assert refusal(game, "far Chicago") == "Chicago is directly linked to one of your locations"
    assert refusal(game, "far Seattle") == "the cheapest route to Seattle costs $5, but you have $4"
    assert refusal(game, "far Detroit") == "you already have a franchise in Detroit"
    game.play("expand Indianapolis")
    assert refusal(game, "far Omaha") == "the expansion tile replaces the first expansion of a turn"


def test_why_a_draft_is_refused() -> None:
    game = Game(4, options=Options(expert="draft"))
    play(game, "tile 8 New York; tile 7 Chicago; tile 7 Los Angeles; tile 6 Denver; tile 6 Omaha")
    assert refusal(game, "tile 4 Denver") == "Denver already has its city tile"
    assert refusal(game, "tile 6 Dallas") == "no city tile of size 6 is left"
    while game.state[0].phase == Phase.DRAFT_CITIES:
        game.play(game.legal_actions()[0])
    game.play("region Texas on Florida")
    assert refusal(game, "region Florida on Florida") == "Florida already has its region tile"
    assert refusal(game, "region Texas on Texas") == "the region tile Texas is not among those left to place"
    assert refusal(game, "region N1 on Texas") == "the region tile N1 is not among those left to place"


def test_a_bonus_tile_gained_this_turn_waits_for_the_next() -> None:
    game = position("Detroit: blue\nblue bonus 1\nblue cash 9\nfresh 1", options=Options(milestones=True))
    assert refusal(game, "cash") == "a bonus tile gained this turn can be used from the next turn on"


def test_after_the_end_every_move_is_refused() -> None:
    game = position("Detroit: blue\nblue to grow\nquiet 3")
    game.play("end")
    for move in ("end", "done", "cash", "expand Chicago 3", "start Reno"):
        assert refusal(game, move) == "the game is over"


def test_every_phase_has_a_name_but_the_end() -> None:
    assert set(PHASES) == set(Phase) - {Phase.OVER}
    assert len(FORMS) == len(Kind) - 3  # expansions with the road tile are written like the others


def test_a_reason_is_a_message_key_with_its_values() -> None:
    reason = Reason("the town {place} is taken", {"place": "Reno"})
    assert str(reason) == "the town Reno is taken"
