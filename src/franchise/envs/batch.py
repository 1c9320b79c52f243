"""Thousands of games at once, stepped by the kernel on all cores into arrays of the caller."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields
from itertools import pairwise
from typing import Any

import numpy as np

from franchise.engine import layout, many
from franchise.engine.actions import ACTIONS
from franchise.engine.chance import recipe_of
from franchise.engine.observe import SIZE
from franchise.engine.setups import Options
from franchise.engine.warmup import ready
from franchise.envs.spaces import action_count, reward_number
from franchise.game import Game, IllegalAction

SLICE = 256  # games that are worth a thread of their own
LAST_SEED = 1 << 62

Array = np.ndarray[Any, np.dtype[Any]]


@dataclass
class Buffers:
    """Where a batch writes its answers: arrays of the caller, row i for game i. None is not written."""

    masks: Array | None = None  # bool (n, actions): what is legal
    observations: Array | None = None  # float32 (n, SIZE): as the player to move sees it
    counts: Array | None = None  # uint8 (n, SIZE): the same before it is divided by its units
    rewards: Array | None = None  # float32 (n, players): of the move, by seat
    dones: Array | None = None  # bool (n,): the move ended the game
    seats: Array | None = None  # int8 (n,): who is to move
    scores: Array | None = None  # int32 (n, players): final influence where done, else 0


class Batch:
    """`n` games, each with a seed of its own; a finished game is followed by the next of its slot."""

    def __init__(
        self,
        n: int = 4096,
        players: int = 4,
        seed: int = 0,
        options: Options | None = None,
        *,
        reward: str = "rank",
        shaping: float = 0.0,
        auto_reset: bool = True,
        threads: int | None = None,
    ) -> None:
        if n < 1:
            raise ValueError(f"a batch has at least one game, not {n}")
        if not 0 <= seed < LAST_SEED:
            raise ValueError(f"the seed of a batch lies between 0 and 2**62, not {seed}")
        self.n = n
        self.players = players
        self.seed = seed
        self.options = options if options is not None else Options()
        self.actions = action_count(self.options)
        recipe, rules = recipe_of(players, self.options)
        terms = layout.new(many.TERMS)
        terms["reward"] = reward_number(reward)
        terms["shaping"] = shaping
        terms["renew"] = auto_reset
        terms["stride"] = n
        ready()
        self._shapes = {
            "masks": ((n, self.actions), np.dtype(np.bool_)),
            "observations": ((n, SIZE), np.dtype(np.float32)),
            "counts": ((n, SIZE), np.dtype(np.uint8)),
            "rewards": ((n, players), np.dtype(np.float32)),
            "dones": ((n,), np.dtype(np.bool_)),
            "seats": ((n,), np.dtype(np.int8)),
            "scores": ((n, players), np.dtype(np.int32)),
        }
        self._games = many.new_games(n, self.actions)
        count = min(threads or os.cpu_count() or 1, max(1, n // SLICE))
        edges = [n * i // count for i in range(count + 1)]
        self._slices = [(many.new_desk(rules, recipe, terms), first, last) for first, last in pairwise(edges)]
        self._helpers = ThreadPoolExecutor(count - 1, "franchise-batch") if count > 1 else None
        self._random = np.zeros(n, np.int32)
        self._started = False

    @property
    def seeds(self) -> Array:
        """The seed of the game in each slot: Game(players, seed, options) has the same set-up."""
        return self._games.seeds.copy()

    @property
    def states(self) -> layout.Records:
        """The STATE records of all games; not to be written."""
        return self._games.states

    def buffers(self, *names: str) -> Buffers:
        """New arrays for the answers of those names, else for all but counts."""
        wanted = names or tuple(name for name in self._shapes if name != "counts")
        return Buffers(**{name: np.zeros(*self._shapes[name]) for name in wanted})

    def reset(self, into: Buffers | None = None, seed: int | None = None) -> None:
        """Begin: slot i plays the seeds seed + i, seed + i + n, seed + i + 2n, ..."""
        self.seed = self.seed if seed is None else seed
        self._games.seeds[:] = self.seed + np.arange(self.n)
        self._run(many.BEGIN, self._random, into)
        self._started = True

    def step(self, actions: Array, into: Buffers | None = None) -> None:
        """One move in every game; IllegalAction names the first that is not legal, and then nothing has moved."""
        self._check_started()
        given = np.asarray(actions)
        if given.shape != (self.n,) or given.dtype.kind not in "iu":
            raise ValueError(
                f"{self.n} games take an array of {self.n} whole numbers, not {given.dtype} of shape {given.shape}"
            )
        moves = given.astype(np.int64).clip(-1, len(ACTIONS)).astype(np.int32)  # what is no action stays none
        slot = many.first_illegal(self._games, moves)
        if slot >= 0:
            number = int(given[slot])
            text = f"{number} ({ACTIONS[number]})" if 0 <= number < len(ACTIONS) else str(number)
            raise IllegalAction(f"action {text} is not legal in game {slot}; its row of the masks says what is")
        self._run(many.STEP, moves, into)

    def describe(self, into: Buffers) -> None:
        """Write masks, observations and seats of the positions once more."""
        self._check_started()
        self._run(many.DESCRIBE, self._random, into)

    def random_actions(self, into: Array | None = None) -> Array:
        """A legal action for every game, each as likely; -1 for a finished game. Game by game what its seed decides."""
        self._check_started()
        chosen = self._random if into is None else into
        if chosen.shape != (self.n,) or chosen.dtype != np.int32:
            raise ValueError(f"random actions go into an int32 array of shape ({self.n},)")
        self._share(lambda _, first, last: many.choose_many(self._games, chosen, first, last))
        return chosen

    def game(self, slot: int, actions: "list[int] | Array") -> Game:
        """Game `slot` as a Game, given the actions it has had; ValueError if they do not lead to its state."""
        game = Game(self.players, int(self._games.seeds[slot]), self.options)
        for action in actions:
            game.play(int(action))
        if game.state.tobytes() != self._games.states[slot : slot + 1].tobytes():
            raise ValueError(f"these {len(actions)} actions do not lead to the position of game {slot}")
        return game

    def close(self) -> None:
        """Give the threads back."""
        if self._helpers is not None:
            self._helpers.shutdown()

    def _check_started(self) -> None:
        if not self._started:
            raise ValueError("call reset before anything else: the games have not begun")

    def _run(self, work: int, actions: Array, into: Buffers | None) -> None:
        answers = self._answers(into)
        self._share(lambda desk, first, last: many.run_many(self._games, desk, answers, actions, work, first, last))

    def _share(self, work: Callable[[many.Desk, int, int], None]) -> None:
        """Do the work on all slices, the first of them in this thread."""
        others = [self._helpers.submit(work, *part) for part in self._slices[1:]] if self._helpers else []
        work(*self._slices[0])
        for other in others:
            other.result()

    def _answers(self, into: Buffers | None) -> many.Answers:
        """The caller's arrays as the kernel takes them."""
        given = {field.name: getattr(into or Buffers(), field.name) for field in fields(Buffers)}
        made = {name: self._array(name, array) for name, array in given.items()}
        return many.Answers(
            made["masks"].view(np.uint8),
            made["counts"],
            made["observations"],
            made["rewards"],
            made["dones"].view(np.uint8),
            made["seats"],
            made["scores"],
        )

    def _array(self, name: str, array: Array | None) -> Array:
        shape, dtype = self._shapes[name]
        if array is None:
            return np.zeros((0, *shape[1:]), dtype)
        if array.shape != shape or array.dtype != dtype or not array.flags.c_contiguous or not array.flags.writeable:
            raise ValueError(
                f"{name} go into a writable C-contiguous {dtype} array of shape {shape}, "
                f"not {array.dtype} of {array.shape}"
            )
        return array
