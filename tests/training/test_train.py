"""Learning by self-play: games that repeat, positions that are right, a loss that falls, and runs that go on."""

import json
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from franchise.bots.network import BLOCK, GLOBAL, no_weights, zero_weights
from franchise.bots.values import learned
from franchise.training.calibration import calibration
from franchise.training.games import ALL_MODULES, Mixture, PlayedGames, load_games, options_of, play_games
from franchise.training.generations import Stopped, Training, TrainingError, TrainingSettings, begin, figures, save
from franchise.training.positions import read

pytestmark = pytest.mark.compiled_only
SMALL = Mixture((0.5, 0.0, 0.5, 0.0), (1, 2))


@pytest.fixture(scope="module")
def games() -> PlayedGames:
    return play_games(no_weights(), SMALL, 5, range(12))


def test_games_follow_from_their_numbers(games: PlayedGames) -> None:
    again = play_games(no_weights(), SMALL, 5, range(4, 8))
    assert again.seed.tolist() == games.seed[4:8].tolist()
    ends = np.cumsum(games.length)
    assert again.moves.tolist() == games.moves[ends[3] : ends[7]].tolist()


def test_games_come_back_from_their_file(games: PlayedGames, tmp_path: Path) -> None:
    games.save(tmp_path / "games.npz")
    stored = load_games(tmp_path / "games.npz")
    for name, values in vars(games).items():
        assert getattr(stored, name).tolist() == values.tolist()
    assert [path.name for path in tmp_path.iterdir()] == ["games.npz"]


def test_positions_tell_how_the_games_went_on(games: PlayedGames) -> None:
    for players in (2, 4):
        found = read([games], players)
        assert found.table.shape == (len(found), GLOBAL)
        assert found.blocks.shape == (len(found), players, BLOCK)
        assert found.won.sum(1) == pytest.approx(np.ones(len(found)))
        final = found.gain + found.influence
        for number in np.unique(found.game):
            rows = final[found.game == number]
            assert (rows == rows[0]).all()
            best = found.won[found.game == number][0] > 0
            assert rows[0][best].min() == rows[0].max()


def test_no_games_of_a_number_of_players_is_an_error(games: PlayedGames) -> None:
    with pytest.raises(ValueError, match="no games of 3 players"):
        read([games], 3)


def test_codes_stand_for_options() -> None:
    assert options_of(0) == options_of(0).__class__()
    everything = options_of(ALL_MODULES)
    assert everything.milestones
    assert everything.boom
    assert (everything.regions, everything.expert) == ("mixed", "random")


def test_chances_that_come_true_have_no_calibration_error() -> None:
    chances = np.array([[0.75, 0.25]] * 4)
    won = np.array([[1, 0], [1, 0], [1, 0], [0, 1]])
    exact, wrong = calibration(chances, won), calibration(np.array([[0.95, 0.05]] * 4), won)
    assert exact.error == pytest.approx(0)
    assert wrong.error == pytest.approx(0.2)
    assert wrong.brier > exact.brier


# --- runs -------------------------------------------------------------------------------------------------------------


class Here:
    """Plays in this process."""

    def __init__(self) -> None:
        self.tasks = 0

    def answers(self, function: Callable[[Any], Any], tasks: Sequence[Any]) -> Iterator[tuple[Any, Any]]:
        for task in tasks:
            self.tasks += 1
            yield task, function(task)


SETTINGS = TrainingSettings(seed=3, games=100, match=0, mixture=SMALL, first=8, second=4, epochs=2)


def test_a_run_that_was_stopped_goes_on_without_playing_anything_twice(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="learning needs the extra train")
    pool, heard = Here(), list[str]()
    settings = begin(tmp_path, SETTINGS, resume=False)
    with pytest.raises(Stopped):
        Training(tmp_path, settings, pool, heard.append, lambda: pool.tasks == 1).run(1)
    assert pool.tasks == 1
    rest = Here()
    settings = begin(tmp_path, replace(SETTINGS, games=5), resume=True)
    assert settings == SETTINGS
    Training(tmp_path, settings, rest, heard.append, lambda: False).run(1)
    assert rest.tasks == 1
    straight = tmp_path / "straight"
    Training(straight, begin(straight, SETTINGS, resume=False), Here(), heard.append, lambda: False).run(1)
    first, second = ((folder / "generation-00" / "network.npz").read_bytes() for folder in (tmp_path, straight))
    assert first == second


def test_a_run_learns_on_from_a_network_it_is_given(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="learning needs the extra train")
    start, silent = tmp_path / "start.npz", list[str]()
    save(zero_weights(8, 4)._replace(spread=learned()["spread"][0]), start)
    settings = begin(tmp_path / "run", replace(SETTINGS, games=50, first=64), False, start)
    assert (settings.first, settings.second) == (8, 4)
    (row,) = Training(tmp_path / "run", settings, Here(), silent.append, lambda: False).run(1)
    for players, found in row["start"].items():  # a network of zeros says what the linear evaluation says
        assert found["base"] == pytest.approx(found["linear base"], abs=0.01), players
        assert row["held_out"][players]["base"] != found["base"]
    start.write_bytes(b"no network")
    with pytest.raises(TrainingError, match="does not hold a network to start from"):
        begin(tmp_path / "other", SETTINGS, False, start)


def test_a_folder_with_a_run_is_not_overwritten(tmp_path: Path) -> None:
    begin(tmp_path, SETTINGS, resume=False)
    with pytest.raises(TrainingError, match="--resume"):
        begin(tmp_path, SETTINGS, resume=False)
    with pytest.raises(TrainingError, match="no run"):
        begin(tmp_path / "elsewhere", SETTINGS, resume=True)


@pytest.mark.skipif("FRANCHISE_LEARNING" not in os.environ, reason="takes two minutes: set FRANCHISE_LEARNING=1")
def test_two_minutes_of_learning_predict_better_and_beat_the_start(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="learning needs the extra train")
    two = Mixture((1.0, 0.0, 0.0, 0.0), (2, 4))
    settings = TrainingSettings(seed=1, games=700, match=60, mixture=two, first=32, second=16, epochs=3)
    Training(tmp_path, begin(tmp_path, settings, resume=False), Here(), print, lambda: False).run(1)
    (row,) = figures(tmp_path)
    assert row["losses"][-1] < row["losses"][0]
    assert row["held_out"]["2"]["base"] < row["held_out"]["2"]["linear base"]
    assert row["matches"]["2"]["value"] > 0.5
    assert json.loads((tmp_path / "run.json").read_text())["games"] == 700


@pytest.mark.parametrize("players", [2, 3, 5])
def test_the_compiled_network_says_what_the_trainer_says(players: int) -> None:
    torch = pytest.importorskip("torch", reason="learning needs the extra train")
    from franchise.bots.network import new_network, think
    from franchise.training.fit import ValueNetwork, inputs, scaling

    data = read([play_games(no_weights(), Mixture((1, 1, 0, 1), (1,)), 2, range(9))], players)
    torch.manual_seed(players)
    trainer = ValueNetwork(16, 8)
    torch.nn.init.normal_(trainer.out.weight)
    trainer.scale_table.copy_(scaling([data.table]))
    trainer.scale_block.copy_(scaling([data.blocks.reshape(-1, BLOCK)]))
    rows = np.arange(0, len(data), 5)
    with torch.no_grad():
        _, wanted = trainer(*inputs(data, rows))
    network = new_network(trainer.weights())
    network.table_sums[:] = network.weights.first
    for row, gain in zip(rows, wanted.numpy(), strict=True):
        network.table[:GLOBAL] = data.table[row]
        network.blocks[:players, :BLOCK] = data.blocks[row]
        think(network, players)
        assert network.out[:players].tolist() == pytest.approx(gain.tolist(), abs=1e-4)
