"""How many ways there are to play on from a position: one number that changes when any rule does.

perft.json holds positions as records and the counts for depth 1, 2, 3 ... `python tests/engine/test_perft.py` writes it
anew after a change of the rules; every number that differs then needs a reason.
"""

import json
import random
import sys
from itertools import takewhile
from pathlib import Path

import pytest

from franchise import Game, Options
from franchise.engine.jit import COMPILED
from franchise.engine.layout import Kind
from franchise.engine.setups import NEW_TILES, PRINTED_TILES
from franchise.engine.walk import count_ways

FILE = Path(__file__).with_name("perft.json")
GAMES = Path(__file__).parents[1] / "games"
RARE = (Kind.FAR, Kind.EXPAND_FREE, Kind.AGAIN_FREE, Kind.FAR_FREE, Kind.SCORE)
LIMIT = 1_000_000 if COMPILED else 300  # ways a test counts
CASES = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}


def within(limit: int, counts: list[int]) -> list[int]:
    """The first counts up to a limit, one at least and not too deep for plain mode."""
    return [counts[0], *takewhile(lambda count: count <= limit, counts[1 : None if COMPILED else 5])]


@pytest.mark.parametrize("name", CASES)
def test_the_number_of_ways_to_play_on_is_as_recorded(name: str) -> None:
    game = Game.from_text("\n".join(CASES[name]["record"]))
    before = game.state.tobytes()
    counts = within(LIMIT, CASES[name]["counts"])
    assert [count_ways(game.rules, game.state, depth) for depth in range(1, len(counts) + 1)] == counts
    assert game.state.tobytes() == before


def slow_count(game: Game, depth: int) -> int:
    """The same by playing and taking back."""
    if depth == 0:
        return 1
    total = 0
    for action in game.legal_actions():
        game.play(action)
        total += slow_count(game, depth - 1)
        assert game.undo() == action
    return total


@pytest.mark.parametrize("name", list(CASES)[:: 1 if COMPILED else 8])
def test_playing_and_taking_back_counts_the_same(name: str) -> None:
    game = Game.from_text("\n".join(CASES[name]["record"]))
    counts = within(1_000 if COMPILED else 30, CASES[name]["counts"])
    assert slow_count(game, len(counts)) == counts[-1]


def test_there_is_one_way_to_do_nothing_and_none_after_the_end() -> None:
    game = Game.from_text((GAMES / "base-2.franchise").read_text(encoding="utf-8"))
    assert count_ways(game.rules, game.state, 0) == 1
    assert count_ways(game.rules, game.state, 1) == 0
    game.undo()
    assert count_ways(game.rules, game.state, 1) == len(game.legal_actions())
    ways = count_ways(game.rules, game.state, 2)
    assert ways == slow_count(game, 2)


def test_the_fixtures_cover_every_number_of_players_and_every_option() -> None:
    lines = {line for case in CASES.values() for line in case["record"]}
    assert lines >= {f"players {players}" for players in (2, 3, 4, 5)}
    assert lines >= {"option introductory", "option milestones", "option boom"}
    assert lines >= {f"option expert {way}" for way in ("draft", "random", "arranged")}
    assert lines >= {f"option regions {way}" for way in ("mixed", "new", "chosen")}


# --- Writing the fixtures ---------------------------------------------------------------------------------------------


def positions() -> dict[str, Game]:
    """The positions to count from: starts, openings, and the middle of recorded games."""
    found = {}
    everything = {"milestones": True, "boom": True}
    options = {
        "base": Options(),
        "introductory": Options(introductory=True),
        "draft": Options(expert="draft"),
        "random": Options(expert="random"),
        "arranged": Options(expert="arranged", city_tiles={"Chicago": 8, "New York": 7}),
        "milestones": Options(milestones=True),
        "boom": Options(boom=True),
        "mixed": Options(regions="mixed"),
        "new": Options(regions="new"),
        "chosen": Options(regions="chosen", chosen_tiles=(*PRINTED_TILES[:4], *NEW_TILES[-6:])),
        "everything": Options(expert="draft", regions="new", **everything),
        "everything-introductory": Options(introductory=True, expert="random", regions="mixed", **everything),
    }
    for name, chosen in options.items():
        for players in (2, 3, 4, 5):
            game = Game(players, players, chosen)
            if name in ("base", "draft", "boom"):
                found[f"{name}-{players}-start"] = game.copy()
            rng = random.Random(players)
            # into the third round, where bonus tiles are allowed; later where region tiles are to matter
            while game.turn <= (2 if chosen.regions is None else 6) * players:
                legal = game.legal_actions()
                others = [action for action in legal if action.kind not in (Kind.DONE, Kind.END)]
                game.play(rng.choice(others or legal))
            found[f"{name}-{players}"] = game
    for path in sorted(GAMES.glob("*.franchise")):
        finished = Game.from_text(path.read_text(encoding="utf-8"))
        rare = [i for i, a in enumerate(finished.actions) if a.kind in RARE]
        if rare:  # where a special tile is about to be used, or the order of regions chosen
            found[f"{path.stem}-before-move-{rare[0]}"] = finished.at(rare[0])
        if path.stem.startswith(("everything", "red-zone", "standstill")):
            found[f"{path.stem}-end"] = finished.at(len(finished.actions) - 6)
    return found


def counted(game: Game) -> list[int]:
    """Counts as deep as takes about a second."""
    counts = [len(game.legal_actions())]
    while 0 < counts[-1] < 60_000:
        counts.append(count_ways(game.rules, game.state, len(counts) + 1))
    return counts


def main() -> None:
    cases = {}
    for name, game in positions().items():
        cases[name] = {"record": game.to_text().splitlines(), "counts": counted(game)}
    FILE.write_text(json.dumps(cases, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    sys.stdout.write("".join(f"{name}: {case['counts']}\n" for name, case in cases.items()))


if __name__ == "__main__":
    main()
