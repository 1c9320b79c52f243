"""Policies in ONNX files."""

import importlib.util
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from franchise import Game, Options
from franchise.bots.protocol import BotError
from franchise.bots.registry import find, make
from franchise.engine.actions import ACTIONS, BASE_ACTIONS
from franchise.engine.observe import SIZE

onnx = pytest.importorskip("onnx", reason="onnx has no wheel for this Python")
pytest.importorskip("onnxruntime", reason="onnxruntime has no wheel for this Python")
EXAMPLE = Path(__file__).parents[2] / "examples" / "to_onnx.py"


def written(folder: Path, actions: int = BASE_ACTIONS, size: int = SIZE) -> Path:
    """A policy that prefers actions in a fixed order, whatever it sees."""
    spec: Any = importlib.util.spec_from_file_location("to_onnx", EXAMPLE)
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    example.SIZE = size
    order = np.random.default_rng(1).permutation(actions)
    weights = {"into": np.zeros((size, 1)), "bias": np.ones(1), "act": order[None, :]}
    onnx.save(example.model(weights), folder / "policy.onnx")
    return folder / "policy.onnx"


def test_a_policy_plays_the_legal_move_it_likes_best(tmp_path: Path) -> None:
    bot = make(f"onnx:{written(tmp_path)}")
    assert bot.name == "onnx:policy.onnx"
    order = np.random.default_rng(1).permutation(BASE_ACTIONS)
    game = Game(2, 0, Options(mini=True))
    for _ in range(20):
        choice = bot.choose(game)
        assert choice.id == max(game.legal_numbers(), key=lambda number: order[number])
        assert bot.analyse(game).moves[0].action == choice
        game.play(choice)
    bot.close()


def test_what_is_no_policy_is_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "text.onnx").write_text("no model", encoding="utf-8")
    for name, message in (
        (tmp_path / "nowhere.onnx", "there is no policy"),
        (tmp_path / "text.onnx", "not an ONNX file that can be run"),
        (written(tmp_path, actions=7), "not a number for each action"),
    ):
        with pytest.raises(BotError, match=message):
            find(f"onnx:{name}")
    (tmp_path / "other").mkdir()
    with pytest.raises(BotError, match=r"not float32 observations \(batch, 909\)"):
        find(f"onnx:{written(tmp_path / 'other', size=5)}")


def test_a_policy_of_the_base_game_fails_where_modules_have_moves(tmp_path: Path) -> None:
    bot = make(f"onnx:{written(tmp_path)}")
    game = Game(2, 0, Options(expert="draft"))
    assert len(ACTIONS) > BASE_ACTIONS
    with pytest.raises(ValueError, match="knows only 321 actions"):
        bot.choose(game)
