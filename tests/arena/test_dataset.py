"""Games as two Parquet files, read again by duckdb."""

import json
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest

from franchise import Game, Options
from franchise.arena import dataset
from franchise.arena.run import ArenaError
from franchise.envs import spaces


def rows(path: Path) -> list[dict[str, Any]]:
    with duckdb.connect() as connection:
        table = connection.read_parquet(str(path))
        return [dict(zip(table.columns, row, strict=True)) for row in table.fetchall()]


@pytest.fixture
def exported(tmp_path: Path) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    sources = dataset.from_chance(3, 3, 5, Options(milestones=True, boom=True))
    games, moves = dataset.export(sources, tmp_path, observations=True)
    read = rows(tmp_path / "games.parquet"), rows(tmp_path / "moves.parquet")
    assert (len(read[0]), len(read[1])) == (games, moves)
    return read


def test_every_game_and_every_move_is_a_row_with_all_columns(exported: Any) -> None:
    games, moves = exported
    assert list(games[0]) == [column.name for column in dataset.GAMES]
    assert list(moves[0]) == [column.name for column in dataset.MOVES]
    assert [game["game"] for game in games] == [0, 1, 2]
    assert [game["seed"] for game in games] == [5, 6, 7]
    assert sum(game["moves"] for game in games) == len(moves)


def test_a_row_tells_its_game_and_the_record_replays_it(exported: Any) -> None:
    games, _ = exported
    for row in games:
        game = Game.from_text(row["record"])
        result = game.result()
        assert row["scores"] == list(result.scores)
        assert row["winners"] == list(result.winners)
        assert [seat for seat, place in enumerate(row["places"]) if place == 1] == row["winners"]
        assert (row["players"], row["turns"], row["moves"]) == (3, game.turn, len(game.actions))
        assert json.loads(row["options"]) == {"milestones": True, "boom": True}
        assert row["finished"]
        assert row["source"] == "random"


def test_a_move_is_told_with_the_position_in_which_it_was_chosen(exported: Any) -> None:
    games, moves = exported
    game = Game.from_text(games[1]["record"])
    own = [row for row in moves if row["game"] == 1]
    for row, action in zip(own, game.actions, strict=True):
        before = game.at(row["move"])
        assert (row["action"], row["text"]) == (action.id, str(action))
        assert row["legal"] == before.legal_numbers()
        assert (row["seat"], row["turn"], row["phase"]) == (before.current_player, before.turn, before.phase)
        assert row["cash"] == [player["cash"] for player in before.view()["players"]]
        assert row["influence"] == [player["influence"] for player in before.view()["players"]]
        assert row["score"] == games[1]["scores"][row["seat"]]
        assert row["place"] == games[1]["places"][row["seat"]]
        seen = spaces.vector(before, row["seat"])
        assert np.array_equal(np.array(row["observation"], np.uint8) * spaces.SCALE, seen)


def test_records_are_exported_finished_or_not(tmp_path: Path) -> None:
    game = Game(2, 1, names=["Ann", "Bob"])
    for move in ("start Reno", "start Memphis"):
        game.play(game.legal_actions()[0] if move not in map(str, game.legal_actions()) else move)
    (tmp_path / "half.franchise").write_text(game.to_text(), encoding="utf-8")
    assert dataset.export(dataset.from_records([tmp_path / "half.franchise"]), tmp_path) == (1, 2)
    (row,) = rows(tmp_path / "games.parquet")
    assert (row["finished"], row["scores"], row["source"]) == (False, None, "half.franchise")
    assert row["names"] == ["Ann", "Bob"]
    assert rows(tmp_path / "moves.parquet")[0]["observation"] is None


def test_a_file_that_is_no_record_is_named(tmp_path: Path) -> None:
    (tmp_path / "bad.franchise").write_text("franchise 2\n", encoding="utf-8")
    with pytest.raises(ArenaError, match=r"bad\.franchise: line 1: expected"):
        dataset.export(dataset.from_records([tmp_path / "bad.franchise"]), tmp_path)
