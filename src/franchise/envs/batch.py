"""Thousands of games at once, stepped by the kernel on all cores into arrays of the caller."""

import weakref
from dataclasses import dataclass, fields

import numpy as np

from franchise.engine import layout, many
from franchise.engine.actions import ACTIONS
from franchise.engine.chance import recipe_of
from franchise.engine.jit import COMPILED
from franchise.engine.observe import SIZE
from franchise.engine.processors import cores
from franchise.engine.setups import Options
from franchise.engine.warmup import ready
from franchise.envs.crew import Array, Crew
from franchise.envs.spaces import action_count, reward_number
from franchise.game import Game, IllegalAction

LAST_SEED = 1 << 62


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
        if threads is not None and threads < 1:
            raise ValueError(f"a batch has at least one thread, not {threads}")
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
        count = min(threads or cores(), -(-n // many.PART)) if COMPILED else 1
        self._crew = Crew(self._games, [many.new_desk(rules, recipe, terms) for _ in range(count)])
        self._nothing = {name: np.zeros((0, *shape[1:]), dtype) for name, (shape, dtype) in self._shapes.items()}
        self._arrays: dict[str, Array] = {}  # of the caller, the last time
        self._answers: many.Answers  # and as the kernel takes them
        self._random = np.zeros(n, np.int32)
        self._goodbye = weakref.finalize(self, self._crew.close)
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
        self._run(many.BEGIN, into)
        self._started = True

    def step(self, actions: Array, into: Buffers | None = None) -> None:
        """One move in every game; IllegalAction names the first that is not legal, and then nothing has moved."""
        self._check_started()
        given = np.asarray(actions)
        if given.shape != (self.n,) or given.dtype.kind not in "iu":
            raise ValueError(
                f"{self.n} games take an array of {self.n} whole numbers, not {given.dtype} of shape {given.shape}"
            )
        moves = self._crew.actions
        numbers = given.astype(np.int64, copy=False)
        np.clip(numbers, -1, len(ACTIONS), out=moves, casting="unsafe")  # what is no action stays none
        slot = many.first_illegal(self._games, moves)
        if slot >= 0:
            number = int(given[slot])
            text = f"{number} ({ACTIONS[number]})" if 0 <= number < len(ACTIONS) else str(number)
            raise IllegalAction(f"action {text} is not legal in game {slot}; its row of the masks says what is")
        self._run(many.STEP, into)

    def describe(self, into: Buffers) -> None:
        """Write masks, observations and seats of the positions once more."""
        self._check_started()
        self._run(many.DESCRIBE, into)

    def random_actions(self, into: Array | None = None) -> Array:
        """A legal action for every game, each as likely; -1 for a finished game. Game by game what its seed decides."""
        self._check_started()
        chosen = self._random if into is None else into
        if chosen.shape != (self.n,) or chosen.dtype != np.int32:
            raise ValueError(f"random actions go into an int32 array of shape ({self.n},)")
        self._crew.run(many.CHOOSE, self._answers)
        chosen[:] = self._crew.actions
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
        self._goodbye()

    def _check_started(self) -> None:
        if not self._started:
            raise ValueError("call reset before anything else: the games have not begun")

    def _run(self, work: int, into: Buffers | None) -> None:
        given = into or Buffers()
        arrays = {field.name: self._array(field.name, getattr(given, field.name)) for field in fields(Buffers)}
        if any(array is not self._arrays.get(name) for name, array in arrays.items()):
            self._arrays = arrays
            self._answers = many.Answers(
                arrays["masks"].view(np.uint8),
                arrays["counts"],
                arrays["observations"],
                arrays["rewards"],
                arrays["dones"].view(np.uint8),
                arrays["seats"],
                arrays["scores"],
            )
        self._crew.run(work, self._answers)

    def _array(self, name: str, array: Array | None) -> Array:
        """An array of the caller if it fits; one without rows where none is given."""
        if array is None:
            return self._nothing[name]
        shape, dtype = self._shapes[name]
        if array.shape != shape or array.dtype != dtype or not array.flags.c_contiguous or not array.flags.writeable:
            raise ValueError(
                f"{name} go into a writable C-contiguous {dtype} array of shape {shape}, "
                f"not {array.dtype} of {array.shape}"
            )
        return array
