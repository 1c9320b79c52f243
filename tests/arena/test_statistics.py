"""Statistics over records, compared with what the moves themselves say."""

from collections import Counter, defaultdict
from pathlib import Path

import pytest

from arena.test_report import checked
from franchise import Game
from franchise.arena import statistics_report
from franchise.arena.statistics import FEW, Statistics, Tally, statistics
from franchise.record import read_file


@pytest.fixture(scope="module")
def games() -> list[Game]:
    return [read_file(path) for path in sorted((Path(__file__).parents[1] / "games").glob("*.franchise"))]


@pytest.fixture(scope="module")
def counted(games: list[Game]) -> Statistics:
    return statistics(games)


def shared() -> Game:
    """The shortest game: nobody does anything, and both win."""
    game = Game(2, 1, names=["Ann", "Ben"])
    for move in ("start Huntsville", "start Ogallala", "done", "end", "done", "end"):
        game.play(move)
    return game


def won(game: Game) -> list[float]:
    winners = game.result().winners
    return [1 / len(winners) if seat in winners else 0.0 for seat in range(game.players)]


def test_a_shared_victory_counts_in_parts() -> None:
    made = statistics([shared()])
    assert made.finished == 1
    assert [row.wins.value for row in made.by_seat()[2]] == [0.5, 0.5]
    assert {row.name: (row.games, row.wins.value, row.fair) for row in made.by_start()} == {
        "Huntsville": (1, 0.5, 0.5),
        "Ogallala": (1, 0.5, 0.5),
    }
    assert made.by_region() == []
    assert [(row.name, row.wins.value, row.fair) for row in made.by_use()] == [("kept", 1.0, 1.0)]
    assert {row.name for row in made.by_player()} == {"Ann", "Ben"}


def test_an_unfinished_game_is_counted_as_such_and_no_more() -> None:
    made = statistics([shared().at(4), shared()])
    assert (made.finished, made.unfinished, made.turns.total()) == (1, 1, 1)


def test_seats_win_as_often_as_there_are_games(games: list[Game], counted: Statistics) -> None:
    assert counted.finished == len(games)
    for players, tallies in counted.seats.items():
        these = [game for game in games if game.players == players]
        for seat, tally in enumerate(tallies):
            assert tally.games == len(these)
            assert tally.won == pytest.approx(sum(won(game)[seat] for game in these))
    assert counted.first_player().wins.value == pytest.approx(sum(won(game)[0] for game in games) / len(games))


def test_starts_and_bonus_tiles_are_those_of_the_moves(games: list[Game], counted: Statistics) -> None:
    starts: defaultdict[str, Tally] = defaultdict(Tally)
    uses: defaultdict[str, Tally] = defaultdict(Tally)
    for game in games:
        walk, began, used = game.at(0), defaultdict(set), defaultdict(set)
        for action in game.actions:
            word, _, rest = str(action).partition(" ")
            if word == "start":
                began[rest].add(walk.current_player)
            if word in ("again", "double", "cash"):
                used[word].add(walk.current_player)
            walk.play(action)
        for tallies, found in ((starts, began), (uses, used)):
            for name, seats in found.items():
                tallies[name].add(sum(won(game)[seat] for seat in seats), len(seats) / game.players)
    assert counted.starts == starts
    assert {name: tally for name, tally in counted.uses.items() if name != "kept"} == uses


def test_the_first_of_a_region_has_the_most_franchises_there(games: list[Game], counted: Statistics) -> None:
    """Of games whose region is scored by the very last move nothing can change afterwards."""
    found = Counter[str]()
    for game in games:
        for name, region in game.view()["regions"].items():
            if region["scored"]:
                found[name] += 1
    assert {row.name: row.games for row in counted.by_region()} == found
    for game in games:
        single = statistics([game])
        before = game.at(len(game.actions) - 1).view()["regions"]
        after = game.view()["regions"]
        for name in after:
            if after[name]["scored"] and not before[name]["scored"]:
                most = max(after[name]["franchises"].values())
                firsts = [seat for seat, count in enumerate(after[name]["franchises"].values()) if count == most]
                assert single.regions[name].won in [won(game)[seat] for seat in firsts]


def test_a_verdict_needs_games_and_an_interval_beside_the_fair_share() -> None:
    few = Tally(games=FEW - 1, won=FEW - 1, fair=0.25 * (FEW - 1)).row("few")
    many, even, less = (Tally(games=100, won=won, fair=25).row("") for won in (60, 27, 5))
    assert [row.verdict for row in (few, many, even, less)] == [0, 1, 0, -1]


def test_the_page_stands_alone_and_shows_everything(games: list[Game], counted: Statistics, tmp_path: Path) -> None:
    hostile = shared()
    hostile.names = ("<b>&amp;</b>", "Ben")
    statistics_report.write(tmp_path / "new" / "page.html", statistics([*games, hostile]), "<games>")
    page = checked((tmp_path / "new" / "page.html").read_text(encoding="utf-8"))
    assert page.tags.count("figure") == page.tags.count("table") == 8
    assert all(reference.startswith("#") for reference in page.references)
    assert {"script", "b", "img", "games"} & set(page.tags) == set()
    words = " ".join(page.words)
    assert "What wins: <games>" in words
    assert f"{len(games) + 1} finished games" in words
    for row in (*counted.by_region(), *counted.by_start(), *counted.by_player()):
        assert row.name in words


def test_a_page_without_games_says_so() -> None:
    assert "0 finished games" in " ".join(checked(statistics_report.page(Statistics(), "nothing")).words)
