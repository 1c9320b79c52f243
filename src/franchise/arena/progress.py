"""The display of a run: progress bar, current standings, and stopping with Ctrl-C."""

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType, TracebackType

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from franchise.arena.outcome import Outcome
from franchise.arena.standings import Standings

REFRESHES = 4  # a second


class Display:
    """Shows progress while it is open, if there is a terminal."""

    def __init__(
        self, standings: Standings, total: int, workers: str, also: Callable[[Outcome], None] | None = None
    ) -> None:
        self.standings = standings
        self.total = total
        self.workers = workers
        self.also = also  # also called for every game
        self.started = time.monotonic()
        self.before = 0  # games already in the results
        self.seconds = 0.0
        self.live = Live(
            console=Console(stderr=True), transient=True, get_renderable=self.render, refresh_per_second=REFRESHES
        )

    def __enter__(self) -> "Display":
        self.live.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.seconds = time.monotonic() - self.started
        self.live.__exit__(kind, error, trace)

    def begin(self) -> None:
        """From here on, games are played instead of read from a file."""
        self.started = time.monotonic()
        self.before = self.standings.games

    def count(self, outcome: Outcome) -> None:
        """Count a finished game."""
        self.standings.add(outcome)
        if self.also is not None:
            self.also(outcome)

    @property
    def speed(self) -> float:
        """Games a second."""
        passed = self.seconds or time.monotonic() - self.started
        return (self.standings.games - self.before) / passed if passed else 0.0

    def render(self) -> RenderableType:
        """The bar and the standings."""
        games = self.standings.games
        line = Table.grid(padding=(0, 2))
        line.add_row(
            ProgressBar(self.total, games, width=40),
            f"{games}/{self.total} games",
            pace(self.speed),
            f"{duration((self.total - games) / self.speed)} left" if self.speed else "",
            self.workers,
        )
        table = Table("entrant", box=None)
        for heading in ("games", "wins", "95%", "fair", "mean rank", "mean score"):
            table.add_column(heading, justify="right")
        for row in self.standings.table(rated=False):
            if row.games:
                table.add_row(
                    Text(row.name),
                    str(row.games),
                    f"{row.wins.value:.1%}",
                    f"{row.wins.low:.1%}–{row.wins.high:.1%}",
                    f"{row.fair:.1%}",
                    f"{row.rank.value:.2f}",
                    f"{row.score.value:.1f}",
                )
        return Group(line, table) if games else line


def pace(speed: float) -> str:
    """Games a second, or seconds a game."""
    if 0 < speed < 1:
        return f"{1 / speed:,.1f} s/game"
    return f"{speed:,.{0 if speed >= 100 else 1}f} games/s"


def duration(seconds: float) -> str:
    """Hours, minutes and seconds."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


class Stop:
    """Whether somebody asked to stop, and by which signal."""

    def __init__(self) -> None:
        self.signal = 0

    def __call__(self) -> bool:
        return self.signal != 0

    def ask(self, number: int, frame: FrameType | None) -> None:
        if self.signal:
            raise KeyboardInterrupt
        self.signal = number


@contextmanager
def interruptible() -> Iterator[Stop]:
    """The first Ctrl-C asks to stop, so that no line is cut off; the second one stops immediately."""
    stop = Stop()
    before: dict[int, Callable[..., object] | int | None] = {}
    if threading.current_thread() is threading.main_thread():
        before = {number: signal.signal(number, stop.ask) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
