"""The report: one page that stands alone, whatever the bots are called."""

import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from arena.made_up_runs import outcome, random_run
from franchise.arena import run_report as report
from franchise.arena.match import play
from franchise.arena.outcome import Forfeit, Outcome
from franchise.arena.run import ArenaError, Run
from franchise.arena.run_counts import RunCounts, average, quantile
from franchise.arena.standings import Standings

HOSTILE = ("<script>alert(1)</script>", "\"'&amp; $x_{1}$ {0} %s", "program:" + "x" * 90)
VOID = {"meta", "br", "link", "img", "input"}


class Checker(HTMLParser):
    """Reads a page as a browser would, and complains about tags that do not fit."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.ids: list[str] = []
        self.references: list[str] = []
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag not in VOID:
            self.open.append(tag)
        self.look(attrs)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.look(attrs)

    def look(self, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names))
        for name, value in attrs:
            if name == "id":
                self.ids.append(value or "")
            if name in ("href", "src", "xlink:href", "data", "action"):
                self.references.append(value or "")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] != "style":
            self.words.append(data.strip())


def written(run: Run, outcomes: list[Outcome], folder: Path) -> str:
    standings = Standings(run.entrants, run.players)
    for finished in outcomes:
        standings.add(finished)
    report.write(folder / "report" / "index.html", run, standings, outcomes)
    return (folder / "report" / "index.html").read_text(encoding="utf-8")


def checked(text: str) -> Checker:
    checker = Checker()
    checker.feed(text)
    checker.close()
    assert checker.open == []
    return checker


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The report of random games by bots with hostile names, one of which lost its seat."""
    run = random_run(*HOSTILE)
    played = []
    for number in range(6):
        game = play(random_run("random", "random", "random"), number).data()
        lost = Forfeit(seat=0, bot=HOSTILE[0], by="random", turn=2, move=9, reason="<b>no & no</b>")
        parts = {name: getattr(play(random_run("random", "random", "random"), number), name) for name in game}
        played.append(Outcome(**(parts | {"seating": run.seating(number), "forfeits": (lost,)})))
    return written(run, played, tmp_path_factory.mktemp("hostile"))


def test_the_page_is_well_formed_with_all_its_pictures(hostile: str) -> None:
    checker = checked(hostile)
    assert hostile.startswith("<!doctype html>")
    assert checker.tags.count("svg") == 9
    assert checker.tags.count("h1") == 1
    assert len(checker.ids) == len(set(checker.ids))
    for drawing in re.findall(r"<svg.*?</svg>", hostile, re.DOTALL):
        ElementTree.fromstring(drawing)


def test_the_page_needs_nothing_from_elsewhere(hostile: str) -> None:
    checker = checked(hostile)
    assert {"script", "link", "img", "iframe", "object"}.isdisjoint(checker.tags)
    assert all(reference.startswith("#") for reference in checker.references)
    assert {reference[1:] for reference in checker.references} <= set(checker.ids)
    assert "://" not in hostile
    assert "@import" not in hostile
    assert set(re.findall(r"url\((.)", hostile)) <= {"#"}


def test_names_and_reasons_are_shown_as_they_are_and_never_run(hostile: str) -> None:
    words = checked(hostile).words
    assert "<script" not in hostile
    assert HOSTILE[0] in words
    assert HOSTILE[1] in words
    assert "<b>no & no</b>" in words


def test_the_page_knows_light_and_dark(hostile: str) -> None:
    assert "prefers-color-scheme: dark" in hostile
    assert "currentColor" in hostile


def test_a_single_game_and_no_game_at_all_make_a_page_too(tmp_path: Path) -> None:
    run = random_run("random", "random")
    assert checked(written(run, [play(run, 0)], tmp_path)).tags.count("svg") == 9
    assert checked(written(run, [], tmp_path)).tags.count("svg") == 0


def test_a_page_that_cannot_be_written_is_one_error(tmp_path: Path) -> None:
    (tmp_path / "report").write_text("a file is in the way", encoding="utf-8")
    with pytest.raises(ArenaError, match=r"index\.html: "):
        written(random_run("random", "random"), [], tmp_path)


def test_the_course_counts_scores_lengths_scorings_and_turns() -> None:
    details: dict[str, Any] = {"turns": 2, "influence": ((0, 1), (4, 1)), "cash": ((5, 6), (7, 8))}
    run_counts = RunCounts([outcome(("a", "b"), (9, 4), **details), outcome(("b", "a"), (9, 4), game=1, **details)])
    assert run_counts.games == 2
    assert run_counts.lengths == {2: 2}
    assert run_counts.scores["a"] == {9: 1, 4: 1}
    assert run_counts.influence["a"] == [{0: 1, 1: 1}, {4: 1, 1: 1}]
    assert run_counts.cash["b"] == [{6: 1, 5: 1}, {8: 1, 7: 1}]
    assert run_counts.usual_turns() == 2


def test_quantiles_and_means_of_counts() -> None:
    counts = RunCounts([outcome(("a", "b"), (score, 0), game=score) for score in range(1, 11)]).scores["a"]
    assert [quantile(counts, share) for share in (0, 0.1, 0.25, 0.5, 0.9, 1)] == [1, 1, 3, 5, 9, 10]
    assert average(counts) == 5.5
    with pytest.raises(ValueError, match="no values"):
        quantile(type(counts)(), 0.5)
