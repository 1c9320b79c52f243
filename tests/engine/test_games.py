"""A folder of finished games, replayed: every option, every kind of move and of event, and what is rare.

tests/games/make.py wrote them and says what each one shows.
"""

from collections import Counter
from pathlib import Path

import pytest

from franchise import Game, RecordError
from franchise.engine.jit import COMPILED
from franchise.engine.layout import EventKind, Kind
from franchise.facts import MILESTONES
from games.make import ENTRIES, Entry, claims

FOLDER = Path(__file__).parents[1] / "games"
# every fourth in plain mode; test_plain_and_compiled.py replays them all there
EACH = pytest.mark.parametrize("entry", ENTRIES if COMPILED else ENTRIES[::4], ids=lambda entry: entry.name)


def test_every_file_of_the_folder_is_one_the_script_makes() -> None:
    assert sorted(path.name for path in FOLDER.glob("*.franchise")) == sorted(entry.path.name for entry in ENTRIES)


@EACH
def test_a_finished_game_replays_to_its_result_and_is_written_as_before(entry: Entry) -> None:
    text = entry.path.read_text(encoding="utf-8")
    game = Game.from_text(text)  # plays every move and compares the result line
    assert game.over
    assert game.players == entry.players
    assert game.setup.options == entry.options.bare()
    assert game.names == tuple(entry.names)
    assert game.to_text() == text
    result = game.result()
    assert text.splitlines()[-1] == "result " + " ".join(map(str, result.scores))
    assert [sum(parts.values()) for parts in result.breakdown] == list(result.scores)
    assert max(result.scores) == result.scores[result.winners[0]]
    assert entry.shows(game, game.history())


@pytest.mark.parametrize("entry", ENTRIES[:4], ids=lambda entry: entry.name)
def test_a_finished_game_with_another_result_does_not_hold(entry: Entry) -> None:
    *lines, result = entry.path.read_text(encoding="utf-8").splitlines()
    scores = result.split()[1:]
    wrong = " ".join(["result", str(int(scores[0]) + 1), *scores[1:]])
    with pytest.raises(RecordError, match=f"line {len(lines) + 1}: expected '{result}'"):
        Game.from_text("\n".join([*lines, wrong]))


# --- What the folder covers -------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def replayed() -> list[tuple[Game, list]]:
    games = [Game.from_text(entry.path.read_text(encoding="utf-8")) for entry in ENTRIES]
    return [(game, game.history()) for game in games]


@pytest.mark.compiled_only
def test_the_folder_has_every_option_at_least_twice_and_games_of_two_to_five_players(replayed: list) -> None:
    seen: Counter[str] = Counter()
    for game, _ in replayed:
        options = game.setup.options
        seen[f"{game.players} players"] += 1
        for name in ("introductory", "expert", "milestones", "boom", "regions"):
            seen[f"{name} {getattr(options, name)}"] += 1
    wanted = {"introductory True", "milestones True", "boom True", *(f"{players} players" for players in (2, 3, 4, 5))}
    wanted |= {f"expert {way}" for way in (None, "draft", "random", "arranged")}
    wanted |= {f"regions {way}" for way in (None, "mixed", "new", "chosen")}
    assert {name for name in wanted if seen[name] < 2} == set()


@pytest.mark.compiled_only
def test_the_folder_has_every_kind_of_move_and_of_event(replayed: list) -> None:
    kinds = {action.kind for _, history in replayed for action, _ in history}
    assert set(Kind) - kinds == set()
    events = {event.kind for _, history in replayed for _, happened in history for event in happened}
    assert set(EventKind) - events == set()


@pytest.mark.compiled_only
def test_the_folder_has_every_milestone_claimed(replayed: list) -> None:
    claimed = {letter for _, history in replayed for letter in claims(history)}
    assert claimed == set(MILESTONES)


@pytest.mark.compiled_only
def test_the_folder_has_a_region_scored_on_every_kind_of_tile(replayed: list) -> None:
    kinds = set()
    for game, history in replayed:
        tiles = game.view()["regions"]
        scored = [event for _, happened in history for event in happened if event.kind == EventKind.REGION]
        kinds |= {tiles[event.where]["kind"] for event in scored}
    assert kinds == {"plain", "dollars", "bonus", "count", "expansion", "road"}


@pytest.mark.compiled_only
def test_the_folder_has_both_ends_shared_victories_and_ties_decided_by_towns(replayed: list) -> None:
    last = Counter(kind for _, history in replayed for kind in {event.kind for event in history[-1][1]})
    assert last[EventKind.RED_ZONE] >= 2
    assert last[EventKind.STANDSTILL] >= 2
    results = [game.result() for game, _ in replayed]
    assert any(len(result.winners) > 1 for result in results)
    assert any(len(result.winners) == 1 and result.scores.count(max(result.scores)) > 1 for result in results)
