"""Thousands of games at once, stepped by the kernel on all cores; results go into the caller's arrays."""

import weakref
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter, is_
from typing import TYPE_CHECKING, Any

import numpy as np

from franchise.engine import batch_kernels, layout, observe
from franchise.engine.actions import ACTIONS
from franchise.engine.chance import DRAW, recipe_of
from franchise.engine.jit import COMPILED
from franchise.engine.layout import Records
from franchise.engine.observe import SIZE, VIEW
from franchise.engine.processors import cores
from franchise.engine.setups import Options
from franchise.envs.spaces import action_count, options_of, reward_number
from franchise.envs.worker_threads import NO_ACTIONS, Array, WorkerThreads
from franchise.game import Game, IllegalAction

if TYPE_CHECKING:
    from franchise.bots.opponents import Opponents

LAST_SEED = 1 << 62
LINE = 64  # bytes of a cache line; JAX shares the memory of arrays that begin with one


@dataclass
class Buffers:
    """The caller's arrays for the results of a batch, row i for game i. Arrays that are None are not written."""

    masks: Array | None = None  # bool (n, actions): what is legal
    observations: Array | None = None  # float32 (n, SIZE): as the player to move sees it
    counts: Array | None = None  # uint8 (n, SIZE): the same before it is divided by its units
    rewards: Array | None = None  # float32 (n, players): for the move, by seat
    dones: Array | None = None  # bool (n,): the move ended the game
    seats: Array | None = None  # int8 (n,): who is to move
    scores: Array | None = None  # int32 (n, players): final influence where done, else 0


NAMES = ("masks", "observations", "counts", "rewards", "dones", "seats", "scores")
arrays_of = attrgetter(*NAMES)


@dataclass(frozen=True)
class BatchSnapshot:
    """Positions of some slots of a batch, to be restored in the same slots, in others or in another batch."""

    table: tuple[Any, ...]  # players, options, skip_forced
    opponents: tuple[Any, ...] | None  # who they are
    slots: Array
    parts: tuple[Array, ...]  # their data in batch_kernels.Games, then that of the opponents


class Batch:
    """`n` games, each with its own seed; when a game ends, the next one begins in its slot."""

    def __init__(
        self,
        n: int = 4096,
        players: int = 4,
        seed: int = 0,
        options: "Options | Mapping[str, Any] | None" = None,
        *,
        reward: str = "rank",
        shaping: float = 0.0,
        auto_reset: bool = True,
        skip_forced: bool = False,
        opponents: "str | Sequence[str] | Mapping[int, str] | None" = None,
        simulations: int | None = None,
        threads: int | None = None,
    ) -> None:
        """`opponents`: bots by seat, or one for all or one for each of the others, clockwise from your seat.

        In the second case your seat is the seed of the game modulo the players, so that you take every seat in turn.
        `simulations` is the number per turn for bots that search; by default that of their level.
        """
        if n < 1:
            raise ValueError(f"a batch needs at least one game, not {n}")
        if threads is not None and threads < 1:
            raise ValueError(f"a batch needs at least one thread, not {threads}")
        if not 0 <= seed < LAST_SEED:
            raise ValueError(f"the seed of a batch must be between 0 and 2**62, not {seed}")
        self.n = n
        self.players = players
        self.seed = seed
        self.options = options_of(options)
        self.skip_forced = skip_forced
        self._arguments = {
            "reward": reward,
            "shaping": shaping,
            "auto_reset": auto_reset,
            "skip_forced": skip_forced,
            "opponents": opponents,
            "simulations": simulations,
            "threads": threads,
        }
        self.actions = action_count(self.options)
        recipe, rules = recipe_of(players, self.options)
        self._rules, self._plain = rules, bool(recipe["plain"][0])
        terms = layout.new(batch_kernels.TERMS)
        terms["reward"] = reward_number(reward)
        terms["shaping"] = shaping
        terms["renew"] = auto_reset
        terms["skip_forced"] = skip_forced
        terms["stride"] = n
        self._shapes = shapes_of(n, players, self.actions)
        self._games = batch_kernels.new_games(n, self.actions)
        count = min(threads or cores(), -(-n // batch_kernels.PART)) if COMPILED else 1
        memories = [batch_kernels.new_worker_memory(rules, recipe, terms) for _ in range(count)]
        self._opponents: Opponents | None = None
        if opponents is not None:
            from franchise.bots import opponents as bots

            self._opponents = bots.Opponents(bots.seating(opponents, players), memories, n, simulations)
            terms = terms.copy()
            terms["renew"] = 0  # the opponents begin the next game
            memories = [batch_kernels.new_worker_memory(rules, recipe, terms) for _ in range(count)]
        self._threads = WorkerThreads(self._games, memories)
        self._nothing = {name: np.zeros((0, *shape[1:]), dtype) for name, (shape, dtype) in self._shapes.items()}
        self._own: weakref.WeakValueDictionary[int, Array] = weakref.WeakValueDictionary()  # arrays of `buffers`, by id
        self._given: tuple[Array | None, ...] = ()  # the caller's arrays last time
        self._arrays: dict[str, Array] = {}  # the same, checked
        self._own_counts = self._own_observations = False  # whether `buffers` made them
        self._views: Records | None = None
        self._kept = np.zeros(1, np.int64)
        self._shared = False
        self._answers = self._new_answers(self._nothing)  # the caller's arrays in the form the kernel takes
        self._random = np.zeros(n, np.int32)
        self._asked = np.zeros(n, np.int64)
        self._goodbye = weakref.finalize(self, self._threads.close)
        self._started = False

    @property
    def seeds(self) -> Array:
        """The seed of the game in each slot: Game(players, seed, options) has the same set-up."""
        return self._games.seeds.copy()

    @property
    def states(self) -> layout.Records:
        """The STATE records of all games; read-only."""
        return self._games.states

    def buffers(self, *names: str) -> Buffers:
        """New arrays with those names; by default all except counts."""
        chosen = names or tuple(name for name in self._shapes if name != "counts")
        made = {name: aligned(*self._shapes[name]) for name in chosen}
        self._own.update((id(array), array) for array in made.values())
        return Buffers(**made)

    def reset(self, into: Buffers | None = None, seed: int | None = None) -> None:
        """Start the first games: slot i plays the seeds seed + i, seed + i + n, seed + i + 2n, ..."""
        self.seed = self.seed if seed is None else seed
        self._games.seeds[:] = self.seed + np.arange(self.n)
        self._run(batch_kernels.BEGIN, into)
        self._started = True

    def step(self, actions: Array, into: Buffers | None = None) -> None:
        """Make one move in every game; IllegalAction names the first illegal one and leaves all games unchanged."""
        self._check_started()
        given = np.asarray(actions)
        if given.shape != (self.n,) or given.dtype.kind not in "iu":
            raise ValueError(
                f"{self.n} games take an array of {self.n} whole numbers, not {given.dtype} of shape {given.shape}"
            )
        self._asked[:] = given  # the kernel takes a single type and layout
        outcome = self._run(batch_kernels.STEP, into, self._asked)
        if outcome >= batch_kernels.ILLEGAL:
            self._given = ()  # nothing was written to the arrays
            slot = outcome - batch_kernels.ILLEGAL
            number = int(given[slot])
            text = f"{number} ({ACTIONS[number]})" if 0 <= number < len(ACTIONS) else str(number)
            raise IllegalAction(f"action {text} is not legal in game {slot}; its row of the masks shows what is")

    def renew(self, into: Buffers | None = None) -> None:
        """Begin the next game in every slot whose game is over, and write only its rows; for auto_reset=False."""
        self._check_started()
        self._run(batch_kernels.RENEW, into)

    def abandon(self, slots: "Sequence[int] | Array") -> None:
        """End the games of some slots without a reward; with auto_reset=False, `renew` starts the next ones."""
        self._check_started()
        chosen = self._slots(slots)
        self._games.states["phase"][chosen] = layout.Phase.OVER
        self._games.legal[chosen] = 0
        self._games.choices[chosen] = 0
        self._games.viewed[chosen] = 0

    def vector(self, slot: int, seat: int) -> Array:
        """The position of a slot as a seat sees it, whoever is to move."""
        rules = self._rules.copy()
        for name in () if self._plain else DRAW.names or ():
            rules[name][0] = self._games.draws[name][slot]
        seen = np.empty(SIZE, np.float32)
        observe.look(rules, self._games.states[slot : slot + 1], seat, np.empty(2, VIEW), seen)
        return seen

    def describe(self, into: Buffers) -> None:
        """Write masks, observations and seats of the current positions again."""
        self._check_started()
        self._run(batch_kernels.DESCRIBE, into)

    def random_actions(self, into: Array | None = None) -> Array:
        """A uniformly random legal action for every game, determined by its seed; -1 for a finished game."""
        self._check_started()
        chosen = self._random if into is None else into
        if chosen.shape != (self.n,) or chosen.dtype != np.int32:
            raise ValueError(f"random actions go into an int32 array of shape ({self.n},)")
        self._threads.run(batch_kernels.CHOOSE, self._answers)
        chosen[:] = self._threads.actions
        return chosen

    def game(self, slot: int, actions: "list[int] | Array") -> Game:
        """Slot `slot` as a Game, given its actions so far; ValueError if they do not lead to its state."""
        game = Game(self.players, int(self._games.seeds[slot]), self.options)
        self._play_forced(game)
        for action in actions:
            game.play(int(action))
            self._play_forced(game)
        if game.state.tobytes() != self._games.states[slot : slot + 1].tobytes():
            raise ValueError(f"these {len(actions)} actions do not lead to the position of game {slot}")
        return game

    def _play_forced(self, game: Game) -> None:
        while self.skip_forced and len(numbers := game.legal_numbers()) == 1:
            game.play(numbers[0])

    def snapshot(self, slots: "Sequence[int] | Array | None" = None) -> BatchSnapshot:
        """The positions of all slots, or of some; a slot may be given several times."""
        self._check_started()
        chosen = self._slots(slots)
        return BatchSnapshot(self._table(), self._bot_seats(), chosen, tuple(part[chosen] for part in self._parts()))

    def restore(self, snapshot: BatchSnapshot, slots: "Sequence[int] | Array | None" = None) -> None:
        """Put the positions of a snapshot into the slots it was taken from, or into as many others.

        A batch without opponents accepts positions from any batch: there you can look ahead and play all seats.
        """
        if snapshot.table != self._table() or self._bot_seats() not in (None, snapshot.opponents):
            raise ValueError("the snapshot is of a batch with other players, options, skip_forced or opponents")
        chosen = snapshot.slots if slots is None else self._slots(slots)
        if len(chosen) != len(snapshot.slots) or len(np.unique(chosen)) != len(chosen) or chosen.max() >= self.n:
            raise ValueError(f"{len(snapshot.slots)} positions need as many different slots below {self.n}")
        for part, saved in zip(self._parts(), snapshot.parts, strict=self._opponents is not None):
            part[chosen] = saved
        self._games.viewed[chosen] = 0
        self._started = True

    def _parts(self) -> tuple[Array, ...]:
        """All data of the slots; records as bytes, since NumPy would copy them field by field."""
        parts = (*self._games, *(self._opponents.parts if self._opponents else ()))
        return tuple(part.view(np.uint8).reshape(self.n, -1) if part.dtype.names else part for part in parts)

    def _table(self) -> tuple[Any, ...]:
        return self.players, self.options, self.skip_forced

    def _bot_seats(self) -> tuple[Any, ...] | None:
        return tuple(map(tuple, self._opponents.bots.seats.tolist())) if self._opponents else None

    def _slots(self, slots: "Sequence[int] | Array | None") -> Array:
        chosen = np.arange(self.n) if slots is None else np.asarray(slots)
        if chosen.ndim != 1 or chosen.dtype.kind not in "iu" or len(chosen) == 0:
            raise ValueError(f"slots are a list of whole numbers from 0 to {self.n - 1}")
        if chosen.min() < 0 or chosen.max() >= self.n:
            raise ValueError(f"the batch has the slots 0 to {self.n - 1}, not {chosen.min()} to {chosen.max()}")
        return chosen.astype(np.int64)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled and deep-copied batches keep all games and get their own threads."""
        games = self.snapshot() if self._started else None
        return _unpickled, (self.n, self.players, self.seed, self.options, self._arguments, games)

    def close(self) -> None:
        """Stop the threads."""
        self._goodbye()
        if self._opponents is not None:
            self._opponents.close()

    def _check_started(self) -> None:
        if not self._started:
            raise ValueError("the games have not begun: call reset first")

    def _run(self, work: int, into: Buffers | None, asked: Array = NO_ACTIONS) -> int:
        self._take(into)
        if self._opponents is None or work == batch_kernels.DESCRIBE:
            return self._threads.run(work, self._answers, asked)
        results = {name: self._arrays[name] for name in ("rewards", "dones", "scores")}
        outcome = self._threads.run(work, self._new_answers(self._nothing | results), asked)
        if outcome == batch_kernels.DONE:
            self._opponents.play(self._games, self._answers, anew=work == batch_kernels.BEGIN)
            self._threads.run(batch_kernels.DESCRIBE, self._answers)
        return outcome

    def _take(self, into: Buffers | None) -> None:
        """Set the arrays to write to; they are checked if they are not the same as last time."""
        given = (None,) * len(NAMES) if into is None else arrays_of(into)
        same = len(self._given) > 0 and all(map(is_, given, self._given))
        if not same:
            self._arrays = {name: self._array(name, array) for name, array in zip(NAMES, given, strict=True)}
            self._given = given
            self._own_counts = id(self._arrays["counts"]) in self._own
            self._own_observations = id(self._arrays["observations"]) in self._own
        shared = same and self._own_counts
        if not same or shared != self._shared:
            if self._shared or not len(self._answers.views):
                self._games.viewed[:] = 0  # the views kept here are out of date
            self._shared = shared
            self._answers = self._new_answers(self._arrays, shared)
        self._kept[0] = same and self._own_observations

    def _new_answers(self, arrays: dict[str, Array], shared: bool = False) -> batch_kernels.Answers:
        """The arrays in the form the kernel takes.

        The batch keeps views and copies them for the caller. If the caller keeps passing the same `counts` made by the
        batch, they are `shared`: they are used in place of the views. Of `observations` made by the batch, only what
        changed is written; views are then not kept.
        """
        counts = arrays["counts"].view(VIEW)[:, 0]
        if shared:
            views, counts = counts, counts[:0]
        elif len(counts) or (len(arrays["observations"]) and not self._own_observations):
            if self._views is None:
                self._views = np.zeros(self.n, VIEW)
            views = self._views
        else:
            views = counts
        return batch_kernels.Answers(
            views,
            self._kept,
            arrays["masks"].view(np.uint8),
            counts,
            arrays["observations"],
            arrays["rewards"],
            arrays["dones"].view(np.uint8),
            arrays["seats"],
            arrays["scores"],
        )

    def _array(self, name: str, array: Array | None) -> Array:
        """The caller's array if it fits; one without rows if none is given."""
        if array is None:
            return self._nothing[name]
        shape, dtype = self._shapes[name]
        if array.shape != shape or array.dtype != dtype or not array.flags.c_contiguous or not array.flags.writeable:
            raise ValueError(
                f"{name} go into a writable C-contiguous {dtype} array of shape {shape}, "
                f"not {array.dtype} of {array.shape}"
            )
        return array


def shapes_of(n: int, players: int, actions: int) -> dict[str, tuple[tuple[int, ...], np.dtype[Any]]]:
    """Shape and type of each array of Buffers."""
    return {
        "masks": ((n, actions), np.dtype(np.bool_)),
        "observations": ((n, SIZE), np.dtype(np.float32)),
        "counts": ((n, SIZE), np.dtype(np.uint8)),
        "rewards": ((n, players), np.dtype(np.float32)),
        "dones": ((n,), np.dtype(np.bool_)),
        "seats": ((n,), np.dtype(np.int8)),
        "scores": ((n, players), np.dtype(np.int32)),
    }


def aligned(shape: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
    """An array of zeros aligned to a cache line."""
    size = int(np.prod(shape)) * dtype.itemsize
    memory = np.zeros(size + LINE, np.uint8)
    first = -memory.ctypes.data % LINE
    return memory[first : first + size].view(dtype).reshape(shape)


def _unpickled(
    n: int, players: int, seed: int, options: Options, arguments: dict[str, Any], games: BatchSnapshot | None
) -> Batch:
    batch = Batch(n, players, seed, options, **arguments)
    if games is not None:
        batch.restore(games)
        batch._run(batch_kernels.DESCRIBE, None)
    return batch
