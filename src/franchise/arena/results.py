"""The results file: JSON lines, the run first, then each finished game. It is appended to, never rewritten."""

import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from franchise.arena.outcome import Outcome
from franchise.arena.run import ArenaError, Run

VERSION = 2


class Results:
    """A results file: `resume` returns the games in it, `add` appends the next ones."""

    def __init__(self, path: Path, run: Run) -> None:
        self.path = path
        self.run = run
        self.done: dict[int, int] = {}  # line by game
        self.cut: int | None = None  # number of an unfinished last line, which is dropped
        self.file: IO[bytes] | None = None

    def __enter__(self) -> "Results":
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with ExitStack() as closing:
                file = closing.enter_context(self.path.open("ab"))
                lock(file, self.path)
                closing.pop_all()
        except OSError as error:
            raise ArenaError(f"{self.path}: {error.strerror or error}") from None
        self.file = file
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.file is not None:
            self.file.close()

    def resume(self, games: int) -> Iterator[Outcome]:
        """The earlier games, each checked to belong to the run; afterwards the file is ready for more."""
        whole = 0  # bytes up to the last finished line
        for number, line in self.lines():
            if not line.endswith(b"\n"):
                self.cut = number
                break
            whole += len(line)
            if number == 1:
                self.check_header(self.parse(1, line))
                continue
            outcome = self.outcome(number, line)
            if outcome.game in self.done:
                raise self.damaged(number, f"game {outcome.game} is in line {self.done[outcome.game]} already")
            if outcome.game >= games:
                raise ArenaError(
                    f"{self.path} holds game {outcome.game}: play at least {outcome.game + 1} games with -n"
                )
            self.done[outcome.game] = number
            yield outcome
        if self.file is not None:
            self.file.truncate(whole)
            if not whole:
                self.write({"franchise_arena": VERSION, **self.run.data()})

    def add(self, outcome: Outcome) -> None:
        """Append a finished game."""
        if outcome.game in self.done:
            raise ArenaError(f"game {outcome.game} was played twice")
        self.done[outcome.game] = len(self.done) + 2
        self.write(outcome.data())

    def write(self, data: dict[str, Any]) -> None:
        """Write a line; it has been flushed when this returns."""
        if self.file is None:
            raise ArenaError(f"{self.path} is not open")
        try:
            self.file.write(json.dumps(data, separators=(",", ":")).encode() + b"\n")
            self.file.flush()
        except OSError as error:
            raise ArenaError(f"{self.path}: {error.strerror or error}") from None

    def outcomes(self) -> Iterator[Outcome]:
        """All games again, one at a time."""
        return (self.outcome(number, line) for number, line in self.lines() if number > 1)

    def lines(self) -> Iterator[tuple[int, bytes]]:
        with self.path.open("rb") as file:
            yield from enumerate(file, 1)

    def outcome(self, number: int, line: bytes) -> Outcome:
        """The game of a line."""
        try:
            outcome = Outcome.from_data(self.parse(number, line))
            self.check(outcome)
        except ValueError as error:
            raise self.damaged(number, str(error)) from None
        return outcome

    def parse(self, number: int, line: bytes) -> Any:
        try:
            return json.loads(line)
        except ValueError as error:
            raise self.damaged(number, f"not JSON ({error})") from None

    def check_header(self, data: Any) -> None:
        """Refuse the results of a different run."""
        if not isinstance(data, dict) or data.get("franchise_arena") != VERSION:
            raise ArenaError(f"{self.path}, line 1: not a results file; choose another file")
        for name, value in self.run.data().items():
            if data.get(name) != value:
                raise ArenaError(
                    f"{self.path} holds another run: its {name} is {json.dumps(data.get(name))}, "
                    f"not {json.dumps(value)}; choose another file or use the same parameters"
                )

    def check(self, outcome: Outcome) -> None:
        """Refuse a game that does not belong to the run."""
        if outcome.game < 0 or outcome.seating != self.run.seating(outcome.game):
            raise ValueError(f"game {outcome.game} has another seating in this run")
        if outcome.seed != self.run.game_seed(outcome.game):
            raise ValueError(f"game {outcome.game} has the seed {self.run.game_seed(outcome.game)} in this run")

    def damaged(self, number: int, problem: str) -> ArenaError:
        return ArenaError(f"{self.path}, line {number}: {problem}; remove the line to have its game played again")


def seed_of(path: Path) -> int | None:
    """The seed of the run in a results file, if there is one; it is used if no seed is given."""
    try:
        with path.open("rb") as file:
            data = json.loads(file.readline())
    except (OSError, ValueError):
        return None
    seed = data.get("seed") if isinstance(data, dict) else None
    return seed if type(seed) is int else None


def lock(file: IO[bytes], path: Path) -> None:
    """Let only one run write; on systems without file locks nothing is checked."""
    try:
        import fcntl
    except ImportError:  # pragma: no cover - not on POSIX
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise ArenaError(f"{path}: another run is writing this file") from None
