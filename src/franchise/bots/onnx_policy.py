"""Policies as ONNX files: `onnx:FILE`. docs/arena.md

The network takes observations, float32 of shape (batch, SIZE), and returns a score for each action, (batch, actions);
other outputs are ignored. The bot plays the legal move with the highest score.
"""

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from franchise.bots.protocol import Analysis, BotError, Budget, RankedMove
from franchise.engine import observe
from franchise.engine.actions import ACTIONS, BASE_ACTIONS, Action
from franchise.engine.observe import SIZE, VIEW
from franchise.extras import MissingLibrary, load
from franchise.game import Game


class MissingRuntimeError(BotError, MissingLibrary):
    """The library that runs ONNX files is not installed."""


class OnnxPolicyBot:
    """Plays the move the network prefers, without search."""

    def __init__(self, name: str, session: Any) -> None:
        self.name = name
        self.session = session
        self.input = session.get_inputs()[0].name
        self.output = session.get_outputs()[0].name

    def numbers(self, game: Game) -> tuple[list[int], Any]:
        """The legal actions with their scores."""
        seen = np.empty((1, SIZE), np.float32)
        observe.look(game.rules, game.state, game.current_player, np.empty(2, VIEW), seen[0])
        logits = self.session.run([self.output], {self.input: seen})[0][0]
        legal = game.legal_numbers()
        if legal and legal[-1] >= len(logits):
            raise ValueError(f"{self.name} knows only {len(logits)} actions, but action {legal[-1]} is legal")
        return legal, np.nan_to_num(logits[legal], nan=-np.inf)

    def choose(self, game: Game) -> Action:
        legal, values = self.numbers(game)
        if not legal:
            raise ValueError("the game is over: there is no move to choose")
        return ACTIONS[legal[int(np.argmax(values))]]

    def analyse(self, game: Game, *, moves: int = 5) -> Analysis:
        """The moves by descending score; a policy gives no expected influence or chances."""
        legal, values = self.numbers(game)
        even = (1 / game.players,) * game.players
        scores = tuple(float(score) for score in game.state["influence"][0, : game.players])
        best = [ACTIONS[legal[i]] for i in np.argsort(-values)[:moves]]
        return Analysis(
            game.current_player, tuple(RankedMove(action, scores, even, (action,), 0) for action in best), 0
        )

    def cancel(self) -> None:
        """Nothing to cancel: a decision takes no time."""

    def close(self) -> None:
        """The session is kept for the next game."""


def policy_factory(file: str) -> Callable[[int | None, Budget], OnnxPolicyBot]:
    """A factory for bots from a file; BotError says what is wrong with it."""
    session = opened(str(Path(file).resolve()))
    return lambda seed, budget: OnnxPolicyBot(f"onnx:{Path(file).name}", session)


@lru_cache(maxsize=64)
def opened(path: str) -> Any:
    """The network of a file, loaded and checked once per process."""
    try:
        runtime = load("onnxruntime", "onnx")
    except MissingLibrary as error:
        raise MissingRuntimeError(str(error)) from None
    if not Path(path).is_file():
        raise BotError(f"there is no policy file {path}")
    settings = runtime.SessionOptions()
    settings.intra_op_num_threads = settings.inter_op_num_threads = 1  # games are played in parallel
    try:
        session = runtime.InferenceSession(path, settings, providers=["CPUExecutionProvider"])
    except Exception as error:  # noqa: BLE001 - the library's errors have no common base class
        raise BotError(f"{path} is not an ONNX file that can be run: {' '.join(str(error).split())[:200]}") from None
    inputs, outputs = session.get_inputs(), session.get_outputs()
    if len(inputs) != 1 or inputs[0].type != "tensor(float)" or len(inputs[0].shape) != 2 or inputs[0].shape[1] != SIZE:
        raise BotError(f"{path} takes {[(i.shape, i.type) for i in inputs]}, not float32 observations (batch, {SIZE})")
    if len(outputs[0].shape) != 2 or outputs[0].shape[1] not in (BASE_ACTIONS, len(ACTIONS)):
        shapes = f"(batch, {BASE_ACTIONS}) or (batch, {len(ACTIONS)})"
        raise BotError(f"{path} gives {outputs[0].shape}, not a number for each action: {shapes}")
    return session
