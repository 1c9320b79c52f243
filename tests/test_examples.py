"""The examples run: each in a small form, in a process of its own or cell by cell."""

import importlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import franchise as fr

EXAMPLES = Path(__file__).parents[1] / "examples"


def run(folder: Path, name: str, *arguments: str) -> str:
    """What an example prints."""
    done = ended(folder, name, *arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout


def ended(folder: Path, name: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """How an example ends."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, str(EXAMPLES / name), *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=600)


def test_evaluating_values_that_are_not_there_says_so(tmp_path: Path) -> None:
    done = ended(tmp_path, "evaluate.py", "random", "--games", "2")
    assert (done.returncode, done.stdout) == (2, "")
    assert "there are no values in values.npz: learn some with train.py" in done.stderr


@pytest.mark.compiled_only
def test_training_keeps_checkpoints_and_the_arena_plays_what_was_learned(tmp_path: Path) -> None:
    small = ("--minutes", "0.02", "--every", "0.01", "--games", "4", "--hidden", "8", "--tries", "4")
    trained = run(tmp_path, "train.py", *small, "--against", "random,newcomer")
    rows = [json.loads(line) for line in (tmp_path / "progress.jsonl").read_text(encoding="utf-8").splitlines()]
    assert len(rows) == trained.count("(fair is 0.500)") == len(list(tmp_path.glob("values-*.npz"))) >= 1
    assert all(0 <= row["newcomer"] <= 1 for row in rows)
    judged = run(tmp_path, "evaluate.py", "random", "--games", "2").splitlines()
    assert sorted(line.split(": wins")[0] for line in judged) == ["python:evaluate:values_bot", "random"]


@pytest.mark.compiled_only
def test_the_checkpoint_of_the_repository_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VALUES", str(EXAMPLES / "checkpoints" / "duel-values.npz"))
    judged = run(tmp_path, "evaluate.py", "random", "--games", "2").splitlines()
    assert judged[0].startswith("python:evaluate:values_bot: wins 100.0%")


def test_the_cloned_policy_of_the_repository_wins_against_random(tmp_path: Path) -> None:
    pytest.importorskip("onnx", reason="onnx is not installed")
    run(tmp_path, "to_onnx.py", str(EXAMPLES / "checkpoints" / "duel-clone.npz"), "clone.onnx")
    bots = [fr.bots.make(f"onnx:{tmp_path / 'clone.onnx'}"), fr.bots.make("random", seed=1)]
    game = fr.Game(2, 1)
    while not game.over:
        game.play(bots[game.current_player].choose(game))
    assert game.result().winners == (0,)


@pytest.mark.compiled_only
def test_a_policy_that_imitates_a_bot_becomes_an_onnx_file(tmp_path: Path) -> None:
    small = ("--tier", "mini", "--games", "2", "--passes", "2", "--tries", "4", "--against", "random")
    cloned = run(tmp_path, "clone.py", *small).splitlines()
    assert cloned[1].startswith("pass 2: agrees in ")
    assert cloned[2].endswith(" of 4 games against random, fair is 50.0%")
    pytest.importorskip("onnx", reason="onnx is not installed")
    run(tmp_path, "to_onnx.py", "policy.npz", "policy.onnx")
    game = fr.Game(2, 1, fr.Options(mini=True))
    assert fr.bots.make(f"onnx:{tmp_path / 'policy.onnx'}").choose(game) in game.legal_actions()


@pytest.mark.compiled_only
def test_masked_ppo_in_torch_runs_to_its_end_and_leaves_a_policy(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="torch is not installed")
    pytest.importorskip("onnx", reason="onnx is not installed")
    learned = run(tmp_path, "torch_ppo.py", "--seconds", "0.01", "--games", "4", "--tries", "4", "--against", "random")
    assert learned.startswith("round 1, ")
    game = fr.Game(2, 1, fr.Options(mini=True))
    assert fr.bots.make(f"onnx:{tmp_path / 'policy.onnx'}").choose(game) in game.legal_actions()


@pytest.mark.compiled_only
def test_the_search_of_openspiel_plays_and_a_game_is_measured(tmp_path: Path) -> None:
    pytest.importorskip("pyspiel", reason="OpenSpiel has no wheel for this system")
    played = run(tmp_path, "openspiel_mcts.py", "--games", "1", "--simulations", "3")
    assert "of 1 games, fair is 50.0%" in played
    assert "torch" in run(tmp_path, "zero_copy.py")
    measured = run(tmp_path, "measure.py", "mini", "--games", "64")
    assert measured.startswith("mini, random moves, 64 games\nchoices of a decision: mean ")


@pytest.mark.compiled_only
def test_max_n_and_paranoid_search_play_legal_turns() -> None:
    sys.path.insert(0, str(EXAMPLES))
    try:
        paranoid = importlib.import_module("paranoid")
    finally:
        sys.path.remove(str(EXAMPLES))
    game = fr.Game(3, 1, fr.Options(introductory=True))
    bots = [paranoid.max_n(1, None), paranoid.paranoid(2, None), paranoid.paranoid(3, None)]
    while game.turn < 5:
        game.play(bots[game.current_player].choose(game))
    assert [bot.name for bot in bots] == ["max^n", "paranoid", "paranoid"]


@pytest.mark.compiled_only
def test_every_cell_of_the_notebook_runs_and_shows_something() -> None:
    """Cell by cell as a notebook would, and drawn as it would draw; committed without outputs."""
    notebook = json.loads((EXAMPLES / "tour.ipynb").read_text(encoding="utf-8"))
    names: dict[str, Any] = {}
    pictures = 0
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            assert cell["outputs"] == []
            *code, last = "".join(cell["source"]).splitlines()
            exec(compile("\n".join(code), "tour.ipynb", "exec"), names)
            shown = eval(last.partition("#")[0].strip(), names)
            if hasattr(shown, "_repr_svg_"):
                assert shown._repr_svg_().startswith("<svg")
            else:
                shown.savefig(os.devnull, format="svg")
            pictures += 1
    assert pictures == 4
