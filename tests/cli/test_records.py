"""franchise replay and franchise verify."""

import io
import json
import os
from pathlib import Path
from typing import Any

import pytest

from franchise import Game


def test_replay_tells_the_whole_story_in_sentences(record: Path, finished: Game, run: Any) -> None:
    code, out, err = run("replay", record)
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == f"A game for 3 players with milestones ({' '.join(finished.setup.milestones)}), boom."
    assert lines[1].startswith("  Cy starts in ")
    assert lines[2].startswith("  Red starts in ")
    assert lines[lines.index("Turn 1: Ann.") - 1] == ""
    assert [line for line in lines if line.startswith("Turn ")][-1].startswith(f"Turn {finished.turn}: ")
    assert all(line.endswith(".") for line in lines[:-4] if line)
    result = finished.result()
    assert lines[-1].startswith(("Ann", "Red", "Cy"))
    assert lines[-1].endswith(("wins.", "share the victory."))
    first = max(range(3), key=lambda seat: result.scores[seat])
    assert lines[-4].startswith(f"{('Ann', 'Red', 'Cy')[first]}: {max(result.scores)} (cities ")


def test_replay_to_a_move_stops_there(record: Path, finished: Game, run: Any) -> None:
    code, out, _ = run("replay", record, "--to", 2)
    assert code == 0
    assert out.splitlines()[3:] == ["", "Ann is to move (start), after 2 moves."]


def test_replay_to_the_end_is_the_whole_game(record: Path, finished: Game, run: Any) -> None:
    assert run("replay", record, "--to", len(finished.actions)) == run("replay", record)


def test_replay_beyond_the_end_is_refused(record: Path, finished: Game, run: Any) -> None:
    code, out, err = run("replay", record, "--to", 9999)
    assert (code, out) == (2, "")
    assert f"--to 9999: the game has {len(finished.actions)} moves" in err
    assert err.count("\n") == 1


def test_replay_as_json_holds_moves_events_view_and_result(record: Path, finished: Game, run: Any) -> None:
    data = json.loads(run("replay", record, "--json").out)
    assert data["players"] == 3
    assert [row["move"] for row in data["moves"]] == [str(action) for action in finished.actions]
    assert data["moves"][0]["events"][0]["kind"] == "start"
    assert data["view"] == json.loads(json.dumps(finished.view()))
    assert data["result"]["scores"] == list(finished.result().scores)
    assert data["result"]["winners"] == list(finished.result().winners)


def test_replay_of_an_unfinished_game_as_json_has_no_result(record: Path, finished: Game, run: Any) -> None:
    data = json.loads(run("replay", record, "--to", 4, "--json").out)
    assert len(data["moves"]) == 4
    assert data["view"] == json.loads(json.dumps(finished.at(4).view()))
    assert "result" not in data


def test_replay_of_a_damaged_record_says_which_line(record: Path, run: Any) -> None:
    record.write_text("franchise 1\nplayers 9\n", encoding="utf-8")
    code, out, err = run("replay", record)
    assert (code, out) == (1, "")
    assert err == f"{record}: line 2: expected 'players' and a number from 2 to 5, not '9'\n"


def test_verify_says_that_records_hold(record: Path, finished: Game, tmp_path: Path, run: Any) -> None:
    short = tmp_path / "short.franchise"
    short.write_text(finished.at(5).to_text(), encoding="utf-8")
    code, out, err = run("verify", record, short)
    assert (code, err) == (0, "")
    assert out.splitlines() == [
        f"{record}: valid, 3 players, {len(finished.actions)} moves, finished",
        f"{short}: valid, 3 players, 5 moves, unfinished",
    ]


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("franchise 1", "chess 1", "line 1: expected the first line of a record, 'franchise 1'"),
        ("option boom", "option doom", "line 4: expected option introductory"),
        ("stay; ", "stay; fly; ", "'fly' is not a move"),
        ("result ", "result 9", "which the moves lead to"),
    ],
)
def test_verify_gives_the_reason_and_exit_code_1(old: str, new: str, reason: str, record: Path, run: Any) -> None:
    good = record.with_name("good.franchise")
    good.write_bytes(record.read_bytes())
    record.write_text(record.read_text(encoding="utf-8").replace(old, new, 1), encoding="utf-8")
    code, out, err = run("verify", record, good)
    assert code == 1
    assert out.startswith(f"{good}: valid")
    first, last = err.splitlines()
    assert first.startswith(f"{record}: line ")
    assert reason in first
    assert last == "1 of 2 records is invalid"


def test_verify_of_a_file_that_is_no_text_gives_the_reason(record: Path, run: Any) -> None:
    record.write_bytes(b"franchise 1\n\xff\xfe")
    code, _, err = run("verify", record)
    assert code == 1
    assert err.splitlines()[0] == f"{record}: line 2: expected UTF-8 text"


def test_verify_goes_on_after_a_file_that_is_not_there(record: Path, run: Any) -> None:
    missing = record.with_name("missing.franchise")
    code, out, err = run("verify", missing, record)
    assert code == 1
    assert out.startswith(f"{record}: valid")
    assert err.splitlines() == [f"{missing}: No such file or directory", "1 of 2 records is invalid"]


def test_verify_goes_on_after_a_file_that_nobody_may_read(
    record: Path, run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed = record.with_name("closed.franchise")
    closed.touch()
    readable, opening = os.access, Path.open

    def access(path: Any, mode: int, **more: Any) -> bool:
        return Path(path) != closed and readable(path, mode, **more)

    def opened(path: Path, *how: Any, **more: Any) -> Any:
        if path == closed:
            raise PermissionError(13, "Permission denied", str(path))
        return opening(path, *how, **more)

    monkeypatch.setattr(os, "access", access)  # the tests may run as root, who may read everything
    monkeypatch.setattr(Path, "open", opened)
    code, out, err = run("verify", closed, record)
    assert code == 1
    assert out.startswith(f"{record}: valid")
    assert err.splitlines() == [f"{closed}: Permission denied", "1 of 2 records is invalid"]


def test_verify_reads_standard_input_and_answers_in_json(
    record: Path, finished: Game, run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(record.read_bytes())))
    missing = record.with_name("missing.franchise")
    code, out, _ = run("verify", "-", missing, "--json")
    assert code == 1
    assert json.loads(out) == [
        {"file": "-", "valid": True, "players": 3, "moves": len(finished.actions), "finished": True},
        {"file": str(missing), "valid": False, "reason": "No such file or directory"},
    ]
