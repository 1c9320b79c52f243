"""The results file: it grows by one line a game, resumes, and tells where it is damaged."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.made_up_runs import random_run
from franchise.arena.match import play
from franchise.arena.results import Results, seed_of
from franchise.arena.run import ArenaError

GAMES = 4


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The results of four games."""
    path = tmp_path / "runs" / "results.jsonl"
    with Results(path, random_run()) as results:
        assert list(results.resume(GAMES)) == []
        for game in range(GAMES):
            results.add(play(random_run(), game))
    return path


def resumed(path: Path, games: int = GAMES) -> Iterator[int]:
    with Results(path, random_run()) as results:
        for outcome in results.resume(games):
            yield outcome.game


def test_the_first_line_holds_the_run_and_each_other_one_a_game(file: Path) -> None:
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    assert lines[0] == {"franchise_arena": 2, **random_run().data()}
    assert [line["game"] for line in lines[1:]] == [0, 1, 2, 3]
    assert seed_of(file) == 5


def test_finished_games_are_there_again_and_the_file_is_as_it_was(file: Path) -> None:
    before = file.read_bytes()
    with Results(file, random_run()) as results:
        assert list(results.resume(GAMES)) == [play(random_run(), game) for game in range(GAMES)]
        assert set(results.done) == {0, 1, 2, 3}
        assert list(results.outcomes()) == [play(random_run(), game) for game in range(GAMES)]
    assert file.read_bytes() == before


def test_a_last_line_that_was_cut_off_is_dropped_and_its_game_can_be_added_again(file: Path) -> None:
    whole = file.read_bytes()
    file.write_bytes(whole[:-100])
    with Results(file, random_run()) as results:
        assert [outcome.game for outcome in results.resume(GAMES)] == [0, 1, 2]
        assert results.cut == 5
        results.add(play(random_run(), 3))
    assert file.read_bytes() == whole


def test_a_file_cut_off_in_its_first_line_begins_anew(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:20])
    assert list(resumed(file)) == []
    assert seed_of(file) == 5


@pytest.mark.parametrize(
    ("number", "line", "problem"),
    [
        (3, "{nonsense", "not JSON"),
        (2, "[]", "a game has the fields"),
        (4, '{"game": 2}', "a game has the fields"),
    ],
)
def test_a_damaged_line_is_named(file: Path, number: int, line: str, problem: str) -> None:
    lines = file.read_text(encoding="utf-8").splitlines()
    lines[number - 1] = line
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    with pytest.raises(ArenaError, match=rf"results\.jsonl, line {number}: {problem}.*remove the line"):
        list(resumed(file))


def test_a_game_that_is_there_twice_is_named_with_both_lines(file: Path) -> None:
    lines = file.read_text(encoding="utf-8").splitlines()
    file.write_text("\n".join([*lines, lines[2]]) + "\n", encoding="utf-8")
    with pytest.raises(ArenaError, match="line 6: game 1 is in line 3 already"):
        list(resumed(file))


def test_a_game_with_another_seed_or_seating_is_named(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace('"seed":7', '"seed":70'), encoding="utf-8")
    with pytest.raises(ArenaError, match="line 4: game 2 has the seed 7 in this run"):
        list(resumed(file))
    file.write_text(text.replace('"seating":["random"', '"seating":["other"'), encoding="utf-8")
    with pytest.raises(ArenaError, match="line 2: game 0 has another seating"):
        list(resumed(file))


def test_the_results_of_another_run_are_refused_with_what_differs(file: Path) -> None:
    with (
        Results(file, random_run(seed=6)) as results,
        pytest.raises(ArenaError, match="holds another run: its seed is 5, not 6"),
    ):
        list(results.resume(GAMES))
    with (
        Results(file, random_run(simulations=9)) as results,
        pytest.raises(ArenaError, match="its simulations is null, not 9"),
    ):
        list(results.resume(GAMES))


def test_a_run_can_be_lengthened_but_not_shortened(file: Path) -> None:
    assert list(resumed(file, games=9)) == [0, 1, 2, 3]
    with pytest.raises(ArenaError, match="holds game 2: play at least 3 games with -n"):
        list(resumed(file, games=2))


def test_any_other_file_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "diary.txt"
    path.write_text('"dear"\n', encoding="utf-8")
    with pytest.raises(ArenaError, match="line 1: not a results file"):
        list(resumed(path))
    assert path.read_text(encoding="utf-8") == '"dear"\n'
    assert seed_of(path) is None


def test_a_second_run_does_not_write_to_the_same_file(file: Path) -> None:
    with Results(file, random_run()), pytest.raises(ArenaError, match="another run is writing"):
        list(resumed(file))


def test_no_game_is_written_twice(file: Path) -> None:
    with Results(file, random_run()) as results:
        list(results.resume(GAMES))
        with pytest.raises(ArenaError, match="game 1 was played twice"):
            results.add(play(random_run(), 1))


def test_a_folder_is_no_results_file(tmp_path: Path) -> None:
    with pytest.raises(ArenaError, match="Is a directory"):
        list(resumed(tmp_path))
